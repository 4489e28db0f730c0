"""Tracing a function, a module, and several methods of a module."""
import torch
import torch.nn as nn


def foo(x, y):
    return 2 * x + y


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 1, 3)
        with torch.no_grad():
            self.conv.weight.copy_(torch.arange(9).reshape(1, 1, 3, 3).float() / 9)
            self.conv.bias.fill_(-1.0)

    def forward(self, x):
        return self.conv(x)

    def weighted_kernel_sum(self, weight):
        return weight * self.conv.weight


def main():
    traced = torch.jit.trace(foo, (torch.rand(3), torch.rand(3)))
    net = Net()
    weight = torch.ones(1, 1, 3, 3)
    image = torch.arange(16).reshape(1, 1, 4, 4).float()
    module = torch.jit.trace_module(net, {"forward": image, "weighted_kernel_sum": weight})
    alone = torch.jit.trace(net, image)
    return [traced(torch.ones(3), torch.zeros(3)).tolist(), module(image).tolist(),
            module.weighted_kernel_sum(weight * 2).tolist(), alone(image * 2).tolist()]
