"""The iteration over a value of several types: its consumer's code stands once in a loop for each of them.

In: a value of a Union whose arms are all iterable, or of an inferred one some of whose arms are. Out: a Push that walks
the arm that the value has, or raises the TypeError of iter().
Holds: every loop is the one of its type, so a list that changes while it is walked behaves as a list.
"""

from __future__ import annotations

from collections.abc import Callable

from ....ir.types import (
    BOOL,
    BYTES,
    STR,
    DictType,
    FrozenSetType,
    ListType,
    NamedTupleType,
    SetType,
    TupleType,
    Type,
    arms_of,
)
from ...core.conversions import narrowed
from ...core.denotations import ViewDenotation
from ...core.placeholders import resolve
from ...core.typed import STATIC, Expr, IsType, Static
from ...parser import syntax
from ...parser.liveness import Names
from ..base import InferenceBase, Jump
from ..iteration import Push
from ..operand_errors import MAX_COMBINATIONS, iteration_error


def is_union_of_iterables(kind: Type) -> bool:
    """Whether a value is of one of several types that can all be iterated over."""
    arms = arms_of(resolve(kind))
    return len(arms) > 1 and all(map(is_iterable, arms))


def is_union_of_sequences(kind: Type) -> bool:
    """Whether `reversed` of a value of one of several types works whichever it is."""
    arms = arms_of(resolve(kind))
    is_known = all(isinstance(arm, (ListType, DictType, TupleType)) or arm in (STR, BYTES) for arm in arms)
    return len(arms) > 1 and is_known


def is_iterable(kind: Type) -> bool:
    is_container = isinstance(kind, (ListType, DictType, SetType, FrozenSetType, TupleType, NamedTupleType))
    return is_container or kind in (STR, BYTES)


def may_be_iterable(kind: Type) -> bool:
    """Whether iter() of a value gives an iterator or raises a TypeError that is known, both of which occur."""
    arms = arms_of(resolve(kind))
    rest = [arm for arm in arms if iteration_error(arm) is None]
    return 0 < len(rest) < len(arms) <= MAX_COMBINATIONS and all(map(is_iterable, rest))


def is_never_iterable(kind: Type) -> bool:
    """Whether iter() of every value raises a TypeError that is known."""
    return all(iteration_error(arm) is not None for arm in arms_of(resolve(kind)))


class UnionIteration(Push):
    """The loops, tested for one after the other."""

    def __init__(
        self, inference: InferenceBase, node: syntax.Node, value: Expr, is_reversed: bool = False, view: str = ""
    ) -> None:
        super().__init__(inference, node.span)
        self.view = view  # of dicts
        self.is_reversed = is_reversed
        self.node = node
        self.arms = arms_of(resolve(value.type))
        self.count = len(self.arms) if inference.is_inferred(value) else 1
        self.whole = self.fixed("iterable", value)

    def drive(self, on_item: Callable[[Expr], None], assigned: Names) -> None:
        self.drive_arms(list(self.arms), on_item, assigned)

    def drive_arms(self, arms: list[Type], on_item: Callable[[Expr], None], assigned: Names) -> None:
        inference, whole = self.inference, self.read(self.whole)

        def run() -> None:
            error = iteration_error(arms[0])
            if error is not None:
                inference.evaluate(inference.raise_error(self.span, "TypeError", error))
                return
            start = inference.iterate_backwards if self.is_reversed else inference.iterate_value
            one = narrowed(whole, arms[0])
            inner = start(self.node, Static(STATIC, self.span, ViewDenotation(one, self.view)) if self.view else one)

            def each(item: Expr, on_break: Jump, on_continue: Jump) -> None:
                on_item(item)

            with inference.chosen_calls.choosing(self.count):
                inference.walk(self.span, inner, assigned, None, None, each, None)
            inference.drop(inner.own_names())

        if len(arms) == 1:
            run()
            return
        here, test = inference.here, IsType(BOOL, self.span, whole, arms[0])
        inference.branch(
            self.span, test, here, here.copy(), None, run, lambda: self.drive_arms(arms[1:], on_item, assigned)
        )
