"""A program's types as SchemaTypes.

In: a type of a loaded program. Out: what Python knows of it. Holds: a class is its names, so that types of classes end.
"""

from __future__ import annotations

from typing import Any

from .library import ffi, lib
from .schema import SchemaType

_KINDS = {
    getattr(lib, f"TSM_T_{word}"): kind
    for word, kind in {
        "NONE": "None", "BOOL": "bool", "INT": "int", "FLOAT": "float", "COMPLEX": "complex", "STR": "str",
        "BYTES": "bytes", "TENSOR": "Tensor", "LIST": "list", "DICT": "dict", "SET": "set", "TUPLE": "tuple",
        "NAMED_TUPLE": "named tuple", "OPTIONAL": "optional", "UNION": "union", "SCALAR": "Scalar", "ANY": "Any",
        "ENUM": "enum", "CLASS": "class", "FUNCTION": "function", "DTYPE": "dtype", "DEVICE": "device",
        "EXCEPTION": "exception", "FROZENSET": "frozenset", "CELL": "cell",
    }.items()
}


def c_text(pointer: Any) -> str:
    return "" if pointer == ffi.NULL else ffi.string(pointer).decode()


def read_type(pointer: Any) -> SchemaType:
    """A program's type as a SchemaType; a class is its name and the names of its attributes, not their types."""
    kind = _KINDS[lib.tsm_type_kind_of(pointer)]
    count = lib.tsm_type_member_count(pointer)
    if kind in ("class", "enum", "named tuple"):
        names = tuple(c_text(lib.tsm_type_member_name(pointer, i)) for i in range(count))
        held = count if kind == "named tuple" else 0
        fields = tuple(read_type(lib.tsm_type_member(pointer, i)) for i in range(held))
        full = c_text(lib.tsm_type_qualified_name(pointer))
        return SchemaType(kind, fields, name=c_text(lib.tsm_type_name(pointer)), names=names, qualified=full)
    if kind in ("Scalar", "function", "cell"):
        return SchemaType(kind)
    members = tuple(read_type(lib.tsm_type_member(pointer, i)) for i in range(count))
    if kind == "tuple" and type_text(pointer).endswith(", ...]"):
        kind = "tuple..."
    name = c_text(lib.tsm_type_qualified_name(pointer)) if kind in ("dict", "list") else ""
    return SchemaType(kind, members, name=name)


def type_text(pointer: Any) -> str:
    """A type as Python spells it."""
    length = lib.tsm_type_text(pointer, ffi.NULL, 0)
    buffer = ffi.new("char[]", length + 1)
    lib.tsm_type_text(pointer, buffer, length + 1)
    return ffi.buffer(buffer, length)[:].decode()
