"""Unions, Any and torch.jit.isinstance."""
from typing import Any, Dict, List, Union

import torch
from torch import Tensor


@torch.jit.script
def describe(x: Any) -> str:
    if torch.jit.isinstance(x, List[int]):
        return "ints " + str(len(x))
    elif torch.jit.isinstance(x, Dict[str, Tensor]):
        return "tensors " + ",".join(list(x.keys()))
    elif isinstance(x, str):
        return "text " + x
    elif isinstance(x, int):
        return "int " + str(x + 1)
    return "other"


@torch.jit.script
def area(size: Union[int, List[int]]) -> int:
    if isinstance(size, int):
        return size * size
    else:
        return size[0] * size[1]


def main():
    return [describe([1, 2]), describe({"a": torch.ones(1)}), describe("x"), describe(4), describe(1.5),
            area(3), area([2, 5])]
