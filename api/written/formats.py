"""Operators with a memory format: rows lie behind each other here, so formats that ask for that are no wish at all.

In: what the operator takes, and `tsm.contiguous_format`, `tsm.preserve_format` or `tsm.channels_last`. Out: what it
gives without a format; with channels_last, memory in which the channels of a pixel lie behind each other.
"""

from __future__ import annotations

from ..binding.dtype import DType
from ..binding.tensor import Tensor
from .spelling import rows, spelled

contiguous_format, preserve_format = "tsm.contiguous_format", "tsm.preserve_format"
channels_last = "tsm.channels_last"

_zeros_like, _ones_like, _empty_like = rows["zeros_like"], rows["ones_like"], rows["empty_like"]
_full_like = rows["full_like"]


@spelled("tsm.zeros_like")
def zeros_like(self: Tensor, *, dtype: DType | None = None, memory_format: str | None) -> Tensor:
    """All 0 in self's shape."""
    return _zeros_like(self, dtype=dtype)


@spelled("tsm.ones_like")
def ones_like(self: Tensor, *, dtype: DType | None = None, memory_format: str | None) -> Tensor:
    """All 1 in self's shape."""
    return _ones_like(self, dtype=dtype)


@spelled("tsm.empty_like")
def empty_like(self: Tensor, *, dtype: DType | None = None, memory_format: str | None) -> Tensor:
    """Some elements in self's shape."""
    return _empty_like(self, dtype=dtype)


def _pixels(self: Tensor) -> Tensor:
    """With the channels last among the dimensions."""
    if self.dim() != 4:
        raise RuntimeError("required rank 4 tensor to use channels_last format")
    return self.permute(0, 2, 3, 1)


@spelled("tsm.clone", ".clone")
def clone(self: Tensor, *, memory_format: str | None) -> Tensor:
    """A copy."""
    if memory_format == channels_last:
        return _pixels(self).clone().contiguous().permute(0, 3, 1, 2)
    return self.clone()


@spelled(".contiguous")
def contiguous(self: Tensor, memory_format: str) -> Tensor:
    """self if its memory is so, else a copy."""
    if memory_format == channels_last:
        return _pixels(self).contiguous().permute(0, 3, 1, 2)
    return self.contiguous()


@spelled(".is_contiguous")
def is_contiguous(self: Tensor, memory_format: str) -> bool:
    """Whether its memory is so."""
    if memory_format == channels_last:
        return self.dim() == 4 and _pixels(self).is_contiguous()
    return self.is_contiguous()


@spelled(".float")
def to_float(self: Tensor, memory_format: str) -> Tensor:
    """As float32, in memory that is so."""
    return self.to(DType.float32, memory_format=memory_format)


@spelled(".double")
def to_double(self: Tensor, memory_format: str) -> Tensor:
    """As float64, in memory that is so."""
    return self.to(DType.float64, memory_format=memory_format)


@spelled(".bfloat16")
def to_bfloat16(self: Tensor, memory_format: str) -> Tensor:
    """As bfloat16, in memory that is so."""
    return self.to(DType.bfloat16, memory_format=memory_format)


@spelled(".long")
def to_long(self: Tensor, memory_format: str) -> Tensor:
    """As int64, in memory that is so."""
    return self.to(DType.int64, memory_format=memory_format)


@spelled(".int")
def to_int(self: Tensor, memory_format: str) -> Tensor:
    """As int32, in memory that is so."""
    return self.to(DType.int32, memory_format=memory_format)


@spelled(".bool")
def to_bool(self: Tensor, memory_format: str) -> Tensor:
    """As bool, in memory that is so."""
    return self.to(DType.bool, memory_format=memory_format)
