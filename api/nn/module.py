"""Module: a tree of parameters, buffers and submodules, with PyTorch's names and rules.

In: attributes assigned in `__init__`. Out: parameters and state by dotted name, and a `forward` that runs eagerly or,
through `tsm.script`, as a program. Holds: parameters, buffers and submodules live in `_parameters`, `_buffers`,
`_modules`; all else are plain attributes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple, TypeVar

from ..binding.device import without_device
from ..binding.dtype import DType
from ..binding.tensor import Tensor
from .parameter import Buffer, Parameter
from .state_hooks import load_by_hooks, load_own_state, own_state, plainly_loaded, without_hooked
from .weights import Source, as_tensor, read_state

T = TypeVar("T", bound="Module")
Hook = Callable[..., Any]


class IncompatibleKeys(NamedTuple):
    """What `load_state_dict(strict=False)` did not find and did not use."""

    missing_keys: list[str]
    unexpected_keys: list[str]


class RemovableHook:
    """What registering a hook gives: `remove()` takes it away."""

    def __init__(self, hooks: dict[int, Hook], key: int) -> None:
        self._hooks, self._key = hooks, key

    def remove(self) -> None:
        self._hooks.pop(self._key, None)


def _added(hooks: dict[int, Hook], hook: Hook, prepend: bool = False) -> RemovableHook:
    key = max(hooks, default=0) + 1
    before = {} if not prepend else dict(hooks)
    for each in before:
        del hooks[each]
    hooks[key] = hook
    hooks.update(before)
    return RemovableHook(hooks, key)


class Module:
    """Base of all layers and models. Subclasses call `super().__init__()` before they assign parameters and
    modules, and define `forward`."""

    training: bool
    _parameters: dict[str, Parameter | None]
    _buffers: dict[str, Tensor | None]
    _modules: dict[str, Module | None]
    _non_persistent: set[str]
    _forward_pre_hooks: dict[int, Hook] = {}  # noqa: RUF012 - those of an instance are its own
    _forward_hooks: dict[int, Hook] = {}  # noqa: RUF012
    _load_state_dict_pre_hooks: dict[int, Callable[..., None]] = {}  # noqa: RUF012

    def __init__(self) -> None:
        for name, value in (
            ("training", True), ("_parameters", {}), ("_buffers", {}), ("_modules", {}), ("_non_persistent", set()),
            ("_forward_pre_hooks", {}), ("_forward_hooks", {}), ("_load_state_dict_pre_hooks", {}),
        ):
            object.__setattr__(self, name, value)

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError(f'Module [{type(self).__name__}] is missing the required "forward" function')

    forward.__tsm_abstract__ = True  # type: ignore[attr-defined]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if not self._forward_pre_hooks and not self._forward_hooks:
            return self.forward(*args, **kwargs)
        for hook in [*self._forward_pre_hooks.values()]:
            changed = hook(self, args)
            if changed is not None:
                args = changed if isinstance(changed, tuple) else (changed,)
        result = self.forward(*args, **kwargs)
        for hook in [*self._forward_hooks.values()]:
            changed = hook(self, args, result)
            result = result if changed is None else changed
        return result

    # ---- attributes

    def __getattr__(self, name: str) -> Any:
        for store in ("_parameters", "_buffers", "_modules"):
            found = self.__dict__.get(store)
            if found is not None and name in found:
                return found[name]
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __setattr__(self, name: str, value: Any) -> None:
        if "_parameters" not in self.__dict__:
            if isinstance(value, (Parameter, Module)):
                raise AttributeError(f"call super().__init__() before assigning {name!r}")
            object.__setattr__(self, name, value)
        elif isinstance(value, Parameter):
            self._claim(name, self._parameters)
            self._parameters[name] = value
        elif isinstance(value, Module):
            self._claim(name, self._modules)
            self._modules[name] = value
        elif isinstance(value, Buffer) and name not in self._parameters and name not in self._modules:
            self.register_buffer(name, value, value.persistent)
        elif name in self._parameters or name in self._modules or name in self._buffers:
            self._replace(name, value)
        else:
            object.__setattr__(self, name, value)

    def _claim(self, name: str, store: dict[str, Any]) -> None:
        """Takes a name out of the other stores."""
        self.__dict__.pop(name, None)
        for other in (self._parameters, self._buffers, self._modules):
            if other is not store:
                other.pop(name, None)

    def _replace(self, name: str, value: Any) -> None:
        """Assigns to a registered name something that is neither Parameter nor Module."""
        if name in self._buffers:
            if value is not None and not isinstance(value, Tensor):
                raise TypeError(f"buffer {name!r} must be a tensor or None, not a {type(value).__name__}")
            self._buffers[name] = value
        elif value is not None:
            kind = "parameter" if name in self._parameters else "submodule"
            raise TypeError(f"{kind} {name!r} cannot be replaced by a {type(value).__name__}")
        elif name in self._parameters:
            self._parameters[name] = None
        else:
            self._modules[name] = None

    def __delattr__(self, name: str) -> None:
        for store in (self._parameters, self._buffers, self._modules):
            if name in store:
                del store[name]
                self._non_persistent.discard(name)
                return
        object.__delattr__(self, name)

    def __dir__(self) -> list[str]:
        return sorted({*object.__dir__(self), *self._parameters, *self._buffers, *self._modules})

    # ---- registration

    def _check_name(self, name: str) -> None:
        if not isinstance(name, str):
            raise TypeError(f"a name must be a str, not a {type(name).__name__}")
        if not name or "." in name:
            raise KeyError(f"a name must not be empty or contain a dot: {name!r}")
        if hasattr(self, name) and not any(name in s for s in (self._parameters, self._buffers, self._modules)):
            raise KeyError(f"attribute {name!r} already exists")

    def register_parameter(self, name: str, parameter: Parameter | None) -> None:
        """Adds a parameter by name; None declares one that this module does without (a Linear's bias)."""
        self._check_name(name)
        if parameter is not None and not isinstance(parameter, Parameter):
            raise TypeError(f"parameter {name!r} must be a Parameter or None, not a {type(parameter).__name__}")
        self._claim(name, self._parameters)
        self._parameters[name] = parameter

    def register_buffer(self, name: str, tensor: Tensor | None, persistent: bool = True) -> None:
        """Adds a tensor that is state but no parameter; `persistent` ones are part of `state_dict()`."""
        self._check_name(name)
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(f"buffer {name!r} must be a tensor or None, not a {type(tensor).__name__}")
        self._claim(name, self._buffers)
        self._buffers[name] = tensor
        (self._non_persistent.discard if persistent else self._non_persistent.add)(name)

    def add_module(self, name: str, module: Module | None) -> None:
        """Adds a submodule by name."""
        self._check_name(name)
        if module is not None and not isinstance(module, Module):
            raise TypeError(f"submodule {name!r} must be a Module or None, not a {type(module).__name__}")
        self._claim(name, self._modules)
        self._modules[name] = module

    register_module = add_module

    def register_forward_pre_hook(self, hook: Hook, *, prepend: bool = False) -> RemovableHook:
        """`hook(module, args)` runs before each call, `prepend` before the other hooks; what it returns takes the place
        of the arguments."""
        return _added(self._forward_pre_hooks, hook, prepend)

    def register_load_state_dict_pre_hook(self, hook: Callable[..., None]) -> RemovableHook:
        """Calls `hook(module, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs)`
        before load_state_dict reads `state_dict`, a copy that it may change."""
        return _added(self._load_state_dict_pre_hooks, hook)

    def _register_load_state_dict_pre_hook(self, hook: Callable[..., None], with_module: bool = False) -> RemovableHook:
        """The same; without `with_module` the hook is called without the module."""
        called = hook if with_module else lambda module, *args: hook(*args)
        return self.register_load_state_dict_pre_hook(called)

    def register_forward_hook(self, hook: Hook, *, prepend: bool = False) -> RemovableHook:
        """`hook(module, args, output)` runs behind each call, `prepend` before the other hooks; what it returns takes
        the place of the output."""
        return _added(self._forward_hooks, hook, prepend)

    # ---- walking the tree

    def named_children(self) -> Iterator[tuple[str, Module]]:
        """Direct submodules, each once."""
        seen: set[int] = set()
        for name, module in self._modules.items():
            if module is not None and id(module) not in seen:
                seen.add(id(module))
                yield name, module

    def children(self) -> Iterator[Module]:
        return (module for _, module in self.named_children())

    def named_modules(self, prefix: str = "", remove_duplicate: bool = True) -> Iterator[tuple[str, Module]]:
        """This module ("") and all below it, by dotted name."""
        yield from self._walk(prefix, set() if remove_duplicate else None)

    def _walk(self, prefix: str, seen: set[int] | None) -> Iterator[tuple[str, Module]]:
        if seen is not None:
            if id(self) in seen:
                return
            seen.add(id(self))
        yield prefix, self
        for name, module in self._modules.items():
            if module is not None:
                yield from module._walk(f"{prefix}.{name}" if prefix else name, seen)

    def modules(self) -> Iterator[Module]:
        return (module for _, module in self.named_modules())

    def _named(
        self, store: str, prefix: str, recurse: bool, remove_duplicate: bool
    ) -> Iterator[tuple[str, Any]]:
        seen: set[int] = set()
        modules = self.named_modules(prefix, remove_duplicate) if recurse else iter([(prefix, self)])
        for path, module in modules:
            for name, value in getattr(module, store).items():
                if value is None or (remove_duplicate and module._identity(value) in seen):
                    continue
                seen.add(module._identity(value))
                yield f"{path}.{name}" if path else name, value

    def _identity(self, tensor: Tensor) -> int:
        """What tells a tensor from others: it is the same object whenever it is asked for."""
        return id(tensor)

    def named_parameters(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Parameter]]:
        """Parameters by dotted name; a shared one once, under its first name."""
        return self._named("_parameters", prefix, recurse, remove_duplicate)

    def parameters(self, recurse: bool = True) -> Iterator[Parameter]:
        return (parameter for _, parameter in self.named_parameters(recurse=recurse))

    def named_buffers(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Tensor]]:
        return self._named("_buffers", prefix, recurse, remove_duplicate)

    def buffers(self, recurse: bool = True) -> Iterator[Tensor]:
        return (buffer for _, buffer in self.named_buffers(recurse=recurse))

    def get_submodule(self, path: str) -> Module:
        """Submodule by dotted path; "" is this module. AttributeError."""
        module: Module = self
        for name in path.split(".") if path else ():
            found = module._modules.get(name)
            if found is None:
                raise AttributeError(f"{type(module).__name__!r} object has no submodule {name!r}")
            module = found
        return module

    def get_parameter(self, path: str) -> Parameter:
        """Parameter by dotted path. AttributeError."""
        owner, _, name = path.rpartition(".")
        found = self.get_submodule(owner)._parameters.get(name)
        if found is None:
            raise AttributeError(f"there is no parameter {path!r}")
        return found

    def get_buffer(self, path: str) -> Tensor:
        """Buffer by dotted path. AttributeError."""
        owner, _, name = path.rpartition(".")
        found = self.get_submodule(owner)._buffers.get(name)
        if found is None:
            raise AttributeError(f"there is no buffer {path!r}")
        return found

    # ---- modes and conversions

    def train(self: T, mode: bool = True) -> T:
        """Sets `training` of this module and all below it."""
        for module in self.modules():
            module._set_training(bool(mode))
        return self

    def _set_training(self, mode: bool) -> None:
        object.__setattr__(self, "training", mode)

    def eval(self: T) -> T:
        return self.train(False)

    def apply(self: T, function: Callable[[Module], Any]) -> T:
        """Calls `function` on each module, children first."""
        for module in self.children():
            module.apply(function)
        function(self)
        return self

    def to(self: T, *args: Any, **kwargs: Any) -> T:
        """Converts floating-point parameters and buffers to a floating-point dtype; the parameters stay the objects
        they were. As PyTorch's, it takes a device, a dtype, both, or a tensor that has them. TypeError for another
        dtype, RuntimeError for another device than the CPU."""
        dtype = wanted_dtype(args, kwargs)
        if dtype is None:
            return self
        converted: dict[int, Tensor] = {}
        for module in self.modules():
            for parameter in module._parameters.values():
                if parameter is not None and parameter.dtype.is_floating_point:
                    parameter.replace_data(parameter.to(dtype))
            for name, buffer in module._buffers.items():
                if buffer is not None and buffer.dtype.is_floating_point:
                    module._buffers[name] = converted.setdefault(id(buffer), buffer.to(dtype))
        return self

    def bfloat16(self: T) -> T:
        return self.to(DType.bfloat16)

    def float(self: T) -> T:
        return self.to(DType.float32)

    def double(self: T) -> T:
        return self.to(DType.float64)

    def cpu(self: T) -> T:
        """The module: everything is on the CPU."""
        return self

    def cuda(self: T, device: Any = None) -> T:
        """RuntimeError: there is only the CPU."""
        return self.to("cuda")

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Nothing: there are no gradients."""

    def requires_grad_(self: T, requires_grad: bool = True) -> T:
        """Marks the parameters; gradients are not computed yet."""
        for parameter in self.parameters():
            parameter.requires_grad = requires_grad
        return self

    # ---- state

    def state_dict(self, prefix: str = "") -> dict[str, Tensor]:
        """Parameters and persistent buffers by dotted name; they share memory with the module."""
        state: dict[str, Tensor] = {}
        for path, module in self.named_modules(remove_duplicate=False):
            start = f"{prefix}{path}." if path else prefix
            hook = module._state_hook("_save_to_state_dict")
            if hook is None:
                state.update(own_state(module, start))
            else:
                hook(state, start, False)
        return state

    def _state_hook(self, name: str) -> Callable[..., Any] | None:
        """The method of this name that a class of one's own has in the place of Module's."""
        return None if getattr(type(self), name) is getattr(Module, name) else getattr(self, name)

    def _save_to_state_dict(self, destination: dict[str, Tensor], prefix: str, keep_vars: bool) -> None:
        """Puts what is the module's own, but not what is below it, into `destination`; a subclass may do otherwise, and
        in a script if it exports its method."""
        destination.update(own_state(self, prefix))

    def _load_from_state_dict(
        self, state_dict: dict[str, Any], prefix: str, local_metadata: Any, strict: bool, missing_keys: list[str],
        unexpected_keys: list[str], error_msgs: list[str],
    ) -> None:
        """Takes what is the module's own from `state_dict`, and adds to the lists what is not as it should be."""
        load_own_state(self, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs)

    def load_state_dict(
        self, state: Mapping[str, Any] | Source, strict: bool = True, assign: bool = False
    ) -> IncompatibleKeys:
        """Copies values into the module's own tensors, converting dtypes; with `assign` the module takes the tensors
        themselves, in their dtype, in the place of its own.

        `state` maps names to tensors, NumPy arrays or PyTorch tensors, or is the path or bytes of a safetensors file.
        RuntimeError lists all names that are missing or unexpected (if `strict`) and all shapes that differ;
        SafetensorsError, a ValueError, names the file and the tensor of a malformed one.
        """
        given = dict(state if isinstance(state, Mapping) else read_state(state))
        for path, module in self.named_modules():
            for hook in getattr(module, "_load_state_dict_pre_hooks", {}).values():
                hook(module, given, f"{path}." if path else "", {}, strict, [], [], [])
        missing, unexpected, errors = load_by_hooks(self, given, strict, assign)
        own, given = plainly_loaded(self), without_hooked(self, given)
        missing += [name for name in own if name not in given]
        unexpected += [name for name in given if name not in own]
        problems = (self._load_problems(missing, unexpected) if strict else []) + errors
        sources = {name: as_tensor(given[name]) for name in own if name in given}
        for name, source in sources.items():
            if source.shape != own[name].shape:
                problems.append(
                    f"size mismatch for {name}: the state has shape {tuple(source.shape)}, "
                    f"the module {tuple(own[name].shape)}."
                )
        if problems:
            listed = "".join(f"\n\t{problem}" for problem in problems)
            raise RuntimeError(f"Error(s) in loading state_dict for {type(self).__name__}:{listed}")
        for name, source in sources.items():
            if assign:
                self._assign(name, source)
            else:
                own[name].copy_(source)
        return IncompatibleKeys(missing, unexpected)

    def _assign(self, path: str, source: Tensor) -> None:
        """Puts a tensor in the place of the parameter or buffer of a dotted name; a parameter needs gradients as
        the one before."""
        owner, _, name = path.rpartition(".")
        module = self.get_submodule(owner)
        before = module._parameters.get(name)
        if before is None:
            module._buffers[name] = source
        else:
            setattr(module, name, source if isinstance(source, Parameter) else Parameter(source, before.requires_grad))

    @staticmethod
    def _load_problems(missing: list[str], unexpected: list[str]) -> list[str]:
        problems = []
        if unexpected:
            problems.append(f"Unexpected key(s) in state_dict: {', '.join(map(repr, unexpected))}.")
        if missing:
            problems.append(f"Missing key(s) in state_dict: {', '.join(map(repr, missing))}.")
        return problems

    # ---- text

    def extra_repr(self) -> str:
        """What a subclass shows between its brackets."""
        return ""

    def _get_name(self) -> str:
        return type(self).__name__

    def __repr__(self) -> str:
        extra = self.extra_repr()
        lines = [f"({name}): {_indented(repr(module))}" for name, module in self._modules.items()]
        if not lines:
            return f"{self._get_name()}({extra})"
        head = [extra] if extra else []
        return f"{self._get_name()}(\n  " + "\n  ".join(head + lines) + "\n)"


def wanted_dtype(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> DType | None:
    """The dtype among the arguments of `to`; None if they name none. TypeError, RuntimeError."""
    args, kwargs = without_device(args, kwargs)
    rest = {name: value for name, value in kwargs.items() if name not in ("non_blocking", "memory_format", "dtype")}
    if rest:
        raise TypeError(f"to() got an unexpected keyword argument {next(iter(rest))!r}")
    named = [kwargs["dtype"]] if kwargs.get("dtype") is not None else []
    found = [value.dtype if isinstance(value, Tensor) else value
             for value in (*args, *named) if value is not None and not isinstance(value, bool)]
    for dtype in found:
        if not isinstance(dtype, DType) or not dtype.is_floating_point:
            raise TypeError(f"a module is converted to tsm.float32, float64 or bfloat16, not to {dtype!r}")
    return found[0] if found else None


def _indented(text: str) -> str:
    return text.replace("\n", "\n  ")
