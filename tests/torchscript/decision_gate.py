"""A cell with a data-dependent gate, scripted, inside a cell that is traced, inside a loop that is scripted."""
import torch
import torch.nn as nn


class MyDecisionGate(nn.Module):
    def forward(self, x):
        if x.sum() > 0:
            return x
        else:
            return -x


class MyCell(nn.Module):
    def __init__(self, dg):
        super(MyCell, self).__init__()
        self.dg = dg
        self.linear = nn.Linear(4, 4)

    def forward(self, x, h):
        new_h = torch.tanh(self.dg(self.linear(x)) + h)
        return new_h, new_h


class MyRNNLoop(nn.Module):
    def __init__(self, cell, x, h):
        super(MyRNNLoop, self).__init__()
        self.cell = torch.jit.trace(cell, (x, h))

    def forward(self, xs):
        h, y = torch.zeros(3, 4), torch.zeros(3, 4)
        for i in range(xs.size(0)):
            y, h = self.cell(xs[i], h)
        return y, h


class WrapRNN(nn.Module):
    def __init__(self, loop):
        super(WrapRNN, self).__init__()
        self.loop = loop

    def forward(self, xs):
        y, h = self.loop(xs)
        return torch.relu(y)


def main():
    cell = MyCell(torch.jit.script(MyDecisionGate()))
    with torch.no_grad():
        cell.linear.weight.copy_(torch.arange(16).reshape(4, 4) / 10 - 0.8)
        cell.linear.bias.fill_(0.1)
    x, h = torch.ones(3, 4) * 0.3, torch.zeros(3, 4)
    loop = torch.jit.script(MyRNNLoop(cell, x, h))
    xs = torch.arange(60).reshape(5, 3, 4).float() / 30 - 1.013
    y, h = loop(xs)
    wrapped = torch.jit.script(WrapRNN(MyRNNLoop(cell, x, h.detach())))
    return [y.tolist(), h.tolist(), wrapped(xs).tolist(), wrapped(-xs).tolist()]
