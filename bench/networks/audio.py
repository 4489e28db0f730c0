"""A denoiser of speech: convolutions over time, two gated recurrent layers, and a mask for each frame."""

from __future__ import annotations

import tsm
from tsm import Tensor, nn
from tsm.nn import functional as F


class Denoiser(nn.Module):
    """Magnitudes (n, 161, frames) to masked magnitudes of the same shape."""

    def __init__(self) -> None:
        super().__init__()
        self.conv1 = nn.Conv1d(161, 128, 5, padding=2)
        self.norm = nn.BatchNorm1d(128)
        self.conv2 = nn.Conv1d(128, 128, 3, padding=1)
        self.gru = nn.GRU(128, 128, num_layers=2, batch_first=True)
        self.inner = nn.Linear(256, 128)
        self.mask = nn.Linear(128, 161)

    def forward(self, x: Tensor) -> Tensor:
        y = F.leaky_relu(self.norm(self.conv1(tsm.log1p(x))), 0.1)
        y = F.leaky_relu(self.conv2(y), 0.1).transpose(1, 2)
        z, _ = self.gru(y)
        mask = tsm.sigmoid(self.mask(F.leaky_relu(self.inner(tsm.cat([y, z], 2)), 0.1)))
        return x * mask.transpose(1, 2)
