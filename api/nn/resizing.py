"""Layers that pad, resize or rearrange images. Arguments as PyTorch's."""

from __future__ import annotations

from typing import Any

from ..binding.tensor import Tensor
from . import functional as F
from .conv import given, spread
from .module import Module

Pair = int | tuple[int, int]
Size = int | tuple[int, int] | None
Factor = float | tuple[float, float] | None


class _Pad(Module):
    """Adds elements to the last dimensions; `sides` is the count a dimension times two."""

    sides = 4
    mode: str
    value: float

    def __init__(self, padding: int | tuple[int, ...], mode: str, value: float) -> None:
        super().__init__()
        self.padding = spread(padding, self.sides, "padding")
        self.mode = mode
        self.value = value

    def forward(self, input: Tensor) -> Tensor:
        if self.mode == "constant":
            return F.pad(input, self.padding, "constant", self.value)
        return F.pad(input, self.padding, self.mode)

    def extra_repr(self) -> str:
        return f"{self.padding}"


class ConstantPad2d(_Pad):
    """`value` around (..., H, W): left, right, top, bottom."""

    def __init__(self, padding: int | tuple[int, ...], value: float) -> None:
        super().__init__(padding, "constant", value)

    def extra_repr(self) -> str:
        return f"padding={self.padding}, value={self.value}"


class ConstantPad1d(ConstantPad2d):
    """`value` before and after (..., L)."""

    sides = 2


class ZeroPad2d(_Pad):
    """0 around (..., H, W)."""

    def __init__(self, padding: int | tuple[int, ...]) -> None:
        super().__init__(padding, "constant", 0.0)


class ZeroPad1d(ZeroPad2d):
    """0 before and after (..., L)."""

    sides = 2


class ReflectionPad2d(_Pad):
    """The image mirrored around (..., H, W), without its edge."""

    def __init__(self, padding: int | tuple[int, ...]) -> None:
        super().__init__(padding, "reflect", 0.0)


class ReflectionPad1d(ReflectionPad2d):
    """The signal mirrored before and after (..., L), without its edge."""

    sides = 2


class ReplicationPad2d(_Pad):
    """The edge repeated around (..., H, W)."""

    def __init__(self, padding: int | tuple[int, ...]) -> None:
        super().__init__(padding, "replicate", 0.0)


class ReplicationPad1d(ReplicationPad2d):
    """The edge repeated before and after (..., L)."""

    sides = 2


class CircularPad2d(_Pad):
    """The image repeated around (..., H, W)."""

    def __init__(self, padding: int | tuple[int, ...]) -> None:
        super().__init__(padding, "circular", 0.0)


class Upsample(Module):
    """(N, C, spatial ...) resized to `size` or by `scale_factor`; modes as F.interpolate's."""

    mode: str
    align_corners: bool | None
    recompute_scale_factor: bool | None

    def __init__(
        self,
        size: int | tuple[int, ...] | None = None,
        scale_factor: float | tuple[float, ...] | None = None,
        mode: str = "nearest",
        align_corners: bool | None = None,
        recompute_scale_factor: bool | None = None,
    ) -> None:
        super().__init__()
        held: Any = tuple(size) if isinstance(size, list) else size
        self.size = held
        is_each = isinstance(scale_factor, (tuple, list))
        factors: Any = tuple(map(float, scale_factor)) if is_each else scale_factor  # type: ignore[arg-type]
        self.scale_factor = float(factors) if factors is not None and not is_each else factors
        self.mode = mode
        self.align_corners = align_corners
        self.recompute_scale_factor = recompute_scale_factor

    def forward(self, input: Tensor) -> Tensor:
        return F.interpolate(
            input, self.size, self.scale_factor, self.mode, self.align_corners, self.recompute_scale_factor
        )

    def extra_repr(self) -> str:
        size = f"scale_factor={self.scale_factor!r}" if self.scale_factor is not None else f"size={self.size!r}"
        return f"{size}, mode={self.mode!r}"


class PixelShuffle(Module):
    """(..., C * r * r, H, W) to (..., C, H * r, W * r) with r = upscale_factor."""

    upscale_factor: int

    def __init__(self, upscale_factor: int) -> None:
        super().__init__()
        self.upscale_factor = upscale_factor

    def forward(self, input: Tensor) -> Tensor:
        return F.pixel_shuffle(input, self.upscale_factor)

    def extra_repr(self) -> str:
        return f"upscale_factor={self.upscale_factor}"


class PixelUnshuffle(Module):
    """(..., C, H * r, W * r) to (..., C * r * r, H, W) with r = downscale_factor."""

    downscale_factor: int

    def __init__(self, downscale_factor: int) -> None:
        super().__init__()
        self.downscale_factor = downscale_factor

    def forward(self, input: Tensor) -> Tensor:
        return F.pixel_unshuffle(input, self.downscale_factor)

    def extra_repr(self) -> str:
        return f"downscale_factor={self.downscale_factor}"


class ConstantPad3d(ConstantPad2d):
    """`value` around (..., D, H, W)."""

    sides = 6


class ZeroPad3d(ZeroPad2d):
    """0 around (..., D, H, W)."""

    sides = 6


class ReflectionPad3d(ReflectionPad2d):
    """The volume mirrored around (..., D, H, W), without its faces."""

    sides = 6


class ReplicationPad3d(ReplicationPad2d):
    """The faces repeated around (..., D, H, W)."""

    sides = 6


class CircularPad1d(CircularPad2d):
    """The other end before and after (..., L)."""

    sides = 2


class CircularPad3d(CircularPad2d):
    """The other end around (..., D, H, W)."""

    sides = 6


class UpsamplingNearest2d(Upsample):
    """(N, C, H, W) resized to the nearest pixel."""

    def __init__(self, size: Size = None, scale_factor: Factor = None) -> None:
        super().__init__(size, scale_factor, "nearest")


class UpsamplingBilinear2d(Upsample):
    """(N, C, H, W) resized between pixels, corners aligned."""

    def __init__(self, size: Size = None, scale_factor: Factor = None) -> None:
        super().__init__(size, scale_factor, "bilinear", True)


class ChannelShuffle(Module):
    """The channels of (N, C, ...) interleaved from groups."""

    groups: int

    def __init__(self, groups: int) -> None:
        super().__init__()
        self.groups = groups

    def forward(self, input: Tensor) -> Tensor:
        return F.channel_shuffle(input, self.groups)

    def extra_repr(self) -> str:
        return f"groups={self.groups}"


class Unflatten(Module):
    """One dimension as several."""

    dim: int

    def __init__(self, dim: int, unflattened_size: tuple[int, ...] | list[int]) -> None:
        super().__init__()
        self.dim = dim
        self.unflattened_size = tuple(unflattened_size)

    def forward(self, input: Tensor) -> Tensor:
        return input.unflatten(self.dim, self.unflattened_size)

    def extra_repr(self) -> str:
        return f"dim={self.dim}, unflattened_size={self.unflattened_size}"


class Unfold(Module):
    """Windows of (N, C, H, W) as columns: (N, C * kernel, windows)."""

    def __init__(self, kernel_size: Pair, dilation: Pair = 1, padding: Pair = 0, stride: Pair = 1) -> None:
        super().__init__()
        self.kernel_size = given(kernel_size, 2, "kernel_size")
        self.dilation = given(dilation, 2, "dilation")
        self.padding = given(padding, 2, "padding")
        self.stride = given(stride, 2, "stride")

    def forward(self, input: Tensor) -> Tensor:
        return F.unfold(input, self.kernel_size, self.dilation, self.padding, self.stride)

    def extra_repr(self) -> str:
        return (
            f"kernel_size={self.kernel_size}, dilation={self.dilation}, "
            f"padding={self.padding}, stride={self.stride}"
        )


class Fold(Module):
    """Columns (N, C * kernel, windows) added up as windows of (N, C, H, W)."""

    def __init__(
        self, output_size: Pair, kernel_size: Pair, dilation: Pair = 1, padding: Pair = 0, stride: Pair = 1
    ) -> None:
        super().__init__()
        self.output_size = given(output_size, 2, "output_size")
        self.kernel_size = given(kernel_size, 2, "kernel_size")
        self.dilation = given(dilation, 2, "dilation")
        self.padding = given(padding, 2, "padding")
        self.stride = given(stride, 2, "stride")

    def forward(self, input: Tensor) -> Tensor:
        return F.fold(
            input, self.output_size, self.kernel_size, self.dilation, self.padding,
            self.stride,
        )

    def extra_repr(self) -> str:
        return (
            f"output_size={self.output_size}, kernel_size={self.kernel_size}, "
            f"dilation={self.dilation}, padding={self.padding}, stride={self.stride}"
        )
