"""The modules of a program as Python's modules: what ScriptModule, a loaded file and their submodules have in common.

In: a program that knows which of its objects are modules, and an instance of it. Out: modules whose parameters,
buffers and submodules are the instance's own, so that `Module`'s walks, states and conversions are theirs too, and that
other modules hold. Holds: one module of an instance is one object of Python, whatever path leads to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, TypeVar

from .binding.dtype import DType
from .binding.program import Instance
from .binding.state_names import NO_NAMES, ModuleNames, read_constants
from .binding.tensor import Tensor
from .call import make_callable
from .loaded import LoadedModule, LoadedObject
from .nn.module import Module, wanted_dtype
from .nn.parameter import Parameter

M = TypeVar("M", bound="ProgramModule")
R = TypeVar("R", bound="RootModule")
_OWN = ("instance", "methods", "_submodules", "_main")  # what an object has for its instance
_LISTS, _DICTS = ("ModuleList", "Sequential", "ParameterList"), ("ModuleDict", "ParameterDict")


class ProgramModule(Module):
    """A module of a program, at a path from its root."""

    __tsm_program_module__ = True

    def _at(self) -> tuple[Any, str]:
        """The whole program, and the path of this module in it."""
        raise NotImplementedError

    def _names(self) -> ModuleNames:
        root, path = self._at()
        found: ModuleNames = root.program.module_names.get(path, NO_NAMES)
        return found

    def _found(self, names: list[str]) -> dict[str, Any]:
        """The attributes of these names that the program still has."""
        root, path = self._at()
        found = {}
        for name in names:
            try:
                found[name] = LoadedModule.get(root, f"{path}.{name}" if path else name)
            except AttributeError:
                continue
        return found

    @property
    def _parameters(self) -> dict[str, Any]:  # type: ignore[override]
        found = self._found(self._names().parameters)
        return {name: Parameter(each) if isinstance(each, Tensor) else each for name, each in found.items()}

    @property
    def _buffers(self) -> dict[str, Any]:  # type: ignore[override]
        return self._found(self._names().buffers)

    @property
    def _modules(self) -> dict[str, Any]:  # type: ignore[override]
        return self._found(self._names().modules)

    @property
    def _non_persistent(self) -> set[str]:  # type: ignore[override]
        return set(self._names().hidden)

    def _identity(self, tensor: Any) -> int:
        return int(tensor._ref)

    @property
    def original_name(self) -> str:
        """The name of the class that it was made from."""
        return self._class_name().partition(".")[0]

    def _object(self) -> LoadedObject | None:
        """The instance in the program."""
        raise NotImplementedError

    def _class_name(self) -> str:
        found = self._object()
        return "" if found is None else str(found.__dict__["_type"].name)

    def _attribute_names(self) -> tuple[str, ...]:
        found = self._object()
        return () if found is None else found.__dict__["_type"].names

    # ---- what containers have

    def _items(self) -> dict[str, Any]:
        return self._parameters if self.original_name.startswith("Parameter") else self._modules

    def __len__(self) -> int:
        return len(self._container(_LISTS + _DICTS))

    def __iter__(self) -> Iterator[Any]:
        items = self._container(_LISTS + _DICTS)
        return iter(items if self.original_name in _DICTS else items.values())

    def __contains__(self, key: object) -> bool:
        items = self._container(_LISTS + _DICTS)
        return key in items if self.original_name in _DICTS else any(key is item for item in items.values())

    def __getitem__(self, key: Any) -> Any:
        items = self._container(_LISTS + _DICTS)
        if self.original_name in _DICTS:
            return items[key]
        return [*items.values()][key]

    def _container(self, kinds: tuple[str, ...]) -> dict[str, Any]:
        if self.original_name not in kinds:
            raise TypeError(f"a module of class {self.original_name} is no container")
        return self._items()

    def __bool__(self) -> bool:
        return True

    # ---- modes and conversions

    def _state_hook(self, name: str) -> Callable[..., Any] | None:
        """The method of this name that the module exported."""
        root, path = self._at()
        full = f"{path}.{name}" if path else name
        return make_callable(root.instance, root.methods[full], root) if full in root.methods else None

    def _set_training(self, mode: bool) -> None:
        if "training" in self._attribute_names():
            self.training = mode

    def to(self: M, *args: Any, **kwargs: Any) -> M:
        """As `Module.to`; the tensors that it converts are new ones of this instance."""
        dtype = wanted_dtype(args, kwargs)
        converted: dict[int, Tensor] = {}
        for module in self.modules() if dtype is not None else ():
            for name, tensor in {**module._parameters, **module._buffers}.items():
                if isinstance(tensor, Tensor) and tensor.dtype.is_floating_point and isinstance(dtype, DType):
                    setattr(module, name, converted.setdefault(tensor._ref, tensor.to(dtype)))
        return self

    def __repr__(self) -> str:
        inner = "".join(f"\n  ({name}): {_indented(repr(module))}" for name, module in self._modules.items())
        name = f"original_name={self.original_name}"
        return f"RecursiveScriptModule(\n  {name}{inner}\n)" if inner else f"RecursiveScriptModule({name})"

    def requires_grad_(self: M, requires_grad: bool = True) -> M:
        """The module: gradients are not computed."""
        return self

    # ---- a program's modules are fixed

    def _as_parameter(self, name: str, value: Any) -> Any:
        is_parameter = isinstance(value, Tensor) and name in self._names().parameters
        return Parameter(value) if is_parameter else value

    def _fixed(self, *args: Any, **kwargs: Any) -> Any:
        raise RuntimeError("a compiled module takes no new parameters, buffers, submodules or hooks: "
                           "change the Python module and script it again")

    register_parameter = register_buffer = add_module = register_module = _fixed
    register_forward_hook = register_forward_pre_hook = __delattr__ = _fixed


class Submodule(LoadedObject, ProgramModule):
    """A module below a program's root."""

    _root: LoadedModule

    def __init__(self, root: LoadedModule, address: int, path: str) -> None:
        LoadedObject.__init__(self, root.instance, address, path)
        object.__setattr__(self, "_root", root)

    def _at(self) -> tuple[Any, str]:
        """Scripts may put another module at the path where this one was: then it is at another, or at none.
        RuntimeError."""
        root, path = self._root, self._path
        if root.address_at(path) == self._tsm_address:
            return root, path
        for path in root.program.module_names:
            if path and root.address_at(path) == self._tsm_address:
                object.__setattr__(self, "_path", path)
                return root, path
        raise RuntimeError(f"the module that was at {self._path!r} is no longer part of the program")

    def move(self, path: str) -> None:
        """Becomes the module at a path of the program that its root has become."""
        address = self._root.address_at(path)
        assert address is not None
        self.__del__()
        LoadedObject.__init__(self, self._root.instance, address, path)
        self._root._submodules[address] = self

    def _object(self) -> LoadedObject:
        return self

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Calls its `forward`, with the hooks of the module that was scripted."""
        root, path = self._at()
        has_hooks = root.has_hooks(path)
        return self._method("__call__" if has_hooks else "forward")(*args, **kwargs)

    @property
    def forward(self) -> Any:
        """Its `forward` as a function."""
        return self._method("forward")

    def _method(self, name: str) -> Callable[..., Any]:
        """A method as a function: one that the program has for this path, or comes to have. AttributeError."""
        root, path = self._at()
        full = f"{path}.{name}"
        if full not in root.methods:
            root.want_method(full)
        return make_callable(root.instance, root.methods[full], root)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        root, path = self._at()
        if f"{path}.{name}" in root.methods:
            return self._method(name)
        if name in self.__dict__["_type"].names:
            return self._as_parameter(name, LoadedModule.get(root, f"{path}.{name}"))
        if self.original_name in _DICTS and name in ("keys", "values", "items"):
            return getattr(self._items(), name)
        found: Any = root.uncompiled(f"{path}.{name}")
        return found

    def __setattr__(self, name: str, value: Any) -> None:
        root, path = self._at()
        root.set(f"{path}.{name}", value)

    def __dir__(self) -> list[str]:
        start = f"{self._path}."
        methods = [name[len(start) :] for name in self._root.methods if name.startswith(start)]
        return [*self.__dict__["_type"].names, *(name for name in methods if "." not in name)]

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        """The module at the same path of a copy of the whole program."""
        import copy

        return LoadedModule.get(copy.deepcopy(self._root, memo), self._path)

    __len__, __getitem__, __repr__ = ProgramModule.__len__, ProgramModule.__getitem__, ProgramModule.__repr__


class RootModule(ProgramModule, LoadedModule):
    """A program whose root is a module: a loaded file, and what `script` and `trace` give for a module."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        LoadedModule.__init__(self, *args, **kwargs)

    def _at(self) -> tuple[Any, str]:
        return self, ""

    def _object(self) -> LoadedObject | None:
        return LoadedModule._root(self)

    __call__ = LoadedModule.__call__

    def held_submodules(self) -> dict[str, Submodule]:
        """The submodules that Python has, by a path that leads to each."""
        found = {}
        for module in self._submodules.values():
            with suppress(RuntimeError):
                found[module._at()[1]] = module
        return found

    def __getattr__(self, name: str) -> Any:
        return self._as_parameter(name, LoadedModule.__getattr__(self, name))

    def __setattr__(self, name: str, value: Any) -> None:
        self.set(name, value)

    def uncompiled(self, name: str) -> Any:
        constants = read_constants(self.metadata)
        return constants[name] if name in constants else super().uncompiled(name)

    def has_hooks(self, path: str) -> bool:
        """Whether a call of the submodule at a path is more than one of its `forward`."""
        return f"{path}.__call__" in self.methods

    def __dir__(self) -> list[str]:
        return sorted({*object.__dir__(self), *self._attribute_names()})

    def clone(self: R) -> R:
        """A second module with a copy of this one's state."""
        return self._over(self.instance.clone())

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return self.clone()

    def __copy__(self) -> Any:
        """A module with this one's tensors, and a copy of its other state."""
        made = self.clone()
        for path, module in self.named_modules():
            for name, tensor in {**module._parameters, **module._buffers}.items():
                LoadedModule.set(made, f"{path}.{name}" if path else name, tensor)
        return made

    def _over(self: R, instance: Instance) -> R:
        """The same program over another instance."""
        made = object.__new__(type(self))
        made.__dict__.update((name, value) for name, value in vars(self).items() if name not in _OWN and not hasattr(
            value, "__tsm_caller__"))
        LoadedModule.__init__(made, self.program, instance, self._classes.values())
        return made


def _indented(text: str) -> str:
    return text.replace("\n", "\n  ")
