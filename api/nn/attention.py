"""Multi-head attention and the transformer's encoder, with PyTorch's parameters, defaults and initial values."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable

from ..binding import functions
from ..binding.tensor import Tensor
from . import functional as F
from . import init
from .activation import Dropout
from .attention_backends import SDPBackend, sdpa_kernel  # noqa: F401 - as torch.nn.attention
from .container import ModuleList
from .functional_attention import as_addend
from .linear import Linear
from .module import Module
from .norm import LayerNorm
from .parameter import Parameter

__path__: list[str] = []  # imports may look for modules inside
_tsm = functions.namespace("tsm.")
_empty, _zeros = _tsm["empty"], _tsm["zeros"]


class MultiheadAttention(Module):
    """Attention of num_heads heads over projections of query, key and value.

    query (L, N, E), key (S, N, kdim), value (S, N, vdim), or batch first with `batch_first`, or without N. Gives the
    result in the query's layout and the weights: (N, L, S), for each head with average_attn_weights=False, None with
    need_weights=False, which is faster. Masks are True where a key must not be seen, or numbers that are added:
    key_padding_mask (N, S), attn_mask (L, S) or (N * num_heads, L, S). `is_causal` says that attn_mask is causal.
    """

    embed_dim: int
    num_heads: int
    head_dim: int
    dropout: float
    batch_first: bool
    add_zero_attn: bool
    is_packed: bool

    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        dropout: float = 0.0,
        bias: bool = True,
        add_bias_kv: bool = False,
        add_zero_attn: bool = False,
        kdim: int | None = None,
        vdim: int | None = None,
        batch_first: bool = False,
    ) -> None:
        super().__init__()
        if embed_dim <= 0 or num_heads <= 0:
            raise ValueError(f"embed_dim and num_heads must be greater than 0, not {embed_dim} and {num_heads}")
        if embed_dim % num_heads:
            raise ValueError("embed_dim must be divisible by num_heads")
        if add_bias_kv or add_zero_attn:
            raise ValueError("add_bias_kv and add_zero_attn are not supported")
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.dropout = dropout
        self.batch_first = batch_first
        self.add_zero_attn = add_zero_attn
        self.kdim = embed_dim if kdim is None else kdim
        self.vdim = embed_dim if vdim is None else vdim
        self.is_packed = self.kdim == embed_dim and self.vdim == embed_dim
        for name, width in (("q", embed_dim), ("k", self.kdim), ("v", self.vdim)):
            weight = None if self.is_packed else Parameter(_empty((embed_dim, width)))
            self.register_parameter(f"{name}_proj_weight", weight)
        weight = Parameter(_empty((3 * embed_dim, embed_dim))) if self.is_packed else None
        self.register_parameter("in_proj_weight", weight)
        self.register_parameter("in_proj_bias", Parameter(_zeros((3 * embed_dim,))) if bias else None)
        self.out_proj = Linear(embed_dim, embed_dim, bias=bias)
        self.register_parameter("bias_k", None)
        self.register_parameter("bias_v", None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Xavier uniform weights, zero biases."""
        for weight in (self.in_proj_weight, self.q_proj_weight, self.k_proj_weight, self.v_proj_weight):
            if weight is not None:
                init.xavier_uniform_(weight)
        if self.in_proj_bias is not None:
            self.in_proj_bias.zero_()
            self.out_proj.bias.zero_()

    def _project(self, query: Tensor, key: Tensor, value: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        e = self.embed_dim
        packed, bias = self.in_proj_weight, self.in_proj_bias
        q_bias = None if bias is None else bias[:e]
        k_bias = None if bias is None else bias[e : 2 * e]
        v_bias = None if bias is None else bias[2 * e :]
        if packed is not None:
            if query is key and key is value:
                q, k, v = F.linear(query, packed, bias).chunk(3, -1)
                return q, k, v
            return (
                F.linear(query, packed[:e], q_bias),
                F.linear(key, packed[e : 2 * e], k_bias),
                F.linear(value, packed[2 * e :], v_bias),
            )
        return (
            F.linear(query, self.q_proj_weight, q_bias),
            F.linear(key, self.k_proj_weight, k_bias),
            F.linear(value, self.v_proj_weight, v_bias),
        )

    def _heads(self, projected: Tensor) -> Tensor:
        """(N, L, E) as (N, num_heads, L, head_dim)."""
        shape = [projected.size(0), projected.size(1), self.num_heads, self.embed_dim // self.num_heads]
        return projected.reshape(shape).transpose(1, 2)

    def _mask(self, query: Tensor, key: Tensor, padding: Tensor | None, attn_mask: Tensor | None) -> Tensor | None:
        """Both masks as one to be added, which broadcasts to (N, num_heads, L, S)."""
        joined: Tensor | None = None
        if attn_mask is not None:
            joined = as_addend(attn_mask, query)
            if attn_mask.dim() == 3:
                joined = joined.reshape([query.size(0), self.num_heads, query.size(1), key.size(1)])
        if padding is not None:
            added = as_addend(padding, query).reshape([query.size(0), 1, 1, key.size(1)])
            joined = added if joined is None else joined + added
        return joined

    def forward(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        key_padding_mask: Tensor | None = None,
        need_weights: bool = True,
        attn_mask: Tensor | None = None,
        average_attn_weights: bool = True,
        is_causal: bool = False,
    ) -> tuple[Tensor, Tensor | None]:
        is_batched = query.dim() == 3
        if is_causal and attn_mask is None:
            raise RuntimeError("Need attn_mask if specifying the is_causal hint.")
        if self.add_zero_attn:
            raise RuntimeError("add_zero_attn is not supported")
        projected_q, projected_k, projected_v = self._project(query, key, value)
        if not is_batched:
            projected_q, projected_k, projected_v = (
                projected_q.unsqueeze(0), projected_k.unsqueeze(0), projected_v.unsqueeze(0)
            )
        elif not self.batch_first:
            projected_q, projected_k, projected_v = (
                projected_q.transpose(0, 1), projected_k.transpose(0, 1), projected_v.transpose(0, 1)
            )
        q, k, v = self._heads(projected_q), self._heads(projected_k), self._heads(projected_v)
        rate = self.dropout if self.training else 0.0
        weights: Tensor | None = None
        if need_weights:
            mask = self._mask(projected_q, projected_k, key_padding_mask, attn_mask)
            scores = (q * (1.0 / math.sqrt(float(q.size(-1))))) @ k.transpose(-2, -1)
            if mask is not None:
                scores = scores + mask
            each = F.dropout(scores.softmax(-1), rate, self.training)
            mixed = each @ v
            weights = each.mean(1) if average_attn_weights else each
            if not is_batched:
                weights = weights.squeeze(0)
        elif is_causal and key_padding_mask is None:
            mixed = F.scaled_dot_product_attention(q, k, v, None, rate, True)
        else:
            mask = self._mask(projected_q, projected_k, key_padding_mask, attn_mask)
            mixed = F.scaled_dot_product_attention(q, k, v, mask, rate)
        joined = self.out_proj(mixed.transpose(1, 2).reshape([q.size(0), q.size(2), self.embed_dim]))
        if not is_batched:
            joined = joined.squeeze(0)
        elif not self.batch_first:
            joined = joined.transpose(0, 1)
        return joined, weights


def activation_of(activation: str | Callable[[Tensor], Tensor]) -> Callable[[Tensor], Tensor]:
    """The function of a name, "relu" or "gelu"; another function as it is. RuntimeError for another name."""
    if not isinstance(activation, str):
        return activation
    if activation not in ("relu", "gelu"):
        raise RuntimeError(f"activation should be relu/gelu, not {activation}")
    return F.relu if activation == "relu" else F.gelu


class TransformerEncoderLayer(Module):
    """Self-attention and two linear layers, each with dropout, a residual and a LayerNorm (first with norm_first).

    src (S, N, d_model), or (N, S, d_model) with `batch_first`, or (S, d_model), to the same shape. `activation` is
    "relu", "gelu" or a function of a tensor. Masks as MultiheadAttention's.
    """

    norm_first: bool

    def __init__(
        self,
        d_model: int,
        nhead: int,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: str | Callable[[Tensor], Tensor] = "relu",
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        bias: bool = True,
    ) -> None:
        super().__init__()
        self.self_attn = MultiheadAttention(d_model, nhead, dropout=dropout, bias=bias, batch_first=batch_first)
        self.linear1 = Linear(d_model, dim_feedforward, bias=bias)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, bias=bias)
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model, eps=layer_norm_eps, bias=bias)
        self.norm2 = LayerNorm(d_model, eps=layer_norm_eps, bias=bias)
        self.dropout1 = Dropout(dropout)
        self.dropout2 = Dropout(dropout)
        self.activation = activation_of(activation)

    def _attend(self, x: Tensor, mask: Tensor | None, padding: Tensor | None, is_causal: bool) -> Tensor:
        mixed, _ = self.self_attn(x, x, x, padding, False, mask, True, is_causal)
        return self.dropout1(mixed)

    def _feed(self, x: Tensor) -> Tensor:
        hidden = self.linear1(x)
        return self.dropout2(self.linear2(self.dropout(self.activation(hidden))))

    def forward(
        self,
        src: Tensor,
        src_mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
        is_causal: bool = False,
    ) -> Tensor:
        x = src
        if self.norm_first:
            x = x + self._attend(self.norm1(x), src_mask, src_key_padding_mask, is_causal)
            return x + self._feed(self.norm2(x))
        x = self.norm1(x + self._attend(x, src_mask, src_key_padding_mask, is_causal))
        return self.norm2(x + self._feed(x))


class TransformerEncoder(Module):
    """num_layers copies of a TransformerEncoderLayer, then `norm` if there is one. `enable_nested_tensor` and
    `mask_check` are PyTorch's and change nothing."""

    num_layers: int

    def __init__(
        self,
        encoder_layer: TransformerEncoderLayer,
        num_layers: int,
        norm: LayerNorm | None = None,
        enable_nested_tensor: bool = True,
        mask_check: bool = True,
    ) -> None:
        super().__init__()
        self.layers = ModuleList([copy.deepcopy(encoder_layer) for _ in range(num_layers)])
        self.num_layers = num_layers
        self.norm = norm

    def forward(
        self,
        src: Tensor,
        mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
        is_causal: bool | None = None,
    ) -> Tensor:
        x = src
        for layer in self.layers:
            x = layer(x, mask, src_key_padding_mask, is_causal is not None and is_causal)
        if self.norm is not None:
            x = self.norm(x)
        return x
