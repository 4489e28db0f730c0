"""What programs say of devices, initial values and the executor before they come to their point."""
import math

import torch
import torch.nn as nn
from torch.nn import init


class Affine(nn.Module):
    def __init__(self, inputs: int, outputs: int):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(outputs, inputs))
        self.bias = nn.Parameter(torch.empty(outputs))
        self.reset_parameters()

    def reset_parameters(self):
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        fan_in, fan_out = init._calculate_fan_in_and_fan_out(self.weight)
        bound = 1 / math.sqrt(fan_in)
        init.uniform_(self.bias, -bound, bound)
        init.constant_(self.weight, float(fan_out))

    def forward(self, x, skip):
        # type: (Tensor, bool)
        return x if skip else nn.functional.linear(x, self.weight, self.bias * 0)


def main():
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    affine = Affine(2, 3).to(device)
    other = Affine(2, 3).to("cpu").to(torch.float64).to(device=device, dtype=torch.float32)
    x = torch.ones(2, device=device)
    with torch.jit.optimized_execution(False), torch.jit.fuser("fuser1"):
        scripted = torch.jit.script(affine, None).to(device)
        found = [scripted(x, False).tolist(), scripted(x, True).tolist(), other(x, False).tolist()]
    torch.jit.set_fusion_strategy([("STATIC", 2), ("DYNAMIC", 2)])
    try:
        torch.jit.script(fails)(0)
    except (torch.jit.Error, ZeroDivisionError):
        found.append("caught")
    resized = torch.jit.trace(resize, torch.zeros(1, 1, 4, 4), check_trace=False)
    return [*found, other.weight.dtype == torch.float32, list(resized(torch.zeros(1, 1, 3, 5)).shape)]


def resize(x):
    return nn.functional.interpolate(x, scale_factor=2.0, mode="bilinear", align_corners=False)


def fails(n: int) -> int:
    if n == 0:
        raise ValueError("zero")
    return n
