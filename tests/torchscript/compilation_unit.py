"""Functions and methods from text."""
import torch


def main():
    cu = torch.jit.CompilationUnit("""
def relu_twice(x):
    y = torch.relu(x)
    return y + y

def power(base, exponent):
    # type: (int, int) -> int
    result = 1
    while exponent > 0:
        result = result * base
        exponent = exponent - 1
    return result

def names(items):
    # type: (List[str]) -> Dict[str, int]
    out = torch.jit.annotate(Dict[str, int], {})
    for i, name in enumerate(items):
        out[name] = i
    return out
""")
    cu.define("def cube(n: int) -> int:\n    return n * n * n\n")
    return [cu.relu_twice(torch.tensor([-1.0, 2.0])).tolist(), cu.power(3, 4), cu.cube(5), cu.names(["a", "b"])]
