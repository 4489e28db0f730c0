"""A learned pair potential as a molecular-dynamics code calls it: neighbours, cutoff, per-type embeddings."""
import math
from typing import Dict, Final, List, Optional

import torch
import torch.nn as nn
from torch import Tensor


class RadialBasis(nn.Module):
    cutoff: Final[float]

    def __init__(self, count: int, cutoff: float):
        super().__init__()
        self.cutoff = cutoff
        self.register_buffer("freqs", torch.arange(1, count + 1).float() * math.pi / cutoff)

    def forward(self, r: Tensor) -> Tensor:
        envelope = 0.5 * (torch.cos(r * (math.pi / self.cutoff)) + 1.0)
        return torch.sin(r.unsqueeze(-1) * self.freqs) / r.unsqueeze(-1) * envelope.unsqueeze(-1)


class Potential(nn.Module):
    type_names: List[str]

    def __init__(self, type_names: List[str], cutoff: float = 3.0):
        super().__init__()
        self.type_names = type_names
        self.basis = RadialBasis(4, cutoff)
        self.embed = nn.Embedding(len(type_names), 4)
        self.mlp = nn.Sequential(nn.Linear(4, 8), nn.SiLU(), nn.Linear(8, 1))
        for i, p in enumerate(self.parameters()):
            nn.init.constant_(p, 0.1 * (i + 1))

    def forward(self, data: Dict[str, Tensor], shift: Optional[Tensor] = None) -> Dict[str, Tensor]:
        pos, types = data["pos"], data["types"]
        n = pos.size(0)
        diff = pos.unsqueeze(0) - pos.unsqueeze(1)
        r = (diff * diff).sum(dim=-1).sqrt() + torch.eye(n) * 1e6
        pairs = torch.nonzero(r < self.basis.cutoff)
        features = self.basis(r[pairs[:, 0], pairs[:, 1]]) * self.embed(types)[pairs[:, 1]]
        energies = torch.zeros(n).index_add_(0, pairs[:, 0], self.mlp(features).squeeze(-1))
        if shift is not None:
            energies = energies + shift[types]
        return {"energy": energies.sum(), "energies": energies}

    @torch.jit.export
    def index(self, name: str) -> int:
        return self.type_names.index(name)


def main():
    m = torch.jit.script(Potential(["H", "O"]))
    pos = torch.tensor([[0.0, 0, 0], [1, 0, 0], [0, 1.5, 0], [9, 9, 9]])
    types = torch.tensor([0, 1, 0, 1])
    a = m({"pos": pos, "types": types})
    b = m({"pos": pos, "types": types}, torch.tensor([1.0, -2.0]))
    return [a["energy"].item(), a["energies"].tolist(), b["energies"].tolist(), m.index("O")]
