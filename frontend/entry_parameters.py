"""Parameters of entry points that other functions have no need for: `*args` and `**kwargs` as values, defaults that are
no constants.

In: function sources. Out: sources whose parameters all have one type each, functions that give a default, what callers
in Python have to know of it. Holds: a host in C passes the tuple and the dict itself; a default that may change is one
object for all calls of an instance in Python, and what `"f.x"()` gives in C.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any as PyAny

from ..binding.call_forms import maker_name
from .objects.function_source import FunctionSource
from .parser import syntax

_DEFAULT = "default"  # the name of the value in the function that gives it
_BUILTINS = {"tuple": tuple, "dict": dict, "str": str}


def with_plain_parameters(source: FunctionSource) -> FunctionSource:
    """The function with `*args: T` as a last positional parameter `args: tuple[T, ...] = ()`, and `**kwargs: T` as a
    last keyword-only one `kwargs: dict[str, T]`."""
    args = source.node.args
    if args.vararg is None and args.kwarg is None:
        return source
    stars = [] if args.vararg is None else [_typed(args.vararg, "tuple")]
    keywords = [] if args.kwarg is None else [_typed(args.kwarg, "dict")]
    plain = syntax.arguments(
        args.span, args.posonlyargs, [*args.args, *stars], None, [*args.kwonlyargs, *keywords],
        [*args.kw_defaults, *(None for _ in keywords)], None,
        [*args.defaults, *(syntax.Tuple(star.span, []) for star in stars)],
    )
    node = source.node
    made = syntax.FunctionDef(node.span, node.name, plain, node.body, node.decorator_list, node.returns,
                              node.type_comment)
    defaults = {**source.defaults, **{star.arg: () for star in stars}}

    def lookup(name: str) -> PyAny:
        return _BUILTINS[name[1:]] if name[:1] == "." and name[1:] in _BUILTINS else source.lookup(name)

    return replace(source, node=made, defaults=defaults, lookup=lookup)


def _typed(param: syntax.arg, container: str) -> syntax.arg:
    """The parameter of the whole, whose annotation is that of each value."""
    if param.annotation is None:
        return syntax.arg(param.span, param.arg)
    span = param.annotation.span
    each = param.annotation
    parts: list[syntax.Expression] = [each, syntax.Constant(span, ...)] if container == "tuple" else [
        syntax.Name(span, ".str"), each]
    return syntax.arg(param.span, param.arg, syntax.Subscript(span, syntax.Name(span, f".{container}"),
                                                              syntax.Tuple(span, parts)))


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
