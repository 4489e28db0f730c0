"""Whether Python's values are of the types that their declarations give them.

In: a value that a program starts with, and its type. Out: NotAttribute for one that its type does not hold.
Holds: numbers widen, and nothing else is converted; what a type leaves open is not looked at.
"""

from __future__ import annotations

import collections
import numbers
from collections.abc import Iterable, Iterator, Mapping
from typing import Any as PyAny

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
    NamedTupleType,
    SetType,
    TupleType,
    Type,
    arms_of,
)
from .dict_values import NotAttribute
from .tensors import is_tensor

_HELD: dict[Type, PyAny] = {
    BOOL: bool, INT: numbers.Integral, FLOAT: numbers.Real, COMPLEX: numbers.Complex, STR: str, BYTES: bytes,
    NONE: type(None),
}
_CONTAINERS = {
    ListType: (list, collections.deque), SetType: (set,), FrozenSetType: (frozenset,), DictType: (dict,),
    TupleType: (tuple,), NamedTupleType: (tuple,),
}


def check_held(value: PyAny, kind: Type) -> None:
    """Of one value. Instances in it are looked at on their own."""
    for wrong in _misfits(value, kind, {}):
        verb = "is" if wrong is value else "holds"
        raise NotAttribute(f"it is declared as {kind}, but {verb} a {type(wrong).__name__}")


def check_instance(value: PyAny, kinds: Mapping[str, Type]) -> None:
    """Of the attributes of an instance."""
    for name, kind in kinds.items():
        if name in vars(value):
            try:
                check_held(vars(value)[name], kind)
            except NotAttribute as error:
                raise NotAttribute(f"its attribute '{name}' does not fit: {error}") from None


def _misfits(value: PyAny, kind: Type, seen: dict[int, PyAny]) -> Iterator[PyAny]:
    arms = arms_of(kind)
    if len(arms) > 1:
        if all(any(True for _ in _misfits(value, arm, {})) for arm in arms):
            yield value
        return
    if kind in _HELD:
        if not isinstance(value, _HELD[kind]):
            yield value
    elif kind == TENSOR:
        if not is_tensor(value):
            yield value
    elif type(kind) in _CONTAINERS:
        if not isinstance(value, _CONTAINERS[type(kind)]):
            yield value
        elif id(value) not in seen:
            seen[id(value)] = value
            for item, inner in _items(value, kind):
                yield from _misfits(item, inner, seen)


def _items(value: PyAny, kind: Type) -> Iterable[tuple[PyAny, Type]]:
    if isinstance(kind, DictType):
        return [*((key, kind.key) for key in value), *((item, kind.value) for item in value.values())]
    if isinstance(kind, TupleType) and kind.is_variadic:
        return [(item, kind.elements[0]) for item in value]
    if isinstance(kind, (TupleType, NamedTupleType)):
        return zip(value, kind.members)
    return [(item, kind.members[0]) for item in value]
