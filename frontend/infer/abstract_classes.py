"""Classes of `collections.abc` and `numbers`, which values are instances of without being made by them.

In: static types, such a class. Out: the Python classes that stand behind types; the types that are instances of it.
Holds: what CPython's issubclass says of those classes.
"""

from __future__ import annotations

import collections
from typing import Any as PyAny

from ...binding.tensor import Tensor
from ...ir.types import (
    BOOL,
    BYTES,
    COMPLEX,
    FLOAT,
    INT,
    NONE,
    STR,
    TENSOR,
    DictType,
    FrozenSetType,
    ListType,
    SetType,
    TupleType,
    Type,
)

PLAIN: dict[Type, type] = {
    INT: int, BOOL: bool, FLOAT: float, COMPLEX: complex, STR: str, BYTES: bytes, NONE: type(None), TENSOR: Tensor,
}
KEPT: tuple[type, ...] = (
    list, collections.deque, dict, collections.OrderedDict, collections.defaultdict, collections.Counter, set,
    frozenset, tuple,
)


def is_abstract_class(python: object) -> bool:
    """Whether it is one of them."""
    return isinstance(python, type) and python.__module__ in ("collections.abc", "numbers")


def class_behind(kind: Type) -> type | None:
    """The builtin class of values of a type; None for instances, enums and what no class is behind."""
    if isinstance(kind, ListType):
        return collections.deque if kind.name == "deque" else list
    if isinstance(kind, DictType):
        found: type = getattr(collections, kind.name.partition(".")[0], dict)
        return found
    if isinstance(kind, SetType):
        return set
    if isinstance(kind, FrozenSetType):
        return frozenset
    return tuple if isinstance(kind, TupleType) else PLAIN.get(kind)


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
