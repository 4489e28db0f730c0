"""Parameters of entry points that other functions have no need for: defaults that are no constants.

In: function sources. Out: functions that give a default, what callers in Python have to know of it. Holds: a default
that may change is one object for all calls of an instance in Python, and what `"f.x"()` gives in C.
"""

from __future__ import annotations

from typing import Any as PyAny

from ..binding.call_forms import maker_name
from .objects.function_source import FunctionSource
from .parser import syntax

_DEFAULT = "default"  # the name of the value in the function that gives it


def default_source(source: FunctionSource, param: syntax.arg) -> FunctionSource:
    """A function without parameters that gives the default of a parameter."""
    span = param.span
    none = syntax.arguments(span, [], [], None, [], [], None, [])
    body = syntax.Return(span, syntax.Name(span, _DEFAULT))
    name = maker_name(source.name, param.arg)
    value = source.defaults[param.arg]

    def lookup(asked: str) -> PyAny:
        return {_DEFAULT: value}[asked]

    return FunctionSource(name, syntax.FunctionDef(span, name, none, [body], []), lookup, class_type=source.class_type)


def call_form(source: FunctionSource, skipped: int, made: list[str]) -> dict[str, PyAny]:
    """What the metadata says of a method, whose source is as written; `skipped` parameters in front are its owner."""
    args = source.node.args
    found: dict[str, PyAny] = {
        "star": args.vararg and args.vararg.arg, "keywords": args.kwarg and args.kwarg.arg,
        "positional_only": max(0, len(args.posonlyargs) - skipped), "made": made,
    }
    return {name: value for name, value in found.items() if value}
