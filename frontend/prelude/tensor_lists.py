"""The numbers of a tensor as lists where no annotation says how deep they are nested, written as scripts.

In: tensors. Out: functions that inference calls. Holds: what PyTorch gives, or TypeError where a list of numbers was
meant and there are more dimensions.
"""

from __future__ import annotations

from typing import Any

from ...binding.dtype import DType
from ...binding.tensor import Tensor
from .containers import operator


@operator("prelude.rows")
def rows(tensor):
    """The slices along the first dimension, as a list."""


def nested_numbers(tensor: Tensor) -> Any:
    if tensor.dim() == 0:
        return tensor.item()
    if tensor.dim() > 1:
        return [nested_numbers(row) for row in rows(tensor)]
    if tensor.is_floating_point():
        floats: list[float] = tensor.tolist()
        return floats
    if tensor.dtype == DType.bool:
        bools: list[bool] = tensor.tolist()
        return bools
    ints: list[int] = tensor.tolist()
    return ints


def numbers_of(tensor):
    if tensor.dim() != 1:
        raise TypeError("tolist() is walked here as a list of numbers, but the tensor has " + str(tensor.dim())
                        + " dimensions: annotate the list")
    return [tensor[i].item() for i in range(len(tensor))]


def real_numbers_of(tensor: Tensor) -> list[bool | int | float]:
    numbers: list[bool | int | float] = []
    for number in numbers_of(tensor):
        if isinstance(number, (bool, int, float)):
            numbers.append(number)
    return numbers


def rows_of(tensor):
    if tensor.dim() == 0:
        raise TypeError("iteration over a 0-d tensor")
    return rows(tensor)
