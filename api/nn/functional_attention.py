"""Attention as plain scripted Python on top of the operator of the same name, and the whole of a multi-head layer.

In: query, key, value. Out: their attention. Holds: without dropout it is one operator, which keeps no matrix of scores.
"""

from __future__ import annotations

import math

from ..binding import functions
from ..binding.dtype import DType
from ..binding.tensor import Tensor

_F, _tsm = functions.namespace("F."), functions.namespace("tsm.")
_attention, _dropout = _F["scaled_dot_product_attention"], _F["dropout"]
_ones, _zeros, _cat, _linear = _tsm["ones"], _tsm["zeros"], _tsm["cat"], _F["linear"]
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


def as_addend(mask: Tensor, like: Tensor) -> Tensor:
    """A mask that is True where a key must not be seen, as numbers to add; a float mask as it is."""
    if mask.dtype == _BOOL:
        return _zeros(list(mask.shape), dtype=like.dtype).masked_fill(mask, float("-inf"))
    return mask


def _split(projected: Tensor, heads: int) -> Tensor:
    """(L, N, E) as (N, heads, L, E / heads)."""
    length, count, width = projected.shape
    return projected.reshape([length, count, heads, width // heads]).permute([1, 2, 0, 3])


def multi_head_attention_forward(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    embed_dim_to_check: int,
    num_heads: int,
    in_proj_weight: Tensor | None,
    in_proj_bias: Tensor | None,
    bias_k: Tensor | None,
    bias_v: Tensor | None,
    add_zero_attn: bool,
    dropout_p: float,
    out_proj_weight: Tensor,
    out_proj_bias: Tensor | None,
    training: bool = True,
    key_padding_mask: Tensor | None = None,
    need_weights: bool = True,
    attn_mask: Tensor | None = None,
    use_separate_proj_weight: bool = False,
    q_proj_weight: Tensor | None = None,
    k_proj_weight: Tensor | None = None,
    v_proj_weight: Tensor | None = None,
    static_k: Tensor | None = None,
    static_v: Tensor | None = None,
    average_attn_weights: bool = True,
    is_causal: bool = False,
) -> tuple[Tensor, Tensor | None]:
    """The layer MultiheadAttention with these weights: query (L, N, E), key (S, N, E), value (S, N, E), or without N.

    Gives (L, N, E) and the weights of attention. `static_k` and `static_v` are not supported: RuntimeError; so are
    shapes that do not fit. AssertionError for a width that is not embed_dim_to_check."""
    if static_k is not None or static_v is not None:
        raise RuntimeError("multi_head_attention_forward: static_k and static_v are not supported")
    is_batched = query.dim() == 3
    if not is_batched:
        query, key, value = query.unsqueeze(1), key.unsqueeze(1), value.unsqueeze(1)
    length, count, e = query.shape
    assert e == embed_dim_to_check, f"was expecting embedding dimension of {embed_dim_to_check}, but got {e}"
    if is_causal and attn_mask is None:
        raise RuntimeError("Need attn_mask if specifying the is_causal hint.")
    q_bias = None if in_proj_bias is None else in_proj_bias[:e]
    k_bias = None if in_proj_bias is None else in_proj_bias[e : 2 * e]
    v_bias = None if in_proj_bias is None else in_proj_bias[2 * e :]
    if in_proj_weight is not None and not use_separate_proj_weight:
        q_proj_weight, k_proj_weight, v_proj_weight = in_proj_weight.chunk(3, 0)
    assert q_proj_weight is not None, "use_separate_proj_weight is True but q_proj_weight is None"
    assert k_proj_weight is not None, "use_separate_proj_weight is True but k_proj_weight is None"
    assert v_proj_weight is not None, "use_separate_proj_weight is True but v_proj_weight is None"
    k, v = _linear(key, k_proj_weight, k_bias), _linear(value, v_proj_weight, v_bias)
    added = 0
    if bias_k is not None and bias_v is not None:
        k, v = _cat([k, bias_k.repeat([1, count, 1])], 0), _cat([v, bias_v.repeat([1, count, 1])], 0)
        added += 1
    if add_zero_attn:
        empty = _zeros([1, count, e], dtype=k.dtype)
        k, v = _cat([k, empty], 0), _cat([v, empty], 0)
        added += 1
    scores = _split(_linear(query, q_proj_weight, q_bias) / math.sqrt(e / num_heads), num_heads) @ (
        _split(k, num_heads).transpose(-2, -1))
    if attn_mask is not None:
        seen = as_addend(attn_mask, scores)
        if seen.dim() == 3:
            seen = seen.reshape([count, num_heads, length, seen.size(-1)])
        scores = scores + _cat([seen, _zeros(list(seen.shape)[:-1] + [added], dtype=seen.dtype)], -1)
    if key_padding_mask is not None:
        padding = as_addend(key_padding_mask, scores).reshape([count, 1, 1, -1])
        scores = scores + _cat([padding, _zeros([count, 1, 1, added], dtype=padding.dtype)], -1)
    weights = _dropout(scores.softmax(-1), dropout_p, training)
    mixed = (weights @ _split(v, num_heads)).permute([2, 0, 1, 3]).reshape([length, count, e])
    result = _linear(mixed, out_proj_weight, out_proj_bias)
    shown = weights.mean(1) if average_attn_weights else weights
    if not is_batched:
        result, shown = result.squeeze(1), shown.squeeze(0)
    return result, shown if need_weights else None
