"""Modules behind an interface, chosen at run time."""
import torch
import torch.nn as nn
from torch import Tensor


@torch.jit.interface
class ImageTransform(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        pass


class Scale(nn.Module):
    def __init__(self, factor: float):
        super().__init__()
        self.factor = factor

    def forward(self, x: Tensor) -> Tensor:
        return x * self.factor


class Shift(nn.Module):
    def __init__(self, amount: float):
        super().__init__()
        self.amount = amount

    def forward(self, x: Tensor) -> Tensor:
        return x + self.amount


class Pipeline(nn.Module):
    def __init__(self):
        super().__init__()
        self.steps = nn.ModuleList([Scale(2.0), Shift(-1.0), Scale(0.5)])

    def forward(self, x: Tensor, which: int) -> Tensor:
        step: ImageTransform = self.steps[which]
        return step.forward(x)


def main():
    m = torch.jit.script(Pipeline())
    x = torch.tensor([1.0, 2.0, -3.0])
    return [m(x, 0).tolist(), m(x, 1).tolist(), m(x, 2).tolist()]
