"""The strings and types of a file, and the numbers by which every other section names what is in a table.

In: strings, types, constants, tensors and objects as they are met. Out: their numbers, and the sections of strings and
types. Holds: a type comes after the types it is made of; `read_types` is the mirror image.
"""

from __future__ import annotations

import struct
from typing import Any as PyAny

from ..ir.state import StorageState, TensorState
from ..ir.types import (
    ANY,
    BOOL,
    BYTES,
    COMPLEX,
    DEVICE,
    DTYPE,
    EXCEPTION,
    FLOAT,
    INT,
    NONE,
    SCALAR,
    STR,
    CellType,
    ClassType,
    DictType,
    EnumType,
    FrozenSetType,
    FunctionType,
    ListType,
    NamedTupleType,
    OptionalType,
    SetType,
    TensorType,
    TupleType,
    Type,
    UnionType,
    dict_class_number,
)
from .container import MINOR_ANY_KEYS, MINOR_DICT_CLASS, MINOR_FROZENSET, MINOR_KEYS, MINOR_SCALAR_KEYS
from .encoder import Encoder

PRIMITIVE_KINDS = {
    NONE: 0, BOOL: 1, INT: 2, FLOAT: 3, COMPLEX: 4, STR: 5, BYTES: 6, SCALAR: 15, ANY: 16, DTYPE: 20, DEVICE: 21,
    EXCEPTION: 22,
}  # fmt: skip


class TypeWriter:
    """Writes to `out`, the section that is its turn; each further class of the writer adds sections."""

    def __init__(self) -> None:
        self.strings: dict[str, int] = {}
        self.types: dict[Type, int] = {}
        self.type_records: list[Type] = []
        self.type_of_id: dict[int, tuple[Type, int]] = {}
        self.constants: dict[PyAny, int] = {}
        self.constant_records: list[tuple[PyAny, Type]] = []
        self.tensors: dict[TensorState, int] = {}
        self.storages: dict[StorageState, int] = {}
        self.objects: dict[int, int] = {}
        self.object_records: list[PyAny] = []
        self.out = Encoder()
        self.minor = 0  # the lowest minor version that knows all that is in the file

    # Numbers

    def string(self, value: str) -> None:
        self.out.uv(self.strings.setdefault(value, len(self.strings)))

    def opt_string(self, value: str) -> None:
        self.out.opt(self.strings.setdefault(value, len(self.strings)) if value else None)

    def type(self, kind: Type) -> None:
        self.out.uv(self.type_number(kind))

    def type_number(self, kind: Type) -> int:
        """The type's number, after those of the types it is made of."""
        known = self.type_of_id.get(id(kind))
        if known is not None:
            return known[1]
        number = self.types.get(kind)
        if number is None:
            for member in kind.members:
                self.type_number(member)
            if isinstance(kind, EnumType):
                self.type_number(kind.value_type)
                for _, value in kind.enumerators:
                    self.const_number(value, kind.value_type)
            number = self.types.setdefault(kind, len(self.types))
            if number == len(self.type_records):
                self.type_records.append(kind)
        self.type_of_id[id(kind)] = (kind, number)
        return number

    def const_number(self, value: PyAny, kind: Type) -> int:
        """The constant's number, after those of its elements."""
        key = self.const_key(value, kind)
        number = self.constants.get(key)
        if number is None:
            number = self.constants[key] = len(self.constants)
            self.constant_records.append((value, kind))
        return number

    def const_key(self, value: PyAny, kind: Type) -> PyAny:
        number = self.type_number(kind)
        if isinstance(kind, (TupleType, NamedTupleType)):
            return number, tuple(self.const_number(v, k) for v, k in zip(value, elements(kind, value)))
        if isinstance(kind, OptionalType):
            return number, None if value is None else self.const_number(value, kind.inner)
        if isinstance(kind, TensorType):
            return number, self.tensor_number(value)
        if kind == FLOAT:
            return number, struct.pack("<d", value)
        if kind == COMPLEX:
            return number, struct.pack("<2d", value.real, value.imag)
        return number, value

    def tensor_number(self, tensor: TensorState) -> int:
        number = self.tensors.get(tensor)
        if number is None:
            number = self.tensors[tensor] = len(self.tensors)
            self.storages.setdefault(tensor.storage, len(self.storages))
        return number

    def object_number(self, state: PyAny) -> int:
        number = self.objects.get(id(state))
        if number is None:
            number = self.objects[id(state)] = len(self.objects)
            self.object_records.append(state)
        return number

    # Sections

    def entries(self, entries: dict[str, bytes]) -> None:
        def entry(item: tuple[bytes, bytes]) -> None:
            self.out.bytes(item[0])
            self.out.bytes(item[1])

        self.out.many(sorted((name.encode(), content) for name, content in entries.items()), entry)

    def string_section(self) -> None:
        self.out.many(self.strings, self.out.text)

    def type_section(self) -> None:
        for kind in self.type_records:  # grows while it is read: attributes bring in more types
            if isinstance(kind, ClassType):
                for attribute in kind.attributes.values():
                    self.type_number(attribute)
        self.out.many(self.type_records, self.type_record)

    def type_record(self, kind: Type) -> None:
        out = self.out
        if kind in PRIMITIVE_KINDS:
            out.u8(PRIMITIVE_KINDS[kind])
        elif isinstance(kind, TensorType):
            self.tensor_type(kind)
        elif isinstance(kind, (ListType, SetType)):
            is_deque = isinstance(kind, ListType) and kind.name == "deque"
            if is_deque:
                self.minor = max(self.minor, MINOR_DICT_CLASS)
            out.u8(26 if is_deque else 8 if isinstance(kind, ListType) else 10)
            self.key(kind)
            self.type(kind.element)
        elif isinstance(kind, FrozenSetType):
            self.minor = max(self.minor, MINOR_FROZENSET)
            out.u8(24)
            self.key(kind)
            self.type(kind.element)
        elif isinstance(kind, DictType):
            if kind.name == "dict":
                out.u8(9)
            else:
                self.minor = max(self.minor, MINOR_DICT_CLASS)
                out.u8(25)
                out.uv(dict_class_number(kind.name))
            self.key(kind)
            self.type(kind.key)
            self.type(kind.value)
        elif isinstance(kind, TupleType):
            self.tuple_type(kind)
        elif isinstance(kind, NamedTupleType):
            out.u8(12)
            self.string(kind.name)
            out.many(kind.fields, self.field)
        elif isinstance(kind, OptionalType):
            out.u8(13)
            self.type(kind.inner)
        elif isinstance(kind, UnionType):
            out.u8(14)
            out.many(kind.arms, self.type)
        elif isinstance(kind, EnumType):
            self.enum_type(kind)
        elif isinstance(kind, ClassType):
            out.u8(18)
            self.string(kind.name)
            out.u8(kind.is_module + 2 * (kind.key is not None))
            if kind.key is not None:
                self.minor = max(self.minor, MINOR_KEYS)
                out.uv(kind.key)
            out.many(kind.attributes.items(), self.field)
        elif isinstance(kind, FunctionType):
            out.u8(19)
            out.many(kind.params, self.type)
            self.type(kind.result)
        elif isinstance(kind, CellType):
            out.u8(23)
            self.type(kind.content)
        else:
            raise ValueError(f"the type {kind} has no form in files")

    def key(self, kind: Type) -> None:
        """Notes what a reader has to know of the keys of a dict or the elements of a set."""
        if not isinstance(kind, ListType):
            self.minor = max(self.minor, minor_of_key(kind.members[0]))

    def tensor_type(self, kind: TensorType) -> None:
        self.out.u8(7)
        self.out.u8(255 if kind.dtype is None else kind.dtype)
        self.out.u8(255 if kind.shape is None else len(kind.shape))
        for extent in kind.shape or ():
            self.out.opt(extent)

    def tuple_type(self, kind: TupleType) -> None:
        self.out.u8(11)
        self.out.u8(kind.is_variadic)
        if kind.is_variadic:
            self.type(kind.elements[0])
        else:
            self.out.many(kind.elements, self.type)

    def field(self, field: tuple[str, Type]) -> None:
        self.string(field[0])
        self.type(field[1])

    def enum_type(self, kind: EnumType) -> None:
        self.out.u8(17)
        self.string(kind.name)
        self.type(kind.value_type)

        def member(item: tuple[str, PyAny]) -> None:
            self.string(item[0])
            self.out.uv(self.const_number(item[1], kind.value_type))

        self.out.many(kind.enumerators, member)


def minor_of_key(kind: Type) -> int:
    """The lowest minor version that knows keys of a type: of several types, or with parts that are."""
    if kind in (ANY, SCALAR):
        return MINOR_ANY_KEYS if kind == ANY else MINOR_SCALAR_KEYS
    if isinstance(kind, (TupleType, NamedTupleType, OptionalType, UnionType)):
        lowest = MINOR_KEYS if isinstance(kind, (OptionalType, UnionType)) else 0
        return max(map(minor_of_key, kind.members), default=0) or lowest
    return 0


def elements(kind: TupleType | NamedTupleType, value: tuple[PyAny, ...]) -> tuple[Type, ...]:
    is_variadic = isinstance(kind, TupleType) and kind.is_variadic
    return kind.members * len(value) if is_variadic else kind.members
