"""Element types of tensors: `tsm.float32` and its kin.

In: tsm.h's numbers. Out: DType members, which the runtime, NumPy and Python types translate to and from.
"""

from __future__ import annotations

import builtins
import enum
from typing import Any

import numpy as np


class DType(enum.Enum):
    """An element type. `value` is its number in tsm.h and in files; from float16 on names that no tensor has."""

    bool = 0
    uint8 = 1
    int8 = 2
    int16 = 3
    int32 = 4
    int64 = 5
    float32 = 6
    float64 = 7
    bfloat16 = 8
    float16 = 9
    complex64 = 10
    complex128 = 11
    uint16 = 12
    uint32 = 13
    uint64 = 14
    complex32 = 15
    float8_e4m3fn = 16
    float8_e5m2 = 17
    float8_e4m3fnuz = 18
    float8_e5m2fnuz = 19
    float8_e8m0fnu = 20

    @classmethod
    def _missing_(cls, value: object) -> DType | None:
        """`DType("float32")` is the member of that name."""
        return cls.__members__.get(value) if isinstance(value, str) else None

    def __repr__(self) -> str:
        return f"tsm.{self.name}"

    __str__ = __repr__

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        return DType, (self.value,)

    @property
    def itemsize(self) -> int:
        """Bytes of an element."""
        return _SIZES.get(self.name) or np.dtype(self.name).itemsize

    @property
    def is_floating_point(self) -> builtins.bool:
        return "float" in self.name

    @property
    def is_complex(self) -> builtins.bool:
        return self.name.startswith("complex")

    @property
    def is_signed(self) -> builtins.bool:
        return self is not DType.bool and not self.name.startswith("uint") and self is not DType.float8_e8m0fnu

    @property
    def is_stored(self) -> builtins.bool:
        """Whether tensors can have it."""
        return self.value <= DType.bfloat16.value

    @property
    def numpy(self) -> np.dtype[Any]:
        """The NumPy dtype of the same elements, native byte order. TypeError for bfloat16, which NumPy lacks, and for
        what no tensor has."""
        if self is DType.bfloat16:
            raise TypeError("NumPy has no bfloat16: use tensor.float().numpy(), or the bits by tensor.view(tsm.int16)")
        if not self.is_stored:
            raise TypeError(f"tensors have no dtype {self.name}")
        return _NUMPY[self.value]


_SIZES = {"bfloat16": 2, "complex32": 4, **{name: 1 for name in DType.__members__ if name.startswith("float8")}}
_NUMPY = tuple(np.dtype(member.name) for member in DType if member.value < DType.bfloat16.value)
_FROM_NUMPY = dict(zip(_NUMPY, DType))
_FROM_PYTHON: dict[Any, DType] = {builtins.bool: DType.bool, int: DType.int64, float: DType.float64}


def also_means(kind: type, dtype: DType) -> None:
    """Makes a class stand for a dtype in arguments, as `int` does."""
    _FROM_PYTHON[kind] = dtype


MEMBERS = tuple(DType)


def from_numpy(kind: np.dtype[Any]) -> DType:
    """The DType of a NumPy dtype. TypeError for one that tensors do not have, or of foreign byte order."""
    if not kind.isnative:
        raise TypeError(f"arrays of dtype {kind} have a foreign byte order; convert them: array.astype({kind.name!r})")
    found = _FROM_NUMPY.get(kind)
    if found is None:
        names = ", ".join(member.name for member in _FROM_NUMPY.values())
        raise TypeError(f"tensors have no dtype {kind}; convert the array to one of {names}")
    return found


def from_python(kind: Any) -> DType | None:
    """The DType that `bool`, `int` or `float` stands for as a dtype argument; a DType itself; None for others."""
    if isinstance(kind, DType):
        return kind
    return _FROM_PYTHON.get(kind) if isinstance(kind, type) else None
