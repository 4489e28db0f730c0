"""Inference of tensors where an operator or a function of the library takes a number: `x.view(n, -1)`, `x.fill_(t)`.

In: arguments that no row takes. Out: calls with what the tensors hold: one integer for an int, one element without
dimensions for another number. Holds: only what takes no tensor in that place is asked so, and arguments are evaluated
in their order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, combinations

from ....ir.operators import Operator
from ....ir.types import FLOAT, INT, SCALAR, TENSOR, ListType, OptionalType, TupleType, Type
from ...core.conversions import convert
from ...core.matcher import Named, NoMatch, match
from ...core.placeholders import resolve
from ...core.typed import Expr, MakeList, MakeTuple, Operate, ReadTemp, Recast, Temp, is_silent
from ...parser import syntax
from ...parser.syntax import Span
from ...prelude import containers as prelude
from ..base import InferenceBase
from ..type_facts import holds_index

INTS = (INT, OptionalType(INT), ListType(INT), OptionalType(ListType(INT)))
FLOATS = (FLOAT, OptionalType(FLOAT))
SCALARS = (SCALAR, OptionalType(SCALAR))
MOST = 3  # tensors of a call that are numbers, without those in displays


class NumbersOfTensorsInference(InferenceBase):
    """Tensors as numbers."""

    def index_of_tensor(self, value: Expr) -> Expr:
        """The integer that a tensor of one element holds; TypeError for another tensor. An int is what it is."""
        function = prelude.tensor_index if resolve(value.type) == TENSOR else prelude.index_of_either
        return self.by_prelude(syntax.Constant(value.span, None), function, [value])

    def number_of_tensor(self, value: Expr, kind: Type) -> Expr:
        """What a tensor without dimensions holds; TypeError for another tensor."""
        function = prelude.tensor_float if resolve(kind) in FLOATS else prelude.tensor_scalar
        return self.by_prelude(syntax.Constant(value.span, None), function, [value])

    def as_numbers(self, value: Expr, kind: Type) -> Expr:
        """An argument for a parameter of type `kind`, with numbers where that takes them."""
        if resolve(kind) in (*FLOATS, *SCALARS) and resolve(value.type) == TENSOR:
            return self.number_of_tensor(value, kind)
        if resolve(kind) not in INTS:
            return value
        if holds_index(value):
            return value if isinstance(resolve(kind), ListType) else self.index_of_tensor(value)
        return _displayed(value, self.index_of_tensor)

    def by_tensor_numbers(
        self, span: Span, spelling: str, values: Sequence[Expr], named: Named, rows: Sequence[Operator]
    ) -> Expr | None:
        """The call with numbers for as few tensors as a row asks, the last ones first."""
        if spelling.startswith("_"):
            return None
        whole, names = [*values, *(value for _, value in named)], [name for name, _ in named]

        def call(of: Sequence[Expr]) -> tuple[Sequence[Expr], Named]:
            return of[: len(values)], list(zip(names, of[len(values) :]))

        places = [place for place, value in enumerate(whole) if _may_be_numbers(value)]
        for chosen in _few_first(places[::-1]):
            try:
                tried = [_stand_in(value) if place in chosen else value for place, value in enumerate(whole)]
                result = match(spelling, *call(tried), rows)
            except NoMatch:
                continue
            if isinstance(result, Operate) and (kinds := _asked_kinds(result.row, whole, names, chosen)) is not None:
                held = [self._held(value) for value in whole]
                asked = [self._asked(value, kind) for value, kind in zip(held, kinds)]
                if is_silent(*asked):
                    return self.silent(span, asked)
                return self.operate(span, spelling, *call(asked), rows)
        return None

    def _held(self, value: Expr) -> Expr:
        """The value, or the items of a display, evaluated now."""
        if isinstance(value, MakeTuple):
            return MakeTuple(value.type, value.span, [self._held(item) for item in value.items])
        if isinstance(value, MakeList):
            return MakeList(value.type, value.span, [self._held(item) for item in value.items])
        return self.hold(value)

    def _asked(self, value: Expr, kind: Type | None) -> Expr:
        if kind is None:
            return value
        if kind in (*FLOATS, *SCALARS):
            return self.number_of_tensor(value, kind)
        return self.index_of_tensor(value) if holds_index(value) else _displayed(value, self.index_of_tensor)


def _displayed(value: Expr, index_of: Callable[[Expr], Expr]) -> Expr:
    """A display of ints and tensors with ints for all; any other value as it is."""
    if not isinstance(value, MakeTuple | MakeList):
        return value
    items = [item.value if isinstance(item, Recast) else item for item in value.items]
    if not any(map(holds_index, items)):
        return value
    ints = [index_of(item) if holds_index(item) else item for item in items]
    if any(convert(item, INT) is None for item in ints):
        return value
    if isinstance(value, MakeTuple):
        return MakeTuple(TupleType(tuple(INT for _ in ints)), value.span, ints)
    return MakeList(ListType(INT), value.span, ints)


def _stand_in(value: Expr) -> Expr:
    """What is as an int to `match`, for a tensor or a display with tensors."""

    def stand(of: Expr) -> Expr:
        return ReadTemp(INT, of.span, Temp())

    return stand(value) if holds_index(value) else _displayed(value, stand)


def _may_be_numbers(value: Expr) -> bool:
    return _stand_in(value) is not value


def _few_first(places: Sequence[int]) -> Iterator[tuple[int, ...]]:
    return chain.from_iterable(combinations(places, count) for count in range(1, MOST + 1))


def _asked_kinds(
    row: Operator, whole: Sequence[Expr], names: Sequence[str], chosen: Sequence[int]
) -> list[Type | None] | None:
    """The type of the parameter of each argument that is asked for a number, None for others; None in all where such a
    parameter takes something else."""
    by_name = {param.name: param for param in row.schema.params}
    slots = [param for param in row.schema.params if not param.is_keyword_only]
    count = len(whole) - len(names)
    params = [slots[min(place, len(slots) - 1)] for place in range(count)] + [by_name[name] for name in names]
    found: list[Type | None] = []
    for place, (param, value) in enumerate(zip(params, whole)):
        if place not in chosen:
            found.append(None)
        elif param.type in INTS or (param.type in (*FLOATS, *SCALARS) and resolve(value.type) == TENSOR):
            found.append(param.type)
        else:
            return None
    return found
