"""Operators with a memory format: rows lie behind each other here, so formats that ask for that are no wish at all.

In: what the operator takes, and `tsm.contiguous_format` or `tsm.preserve_format`. Out: what it gives without a format.
"""

from __future__ import annotations

from ..binding.dtype import DType
from ..binding.tensor import Tensor
from .spelling import rows, spelled

contiguous_format, preserve_format = "tsm.contiguous_format", "tsm.preserve_format"

_zeros_like, _ones_like, _empty_like = rows["zeros_like"], rows["ones_like"], rows["empty_like"]
_full_like = rows["full_like"]


@spelled("tsm.zeros_like")
def zeros_like(self: Tensor, *, dtype: DType | None = None, memory_format: str) -> Tensor:
    """All 0 in self's shape."""
    return _zeros_like(self, dtype=dtype)


@spelled("tsm.ones_like")
def ones_like(self: Tensor, *, dtype: DType | None = None, memory_format: str) -> Tensor:
    """All 1 in self's shape."""
    return _ones_like(self, dtype=dtype)


@spelled("tsm.empty_like")
def empty_like(self: Tensor, *, dtype: DType | None = None, memory_format: str) -> Tensor:
    """Some elements in self's shape."""
    return _empty_like(self, dtype=dtype)


@spelled("tsm.clone", ".clone")
def clone(self: Tensor, *, memory_format: str) -> Tensor:
    """A copy."""
    return self.clone()


@spelled(".contiguous")
def contiguous(self: Tensor, memory_format: str) -> Tensor:
    """self if its rows lie behind each other, else a copy."""
    return self.contiguous()
