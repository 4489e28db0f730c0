"""In-place forms of activations: `F.selu_(x)`.

In: a tensor to write. Out: the same tensor.
"""

from __future__ import annotations

from ..binding.tensor import Tensor
from ..written.spelling import spelled
from .functional_activation import celu, elu, hardtanh, leaky_relu, selu
from .functional_activation import threshold as above_threshold
from .functional_sequence_loss import rrelu


@spelled("F.celu_")
def celu_(input: Tensor, alpha: float = 1.0) -> Tensor:
    """input = celu(input)."""
    return celu(input, alpha, True)


@spelled("F.elu_")
def elu_(input: Tensor, alpha: float = 1.0) -> Tensor:
    """input = elu(input)."""
    return elu(input, alpha, True)


@spelled("F.hardtanh_")
def hardtanh_(input: Tensor, min_val: float = -1.0, max_val: float = 1.0) -> Tensor:
    """input = hardtanh(input)."""
    return hardtanh(input, min_val, max_val, True)


@spelled("F.leaky_relu_")
def leaky_relu_(input: Tensor, negative_slope: float = 0.01) -> Tensor:
    """input = leaky_relu(input)."""
    return leaky_relu(input, negative_slope, True)


@spelled("F.selu_")
def selu_(input: Tensor) -> Tensor:
    """input = selu(input)."""
    return selu(input, True)


@spelled("F.threshold_")
def threshold_(input: Tensor, threshold: float, value: float) -> Tensor:
    """input = threshold(input)."""
    return above_threshold(input, threshold, value, True)


@spelled("F.rrelu_")
def rrelu_(input: Tensor, lower: float = 1.0 / 8, upper: float = 1.0 / 3, training: bool = False) -> Tensor:
    """input = rrelu(input)."""
    return rrelu(input, lower, upper, training, True)
