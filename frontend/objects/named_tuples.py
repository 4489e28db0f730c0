"""Named tuples as the compiler sees them: a type with fields, made from typing.NamedTuple or collections.namedtuple.

In: their classes. Out: NamedTupleTypes.
Holds: what works on tuples of known length works on them, by way of `conversions.as_tuple`.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from typing import Any as PyAny
from typing import NamedTuple

from ...binding.result_classes import result_classes, type_name
from ...ir.types import TENSOR, NamedTupleType, Type
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
    return NamedTupleType(name_of_class(python), fields, compares_itself(python))


def name_of_class(python: type) -> str:
    """The name of the type in programs."""
    name = type_name(python.__name__)
    return name if result_classes().get(name) is python else python.__name__


def class_of_results(kind: Type) -> PyAny:
    """The class that several results of an operator have; None for any other type."""
    return result_classes().get(kind.name) if isinstance(kind, NamedTupleType) else None


def _type_of(python: type, hint: PyAny, class_type: Callable[[PyAny], Type | None]) -> Type:
    names = {**vars(__import__("builtins")), **vars(sys.modules[python.__module__])}
    text = getattr(hint, "__forward_arg__", hint)
    if not isinstance(text, str):
        return type_of_object(hint, class_type, names.__getitem__)
    return type_of_annotation(parse.parse_expression(text, "<annotation>"), names.__getitem__, class_type)
