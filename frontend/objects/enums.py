"""Enums as the compiler sees them: a type whose members are constants, `.value` and look-ups by comparison.

In: subclasses of enum.Enum. Out: EnumTypes, members as constants.
Holds: an alias is the member it stands for; where the values are of several types, or of one that files have no
constants of, the type has their texts, and `.value` is a choice of constants.
"""

from __future__ import annotations

import enum
import functools
import inspect
import re
from typing import Any as PyAny

from ...ir.state import EnumState
from ...ir.types import BOOL, FLOAT, INT, STR, EnumType, TupleType, Type
from ..core.typed import Const
from ..parser.syntax import Span
from .annotations import AnnotationError
from .class_facts import SPOKEN, find_method, is_instance, is_named_tuple, special_method
from .flags import enumerated, enumerator_name, is_flag

_SIMPLE: dict[type, Type] = {bool: BOOL, int: INT, float: FLOAT, str: STR}


def enum_type(python: type) -> EnumType:
    """The type of an enum. AnnotationError if scripts cannot hold it."""
    mixed = [base for base in python.__mro__ if base in (int, str, float, bytes, tuple)]
    if mixed and mixed[0] not in (int, str):
        raise AnnotationError(f"'{python.__name__}' mixes {mixed[0].__name__} into Enum; only int and str may be here")
    refuse_special_methods(python, SPOKEN)
    members: list[PyAny] = list(enumerated(python))
    unknown = next((member for member in members if not is_constant(member.value)), None)
    if not members or unknown is not None:
        held = "it has no members" if unknown is None else f"that of {unknown.name} is a {type(unknown.value).__name__}"
        text = "must be numbers, texts, None, functions, instances of classes or containers of these"
        raise AnnotationError(f"the values of the enum '{python.__name__}' {text}; {held}")
    kinds = {constant_type(member.value) for member in members}
    kind = kinds.pop() if len(kinds) == 1 else None
    has_texts = kind is None
    shown = next((member.name for member in members if str(member.name)[:1].isdigit()), None)
    if shown is not None:
        raise AnnotationError(f"the member '{shown}' of '{python.__name__}' has a number for its name")
    enumerators = tuple(
        (enumerator_name(member), _text(member.value) if has_texts else member.value) for member in members)
    shows_value = bool(mixed) and issubclass(python, getattr(enum, "ReprEnum", enum.IntEnum))
    name = python.__qualname__
    return EnumType(name, kind or STR, enumerators, bool(mixed), shows_value, has_texts, is_flag(python),
                    compares_itself(python))


def _text(value: PyAny) -> str:
    """repr(), which is the same in every process."""
    return re.sub(r" at 0x[0-9a-fA-F]+", "", repr(value))


def compares_itself(python: type) -> bool:
    """Whether an enum or a named tuple says itself when its values are equal, or what their hash is."""
    return any(find_method(python, name) is not None for name in ("__eq__", "__hash__"))


def constant_type(value: PyAny) -> Type | None:
    """The type of a value that files have constants of."""
    if type(value) is not tuple:
        return _SIMPLE.get(type(value))
    kinds = [constant_type(item) for item in value]
    return TupleType(tuple(kind for kind in kinds if kind is not None)) if value and None not in kinds else None


def is_constant(value: PyAny) -> bool:
    """Whether a script can hold what a member has for a value."""
    if isinstance(value, (list, dict, set, frozenset, enum.Enum)) or is_instance(value):
        return True
    if type(value) is tuple or is_named_tuple(type(value)):
        return all(map(is_constant, value))
    if inspect.isroutine(value) or isinstance(value, functools.partial):
        return True
    return value is None or type(value) in (bool, int, float, complex, str, bytes)


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
