"""The builtin classes behind types: of what class values of a type are in Python.

In: types. Out: classes. Holds: instances, enums and named tuples have classes of the user's, and none here.
"""

from __future__ import annotations

import collections

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
_NOT_MADE = (type(None), Tensor, tuple, collections.deque, collections.defaultdict)  # of no items, these say too little


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


def factory_of(kind: Type) -> type | None:
    """The class by which a defaultdict makes its missing values of a type; None where it has to be a function."""
    found = class_behind(kind)
    return None if found in _NOT_MADE else found
