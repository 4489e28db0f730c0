"""Convolutions. Parameters (out_channels, in_channels / groups, *kernel) and initial values as PyTorch's."""

from __future__ import annotations

import math
from typing import Any, Final

from ..binding import functions
from ..binding.tensor import Tensor
from ..written.dims import as_list, each_dimension
from . import functional as F
from . import init
from .functional_conv import padding_around
from .module import Module
from .parameter import Parameter

_empty = functions.namespace("tsm.")["empty"]


def spread(value: int | tuple[int, ...], count: int, name: str) -> Any:
    """An int for each of `count` dimensions, of one int or one for each. TypeError, ValueError."""
    if isinstance(value, int):
        return (value,) * count
    if not isinstance(value, (tuple, list)) or not all(isinstance(item, int) for item in value):
        raise TypeError(f"{name} must be an int or a tuple of {count} ints, not {value!r}")
    if len(value) == 1:
        return tuple(value) * count
    if len(value) != count:
        raise ValueError(f"{name} must have {count} elements, not {len(value)}")
    return tuple(value)


def given(value: int | tuple[int, ...], count: int, name: str) -> Any:
    """The same, an int as it is: a layer shows what it was made of. TypeError, ValueError."""
    return value if isinstance(value, int) else spread(value, count, name)


class _Convolution(Module):
    """What all convolutions have in common; `rank` is the number of spatial dimensions."""

    rank = 0
    padding_mode: Final[str]

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int | tuple[int, ...],
        stride: int | tuple[int, ...] = 1,
        padding: int | str | tuple[int, ...] = 0,
        dilation: int | tuple[int, ...] = 1,
        groups: int = 1,
        bias: bool = True,
        padding_mode: str = "zeros",
    ) -> None:
        super().__init__()
        if groups <= 0:
            raise ValueError("groups must be a positive integer")
        if in_channels % groups or out_channels % groups:
            raise ValueError("in_channels and out_channels must be divisible by groups")
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.kernel_size = spread(kernel_size, self.rank, "kernel_size")
        self.stride = spread(stride, self.rank, "stride")
        self.dilation = spread(dilation, self.rank, "dilation")
        self.padding_mode = padding_mode
        self.padding = self._checked_padding(padding)
        self.groups = groups
        self.weight = Parameter(_empty(self._weight_shape()))
        self.register_parameter("bias", Parameter(_empty((out_channels,))) if bias else None)
        self.reset_parameters()

    def _weight_shape(self) -> tuple[int, ...]:
        return (self.out_channels, self.in_channels // self.groups, *self.kernel_size)

    def _checked_padding(self, padding: int | str | tuple[int, ...]) -> Any:
        """A name, or a count for each dimension. ValueError for a name or a mode that is none."""
        modes = ("zeros", "reflect", "replicate", "circular")
        if self.padding_mode not in modes:
            raise ValueError(f"padding_mode must be one of {modes}, but got padding_mode={self.padding_mode!r}")
        if not isinstance(padding, str):
            return spread(padding, self.rank, "padding")
        if padding not in ("same", "valid"):
            raise ValueError(f"Invalid padding string {padding!r}, should be one of 'valid', 'same'")
        if padding == "same" and set(self.stride) != {1}:
            raise ValueError("padding='same' is not supported for strided convolutions")
        return padding

    def _surrounded(self, input: Tensor, weight: Tensor) -> Tensor:
        """The input with what padding_mode puts around it; the convolution then adds nothing."""
        around = padding_around(list(weight.shape)[2:], self.padding, self.stride, self.dilation)
        return F.pad(input, around, self.padding_mode)

    def reset_parameters(self) -> None:
        """Uniform in +-1 / sqrt(fan in), both."""
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            fan_in = init.fans(self.weight)[0]
            bound = 1 / math.sqrt(fan_in) if fan_in > 0 else 0.0
            init.uniform_(self.bias, -bound, bound)

    def _more(self) -> list[str]:
        """What a kind of convolution shows of its own."""
        return []

    def extra_repr(self) -> str:
        parts: list[Any] = [self.in_channels, self.out_channels]
        parts += [f"kernel_size={self.kernel_size}", f"stride={self.stride}"]
        if isinstance(self.padding, str) or any(as_list(self.padding)):
            parts.append(f"padding={self.padding}")
        if set(as_list(self.dilation)) != {1}:
            parts.append(f"dilation={self.dilation}")
        parts += self._more()
        if self.groups != 1:
            parts.append(f"groups={self.groups}")
        if self.bias is None:
            parts.append("bias=False")
        if self.padding_mode != "zeros":
            parts.append(f"padding_mode={self.padding_mode}")
        return ", ".join(map(str, parts))


class Conv1d(_Convolution):
    """1-d cross-correlation: (N, in_channels, L) to (N, out_channels, L')."""

    rank = 1

    def forward(self, input: Tensor) -> Tensor:
        return self._conv_forward(input, self.weight, self.bias)

    def _conv_forward(self, input: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
        if self.padding_mode != "zeros":
            around = self._surrounded(input, weight)
            return F.conv1d(around, weight, bias, self.stride, 0, self.dilation, self.groups)
        return F.conv1d(input, weight, bias, self.stride, self.padding, self.dilation, self.groups)


class Conv2d(_Convolution):
    """2-d cross-correlation: (N, in_channels, H, W) to (N, out_channels, H', W')."""

    rank = 2

    def forward(self, input: Tensor) -> Tensor:
        return self._conv_forward(input, self.weight, self.bias)

    def _conv_forward(self, input: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
        if self.padding_mode != "zeros":
            around = self._surrounded(input, weight)
            return F.conv2d(around, weight, bias, self.stride, 0, self.dilation, self.groups)
        return F.conv2d(input, weight, bias, self.stride, self.padding, self.dilation, self.groups)


class Conv3d(_Convolution):
    """3-d cross-correlation: (N, in_channels, D, H, W) to (N, out_channels, D', H', W')."""

    rank = 3

    def forward(self, input: Tensor) -> Tensor:
        return self._conv_forward(input, self.weight, self.bias)

    def _conv_forward(self, input: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
        if self.padding_mode != "zeros":
            around = self._surrounded(input, weight)
            return F.conv3d(around, weight, bias, self.stride, 0, self.dilation, self.groups)
        return F.conv3d(input, weight, bias, self.stride, self.padding, self.dilation, self.groups)


class _Transposed(_Convolution):
    """What transposed convolutions have in common."""

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int | tuple[int, ...],
        stride: int | tuple[int, ...] = 1,
        padding: int | tuple[int, ...] = 0,
        output_padding: int | tuple[int, ...] = 0,
        groups: int = 1,
        bias: bool = True,
        dilation: int | tuple[int, ...] = 1,
        padding_mode: str = "zeros",
    ) -> None:
        if padding_mode != "zeros":
            raise ValueError(f"Only 'zeros' padding mode is supported for {type(self).__name__}")
        super().__init__(in_channels, out_channels, kernel_size, stride, padding, dilation, groups, bias)
        self.output_padding = spread(output_padding, self.rank, "output_padding")

    def _weight_shape(self) -> tuple[int, ...]:
        return (self.in_channels, self.out_channels // self.groups, *self.kernel_size)

    def _cropped(self, input: Tensor, output_size: list[int] | None) -> list[int]:
        """The output padding that gives an output size. ValueError for a size that no padding gives."""
        rank = self.weight.dim() - 2
        if output_size is None:
            return each_dimension(self.output_padding, rank, "output_padding")
        wanted = output_size if len(output_size) == rank else output_size[len(output_size) - rank :]
        step, cut = each_dimension(self.stride, rank, "stride"), each_dimension(self.padding, rank, "padding")
        by, kernel = each_dimension(self.dilation, rank, "dilation"), list(self.weight.shape)[2:]
        found: list[int] = []
        for i in range(rank):
            least = (input.size(i - rank) - 1) * step[i] - 2 * cut[i] + by[i] * (kernel[i] - 1) + 1
            if wanted[i] < least or wanted[i] > least + step[i] - 1:
                raise ValueError("requested an output size of " + str(wanted) + ", which no output padding gives")
            found.append(wanted[i] - least)
        return found

    def _more(self) -> list[str]:
        return [f"output_padding={self.output_padding}"] if any(as_list(self.output_padding)) else []


class ConvTranspose1d(_Transposed):
    """Transposed 1-d convolution: (N, in_channels, L) to (N, out_channels, L')."""

    rank = 1

    def forward(self, input: Tensor, output_size: list[int] | None = None) -> Tensor:
        return F.conv_transpose1d(
            input, self.weight, self.bias, self.stride, self.padding, self._cropped(input, output_size), self.groups,
            self.dilation,
        )


class ConvTranspose2d(_Transposed):
    """Transposed 2-d convolution: (N, in_channels, H, W) to (N, out_channels, H', W')."""

    rank = 2

    def forward(self, input: Tensor, output_size: list[int] | None = None) -> Tensor:
        return F.conv_transpose2d(
            input, self.weight, self.bias, self.stride, self.padding, self._cropped(input, output_size), self.groups,
            self.dilation,
        )


class ConvTranspose3d(_Transposed):
    """Transposed 3-d convolution: (N, in_channels, D, H, W) to (N, out_channels, D', H', W')."""

    rank = 3

    def forward(self, input: Tensor, output_size: list[int] | None = None) -> Tensor:
        return F.conv_transpose3d(
            input, self.weight, self.bias, self.stride, self.padding, self._cropped(input, output_size), self.groups,
            self.dilation,
        )
