"""How each iterable is walked: the state that a loop carries and what one step does.

In: typed iterables. Out: `Iteration`s, which emit typed statements for their start and for each step.
Holds: a step tests for the end, reads the item and moves on before the body runs, so `continue` needs no care;
lists are asked for their length at every step and dicts for their size, as Python's iterators do.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..ir.types import INT, STR, DictType, ListType, TupleType, Type
from .conversions import operate
from .infer_base import InferenceBase
from .placeholders import resolve
from .syntax import Span
from .typed import Const, Evaluate, Expr, MakeTuple

End = Callable[[], None]


class Iteration:
    """`names` are the hidden variables that change from step to step; `rounds` is set if it is to be unrolled."""

    rounds: int | None = None

    def __init__(self, inference: InferenceBase, span: Span) -> None:
        self.inference = inference
        self.span = span
        self.names: list[str] = []
        self.fixed_names: list[str] = []

    def advance(self, step: int, end: End) -> Expr:
        """Emits one step; `end` leaves the loop. `step` counts rounds when unrolled."""
        raise NotImplementedError

    def all_names(self) -> list[str]:
        """The variables that steps change."""
        return self.names

    def own_names(self) -> list[str]:
        """All hidden variables, which end with the loop."""
        return [*self.names, *self.fixed_names]

    # What the kinds are made of

    def state(self, purpose: str, value: Expr) -> str:
        """A variable that steps change."""
        name = self.inference.hidden(purpose)
        self.inference.store(name, value)
        self.names.append(name)
        return name

    def fixed(self, purpose: str, value: Expr) -> str:
        """A variable that stays as it is while the loop runs."""
        name = self.inference.hidden(purpose)
        self.inference.store(name, value)
        self.fixed_names.append(name)
        return name

    def read(self, name: str) -> Expr:
        return self.inference.read_hidden(name, self.span)

    def integer(self, value: int) -> Expr:
        return Const(INT, self.span, value)

    def end_unless(self, test: Expr, end: End) -> None:
        here = self.inference.here
        self.inference.branch(self.span, test, here, here.copy(), None, lambda: None, end)

    def item(self, value: Expr) -> Expr:
        name = self.inference.hidden("item")
        self.inference.store(name, value)
        return self.read(name)

    def move(self, name: str, by: int = 1) -> None:
        row = "add.int" if by > 0 else "sub.int"
        self.inference.store(name, operate(row, self.read(name), self.integer(1)))


class RangeIteration(Iteration):
    """range: by comparison for steps of 1 and -1, else by counting the steps, which cannot overflow."""

    def __init__(
        self, inference: InferenceBase, span: Span, start: Expr, stop: Expr, step: Expr, is_reversed: bool = False
    ) -> None:
        super().__init__(inference, span)
        self.simple = 0
        if isinstance(step, Const) and step.value in (1, -1) and not is_reversed:
            self.simple = step.value
            self.at = self.state("i", start)
            self.stop = self.fixed("stop", stop)
            return
        self.start, self.step = self.fixed("start", start), self.fixed("step", step)
        count = operate("range_length", self.read(self.start), stop, self.read(self.step))
        self.count = self.fixed("count", count)
        self.is_reversed = is_reversed
        last = operate("sub.int", self.read(self.count), self.integer(1)) if is_reversed else self.integer(0)
        self.at = self.state("k", last)

    def advance(self, step: int, end: End) -> Expr:
        if self.simple:
            row = "lt.int" if self.simple > 0 else "gt.int"
            self.end_unless(operate(row, self.read(self.at), self.read(self.stop)), end)
            item = self.item(self.read(self.at))
            self.move(self.at, self.simple)
            return item
        if self.is_reversed:
            test = operate("ge.int", self.read(self.at), self.integer(0))
        else:
            test = operate("lt.int", self.read(self.at), self.read(self.count))
        self.end_unless(test, end)
        offset = operate("mul.int", self.read(self.at), self.read(self.step))
        item = self.item(operate("add.int", self.read(self.start), offset))
        self.move(self.at, -1 if self.is_reversed else 1)
        return item


class SequenceIteration(Iteration):
    """list, str and tuples of any length, forwards or backwards, by index."""

    def __init__(self, inference: InferenceBase, span: Span, value: Expr, is_reversed: bool = False) -> None:
        super().__init__(inference, span)
        self.kind = resolve(value.type)
        self.is_reversed = is_reversed
        self.value = self.fixed("seq", value)
        first = self.integer(0)
        if is_reversed:
            first = operate("sub.int", self.length(), self.integer(1))
        self.at = self.state("i", first)

    def length(self) -> Expr:
        return self.inference.operate(self.span, "len()", [self.read(self.value)])

    def advance(self, step: int, end: End) -> Expr:
        if self.is_reversed:
            self.end_unless(operate("ge.int", self.read(self.at), self.integer(0)), end)
        self.end_unless(operate("lt.int", self.read(self.at), self.length()), end)
        item = self.item(self.inference.operate(self.span, "_[_]", [self.read(self.value), self.read(self.at)]))
        self.move(self.at, -1 if self.is_reversed else 1)
        return item


class DictIteration(Iteration):
    """A dict or one of its views: live, and RuntimeError when the size changes."""

    def __init__(self, inference: InferenceBase, span: Span, value: Expr, view: str) -> None:
        super().__init__(inference, span)
        kind = resolve(value.type)
        assert isinstance(kind, DictType)
        self.kind, self.view = kind, view
        self.value = self.fixed("dict", value)
        self.size = self.fixed("size", operate("len.dict", self.read(self.value)))
        self.at = self.state("at", self.integer(0))

    def advance(self, step: int, end: End) -> Expr:
        found = operate("dict.next", self.read(self.value), self.read(self.at), self.read(self.size))
        at = self.item(found)
        self.end_unless(operate("ge.int", at, self.integer(0)), end)
        value = self.read(self.value)
        item: Expr
        if self.view == "items":
            parts: list[Expr] = [
                operate("dict.key_at", value, at, result=self.kind.key),
                operate("dict.value_at", value, at, result=self.kind.value),
            ]
            item = MakeTuple(TupleType((self.kind.key, self.kind.value)), self.span, parts)
        elif self.view == "values":
            item = operate("dict.value_at", value, at, result=self.kind.value)
        else:
            item = operate("dict.key_at", value, at, result=self.kind.key)
        item = self.item(item)
        self.inference.store(self.at, operate("add.int", at, self.integer(1)))
        return item


class UnrolledIteration(Iteration):
    """A tuple of known length, or the submodules of a container: one copy of the body for each."""

    def __init__(self, inference: InferenceBase, span: Span, items: Sequence[Expr]) -> None:
        super().__init__(inference, span)
        self.items = items
        self.rounds = len(items)

    def advance(self, step: int, end: End) -> Expr:
        if step >= len(self.items):
            end()
            self.inference.env = None
            return self.integer(0)
        return self.items[step]


class EnumerateIteration(Iteration):
    """(count, item) pairs."""

    def __init__(self, inference: InferenceBase, span: Span, inner: Iteration, start: Expr) -> None:
        super().__init__(inference, span)
        self.inner = inner
        self.rounds = inner.rounds
        self.start = start
        if self.rounds is None or not isinstance(start, Const):
            self.at = self.state("n", start)

    def all_names(self) -> list[str]:
        return [*self.names, *self.inner.all_names()]

    def own_names(self) -> list[str]:
        return [*self.names, *self.inner.own_names()]

    def advance(self, step: int, end: End) -> Expr:
        item = self.inner.advance(step, end)
        if self.inference.env is None:
            return item
        if not self.names:
            assert isinstance(self.start, Const)
            count: Expr = self.integer(self.start.value + step)
        else:
            count = self.item(self.read(self.at))
            self.move(self.at)
        return MakeTuple(TupleType((INT, item.type)), self.span, [count, item])


class ZipIteration(Iteration):
    """Tuples of one item of each, asked in order, until one ends."""

    def __init__(self, inference: InferenceBase, span: Span, inner: Sequence[Iteration]) -> None:
        super().__init__(inference, span)
        self.inner = inner
        known = [each.rounds for each in inner if each.rounds is not None]
        self.rounds = min(known) if known else None

    def all_names(self) -> list[str]:
        return [name for each in self.inner for name in each.all_names()]

    def own_names(self) -> list[str]:
        return [name for each in self.inner for name in each.own_names()]

    def advance(self, step: int, end: End) -> Expr:
        items: list[Expr] = []
        for each in self.inner:
            items.append(each.advance(step, end))
            if self.inference.env is None:
                break
        return MakeTuple(TupleType(tuple(item.type for item in items)), self.span, items)


def tensor_rows(inference: InferenceBase, value: Expr) -> Expr:
    """The slices that iterating a tensor gives, as a list; TypeError for a 0-d tensor."""
    held = inference.hold(value)
    inference.emit(Evaluate(value.span, operate("len.Tensor", held)))
    return operate("unbind", held)


def is_sequence(kind: Type) -> bool:
    return kind == STR or isinstance(kind, ListType) or (isinstance(kind, TupleType) and kind.is_variadic)


