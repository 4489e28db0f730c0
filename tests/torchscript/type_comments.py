"""Functions from the time of type comments."""
from typing import List, Optional, Tuple  # noqa: F401 - in type comments

import torch
from torch import Tensor


@torch.jit.script
def fold(values, start, scale=2.0):
    # type: (List[int], int, float) -> Tuple[int, float]
    total = start
    for v in values:
        total += v
    return total, total * scale


@torch.jit.script
def select(x,        # type: Tensor
           index,    # type: Optional[int]
           names,    # type: List[str]
           ):
    # type: (...) -> Tuple[Tensor, str]
    picked = torch.jit.annotate(List[Tensor], [])
    if index is None:
        for i in range(x.size(0)):
            picked.append(x[i])
    else:
        picked.append(x[index])
    label = names[0] if index is None else names[index]
    return torch.stack(picked), label


@torch.jit.script
def running(n):
    # type: (int) -> List[float]
    out = torch.jit.annotate(List[float], [])
    best = torch.jit.annotate(Optional[float], None)
    for i in range(n):
        y = (i * 7) % 5 + 0.5
        if best is None:
            best = y
        elif y > best:
            best = y
        if best is not None:
            out.append(best)
    return out


def main():
    x = torch.arange(6).reshape(3, 2)
    a, b = select(x, None, ["u", "v", "w"])
    c, d = select(x, 2, ["u", "v", "w"])
    return [fold([1, 2, 3], 10), fold([], 1, 0.5), a.tolist(), b, c.tolist(), d, running(6), running(0)]
