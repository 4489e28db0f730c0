"""Pooling as plain scripted Python on top of the pools of planes.

In: (N, C, spatial ...), or without N. Out: the same with other extents. Holds: sizes are one int or one for each
dimension, as PyTorch's; where they may be None, it keeps the extent of the input.
"""

from __future__ import annotations

from ..binding import functions
from ..binding.tensor import Tensor
from ..library.dims import as_list
from ..library.spelling import spelled

_F, _tsm = functions.namespace("F."), functions.namespace("tsm.")
_avg_pool2d, _max_pool2d, _adaptive_avg_pool2d = _F["avg_pool2d"], _F["max_pool2d"], _F["adaptive_avg_pool2d"]
_stack = _tsm["stack"]


def avg_pool1d(
    input: Tensor, kernel_size: int | list[int], stride: int | list[int] | None = None, padding: int | list[int] = 0,
    ceil_mode: bool = False, count_include_pad: bool = True,
) -> Tensor:
    """Mean of each window of (N, C, L) or (C, L)."""
    kernel, cut = as_list(kernel_size), as_list(padding)
    step = kernel if stride is None else as_list(stride)
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
    if isinstance(output_size, int):
        return _adaptive_avg_pool2d(input, [output_size, output_size])
    h, w = output_size
    return _adaptive_avg_pool2d(input, [input.size(-2) if h is None else h, input.size(-1) if w is None else w])


@spelled("F.adaptive_avg_pool3d")
def adaptive_avg_pool3d(input: Tensor, output_size) -> Tensor:  # type: ignore[no-untyped-def]
    """Mean of windows of (N, C, D, H, W) that give an output size."""
    size = _extents(input, output_size, 3)
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


def adaptive_max_pool1d(input: Tensor, output_size) -> Tensor:  # type: ignore[no-untyped-def]
    """Largest of windows that give an output size."""
    return _adaptive_max(input, _extents(input, output_size, 1))


def adaptive_max_pool2d(input: Tensor, output_size) -> Tensor:  # type: ignore[no-untyped-def]
    """Largest of windows that give an output height and width."""
    return _adaptive_max(input, _extents(input, output_size, 2))


def adaptive_max_pool3d(input: Tensor, output_size) -> Tensor:  # type: ignore[no-untyped-def]
    """Largest of windows of (N, C, D, H, W) that give an output size."""
    return _adaptive_max(input, _extents(input, output_size, 3))


@spelled("F.lp_pool1d")
def lp_pool1d(
    input: Tensor, norm_type: float, kernel_size: int, stride: int | None = None, ceil_mode: bool = False
) -> Tensor:
    """(sum of x ** norm_type) ** (1 / norm_type) of each window of (N, C, L)."""
    return lp_pool2d(
        input.unsqueeze(-2), norm_type, [1, kernel_size], None if stride is None else [1, stride], ceil_mode
    ).squeeze(-2)


@spelled("F.lp_pool2d")
def lp_pool2d(
    input: Tensor,
    norm_type: float,
    kernel_size: int | list[int],
    stride: int | list[int] | None = None,
    ceil_mode: bool = False,
) -> Tensor:
    """(sum of x ** norm_type) ** (1 / norm_type) of each window of (N, C, H, W)."""
    kernel = as_list(kernel_size) * (2 if isinstance(kernel_size, int) else 1)
    step = kernel if stride is None else as_list(stride) * (2 if isinstance(stride, int) else 1)
    means = _avg_pool2d(input**norm_type, kernel, step, [0, 0], ceil_mode)
    return (means.sign() * means.abs().relu() * (kernel[0] * kernel[1])) ** (1.0 / norm_type)


def _third(values: int | list[int]) -> list[int]:
    given = as_list(values)
    return given * 3 if len(given) == 1 else given


@spelled("F.max_pool3d")
def max_pool3d(
    input: Tensor,
    kernel_size: int | list[int],
    stride: int | list[int] | None = None,
    padding: int | list[int] = 0,
    dilation: int | list[int] = 1,
    ceil_mode: bool = False,
) -> Tensor:
    """Largest of each window of (N, C, D, H, W)."""
    kernel, cut, by = _third(kernel_size), _third(padding), _third(dilation)
    step = kernel if stride is None else _third(stride)
    if input.dim() != 5:
        raise RuntimeError("max_pool3d: expected (N, C, D, H, W)")
    shape = list(input.shape)
    planes = input.reshape([shape[0], shape[1] * shape[2], shape[3], shape[4]])
    flat = _max_pool2d(planes, kernel[1:], step[1:], cut[1:], by[1:], ceil_mode)
    h, w = flat.size(2), flat.size(3)
    lines = flat.reshape([shape[0], shape[1], shape[2], h * w])
    deep = _max_pool2d(lines, [kernel[0], 1], [step[0], 1], [cut[0], 0], [by[0], 1], ceil_mode)
    return deep.reshape([shape[0], shape[1], deep.size(2), h, w])


@spelled("F.avg_pool3d")
def avg_pool3d(
    input: Tensor,
    kernel_size: int | list[int],
    stride: int | list[int] | None = None,
    padding: int | list[int] = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> Tensor:
    """Mean of each window of (N, C, D, H, W)."""
    kernel, cut = _third(kernel_size), _third(padding)
    step = kernel if stride is None else _third(stride)
    if input.dim() != 5:
        raise RuntimeError("avg_pool3d: expected (N, C, D, H, W)")
    shape = list(input.shape)
    planes = input.reshape([shape[0], shape[1] * shape[2], shape[3], shape[4]])
    flat = _avg_pool2d(planes, kernel[1:], step[1:], cut[1:], ceil_mode, count_include_pad)
    h, w = flat.size(2), flat.size(3)
    lines = flat.reshape([shape[0], shape[1], shape[2], h * w])
    deep = _avg_pool2d(lines, [kernel[0], 1], [step[0], 1], [cut[0], 0], ceil_mode, count_include_pad)
    return deep.reshape([shape[0], shape[1], deep.size(2), h, w])
