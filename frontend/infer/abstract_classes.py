"""Classes of `collections.abc` and `numbers`, which values are instances of without being made by them.

In: such a class. Out: the types whose values are instances of it.
Holds: what CPython's issubclass says of those classes.
"""

from __future__ import annotations

import collections
from typing import Any as PyAny

from ...ir.types import Type
from ..objects.builtin_classes import PLAIN

KEPT: tuple[type, ...] = (
    list, collections.deque, dict, collections.OrderedDict, collections.defaultdict, collections.Counter, set,
    frozenset, tuple,
)


def is_abstract_class(python: object) -> bool:
    """Whether it is one of them."""
    return isinstance(python, type) and python.__module__ in ("collections.abc", "numbers")


def plain_instances(python: type) -> list[Type]:
    """The types without members whose values are instances of it."""
    return [kind for kind, behind in PLAIN.items() if issubclass(behind, python)]


def kept_instances(python: type) -> list[str]:
    """The names of the classes of containers that are instances of it."""
    return [behind.__name__ for behind in KEPT if issubclass(behind, python)]


def bare_alias(python: PyAny) -> type | None:
    """The class that `typing.List` and its like stand for without arguments; None for all else."""
    return getattr(python, "__origin__", None) if type(python).__name__ in _BARE else None


_BARE = ("_SpecialGenericAlias", "_TupleType", "_CallableType")
