"""What calls with `out=`, and assignments to `data`, do with the tensor they made, written as scripts.

In: the tensor given as `out`, or whose data is assigned, and the result. Out: that tensor with the result's numbers.
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


def take_data(owner: Tensor, taken: Tensor) -> None:
    if owner.shape != taken.shape or owner.dtype != taken.dtype:
        raise RuntimeError("the data of a tensor keeps its shape and dtype in scripts: " + str(list(owner.shape))
                           + " cannot become " + str(list(taken.shape)))
    owner.detach().copy_(taken)
