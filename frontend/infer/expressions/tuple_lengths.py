"""Tuples of any length where tuples of a known length are declared: which length they have shows when the program runs.

In: a value that is, or holds, such tuples, and the declared type. Out: the value at that type, with a TypeError for
another length (D2); None where that is no answer.
Holds: a container is only made anew if the expression made it: nobody else has it.
"""

from __future__ import annotations

from collections.abc import Sequence

from ....ir.types import INT, TupleType, Type, arms_of
from ...core.conversions import once
from ...core.placeholders import resolve
from ...core.typed import (
    Choose,
    Const,
    Do,
    Expr,
    Let,
    MakeDict,
    MakeList,
    MakeSet,
    MakeTuple,
    Read,
    is_silent,
)
from ...parser import syntax
from ...parser.syntax import Span
from ..base import InferenceBase
from ..open_lengths import may_have_lengths
from ..type_facts import converted_to, tuple_items


class TupleLengthInference(InferenceBase):
    """Values whose lengths are found out."""

    def at_length(self, value: Expr, wanted: Type, what: str) -> Expr | None:
        """`value`, which does not convert to the declared type."""
        kind = resolve(value.type)
        found = [resolve(arm) for arm in arms_of(wanted) if may_have_lengths(kind, arm)]
        if len(found) != 1 or not isinstance(kind, TupleType) and not is_made_here(value):
            return None
        return converted_to(self.measured(value, found[0], what), wanted)

    def measured(self, value: Expr, wanted: Type, what: str) -> Expr:
        kind, span = resolve(value.type), value.span
        if not isinstance(kind, TupleType) or not isinstance(wanted, TupleType):
            return self.remade(syntax.Node(span), value, wanted)

        def use(one: Expr) -> Expr:
            if not kind.is_variadic:
                return self.tuple_of(span, tuple_items(one, kind), wanted, what)
            count = len(wanted.elements)
            made = self.tuple_of(span, self.first_items(one, count), wanted, what)
            wrong = self.raise_error(span, "TypeError", f"{what} must be {wanted}, got {kind} of another length")
            return Choose(wanted, span, self.is_of_length(one, count), made, wrong, [])

        return once(value, use)

    def tuple_of(self, span: Span, items: Sequence[Expr], wanted: TupleType, what: str) -> Expr:
        parts = [self.coerce(item, each, what) for item, each in zip(items, wanted.elements)]
        return self.silent(span, parts) if is_silent(*parts) else MakeTuple(wanted, span, parts)

    def is_of_length(self, value: Expr, count: int) -> Expr:
        size = self.operate(value.span, "len()", [value])
        return self.operate(value.span, "_==_", [size, Const(INT, value.span, count)])

    def first_items(self, value: Expr, count: int) -> list[Expr]:
        return [self.operate(value.span, "_[_]", [value, Const(INT, value.span, i)]) for i in range(count)]


def is_made_here(value: Expr) -> bool:
    """Whether an expression makes the container that it gives."""
    if isinstance(value, (Do, Let)):
        return is_made_here(value.value if isinstance(value, Do) else value.body)
    is_gathered = isinstance(value, Read) and value.name.startswith(".result")
    return is_gathered or isinstance(value, (MakeList, MakeDict, MakeSet))
