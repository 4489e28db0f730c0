"""fork and wait over the two directions of a recurrent layer, and over a list of inputs."""
from typing import List

import torch
import torch.nn as nn
from torch import Tensor


class Cell(nn.Module):
    def __init__(self, size: int, value: float):
        super().__init__()
        self.weight = nn.Parameter(torch.full((size, size), value))

    def forward(self, xs: Tensor) -> Tensor:
        h = torch.zeros(xs.size(1), xs.size(2))
        for i in range(xs.size(0)):
            h = torch.tanh(xs[i] + torch.mm(h, self.weight))
        return h


class Bidirectional(nn.Module):
    def __init__(self, size: int):
        super().__init__()
        self.forward_cell = Cell(size, 0.1)
        self.backward_cell = Cell(size, -0.2)

    def forward(self, xs: Tensor) -> Tensor:
        future = torch.jit.fork(self.forward_cell, xs)
        backward = self.backward_cell(torch.flip(xs, [0]))
        forward = torch.jit.wait(future)
        return torch.cat([forward, backward], dim=1)


class Ensemble(nn.Module):
    def __init__(self):
        super().__init__()
        self.models = nn.ModuleList([Bidirectional(2) for _ in range(3)])

    def forward(self, xs: Tensor) -> Tensor:
        futures: List[torch.jit.Future[Tensor]] = []
        for model in self.models:
            futures.append(torch.jit.fork(model, xs))
        results: List[Tensor] = []
        for future in futures:
            results.append(torch.jit.wait(future))
        return torch.stack(results).sum(dim=0)


def work(n: int, scale: float) -> List[float]:
    return [i * scale for i in range(n)]


@torch.jit.script
def total(n: int) -> float:
    a = torch.jit.fork(work, n, 0.5)
    b = torch.jit.fork(work, n + 1, scale=2.0)
    s = 0.0
    for v in torch.jit.wait(a):
        s += v
    for v in torch.jit.wait(b):
        s += v
    return s


def main():
    xs = torch.arange(12).reshape(3, 2, 2).float() / 12
    return [torch.jit.script(Ensemble())(xs).tolist(), total(4), total(0)]
