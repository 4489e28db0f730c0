"""Tuples of tensors that operators give: parts, of which the runtime's rows make lists, and several results.

In: calls of unbind, split and chunk; rows with several results. Out: tuples of any length, or the list itself where
parts are taken one by one; named tuple types.
Holds: a list is seen by its tuple alone, so either gives the same parts.
"""

from __future__ import annotations

from ...binding.dispatch import PARTS
from ...binding.result_classes import result_classes, type_name
from ...ir.operators import Operator
from ...ir.types import TENSOR, ListType, NamedTupleType, TupleType, Type
from ..parser.syntax import Span
from .conversions import operate
from .typed import Expr, Operate

SPELLINGS = frozenset(f"{prefix}.{name}" for prefix in ("", "tsm") for name in PARTS)


def several(row: Operator, results: tuple[Type, ...]) -> Type:
    """The type of several results: that of `x.max(0)` has a class."""
    name, names = type_name(row.name), row.schema.result_names
    made = result_classes().get(name)
    is_named = made is not None and made._fields == names
    return NamedTupleType(name, tuple(zip(names, results))) if is_named else TupleType(results)


def as_parts(span: Span, spelling: str, result: Expr) -> Expr:
    """The result of an operator, as PyTorch gives it."""
    if spelling not in SPELLINGS or not isinstance(result, Operate) or result.row.full_name not in PARTS:
        return result
    made = operate("tuple.list", result, result=TupleType((TENSOR,), is_variadic=True))
    made.span = span
    return made


def taken_one_by_one(value: Expr) -> Expr:
    """The list of parts instead of a tuple that nothing else sees; any other value as it is."""
    if isinstance(value, Operate) and value.row.full_name == "tuple.list":
        parts = value.operands[0]
        if isinstance(parts, Operate) and parts.row.full_name in PARTS:
            return parts
    return value


def listed(value: Expr, element: Type) -> Expr:
    """A tuple of any length as a new list."""
    parts = taken_one_by_one(value)
    return operate("list.from_tuple", value, result=ListType(element)) if parts is value else parts
