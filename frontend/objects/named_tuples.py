"""Named tuples as the compiler sees them: a type with fields, made from typing.NamedTuple or collections.namedtuple.

In: their classes. Out: NamedTupleTypes, plain tuples of their values.
Holds: what works on tuples of known length works on them, by way of `as_tuple`.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from typing import Any as PyAny
from typing import NamedTuple

from ...ir.types import TENSOR, NamedTupleType, TupleType, Type
from ..core.conversions import once
from ..core.placeholders import resolve
from ..core.typed import Expr, MakeTuple, TupleItem
from ..parser import parse
from .annotations import type_of_annotation, type_of_object
from .class_facts import SPOKEN
from .enums import compares_itself, refuse_special_methods


class VersionInfo(NamedTuple):
    """sys.version_info of the Python that compiles, as scripts see it."""

    major: int
    minor: int
    micro: int
    releaselevel: str
    serial: int


def named_tuple_type(python: PyAny, class_type: Callable[[PyAny], Type | None]) -> NamedTupleType:
    """The type that an annotation by a named tuple class means: a field without a type of its own is a Tensor, as a
    parameter is. AnnotationError."""
    refuse_special_methods(python, SPOKEN)
    hints = inspect.get_annotations(python)
    fields = tuple(
        (name, _type_of(python, hints[name], class_type) if name in hints else TENSOR) for name in python._fields
    )
    return NamedTupleType(python.__name__, fields, compares_itself(python))


def _type_of(python: type, hint: PyAny, class_type: Callable[[PyAny], Type | None]) -> Type:
    names = {**vars(__import__("builtins")), **vars(sys.modules[python.__module__])}
    text = getattr(hint, "__forward_arg__", hint)
    if not isinstance(text, str):
        return type_of_object(hint, class_type, names.__getitem__)
    return type_of_annotation(parse.parse_expression(text, "<annotation>"), names.__getitem__, class_type)


def as_tuple(value: Expr) -> Expr:
    """A named tuple's elements as a plain tuple; any other value as it is."""
    kind = resolve(value.type)
    if not isinstance(kind, NamedTupleType):
        return value
    members = kind.members
    if isinstance(value, MakeTuple):
        return MakeTuple(TupleType(members), value.span, value.items)
    return once(value, lambda whole: MakeTuple(
        TupleType(members), value.span, [TupleItem(each, value.span, whole, i) for i, each in enumerate(members)]))
