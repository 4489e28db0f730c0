"""What scripts may ask of dtypes and of the memory of tensors, written as scripts.

In: dtypes, tensors. Out: what PyTorch answers. Holds: half precision is bfloat16.
"""

from __future__ import annotations

from ...binding.dtype import DType


def is_floating_point(dtype: DType) -> bool:
    return dtype == DType.float32 or dtype == DType.float64 or dtype == DType.bfloat16


def is_complex(dtype: DType) -> bool:
    return False


def is_signed(dtype: DType) -> bool:
    return dtype != DType.bool and dtype != DType.uint8


def itemsize(dtype: DType) -> int:
    if dtype == DType.float64 or dtype == DType.int64:
        return 8
    if dtype == DType.float32 or dtype == DType.int32:
        return 4
    return 2 if dtype == DType.int16 or dtype == DType.bfloat16 else 1


def itemsize_of(tensor) -> int:
    return itemsize(tensor.dtype)


def nbytes(tensor) -> int:
    return itemsize(tensor.dtype) * tensor.numel()
