"""`zip(*rows)`: the columns of a list of rows, whose number is known only when the program runs.

In: the list of rows, as it is when zip is called. Out: iterations over its columns.
Holds: rows that are tuples of known length have as many columns, each with a type of its own, and none if there are no
rows; of other rows a column is asked for when its turn comes, as zip does, and ends where the shortest row ends.
"""

from __future__ import annotations

from ....ir.types import BOOL, NONE, ListType, NamedTupleType, TupleType, Type, arms_of
from ...core.conversions import operate
from ...core.placeholders import resolve
from ...core.typed import Expr, IsType, Recast, TupleItem
from ...parser import syntax
from ...prelude import containers as prelude
from ...prelude import iterators as prelude_iterators
from ..base import InferenceBase, Jump
from ..iteration import End, Iteration, SequenceIteration, is_sequence
from .resumable import GeneratorObjectIteration


class ColumnsIteration(Iteration):
    """The columns of tuples of one known length: all made at once, since tuples do not change."""

    def __init__(self, inference: InferenceBase, node: syntax.Node, rows: Expr, row: TupleType) -> None:
        super().__init__(inference, node.span)
        self.node = node
        self.rounds = len(row.elements)
        self.rows = self.fixed("rows", rows)
        self.columns = [self.fixed("column", self.column(row, i)) for i in range(self.rounds)]
        self.is_stored = inference.storing > 0

    def column(self, row: TupleType, index: int) -> Expr:
        inference, element = self.inference, row.elements[index]

        def build(result: Expr) -> None:
            rows = SequenceIteration(inference, self.span, self.read(self.rows))

            def each(item: Expr, on_break: Jump, on_continue: Jump) -> None:
                part = TupleItem(element, self.span, inference.hold(item), index)
                inference.evaluate(inference.operate(self.node, ".append", [result, part]))

            inference.walk(self.span, rows, frozenset(), None, None, each, None)
            inference.drop(rows.own_names())

        listed = inference.gather(self.node, ListType(element), build)
        return operate("tuple.list", listed, result=TupleType((element,), True))

    def has_rows(self) -> Expr:
        return operate("ne.int", self.inference.operate(self.span, "len()", [self.read(self.rows)]), self.integer(0))

    def advance(self, step: int, end: End) -> Expr:
        if self.is_stored:
            self.inference.error(self.span, "zip(*rows) of tuples can be looped over and unpacked, not kept",
                                 "write list(zip(*rows)), or unpack it: a, b = zip(*rows)")
            self.inference.give_up()
        if step >= len(self.columns):
            end()
            self.inference.env = None
            return self.integer(0)
        if step == 0:
            self.end_unless(self.has_rows(), end)
        return self.read(self.columns[step])

    def unpacked(self, count: int) -> list[Expr]:
        """The columns for the targets of an unpacking, after Python's check of their number."""
        inference, found = self.inference, len(self.columns)

        def fail(text: str) -> None:
            inference.evaluate(inference.raise_error(self.span, "ValueError", text))

        def check() -> None:
            if found > count:
                fail(f"too many values to unpack (expected {count})")
            elif found < count:
                fail(f"not enough values to unpack (expected {count}, got {found})")

        here = inference.here
        inference.branch(self.span, self.has_rows(), here, here.copy(), None, check,
                         lambda: fail(f"not enough values to unpack (expected {count}, got 0)") if count else None)
        if inference.env is None:
            return []
        return [self.read(name) for name in self.columns]


class RowsIteration(Iteration):
    """The columns of lists, texts and tuples of any length."""

    def __init__(self, inference: InferenceBase, node: syntax.Node, rows: Expr) -> None:
        super().__init__(inference, node.span)
        self.node = node
        self.rows = self.fixed("rows", rows)
        self.at = self.state("i", self.integer(0))

    def advance(self, step: int, end: End) -> Expr:
        inference = self.inference
        values = [self.read(self.rows), self.read(self.at)]
        found = self.item(inference.by_prelude(self.node, prelude.zip_column, values))
        if inference.env is None:
            return found
        is_end = IsType(BOOL, self.span, found, NONE)
        here = inference.here
        inference.branch(self.span, is_end, here, here.copy(), None, end, lambda: None)
        self.move(self.at)
        column = next(arm for arm in arms_of(resolve(found.type)) if arm != NONE)
        return self.item(Recast(column, self.span, found))


def iterate_columns(inference: InferenceBase, node: syntax.Call, starred: syntax.Starred) -> Iteration:
    """The iteration of `zip(*rows)`."""
    rows = listed_rows(inference, node, starred)
    row = row_type(rows)
    if isinstance(row, NamedTupleType):
        return ColumnsIteration(inference, node, rows, TupleType(row.members))
    if isinstance(row, TupleType) and not row.is_variadic and not (inference.storing and is_of_one_type(row)):
        return ColumnsIteration(inference, node, rows, row)
    if inference.session.functions.is_generator(row):
        made = inference.prelude_generator(node.span, prelude_iterators.columns_of_iterators, [rows])
        return GeneratorObjectIteration(inference, node.span, made)
    if not is_of_one_type(row) and not all(is_sequence(arm) for arm in arms_of(row)):
        inference.error(starred, f"zip(*rows) needs rows that are lists, tuples or texts, not {row}",
                        "make lists of them: zip(*[list(row) for row in rows])")
        inference.give_up()
    return RowsIteration(inference, node, rows)


def columns_object(inference: InferenceBase, node: syntax.Call) -> Expr | None:
    """`zip(*rows)` as a value; None for other calls, and for rows whose columns are of several types."""
    if len(node.args) != 1 or node.keywords or not isinstance(starred := node.args[0], syntax.Starred):
        return None
    rows = listed_rows(inference, node, starred)
    row = row_type(rows)
    if inference.session.functions.is_generator(row):
        return inference.prelude_generator(node.span, prelude_iterators.columns_of_iterators, [rows])
    if not is_of_one_type(row) and not all(is_sequence(arm) for arm in arms_of(row)):
        return None
    return inference.prelude_generator(node.span, prelude_iterators.columns_of_sequences, [rows])


def listed_rows(inference: InferenceBase, node: syntax.Call, starred: syntax.Starred) -> Expr:
    """The rows, in a list that nothing else changes."""
    listed = inference.list_from(starred.value)
    if not isinstance(resolve(listed.type), ListType):
        inference.end_with(node.span, [listed])
    return inference.operate(node, ".copy", [listed])


def row_type(rows: Expr) -> Type:
    kind = resolve(rows.type)
    assert isinstance(kind, ListType)
    return resolve(kind.element)


def is_of_one_type(row: Type) -> bool:
    """Whether a row is a tuple of known length whose items an index that is no constant may ask for."""
    return isinstance(row, TupleType) and not row.is_variadic and len(set(row.members)) == 1
