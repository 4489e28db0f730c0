"""The pairs that dict() and dict.update() are given: each is measured before it is taken apart.

In: the iteration over them. Out: the same items. Holds: one that is no pair raises CPython's error, which counts the
items before it.
"""

from __future__ import annotations

from collections.abc import Callable

from ....ir.types import INT, ListType, TupleType, Type, arms_of
from ...core.placeholders import resolve
from ...core.typed import Const, Expr, MakeTuple, Static
from ...parser import syntax
from ...prelude import containers as prelude
from ..base import InferenceBase
from ..iteration import (
    ChangedPush,
    DictIteration,
    End,
    EnumerateIteration,
    Iteration,
    Push,
    SequenceIteration,
    ZipIteration,
)
from ..operand_errors import unpack_error
from .union_iteration import is_iterable

PAIRS = ".pairs"  # the function that a comprehension calls which stands for `dict(iterable)`


def pairs_of(node: syntax.Expression) -> syntax.Expression:
    """The call of it."""
    return syntax.Call(node.span, syntax.Name(node.span, PAIRS), [node], [])


def is_pairs(node: syntax.Call) -> bool:
    return isinstance(node.func, syntax.Name) and node.func.id == PAIRS


class PairsIteration(Iteration):
    """The items of an enumerated iteration, where they are pairs."""

    def __init__(self, inference: InferenceBase, node: syntax.Node, inner: EnumerateIteration) -> None:
        super().__init__(inference, node.span)
        self.node, self.inner = node, inner
        self.rounds = inner.rounds

    def all_names(self) -> list[str]:
        return self.inner.all_names()

    def own_names(self) -> list[str]:
        return self.inner.own_names()

    def advance(self, step: int, end: End) -> Expr:
        found = self.inner.advance(step, end)
        return found if self.inference.env is None else checked(self.inference, self.node, found)


def pairs_iteration(inference: InferenceBase, node: syntax.Node, inner: Iteration) -> Iteration:
    """The items of an iteration, measured."""
    if gives_pairs(node, inner):
        return inner
    start = Const(INT, node.span, 0)
    if not isinstance(inner, Push):
        return PairsIteration(inference, node, EnumerateIteration(inference, node.span, inner, start))
    counted = inference.enumerate_push(node, inner, start)

    def change(item: Expr, on_item: Callable[[Expr], None]) -> None:
        found = checked(inference, node, item)
        if inference.env is not None:
            on_item(found)

    return ChangedPush(inference, node.span, counted, change)


def gives_pairs(node: syntax.Node, inner: Iteration) -> bool:
    """Whether every item is known to be a pair before the first is there, so that nothing need be counted."""
    if isinstance(node, syntax.GeneratorExp):
        item = node.elt
        is_plain = isinstance(item, syntax.Tuple) and not any(isinstance(each, syntax.Starred) for each in item.elts)
        return is_plain and isinstance(item, syntax.Tuple) and len(item.elts) == 2
    if isinstance(inner, SequenceIteration):
        return isinstance(inner.kind, ListType) and is_pair(resolve(inner.kind.element))
    if isinstance(inner, DictIteration):
        return inner.view == "items"
    return isinstance(inner, EnumerateIteration) or isinstance(inner, ZipIteration) and len(inner.inner) == 2


def checked(inference: InferenceBase, node: syntax.Node, counted: Expr) -> Expr:
    """The item of (count, item), after Python's check of its length."""
    assert isinstance(counted, MakeTuple)
    count, item = counted.items
    if isinstance(item, Static):
        return item
    kind = resolve(item.type)
    raised = first_error(kind)
    if raised is not None:
        left = inference.left_to_run(node, raised, [item])
        if left is not None:
            inference.evaluate(left)
            return left
    elif not is_pair(kind) and all(map(is_iterable, arms_of(kind))):
        item = inference.hold(item)
        inference.evaluate(inference.by_prelude(node, prelude.check_pair, [item, count]))
    return item


def is_pair(kind: Type) -> bool:
    """Whether every value of a type is a tuple of two."""
    return all(isinstance(arm, TupleType) and not arm.is_variadic and len(arm.members) == 2 for arm in arms_of(kind))


def first_error(kind: Type) -> tuple[str, str] | None:
    """What the first item raises, if no value of its type is a pair."""
    if isinstance(kind, TupleType) and not kind.is_variadic and not is_pair(kind):
        return "ValueError", f"dictionary update sequence element #0 has length {len(kind.members)}; 2 is required"
    if unpack_error(kind) is not None:
        return "TypeError", "cannot convert dictionary update sequence element #0 to a sequence"
    return None
