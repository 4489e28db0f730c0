"""Losses of whole sequences and of margins between classes, as plain scripted Python.

In: predictions and targets. Out: a 0-d tensor, or with reduction "none" one element each. Holds: PyTorch's formulas.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from ..binding.dtype import DType
from ..binding.tensor import Tensor
from ..written.dims import whole
from ..written.spelling import rows, spelled
from .functional_loss import reduced
from .functional_norm import pairwise_distance

_where, _arange, _full, _cat, _stack = rows["where"], rows["arange"], rows["full"], rows["cat"], rows["stack"]
_tensor, _ones, _rand_like = rows["tensor"], rows["ones"], rows["rand_like"]


def _lengths(given, count: int, name: str) -> Tensor:
    """One length a sequence."""
    made = given if isinstance(given, Tensor) else _tensor(given)
    if made.numel() != count:
        raise RuntimeError("ctc_loss: " + name + " must be of size batch_size")
    return made.reshape([count]).to(DType.int64)


def _padded(targets: Tensor, lengths: Tensor, count: int) -> Tensor:
    """Targets one below another, as a matrix of (sequences, longest)."""
    longest = whole(lengths.max()) if count > 0 else 0
    starts = lengths.cumsum(0) - lengths
    at = (starts.unsqueeze(1) + _arange(longest)).clamp(max=max(targets.numel() - 1, 0))
    return targets[at] if targets.numel() > 0 else at * 0


def _log_sum(parts: list[Tensor]) -> Tensor:
    return _stack(parts, 0).logsumexp(0)


@spelled("F.ctc_loss")
def ctc_loss(
    log_probs: Tensor,
    targets: Tensor,
    input_lengths,
    target_lengths,
    blank: int = 0,
    reduction: str = "mean",
    zero_infinity: bool = False,
) -> Tensor:
    """Connectionist temporal classification: -log of the probability of all paths (T, N, C) or (T, C) that give the
    targets (N, S), (S), or all of them in one vector. The mean is of losses divided by target lengths."""
    lines = log_probs if log_probs.dim() == 3 else log_probs.unsqueeze(1)
    steps, count, classes = lines.size(0), lines.size(1), lines.size(2)
    if blank < 0 or blank >= classes:
        raise RuntimeError("blank must be in label range")
    inputs = _lengths(input_lengths, count, "input_lengths")
    wanted = _lengths(target_lengths, count, "target_lengths")
    if count > 0 and whole(inputs.max()) > steps:
        text = "Expected input_lengths to have value at most " + str(steps) + ", but got value "
        raise RuntimeError(text + str(whole(inputs.max())))
    if targets.dim() == 2:
        labels = targets.to(DType.int64)
    else:
        labels = _padded(targets.to(DType.int64), wanted, count)
    longest = labels.size(1)
    states = 2 * longest + 1
    is_label = _arange(states) % 2 == 1
    found = _full([count, states], blank, dtype=DType.int64)
    if longest > 0:
        found = _where(is_label, labels[:, (_arange(states) // 2).clamp(max=longest - 1)], found)
    found = found.clamp(0, classes - 1)
    can_skip = is_label.expand([count, states]).clone()
    can_skip[:, :2] = False
    if states > 2:
        can_skip[:, 2:] = can_skip[:, 2:] & (found[:, 2:] != found[:, :-2])
    never = _full([count, states], -math.inf, dtype=lines.dtype)
    scores = _where((_arange(states) < 2).expand([count, states]), lines[0].gather(1, found), never)
    for t in range(1, steps):
        one = _cat([never[:, :1], scores[:, :-1]], 1)
        two = _cat([never[:, :2], scores[:, :-2]], 1)[:, :states]
        moved = _log_sum([scores, one, _where(can_skip, two, -math.inf)]) + lines[t].gather(1, found)
        scores = _where((inputs > t).unsqueeze(1), moved, scores)
    last = (wanted * 2).unsqueeze(1)
    ends = [scores.gather(1, last), scores.gather(1, (last - 1).clamp(min=0))]
    ends[1] = _where(last > 0, ends[1], -math.inf)
    losses = -_log_sum(ends).squeeze(1)
    if zero_infinity:
        losses = _where(losses == math.inf, 0.0, losses)
    if reduction == "mean":
        losses = losses / wanted.clamp(min=1).to(losses.dtype)
    made = reduced(losses, reduction)
    return made.reshape([]) if reduction == "none" and log_probs.dim() == 2 else made


@spelled("F.multi_margin_loss")
def multi_margin_loss(
    input: Tensor,
    target: Tensor,
    p: int = 1,
    margin: float = 1.0,
    weight: Tensor | None = None,
    *,
    reduction: str = "mean",
) -> Tensor:
    """Mean over the classes of (margin - input[target] + input) ** p where that is positive and not the target."""
    if p != 1 and p != 2:
        raise RuntimeError("only p == 1 and p == 2 supported")
    rows_of = input if input.dim() == 2 else input.reshape([1, -1])
    at = target.reshape([-1, 1])
    gaps = (margin - rows_of.gather(1, at) + rows_of).clamp(min=0.0)
    each = gaps if p == 1 else gaps.square()
    if weight is not None:
        each = each * weight[at]
    each = _where(_arange(rows_of.size(1)) == at, 0.0, each).sum([1]) / rows_of.size(1)
    return reduced(each if input.dim() == 2 else each.squeeze(0), reduction)


@spelled("F.multilabel_margin_loss")
def multilabel_margin_loss(input: Tensor, target: Tensor, *, reduction: str = "mean") -> Tensor:
    """Mean of 1 - input[label] + input[other] where positive: labels are those before the first -1 of a row."""
    rows_of = input if input.dim() == 2 else input.reshape([1, -1])
    labels = target if target.dim() == 2 else target.reshape([1, -1])
    is_label = (labels < 0).to(DType.int64).cumsum(1) == 0
    at = labels.clamp(min=0)
    marked = (is_label.unsqueeze(2) & (at.unsqueeze(2) == _arange(rows_of.size(1)))).any(1)
    gaps = (1.0 - rows_of.gather(1, at).unsqueeze(2) + rows_of.unsqueeze(1)).clamp(min=0.0)
    each = _where(is_label.unsqueeze(2) & ~marked.unsqueeze(1), gaps, 0.0).sum([1, 2]) / rows_of.size(1)
    return reduced(each if input.dim() == 2 else each.squeeze(0), reduction)


@spelled("F.triplet_margin_with_distance_loss")
def triplet_margin_with_distance_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    *,
    distance_function: Callable[[Tensor, Tensor], Tensor] | None = None,
    margin: float = 1.0,
    swap: bool = False,
    reduction: str = "mean",
) -> Tensor:
    """distance(anchor, positive) - distance(anchor, negative) + margin, at least 0, by a distance of one's own."""
    if margin <= 0.0:
        raise ValueError("margin must be greater than 0")
    if distance_function is None:
        near, far = pairwise_distance(anchor, positive), pairwise_distance(anchor, negative)
        other = pairwise_distance(positive, negative)
    else:
        near, far = distance_function(anchor, positive), distance_function(anchor, negative)
        other = distance_function(positive, negative) if swap else far
    if swap:
        far = far.minimum(other)
    return reduced((near - far + margin).clamp(min=0.0), reduction)


@spelled("F.pdist")
def pdist(input: Tensor, p: float = 2.0) -> Tensor:
    """Distances between all pairs of rows, the first with the second, the third and so on."""
    if input.dim() != 2:
        raise RuntimeError("pdist only supports 2D tensors, got: " + str(input.dim()) + "D")
    count = input.size(0)
    firsts = _ones([count, count], dtype=DType.bool).triu(1).nonzero()
    gaps = (input[firsts[:, 0]] - input[firsts[:, 1]]).abs()
    if p == 2.0:
        return gaps.square().sum([1]).sqrt()
    if p == 1.0:
        return gaps.sum([1])
    if p == 0.0:
        return (gaps != 0).to(input.dtype).sum([1])
    if p == math.inf:
        return gaps.amax([1]) if input.size(1) > 0 and gaps.size(0) > 0 else gaps.sum([1])
    return (gaps**p).sum([1]) ** (1.0 / p)


@spelled("F.alpha_dropout")
def alpha_dropout(input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False) -> Tensor:
    """Dropout that keeps mean and variance of what selu gives: dropped elements take selu's lower end."""
    if p < 0.0 or p > 1.0:
        raise ValueError("dropout probability has to be between 0 and 1, but got " + str(p))
    if not training or p == 0.0:
        return input
    if p == 1.0:
        return input.zero_() if inplace else input * 0.0
    low = -1.7580993408473766
    scale = ((1.0 - p) * (1.0 + p * low * low)) ** -0.5
    is_kept = _rand_like(input) >= p
    made = _where(is_kept, input, low) * scale - scale * p * low
    return input.copy_(made) if inplace else made


@spelled("F.rrelu")
def rrelu(
    input: Tensor, lower: float = 1.0 / 8, upper: float = 1.0 / 3, training: bool = False, inplace: bool = False
) -> Tensor:
    """input where positive, else times a slope: the middle of both, in training one drawn between them."""
    slopes = _rand_like(input) * (upper - lower) + lower if training else (lower + upper) / 2.0
    made = _where(input >= 0, input, input * slopes)
    return input.copy_(made) if inplace else made
