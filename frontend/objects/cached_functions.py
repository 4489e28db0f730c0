"""Functions that `functools.cache` or `lru_cache` wrapped, outside scripts.

In: what the decorator made, its function's syntax. Out: the function that scripts call: it defines the cached one and
calls it once. Holds: as each call from outside has a cache of its own, `lower.caches` checks that nobody can tell.
"""

from __future__ import annotations

import functools
import inspect
from typing import Any as PyAny

from ..parser import syntax
from .function_source import FunctionSource

CACHE = type(functools.cache(len))


def is_cache(value: PyAny) -> bool:
    """Whether `functools.cache` or `lru_cache` made it of a function written in Python."""
    return type(value) is CACHE and inspect.isfunction(value.__wrapped__)


def why_not(source: FunctionSource) -> str | None:
    """Why scripts cannot call it; None if they can."""
    args = source.node.args
    if len(source.node.decorator_list) != 1:
        return "is wrapped by a cache of functools among other decorators"
    if args.vararg is not None or args.kwarg is not None:
        return "is wrapped by a cache of functools and takes *args or **kwargs"
    if not all(map(is_literal, (*args.defaults, *filter(None, args.kw_defaults)))):
        return "is wrapped by a cache of functools and has a default that is no constant"
    return None


def why_not_wrapped(source: FunctionSource) -> str | None:
    """The same of a function that is wrapped under another name, and calls itself without the cache."""
    args = source.node.args
    if source.node.decorator_list or args.vararg is not None or args.kwarg is not None:
        return "is wrapped by a cache, and has decorators, *args or **kwargs"
    return None


def is_literal(node: syntax.Expression) -> bool:
    """A number, a text, or a tuple of literals: what it gives does not depend on where it is evaluated."""
    if isinstance(node, syntax.Tuple):
        return all(map(is_literal, node.elts))
    if isinstance(node, syntax.UnaryOp):
        return isinstance(node.operand, syntax.Constant)
    return isinstance(node, syntax.Constant)


def cached_source(source: FunctionSource) -> FunctionSource:
    """The function that defines the cached one, with its decorator, and calls it."""
    node, span = source.node, source.node.span
    args = node.args
    positional: list[syntax.Expression] = [syntax.Name(span, each.arg) for each in (*args.posonlyargs, *args.args)]
    named = [syntax.keyword(span, each.arg, syntax.Name(span, each.arg)) for each in args.kwonlyargs]
    call = syntax.Return(span, syntax.Call(span, syntax.Name(span, node.name), positional, named))
    outer = syntax.FunctionDef(span, node.name, args, [node, call], [], node.returns, node.type_comment)
    return FunctionSource(node.name, outer, source.lookup, source.defaults, None, source.python,
                          class_type=source.class_type, is_cached=True)
