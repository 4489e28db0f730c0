"""Rows of tables by index, one by one or summed in bags.

In: integer indices and a table. Out: rows. Holds: a limit of norms writes the table, and only the rows looked up.
"""

from __future__ import annotations

from typing import Any

from ..binding import functions
from ..binding.dtype import DType
from ..binding.tensor import Tensor
from ..written.reductions import vector_norm
from ..written.spelling import own

_names: Any = functions.namespace("tsm.")
_rows, _arange, _bags = _names["embedding"], _names["arange"], own["embedding_bag"]
_where = _names["where"]


def _limit(weight: Tensor, indices: Tensor, max_norm: float, norm_type: float) -> None:
    """Scales the rows at `indices` down to a norm of max_norm, in place."""
    found = _rows(weight, indices)
    norms = vector_norm(found, norm_type, [1], True)
    weight[indices] = found * _where(norms > max_norm, max_norm / (norms + 1e-7), 1.0)


def embedding(
    input: Tensor, weight: Tensor, padding_idx: int | None = None, max_norm: float | None = None,
    norm_type: float = 2.0, scale_grad_by_freq: bool = False, sparse: bool = False,
) -> Tensor:
    """Rows of `weight`, of shape (n, d), at integer indices of any shape: result of shape (*input.shape, d).

    Rows that are looked up and whose norm is above `max_norm` are scaled down in `weight` first. `padding_idx`,
    `scale_grad_by_freq` and `sparse` only matter for gradients."""
    if max_norm is not None:
        _limit(weight, input.reshape([-1]), max_norm, norm_type)
    return _rows(weight, input)


def embedding_bag(
    input: Tensor, weight: Tensor, offsets: Tensor | None = None, max_norm: float | None = None,
    norm_type: float = 2.0, scale_grad_by_freq: bool = False, mode: str = "mean", sparse: bool = False,
    per_sample_weights: Tensor | None = None, include_last_offset: bool = False, padding_idx: int | None = None,
) -> Tensor:
    """Sums, means or maxima of rows of `weight`: of each row of indices (B, N), or of the parts of a vector of indices
    that begin at `offsets`. Indices that are `padding_idx` are left out; an empty bag gives zeros."""
    if max_norm is not None:
        _limit(weight, input.reshape([-1]), max_norm, norm_type)
    if mode != "sum" and mode != "mean" and mode != "max":
        raise ValueError("mode has to be one of sum, mean or max")
    if per_sample_weights is not None and mode != "sum":
        text = "embedding_bag: per_sample_weights was not None. per_sample_weights is only supported for mode='sum' "
        raise NotImplementedError(text + "(got mode='" + mode + "')")
    if per_sample_weights is not None and per_sample_weights.shape != input.shape:
        raise ValueError(
            "embedding_bag: If per_sample_weights (" + str(list(per_sample_weights.shape)) + ") is not None, "
            + "then it must have the same shape as the input (" + str(list(input.shape)) + ")"
        )
    indices, starts = input.reshape([-1]), _starts(input, offsets)
    if include_last_offset and input.dim() == 1:
        indices = indices[: int(starts[-1])]
        starts = starts[:-1]
    samples = None if per_sample_weights is None else per_sample_weights.reshape([-1])[: indices.numel()]
    return _bags(weight, indices, starts, mode, samples, -1 if padding_idx is None else padding_idx % weight.size(0))


def _starts(input: Tensor, offsets: Tensor | None) -> Tensor:
    """Where bags begin among the indices as a vector."""
    if input.dim() == 2:
        if offsets is not None:
            raise ValueError(
                "if input is 2D, then offsets has to be None, as input is treated is a mini-batch of fixed length "
                + "sequences. However, found offsets of type <class 'torch.Tensor'>"
            )
        return _arange(input.size(0)) * input.size(1)
    if input.dim() != 1:
        raise ValueError("input has to be 1D or 2D Tensor, but got Tensor of dimension " + str(input.dim()))
    if offsets is None:
        raise ValueError("offsets has to be a 1D Tensor but got None")
    if offsets.dim() != 1:
        raise ValueError("offsets has to be a 1D Tensor")
    if offsets.numel() > 0 and int(offsets[0]) != 0:
        raise RuntimeError("offsets[0] has to be 0, i.e., the first sequence in the mini-batch has to start from "
                           + "position 0. However, got " + str(int(offsets[0])))
    return offsets.to(DType.int64)
