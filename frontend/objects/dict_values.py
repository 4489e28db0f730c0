"""Python's dicts of every class as values that a program starts with.

In: dicts that modules hold. Out: the name of their class in a type. NotAttribute for one that scripts do not know.
"""

from __future__ import annotations

import collections
from typing import Any as PyAny

from ...ir.types import DictType, Type, has_no_state
from .builtin_classes import factory_of


class NotAttribute(Exception):
    """An attribute value that has no type; it is refused when a script reads it."""


def dict_type(value: dict[PyAny, PyAny], key: Type, item: Type) -> DictType:
    """The type of a dict with these keys and values, by its class."""
    python = type(value)
    if python is collections.Counter and str(item) != "int":
        raise NotAttribute(f"the counts of a Counter are ints in scripts, not {item}")
    if isinstance(value, collections.defaultdict) and (
        value.default_factory is None or value.default_factory is not factory_of(item)
    ):
        raise NotAttribute(f"a defaultdict of {item} whose factory is {value.default_factory!r} is not supported")
    known = python in (collections.OrderedDict, collections.Counter, collections.defaultdict)
    return DictType(key, item, python.__name__ if known else "dict")


def declared_type(value: PyAny, kind: Type) -> Type:
    """The declared type of an attribute; of a subclass of dict, the type with the class of the value."""
    if has_no_state(kind):
        raise NotAttribute("deques, and dicts and sets with instances as keys, cannot be kept by a module; keep a list")
    if not isinstance(kind, DictType) or not isinstance(value, dict):
        return kind
    found = dict_type(value, kind.key, kind.value)
    if kind.name not in ("dict", found.name):
        raise NotAttribute(f"it is declared as {kind}, but is a {type(value).__name__}")
    return found
