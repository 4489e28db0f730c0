"""Values that may be no ints where operators of the runtime take ints: counts, bounds of slices, digits.

In: the operands of an operator, and what the matcher made of them. Out: operands that are ints or raise CPython's
TypeError when the program runs.
Holds: only values whose class the run shows are asked: numbers of several kinds, and values of type Any.
"""

from __future__ import annotations

from collections.abc import Sequence

from ....ir.operators import spelled
from ....ir.types import (
    ANY,
    BYTES,
    FLOAT,
    INT,
    NONE,
    STR,
    TENSOR,
    ListType,
    OptionalType,
    TupleType,
    Type,
    arms_of,
)
from ...core.conversions import is_scalar, to_any
from ...core.placeholders import resolve
from ...core.typed import Expr, Operate, is_silent
from ...parser import syntax
from ...parser.syntax import Span
from ...prelude import any_values as prelude
from ..base import InferenceBase
from ..type_facts import holds_index

SLICED = ("_[:]", "_[:]=_", "del_[:]")
BOUNDED = (".find", ".rfind", ".index", ".rindex", ".count", ".startswith", ".endswith")
OTHERWISE = ("pow()", "bytes()")  # these have texts of their own


class WholeNumberInference(InferenceBase):
    """Ints that only the run can find."""

    def with_bounds(self, span: Span, spelling: str, values: Sequence[Expr]) -> Sequence[Expr]:
        """The operands of a slice, those of type Any asked whether they are ints or None."""
        if spelling not in SLICED:
            return values
        last = len(values) - (spelling == "_[:]=_")
        return [
            self.asked_whole(span, spelling, value) if 0 < place < last and self.is_bound(value) else value
            for place, value in enumerate(values)
        ]

    def is_bound(self, value: Expr) -> bool:
        kind = resolve(value.type)
        return kind == ANY or may_be_float(kind)

    def with_whole_numbers(self, span: Span, spelling: str, values: Sequence[Expr], result: Expr) -> list[Expr] | None:
        """The operands with ints where the row takes them; None if they are so already."""
        if not isinstance(result, Operate) or spelling in OTHERWISE or spelling.startswith("_"):
            return None
        params = result.row.schema.params
        if len(params) < len(values) or any(TENSOR in arms_of(param.type) for param in params):
            return None
        asked = [
            param.type in (INT, OptionalType(INT)) and self.is_bound(value) for param, value in zip(params, values)
        ]
        if not any(asked):
            return None
        held = [self.hold(value) for value in values]
        return [self.asked_whole(span, spelling, value) if is_asked else value for value, is_asked in zip(held, asked)]

    def by_kind_of_number(
        self, node: syntax.Node | Expr | Span, spelling: str, values: Sequence[Expr], result: Expr
    ) -> Expr | None:
        """`math.floor(x)` of what may be an int or a float, for which there is a row each; None for other calls."""
        if not isinstance(result, Operate) or [param.type for param in result.row.schema.params] != [INT]:
            return None
        has_rows = any(row.schema.params and row.schema.params[0].type == FLOAT for row in spelled(spelling))
        if not has_rows or not values or not may_be_float(values[0].type):
            return None
        return self.each_arm(values[0], lambda one: self.operate(node, spelling, [one]))

    def with_count(self, span: Span, left: Expr, right: Expr) -> tuple[Expr, Expr]:
        """The operands of `sequence * n` and `n * sequence`, which only an int repeats, or a tensor of one."""
        if is_sequence(left.type) and holds_index(right):
            return left, self.index_of_tensor(right)
        if is_sequence(right.type) and holds_index(left):
            return self.index_of_tensor(left), right
        if is_sequence(left.type) and may_be_float(right.type):
            return left, self.asked_whole(span, "_*_", right)
        if is_sequence(right.type) and may_be_float(left.type):
            return self.asked_whole(span, "_*_", left), right
        return left, right

    def asked_whole(self, span: Span, spelling: str, value: Expr) -> Expr:
        is_slice = spelling in SLICED or spelling in BOUNDED
        function = prelude.bound_of if is_slice else prelude.count_of if spelling == "_*_" else prelude.whole_of
        return value if is_silent(value) else self.by_prelude(syntax.Constant(span, None), function, [to_any(value)])


def is_sequence(kind: Type) -> bool:
    return resolve(kind) in (STR, BYTES) or isinstance(resolve(kind), (ListType, TupleType))


def may_be_float(kind: Type) -> bool:
    """Whether it is a number of several kinds, of which one is no int."""
    arms = [arm for arm in arms_of(resolve(kind)) if arm != NONE]
    return len(arms) > 1 and INT in arms and FLOAT in arms and all(map(is_scalar, arms))
