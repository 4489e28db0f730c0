"""Padding, resizing and rearranging of images as PyTorch calls them.

In: (N, C, spatial ...) tensors. Out: the same with other extents. Holds: the rows of the table compute, but for uint8;
what arguments do not fit is said here in PyTorch's words.
"""

from __future__ import annotations

import math

from ..binding import functions
from ..binding.dtype import DType
from ..binding.tensor import Tensor
from ..written.spelling import own
from .functional_pooling import adaptive_avg_pool3d

_tsm = functions.namespace("tsm.")
_arange, _stack = _tsm["arange"], _tsm["stack"]
_pad, _interpolate = own["pad"], own["interpolate"]
_zeros, _where = _tsm["zeros"], _tsm["where"]
_adaptive_avg_pool2d = functions.namespace("F.")["adaptive_avg_pool2d"]
_INT64 = DType.int64


def pad(input: Tensor, pad: list[int], mode: str = "constant", value: float | None = None) -> Tensor:
    """With elements added to the last dimensions: `pad` counts before and after the last, then the one before it ...

    mode: "constant" (value, 0 by default; negative counts cut off), "reflect", "replicate", "circular". RuntimeError or
    NotImplementedError for counts or modes that do not fit."""
    if len(pad) % 2 != 0:
        raise RuntimeError("Padding length must be divisible by 2")
    if len(pad) // 2 > input.dim():
        raise RuntimeError("Padding length should be less than or equal to two times the input dimension")
    if mode != "constant" and mode != "reflect" and mode != "replicate" and mode != "circular":
        raise NotImplementedError("Unrecognised padding mode " + mode)
    return _pad(input, pad, mode, 0.0 if value is None else value)


def pixel_shuffle(input: Tensor, upscale_factor: int) -> Tensor:
    """(..., C * r * r, H, W) to (..., C, H * r, W * r)."""
    r = upscale_factor
    channels, h, w = input.size(-3), input.size(-2), input.size(-1)
    if channels % (r * r) != 0:
        raise RuntimeError("pixel_shuffle: the channels must be divisible by the square of upscale_factor")
    lead = list(input.shape)[: input.dim() - 3]
    parts = input.reshape([math.prod(lead), channels // (r * r), r, r, h, w]).permute([0, 1, 4, 2, 5, 3])
    return parts.reshape(lead + [channels // (r * r), h * r, w * r])


def pixel_unshuffle(input: Tensor, downscale_factor: int) -> Tensor:
    """(..., C, H * r, W * r) to (..., C * r * r, H, W)."""
    r = downscale_factor
    channels, h, w = input.size(-3), input.size(-2), input.size(-1)
    if h % r != 0 or w % r != 0:
        raise RuntimeError("pixel_unshuffle: height and width must be divisible by downscale_factor")
    lead = list(input.shape)[: input.dim() - 3]
    parts = input.reshape([math.prod(lead), channels, h // r, r, w // r, r]).permute([0, 1, 3, 5, 2, 4])
    return parts.reshape(lead + [channels * r * r, h // r, w // r])


def _means(input: Tensor, extents: list[int]) -> Tensor:
    """Means of windows that cover the input evenly."""
    if len(extents) == 1:
        return _adaptive_avg_pool2d(input.unsqueeze(2), [1, extents[0]]).squeeze(2)
    if len(extents) == 2:
        return _adaptive_avg_pool2d(input, extents)
    return adaptive_avg_pool3d(input, extents)


def cubic_weights(t: Tensor) -> list[Tensor]:
    """Weights of the four neighbours at a fraction, as PyTorch's bicubic (A = -0.75)."""
    a = -0.75
    u, v, w = t + 1.0, 1.0 - t, 2.0 - t
    return [
        ((a * u - 5.0 * a) * u + 8.0 * a) * u - 4.0 * a,
        ((a + 2.0) * t - (a + 3.0)) * t * t + 1.0,
        ((a + 2.0) * v - (a + 3.0)) * v * v + 1.0,
        ((a * w - 5.0 * a) * w + 8.0 * a) * w - 4.0 * a,
    ]


def _neighbours(
    old: int, extent: int, factor: float, align_corners: bool, is_cubic: bool, dtype: DType
) -> tuple[list[Tensor], list[Tensor]]:
    """For each place of a resized dimension: the two or four neighbours that it lies between, and their weights."""
    at = _arange(extent).to(dtype)
    if align_corners:
        at = at * ((old - 1) / (extent - 1) if extent > 1 else 0.0)
    else:
        at = (at + 0.5) * factor - 0.5
    if is_cubic:
        low = at.floor()
        return [(low.to(_INT64) + (i - 1)).clamp(0, old - 1) for i in range(4)], cubic_weights(at - low)
    at = at.clamp(min=0.0)
    first = at.floor().to(_INT64).clamp(max=old - 1)
    weight = at - first.to(dtype)
    return [first, (first + 1).clamp(max=old - 1)], [1 - weight, weight]


def _between_bytes(
    input: Tensor, dim: int, extent: int, factor: float, align_corners: bool, is_cubic: bool
) -> Tensor:
    """uint8 resized along one dimension, as PyTorch's: the weights of an element are added, then rounded to 15 bits,
    and so is each sum to a byte."""
    near, weights = _neighbours(input.size(dim), extent, factor, align_corners, is_cubic, DType.float64)
    for i in range(len(near) - 1):
        is_same = near[i] == near[i + 1]
        weights[i + 1] = weights[i + 1] + _where(is_same, weights[i], 0.0)
        weights[i] = _where(is_same, 0.0, weights[i])
    most = _stack(weights).max()
    scale = 2.0 ** ((32767.5 / most).log2().ceil() - 1.0).clamp(0.0, 22.0)
    shape = [extent] + [1] * (input.dim() - 1 - dim)
    total = _zeros([1], dtype=DType.float64)
    for i in range(len(near)):
        parts = ((weights[i] * scale).abs() + 0.5).floor() * weights[i].sign()
        total = total + input.index_select(dim, near[i]) * parts.reshape(shape)
    return (total / scale + 0.5).floor().clamp(0.0, 255.0).to(DType.uint8)


def interpolate(
    input: Tensor,
    size: int | list[int] | None = None,
    scale_factor: float | list[float] | None = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None,
    antialias: bool = False,
) -> Tensor:
    """(N, C, spatial ...) resized to `size` or by `scale_factor`, exactly one of them, a number or one a dimension.

    mode: "nearest", "nearest-exact", "linear" (3D input), "bilinear", "bicubic" (4D), "trilinear" (5D), "area" (means).
    ValueError for arguments that do not fit, NotImplementedError for other modes and for antialias."""
    spatial = input.dim() - 2
    is_linear = mode == "linear" or mode == "bilinear" or mode == "trilinear" or mode == "bicubic"
    if (not is_linear and mode != "nearest" and mode != "nearest-exact" and mode != "area") or antialias:
        raise NotImplementedError("interpolate: no " + ("antialias" if antialias else "mode " + mode))
    if align_corners is not None and not is_linear:
        raise ValueError("align_corners option can only be set with the interpolating modes")
    wanted = 1 if mode == "linear" else 3 if mode == "trilinear" else 2
    if spatial < 1 or (is_linear and spatial != wanted):
        raise NotImplementedError("interpolate: mode " + mode + " does not take " + str(input.dim()) + " dimensions")
    if (size is None) == (scale_factor is None):
        raise ValueError("only one of size or scale_factor should be defined")
    extents: list[int] = []
    factors: list[float] = []
    for i in range(spatial):
        old = input.size(i + 2)
        if size is not None:
            new = size[i] if isinstance(size, (list, tuple)) else size
            extents.append(new)
            factors.append(old / new)
        elif scale_factor is not None:
            scale = scale_factor[i] if isinstance(scale_factor, (list, tuple)) else float(scale_factor)
            new = math.trunc(old * scale)
            extents.append(new)
            factors.append(old / new if recompute_scale_factor is not None and recompute_scale_factor else 1.0 / scale)
    if mode == "area":
        return _means(input, extents)
    corners, is_cubic = align_corners is not None and align_corners, mode == "bicubic"
    if is_linear and not input.is_floating_point() and (input.dtype != DType.uint8 or spatial != 2):
        raise NotImplementedError("interpolate: mode " + mode + " does not take " + str(input.dtype))
    if is_linear and input.dtype == DType.uint8:
        wide = _between_bytes(input, 3, extents[1], factors[1], corners, is_cubic)
        return _between_bytes(wide, 2, extents[0], factors[0], corners, is_cubic)
    kind = "cubic" if is_cubic else "linear" if is_linear else mode
    return _interpolate(input, extents, factors, kind, corners)
