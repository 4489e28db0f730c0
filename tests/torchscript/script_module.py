"""The oldest spelling: a ScriptModule with script methods, constants, attributes and defined text."""
from typing import Dict

import torch


class OldNet(torch.jit.ScriptModule):
    __constants__ = ["repeat", "slope"]

    def __init__(self, size, repeat):
        super(OldNet, self).__init__()
        self.weight = torch.nn.Parameter(torch.ones(size, size) * 0.5)
        self.repeat = repeat
        self.slope = 0.1
        self.counts = torch.jit.Attribute({}, Dict[str, int])

    @torch.jit.script_method
    def forward(self, x):
        for _ in range(self.repeat):
            x = self.step(x)
        return x

    @torch.jit.script_method
    def step(self, x):
        y = x.mm(self.weight)
        return torch.max(y, y * self.slope)

    @torch.jit.script_method
    def count(self, name: str) -> int:
        if name not in self.counts:
            self.counts[name] = 0
        self.counts[name] += 1
        return self.counts[name]


class FromText(torch.jit.ScriptModule):
    def __init__(self):
        super().__init__()
        self.bias = torch.nn.Parameter(torch.tensor([1.0, -1.0]))
        self.define("""
            def forward(self, x):
                return x + self.bias
        """)


def main():
    net = OldNet(2, 3)
    x = torch.tensor([[1.0, -2.0]])
    return [net(x).tolist(), net.step(x).tolist(), net.count("a"), net.count("b"), net.count("a"),
            FromText()(x).tolist(), isinstance(net, torch.jit.ScriptModule),
            isinstance(torch.jit.script(torch.nn.Linear(2, 2)), torch.jit.ScriptModule)]
