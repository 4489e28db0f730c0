"""Convolutions as PyTorch calls them: transposed ones, padding by name; windows as columns and back.

In: (N, channels, spatial ...) or without N. Out: the same with other extents. Holds: the rows of the table compute;
what arguments do not fit is said here in PyTorch's words.
"""

from __future__ import annotations

from ..binding import functions
from ..binding.tensor import Tensor
from ..written.dims import each_dimension
from ..written.spelling import own, spelled
from .functional_shape import pad as _pad

_tsm, _F = functions.namespace("tsm."), functions.namespace("F.")
_zeros, _stack = _tsm["zeros"], _tsm["stack"]
_conv1d, _conv2d, _conv3d, _conv_transpose = _F["conv1d"], _F["conv2d"], _F["conv3d"], own["conv_transpose"]


def _transposed(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    stride: int | list[int],
    padding: int | list[int],
    output_padding: int | list[int],
    groups: int,
    dilation: int | list[int],
    rank: int,
) -> Tensor:
    """Every element of the input times the kernel, added up where kernels overlap."""
    if input.dim() == rank + 1:
        batch = _transposed(input.unsqueeze(0), weight, bias, stride, padding, output_padding, groups, dilation, rank)
        return batch.squeeze(0)
    if weight.dim() != rank + 2 or input.dim() != rank + 2:
        text = "Expected " + str(rank + 1) + "D (unbatched) or " + str(rank + 2) + "D (batched) input to conv_transpose"
        raise RuntimeError(text + str(rank) + "d, and a weight of as many dimensions as the batched one")
    if input.size(1) != weight.size(0):
        text = "Given transposed=1, weight of size " + str(list(weight.shape)) + ", expected input to have "
        raise RuntimeError(
            text + str(weight.size(0)) + " channels, but got " + str(input.size(1)) + " channels instead"
        )
    if groups <= 0 or weight.size(0) % groups != 0:
        raise RuntimeError("the channels of the input must be divisible by groups")
    step, by = each_dimension(stride, rank, "stride"), each_dimension(dilation, rank, "dilation")
    cut, more = each_dimension(padding, rank, "padding"), each_dimension(output_padding, rank, "output_padding")
    for i in range(rank):
        if step[i] <= 0 or by[i] <= 0:
            raise RuntimeError("non-positive stride is not supported")
        if more[i] >= step[i] and more[i] >= by[i]:
            raise RuntimeError("output padding must be smaller than either stride or dilation")
        if cut[i] < 0 or more[i] < 0:
            raise RuntimeError("negative padding is not supported")
    return _conv_transpose(input, weight, bias, step, cut, by, groups, more)


@spelled("F.conv_transpose1d")
def conv_transpose1d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: int | list[int] = 1,
    padding: int | list[int] = 0,
    output_padding: int | list[int] = 0,
    groups: int = 1,
    dilation: int | list[int] = 1,
) -> Tensor:
    """Transposed 1-d convolution of (N, C, L), weight (C, O / groups, K). RuntimeError for what does not fit."""
    return _transposed(input, weight, bias, stride, padding, output_padding, groups, dilation, 1)


@spelled("F.conv_transpose2d")
def conv_transpose2d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: int | list[int] = 1,
    padding: int | list[int] = 0,
    output_padding: int | list[int] = 0,
    groups: int = 1,
    dilation: int | list[int] = 1,
) -> Tensor:
    """Transposed 2-d convolution of (N, C, H, W), weight (C, O / groups, KH, KW). RuntimeError."""
    return _transposed(input, weight, bias, stride, padding, output_padding, groups, dilation, 2)


@spelled("F.conv_transpose3d")
def conv_transpose3d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: int | list[int] = 1,
    padding: int | list[int] = 0,
    output_padding: int | list[int] = 0,
    groups: int = 1,
    dilation: int | list[int] = 1,
) -> Tensor:
    """Transposed 3-d convolution of (N, C, D, H, W), weight (C, O / groups, KD, KH, KW). RuntimeError."""
    return _transposed(input, weight, bias, stride, padding, output_padding, groups, dilation, 3)


def padding_around(kernel: list[int], padding, stride, dilation) -> list[int]:  # type: ignore[no-untyped-def]
    """What F.pad adds before and after each spatial dimension, the last one first: `padding` is a count, one for each
    dimension, "valid" or "same", whose odd element goes behind. RuntimeError."""
    if not isinstance(padding, str):
        counts = each_dimension(padding, len(kernel), "padding")
        return [counts[len(kernel) - 1 - i // 2] for i in range(2 * len(kernel))]
    if padding != "same" and padding != "valid":
        raise RuntimeError("Invalid padding string: '" + padding + "'")
    if padding == "valid":
        return [0] * (2 * len(kernel))
    by = each_dimension(dilation, len(kernel), "dilation")
    if max(each_dimension(stride, len(kernel), "stride")) != 1:
        raise RuntimeError("padding='same' is not supported for strided convolutions")
    around: list[int] = []
    for i in range(len(kernel)):
        total = by[len(kernel) - 1 - i] * (kernel[len(kernel) - 1 - i] - 1)
        around += [total // 2, total - total // 2]
    return around


def _by_name(
    input: Tensor, kernel: list[int], stride: int | list[int], padding: str, dilation: int | list[int]
) -> tuple[Tensor, list[int]]:
    """The input with what only one side gets, and what the convolution adds at both."""
    around = padding_around(kernel, padding, stride, dilation)
    both = [around[2 * (len(kernel) - 1 - i)] for i in range(len(kernel))]
    behind = [around[i] - around[i - 1] if i % 2 == 1 else 0 for i in range(len(around))]
    return _pad(input, behind) if max(behind) > 0 else input, both


@spelled("F.conv1d")
def conv1d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: int | list[int] = 1,
    padding: str = "valid",
    dilation: int | list[int] = 1,
    groups: int = 1,
) -> Tensor:
    """1-d cross-correlation with padding "same" or "valid"."""
    x, cut = _by_name(input, list(weight.shape)[2:], stride, padding, dilation)
    step, by = each_dimension(stride, 1, "stride"), each_dimension(dilation, 1, "dilation")
    return _conv1d(x, weight, bias, step, cut, by, groups)


@spelled("F.conv2d")
def conv2d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: int | list[int] = 1,
    padding: str = "valid",
    dilation: int | list[int] = 1,
    groups: int = 1,
) -> Tensor:
    """2-d cross-correlation with padding "same" or "valid"."""
    x, cut = _by_name(input, list(weight.shape)[2:], stride, padding, dilation)
    step, by = each_dimension(stride, 2, "stride"), each_dimension(dilation, 2, "dilation")
    return _conv2d(x, weight, bias, step, cut, by, groups)


@spelled("F.conv3d")
def conv3d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: int | list[int] = 1,
    padding: str = "valid",
    dilation: int | list[int] = 1,
    groups: int = 1,
) -> Tensor:
    """3-d cross-correlation with padding "same" or "valid"."""
    x, cut = _by_name(input, list(weight.shape)[2:], stride, padding, dilation)
    step, by = each_dimension(stride, 3, "stride"), each_dimension(dilation, 3, "dilation")
    return _conv3d(x, weight, bias, step, cut, by, groups)


def _windows(extent: int, kernel: int, dilation: int, padding: int, stride: int) -> int:
    return (extent + 2 * padding - dilation * (kernel - 1) - 1) // stride + 1


@spelled("F.unfold")
def unfold(
    input: Tensor,
    kernel_size: int | list[int],
    dilation: int | list[int] = 1,
    padding: int | list[int] = 0,
    stride: int | list[int] = 1,
) -> Tensor:
    """Windows of (N, C, H, W) as columns: (N, C * kernel, windows). RuntimeError for what does not fit."""
    if input.dim() == 3:
        return unfold(input.unsqueeze(0), kernel_size, dilation, padding, stride).squeeze(0)
    if input.dim() != 4:
        raise RuntimeError("Expected 3D or 4D (batch mode) tensor with possibly 0 batch size for input")
    kernel, by = each_dimension(kernel_size, 2, "kernel_size"), each_dimension(dilation, 2, "dilation")
    cut, step = each_dimension(padding, 2, "padding"), each_dimension(stride, 2, "stride")
    height = _windows(input.size(2), kernel[0], by[0], cut[0], step[0])
    width = _windows(input.size(3), kernel[1], by[1], cut[1], step[1])
    if height < 1 or width < 1:
        raise RuntimeError("unfold: the calculated shape of the array of sliding blocks must be at least one")
    x = _pad(input, [cut[1], cut[1], cut[0], cut[0]]) if max(cut) > 0 else input
    parts: list[Tensor] = []
    for i in range(kernel[0]):
        lines = x[:, :, i * by[0] : i * by[0] + (height - 1) * step[0] + 1 : step[0]]
        for k in range(kernel[1]):
            parts.append(lines[:, :, :, k * by[1] : k * by[1] + (width - 1) * step[1] + 1 : step[1]])
    return _stack(parts, 2).reshape([x.size(0), x.size(1) * kernel[0] * kernel[1], height * width])


@spelled("F.fold")
def fold(
    input: Tensor,
    output_size: int | list[int],
    kernel_size: int | list[int],
    dilation: int | list[int] = 1,
    padding: int | list[int] = 0,
    stride: int | list[int] = 1,
) -> Tensor:
    """Columns (N, C * kernel, windows) added up as windows of (N, C, H, W). RuntimeError for what does not fit."""
    if input.dim() == 2:
        return fold(input.unsqueeze(0), output_size, kernel_size, dilation, padding, stride).squeeze(0)
    if input.dim() != 3:
        raise RuntimeError("Expected 2D or 3D (batch mode) tensor for input with possibly 0 batch size")
    kernel, by, size = (
        each_dimension(kernel_size, 2, "kernel_size"),
        each_dimension(dilation, 2, "dilation"),
        each_dimension(output_size, 2, "output_size"),
    )
    cut, step = each_dimension(padding, 2, "padding"), each_dimension(stride, 2, "stride")
    height = _windows(size[0], kernel[0], by[0], cut[0], step[0])
    width = _windows(size[1], kernel[1], by[1], cut[1], step[1])
    if input.size(1) % (kernel[0] * kernel[1]) != 0:
        raise RuntimeError("Expected size of input's dimension 1 to be divisible by the product of kernel_size")
    if input.size(2) != height * width:
        text = "Given output_size, kernel_size and the others, expected size of input's dimension 2 to match "
        raise RuntimeError(text + "the calculated number of sliding blocks " + str(height * width))
    channels = input.size(1) // (kernel[0] * kernel[1])
    parts = input.reshape([input.size(0), channels, kernel[0], kernel[1], height, width])
    made = _zeros([input.size(0), channels, size[0] + 2 * cut[0], size[1] + 2 * cut[1]], dtype=input.dtype)
    for i in range(kernel[0]):
        lines = made[:, :, i * by[0] : i * by[0] + (height - 1) * step[0] + 1 : step[0]]
        for k in range(kernel[1]):
            lines[:, :, :, k * by[1] : k * by[1] + (width - 1) * step[1] + 1 : step[1]].add_(
                parts.select(2, i).select(2, k)
            )
    return made.narrow(2, cut[0], size[0]).narrow(3, cut[1], size[1]).contiguous()
