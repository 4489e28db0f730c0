"""Storages, tensors, constants and the state of a file.

In: what was numbered. Out: their sections. Holds: the order is that of the numbers; `read_values` is the mirror image.
"""

from __future__ import annotations

from typing import Any as PyAny

from ..ir.state import (
    DictState,
    EnumState,
    ListState,
    ObjectState,
    SetState,
    StorageState,
    TensorState,
    arm_of,
    storage_bytes,
)
from ..ir.types import (
    ANY,
    BOOL,
    BYTES,
    COMPLEX,
    DEVICE,
    DTYPE,
    FLOAT,
    INT,
    NONE,
    SCALAR,
    STR,
    ClassType,
    DictType,
    FrozenSetType,
    ListType,
    NamedTupleType,
    OptionalType,
    SetType,
    TensorType,
    TupleType,
    Type,
    UnionType,
)
from .container import align
from .encoder import Encoder
from .write_types import TypeWriter, elements


class ValueWriter(TypeWriter):
    """`bound` takes the storages of the host and of a file in memory; None: they are written as all others."""

    def __init__(self, bound: list[StorageState] | None) -> None:
        super().__init__()
        self.bound = bound

    # Tables

    def storage_offsets(self) -> list[int]:
        offsets, end = [], 0
        for storage in self.storages:
            offsets.append(0 if self.is_bound(storage) else align(end))
            end = end if self.is_bound(storage) else align(end) + storage.size
        return offsets

    def is_bound(self, storage: StorageState) -> bool:
        return self.bound is not None and (storage.bound is not None or storage.is_window)

    def storage_section(self) -> None:
        self.out.uv(len(self.storages))
        for storage, offset in zip(self.storages, self.storage_offsets()):
            self.out.u8(self.is_bound(storage))
            self.out.uv(offset)
            self.out.uv(storage.size)
            if self.is_bound(storage) and self.bound is not None:
                self.bound.append(storage)

    def data(self) -> None:
        for storage, offset in zip(self.storages, self.storage_offsets()):
            if not self.is_bound(storage):
                self.out.data += bytes(offset - len(self.out.data))
                self.out.data += storage_bytes(storage)

    def tensor_section(self) -> None:
        self.out.many(self.tensors, self.tensor_record)

    def tensor_record(self, tensor: TensorState) -> None:
        self.out.uv(self.storages[tensor.storage])
        self.out.u8(tensor.dtype)
        self.out.u8(len(tensor.shape))
        for extent in tensor.shape:
            self.out.uv(extent)
        for stride in tensor.strides:
            self.out.sv(stride)
        self.out.uv(tensor.offset)

    def constant_section(self) -> None:
        self.out.many(self.constant_records, self.constant)

    def constant(self, record: tuple[PyAny, Type]) -> None:
        value, kind = record
        self.type(kind)
        out = self.out
        if isinstance(kind, (TupleType, NamedTupleType)):
            if isinstance(kind, TupleType) and kind.is_variadic:
                out.uv(len(value))
            for element, element_type in zip(value, elements(kind, value)):
                out.uv(self.const_number(element, element_type))
        elif isinstance(kind, OptionalType):
            out.opt(None if value is None else self.const_number(value, kind.inner))
        elif isinstance(kind, TensorType):
            out.uv(self.tensor_number(value))
        else:
            self.plain(value, kind)

    def plain(self, value: PyAny, kind: Type) -> None:
        """A value without parts, in a constant or in the state."""
        out = self.out
        if kind == NONE:
            return
        if kind in (BOOL, DTYPE, DEVICE):
            out.u8(int(value))
        elif kind == INT:
            out.sv(int(value))
        elif kind == FLOAT:
            out.f64(value)
        elif kind == COMPLEX:
            out.f64(value.real)
            out.f64(value.imag)
        elif kind == STR:
            self.string(value)
        elif kind == BYTES:
            out.bytes(value)
        elif isinstance(value, EnumState):
            out.uv(value.index)
        else:
            raise ValueError(f"a value of type {kind} cannot be stored")

    # State

    def state(self, root: PyAny) -> None:
        number = None if root is None else self.object_number(root)
        outer, self.out = self.out, Encoder()
        for state in self.object_records:  # grows while it is read
            self.object(state)
        contents, self.out = self.out, outer
        self.out.uv(len(self.object_records))
        self.out.data += contents.data
        self.out.opt(number)

    def object(self, state: PyAny) -> None:
        self.type(state.type)
        if isinstance(state, ObjectState):
            for name, kind in state.type.attributes.items():
                self.out.u8(name in state.attributes)
                if name in state.attributes:
                    self.value(state.attributes[name], kind)
        elif isinstance(state, DictState):
            self.out.uv(len(state.items))
            for key, value in state.items:
                self.value(key, state.type.key)
                self.value(value, state.type.value)
        else:
            assert isinstance(state, (ListState, SetState))
            self.out.uv(len(state.items))
            for item in state.items:
                self.value(item, state.type.element)

    def value(self, value: PyAny, kind: Type) -> None:
        if isinstance(kind, OptionalType):
            self.out.u8(value is not None)
            if value is not None:
                self.value(value, kind.inner)
        elif isinstance(kind, UnionType) or kind in (SCALAR, ANY):
            arm, plain = arm_of(value, kind)
            self.type(arm)
            self.value(plain, arm)
        elif isinstance(kind, (TupleType, NamedTupleType)):
            if isinstance(kind, TupleType) and kind.is_variadic:
                self.out.uv(len(value))
            for element, element_type in zip(value, elements(kind, value)):
                self.value(element, element_type)
        elif isinstance(kind, FrozenSetType):
            self.out.uv(len(value.items))
            for item in value.items:
                self.value(item, kind.element)
        elif isinstance(kind, TensorType):
            self.out.uv(self.tensor_number(value))
        elif isinstance(kind, (ClassType, ListType, DictType, SetType)):
            if value.type != kind:
                raise ValueError(f"a value of type {value.type} where {kind} is declared")
            self.out.uv(self.object_number(value))
        else:
            self.plain(value, kind)
