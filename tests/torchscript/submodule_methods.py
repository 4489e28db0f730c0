"""What Python does with the modules below a scripted one: calls, walks, settings, other modules in their place."""
import copy

import torch
import torch.nn as nn
from torch import Tensor


@torch.jit.interface
class Step(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        pass


class Scale(nn.Module):
    def __init__(self, factor: float):
        super().__init__()
        self.factor = factor

    def forward(self, x: Tensor) -> Tensor:
        return x * self.factor

    @torch.jit.export
    def repeated(self, x: Tensor, times: int = 2) -> Tensor:
        return x * times

    @torch.jit.ignore
    def described(self) -> str:
        return "scale"


class Half(nn.Module):
    def __init__(self):
        super().__init__()
        self.calls = 0

    def forward(self, x: Tensor) -> Tensor:
        self.calls += 1
        return x * 0.5


class Shift(nn.Module):
    def __init__(self):
        super().__init__()
        self.bias = nn.Parameter(torch.ones(2) * 7)

    def forward(self, x: Tensor) -> Tensor:
        return x + self.bias


class Model(nn.Module):
    step: Step

    def __init__(self, step):
        super().__init__()
        self.step = step
        self.layers = nn.ModuleList([Scale(2.0), Scale(3.0)])
        self.count = 0

    def forward(self, x: Tensor) -> Tensor:
        self.count += 1
        for layer in self.layers:
            x = layer(x)
        return self.finish(self.step(x))

    def finish(self, x: Tensor) -> Tensor:
        return x + self.count


def main():
    x = torch.ones(2)
    model = torch.jit.script(Model(Half()))
    found = [model(x).tolist(), model.finish(x).tolist(), model.step(x).tolist(), model.layers[1].forward(x).tolist()]
    found += [model.layers[0].repeated(x).tolist(), model.layers[0].repeated(x, times=5).tolist(), model.count]
    found += [model.step.calls, len(model.layers), [layer(x).tolist() for layer in model.layers]]
    found += [model.layers[0].factor, model.original_name, model.step.original_name, hasattr(model, "nothing")]
    model.count = 10
    model.step = torch.jit.script(Shift())
    found += [model(x).tolist(), model.count, model.layers[0].factor, [name for name, _ in model.named_parameters()]]
    twin = copy.deepcopy(model)
    with torch.no_grad():
        twin.step.bias.fill_(0.0)
    found += [twin(x).tolist(), model(x).tolist(), twin.count, model.count]
    names = []
    model.apply(lambda module: names.append(module.original_name))
    return [*found, names, [name for name, _ in model.named_children()]]
