"""Pooling as plain scripted Python on top of the pools of planes.

In: (N, C, spatial ...), or without N. Out: the same with other extents. Holds: sizes are one int or one for each
dimension, as PyTorch's; where they may be None, it keeps the extent of the input.
"""

from __future__ import annotations

import math

from ..binding import functions
from ..binding.dtype import DType
from ..binding.tensor import Tensor
from ..written.dims import as_list, each_dimension
from ..written.spelling import choosing, spelled

_F, _tsm = functions.namespace("F."), functions.namespace("tsm.")
_avg_pool2d, _max_pool2d, _adaptive_avg_pool2d = _F["avg_pool2d"], _F["max_pool2d"], _F["adaptive_avg_pool2d"]
_stack, _arange = _tsm["stack"], _tsm["arange"]


def avg_pool1d(
    input: Tensor, kernel_size: int | list[int], stride: int | list[int] | None = None, padding: int | list[int] = 0,
    ceil_mode: bool = False, count_include_pad: bool = True,
) -> Tensor:
    """Mean of each window of (N, C, L) or (C, L)."""
    kernel, cut = as_list(kernel_size), as_list(padding)
    step = _steps(kernel, stride)
    pooled = _avg_pool2d(
        input.unsqueeze(-2), [1, kernel[0]], [1, step[0]], [0, cut[0]], ceil_mode, count_include_pad)
    return pooled.squeeze(-2)


def _extents(input: Tensor, output_size, count: int) -> list[int]:  # type: ignore[no-untyped-def] # one size or several
    """The extents of the result along the last dimensions."""
    if isinstance(output_size, int):
        return [output_size] * count
    if len(output_size) != count:
        raise RuntimeError("adaptive pooling: output_size must be " + str(count))
    return [input.size(i - count) if size is None else size for i, size in enumerate(output_size)]


def adaptive_avg_pool1d(input: Tensor, output_size) -> Tensor:  # type: ignore[no-untyped-def]
    """Mean of windows that give an output size."""
    return _adaptive_avg_pool2d(input.unsqueeze(-2), [1, _extents(input, output_size, 1)[0]]).squeeze(-2)


def adaptive_avg_pool2d(input: Tensor, output_size) -> Tensor:  # type: ignore[no-untyped-def]
    """Mean of windows that give an output height and width, of which one may be None."""
    return _adaptive_avg_pool2d(input, _extents(input, output_size, 2))


@spelled("F.adaptive_avg_pool3d")
def adaptive_avg_pool3d(input: Tensor, output_size) -> Tensor:  # type: ignore[no-untyped-def]
    """Mean of windows of (N, C, D, H, W) that give an output size."""
    size = _extents(input, output_size, 3)
    if input.dim() == 4:
        return adaptive_avg_pool3d(input.unsqueeze(0), output_size).squeeze(0)
    if input.dim() != 5:
        raise RuntimeError("adaptive_avg_pool3d: expected (N, C, D, H, W)")
    shape = list(input.shape)
    flat = _adaptive_avg_pool2d(input.reshape([shape[0], shape[1] * shape[2], shape[3], shape[4]]), size[1:])
    lines = flat.reshape([shape[0], shape[1], shape[2], size[1] * size[2]])
    return _adaptive_avg_pool2d(lines, [size[0], size[1] * size[2]]).reshape([shape[0], shape[1]] + size)


def _adaptive_max(input: Tensor, sizes: list[int]) -> Tensor:
    """Largest of windows along the last dimensions."""
    result = input
    for i, count in enumerate(sizes):
        dim = i - len(sizes)
        extent = result.size(dim)
        parts: list[Tensor] = []
        for k in range(count):
            start, end = k * extent // count, ((k + 1) * extent + count - 1) // count
            parts.append(result.narrow(dim, start, end - start).amax([dim]))
        result = _stack(parts, dim)
    return result


def _adaptive_max_places(input: Tensor, sizes: list[int]) -> tuple[Tensor, Tensor]:
    """The same, and where in the flattened last dimensions each lies: of equal ones the first."""
    rank = len(sizes)
    extents = list(input.shape)[input.dim() - rank :]
    result, places = input, _arange(math.prod(extents)).reshape(extents).expand(input.shape)
    for i in range(rank):
        dim, count = -1 - i, sizes[rank - 1 - i]
        extent = result.size(dim)
        parts: list[Tensor] = []
        wheres: list[Tensor] = []
        for k in range(count):
            start, end = k * extent // count, ((k + 1) * extent + count - 1) // count
            window = result.narrow(dim, start, end - start)
            chosen = window.argmax(dim, True)
            parts.append(window.gather(dim, chosen).squeeze(dim))
            wheres.append(places.narrow(dim, start, end - start).gather(dim, chosen).squeeze(dim))
        result, places = _stack(parts, dim), _stack(wheres, dim)
    return result, places


def _adaptive_max_pool1d(input: Tensor, output_size) -> Tensor:  # type: ignore[no-untyped-def]
    return _adaptive_max(input, _extents(input, output_size, 1))


def _adaptive_max_pool1d_places(input: Tensor, output_size) -> tuple[Tensor, Tensor]:  # type: ignore[no-untyped-def]
    return _adaptive_max_places(input, _extents(input, output_size, 1))


@choosing(neither=_adaptive_max_pool1d, return_indices=_adaptive_max_pool1d_places)
def adaptive_max_pool1d(input: Tensor, output_size, return_indices: bool = False):  # type: ignore[no-untyped-def]
    """Largest of windows that give an output length; with return_indices also where in the line it lies."""
    if return_indices:
        return _adaptive_max_pool1d_places(input, output_size)
    return _adaptive_max_pool1d(input, output_size)


def _adaptive_max_pool2d(input: Tensor, output_size) -> Tensor:  # type: ignore[no-untyped-def]
    return _adaptive_max(input, _extents(input, output_size, 2))


def _adaptive_max_pool2d_places(input: Tensor, output_size) -> tuple[Tensor, Tensor]:  # type: ignore[no-untyped-def]
    return _adaptive_max_places(input, _extents(input, output_size, 2))


@choosing(neither=_adaptive_max_pool2d, return_indices=_adaptive_max_pool2d_places)
def adaptive_max_pool2d(input: Tensor, output_size, return_indices: bool = False):  # type: ignore[no-untyped-def]
    """Largest of windows that give an output height and width; with return_indices also where in its plane it lies."""
    if return_indices:
        return _adaptive_max_pool2d_places(input, output_size)
    return _adaptive_max_pool2d(input, output_size)


def _adaptive_max_pool3d(input: Tensor, output_size) -> Tensor:  # type: ignore[no-untyped-def]
    return _adaptive_max(input, _extents(input, output_size, 3))


def _adaptive_max_pool3d_places(input: Tensor, output_size) -> tuple[Tensor, Tensor]:  # type: ignore[no-untyped-def]
    return _adaptive_max_places(input, _extents(input, output_size, 3))


@choosing(neither=_adaptive_max_pool3d, return_indices=_adaptive_max_pool3d_places)
def adaptive_max_pool3d(input: Tensor, output_size, return_indices: bool = False):  # type: ignore[no-untyped-def]
    """Largest of windows that give an output depth, height and width; with return_indices also where in its volume it
    lies."""
    if return_indices:
        return _adaptive_max_pool3d_places(input, output_size)
    return _adaptive_max_pool3d(input, output_size)


@spelled("F.lp_pool1d")
def lp_pool1d(
    input: Tensor,
    norm_type: float,
    kernel_size: int | list[int],
    stride: int | list[int] | None = None,
    ceil_mode: bool = False,
) -> Tensor:
    """(sum of x ** norm_type) ** (1 / norm_type) of each window of (N, C, L)."""
    kernel = each_dimension(kernel_size, 1, "kernel_size")
    step = _steps(kernel, stride)
    return lp_pool2d(input.unsqueeze(-2), norm_type, [1, kernel[0]], [1, step[0]], ceil_mode).squeeze(-2)


@spelled("F.lp_pool2d")
def lp_pool2d(
    input: Tensor,
    norm_type: float,
    kernel_size: int | list[int],
    stride: int | list[int] | None = None,
    ceil_mode: bool = False,
) -> Tensor:
    """(sum of x ** norm_type) ** (1 / norm_type) of each window of (N, C, H, W)."""
    kernel = each_dimension(kernel_size, 2, "kernel_size")
    means = _avg_pool2d(input**norm_type, kernel, _steps(kernel, stride), [0, 0], ceil_mode)
    return (means.sign() * means.abs().relu() * (kernel[0] * kernel[1])) ** (1.0 / norm_type)


def _volume_pool(input: Tensor, name: str) -> Tensor:
    """(N, C, D, H, W) of that, or of (C, D, H, W). RuntimeError for other ranks."""
    if input.dim() != 4 and input.dim() != 5:
        raise RuntimeError(name + ": expected (N, C, D, H, W) or (C, D, H, W), not " + str(input.dim()) + " dimensions")
    return input if input.dim() == 5 else input.unsqueeze(0)


def largest3d(
    input: Tensor, kernel_size: int | list[int], stride: int | list[int] | None = None, padding: int | list[int] = 0,
    dilation: int | list[int] = 1, ceil_mode: bool = False,
) -> Tensor:
    """Largest of each window of (N, C, D, H, W) or (C, D, H, W)."""
    kernel, cut = each_dimension(kernel_size, 3, "kernel_size"), each_dimension(padding, 3, "padding")
    step, by = _steps(kernel, stride), each_dimension(dilation, 3, "dilation")
    batch = _volume_pool(input, "max_pool3d")
    shape = list(batch.shape)
    planes = batch.reshape([shape[0], shape[1] * shape[2], shape[3], shape[4]])
    flat = _max_pool2d(planes, kernel[1:], step[1:], cut[1:], by[1:], ceil_mode)
    h, w = flat.size(2), flat.size(3)
    lines = flat.reshape([shape[0], shape[1], shape[2], h * w])
    deep = _max_pool2d(lines, [kernel[0], 1], [step[0], 1], [cut[0], 0], [by[0], 1], ceil_mode)
    made = deep.reshape([shape[0], shape[1], deep.size(2), h, w])
    return made if input.dim() == 5 else made.squeeze(0)


def _steps(kernel: list[int], stride: int | list[int] | None) -> list[int]:
    """The stride, by default the window; an empty list is none, as in the table."""
    if stride is None:
        return kernel
    given = as_list(stride)
    return kernel if len(given) == 0 else each_dimension(given, len(kernel), "stride")


def _counted(extent: int, count: int, kernel: int, step: int, cut: int) -> Tensor:
    """How many elements of the input each of `count` windows has along a dimension."""
    start = _arange(count) * step - cut
    return (start + kernel).clamp(max=extent) - start.clamp(min=0)


@spelled("F.avg_pool2d")
def avg_pool2d(
    input: Tensor, kernel_size: int | list[int], stride: int | list[int] | None = None, padding: int | list[int] = 0,
    ceil_mode: bool = False, count_include_pad: bool = True, divisor_override: int | None = None,
) -> Tensor:
    """Mean of each window of (N, C, H, W), or its sum by divisor_override. RuntimeError if that is 0."""
    kernel, cut = each_dimension(kernel_size, 2, "kernel_size"), each_dimension(padding, 2, "padding")
    step = _steps(kernel, stride)
    if divisor_override is None:
        return _avg_pool2d(input, kernel, step, cut, ceil_mode, count_include_pad)
    means = _avg_pool2d(_exact(input), kernel, step, cut, ceil_mode, False)
    return _as_sums(means, list(input.shape)[-2:], kernel, step, cut, divisor_override, input.dtype)


def _exact(input: Tensor) -> Tensor:
    """Integers as float64, whose sums PyTorch divides and cuts."""
    return input if input.is_floating_point() else input.to(DType.float64)


def _as_sums(
    means: Tensor, extents: list[int], kernel: list[int], step: list[int], cut: list[int], divisor: int,
    input_kind: DType,
) -> Tensor:
    """Means of what windows have in common with the input as sums by a divisor."""
    if divisor == 0:
        raise RuntimeError("divisor must be not zero")
    result, rank = means, len(kernel)
    for i in range(rank):
        counts = _counted(extents[i], means.size(i - rank), kernel[i], step[i], cut[i])
        result = result * counts.reshape([-1] + [1] * (rank - 1 - i))
    if input_kind.is_floating_point:
        return result / divisor
    return (result.round() / divisor).trunc().to(input_kind)


@spelled("F.avg_pool3d")
def avg_pool3d(
    input: Tensor, kernel_size: int | list[int], stride: int | list[int] | None = None, padding: int | list[int] = 0,
    ceil_mode: bool = False, count_include_pad: bool = True, divisor_override: int | None = None,
) -> Tensor:
    """Mean of each window of (N, C, D, H, W) or (C, D, H, W), or its sum by divisor_override. RuntimeError if that is
    0."""
    kernel, cut = each_dimension(kernel_size, 3, "kernel_size"), each_dimension(padding, 3, "padding")
    step, with_pad = _steps(kernel, stride), count_include_pad and divisor_override is None
    batch = _exact(_volume_pool(input, "avg_pool3d"))
    shape = list(batch.shape)
    planes = batch.reshape([shape[0], shape[1] * shape[2], shape[3], shape[4]])
    flat = _avg_pool2d(planes, kernel[1:], step[1:], cut[1:], ceil_mode, with_pad)
    h, w = flat.size(2), flat.size(3)
    lines = flat.reshape([shape[0], shape[1], shape[2], h * w])
    deep = _avg_pool2d(lines, [kernel[0], 1], [step[0], 1], [cut[0], 0], ceil_mode, with_pad)
    made = deep.reshape([shape[0], shape[1], deep.size(2), h, w])
    if divisor_override is not None:
        made = _as_sums(made, shape[2:], kernel, step, cut, divisor_override, input.dtype)
    elif not input.is_floating_point():
        nudge = 0.25 / (kernel[0] * kernel[1] * kernel[2])  # means are multiples of 1 / count, but for rounding
        made = (made + made.sign() * nudge).trunc().to(input.dtype)
    return made if input.dim() == 5 else made.squeeze(0)
