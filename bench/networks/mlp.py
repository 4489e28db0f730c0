"""Multi-layer perceptrons: a tiny one, where the call is what is measured, and one of 784-512-512-10."""

from __future__ import annotations

from tsm import Tensor, nn
from tsm.nn import functional as F


class Tiny(nn.Module):
    """(n, 10) to (n, 2)."""

    def __init__(self) -> None:
        super().__init__()
        self.hidden = nn.Linear(10, 5)
        self.out = nn.Linear(5, 2)

    def forward(self, x: Tensor) -> Tensor:
        return self.out(F.relu(self.hidden(x)))


class Digits(nn.Module):
    """(n, 784) to (n, 10)."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(784, 512)
        self.second = nn.Linear(512, 512)
        self.out = nn.Linear(512, 10)

    def forward(self, x: Tensor) -> Tensor:
        return self.out(F.relu(self.second(F.relu(self.first(x)))))
