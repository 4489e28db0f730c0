"""An LSTM written as a loop over time with matmul, sigmoid and tanh."""

from __future__ import annotations

import tsm
from tsm import Tensor, nn


class StepLoop(nn.Module):
    """(time, batch, 256) to (batch, 256): the last hidden state."""

    def __init__(self) -> None:
        super().__init__()
        self.input_weight = nn.Parameter(tsm.zeros(256, 1024))
        self.hidden_weight = nn.Parameter(tsm.zeros(256, 1024))
        self.bias = nn.Parameter(tsm.zeros(1024))

    def forward(self, x: Tensor) -> Tensor:
        h = tsm.zeros(x.size(1), 256)
        c = tsm.zeros(x.size(1), 256)
        for t in range(x.size(0)):
            gates = tsm.matmul(x[t], self.input_weight) + tsm.matmul(h, self.hidden_weight) + self.bias
            i, f, g, o = gates.chunk(4, 1)
            c = tsm.sigmoid(f) * c + tsm.sigmoid(i) * tsm.tanh(g)
            h = tsm.sigmoid(o) * tsm.tanh(c)
        return h
