"""Inference of tensors where an operator or a function of the library takes an int: `zeros(n)`, `x.view(n, -1)`.

In: arguments that no row takes. Out: calls with the ints that the tensors hold, which have to be one integer each.
Holds: only what takes no tensor in that place is asked so, and arguments are evaluated in their order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ....ir.operators import Operator
from ....ir.types import INT, SCALAR, TENSOR, ListType, OptionalType, TupleType, Type
from ...core.conversions import convert, operate
from ...core.matcher import Named, NoMatch, match
from ...core.placeholders import resolve
from ...core.typed import Expr, MakeList, MakeTuple, Operate, ReadTemp, Recast, Temp, is_silent
from ...parser import syntax
from ...parser.syntax import Span
from ...prelude import containers as prelude
from ..base import InferenceBase

INTS = (INT, OptionalType(INT), ListType(INT), OptionalType(ListType(INT)))


class TensorIndexInference(InferenceBase):
    """Tensors as ints."""

    def index_of_tensor(self, value: Expr) -> Expr:
        """The integer that a tensor of one element holds; TypeError for another tensor."""
        return self.by_prelude(syntax.Constant(value.span, None), prelude.tensor_index, [value])

    def as_ints(self, value: Expr, kind: Type) -> Expr:
        """An argument for a parameter of type `kind`, with ints where that takes them."""
        if resolve(kind) not in INTS:
            return value
        if resolve(value.type) == TENSOR:
            return value if isinstance(resolve(kind), ListType) else self.index_of_tensor(value)
        return _displayed(value, self.index_of_tensor)

    def by_tensor_indices(
        self, span: Span, spelling: str, values: Sequence[Expr], named: Named, rows: Sequence[Operator]
    ) -> Expr | None:
        """The call with ints for tensors, if a row takes that; the first argument may be what the operator is of."""
        if spelling.startswith("_"):
            return None
        for first in (1, 0):
            if not any(map(_may_be_ints, [*values[first:], *(value for _, value in named)])):
                continue
            stand_ins = [*values[:first], *map(_stand_in, values[first:])]
            try:
                result = match(spelling, stand_ins, [(name, _stand_in(value)) for name, value in named], rows)
            except NoMatch:
                continue
            if isinstance(result, Operate) and (kinds := _asked_kinds(result.row, values, named, first)) is not None:
                whole = [*values, *(value for _, value in named)]
                held = [self._held(value) for value in whole]
                asked = [self._asked(value, kind) for value, kind in zip(held, kinds)]
                if is_silent(*asked):
                    return self.silent(span, asked)
                names = [name for name, _ in named]
                return self.operate(span, spelling, asked[: len(values)], list(zip(names, asked[len(values) :])), rows)
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
        if kind == SCALAR:
            return operate("item", value)
        return self.index_of_tensor(value) if resolve(value.type) == TENSOR else _displayed(value, self.index_of_tensor)


def _displayed(value: Expr, index_of: Callable[[Expr], Expr]) -> Expr:
    """A display of ints and tensors with ints for all; any other value as it is."""
    if not isinstance(value, MakeTuple | MakeList):
        return value
    items = [item.value if isinstance(item, Recast) else item for item in value.items]
    if TENSOR not in (resolve(item.type) for item in items):
        return value
    ints = [index_of(item) if resolve(item.type) == TENSOR else item for item in items]
    if any(convert(item, INT) is None for item in ints):
        return value
    if isinstance(value, MakeTuple):
        return MakeTuple(TupleType(tuple(INT for _ in ints)), value.span, ints)
    return MakeList(ListType(INT), value.span, ints)


def _stand_in(value: Expr) -> Expr:
    """What is as an int to `match`, for a tensor or a display with tensors."""

    def stand(of: Expr) -> Expr:
        return ReadTemp(INT, of.span, Temp())

    return stand(value) if resolve(value.type) == TENSOR else _displayed(value, stand)


def _may_be_ints(value: Expr) -> bool:
    return _stand_in(value) is not value


def _asked_kinds(row: Operator, values: Sequence[Expr], named: Named, first: int) -> list[Type | None] | None:
    """The type of the parameter of each argument that is asked for an int, None for others; None in all where such a
    parameter takes something else."""
    names = {param.name: param for param in row.schema.params}
    slots = [param for param in row.schema.params if not param.is_keyword_only]
    places = [slots[min(place, len(slots) - 1)] for place in range(len(values))]
    asked = [*zip(places, values), *((names[name], value) for name, value in named)]
    found: list[Type | None] = []
    for place, (param, value) in enumerate(asked):
        if place < first or not _may_be_ints(value):
            found.append(None)
        elif param.type in INTS or (param.type == SCALAR and "FACTORY" in row.traits and resolve(value.type) == TENSOR):
            found.append(param.type)
        else:
            return None
    return found
