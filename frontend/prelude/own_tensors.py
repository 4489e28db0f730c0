"""What calls with `out=` do with the tensor they made, written as scripts.

In: the tensor given as `out`, and the result. Out: `out` with the numbers of the result.
Holds: kinds of numbers convert as in PyTorch: never from floats to integers, nor to bool.
"""

from __future__ import annotations

from ...binding.out import check_dtypes
from ...binding.tensor import Tensor


def written_or_new(out: Tensor, result: Tensor) -> Tensor:
    check_dtypes(out, result)
    if out.shape == result.shape:
        return out.copy_(result)
    return result.to(out.dtype).clone()


def written(out: Tensor, result: Tensor) -> Tensor:
    check_dtypes(out, result)
    if out.shape != result.shape:
        raise RuntimeError("out= has shape " + str(out.shape) + ", the result " + str(result.shape)
                           + ": a tensor that others may know keeps its shape in scripts")
    return out.copy_(result)
