"""Iteration over an OrderedDict and its views, from the first entry to the last, and over deques.

In: a dict, a deque. Out: its entries. Holds: an OrderedDict's knows the next entry before it gives one, as CPython's
iterator does: RuntimeError where keys came or went while more was to come, the end where nothing was.
"""

from __future__ import annotations

from ....ir.types import DictType, TupleType
from ...core.conversions import operate
from ...core.placeholders import resolve
from ...core.typed import Expr, MakeTuple
from ...parser.syntax import Span
from ..base import InferenceBase
from ..iteration import DictIteration, End, Iteration, SequenceIteration
from ..type_facts import dict_class


class OrderedIteration(Iteration):
    """`next` is the place of the entry that comes, -1 at the end."""

    def __init__(self, inference: InferenceBase, span: Span, value: Expr, view: str) -> None:
        super().__init__(inference, span)
        kind = resolve(value.type)
        assert isinstance(kind, DictType)
        self.kind, self.view = kind, view
        self.value = self.fixed("dict", value)
        self.version = self.fixed("version", operate("dict.version", self.read(self.value)))
        self.next = self.state("next", self.place_from(self.integer(0)))

    def place_from(self, at: Expr) -> Expr:
        value = self.read(self.value)
        return operate("dict.next", value, at, operate("len.dict", value))

    def following(self, at: Expr) -> Expr:
        return self.place_from(operate("add.int", at, self.integer(1)))

    def advance(self, step: int, end: End) -> Expr:
        at = self.item(self.read(self.next))
        self.end_unless(operate("ge.int", at, self.integer(0)), end)
        is_same = operate("eq.int", operate("dict.version", self.read(self.value)), self.read(self.version))
        self.end_unless(is_same, lambda: refuse_mutation(self.inference, self.span))
        value = self.read(self.value)
        key = operate("dict.key_at", value, at, result=self.kind.key)
        entry = operate("dict.value_at", value, at, result=self.kind.value)
        item: Expr = entry if self.view == "values" else key
        if self.view == "items":
            item = MakeTuple(TupleType((self.kind.key, self.kind.value)), self.span, [key, entry])
        held = self.item(item)
        self.inference.store(self.next, self.following(at))
        return held


def refuse_mutation(inference: InferenceBase, span: Span) -> None:
    inference.evaluate(inference.raise_error(span, "RuntimeError", "OrderedDict mutated during iteration"))


class DequeIteration(SequenceIteration):
    """A deque, forwards or backwards: RuntimeError when its ends changed, even if nothing more was to come."""

    def __init__(self, inference: InferenceBase, span: Span, value: Expr, is_reversed: bool = False) -> None:
        super().__init__(inference, span, value, is_reversed)
        self.version = self.fixed("version", operate("deque.version", self.read(self.value)))

    def advance(self, step: int, end: End) -> Expr:
        inference = self.inference
        is_same = operate("eq.int", operate("deque.version", self.read(self.value)), self.read(self.version))
        self.end_unless(is_same, lambda: inference.evaluate(
            inference.raise_error(self.span, "RuntimeError", "deque mutated during iteration")))
        return super().advance(step, end)


def dict_iteration(inference: InferenceBase, span: Span, value: Expr, view: str) -> Iteration:
    """The iteration over a dict of any class."""
    made = OrderedIteration if dict_class(value.type) == "OrderedDict" else DictIteration
    return made(inference, span, value, view)
