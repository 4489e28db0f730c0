"""Attention as plain scripted Python on top of the operator of the same name.

In: query, key, value. Out: their attention. Holds: without dropout it is one operator, which keeps no matrix of scores.
"""

from __future__ import annotations

import math

from ..binding import functions
from ..binding.dtype import DType
from ..binding.tensor import Tensor

_F, _tsm = functions.namespace("F."), functions.namespace("tsm.")
_attention, _dropout = _F["scaled_dot_product_attention"], _F["dropout"]
_ones = _tsm["ones"]
_BOOL = DType.bool


def scaled_dot_product_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    *,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> Tensor:
    """softmax(query @ key.mT * scale + attn_mask) @ value.

    Shapes (..., heads, L, E), (..., heads, S, E), (..., heads, S, Ev) give (..., heads, L, Ev); batch dimensions
    broadcast. A bool mask keeps scores where True, a float mask is added; it broadcasts to (..., L, S). `is_causal`
    keeps keys up to the query's own number. The scale is 1 / sqrt(E) unless given. With `enable_gqa` key and value have
    fewer heads, each for several of the query's. A row whose keys are all masked gives 0. RuntimeError for shapes or
    dtypes that do not fit.
    """
    if dropout_p > 0.0:
        return _with_dropout(query, key, value, attn_mask, dropout_p, is_causal, scale, enable_gqa)
    return _attention(query, key, value, attn_mask, dropout_p, is_causal, scale=scale, enable_gqa=enable_gqa)


def _with_dropout(
    query: Tensor, key: Tensor, value: Tensor, attn_mask: Tensor | None, dropout_p: float, is_causal: bool,
    scale: float | None, enable_gqa: bool,
) -> Tensor:
    """The same through the matrix of weights, of which elements are dropped."""
    if enable_gqa:
        raise RuntimeError("scaled_dot_product_attention: enable_gqa needs dropout_p=0")
    if is_causal and attn_mask is not None:
        raise RuntimeError(
            "scaled_dot_product_attention: Explicit attn_mask should not be set when is_causal=True"
        )
    factor = 1.0 / math.sqrt(float(query.size(-1))) if scale is None else scale
    scores = query @ key.transpose(-2, -1) * factor
    if is_causal:
        scores = scores.masked_fill(
            _ones([query.size(-2), key.size(-2)], dtype=_BOOL).tril().logical_not(), float("-inf")
        )
    elif attn_mask is not None:
        if attn_mask.dtype == _BOOL:
            scores = scores.masked_fill(attn_mask.logical_not(), float("-inf"))
        else:
            scores = scores + attn_mask
    weights = scores.softmax(-1).masked_fill((scores == float("-inf")).all(-1, True), 0.0)
    return _dropout(weights, dropout_p, True) @ value
