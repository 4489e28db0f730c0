"""Losses as plain scripted Python: PyTorch's formulas and reductions.

In: predictions and targets. Out: a 0-d tensor, or with reduction "none" one element each. Holds: `size_average` and
`reduce`, which PyTorch has given up, are not taken; what stands behind them there is given by keyword.
"""

from __future__ import annotations

import math

from ..binding import functions
from ..binding.dtype import DType
from ..binding.tensor import Tensor
from ..written.facts import shown_dtype
from ..written.spelling import spelled
from .functional_norm import pairwise_distance

_tsm, _F = functions.namespace("tsm."), functions.namespace("F.")
_where, _log_softmax, _xlogy = _tsm["where"], _F["log_softmax"], _tsm["xlogy"]


def reduced(each: Tensor, reduction: str) -> Tensor:
    """Mean, sum, or the elements themselves. ValueError for another name."""
    if reduction == "none":
        return each
    if reduction == "sum":
        return each.sum()
    if reduction != "mean":
        raise ValueError(reduction + " is not a valid value for reduction")
    return each.mean()


def _along_classes(each: Tensor, weights: Tensor, reduction: str) -> Tensor:
    """The mean is weighted."""
    return each.sum() / weights.sum() if reduction == "mean" else reduced(each, reduction)


@spelled("F.nll_loss")
def nll_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    *,
    ignore_index: int = -100,
    reduction: str = "mean",
) -> Tensor:
    """-input[target] for log-probabilities (N, C, ...) or (C) and class indices, those equal to ignore_index left out;
    weight is one number a class. RuntimeError, ValueError for shapes that do not fit; IndexError for other classes."""
    place = 0 if input.dim() == 1 else 1
    if input.dim() == 0:
        raise ValueError("Expected 1 or more dimensions (got 0)")
    if input.dim() != 1 and input.size(0) != target.size(0):
        text = "Expected input batch_size (" + str(input.size(0)) + ") to match target batch_size ("
        raise ValueError(text + str(target.size(0)) + ").")
    if target.dtype != DType.int64 and target.dtype != DType.uint8:
        raise RuntimeError("expected target dtype to be Long or Byte, but got " + shown_dtype(target.dtype))
    is_in = target != ignore_index
    at = _where(is_in, target, 0).unsqueeze(place)
    is_out = (at < 0) | (at >= input.size(place))
    if bool(is_out.any()):
        raise IndexError(f"Target {int(at[is_out][0])} is out of bounds.")
    picked = -input.gather(place, at).squeeze(place)
    weights = is_in.to(input.dtype)
    if weight is not None:
        weights = weights * weight.index_select(0, at.reshape([-1])).reshape(list(target.shape))
    return _along_classes(_where(is_in, picked * weights, 0.0), weights, reduction)


@spelled("F.cross_entropy")
def cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    *,
    ignore_index: int = -100,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Tensor:
    """Of logits (N, C, ...) or (C): nll_loss(log_softmax(input), target) for class indices, or with probabilities of
    input's shape. RuntimeError for a label_smoothing outside [0, 1]."""
    if label_smoothing < 0.0 or label_smoothing > 1.0:
        raise RuntimeError("label_smoothing must be between 0.0 and 1.0. Got: " + str(label_smoothing))
    place = 0 if input.dim() == 1 else 1
    classes, logs = input.size(place), _log_softmax(input, place)
    line = [1] * input.dim()
    line[place] = classes
    if target.is_floating_point():
        if target.shape != input.shape:
            raise RuntimeError("cross_entropy: class probabilities must have the shape of the input")
        wanted = target * (1.0 - label_smoothing) + label_smoothing / classes if label_smoothing > 0.0 else target
        weighted = logs * wanted if weight is None else logs * wanted * weight.reshape(line)
        each = -weighted.sum([place])
        if reduction == "mean":
            return each.sum() / (input.numel() // classes)
        return reduced(each, reduction)
    plain = nll_loss(logs, target, weight, ignore_index=ignore_index, reduction=reduction)
    if label_smoothing == 0.0:
        return plain
    is_in = target != ignore_index
    scaled = logs if weight is None else logs * weight.reshape(line)
    each = _where(is_in, -scaled.sum([place]), 0.0)
    weights = is_in.to(input.dtype)
    if weight is not None:
        at = _where(is_in, target, 0)
        weights = weights * weight.index_select(0, at.reshape([-1])).reshape(list(target.shape))
    smooth = _along_classes(each, weights, reduction)
    return plain * (1.0 - label_smoothing) + smooth * (label_smoothing / classes)


@spelled("F.binary_cross_entropy")
def binary_cross_entropy(
    input: Tensor, target: Tensor, weight: Tensor | None = None, *, reduction: str = "mean"
) -> Tensor:
    """-(target * log(input) + (1 - target) * log(1 - input)), logarithms at least -100. ValueError for other shapes,
    RuntimeError outside [0, 1]."""
    if target.shape != input.shape:
        sizes = f"a target size ({target.shape}) that is different to the input size ({input.shape})"
        raise ValueError(f"Using {sizes} is deprecated. Please ensure they have the same size.")
    if bool(((input < 0) | (input > 1)).any()):
        raise RuntimeError("all elements of input should be between 0 and 1")
    if bool(((target < 0) | (target > 1)).any()):
        raise RuntimeError("all elements of target should be between 0 and 1")
    each = (target - 1.0) * (-input).log1p().clamp(min=-100.0) - target * input.log().clamp(min=-100.0)
    return reduced(each if weight is None else each * weight, reduction)


@spelled("F.binary_cross_entropy_with_logits")
def binary_cross_entropy_with_logits(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    *,
    reduction: str = "mean",
    pos_weight: Tensor | None = None,
) -> Tensor:
    """binary_cross_entropy of sigmoid(input), without overflow. ValueError for other shapes."""
    if target.shape != input.shape:
        raise ValueError(
            "Target size ("
            + str(list(target.shape))
            + ") must be the same as input size ("
            + str(list(input.shape))
            + ")"
        )
    smooth = (-input.abs()).exp().log1p() + (-input).clamp(min=0.0)
    if pos_weight is None:
        each = (1.0 - target) * input + smooth
    else:
        each = (1.0 - target) * input + ((pos_weight - 1.0) * target + 1.0) * smooth
    return reduced(each if weight is None else each * weight, reduction)


@spelled("F.smooth_l1_loss")
def smooth_l1_loss(input: Tensor, target: Tensor, *, reduction: str = "mean", beta: float = 1.0) -> Tensor:
    """Half the square over beta below beta, else the absolute difference less half of beta."""
    if beta < 0.0:
        raise RuntimeError("smooth_l1_loss does not support negative values for beta.")
    gap = (input - target).abs()
    if beta == 0.0:
        return reduced(gap, reduction)
    return reduced(_where(gap < beta, gap * gap * 0.5 / beta, gap - 0.5 * beta), reduction)


@spelled("F.huber_loss")
def huber_loss(input: Tensor, target: Tensor, *, reduction: str = "mean", delta: float = 1.0) -> Tensor:
    """Half the square up to delta, then linear."""
    if delta <= 0.0:
        raise RuntimeError("huber_loss does not support non-positive values for delta.")
    gap = (input - target).abs()
    return reduced(_where(gap <= delta, gap * gap * 0.5, (gap - 0.5 * delta) * delta), reduction)


@spelled("F.kl_div")
def kl_div(input: Tensor, target: Tensor, *, reduction: str = "mean", log_target: bool = False) -> Tensor:
    """target * (log(target) - input), target given as logarithms with log_target; "batchmean" divides by the batch."""
    each = target.exp() * (target - input) if log_target else _xlogy(target, target) - target * input
    if reduction == "batchmean":
        return each.sum() / input.size(0)
    return reduced(each, reduction)


@spelled("F.poisson_nll_loss")
def poisson_nll_loss(
    input: Tensor,
    target: Tensor,
    log_input: bool = True,
    full: bool = False,
    *,
    eps: float = 1e-8,
    reduction: str = "mean",
) -> Tensor:
    """exp(input) - target * input; of input itself without log_input; `full` adds Stirling's approximation."""
    each = input.exp() - target * input if log_input else input - target * (input + eps).log()
    if full:
        stirling = target * target.log() - target + 0.5 * (2.0 * math.pi * target).log()
        each = each + _where(target <= 1, 0.0, stirling)
    return reduced(each, reduction)


@spelled("F.gaussian_nll_loss")
def gaussian_nll_loss(
    input: Tensor, target: Tensor, var: Tensor, full: bool = False, eps: float = 1e-6, reduction: str = "mean"
) -> Tensor:
    """(log(var) + (input - target) ** 2 / var) / 2, var at least eps. ValueError for a negative variance."""
    if bool((var < 0).any()):
        raise ValueError("var has negative entry/entries")
    wide = var if var.shape == input.shape or var.dim() == input.dim() else var.unsqueeze(-1)
    limited = wide.clamp(min=eps)
    each = 0.5 * (limited.log() + (input - target).square() / limited)
    return reduced(each + 0.5 * math.log(2.0 * math.pi) if full else each, reduction)


@spelled("F.soft_margin_loss")
def soft_margin_loss(input: Tensor, target: Tensor, *, reduction: str = "mean") -> Tensor:
    """log(1 + exp(-target * input))."""
    return reduced((-target * input).exp().log1p(), reduction)


@spelled("F.hinge_embedding_loss")
def hinge_embedding_loss(input: Tensor, target: Tensor, margin: float = 1.0, *, reduction: str = "mean") -> Tensor:
    """input where target is 1, margin - input but at least 0 where it is -1."""
    near = _where(target == 1, 0.0, (margin - input).clamp(min=0.0))
    return reduced(near + _where(target == -1, 0.0, input), reduction)


@spelled("F.margin_ranking_loss")
def margin_ranking_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0.0, *, reduction: str = "mean"
) -> Tensor:
    """-target * (input1 - input2) + margin, at least 0."""
    return reduced((-target * (input1 - input2) + margin).clamp(min=0.0), reduction)


@spelled("F.cosine_embedding_loss")
def cosine_embedding_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0.0, *, reduction: str = "mean"
) -> Tensor:
    """1 - cosine where target is 1, cosine - margin but at least 0 where it is -1."""
    place = 0 if target.dim() == 0 else 1
    product, eps = (input1 * input2).sum([place]), 1e-12
    sizes = ((input1.square().sum([place]) + eps) * (input2.square().sum([place]) + eps)).sqrt()
    cosine = product / sizes
    near = _where(target == 1, 1.0 - cosine, 0.0)
    return reduced(near + _where(target == -1, (cosine - margin).clamp(min=0.0), 0.0), reduction)


@spelled("F.triplet_margin_loss")
def triplet_margin_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    margin: float = 1.0,
    p: float = 2.0,
    eps: float = 1e-6,
    swap: bool = False,
    *,
    reduction: str = "mean",
) -> Tensor:
    """distance(anchor, positive) - distance(anchor, negative) + margin, at least 0."""
    if margin <= 0.0:
        raise ValueError("margin must be greater than 0")
    far = pairwise_distance(anchor, negative, p, eps)
    if swap:
        far = far.minimum(pairwise_distance(positive, negative, p, eps))
    return reduced((pairwise_distance(anchor, positive, p, eps) - far + margin).clamp(min=0.0), reduction)


@spelled("F.multilabel_soft_margin_loss")
def multilabel_soft_margin_loss(
    input: Tensor, target: Tensor, weight: Tensor | None = None, *, reduction: str = "mean"
) -> Tensor:
    """Mean over the last dimension of binary cross entropies of logits."""
    each = input.clamp(max=0.0) - (-input.abs()).exp().log1p()
    other = (-input).clamp(max=0.0) - (-input.abs()).exp().log1p()
    every = -(target * each + (1.0 - target) * other)
    return reduced((every if weight is None else every * weight).mean([-1]), reduction)
