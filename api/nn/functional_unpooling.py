"""Largest elements of windows with their places, and their way back, as plain scripted Python.

In: float tensors (N, C, H, W), (C, H, W) or, of one dimension, (N, C, L), (C, L). Out: values, and int64 places in the
flattened plane. Holds: of equal elements the first counts.
"""

from __future__ import annotations

from ..binding.tensor import Tensor
from ..written.dims import each_dimension, whole
from ..written.spelling import choosing, layers, rows, spelled
from .functional_pooling import largest3d

_max_pool2d, _arange, _where = layers["max_pool2d"], rows["arange"], rows["where"]


def _pair(value: int | list[int]) -> list[int]:
    return each_dimension(value, 2, "pooling sizes")


def _positions(count: int, kernel: int, step: int, cut: int, by: int) -> Tensor:
    """(count, kernel): where in the input each element of each window lies, which may be outside."""
    return (_arange(count) * step - cut).unsqueeze(1) + _arange(kernel) * by


def _max_pool2d_places(
    input: Tensor, kernel_size: int | list[int], stride: int | list[int] | None = None, padding: int | list[int] = 0,
    dilation: int | list[int] = 1, ceil_mode: bool = False,
) -> tuple[Tensor, Tensor]:
    """The largest of each window, and where in its plane it lies."""
    kernel, cut, by = _pair(kernel_size), _pair(padding), _pair(dilation)
    step = kernel if stride is None else _pair(stride)
    values = _max_pool2d(input, kernel, step, cut, by, ceil_mode)
    height, width = input.size(-2), input.size(-1)
    lines = _positions(values.size(-2), kernel[0], step[0], cut[0], by[0])[:, None, :, None]
    columns = _positions(values.size(-1), kernel[1], step[1], cut[1], by[1])[None, :, None, :]
    is_inside = (lines >= 0) & (lines < height) & (columns >= 0) & (columns < width)
    places = (lines.clamp(0, height - 1) * width + columns.clamp(0, width - 1)).flatten(2)
    windows = input.flatten(-2)[..., places.flatten()].unflatten(-1, list(places.shape))
    windows = _where(is_inside.flatten(2), windows, -float("inf"))
    chosen = windows.argmax(-1, True)
    return values, places.expand(windows.shape).gather(-1, chosen).squeeze(-1)


def _largest2d(
    input: Tensor, kernel_size: int | list[int], stride: int | list[int] | None = None, padding: int | list[int] = 0,
    dilation: int | list[int] = 1, ceil_mode: bool = False,
) -> Tensor:
    """The largest of each window; the stride defaults to the window."""
    kernel = _pair(kernel_size)
    step = kernel if stride is None else _pair(stride)
    return _max_pool2d(input, kernel, step, _pair(padding), _pair(dilation), ceil_mode)


@spelled("F.max_pool2d", "tsm.max_pool2d")
@choosing(neither=_largest2d, return_indices=_max_pool2d_places)
def max_pool2d(  # type: ignore[no-untyped-def] # the flag says what it gives
    input: Tensor, kernel_size: int | list[int], stride: int | list[int] | None = None, padding: int | list[int] = 0,
    dilation: int | list[int] = 1, ceil_mode: bool = False, return_indices: bool = False,
):
    """The largest of each window; with return_indices also where in its plane it lies."""
    if return_indices:
        return _max_pool2d_places(input, kernel_size, stride, padding, dilation, ceil_mode)
    return _largest2d(input, kernel_size, stride, padding, dilation, ceil_mode)


@spelled("F.max_unpool2d")
def max_unpool2d(
    input: Tensor, indices: Tensor, kernel_size: int | list[int], stride: int | list[int] | None = None,
    padding: int | list[int] = 0, output_size: list[int] | None = None,
) -> Tensor:
    """Zeros, with the elements of input where indices say. RuntimeError for a place outside."""
    kernel, cut = _pair(kernel_size), _pair(padding)
    step = kernel if stride is None else _pair(stride)
    if input.shape != indices.shape:
        raise RuntimeError(f"Expected shape of indices to be same as that of the input tensor ({list(input.shape)}) "
                           f"but got indices tensor with shape: {list(indices.shape)}")
    height = (input.size(-2) - 1) * step[0] - 2 * cut[0] + kernel[0]
    width = (input.size(-1) - 1) * step[1] - 2 * cut[1] + kernel[1]
    if output_size is not None:
        height, width = output_size[-2], output_size[-1]
    flat = indices.flatten(-2)
    if flat.numel() > 0:
        most, least = whole(flat.max()), whole(flat.min())
        if most >= height * width or least < 0:
            wrong = least if most < height * width else most
            raise RuntimeError(f"Found an invalid max index: {wrong} (output volumes are of size {height}x{width})")
    made = input.new_zeros(list(input.shape)[:-2] + [height * width])
    return made.scatter(-1, flat, input.flatten(-2)).unflatten(-1, [height, width])


def _line(value: int | list[int], across: int) -> list[int]:
    """A size along a line as one of a plane of height 1."""
    return [across, each_dimension(value, 1, "pooling sizes")[0]]


def _largest1d(
    input: Tensor, kernel_size: int | list[int], stride: int | list[int] | None = None, padding: int | list[int] = 0,
    dilation: int | list[int] = 1, ceil_mode: bool = False,
) -> Tensor:
    """The largest of each window of the last dimension."""
    step = kernel_size if stride is None else stride
    wide = input.unsqueeze(-2)
    return _max_pool2d(
        wide, _line(kernel_size, 1), _line(step, 1), _line(padding, 0), _line(dilation, 1), ceil_mode
    ).squeeze(-2)


def _max_pool1d_places(
    input: Tensor, kernel_size: int | list[int], stride: int | list[int] | None = None, padding: int | list[int] = 0,
    dilation: int | list[int] = 1, ceil_mode: bool = False,
) -> tuple[Tensor, Tensor]:
    """The largest of each window of the last dimension, and where it lies."""
    step = kernel_size if stride is None else stride
    values, places = _max_pool2d_places(
        input.unsqueeze(-2), _line(kernel_size, 1), _line(step, 1), _line(padding, 0), _line(dilation, 1), ceil_mode)
    return values.squeeze(-2), places.squeeze(-2)


@spelled("F.max_pool1d", "tsm.max_pool1d")
@choosing(neither=_largest1d, return_indices=_max_pool1d_places)
def max_pool1d(  # type: ignore[no-untyped-def] # the flag says what it gives
    input: Tensor, kernel_size: int | list[int], stride: int | list[int] | None = None, padding: int | list[int] = 0,
    dilation: int | list[int] = 1, ceil_mode: bool = False, return_indices: bool = False,
):
    """Largest of each window of (N, C, L) or (C, L); with return_indices also where it lies."""
    if return_indices:
        return _max_pool1d_places(input, kernel_size, stride, padding, dilation, ceil_mode)
    return _largest1d(input, kernel_size, stride, padding, dilation, ceil_mode)


def _max_pool3d_places(
    input: Tensor, kernel_size: int | list[int], stride: int | list[int] | None = None, padding: int | list[int] = 0,
    dilation: int | list[int] = 1, ceil_mode: bool = False,
) -> tuple[Tensor, Tensor]:
    """The largest of each window, and where in its volume it lies."""
    values = largest3d(input, kernel_size, stride, padding, dilation, ceil_mode)
    step = each_dimension(kernel_size if stride is None else stride, 3, "stride")
    kernel, cut = each_dimension(kernel_size, 3, "kernel_size"), each_dimension(padding, 3, "padding")
    by, size = each_dimension(dilation, 3, "dilation"), list(input.shape)[-3:]
    d = _positions(values.size(-3), kernel[0], step[0], cut[0], by[0])[:, None, None, :, None, None]
    h = _positions(values.size(-2), kernel[1], step[1], cut[1], by[1])[None, :, None, None, :, None]
    w = _positions(values.size(-1), kernel[2], step[2], cut[2], by[2])[None, None, :, None, None, :]
    is_inside = (d >= 0) & (d < size[0]) & (h >= 0) & (h < size[1]) & (w >= 0) & (w < size[2])
    places = (d.clamp(0, size[0] - 1) * size[1] + h.clamp(0, size[1] - 1)) * size[2] + w.clamp(0, size[2] - 1)
    places = places.flatten(3)
    windows = input.flatten(-3)[..., places.flatten()].unflatten(-1, list(places.shape))
    windows = _where(is_inside.flatten(3), windows, -float("inf"))
    chosen = windows.argmax(-1, True)
    return values, places.expand(windows.shape).gather(-1, chosen).squeeze(-1)


@spelled("F.max_pool3d", "tsm.max_pool3d")
@choosing(neither=largest3d, return_indices=_max_pool3d_places)
def max_pool3d(  # type: ignore[no-untyped-def] # the flag says what it gives
    input: Tensor, kernel_size: int | list[int], stride: int | list[int] | None = None, padding: int | list[int] = 0,
    dilation: int | list[int] = 1, ceil_mode: bool = False, return_indices: bool = False,
):
    """Largest of each window of (N, C, D, H, W) or (C, D, H, W); with return_indices also where in its volume it
    lies."""
    if return_indices:
        return _max_pool3d_places(input, kernel_size, stride, padding, dilation, ceil_mode)
    return largest3d(input, kernel_size, stride, padding, dilation, ceil_mode)


@spelled("F.max_unpool1d")
def max_unpool1d(
    input: Tensor, indices: Tensor, kernel_size: int | list[int], stride: int | list[int] | None = None,
    padding: int | list[int] = 0, output_size: list[int] | None = None,
) -> Tensor:
    """Zeros, with the elements of input where indices say."""
    step = kernel_size if stride is None else stride
    size = None if output_size is None else [1, output_size[-1]]
    flat = max_unpool2d(
        input.unsqueeze(-2), indices.unsqueeze(-2), _line(kernel_size, 1), _line(step, 1), _line(padding, 0), size)
    return flat.squeeze(-2)
