"""What a module of Python holds, by name: attributes, tensors by group, constants; and what a file tells of them.

In: objects that look like tsm.nn.Module, compiled ones among them. Out: names, values, and the words of the metadata.
Holds: the order is that in which the module got them; a module that contains itself is followed once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import FunctionType, MethodType
from typing import Any as PyAny

from ...binding.state_names import BUFFER, HIDDEN, MODULE, PARAMETER
from .program_members import is_program_module

PARAMETERS, BUFFERS, PERSISTENT = "_parameters", "_buffers", "persistent"  # groups of tensors; the last, of buffers
OWN = (PARAMETERS, BUFFERS, "_modules")
PACKAGE = __name__.partition(".")[0] + "."
_HIDDEN = frozenset(
    ("_parameters", "_buffers", "_modules", "_non_persistent_buffers_set", "_is_full_backward_hook", "_backward_hooks")
) | frozenset(
    ("_backward_pre_hooks", "_forward_hooks", "_forward_pre_hooks", "_state_dict_hooks",
     "_load_state_dict_pre_hooks", "_non_persistent",
     "_tsm_program", "_tsm_state", "_tsm_tensors")
)


def is_module(value: PyAny) -> bool:
    """Whether it looks like an nn.Module instance."""
    if is_program_module(value):
        return True
    return not isinstance(value, type) and all(isinstance(getattr(value, name, None), dict) for name in OWN)


def is_own_method(python: type, name: str) -> bool:
    """Whether a class has a method from this package, not from a user's class."""
    return getattr(getattr(python, name, None), "__module__", "").startswith(PACKAGE)


def attributes_of(module: PyAny) -> dict[str, PyAny]:
    """Everything a module holds, in a fixed order: parameters, buffers, submodules, `training`, plain attributes."""
    found: dict[str, PyAny] = {}
    for group in OWN:
        found.update(getattr(module, group))
    if hasattr(module, "training"):
        found["training"] = bool(module.training)
    for name, value in vars(module).items():
        if not (name.startswith("_") and name in _HIDDEN) and name not in found:
            found[name] = value
    return found


@dataclass(frozen=True)
class OwnMethod:
    """A method of the module that holds it as an attribute: `self.act = self.fast if ... else self.exact`."""

    function: FunctionType

    @staticmethod
    def of(module: PyAny, value: PyAny) -> OwnMethod | None:
        """None for what is no method of the module's own class."""
        if type(value) is not MethodType or value.__self__ is not module or type(value.__func__) is not FunctionType:
            return None
        function = value.__func__
        is_found = any(base.__dict__.get(function.__name__) is function for base in type(module).__mro__)
        return OwnMethod(function) if is_found else None

    def owner(self, python: type) -> type:
        """The base of the module's class that defines it."""
        name = self.function.__name__
        return next(base for base in python.__mro__ if base.__dict__.get(name) is self.function)


def tensor_names(module: PyAny) -> dict[str, tuple[str, ...]]:
    """The names of a module's own tensors by group."""
    passing = getattr(module, "_non_persistent", ())
    lasting = tuple(name for name in module._buffers if name not in passing)
    return {PARAMETERS: tuple(module._parameters), BUFFERS: tuple(module._buffers), PERSISTENT: lasting}


def state_names(module: PyAny, path: str, above: tuple[PyAny, ...] = ()) -> dict[str, str]:
    """What the tensors of a module and of those below it are, by their names behind a path: a parameter, a buffer, or
    one that is hidden from `state_dict()`; and which names are those of modules. What is None now may be a tensor
    later."""
    names = tensor_names(module)
    found = {path + name: PARAMETER for name in names[PARAMETERS]}
    for name in names[BUFFERS]:
        found[path + name] = BUFFER if name in names[PERSISTENT] else HIDDEN
    for name, inner in (module._modules if is_program_module(module) else attributes_of(module)).items():
        if is_module(inner) and all(inner is not other for other in (module, *above)):
            found[path + name] = MODULE
            found.update(state_names(inner, f"{path}{name}.", (module, *above)))
    return found


def constant_values(
    module: PyAny, constants_of: Callable[[PyAny], dict[str, PyAny]], path: str = "", above: tuple[PyAny, ...] = ()
) -> dict[str, PyAny]:
    """The numbers and texts that are constants of a user's module and of those below it, by path: what a host may ask
    for that the program does not have."""
    found: dict[str, PyAny] = {}
    if not type(module).__module__.startswith(PACKAGE):
        constants = constants_of(module)
        found = {path + name: value for name, value in constants.items() if is_listed_constant(value)}
    for name, inner in attributes_of(module).items():
        is_new = all(inner is not other for other in (module, *above))
        if is_new and is_module(inner) and not is_program_module(inner):
            found.update(constant_values(inner, constants_of, f"{path}{name}.", (module, *above)))
    return found


def is_attribute(value: PyAny) -> bool:
    """Whether it is a value with its type: `tsm.jit.Attribute({}, dict[str, int])`."""
    return type(value).__name__ == "Attribute" and isinstance(value, tuple) and len(value) == 2


def is_program(value: PyAny) -> bool:
    """Whether it runs a program that is not made from source: of a trace, of a file, of a frozen module."""
    if not hasattr(type(value), "present_program"):
        return False
    fields = vars(value)
    return "_tsm_trace" in fields or fields.get("_source") is None


def is_listed_constant(value: PyAny) -> bool:
    """What `__constants__` makes a constant of, as TorchScript does."""
    if isinstance(value, (list, tuple)):
        return all(map(is_listed_constant, value))
    return value is None or isinstance(value, (bool, int, float, str))
