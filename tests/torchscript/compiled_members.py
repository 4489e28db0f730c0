"""Scripted and traced modules as members of modules that are run, scripted and traced themselves."""
import torch
import torch.nn as nn


class Gate(nn.Module):
    def __init__(self, slope: float):
        super().__init__()
        self.slope = slope
        self.seen = 0
        self.register_buffer("total", torch.zeros(1))
        self.linear = nn.Linear(2, 2, bias=False)
        nn.init.constant_(self.linear.weight, slope)

    def forward(self, x):
        self.seen += 1
        self.total += x.sum()
        if bool(x.sum() > 0):
            return self.linear(x)
        return x * self.slope


class Stack(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = torch.jit.script(Gate(0.5))
        self.line = torch.jit.trace(nn.Sequential(nn.Linear(2, 2, bias=False), nn.ReLU()), torch.ones(2))
        self.both = nn.Sequential(torch.jit.script(Gate(2.0)), nn.ReLU())
        self.many = nn.ModuleList([torch.jit.script(Gate(float(i))) for i in range(2)])
        self.named = nn.ModuleDict({"a": torch.jit.script(Gate(-1.0)), "b": nn.Identity()})

    def forward(self, x):
        x = self.both(self.gate(x))
        for each in self.many:
            x = x + each(x)
        for _, each in self.named.items():
            x = each(x)
        return x + self.line(x)


def answers(run, x):
    return [run(x).tolist(), run(-x).tolist(), run(x * 3).tolist()]


def main():
    stack = Stack()
    with torch.no_grad():
        for parameter in stack.line.parameters():
            parameter.fill_(0.25)
    x = torch.tensor([1.0, 2.0])
    found = [answers(stack, x), stack.gate.seen, stack.gate.total.tolist(), stack.many[0].seen]
    scripted = torch.jit.script(stack)
    found += [answers(scripted, x), scripted.gate.seen, scripted.gate.total.tolist()]
    stack.eval()
    found += [stack.gate.training, stack.both[0].linear.training, torch.jit.script(stack).gate.training]
    found += [sorted(stack.state_dict()), sorted(scripted.state_dict()), len(list(stack.parameters()))]
    found += [[name for name, _ in scripted.named_modules()], [name for name, _ in stack.named_buffers()]]
    found += [isinstance(stack.gate, nn.Module), isinstance(stack.many[0], torch.jit.ScriptModule)]
    traced = torch.jit.trace(stack, x)
    found += [traced(x).tolist(), traced(-x).tolist(), sorted(traced.state_dict()) == sorted(stack.state_dict())]
    stack.load_state_dict({name: torch.ones_like(value) for name, value in stack.state_dict().items()})
    return [*found, stack(x).tolist(), scripted.gate.linear.weight.tolist(), repr(scripted.both), str(stack.both)]
