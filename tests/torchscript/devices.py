"""Code that asks for devices and dtypes everywhere, as library code does."""
from typing import Optional

import torch
from torch import Tensor


def positions(mask: Optional[Tensor], x: Tensor) -> Tensor:
    if mask is None:
        mask = torch.ones(x.size(0), x.size(1), dtype=torch.bool, device=x.device)
    steps = mask.long().cumsum(1)
    scale = torch.arange(4, dtype=x.dtype, device=x.device)
    return steps.float().unsqueeze(-1).to(x.device) * scale.to(device=x.device, dtype=torch.float32)


def on_cpu(x: Tensor) -> bool:
    return x.device == torch.device("cpu") and not x.is_cuda


def kind(x: Tensor) -> str:
    return x.device.type


def main():
    f = torch.jit.script(positions)
    x = torch.zeros(1, 3, 4)
    mask = torch.tensor([[True, False, True]])
    return [f(None, x).tolist(), f(mask, x).tolist(), torch.jit.script(on_cpu)(x), torch.jit.script(kind)(x)]
