"""Convolutions, pools, resampling, norms, attention and losses."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from .case import Case, array, case, given, index, unit

Shape = tuple[int, ...]


def convolution(name: str, x: Shape, w: Shape, group: str = "f32", kind: str = "conv2d", **options: Any) -> Case:
    return case(name, lambda m, a, b: getattr(m.nn.functional, kind)(a, b, **options), array, x, w, group=group,
                tolerance=1e-3)


def functional(name: str, kind: str, x: Shape, *args: Any, group: str = "f32", **options: Any) -> Case:
    return case(name, lambda m, a: getattr(m.nn.functional, kind)(a, *args, **options), array, x, group=group,
                tolerance=1e-4)


def bags(m: Any, i: Any, o: Any, w: Any) -> Any:
    return m.nn.functional.embedding_bag(i, w, o, mode="sum")


def ctc(m: Any, logits: Any, targets: Any, lengths: Any, sizes: Any) -> Any:
    return m.nn.functional.ctc_loss(logits.log_softmax(-1), targets, lengths, sizes)


LAYERS: list[Case] = [
    convolution("conv2d 3x3 s1 64->64 56^2 b1", (1, 64, 56, 56), (64, 64, 3, 3), padding=1),
    convolution("conv2d 5x5 32->64 28^2 b8", (8, 32, 28, 28), (64, 32, 5, 5), padding=2),
    convolution("conv2d 7x7 s2 3->64 224^2", (1, 3, 224, 224), (64, 3, 7, 7), stride=2, padding=3),
    convolution("conv2d depthwise 7x7 96 56^2", (1, 96, 56, 56), (96, 1, 7, 7), padding=3, groups=96),
    convolution("conv2d depthwise 5x5 s2 240 28^2", (1, 240, 28, 28), (240, 1, 5, 5), stride=2, padding=2, groups=240),
    convolution("conv2d dilated 3x3 d=2 64 56^2", (1, 64, 56, 56), (64, 64, 3, 3), padding=2, dilation=2),
    convolution("conv2d groups=8 64 56^2", (1, 64, 56, 56), (64, 8, 3, 3), padding=1, groups=8),
    convolution("conv2d 1x7 64 56^2", (1, 64, 56, 56), (64, 64, 1, 7), padding=(0, 3)),
    convolution("conv2d f64 3x3 32 28^2", (1, 32, 28, 28), (32, 32, 3, 3), group="f64", padding=1),
    convolution("conv1d k=15 64 4000", (1, 64, 4000), (64, 64, 15), kind="conv1d", padding=7),
    convolution("conv1d k=3 d=4 64 4000", (1, 64, 4000), (64, 64, 3), kind="conv1d", padding=4, dilation=4),
    convolution("conv1d 1x1 256 400 b4", (4, 256, 400), (256, 256, 1), kind="conv1d"),
    convolution("conv1d groups=8 k=5 64 2000", (2, 64, 2000), (64, 8, 5), kind="conv1d", padding=2, groups=8),
    convolution("conv1d depthwise k=31 256x200", (1, 256, 200), (256, 1, 31), kind="conv1d", padding=15, groups=256),
    convolution("conv1d k=1024 s=256 stft-like 1->514", (1, 1, 64_000), (514, 1, 1024), kind="conv1d", stride=256),
    convolution("conv3d 3^3 16->32 16^3", (1, 16, 16, 16, 16), (32, 16, 3, 3, 3), kind="conv3d", padding=1),
    convolution("conv3d 3^3 3->32 32^3 b2", (2, 3, 32, 32, 32), (32, 3, 3, 3, 3), kind="conv3d", padding=1),
    convolution("conv_transpose2d 2x2 s2 128->64 32^2", (1, 128, 32, 32), (128, 64, 2, 2), kind="conv_transpose2d",
                stride=2),
    convolution("conv_transpose2d 4x4 s2p1 64->32 32^2", (1, 64, 32, 32), (64, 32, 4, 4), kind="conv_transpose2d",
                stride=2, padding=1),
    convolution("conv_transpose2d 3x3 s1 64 28^2", (1, 64, 28, 28), (64, 64, 3, 3), kind="conv_transpose2d", padding=1),
    convolution("conv_transpose1d k16 s8 64", (1, 64, 500), (64, 32, 16), kind="conv_transpose1d", stride=8, padding=4),
    convolution("conv_transpose3d k2 s2 32", (1, 32, 12, 12, 12), (32, 16, 2, 2, 2), kind="conv_transpose3d", stride=2),
    functional("max_pool2d 3 s2", "max_pool2d", (8, 64, 56, 56), 3, stride=2, padding=1),
    functional("avg_pool2d 2", "avg_pool2d", (8, 64, 56, 56), 2),
    functional("avg_pool2d 3 s1 p1", "avg_pool2d", (8, 64, 28, 28), 3, stride=1, padding=1),
    functional("adaptive_avg_pool2d 7", "adaptive_avg_pool2d", (8, 64, 28, 28), 7),
    functional("max_pool3d 2", "max_pool3d", (2, 32, 16, 32, 32), 2),
    functional("max_pool1d 2", "max_pool1d", (8, 64, 4000), 2),
    functional("avg_pool1d 4", "avg_pool1d", (8, 64, 4000), 4),
    functional("interpolate bilinear x2", "interpolate", (4, 32, 56, 56), scale_factor=2, mode="bilinear"),
    functional("interpolate bilinear to 97x61", "interpolate", (4, 32, 56, 56), size=(97, 61), mode="bilinear"),
    functional("interpolate bicubic x2", "interpolate", (2, 16, 56, 56), scale_factor=2, mode="bicubic"),
    functional("interpolate nearest x2", "interpolate", (4, 64, 56, 56), scale_factor=2, mode="nearest"),
    functional("interpolate linear x2", "interpolate", (4, 64, 2000), scale_factor=2, mode="linear"),
    given("grid_sample bilinear", lambda m, a, g: m.nn.functional.grid_sample(a, g, align_corners=False),
          partial(array, 4, 32, 56, 56), lambda: unit(4, 56, 56, 2), tolerance=1e-4),
    case("group_norm 32 of 128 32^2 b4", lambda m, a, w: m.nn.functional.group_norm(a, 32, w, w), array,
         (4, 128, 32, 32), (128,), tolerance=1e-4),
    functional("instance_norm", "instance_norm", (4, 64, 56, 56)),
    case("layer_norm last=96 (3136 rows)", lambda m, a, w: m.nn.functional.layer_norm(a, [96], w, w), array,
         (3136, 96), (96,), tolerance=1e-4),
    case("layer_norm last=16 (1e5 rows)", lambda m, a, w: m.nn.functional.layer_norm(a, [16], w, w), array,
         (100_000, 16), (16,), tolerance=1e-4),
    case("rms_norm 512", lambda m, a, w: m.nn.functional.rms_norm(a, [512], w), array, (2000, 512), (512,),
         tolerance=1e-4),
    functional("local_response_norm", "local_response_norm", (4, 64, 28, 28), 5),
    case("sdpa causal", lambda m, q, k, v: m.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True), array,
         *[(2, 8, 128, 64)] * 3, tolerance=1e-4),
    case("sdpa with mask", lambda m, q, k, v, b: m.nn.functional.scaled_dot_product_attention(q, k, v, b), array,
         *[(2, 8, 128, 64)] * 3, (128, 128), tolerance=1e-4),
    given("cross_entropy 4096x1000", lambda m, a, t: m.nn.functional.cross_entropy(a, t), partial(array, 4096, 1000),
          partial(index, 4096, 1000)),
    *(case(f"{name} 1e6", lambda m, a, b, name=name: getattr(m.nn.functional, name)(a, b), array, (1_000_000,),
           (1_000_000,)) for name in ("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss")),
    given("bce_with_logits 1e6", lambda m, a, t: m.nn.functional.binary_cross_entropy_with_logits(a, t),
          partial(array, 1_000_000), lambda: np.abs(unit(1_000_000))),
    given("embedding_bag sum", bags, partial(index, 50_000, 10_000), lambda: np.arange(0, 50_000, 10),
          partial(array, 10_000, 64), tolerance=1e-4),
    given("ctc_loss", ctc, partial(array, 100, 16, 30), lambda: np.random.default_rng(9).integers(1, 30, (16, 20)),
          lambda: np.full(16, 100), lambda: np.full(16, 20), tolerance=1e-3),
]
