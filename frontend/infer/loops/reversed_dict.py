"""`reversed(d)` of a dict and of its views.

In: a dict. Out: an iteration from its last entry to its first.
Holds: entries are known by their places, as in the dict's own iterator: one that is gone is passed over, one that came
later is not seen, and RuntimeError is raised when the size changes.
"""

from __future__ import annotations

from ....ir.types import INT, DictType, ListType, TupleType
from ...core.conversions import operate
from ...core.placeholders import resolve
from ...core.typed import Expr, MakeTuple
from ...parser import syntax
from ..base import InferenceBase, Jump
from ..iteration import DictIteration, End, Iteration
from ..type_facts import dict_class
from .ordered_iteration import refuse_mutation


class PlacesIteration(DictIteration):
    """The places of a dict's entries, in order."""

    def advance(self, step: int, end: End) -> Expr:
        at = self.item(operate("dict.next", self.read(self.value), self.read(self.at), self.read(self.size)))
        self.end_unless(operate("ge.int", at, self.integer(0)), end)
        self.inference.store(self.at, operate("add.int", at, self.integer(1)))
        return at


class ReversedDictIteration(Iteration):
    """A dict or one of its views, backwards."""

    def __init__(self, inference: InferenceBase, node: syntax.Node, value: Expr, view: str) -> None:
        super().__init__(inference, node.span)
        kind = resolve(value.type)
        assert isinstance(kind, DictType)
        self.node, self.kind, self.view = node, kind, view
        self.value = self.fixed("dict", value)
        self.size = self.fixed("size", operate("len.dict", self.read(self.value)))
        self.places = self.fixed("places", self.listed_places())
        self.left = self.state("left", operate("len.list", self.read(self.places)))

    def listed_places(self) -> Expr:
        inference = self.inference

        def build(result: Expr) -> None:
            places = PlacesIteration(inference, self.span, self.read(self.value), "keys")

            def each(item: Expr, on_break: Jump, on_continue: Jump) -> None:
                inference.evaluate(inference.operate(self.node, ".append", [result, item]))

            inference.walk(self.span, places, frozenset(), None, None, each, None)
            inference.drop(places.own_names())

        return inference.gather(self.node, ListType(INT), build)

    def advance(self, step: int, end: End) -> Expr:
        inference = self.inference
        place = f":{inference.hidden('place')}"

        def look(loop: Jump) -> None:
            inference.evaluate(
                operate("dict.next", self.read(self.value), self.integer(0), self.read(self.size)))  # the size
            here = inference.here
            some = operate("gt.int", self.read(self.left), self.integer(0))
            inference.branch(self.span, some, here, here.copy(), None, lambda: None, end)
            if inference.env is None:
                return
            self.move(self.left, -1)
            at = inference.operate(self.node, "_[_]", [self.read(self.places), self.read(self.left)])
            inference.store(place, at)
            found = operate("dict.next", self.read(self.value), inference.read_variable(place, self.span),
                            self.read(self.size))
            is_there = operate("eq.int", found, inference.read_variable(place, self.span))
            here = inference.here
            inference.branch(self.span, is_there, here, here.copy(), None,
                             lambda: inference.leave(self.span, loop), lambda: None)

        inference.loop(self.span, frozenset(self.names), None, None, look)
        if inference.env is None:
            return self.integer(0)
        item = self.entry(inference.read_variable(place, self.span))
        inference.drop([place])
        return item

    def entry(self, at: Expr) -> Expr:
        """What the loop gets of the entry at a place."""
        value = self.read(self.value)
        key = operate("dict.key_at", value, at, result=self.kind.key)
        found = operate("dict.value_at", value, at, result=self.kind.value)
        if self.view == "items":
            return self.item(MakeTuple(TupleType((self.kind.key, self.kind.value)), self.span, [key, found]))
        return self.item(found if self.view == "values" else key)


class ReversedOrderedIteration(ReversedDictIteration):
    """An OrderedDict or one of its views, backwards: the end comes before the question whether it changed."""

    def __init__(self, inference: InferenceBase, node: syntax.Node, value: Expr, view: str) -> None:
        super().__init__(inference, node, value, view)
        self.version = self.fixed("version", operate("dict.version", self.read(self.value)))

    def advance(self, step: int, end: End) -> Expr:
        self.end_unless(operate("gt.int", self.read(self.left), self.integer(0)), end)
        is_same = operate("eq.int", operate("dict.version", self.read(self.value)), self.read(self.version))
        self.end_unless(is_same, lambda: refuse_mutation(self.inference, self.span))
        self.move(self.left, -1)
        return self.entry(self.inference.operate(self.node, "_[_]", [self.read(self.places), self.read(self.left)]))


def reversed_iteration(inference: InferenceBase, node: syntax.Node, value: Expr, view: str) -> Iteration:
    """The iteration over a dict of any class, backwards."""
    made = ReversedOrderedIteration if dict_class(value.type) == "OrderedDict" else ReversedDictIteration
    return made(inference, node, value, view)
