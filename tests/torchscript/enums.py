"""An enum argument and constant."""
from enum import Enum

import torch
import torch.nn as nn


class Mode(Enum):
    SUM = 1
    MEAN = 2
    LAST = 3


class Pool(nn.Module):
    def __init__(self, mode: Mode):
        super().__init__()
        self.mode = mode

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if self.mode == Mode.SUM:
            return x.sum(dim=0)
        elif self.mode == Mode.MEAN:
            return x.mean(dim=0)
        return x[-1]


@torch.jit.script
def describe(mode: Mode) -> str:
    return mode.name + ":" + str(mode.value)


def main():
    x = torch.arange(6).reshape(3, 2).float()
    return [torch.jit.script(Pool(m))(x).tolist() for m in Mode] + [describe(m) for m in Mode]
