"""Weights that are computed, in the layout of PyTorch's parametrizations: `module.parametrizations.weight.original0`.

In: a module and the name of its weight. Out: the module. Holds: a hook computes the weight before each call, eagerly
and in scripts; parametrize.remove_parametrizations makes it one parameter again.
"""

from __future__ import annotations

from typing import Any, TypeVar

from ...absent import of_module
from ..container import ModuleDict
from ..module import Module
from ..parameter import Parameter
from .weights import norm_except

T = TypeVar("T", bound=Module)


class Originals(Module):
    """What a weight is made of: its lengths, `original0`, and directions, `original1`."""

    def __init__(self, lengths: Parameter, directions: Parameter) -> None:
        super().__init__()
        self.original0 = lengths
        self.original1 = directions


def weight_norm(module: T, name: str = "weight", dim: int | None = 0) -> T:
    """The weight as a direction times a length of each slice along dim, of all elements for None."""
    if hasattr(module, "parametrizations"):
        raise NotImplementedError("a module has one computed weight")
    weight = getattr(module, name)
    kept = -1 if dim is None else dim + weight.dim() if dim < -1 else dim
    delattr(module, name)
    parts = Originals(Parameter(norm_except(weight, kept)), Parameter(weight.detach()))
    module.add_module("parametrizations", ModuleDict({name: parts}))

    def compute(module: Module, inputs: tuple[Any, ...]) -> None:
        made = module.parametrizations[name]
        setattr(module, name, made.original1 * (made.original0 / norm_except(made.original1, kept)))

    compute(module, ())
    compute.kind = ("parametrization", name)  # type: ignore[attr-defined]
    module.register_forward_pre_hook(compute)
    return module


__getattr__ = of_module("nn.utils.parametrizations")
