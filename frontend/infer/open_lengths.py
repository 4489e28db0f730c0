"""Which types are, or hold, tuples of any length where tuples of a known length are declared.

In: the type of a value and the declared one. Out: whether the lengths may turn out to be the declared ones when the
program runs.
"""

from __future__ import annotations

from ...ir.types import TupleType, Type, arms_of
from ..core.conversions import convert
from ..core.placeholders import resolve
from ..core.typed import ReadTemp, Temp
from ..failures import NOWHERE
from .joined_types import joined_container


def may_have_lengths(kind: Type, wanted: Type) -> bool:
    """Whether values of a type are, or hold, tuples of any length that may turn out to be those of the wanted type."""
    kind, wanted = resolve(kind), resolve(wanted)
    if isinstance(kind, TupleType):
        if not isinstance(wanted, TupleType) or wanted.is_variadic:
            return False
        if kind.is_variadic:
            return all(_fits(kind.elements[0], each) for each in wanted.elements)
        is_alike = len(kind.elements) == len(wanted.elements)
    else:
        is_alike = joined_container(kind, wanted) is not None
    pairs = list(zip(kind.members, wanted.members))
    return is_alike and all(_fits(*pair) for pair in pairs) and any(_is_open(*pair) for pair in pairs)


def _fits(kind: Type, wanted: Type) -> bool:
    return all(convert(ReadTemp(arm, NOWHERE, Temp()), wanted) is not None or may_have_lengths(arm, wanted)
               for arm in arms_of(resolve(kind)))


def _is_open(kind: Type, wanted: Type) -> bool:
    return any(may_have_lengths(arm, wanted) for arm in arms_of(resolve(kind)))
