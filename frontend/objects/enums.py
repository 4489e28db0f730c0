"""Enums as the compiler sees them: a type whose members are constants, `.value` and look-ups by comparison.

In: subclasses of enum.Enum. Out: EnumTypes, members as constants.
Holds: the values of one enum are of one type; an alias is the member it stands for.
"""

from __future__ import annotations

import enum
from typing import Any as PyAny

from ...ir.state import EnumState
from ...ir.types import BOOL, FLOAT, INT, STR, EnumType, Type
from ..core.typed import Const
from ..parser.syntax import Span
from .annotations import AnnotationError
from .class_facts import special_method

_VALUES: dict[type, Type] = {bool: BOOL, int: INT, float: FLOAT, str: STR}


def enum_type(python: type) -> EnumType:
    """The type of an enum. AnnotationError if scripts cannot hold it."""
    if issubclass(python, enum.Flag):
        raise AnnotationError(f"the flags '{python.__name__}' are not supported; use ints and '&'")
    mixed = [base for base in python.__mro__ if base in (int, str, float, bytes, tuple)]
    if mixed and mixed[0] not in (int, str):
        raise AnnotationError(f"'{python.__name__}' mixes {mixed[0].__name__} into Enum; only int and str may be here")
    refuse_special_methods(python, ("__str__",))
    members: list[PyAny] = list(python)  # type: ignore[call-overload]
    kinds = {_VALUES.get(type(member.value)) for member in members}
    if not members or len(kinds) > 1 or None in kinds:
        raise AnnotationError(
            f"the values of the enum '{python.__name__}' must be of one type: int, str, float or bool"
        )
    kind = next(iter(kinds))
    assert kind is not None
    shows_value = bool(mixed) and issubclass(python, getattr(enum, "ReprEnum", enum.IntEnum))
    enumerators = tuple((member.name, member.value) for member in members)
    return EnumType(python.__qualname__, kind, enumerators, bool(mixed), shows_value)


def refuse_special_methods(python: type, allowed: tuple[str, ...] = ()) -> None:
    """AnnotationError if an enum or a named tuple says itself what an operator does with it."""
    special = special_method(python, allowed)
    if special is not None:
        text = f"'{python.__name__}' has its own {special}, which is not supported; give it another name"
        raise AnnotationError(text)


def member_constant(kind: EnumType, name: str, span: Span) -> Const:
    """A member by name."""
    names = [each for each, _ in kind.enumerators]
    return Const(kind, span, EnumState(kind, names.index(name)))
