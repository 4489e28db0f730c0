"""Calls with `out=`: the numbers of a result, put into a tensor that there is already.

In: the tensor and the result. Out: the tensor. Holds: kinds of numbers convert as in PyTorch, never from floats to
integers, nor to bool; a tensor of another shape takes that of the result.
"""

from __future__ import annotations

from .dtype import DType
from .tensor import Tensor


def check_dtypes(out: Tensor, result: Tensor) -> None:
    source, target = result.dtype, out.dtype
    is_rounding = source.is_floating_point and not target.is_floating_point
    if is_rounding or (target == DType.bool and source != DType.bool):
        raise RuntimeError("result type " + dtype_name(source) + " can't be cast to the desired output type "
                           + dtype_name(target))


def dtype_name(dtype: DType) -> str:
    if dtype == DType.float32:
        return "Float"
    if dtype == DType.float64:
        return "Double"
    if dtype == DType.bfloat16:
        return "BFloat16"
    if dtype == DType.int64:
        return "Long"
    if dtype == DType.int32:
        return "Int"
    if dtype == DType.int16:
        return "Short"
    if dtype == DType.bool:
        return "Bool"
    return "Byte" if dtype == DType.uint8 else "Char"


def put(out: Tensor, result: Tensor) -> Tensor:
    """For eager calls."""
    check_dtypes(out, result)
    if out.shape == result.shape:
        out.copy_(result)
    else:
        out.become(result.to(out.dtype).clone())
    return out
