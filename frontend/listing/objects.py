"""Python objects as text that gives them again: constants, classes by import, tensors, operators.

In: what a compiled function names. Out: an expression, or a line of import, for each; None for what is printed as a
definition. Holds: the text stands in a module that imports tsm and whatever the expression's `needs` say.
"""

from __future__ import annotations

import enum
import importlib
import inspect
import math
import random
import sys
import types
from typing import Any as PyAny

from ...binding.device import Device
from ..compilation.session import unwrap
from ..core.constants import dtype_of
from ..objects.cached_functions import is_cache
from ..objects.class_facts import instance_values, is_instance
from ..objects.modules import is_module
from ..objects.tensors import is_tensor

PACKAGE = __name__.partition(".")[0]
MAX_ELEMENTS = 4096
_PUBLIC = (PACKAGE, f"{PACKAGE}.jit", f"{PACKAGE}.nn", f"{PACKAGE}.nn.functional", f"{PACKAGE}.nn.init", "types")
_STANDARD = frozenset(("builtins", "typing", "math", "cmath", "enum", "abc", "dataclasses", "collections")) | frozenset(
    ("functools", "itertools", "operator", "numpy", "typing_extensions", "copy", "contextlib")
)


class Unprintable(Exception):
    """An object that no short text gives again; str() is what it is."""


def is_definition(value: PyAny) -> bool:
    """Whether it is the user's own function or class, which a listing prints."""
    function = unwrap(value) if not isinstance(value, type) else value
    if isinstance(value, type) and not isinstance(value, types.GenericAlias):  # Python 3.10 takes aliases for types
        return not is_public(value)
    is_function = inspect.isfunction(function) or is_cache(value)
    return is_function and not is_public(value) and not hasattr(value, "__tsm_spelling__")


def is_public(value: PyAny) -> bool:
    """Whether importing a library gives it."""
    top = str(getattr(value, "__module__", None)).partition(".")[0]
    return top in _STANDARD or top == PACKAGE or top in sys.stdlib_module_names


def expression(value: PyAny) -> str:
    """Text whose value equals the object. Unprintable."""
    if value in (sys.stdout, sys.stderr):
        return "sys.stdout" if value is sys.stdout else "sys.stderr"
    if value is None or value is Ellipsis or isinstance(value, (bool, int, str, bytes)) and not _is_member(value):
        return repr(value)
    if isinstance(value, (range, slice)):
        return repr(value)
    if type(value) is object:
        return "object()"
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else f"float({str(value)!r})"
    if isinstance(value, complex):
        return f"complex({expression(value.real)}, {expression(value.imag)})"
    if dtype_of(value) is not None:
        return f"{PACKAGE}.{value.name}"
    if isinstance(value, Device):
        return f'{PACKAGE}.device("cpu")'
    if _is_member(value):
        raise Unprintable("a member of an enum")  # its class is printed by the caller
    if isinstance(value, (list, tuple, set, frozenset, dict)) and type(value) in _BRACKETS:
        return _container(value)
    if is_tensor(value):
        return _tensor(value)
    if isinstance(value, types.ModuleType):
        return value.__name__
    found = "type(None)" if value is type(None) else _public_name(value)
    if found is not None:
        return found
    if inspect.ismethoddescriptor(value) and value.__objclass__.__module__ == "builtins":
        return str(value.__qualname__)
    if is_module(value):
        raise Unprintable(f"a module of class {type(value).__name__}")
    raise Unprintable(f"a {type(value).__name__}")


_BRACKETS: dict[type, str] = {
    list: "[{}]", tuple: "({},)", set: "{{{}}}", dict: "{{{}}}", frozenset: "frozenset(({},))",
}


def _is_member(value: PyAny) -> bool:
    return isinstance(value, enum.Enum)


def _container(value: PyAny) -> str:
    if not value and not isinstance(value, dict):
        return f"{type(value).__name__}()"
    if isinstance(value, dict):
        items = ", ".join(f"{expression(key)}: {expression(item)}" for key, item in value.items())
    else:
        items = ", ".join(map(expression, value))
    return _BRACKETS[type(value)].format(items)


def _tensor(value: PyAny) -> str:
    count = math.prod(value.shape)
    if count > MAX_ELEMENTS:
        raise Unprintable(f"a tensor of {count} elements")
    text = expression(value.tolist())
    made = f"{PACKAGE}.tensor({text}, dtype={PACKAGE}.{value.dtype.name})"
    if 0 in value.shape:
        return f"{PACKAGE}.zeros({list(value.shape)}, dtype={PACKAGE}.{value.dtype.name})"
    return made


def classes_within(value: PyAny, seen: frozenset[int] = frozenset()) -> set[type]:
    """The classes of an instance and of those that it reaches."""
    if id(value) in seen:
        return set()
    parts: list[PyAny] = []
    if is_instance(value):
        parts = [*instance_values(value).values()]
    elif isinstance(value, dict):
        parts = [*value, *value.values()]
    elif isinstance(value, (list, tuple, set, frozenset)):
        parts = [*value]
    own = {type(value)} if is_instance(value) else set()
    return own.union(*(classes_within(part, seen | {id(value)}) for part in parts))


def _public_name(value: PyAny) -> str | None:
    """ "math.sqrt", "tsm.nn.functional.relu", "typing.List": where a library has it."""
    spelling = getattr(value, "__tsm_spelling__", None)
    if isinstance(spelling, str):
        return spelling.replace("F.", f"{PACKAGE}.nn.functional.", 1) if spelling.startswith("F.") else spelling
    for place in _PUBLIC if is_public(value) else ():
        module = importlib.import_module(place)
        for name, item in vars(module).items():
            if item is value and not name.startswith("_"):
                return f"{place}.{name}"
        own = getattr(value, "__name__", "")
        if isinstance(own, str) and own in getattr(module, "__all__", ()) and getattr(module, own) is value:
            return f"{place}.{own}"
    own = getattr(value, "__name__", None)
    if isinstance(own, str) and vars(random).get(own) is value:  # a method of an instance that random has
        return f"random.{own}"
    home = getattr(value, "__module__", None)
    path = getattr(value, "__qualname__", None) or getattr(value, "_name", None) or getattr(value, "__name__", None)
    if isinstance(home, str) and isinstance(path, str) and home in sys.modules and is_public(value):
        if _reach(sys.modules[home], path) is value:
            return f"{home}.{path}" if home != "builtins" else path
    text = str(value)
    if home == "typing" and text.startswith("typing.") and "~" not in text:
        return text
    if type(value) is types.GenericAlias and "<" not in text:
        return text
    return None


def _reach(module: types.ModuleType, path: str) -> PyAny:
    value: PyAny = module
    for name in path.split("."):
        value = getattr(value, name, None)
    return value
