"""tsm.nn.functional: the table's functions spelled `F.*`, and those written in scriptable Python on top of them.

In: tensors. Out: tensors. Holds: functions of the `functional_*` files are plain scripted Python, so eager code and
compiled code run the same lines; all others come from the operator table.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..absent import of_module
from ..binding import functions
from ..written.spelling import spelled_functions
from . import (  # noqa: F401 - they spell their functions
    functional_conv,
    functional_inplace,
    functional_loss,
    functional_sampling,
    functional_sequence_loss,
    functional_unpooling,
)
from .functional_activation import (
    celu,
    dropout,
    elu,
    glu,
    hardshrink,
    hardsigmoid,
    hardswish,
    hardtanh,
    leaky_relu,
    logsigmoid,
    mish,
    prelu,
    relu,
    relu6,
    selu,
    silu,
    softmin,
    softshrink,
    softsign,
    tanhshrink,
    threshold,
)
from .functional_attention import multi_head_attention_forward, scaled_dot_product_attention
from .functional_embedding import embedding, embedding_bag
from .functional_norm import (
    cosine_similarity,
    group_norm,
    instance_norm,
    l1_loss,
    mse_loss,
    normalize,
    pairwise_distance,
)
from .functional_pooling import (
    adaptive_avg_pool1d,
    adaptive_avg_pool2d,
    adaptive_max_pool1d,
    adaptive_max_pool2d,
    adaptive_max_pool3d,
    avg_pool1d,
)
from .functional_shape import interpolate, pad, pixel_shuffle, pixel_unshuffle

_WRITTEN = {
    made.__name__: made
    for made in (
        adaptive_avg_pool1d, adaptive_avg_pool2d, adaptive_max_pool1d, adaptive_max_pool2d, adaptive_max_pool3d,
        avg_pool1d, celu, cosine_similarity, dropout, elu, embedding, embedding_bag, glu, group_norm, hardshrink,
        hardsigmoid, hardswish, hardtanh, instance_norm, interpolate, l1_loss, leaky_relu, logsigmoid, mish, mse_loss,
        multi_head_attention_forward, normalize, pad, pairwise_distance, pixel_shuffle, pixel_unshuffle, prelu, relu,
        relu6, scaled_dot_product_attention, selu, silu, softmin, softshrink, softsign, tanhshrink, threshold,
    )
}
globals().update({name: made for name, made in functions.namespace("F.").items() if name not in _WRITTEN})

globals().update(spelled_functions("F"))

if TYPE_CHECKING:

    def __getattr__(name: str) -> Callable[..., Any]: ...
else:
    __getattr__ = of_module("nn.functional")
