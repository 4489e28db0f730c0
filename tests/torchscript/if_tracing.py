"""A loop kept by script_if_tracing inside a traced function."""
import torch


@torch.jit.script_if_tracing
def first_above(values: torch.Tensor, limit: torch.Tensor) -> torch.Tensor:
    found = torch.zeros(1)
    for i in range(values.size(0)):
        if bool(found[0] == 0) and bool(values[i] > limit):
            found = values[i:i + 1]
    return found


def pick(values):
    return first_above(values, torch.ones(1)) * 2


def main():
    traced = torch.jit.trace(pick, torch.tensor([0.5, 1.5, 2.5]))
    return [traced(torch.tensor([0.0, 0.5, 7.0])).tolist(), traced(torch.tensor([3.0, 0.5])).tolist(),
            pick(torch.tensor([3.0, 9.0])).tolist()]
