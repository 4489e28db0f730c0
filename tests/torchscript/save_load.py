"""Saving with extra files, loading, buffers that change."""
import io
from typing import List

import torch
import torch.nn as nn


class RunningMean(nn.Module):
    history: List[float]

    def __init__(self, size: int, momentum: float = 0.5):
        super().__init__()
        self.register_buffer("mean", torch.zeros(size))
        self.momentum = momentum
        self.history = []

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if self.training:
            self.mean.mul_(1 - self.momentum).add_(x.mean(dim=0) * self.momentum)
        self.history.append(float(self.mean.sum()))
        return x - self.mean

    @torch.jit.export
    def seen(self) -> List[float]:
        return list(self.history)


def main():
    m = torch.jit.script(RunningMean(2))
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    out = [m(x).tolist(), m(x).tolist()]
    buffer = io.BytesIO()
    torch.jit.save(m, buffer, _extra_files={"meta.txt": "version 3"})
    buffer.seek(0)
    extra = {"meta.txt": ""}
    again = torch.jit.load(buffer, map_location="cpu", _extra_files=extra)
    out += [again(x).tolist(), again.seen(), m.seen()]
    text = extra["meta.txt"]
    out.append(text if isinstance(text, str) else text.decode())
    return out
