"""How each iterable is walked: the state that a loop carries and what one step does.

In: typed iterables. Out: `Iteration`s, which emit typed statements for their start and for each step.
Holds: a step tests for the end, reads the item and moves on before the body runs, so `continue` needs no care;
lists are asked for their length at every step and dicts for their size, as Python's iterators do.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from ...ir.types import BYTES, INT, STR, DictType, ListType, SetType, TupleType, Type
from ..compilation.frames import MARK
from ..core.conversions import operate
from ..core.placeholders import resolve
from ..core.typed import NEVER, Const, Expr, MakeTuple, Static
from ..objects.function_source import FunctionSource
from ..parser import syntax
from ..parser.liveness import Names
from ..parser.syntax import Span
from ..prelude import tensor_lists as prelude
from .base import InferenceBase, Jump

End = Callable[[], None]


class NotIterable(Exception):
    """What was to be iterated over was reported already."""


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

    def new_name(self, purpose: str) -> str:
        """Of a hidden variable; merges keep those of an iterator that a variable holds."""
        name = self.inference.hidden(purpose)
        return MARK + name if self.inference.storing else name

    def state(self, purpose: str, value: Expr) -> str:
        """A variable that steps change."""
        name = self.new_name(purpose)
        self.inference.store(name, value)
        self.names.append(name)
        return name

    def fixed(self, purpose: str, value: Expr) -> str:
        """A variable that stays as it is while the loop runs."""
        name = self.new_name(purpose)
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
        self.left = self.state("left", self.read(self.size))

    def advance(self, step: int, end: End) -> Expr:
        found = operate("dict.next", self.read(self.value), self.read(self.at), self.read(self.size))
        at = self.item(found)
        self.end_unless(operate("ge.int", at, self.integer(0)), end)
        self.end_unless(operate("gt.int", self.read(self.left), self.integer(0)), self.refuse_more)
        self.move(self.left, -1)
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

    def refuse_more(self) -> None:
        """Keys that came for others after those that there were at the start."""
        error = self.inference.raise_error(self.span, "RuntimeError", "dictionary keys changed during iteration")
        self.inference.evaluate(error)


class SetIteration(Iteration):
    """A set: live, and RuntimeError when the size changes."""

    def __init__(self, inference: InferenceBase, span: Span, value: Expr) -> None:
        super().__init__(inference, span)
        kind = resolve(value.type)
        assert isinstance(kind, SetType)
        self.element = kind.element
        self.value = self.fixed("set", value)
        self.size = self.fixed("size", operate("len.set", self.read(self.value)))
        self.at = self.state("at", self.integer(0))

    def advance(self, step: int, end: End) -> Expr:
        at = self.item(operate("set.next", self.read(self.value), self.read(self.at), self.read(self.size)))
        self.end_unless(operate("ge.int", at, self.integer(0)), end)
        item = self.item(operate("set.item_at", self.read(self.value), at, result=self.element))
        self.inference.store(self.at, operate("add.int", at, self.integer(1)))
        return item


class MethodIteration(Iteration):
    """An instance, by `__next__`, or by `__getitem__` from 0 on: StopIteration ends both, IndexError these."""

    def __init__(self, inference: InferenceBase, span: Span, owner: Expr, method: str) -> None:
        super().__init__(inference, span)
        self.method, self.is_iterator = method, method == "__next__"
        self.owner = self.fixed("iterator", owner)
        if method == "__getitem__":
            self.at = self.state("i", self.integer(0))

    def own_names(self) -> list[str]:
        return [name for name in super().own_names() if not name.startswith(MARK)]

    def advance(self, step: int, end: End) -> Expr:
        inference = self.inference
        item = f"{MARK}{inference.hidden('item')}"

        def ask() -> None:
            arguments = [self.read(self.at)] if self.method == "__getitem__" else []
            inference.store(item, inference.call_member(self.span, self.read(self.owner), self.method, arguments))

        def handle(caught: str) -> None:
            wanted = [StopIteration, *[IndexError] * (self.method == "__getitem__")]
            error = inference.read_hidden(caught, self.span)
            test = inference.matches_any(error, wanted, self.span)
            here = inference.here
            inference.branch(self.span, test, here, here.copy(), None, end,
                             lambda: inference.throw(self.span, inference.read_hidden(caught, self.span)))

        inference.protect(self.span, None, ask, handle)
        if inference.env is None:
            return self.integer(0)
        if self.method == "__getitem__":
            self.move(self.at)
        value = self.item(inference.read_variable(item, self.span))
        inference.drop([item])
        return value


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


class Push(Iteration):
    """What cannot be asked for one item at a time: its code runs with the consumer's inside it."""

    def drive(self, on_item: Callable[[Expr], None], assigned: Names) -> None:
        """Emits all of it, with `on_item` where an item is there; `assigned` is what `on_item` assigns."""
        raise NotImplementedError

    def advance(self, step: int, end: End) -> Expr:
        raise NotImplementedError("a Push is driven")


class GeneratorCall(Push):
    """A call of the generator function `source`."""

    source: FunctionSource


class Walked(Push):
    """Another iteration as one that runs by itself."""

    def __init__(self, inference: InferenceBase, span: Span, inner: Iteration) -> None:
        super().__init__(inference, span)
        self.inner = inner

    def own_names(self) -> list[str]:
        return self.inner.own_names()

    def drive(self, on_item: Callable[[Expr], None], assigned: Names) -> None:
        def each(item: Expr, on_break: Jump, on_continue: Jump) -> None:
            on_item(item)

        self.inference.walk(self.span, self.inner, assigned, None, None, each, None)


class ChangedPush(Push):
    """The items of another, each changed by `change`, which calls what it is given with the new item, or not."""

    def __init__(
        self, inference: InferenceBase, span: Span, inner: Push,
        change: Callable[[Expr, Callable[[Expr], None]], None], names: Sequence[str] = (),
    ) -> None:
        super().__init__(inference, span)
        self.inner, self.change = inner, change
        self.names = list(names)

    def own_names(self) -> list[str]:
        return [*self.names, *self.inner.own_names()]

    def drive(self, on_item: Callable[[Expr], None], assigned: Names) -> None:
        self.inner.drive(lambda item: self.change(item, on_item), assigned | frozenset(self.names))


class MapIteration(Iteration):
    """What a function gives for the items of others, asked in order, until one ends. `spreads`: these are zipped, and
    their items the function's arguments."""

    def __init__(
        self, inference: InferenceBase, span: Span, callee: str, inner: Iteration, spreads: bool = False
    ) -> None:
        super().__init__(inference, span)
        self.callee, self.inner, self.spreads = callee, inner, spreads
        self.rounds = inner.rounds

    def all_names(self) -> list[str]:
        return self.inner.all_names()

    def own_names(self) -> list[str]:
        return [self.callee, *self.inner.own_names()]

    def advance(self, step: int, end: End) -> Expr:
        items = self.inner.advance(step, end)
        if self.inference.env is None:
            return items
        if self.spreads and not isinstance(items, MakeTuple):
            result = self.inference.apply_row(self.span, self.callee, items)
        else:
            values = items.items if isinstance(items, MakeTuple) and self.spreads else [items]
            result = self.inference.apply(self.span, self.callee, values)
        if result.type == NEVER:
            self.inference.evaluate(result)
            return result
        return result if isinstance(result, Static) else self.item(result)


class FilterIteration(Iteration):
    """The items of another for which a test holds."""

    def __init__(
        self, inference: InferenceBase, span: Span, test: Callable[[Expr], Expr], inner: Iteration
    ) -> None:
        super().__init__(inference, span)
        self.test, self.inner = test, inner

    def all_names(self) -> list[str]:
        return self.inner.all_names()

    def own_names(self) -> list[str]:
        return self.inner.own_names()

    def advance(self, step: int, end: End) -> Expr:
        inference = self.inference
        kept = f":{inference.hidden('kept')}"

        def round_of(loop: Jump) -> None:
            item = self.inner.advance(step, end)
            if inference.env is None:
                return
            inference.store(kept, item)
            test = self.test(inference.read_variable(kept, self.span))
            if test.type == NEVER:
                inference.evaluate(test)
                return
            here = inference.here
            inference.branch(
                self.span, test, here, here.copy(), None, lambda: inference.leave(self.span, loop), lambda: None
            )

        inference.loop(self.span, frozenset(self.inner.all_names()), None, None, round_of)
        if inference.env is None:
            return self.integer(0)
        item = self.item(inference.read_variable(kept, self.span))
        inference.drop([kept])
        return item


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
    """Tuples of one item of each, asked in order, until one ends; `is_strict`: ValueError unless all end together."""

    def __init__(
        self, inference: InferenceBase, span: Span, inner: Sequence[Iteration], is_strict: bool = False
    ) -> None:
        super().__init__(inference, span)
        self.inner = inner
        self.is_strict = is_strict
        known = [each.rounds for each in inner if each.rounds is not None]
        self.rounds = min(known) if known else None
        asked_again = any(each.rounds is None for each in inner[: self.first_to_end()]) if known else False
        if self.rounds is not None and (asked_again or is_strict and len(set(known)) > 1):
            self.rounds += 1

    def all_names(self) -> list[str]:
        return [name for each in self.inner for name in each.all_names()]

    def own_names(self) -> list[str]:
        return [name for each in self.inner for name in each.own_names()]

    def advance(self, step: int, end: End) -> Expr:
        items: list[Expr] = []
        for place, each in enumerate(self.inner):
            at_end = partial(self.end_at, place, step, end) if self.is_strict else end
            items.append(each.advance(step, at_end))
            if self.inference.env is None:
                break
        return MakeTuple(TupleType(tuple(item.type for item in items)), self.span, items)

    def first_to_end(self) -> int:
        """The place of the first of known length that ends the whole: those before it are asked once more."""
        return next(place for place, each in enumerate(self.inner) if each.rounds == self.rounds)

    def end_at(self, place: int, step: int, end: End) -> None:
        """One has ended: the ones before it had an item, the ones after it must have none."""
        if place:
            self.fail(place, "shorter")
            return
        for other in range(1, len(self.inner)):
            self.inference.once(self.span, None, partial(self.expect_end, other, step))
            if self.inference.env is None:
                return
        end()

    def expect_end(self, place: int, step: int, ended: Jump) -> None:
        self.inner[place].advance(step, lambda: self.inference.leave(self.span, ended))
        if self.inference.env is not None:
            self.fail(place, "longer")

    def fail(self, place: int, word: str) -> None:
        others = "argument 1" if place == 1 else f"arguments 1-{place}"
        text = f"zip() argument {place + 1} is {word} than {others}"
        self.inference.evaluate(self.inference.raise_error(self.span, "ValueError", text))


def tensor_rows(inference: InferenceBase, value: Expr) -> Expr:
    """The slices that iterating a tensor gives, as a list; TypeError for a 0-d tensor."""
    return inference.by_prelude(syntax.Node(value.span), prelude.rows_of, [value])


def is_sequence(kind: Type) -> bool:
    return kind in (STR, BYTES) or isinstance(kind, ListType) or (isinstance(kind, TupleType) and kind.is_variadic)


