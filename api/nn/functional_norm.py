"""Normalisations, distances, losses and pooling as plain scripted Python on top of the table's operators."""

from __future__ import annotations

from ..binding import functions
from ..binding.tensor import Tensor
from ..written.reductions import vector_norm
from ..written.shapes import common_shape
from ..written.spelling import own

_F, _tsm = functions.namespace("F."), functions.namespace("tsm.")
_batch_norm, _group_norm = _F["batch_norm"], own["group_norm"]


def group_norm(
    input: Tensor, num_groups: int, weight: Tensor | None = None, bias: Tensor | None = None, eps: float = 1e-5
) -> Tensor:
    """(N, C, *) normalised over each of num_groups groups of channels, then scaled by channel. RuntimeError."""
    channels = input.size(1)
    if num_groups <= 0 or channels % num_groups != 0:
        raise RuntimeError("group_norm: the number of channels must be divisible by num_groups")
    return _group_norm(input, num_groups, weight, bias, eps)


def instance_norm(
    input: Tensor,
    running_mean: Tensor | None = None,
    running_var: Tensor | None = None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    use_input_stats: bool = True,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Tensor:
    """(N, C, *) normalised over each channel of each sample; by the running statistics without use_input_stats."""
    if not use_input_stats:
        return _batch_norm(input, running_mean, running_var, weight, bias, False, momentum, eps)
    if (running_mean is None) != (running_var is None):
        raise RuntimeError("Expected running_mean and running_var to be both None or neither")
    if running_mean is not None and running_var is not None:
        _follow(input, running_mean, running_var, momentum)
    return group_norm(input, input.size(1), weight, bias, eps)


def _follow(input: Tensor, running_mean: Tensor, running_var: Tensor, momentum: float) -> None:
    """Moves running statistics toward the means over samples of each channel's mean and unbiased variance."""
    flat = input.flatten(2)
    mean, var = flat.mean([2]).mean([0]), flat.var([2]).mean([0])
    running_mean.mul_(1.0 - momentum).add_(mean * momentum)
    running_var.mul_(1.0 - momentum).add_(var * momentum)


def normalize(input: Tensor, p: float = 2.0, dim: int = 1, eps: float = 1e-12) -> Tensor:
    """input / max(its p-norm along dim, eps)."""
    return input / vector_norm(input, p, [dim], True).clamp(min=eps)


def cosine_similarity(x1: Tensor, x2: Tensor, dim: int = 1, eps: float = 1e-8) -> Tensor:
    """The cosine of the angle between x1 and x2 along dim; norms are at least eps."""
    if x1.shape != x2.shape:
        shape = common_shape([list(x1.shape), list(x2.shape)])
        x1, x2 = x1.expand(shape), x2.expand(shape)
    a = x1 / vector_norm(x1, 2, [dim], True).clamp(min=eps)
    b = x2 / vector_norm(x2, 2, [dim], True).clamp(min=eps)
    return (a * b).sum([dim])


def pairwise_distance(x1: Tensor, x2: Tensor, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False) -> Tensor:
    """The p-norm of x1 - x2 + eps along the last dimension."""
    distance = vector_norm(x1 - x2 + eps, p, [-1], True)
    return distance if keepdim else distance.squeeze(-1)


def mse_loss(input: Tensor, target: Tensor, reduction: str = "mean") -> Tensor:
    """Squares of the differences; their mean, "sum", or each with "none"."""
    return _reduced((input - target).square(), reduction)


def l1_loss(input: Tensor, target: Tensor, reduction: str = "mean") -> Tensor:
    """Absolute differences; their mean, "sum", or each with "none"."""
    return _reduced((input - target).abs(), reduction)


def _reduced(each: Tensor, reduction: str) -> Tensor:
    if reduction == "none":
        return each
    if reduction == "sum":
        return each.sum()
    if reduction != "mean":
        raise ValueError(reduction + " is not a valid value for reduction")
    return each.mean()
