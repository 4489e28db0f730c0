"""Sequential, ModuleList with enumerate, ModuleDict, zip of module lists."""
from typing import Dict, List

import torch
import torch.nn as nn


class Tower(nn.Module):
    def __init__(self, sizes: List[int]):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(a, b) for a, b in zip(sizes, sizes[1:])])
        self.norms = nn.ModuleList([nn.LayerNorm(b) for b in sizes[1:]])
        self.heads = nn.ModuleDict({"mean": nn.Linear(sizes[-1], 1), "scale": nn.Linear(sizes[-1], 2)})
        self.act = nn.Sequential(nn.Tanh(), nn.Dropout(0.3), nn.LeakyReLU(0.2))
        for i, p in enumerate(self.parameters()):
            nn.init.constant_(p, 0.05 * (i + 1))

    def forward(self, x: torch.Tensor) -> Dict[str, torch.Tensor]:
        for i, (layer, norm) in enumerate(zip(self.layers, self.norms)):
            x = layer(x)
            if i < len(self.layers) - 1:
                x = norm(x + torch.arange(x.size(-1)))
            x = self.act(x)
        out: Dict[str, torch.Tensor] = {}
        for name, head in self.heads.items():
            out[name] = head(x)
        return out


def main():
    m = torch.jit.script(Tower([3, 4, 2]).eval())
    result = m(torch.tensor([[0.1, -0.2, 0.3], [1.0, 2.0, 3.0]]))
    return [(k, v.tolist()) for k, v in result.items()]
