"""Optional submodules and attributes, hasattr, Final flags."""
from typing import Optional

import torch
from torch import Tensor, nn


class Block(nn.Module):
    use_skip: torch.jit.Final[bool]
    gate: Optional[Tensor]

    def __init__(self, width, down, use_skip):
        super().__init__()
        self.body = nn.Linear(width, width, bias=False)
        self.down = nn.Linear(width, width, bias=False) if down else None
        self.use_skip = use_skip
        self.gate = None
        nn.init.constant_(self.body.weight, 0.25)
        if self.down is not None:
            nn.init.constant_(self.down.weight, -0.5)

    def forward(self, x: Tensor) -> Tensor:
        identity = x
        out = torch.relu(self.body(x))
        if self.down is not None:
            identity = self.down(x)
        if self.use_skip:
            out = out + identity
        gate = self.gate
        if gate is not None:
            out = out * gate
        return out

    @torch.jit.export
    def set_gate(self, gate: Optional[Tensor]):
        self.gate = gate


def main():
    x = torch.tensor([[1.0, -2.0, 3.0], [0.5, 0.5, -4.0]])
    out = []
    for down in (False, True):
        for skip in (False, True):
            m = torch.jit.script(Block(3, down, skip))
            out.append(m(x).tolist())
            m.set_gate(torch.tensor([0.0, 1.0, 2.0]))
            out.append(m(x).tolist())
            m.set_gate(None)
            out.append(m(x).tolist())
    return out
