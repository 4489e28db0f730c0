"""What scripts may ask of dtypes and of the memory of tensors, written as scripts.

In: dtypes, tensors. Out: what PyTorch answers. Holds: half precision is bfloat16.
"""

from __future__ import annotations

from ...binding.dtype import DType


def is_floating_point(dtype: DType) -> bool:
    return dtype == DType.float32 or dtype == DType.float64 or dtype == DType.bfloat16 or dtype in (
        DType.float16, DType.float8_e4m3fn, DType.float8_e5m2, DType.float8_e4m3fnuz, DType.float8_e5m2fnuz,
        DType.float8_e8m0fnu,
    )


def is_complex(dtype: DType) -> bool:
    return dtype in (DType.complex64, DType.complex128, DType.complex32)


def is_signed(dtype: DType) -> bool:
    return dtype not in (
        DType.bool, DType.uint8, DType.uint16, DType.uint32, DType.uint64, DType.float8_e8m0fnu
    )


def itemsize(dtype: DType) -> int:
    if dtype == DType.complex128:
        return 16
    if dtype in (DType.float64, DType.int64, DType.uint64, DType.complex64):
        return 8
    if dtype in (DType.float32, DType.int32, DType.uint32, DType.complex32):
        return 4
    return 2 if dtype in (DType.int16, DType.bfloat16, DType.float16, DType.uint16) else 1


def itemsize_of(tensor) -> int:
    return itemsize(tensor.dtype)


def nbytes(tensor) -> int:
    return itemsize(tensor.dtype) * tensor.numel()
