"""freeze and optimize_for_inference."""
import torch
import torch.nn as nn


class Small(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 2, 3, bias=False)
        self.bn = nn.BatchNorm2d(2)
        self.scale = 3.0
        with torch.no_grad():
            self.conv.weight.copy_(torch.arange(18).reshape(2, 1, 3, 3).float() / 18)
            self.bn.running_mean.copy_(torch.tensor([0.5, -0.5]))

    def forward(self, x):
        return torch.relu(self.bn(self.conv(x))) * self.scale

    @torch.jit.export
    def half(self, x):
        return x / 2


def main():
    m = torch.jit.script(Small().eval())
    frozen = torch.jit.freeze(m, preserved_attrs=["half"])
    x = torch.arange(25).reshape(1, 1, 5, 5).float() / 25
    fast = torch.jit.optimize_for_inference(torch.jit.script(Small().eval()))
    return [frozen(x).tolist(), frozen.half(x).tolist(), fast(x).tolist(), hasattr(frozen, "scale")]
