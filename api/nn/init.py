"""Initial values of parameters, as PyTorch's torch.nn.init defines them. All write in place and return the tensor."""

from __future__ import annotations

import math
from typing import Any

from ..binding.tensor import Tensor

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


def uniform_(tensor: Tensor, a: float = 0.0, b: float = 1.0) -> Any:
    return tensor.uniform_(a, b)


def normal_(tensor: Tensor, mean: float = 0.0, std: float = 1.0) -> Any:
    return tensor.normal_(mean, std)


def constant_(tensor: Tensor, val: float) -> Any:
    return tensor.fill_(val)


def zeros_(tensor: Tensor) -> Any:
    return tensor.zero_()


def ones_(tensor: Tensor) -> Any:
    return tensor.fill_(1.0)


def kaiming_uniform_(tensor: Tensor, a: float = 0.0, mode: str = "fan_in", nonlinearity: str = "leaky_relu") -> Any:
    """Uniform in +-gain * sqrt(3 / fan) (He et al. 2015)."""
    bound = calculate_gain(nonlinearity, a) * math.sqrt(3.0 / fans(tensor)[mode == "fan_out"])
    return tensor.uniform_(-bound, bound)


def kaiming_normal_(tensor: Tensor, a: float = 0.0, mode: str = "fan_in", nonlinearity: str = "leaky_relu") -> Any:
    """Normal with deviation gain / sqrt(fan) (He et al. 2015)."""
    return tensor.normal_(0.0, calculate_gain(nonlinearity, a) / math.sqrt(fans(tensor)[mode == "fan_out"]))


def xavier_uniform_(tensor: Tensor, gain: float = 1.0) -> Any:
    """Uniform in +-gain * sqrt(6 / (fan in + fan out)) (Glorot and Bengio 2010)."""
    bound = gain * math.sqrt(6.0 / sum(fans(tensor)))
    return tensor.uniform_(-bound, bound)


def xavier_normal_(tensor: Tensor, gain: float = 1.0) -> Any:
    """Normal with deviation gain * sqrt(2 / (fan in + fan out)) (Glorot and Bengio 2010)."""
    return tensor.normal_(0.0, gain * math.sqrt(2.0 / sum(fans(tensor))))
