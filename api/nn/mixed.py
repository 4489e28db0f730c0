"""Linear layers whose weights are stored in 8 or 16 bits: MixedLinear, and to_mixed, which puts them into a module.

In: float32 layers. Out: layers that compute in float32 with int8 or bfloat16 weights. Holds: inputs, sums and biases
stay float32. Products of few rows are bound by the reading of weights, which takes a quarter or half of the time.
"""

from __future__ import annotations

import numpy as np

from ..binding import functions
from ..binding.dtype import DType
from ..binding.tensor import Tensor, from_numpy
from . import functional as F
from .linear import Linear
from .module import Module
from .parameter import Parameter

_zeros = functions.namespace("tsm.")["zeros"]


class MixedLinear(Module):
    """input @ (weight * scale).T + bias: float32 (*, in_features) to float32 (*, out_features).

    `weight` is a buffer (out_features, in_features) of `dtype`, tsm.int8 or tsm.bfloat16; an int8 one has a float32
    `scale` for each row, a bfloat16 one has None. ValueError for another dtype."""

    in_features: int
    out_features: int

    def __init__(self, in_features: int, out_features: int, bias: bool = True, dtype: DType = DType.int8) -> None:
        super().__init__()
        if dtype not in (DType.int8, DType.bfloat16):
            raise ValueError(f"weights can be tsm.int8 or tsm.bfloat16, not {dtype}")
        self.in_features = in_features
        self.out_features = out_features
        self.register_buffer("weight", _zeros((out_features, in_features), dtype=dtype))
        self.register_buffer("scale", _zeros((out_features,)) if dtype == DType.int8 else None)
        self.register_parameter("bias", Parameter(_zeros((out_features,))) if bias else None)

    @classmethod
    def from_linear(cls, layer: Linear, dtype: DType = DType.int8) -> MixedLinear:
        """A layer with the float32 weights of `layer`, rounded to the nearest number of `dtype`: for int8 to 127
        steps of a row's largest absolute value either way. The bias is shared. ValueError for weights that are not
        float32 or, for int8, not finite."""
        if layer.weight.dtype != DType.float32:
            raise ValueError(f"the weights of a float32 layer are needed, not {layer.weight.dtype}")
        made = cls(layer.in_features, layer.out_features, False, dtype)
        made.register_parameter("bias", layer.bias)
        if dtype == DType.int8:
            made.weight, made.scale = _rows_to_int8(layer.weight.detach().numpy())
        else:
            made.weight = layer.weight.detach().to(dtype)
        return made.train(layer.training)

    def forward(self, input: Tensor) -> Tensor:
        return F.linear_mixed(input, self.weight, self.scale, self.bias)

    def extra_repr(self) -> str:
        return (
            f"in_features={self.in_features}, out_features={self.out_features}, bias={self.bias is not None}, "
            f"dtype={self.weight.dtype}"
        )


def _rows_to_int8(weight: np.ndarray) -> tuple[Tensor, Tensor]:
    """Numbers from -127 to 127 and a positive scale for each row."""
    if not np.isfinite(weight).all():
        raise ValueError("weights that are infinite or NaN have no int8 form")
    largest = np.abs(weight).max(axis=1, initial=0.0)
    scale = np.maximum(largest / np.float32(127), np.finfo(np.float32).tiny)
    steps = np.clip(np.rint(weight / scale[:, None]), -127, 127)
    return from_numpy(steps.astype(np.int8)), from_numpy(scale.astype(np.float32))


def to_mixed(module: Module, dtype: DType = DType.int8) -> Module:
    """Replaces every `Linear` in `module` by a `MixedLinear` with weights of `dtype`, tsm.int8 or tsm.bfloat16; changes
    and returns `module`, or returns the new layer if it is itself a Linear. A layer found in several places stays one.
    Subclasses of Linear, and weights that a module multiplies itself, stay as they are. ValueError as `MixedLinear`."""
    return _replaced(module, dtype, {})


def _replaced(module: Module, dtype: DType, done: dict[int, Module]) -> Module:
    if id(module) in done:
        return done[id(module)]
    done[id(module)] = module
    if type(module) is Linear:
        done[id(module)] = MixedLinear.from_linear(module, dtype)
    else:
        for name, child in module._modules.items():
            if child is not None:
                module._modules[name] = _replaced(child, dtype, done)
    return done[id(module)]
