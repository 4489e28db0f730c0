"""A function without annotations, typed by example inputs; a lambda of tensors; default arguments."""
import torch


def scaled(x, factor=2.0, flip=False):
    # type: (torch.Tensor, float, bool) -> torch.Tensor
    return -x * factor if flip else x * factor


def untyped(x, y):
    return torch.where(x > y, x, y) - torch.min(x, y)


def main():
    f = torch.jit.script(scaled)
    g = torch.jit.script(untyped)
    x = torch.tensor([1.0, -2.0])
    return [f(x).tolist(), f(x, flip=True).tolist(), f(x, 0.5).tolist(), g(x, -x).tolist()]
