"""Modules of the oldest spelling inside one another, and inside modules that are scripted or traced."""
import torch
import torch.nn as nn


class Inner(torch.jit.ScriptModule):
    def __init__(self, size):
        super(Inner, self).__init__()
        self.weight = nn.Parameter(torch.ones(size, size))

    @torch.jit.script_method
    def forward(self, x):
        return x.mm(self.weight)


class Outer(torch.jit.ScriptModule):
    __constants__ = ["times"]

    def __init__(self):
        super(Outer, self).__init__()
        self.first = Inner(2)
        self.second = Inner(2)
        self.bias = nn.Parameter(torch.zeros(2))
        self.times = 2

    @torch.jit.script_method
    def forward(self, x):
        for _ in range(self.times):
            x = self.first(x) + self.second(x)
        return x + self.bias


class Around(nn.Module):
    def __init__(self):
        super().__init__()
        self.inside = Outer()

    def forward(self, x):
        return self.inside(x) - 1


def main():
    x = torch.ones(1, 2)
    outer, around = Outer(), Around()
    found = [outer(x).tolist(), outer.first(x).tolist(), around(x).tolist(), torch.jit.script(around)(x).tolist()]
    found += [torch.jit.trace(around, x)(x * 2).tolist(), sorted(around.state_dict())]
    outer.bias = nn.Parameter(torch.ones(2))
    with torch.no_grad():
        outer.first.weight.zero_()
    return [*found, outer(x).tolist(), outer.bias.tolist()]
