"""The types that `tsm.List` and `tsm.Dict` may have: as annotations spell them, and of values.

In: annotation objects, Python values. Out: SchemaTypes, or a TypeError that says what elements may be.
Holds: an empty container is of the type of its neighbours; one without any is OPEN.
"""

from __future__ import annotations

import types
import typing
from typing import Any

from .schema import SchemaType
from .tensor import Tensor

_ATOMS: dict[Any, str] = {
    bool: "bool", int: "int", float: "float", complex: "complex", str: "str", bytes: "bytes", Tensor: "Tensor",
    None: "None", type(None): "None",
}


def schema_of(kind: Any) -> SchemaType:
    """The type that an annotation object spells, of those that elements may have. TypeError."""
    name, args = _ATOMS.get(kind), typing.get_args(kind)
    if name is not None:
        return SchemaType(name)
    origin = typing.get_origin(kind)
    if origin is tuple and len(args) == 2 and args[1] is Ellipsis:
        return SchemaType("tuple...", (schema_of(args[0]),))
    if origin is tuple:
        return SchemaType("tuple", tuple(map(schema_of, args)))
    held = getattr(origin, "__tsm_resident__", origin)
    if held in (list, dict) and not (held is dict and schema_of(args[0]).has_tensor):
        return SchemaType(held.__name__, tuple(map(schema_of, args)))
    if origin in (typing.Union, types.UnionType) and len(args) == 2 and type(None) in args:
        return SchemaType("optional", (schema_of(next(arg for arg in args if arg is not type(None))),))
    shown = getattr(kind, "__name__", None) or str(kind)
    raise TypeError("a tsm.List or tsm.Dict holds numbers, texts, tensors, tuples and Optionals of these, lists and "
                    f"dicts, not {shown}")


OPEN = SchemaType("open")  # of what an empty container would hold


def schema_of_value(value: Any) -> SchemaType:
    """The type of a value to be an element. TypeError if a container mixes types."""
    if hasattr(type(value), "__tsm_resident__"):
        held: SchemaType = value.type
        return held
    if isinstance(value, list):
        return SchemaType("list", (_common([schema_of_value(item) for item in value]),))
    if isinstance(value, dict):
        return SchemaType("dict", (_common(list(map(schema_of_value, value))),
                                   _common(list(map(schema_of_value, value.values())))))
    return schema_of(type(value))


def _common(kinds: list[SchemaType]) -> SchemaType:
    found = OPEN
    for kind in kinds:
        found = _met(found, kind)
    return found


def _met(one: SchemaType, other: SchemaType) -> SchemaType:
    """The type of which both are; an empty container is of that of its neighbours."""
    if other in (one, OPEN):
        return one
    if one is OPEN:
        return other
    if one.kind != other.kind or one.kind not in ("list", "dict"):
        raise TypeError(f"its elements are of several types: {one}, {other}")
    return SchemaType(one.kind, tuple(map(_met, one.args, other.args)))


def is_open(kind: SchemaType) -> bool:
    return kind == OPEN or any(map(is_open, kind.args))
