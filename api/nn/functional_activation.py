"""Activation functions as plain scripted Python: PyTorch's signatures, with `inplace` and derived functions.

In: a tensor. Out: one of the same shape; with `inplace` the input itself, overwritten. Holds: each is a few operators,
in the order in which PyTorch computes them.
"""

from __future__ import annotations

from ..binding import functions
from ..binding.dtype import DType
from ..binding.tensor import Tensor

_F, _tsm = functions.namespace("F."), functions.namespace("tsm.")
_relu, _relu_, _elu, _silu = _F["relu"], _F["relu_"], _F["elu"], _F["silu"]
_hardtanh, _hardsigmoid, _hardswish, _leaky_relu = _F["hardtanh"], _F["hardsigmoid"], _F["hardswish"], _F["leaky_relu"]
_softplus, _dropout, _where = _F["softplus"], _F["dropout"], _tsm["where"]


def relu(input: Tensor, inplace: bool = False) -> Tensor:
    """max(input, 0)."""
    if inplace:
        return _relu_(input)
    return _relu(input)


def hardtanh(input: Tensor, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> Tensor:
    """input limited to [min_val, max_val]; integer tensors keep their dtype."""
    made = _hardtanh(input, min_val, max_val)
    return input.copy_(made) if inplace else made


def relu6(input: Tensor, inplace: bool = False) -> Tensor:
    """input limited to [0, 6]."""
    return hardtanh(input, 0.0, 6.0, inplace)


def hardsigmoid(input: Tensor, inplace: bool = False) -> Tensor:
    """(input + 3, limited to [0, 6]) / 6."""
    made = _hardsigmoid(input)
    return input.copy_(made) if inplace else made


def hardswish(input: Tensor, inplace: bool = False) -> Tensor:
    """input * hardsigmoid(input)."""
    made = _hardswish(input)
    return input.copy_(made) if inplace else made


def leaky_relu(input: Tensor, negative_slope: float = 0.01, inplace: bool = False) -> Tensor:
    """input, or input * negative_slope below zero."""
    made = _leaky_relu(input, negative_slope)
    return input.copy_(made) if inplace else made


def elu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """input, or alpha * (exp(input) - 1) below zero."""
    made = _elu(input, alpha)
    return input.copy_(made) if inplace else made


def silu(input: Tensor, inplace: bool = False) -> Tensor:
    """input * sigmoid(input)."""
    made = _silu(input)
    return input.copy_(made) if inplace else made


def selu(input: Tensor, inplace: bool = False) -> Tensor:
    """elu with the alpha and the scale of self-normalising networks (Klambauer et al., 2017)."""
    made = _where(input > 0, input * 1.0507009873554804934193349852946, input.expm1() * 1.7580993408473768)
    return input.copy_(made) if inplace else made


def celu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """input, or alpha * (exp(input / alpha) - 1) below zero; alpha 0 raises RuntimeError."""
    if alpha == 0.0:
        raise RuntimeError("celu: ZeroDivisionError: alpha cannot be 0")
    made = _where(input > 0, input, (input * (1.0 / alpha)).expm1() * alpha)
    return input.copy_(made) if inplace else made


def mish(input: Tensor, inplace: bool = False) -> Tensor:
    """input * tanh(softplus(input))."""
    made = input * _softplus(input).tanh()
    return input.copy_(made) if inplace else made


def prelu(input: Tensor, weight: Tensor) -> Tensor:
    """input, or input * weight below zero; weight has one element, or one for each channel (dimension 1)."""
    factor = weight
    if weight.dim() == 1 and weight.numel() > 1 and input.dim() > 2:
        factor = weight.reshape([-1] + [1] * (input.dim() - 2))
    elif input.dim() == 0:
        factor = weight.reshape([])
    return _where(input > 0, input, input * factor)


def softsign(input: Tensor) -> Tensor:
    """input / (1 + |input|)."""
    return input / (input.abs() + 1)


def logsigmoid(input: Tensor) -> Tensor:
    """log(sigmoid(input)), without overflow."""
    return input.clamp(max=0.0) - (-input.abs()).exp().log1p()


def tanhshrink(input: Tensor) -> Tensor:
    """input - tanh(input)."""
    return input - input.tanh()


def hardshrink(input: Tensor, lambd: float = 0.5) -> Tensor:
    """input, or 0 within [-lambd, lambd]."""
    return _where((input >= -lambd) & (input <= lambd), 0.0, input)


def softshrink(input: Tensor, lambd: float = 0.5) -> Tensor:
    """input moved by lambd toward 0, at most to 0. ValueError for a negative lambd."""
    if lambd < 0.0:
        raise ValueError("softshrink: lambd must not be negative")
    return _where(input > lambd, input - lambd, _where(input < -lambd, input + lambd, input * 0.0))


def threshold(input: Tensor, threshold: float, value: float, inplace: bool = False) -> Tensor:
    """input where above the threshold, else value."""
    made = _where(input <= threshold, value, input)
    return input.copy_(made) if inplace else made


def glu(input: Tensor, dim: int = -1) -> Tensor:
    """First half along dim * sigmoid(second half). RuntimeError for an odd extent."""
    extent = input.size(dim)
    if extent % 2 != 0:
        raise RuntimeError("glu: the extent of the halved dimension must be even")
    half = extent // 2
    return input.narrow(dim, 0, half) * input.narrow(dim, half, half).sigmoid()


def implied_dim(input: Tensor) -> int:
    """The dimension that softmax takes if none is given: the classes of PyTorch's first layouts."""
    return 0 if input.dim() in (0, 1, 3) else 1


def softmin(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: DType | None = None) -> Tensor:
    """softmax(-input), in a dtype."""
    along = implied_dim(input) if dim is None else dim
    return (-input if dtype is None else (-input).to(dtype)).softmax(along)


def dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Zeroes elements with probability p and scales the others by 1 / (1 - p), when training."""
    made = _dropout(input, p, training)
    return input.copy_(made) if inplace else made
