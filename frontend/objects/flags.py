"""Flags as the compiler sees them: an enum whose enumerators are all combinations of its members.

In: subclasses of enum.Flag. Out: their combinations in the order of their values, and what operators do at the edges.
Holds: Python makes the combinations and names them; a combination without a name has its value for one.
"""

from __future__ import annotations

import enum
import functools
import sys
from dataclasses import dataclass
from typing import Any as PyAny

from .annotations import AnnotationError

MAX_BITS = 10
KEPT_BITS = 8  # an IntFlag has at least so many, of which some may be unknown


@dataclass(frozen=True)
class FlagFacts:
    """`combinations` in the order of their values; `boundary` says what becomes of values with other bits."""

    combinations: tuple[PyAny, ...]
    boundary: str
    mask: int
    all_bits: int

    @property
    def values(self) -> tuple[int, ...]:
        return tuple(member.value for member in self.combinations)

    @property
    def is_dense(self) -> bool:
        """Whether the place of a combination is its value."""
        return self.values == tuple(range(len(self.combinations)))


def is_flag(python: PyAny) -> bool:
    return isinstance(python, type) and issubclass(python, enum.Flag)


def enumerated(python: PyAny) -> tuple[PyAny, ...]:
    """The members of an enum that are enumerators of its type."""
    return flag_facts(python).combinations if is_flag(python) else tuple(python)


def enumerator_name(member: PyAny) -> str:
    return str(member.value) if member.name is None else str(member.name)


@functools.lru_cache(maxsize=256)
def flag_facts(python: PyAny) -> FlagFacts:
    """What scripts have to know of a Flag. AnnotationError if they cannot hold it."""
    refuse = f"the flags '{python.__name__}' are not supported: "
    if sys.version_info < (3, 11):
        raise AnnotationError(f"{refuse}they need Python 3.11; use ints and '&'")
    if not python.__members__:
        raise AnnotationError(f"{refuse}it has no members; write a class statement with some")
    boundary, mask, all_bits = python._boundary_.name, python._flag_mask_, python._all_bits_
    if boundary == "EJECT":
        raise AnnotationError(f"{refuse}their boundary is EJECT, which makes ints of flags; write KEEP")
    if "_missing_" in vars(python) or "__init__" in vars(python) or any(member.value < 0 for member in python):
        raise AnnotationError(f"{refuse}scripts know flags of bits only, without __init__ and _missing_")
    bits = [1 << i for i in range(all_bits.bit_length()) if mask >> i & 1]
    if boundary != "KEEP" and any(bit not in python._value2member_map_ for bit in bits):
        raise AnnotationError(f"{refuse}every bit needs a member of its own")
    if (all_bits.bit_length() if boundary == "KEEP" else len(bits)) > MAX_BITS:
        raise AnnotationError(f"{refuse}they have more than {MAX_BITS} bits; use ints and '&'")
    values = [0]
    for bit in [1 << i for i in range(max(KEPT_BITS, all_bits.bit_length()))] if boundary == "KEEP" else bits:
        values += [value | bit for value in values]
    return FlagFacts(tuple(python(value) for value in sorted(values)), boundary, mask, all_bits)
