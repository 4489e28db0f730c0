"""Functions and methods marked ignore that compiled code calls."""
from typing import List, Tuple

import torch
import torch.nn as nn


@torch.jit.ignore
def scaled(x: torch.Tensor, by: float) -> torch.Tensor:
    return x * by


@torch.jit.ignore
def spell(values: List[int], name: str) -> str:
    return name + ":" + ",".join(str(v) for v in values)


class Noted(nn.Module):
    def __init__(self):
        super().__init__()
        self.calls = 0

    @torch.jit.ignore
    def describe(self, x: torch.Tensor, step: int) -> Tuple[str, int]:
        return "x" * x.shape[0], step + 1

    def forward(self, x: torch.Tensor) -> Tuple[torch.Tensor, str, int]:
        self.calls += 1
        text, step = self.describe(x, self.calls)
        return scaled(x, 0.5 * step), text + spell([1, 2], "n"), step


def main():
    m = torch.jit.script(Noted())
    out = []
    for _ in range(2):
        y, text, step = m(torch.ones(3))
        out.append([y.tolist(), text, step])
    return out
