"""Convolutions. Parameters (out_channels, in_channels / groups, *kernel) and initial values as PyTorch's."""

from __future__ import annotations

import math
from typing import Any

from ..binding import functions
from ..binding.tensor import Tensor
from . import functional as F
from . import init
from .module import Module
from .parameter import Parameter

_empty = functions.namespace("tsm.")["empty"]


def spread(value: int | tuple[int, ...], count: int, name: str) -> tuple[int, ...]:
    """An int for each of `count` dimensions. TypeError, ValueError."""
    if isinstance(value, int):
        return (value,) * count
    if not isinstance(value, (tuple, list)) or not all(isinstance(item, int) for item in value):
        raise TypeError(f"{name} must be an int or a tuple of {count} ints, not {value!r}")
    if len(value) != count:
        raise ValueError(f"{name} must have {count} elements, not {len(value)}")
    return tuple(value)


class _Convolution(Module):
    """What Conv1d and Conv2d have in common; `rank` is the number of spatial dimensions."""

    rank = 0

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int | tuple[int, ...],
        stride: int | tuple[int, ...] = 1,
        padding: int | tuple[int, ...] = 0,
        dilation: int | tuple[int, ...] = 1,
        groups: int = 1,
        bias: bool = True,
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
        self.padding = spread(padding, self.rank, "padding")
        self.dilation = spread(dilation, self.rank, "dilation")
        self.groups = groups
        self.weight = Parameter(_empty((out_channels, in_channels // groups, *self.kernel_size)))
        self.register_parameter("bias", Parameter(_empty((out_channels,))) if bias else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Uniform in +-1 / sqrt(fan in), both."""
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            fan_in = init.fans(self.weight)[0]
            bound = 1 / math.sqrt(fan_in) if fan_in > 0 else 0.0
            init.uniform_(self.bias, -bound, bound)

    def extra_repr(self) -> str:
        parts: list[Any] = [self.in_channels, self.out_channels]
        parts += [f"kernel_size={self.kernel_size}", f"stride={self.stride}"]
        if any(self.padding):
            parts.append(f"padding={self.padding}")
        if set(self.dilation) != {1}:
            parts.append(f"dilation={self.dilation}")
        if self.groups != 1:
            parts.append(f"groups={self.groups}")
        if self.bias is None:
            parts.append("bias=False")
        return ", ".join(map(str, parts))


class Conv1d(_Convolution):
    """1-d cross-correlation: (N, in_channels, L) to (N, out_channels, L')."""

    rank = 1

    def forward(self, input: Tensor) -> Tensor:
        return F.conv1d(
            input, self.weight, self.bias, [self.stride[0]], [self.padding[0]], [self.dilation[0]], self.groups
        )


class Conv2d(_Convolution):
    """2-d cross-correlation: (N, in_channels, H, W) to (N, out_channels, H', W')."""

    rank = 2

    def forward(self, input: Tensor) -> Tensor:
        return F.conv2d(
            input,
            self.weight,
            self.bias,
            [self.stride[0], self.stride[1]],
            [self.padding[0], self.padding[1]],
            [self.dilation[0], self.dilation[1]],
            self.groups,
        )
