"""Tensors, constants and the state of a file.

In: bytes that may be anything, and types. Out: storages, tensors, constants, objects. Holds: a tensor lies inside its
storage; a constant is made of constants before it; objects may refer to one another in circles; what takes no bytes is
counted, so that a short file cannot mean a large value.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any as PyAny

from ..ir.state import (
    STATE_CLASSES,
    DictState,
    EnumState,
    FrozenSetState,
    ObjectState,
    StorageState,
    TensorState,
    with_arm,
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
    EnumType,
    FrozenSetType,
    ListType,
    NamedTupleType,
    OptionalType,
    SetType,
    TensorType,
    TupleType,
    Type,
    UnionType,
    arms_of,
)
from .container import FEATURE_BOUND, Kind, align
from .read_types import MAX_NESTING, MAX_RANK, TUPLES, TypeReader, is_arm

MAX_VOID = 1000
MAX_CONSTANT_PARTS = 65536
ITEM_SIZES = (1, 1, 1, 2, 4, 8, 4, 8, 2)


class ValueReader(TypeReader):
    """Adds storages, tensors, constants and state."""

    def __init__(self, file: memoryview, bound: Sequence[PyAny], check_data: bool) -> None:
        super().__init__(file, check_data)
        self.host_tensors = list(bound)
        self.storages: list[StorageState] = []
        self.tensors: list[TensorState] = []
        self.constants: list[tuple[Type, PyAny]] = []
        self.constant_sizes: list[tuple[int, int]] = []
        self.constant_has_tensor: list[bool] = []
        self.has_tensor = False
        self.objects: list[PyAny] = []
        self.object_count = 0
        self.depth = 0

    def storage_section(self) -> None:
        content = self.sections[Kind.DATA]
        end = 0
        host_tensors = iter(self.host_tensors)
        for _ in range(self.data.count()):
            is_bound = self.data.flag()
            offset, size = self.data.uv(), self.data.uv()
            if is_bound:
                self.data.check(self.features & FEATURE_BOUND != 0 and offset == 0, "a bound storage in a file")
                tensor = next(host_tensors, None)
                self.data.check(tensor is not None, "the host gives too few tensors for the bound storages")
                self.storages.append(StorageState(size, None, tensor))
                continue
            is_placed = offset == align(end) and offset <= len(content.view) and size <= len(content.view) - offset
            self.data.check(is_placed, "a storage that is not where it belongs")
            self.data.check(not any(content.view[end:offset]), "padding that is not zero")
            end = offset + size
            self.storages.append(StorageState(size, content.view[offset:end].toreadonly()))
        self.data.end()
        content.position = end
        content.end()

    def tensor_section(self) -> None:
        self.tensors = self.data.many(self.tensor_record)
        self.data.end()

    def tensor_record(self) -> TensorState:
        data = self.data
        storage = self.storages[data.index(len(self.storages), "storage")]
        dtype, rank = self.tensor_dtype(), data.u8()
        data.check(rank <= MAX_RANK, f"a rank is at most {MAX_RANK}")
        shape = tuple(data.index(2**63, "extent") for _ in range(rank))
        strides = tuple(data.sv() for _ in range(rank))
        offset = data.uv()
        elements = math.prod(extent for extent in shape if extent)
        data.check(elements * ITEM_SIZES[dtype] < 2**63, "a tensor that is too large")
        if 0 not in shape:
            steps = [(extent - 1) * stride for extent, stride in zip(shape, strides)]
            first = offset + sum(step for step in steps if step < 0)
            last = offset + sum(step for step in steps if step > 0)
            fits = first >= 0 and (last + 1) * ITEM_SIZES[dtype] <= storage.size
            data.check(fits, "a tensor that reaches outside of its storage")
        return TensorState(storage, dtype, shape, strides, offset)

    def constant_section(self) -> None:
        for _ in range(self.data.count()):
            self.nesting, self.parts, self.has_tensor = 0, 1, False
            kind = self.type()
            self.constants.append((kind, self.constant(kind)))
            self.constant_has_tensor.append(self.has_tensor)
            self.data.check(not self.has_tensor or not isinstance(kind, TUPLES), "a constant tuple with a Tensor")
            self.data.check(self.nesting < MAX_NESTING, f"constants nest at most {MAX_NESTING} deep")
            self.data.check(self.parts <= MAX_CONSTANT_PARTS, f"a constant has at most {MAX_CONSTANT_PARTS} parts")
            self.constant_sizes.append((self.nesting + 1, self.parts))
        self.data.end()
        for enum, members in self.enum_members.values():
            enumerators = tuple((name, self.enumerator(index, enum.value_type)) for name, index in members)
            object.__setattr__(enum, "enumerators", enumerators)

    def enumerator(self, index: int, kind: Type) -> PyAny:
        is_right = index < len(self.constants) and self.constants[index][0] is kind
        self.data.check(is_right and not self.constant_has_tensor[index], "a malformed enum")
        return self.constants[index][1]

    def constant(self, kind: Type) -> PyAny:
        data = self.data
        if isinstance(kind, TupleType) and kind.is_variadic:
            return tuple(data.many(lambda: self.element(kind.elements[0])))
        if isinstance(kind, (TupleType, NamedTupleType)):
            return tuple(self.element(member) for member in kind.members)
        if isinstance(kind, OptionalType):
            if bytes(data.view[data.position : data.position + 1]) == b"\0":
                return data.opt(0, "constant")
            return self.element(kind.inner, shift=1)
        if isinstance(kind, TensorType):
            self.has_tensor = True
            return self.tensors[data.index(len(self.tensors), "tensor")]
        if isinstance(kind, EnumType):
            return EnumState(kind, data.index(len(self.enum_members[id(kind)][1]), "member"))
        return self.plain(kind)

    def element(self, kind: Type, shift: int = 0) -> PyAny:
        """A constant before this one that it is made of."""
        index = self.data.index(len(self.constants) + shift, "constant before this one") - shift
        found, value = self.constants[index]
        if found is not kind:
            self.data.fail(f"a constant of type {kind} is wanted here")
        nesting, parts = self.constant_sizes[index]
        self.has_tensor |= self.constant_has_tensor[index]
        self.nesting = max(self.nesting, nesting)
        self.parts += parts
        return value

    def plain(self, kind: Type) -> PyAny:
        """A value without parts, in a constant or in the state."""
        data = self.data
        if kind == NONE:
            return None
        if kind == BOOL:
            return data.flag()
        if kind == DTYPE:
            return self.dtype()
        if kind == DEVICE:
            return data.index(1, "device")
        if kind == INT:
            return data.sv()
        if kind == FLOAT:
            return data.f64()
        if kind == COMPLEX:
            real = data.f64()
            return complex(real, data.f64())
        if kind == STR:
            return self.string()
        if kind == BYTES:
            return data.bytes()
        if isinstance(kind, EnumType):
            return EnumState(kind, data.index(len(kind.enumerators), "member"))
        data.fail(f"a value of type {kind} cannot be stored")

    def state(self) -> PyAny:
        """The objects are read twice: first for their types, because contents may refer forward."""
        start = self.data.position
        for _ in range(2):
            self.data.position = start
            count = self.data.count()
            self.object_count = count
            states = [self.object(number) for number in range(count)]
            self.objects = states
        root = self.data.opt(len(self.objects), "object")
        self.data.end()
        if root is None:
            return None
        kind = self.objects[root].type
        self.data.check(isinstance(kind, ClassType) and kind.is_module, "the root must be a module")
        return self.objects[root]

    def object(self, number: int) -> PyAny:
        kind = self.type()
        state = self.objects[number] if self.objects else self.empty_state(kind)
        if isinstance(state, ObjectState):
            for name, attribute in state.type.attributes.items():
                if self.data.flag():
                    state.attributes[name] = self.value(attribute)
        elif isinstance(state, DictState):
            state.items = self.data.many(lambda: (self.value(state.type.key), self.value(state.type.value)))
        else:
            state.items = self.elements(state.type.element)
        return state

    def empty_state(self, kind: Type) -> PyAny:
        for type_class, state_class in STATE_CLASSES:
            if isinstance(kind, type_class):
                return state_class(kind)
        self.data.fail(f"{kind} is no type of objects")

    def value(self, kind: Type) -> PyAny:
        self.depth += 1
        self.data.check(self.depth <= MAX_NESTING, f"values nest at most {MAX_NESTING} deep")
        found = self.value_inside(kind)
        self.depth -= 1
        return found

    def value_inside(self, kind: Type) -> PyAny:
        data = self.data
        if isinstance(kind, OptionalType):
            return self.value(kind.inner) if data.flag() else None
        if isinstance(kind, UnionType) or kind in (SCALAR, ANY):
            arm = self.type()
            may_hold = is_arm(arm) if kind == ANY else arm in arms_of(kind)
            if not may_hold:
                data.fail(f"{arm} is no arm of {kind}")
            return with_arm(self.value(arm), arm, kind)
        if isinstance(kind, TupleType) and kind.is_variadic:
            return tuple(self.elements(kind.elements[0]))
        if isinstance(kind, FrozenSetType):
            return FrozenSetState(kind, tuple(self.elements(kind.element)))
        if isinstance(kind, TUPLES):
            data.check(_void_size(kind) <= MAX_VOID, f"at most {MAX_VOID} values without bytes")
            return tuple([self.value(member) for member in kind.members])
        if isinstance(kind, TensorType):
            return self.tensors[data.index(len(self.tensors), "tensor")]
        if isinstance(kind, (ClassType, ListType, DictType, SetType)):
            return self.reference(kind)
        return self.plain(kind)

    def elements(self, kind: Type) -> list[PyAny]:
        """`n * value`; values without bytes are counted instead."""
        size = _void_size(kind)
        if not size:
            return self.data.many(lambda: self.value(kind))
        count = self.data.uv()
        self.data.check(count * size <= MAX_VOID, f"at most {MAX_VOID} values without bytes")
        return [self.value(kind) for _ in range(count)]

    def reference(self, kind: Type) -> PyAny:
        index = self.data.index(self.object_count, "object")
        if not self.objects:
            return None  # first reading
        if self.objects[index].type is not kind:
            self.data.fail(f"an object of type {kind} is wanted here")
        return self.objects[index]


def _void_size(kind: Type) -> int:
    """How many values without bytes a value of the type is, with everything nested in it; 0 if it takes bytes."""
    if kind == NONE:
        return 1
    if not isinstance(kind, TUPLES) or (isinstance(kind, TupleType) and kind.is_variadic):
        return 0
    sizes = [_void_size(member) for member in kind.members]
    return 0 if 0 in sizes else 1 + sum(sizes)
