"""Initial values of parameters, as PyTorch's torch.nn.init defines them. All write in place and return the tensor."""

from __future__ import annotations

import math
from typing import Any

from ..binding import functions
from ..binding.dtype import DType
from ..binding.tensor import Tensor
from ..written.generators import Generator, state_of

_rows = functions.namespace("tsm.")
_GAINS = {"linear": 1.0, "conv1d": 1.0, "conv2d": 1.0, "sigmoid": 1.0, "tanh": 5.0 / 3, "relu": math.sqrt(2.0)}


def calculate_gain(nonlinearity: str, param: float | None = None) -> float:
    """Factor by which a nonlinearity's input should be larger. ValueError for an unknown one."""
    if nonlinearity == "leaky_relu":
        slope = 0.01 if param is None else param
        return math.sqrt(2.0 / (1 + slope**2))
    if nonlinearity not in _GAINS:
        raise ValueError(f"unsupported nonlinearity {nonlinearity}")
    return _GAINS[nonlinearity]


def fans(tensor: Tensor) -> tuple[int, int]:
    """Inputs and outputs of one unit of a weight of shape (out, in, ...). ValueError below 2 dimensions."""
    if tensor.ndim < 2:
        raise ValueError("fan in and fan out can not be computed for a tensor with fewer than 2 dimensions")
    window = math.prod(tensor.shape[2:])
    return tensor.shape[1] * window, tensor.shape[0] * window


_calculate_fan_in_and_fan_out = fans  # models that set their own initial values call it so


def uniform_(tensor: Tensor, a: float = 0.0, b: float = 1.0, generator: Generator | None = None) -> Any:
    return tensor.uniform_(a, b, generator=state_of(generator))


def normal_(tensor: Tensor, mean: float = 0.0, std: float = 1.0, generator: Generator | None = None) -> Any:
    return tensor.normal_(mean, std, generator=state_of(generator))


def constant_(tensor: Tensor, val: float) -> Any:
    return tensor.fill_(val)


def zeros_(tensor: Tensor) -> Any:
    return tensor.zero_()


def ones_(tensor: Tensor) -> Any:
    return tensor.fill_(1.0)


def kaiming_uniform_(
    tensor: Tensor, a: float = 0.0, mode: str = "fan_in", nonlinearity: str = "leaky_relu",
    generator: Generator | None = None,
) -> Any:
    """Uniform in +-gain * sqrt(3 / fan) (He et al. 2015)."""
    bound = calculate_gain(nonlinearity, a) * math.sqrt(3.0 / fans(tensor)[mode == "fan_out"])
    return tensor.uniform_(-bound, bound, generator=state_of(generator))


def kaiming_normal_(
    tensor: Tensor, a: float = 0.0, mode: str = "fan_in", nonlinearity: str = "leaky_relu",
    generator: Generator | None = None,
) -> Any:
    """Normal with deviation gain / sqrt(fan) (He et al. 2015)."""
    std = calculate_gain(nonlinearity, a) / math.sqrt(fans(tensor)[mode == "fan_out"])
    return tensor.normal_(0.0, std, generator=state_of(generator))


def xavier_uniform_(tensor: Tensor, gain: float = 1.0, generator: Generator | None = None) -> Any:
    """Uniform in +-gain * sqrt(6 / (fan in + fan out)) (Glorot and Bengio 2010)."""
    bound = gain * math.sqrt(6.0 / sum(fans(tensor)))
    return tensor.uniform_(-bound, bound, generator=state_of(generator))


def xavier_normal_(tensor: Tensor, gain: float = 1.0, generator: Generator | None = None) -> Any:
    """Normal with deviation gain * sqrt(2 / (fan in + fan out)) (Glorot and Bengio 2010)."""
    return tensor.normal_(0.0, gain * math.sqrt(2.0 / sum(fans(tensor))), generator=state_of(generator))


def eye_(tensor: Tensor) -> Any:
    """The identity. ValueError for other than 2 dimensions."""
    if tensor.ndim != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    return tensor.copy_(_rows["eye"](*tensor.shape))


def trunc_normal_(
    tensor: Tensor, mean: float = 0.0, std: float = 1.0, a: float = -2.0, b: float = 2.0,
    generator: Generator | None = None,
) -> Any:
    """Normal, within [a, b], by the inverse of the distribution."""
    low, high = (math.erf((end - mean) / std / math.sqrt(2.0)) for end in (a, b))
    drawn = _rows["rand"](tensor.shape, dtype=DType.float64, generator=state_of(generator))
    drawn = (drawn * (high - low) + low).erfinv()
    return tensor.copy_((drawn * (std * math.sqrt(2.0)) + mean).clamp(a, b))


def orthogonal_(tensor: Tensor, gain: float = 1.0, generator: Generator | None = None) -> Any:
    """Orthonormal rows or columns, whichever are fewer, of the weight as a matrix (Saxe et al. 2013)."""
    if tensor.ndim < 2:
        raise ValueError("Only tensors with 2 or more dimensions are supported")
    units, inputs = tensor.shape[0], math.prod(tensor.shape[1:])
    size = [min(units, inputs), max(units, inputs)]
    drawn = _rows["randn"](size, dtype=DType.float64, generator=state_of(generator))
    for i in range(drawn.shape[0]):
        for _ in range(2):  # once more, for what rounding left
            drawn[i] -= drawn[i] @ drawn[:i].t() @ drawn[:i]
        drawn[i] /= drawn[i].norm()
    return tensor.copy_((drawn if units <= inputs else drawn.t()).reshape(tensor.shape) * gain)


def sparse_(tensor: Tensor, sparsity: float, std: float = 0.01, generator: Generator | None = None) -> Any:
    """Normal, with a share of each column that is 0 (Martens 2010)."""
    if tensor.ndim != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    rows, columns = tensor.shape
    tensor.normal_(0.0, std, generator=state_of(generator))
    for column in range(columns):
        drawn = _rows["rand"]([rows], generator=state_of(generator))
        tensor[drawn.argsort()[: math.ceil(sparsity * rows)], column] = 0.0
    return tensor


def dirac_(tensor: Tensor, groups: int = 1) -> Any:
    """A convolution that gives its input, as far as there are channels."""
    if tensor.ndim not in (3, 4, 5):
        raise ValueError("Only tensors with 3, 4, or 5 dimensions are supported")
    if tensor.shape[0] % groups:
        raise ValueError("dim 0 must be divisible by groups")
    tensor.zero_()
    per_group = tensor.shape[0] // groups
    for group in range(groups):
        for i in range(min(per_group, tensor.shape[1])):
            centre = (group * per_group + i, i, *(extent // 2 for extent in tensor.shape[2:]))
            tensor[centre] = 1.0
    return tensor
