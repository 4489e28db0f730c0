"""Mutable things a program starts with, and its tensors: descriptions that the writer stores and a reader rebuilds.

In: modules being scripted, files. Out: `Program.root`, tensor constants.
Holds: sharing is object identity: two attributes that refer to one TensorState or ObjectState share it in the file.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any as PyAny

from .types import (
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
    TENSOR,
    CellType,
    ClassType,
    DictType,
    DType,
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
    arms_of,
)


@dataclass(eq=False, slots=True)
class StorageState:
    """Bytes of a storage: a bytes-like object (a memoryview is a window of a file in memory), or those of a tensor."""

    size: int  # bytes
    data: PyAny = None  # bytes-like; None when bound
    bound: PyAny = None  # tsm.Tensor that the in-memory image shares; its bytes are written when saving to a file

    @property
    def is_window(self) -> bool:
        """Whether the bytes are a file's in memory, which nothing writes."""
        return isinstance(self.data, memoryview) and self.size > 0

    def tensor(self) -> PyAny:
        """A tensor over the bytes of a storage that is bound or a window."""
        if self.bound is not None:
            return self.bound
        import numpy as np

        from ..binding.tensor import from_numpy

        return from_numpy(np.frombuffer(self.data, np.uint8))


@dataclass(eq=False, slots=True)
class TensorState:
    """A window over a storage: strides and offset count elements."""

    storage: StorageState
    dtype: DType
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    offset: int = 0


@dataclass(eq=False, slots=True)
class ObjectState:
    """An instance of a class type: attribute name -> value; an absent name is an unset attribute.

    Values are None, bool, int, float, complex, str, bytes, DType (devices: 0), EnumState, TensorState, TypedState,
    ListState, DictState, SetState, FrozenSetState, ObjectState and Python tuples of values.
    """

    type: ClassType
    attributes: dict[str, PyAny] = field(default_factory=dict)


@dataclass(eq=False, slots=True)
class ListState:
    type: ListType
    items: list[PyAny] = field(default_factory=list)


@dataclass(eq=False, slots=True)
class DictState:
    type: DictType
    items: list[tuple[PyAny, PyAny]] = field(default_factory=list)


@dataclass(eq=False, slots=True)
class SetState:
    type: SetType
    items: list[PyAny] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class FrozenSetState:
    """A frozenset, which is a value, not an object: it has no identity."""

    type: FrozenSetType
    items: tuple[PyAny, ...]


@dataclass(frozen=True, slots=True)
class EnumState:
    type: PyAny  # EnumType
    index: int


@dataclass(frozen=True, slots=True)
class TypedState:
    """A value of a Union or Any with its arm, where the Python value alone does not tell it (tuples, mostly)."""

    type: Type
    value: PyAny


def natural_type(value: PyAny) -> Type:
    """The type a Python description has by itself; TypeError for what no file can hold."""
    if value is None:
        return NONE
    for python_type, kind in _PLAIN:
        if type(value) is python_type:
            return kind
    if isinstance(value, TensorState):
        return TENSOR
    if isinstance(value, (ObjectState, ListState, DictState, SetState, FrozenSetState, EnumState, TypedState)):
        kind = value.type
        assert isinstance(kind, Type)
        return kind
    if isinstance(value, tuple):
        return TupleType(tuple(map(natural_type, value)))
    raise TypeError(f"a value of type {type(value).__name__} cannot be stored in a program")


def fits(value: PyAny, kind: Type) -> bool:
    """Whether `value` is exactly a value of `kind`; ints must be 64-bit."""
    if isinstance(value, TypedState):
        return value.type == kind and fits(value.value, kind)
    if isinstance(kind, OptionalType):
        return value is None or fits(value, kind.inner)
    if isinstance(kind, (UnionType, NamedTupleType)) or kind in (SCALAR, ANY):
        if isinstance(kind, NamedTupleType):
            return _fit_all(value, kind.members)
        return kind == ANY or any(fits(value, arm) for arm in arms_of(kind))
    if isinstance(kind, TupleType):
        if kind.is_variadic:
            return isinstance(value, tuple) and all(fits(item, kind.elements[0]) for item in value)
        return _fit_all(value, kind.elements)
    if isinstance(kind, TensorType):
        return isinstance(value, TensorState)
    if isinstance(kind, EnumType):
        return isinstance(value, EnumState) and value.type == kind and 0 <= value.index < len(kind.enumerators)
    if kind == INT:
        return type(value) is int and -(2**63) <= value < 2**63
    if kind == DEVICE:
        return type(value) is int and value == 0
    if isinstance(value, (ObjectState, ListState, DictState, SetState, FrozenSetState)):
        return bool(value.type == kind)
    return value is None if kind == NONE else any(type(value) is p and kind == k for p, k in _PLAIN)


def is_constant_type(kind: Type) -> bool:
    """Whether FORMAT.md has constants of the type: lists, objects, functions and values with run-time arms have none,
    and a tuple of tensors has none."""
    if isinstance(kind, (ListType, DictType, SetType, FrozenSetType, ClassType, CellType, FunctionType)) or (
        kind == EXCEPTION
    ):
        return False
    if isinstance(kind, (TupleType, NamedTupleType)):
        return all(is_constant_type(member) and not _has_tensor(member) for member in kind.members)
    if isinstance(kind, OptionalType):
        return is_constant_type(kind.inner)
    return not isinstance(kind, UnionType) and kind not in (SCALAR, ANY)


def _has_tensor(kind: Type) -> bool:
    return isinstance(kind, TensorType) or any(map(_has_tensor, kind.members))


def _fit_all(value: PyAny, kinds: tuple[Type, ...]) -> bool:
    return isinstance(value, tuple) and len(value) == len(kinds) and all(map(fits, value, kinds))


def arm_of(value: PyAny, wide: Type) -> tuple[Type, PyAny]:
    """The arm of a Union, Scalar or Any that a value takes, and the value without its TypedState."""
    if isinstance(value, TypedState):
        return value.type, value.value
    kind = natural_type(value)
    if wide == ANY or kind in arms_of(wide):
        return kind, value
    for arm in arms_of(wide):
        if fits(value, arm):
            return arm, value
    raise TypeError(f"{value!r} is of no arm of {wide}")


def with_arm(value: PyAny, arm: Type, wide: Type) -> PyAny:
    """The inverse of `arm_of`: the plain value if that tells its arm, else a TypedState."""
    try:
        plain, _ = arm_of(value, wide)
    except TypeError:
        return TypedState(arm, value)
    return value if plain == arm else TypedState(arm, value)


def storage_bytes(storage: StorageState) -> memoryview:
    """The bytes of a storage, wherever they live; ValueError if there are not as many as it declares."""
    if storage.data is not None:
        view = memoryview(storage.data).cast("B")
    else:
        from ..binding.tensor import storage_bytes as bound_bytes

        view = memoryview(bound_bytes(storage.bound)).cast("B")
    if len(view) != storage.size:
        raise ValueError(f"a storage of {storage.size} bytes has {len(view)}")
    return view


_PLAIN: tuple[tuple[type, Type], ...] = (
    (bool, BOOL), (int, INT), (float, FLOAT), (complex, COMPLEX), (str, STR), (bytes, BYTES), (DType, DTYPE),
)
STATE_CLASSES: tuple[tuple[type[Type], Callable[[PyAny], PyAny]], ...] = (
    (ClassType, ObjectState), (ListType, ListState), (DictType, DictState), (SetType, SetState),
)
