"""What `tsm.jit` calls decorators and annotations: marks on functions, classes and attributes that the compiler reads.

In: functions, classes, values. Out: the same objects, marked; `script_if_tracing` gives a wrapper.
Holds: a mark changes nothing in Python, and is read when a script that mentions the object is compiled.
"""

from __future__ import annotations

import functools
import typing
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from .binding import dispatch
from .modes import special

F = TypeVar("F", bound=Callable[..., Any])
C = TypeVar("C", bound=type)


def unused(function: F) -> F:
    """A method or function that compiled code never reaches: a call of it raises RuntimeError there.

    The rest is compiled as if it returned what its annotation says. It stays callable from Python.
    """
    _mark(function, "unused")
    return function


def ignore(drop: Any = False, drop_on_export: bool = False) -> Any:
    """A method or function that stays in Python: compiled code calls it there, with the annotated types. A saved
    program calls it by its name, and whoever loads that gives the function. `ignore(drop=True)` is `unused`, as is the
    old spelling `drop_on_export`."""
    if callable(drop):
        _mark(drop, "ignore")
        return drop

    def mark(function: F) -> F:
        _mark(function, "unused" if drop or drop_on_export else "ignore")
        return function

    return mark


def _mark(decorated: Any, mark: str) -> None:
    """Marks a function, and what decorators below wrapped, which is compiled in its place."""
    function = _function_of(decorated)
    while function is not None:
        function.__tsm_mark__ = mark
        function = getattr(function, "__wrapped__", None)


def _function_of(function: Any) -> Any:
    """The function that a decorated thing is called by."""
    return getattr(function, "fget", None) or getattr(function, "__func__", None) or function


def overload(function: F) -> F:
    """A signature of the function that is defined next, which is compiled for the types of each call then."""
    function.__globals__.setdefault("__tsm_overloads__", set()).add(function.__qualname__)
    return function


def interface(python: C) -> C:
    """A class that says which methods a module or instance must have, for the types of parameters and variables."""
    python.__tsm_interface__ = True  # type: ignore[attr-defined]
    return python


def script_if_tracing(function: F) -> F:
    """Compiles the function when it is called while a trace records, so that its control flow is kept there."""
    compiled: list[Any] = []

    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        if not dispatch.recorders():
            return function(*args, **kwargs)
        from .scripting import script

        if not compiled:
            compiled.append(script(function))
        return compiled[0](*args, **kwargs)

    return wrapper  # type: ignore[return-value]


class Attribute(NamedTuple):
    """An attribute of a module with its type: `self.table = Attribute({}, dict[str, int])`. Compiled code sees `value`.
    """

    value: Any
    type: Any


@special("isinstance")
def container_isinstance(value: Any, kind: Any) -> bool:
    """`isinstance` that looks into containers: `isinstance(x, List[int])`. An empty one fits every element type in
    Python; in compiled code it has the type it was declared with."""
    return any(_fits(value, one) for one in (kind if isinstance(kind, tuple) else (kind,)))


def _fits(value: Any, kind: Any) -> bool:
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if kind in (typing.List, typing.Dict, typing.Set, typing.Tuple):  # noqa: UP006 - without arguments
        kind, origin = origin, None
    if origin is None:
        return value is None if kind is None else isinstance(value, kind)
    if origin is list:
        return isinstance(value, list) and all(_fits(item, inner[0]) for item in value)
    if origin is dict:
        is_dict = isinstance(value, dict)
        return is_dict and all(_fits(k, inner[0]) and _fits(v, inner[1]) for k, v in value.items())
    if origin is tuple:
        if not isinstance(value, tuple):
            return False
        kinds = inner[:1] * len(value) if len(inner) == 2 and inner[1] is Ellipsis else inner
        return len(value) == len(kinds) and all(map(_fits, value, kinds))
    if origin is typing.Union or getattr(origin, "__name__", "") == "UnionType":
        return any(_fits(value, one) for one in inner)
    raise TypeError(f"tsm.jit.isinstance does not know {kind}")
