"""while, break, continue, early return, assert and raise."""
from typing import Optional

import torch
from torch import Tensor


def newton(x: float, tolerance: float = 1e-9, limit: int = 50) -> float:
    assert x >= 0.0, "negative input"
    if x == 0.0:
        return 0.0
    guess = x
    steps = 0
    while steps < limit:
        new = 0.5 * (guess + x / guess)
        steps += 1
        if abs(new - guess) < tolerance:
            return new
        guess = new
    raise RuntimeError("no convergence")


def search(x: Tensor, needle: float) -> Optional[int]:
    for i in range(x.numel()):
        v = float(x[i])
        if v < 0:
            continue
        if v == needle:
            return i
        if v > 100.0:
            break
    return None


def main():
    f, g = torch.jit.script(newton), torch.jit.script(search)
    x = torch.tensor([-1.0, 3.0, 200.0, 4.0])
    out = [f(2.0), f(0.0), g(x, 3.0), g(x, 4.0), g(x, -1.0)]
    for bad in (-1.0,):
        try:
            f(bad)
        except Exception as error:
            out.append("negative input" in str(error))
    return out
