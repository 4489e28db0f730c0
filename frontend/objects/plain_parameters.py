"""`*args` and `**kwargs` as parameters that hold values, where no call says what they catch.

In: function sources. Out: sources whose parameters all have one type each. Holds: a host in C passes the tuple and the
dict itself.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any as PyAny

from ..parser import syntax
from .function_source import FunctionSource

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
