"""Functions outside scripts that `functools.singledispatch` made.

In: such a function, with what was registered by then (D10). Out: a function of our own text that calls the one which is
registered for the class of its first argument.
Holds: a class is tested for before those that it is derived from, so the first that fits is the one CPython takes.
"""

from __future__ import annotations

import abc
import builtins
import functools
import inspect
from typing import Any as PyAny

from ..parser import syntax
from .function_source import FunctionSource
from .library_sources import defined, source_of_text

_MADE: PyAny = functools.singledispatch(lambda value: None)


def is_single_dispatch(value: PyAny) -> bool:
    return inspect.isfunction(value) and value.__code__ is _MADE.__code__


def why_not_dispatched(value: PyAny) -> str | None:
    """What of a generic function no chain of tests can say."""
    virtual = [each for each in value.registry if isinstance(each, abc.ABCMeta)]
    for each in virtual:
        if any(not issubclass(each, other) and not issubclass(other, each) for other in virtual):
            return f"'{value.__name__}' is registered for two abstract classes that may both be a value's"
    return None


def source_of_dispatch(value: PyAny, where: syntax.Span, is_method: bool = False) -> FunctionSource:
    """The function that a generic function is; `is_method`: it has the instance before the argument that decides."""
    me = ["me"] if is_method else []
    given = ", ".join([*me, "first", "*others", "**keywords"])
    registry = {python: made for python, made in value.registry.items() if python is not object}
    order = sorted(registry, key=lambda each: -sum(issubclass(each, other) for other in registry))
    names: dict[str, PyAny] = {"function": value.registry[object]}
    lines: list[str] = []
    for i, python in enumerate(order):
        names[f"class{i}"], names[f"function{i}"] = python, registry[python]
        lines += [f"if isinstance(first, class{i}):", f"    return function{i}({given})"]
    lines.append(f"return function({given})")
    source = source_of_text(defined("generic", [*me, "first", "/", "*others", "**keywords"], lines), where)
    source.name = value.__name__
    source.lookup = lambda name: names[name] if name in names else vars(builtins)[name]
    return source
