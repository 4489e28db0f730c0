"""Pooling over (N, C, H, W) and (N, C, L). Arguments are ints or pairs, as PyTorch's."""

from __future__ import annotations

from typing import Final

from ..binding.tensor import Tensor
from . import functional as F
from .conv import spread
from .module import Module

Pair = int | tuple[int, int]
Triple = int | tuple[int, int, int]


class MaxPool2d(Module):
    """Largest element of each window; the stride defaults to the window. With return_indices also where it lies."""

    ceil_mode: bool
    return_indices: Final[bool]

    def __init__(
        self, kernel_size: Pair, stride: Pair | None = None, padding: Pair = 0, dilation: Pair = 1,
        return_indices: bool = False, ceil_mode: bool = False,
    ) -> None:
        super().__init__()
        self.kernel_size = spread(kernel_size, 2, "kernel_size")
        self.stride = self.kernel_size if stride is None else spread(stride, 2, "stride")
        self.padding = spread(padding, 2, "padding")
        self.dilation = spread(dilation, 2, "dilation")
        self.return_indices = return_indices
        self.ceil_mode = ceil_mode

    def forward(self, input: Tensor):  # type: ignore[no-untyped-def] # the flag says what it gives
        if self.return_indices:
            return F.max_pool2d(
                input,
                [self.kernel_size[0], self.kernel_size[1]],
                [self.stride[0], self.stride[1]],
                [self.padding[0], self.padding[1]],
                [self.dilation[0], self.dilation[1]],
                self.ceil_mode,
                return_indices=True,
            )
        return F.max_pool2d(
            input,
            [self.kernel_size[0], self.kernel_size[1]],
            [self.stride[0], self.stride[1]],
            [self.padding[0], self.padding[1]],
            [self.dilation[0], self.dilation[1]],
            self.ceil_mode,
        )

    def extra_repr(self) -> str:
        return (
            f"kernel_size={_short(self.kernel_size)}, stride={_short(self.stride)}, padding={_short(self.padding)}, "
            f"dilation={_short(self.dilation)}, ceil_mode={self.ceil_mode}"
        )


class AvgPool2d(Module):
    """Mean of each window; the stride defaults to the window."""

    ceil_mode: bool
    count_include_pad: bool

    def __init__(
        self, kernel_size: Pair, stride: Pair | None = None, padding: Pair = 0, ceil_mode: bool = False,
        count_include_pad: bool = True,
    ) -> None:
        super().__init__()
        self.kernel_size = spread(kernel_size, 2, "kernel_size")
        self.stride = self.kernel_size if stride is None else spread(stride, 2, "stride")
        self.padding = spread(padding, 2, "padding")
        self.ceil_mode = ceil_mode
        self.count_include_pad = count_include_pad

    def forward(self, input: Tensor) -> Tensor:
        return F.avg_pool2d(
            input,
            [self.kernel_size[0], self.kernel_size[1]],
            [self.stride[0], self.stride[1]],
            [self.padding[0], self.padding[1]],
            self.ceil_mode,
            self.count_include_pad,
        )

    def extra_repr(self) -> str:
        return f"kernel_size={_short(self.kernel_size)}, stride={_short(self.stride)}, padding={_short(self.padding)}"


class MaxPool1d(Module):
    """Largest element of each window of (N, C, L); the stride defaults to the window. With return_indices also where
    it lies."""

    kernel_size: int
    stride: int
    padding: int
    dilation: int
    ceil_mode: bool
    return_indices: Final[bool]

    def __init__(
        self, kernel_size: int, stride: int | None = None, padding: int = 0, dilation: int = 1,
        return_indices: bool = False, ceil_mode: bool = False,
    ) -> None:
        super().__init__()
        self.kernel_size = spread(kernel_size, 1, "kernel_size")[0]
        self.stride = self.kernel_size if stride is None else spread(stride, 1, "stride")[0]
        self.padding = spread(padding, 1, "padding")[0]
        self.dilation = spread(dilation, 1, "dilation")[0]
        self.return_indices = return_indices
        self.ceil_mode = ceil_mode

    def forward(self, input: Tensor):  # type: ignore[no-untyped-def] # the flag says what it gives
        if self.return_indices:
            return F.max_pool1d(
                input, self.kernel_size, self.stride, self.padding, self.dilation, self.ceil_mode, return_indices=True)
        return F.max_pool1d(input, self.kernel_size, self.stride, self.padding, self.dilation, self.ceil_mode)

    def extra_repr(self) -> str:
        return (
            f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}, dilation={self.dilation}, "
            f"ceil_mode={self.ceil_mode}"
        )


class MaxUnpool2d(Module):
    """Undoes MaxPool2d: zeros, with the elements where indices say."""

    def __init__(self, kernel_size: Pair, stride: Pair | None = None, padding: Pair = 0) -> None:
        super().__init__()
        self.kernel_size = spread(kernel_size, 2, "kernel_size")
        self.stride = self.kernel_size if stride is None else spread(stride, 2, "stride")
        self.padding = spread(padding, 2, "padding")

    def forward(self, input: Tensor, indices: Tensor, output_size: list[int] | None = None) -> Tensor:
        return F.max_unpool2d(
            input,
            indices,
            [self.kernel_size[0], self.kernel_size[1]],
            [self.stride[0], self.stride[1]],
            [self.padding[0], self.padding[1]],
            output_size,
        )

    def extra_repr(self) -> str:
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class MaxUnpool1d(Module):
    """Undoes MaxPool1d: zeros, with the elements where indices say."""

    kernel_size: int
    stride: int
    padding: int

    def __init__(self, kernel_size: int, stride: int | None = None, padding: int = 0) -> None:
        super().__init__()
        self.kernel_size = spread(kernel_size, 1, "kernel_size")[0]
        self.stride = self.kernel_size if stride is None else spread(stride, 1, "stride")[0]
        self.padding = spread(padding, 1, "padding")[0]

    def forward(self, input: Tensor, indices: Tensor, output_size: list[int] | None = None) -> Tensor:
        return F.max_unpool1d(input, indices, self.kernel_size, self.stride, self.padding, output_size)

    def extra_repr(self) -> str:
        return f"kernel_size={(self.kernel_size,)}, stride={(self.stride,)}, padding={(self.padding,)}"


class AvgPool1d(Module):
    """Mean of each window of (N, C, L); the stride defaults to the window."""

    ceil_mode: bool
    count_include_pad: bool

    def __init__(
        self, kernel_size: int, stride: int | None = None, padding: int = 0, ceil_mode: bool = False,
        count_include_pad: bool = True,
    ) -> None:
        super().__init__()
        self.kernel_size = spread(kernel_size, 1, "kernel_size")
        self.stride = self.kernel_size if stride is None else spread(stride, 1, "stride")
        self.padding = spread(padding, 1, "padding")
        self.ceil_mode = ceil_mode
        self.count_include_pad = count_include_pad

    def forward(self, input: Tensor) -> Tensor:
        return F.avg_pool1d(
            input, self.kernel_size[0], self.stride[0], self.padding[0], self.ceil_mode, self.count_include_pad
        )

    def extra_repr(self) -> str:
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class AdaptiveAvgPool1d(Module):
    """Mean of windows of (N, C, L) chosen so that the result has a given length."""

    output_size: int

    def __init__(self, output_size: int | tuple[int]) -> None:
        super().__init__()
        self.output_size = spread(output_size, 1, "output_size")[0]

    def forward(self, input: Tensor) -> Tensor:
        return F.adaptive_avg_pool1d(input, self.output_size)

    def extra_repr(self) -> str:
        return f"output_size={self.output_size}"


class AdaptiveMaxPool1d(AdaptiveAvgPool1d):
    """Largest element of windows of (N, C, L) chosen so that the result has a given length."""

    def forward(self, input: Tensor) -> Tensor:
        return F.adaptive_max_pool1d(input, self.output_size)


class AdaptiveAvgPool2d(Module):
    """Mean of windows chosen so that the result has a given height and width."""

    def __init__(self, output_size: int | tuple[int | None, int | None]) -> None:
        super().__init__()
        if isinstance(output_size, tuple) and len(output_size) == 2 and None in output_size:
            self.output_size: tuple[int | None, ...] = output_size
        else:
            self.output_size = spread(output_size, 2, "output_size")  # type: ignore[arg-type]

    def sizes_for(self, input: Tensor) -> list[int]:
        """The extents of the result: None keeps that of the input."""
        h, w = self.output_size
        return [input.size(-2) if h is None else h, input.size(-1) if w is None else w]

    def forward(self, input: Tensor) -> Tensor:
        return F.adaptive_avg_pool2d(input, self.sizes_for(input))

    def extra_repr(self) -> str:
        return f"output_size={_short(self.output_size)}"


class AdaptiveMaxPool2d(AdaptiveAvgPool2d):
    """Largest element of windows chosen so that the result has a given height and width."""

    def forward(self, input: Tensor) -> Tensor:
        return F.adaptive_max_pool2d(input, self.sizes_for(input))


def _short(pair: tuple[int | None, ...]) -> str:
    """One number for a pair of equals, as the user most likely wrote it."""
    return str(pair[0]) if len(set(pair)) == 1 else str(pair)


class MaxPool3d(Module):
    """Largest element of each window of (N, C, D, H, W); the stride defaults to the window."""

    ceil_mode: bool

    def __init__(
        self, kernel_size: Triple, stride: Triple | None = None, padding: Triple = 0, dilation: Triple = 1,
        ceil_mode: bool = False,
    ) -> None:
        super().__init__()
        self.kernel_size = spread(kernel_size, 3, "kernel_size")
        self.stride = self.kernel_size if stride is None else spread(stride, 3, "stride")
        self.padding = spread(padding, 3, "padding")
        self.dilation = spread(dilation, 3, "dilation")
        self.ceil_mode = ceil_mode

    def forward(self, input: Tensor) -> Tensor:
        return F.max_pool3d(
            input, list(self.kernel_size), list(self.stride), list(self.padding), list(self.dilation), self.ceil_mode
        )

    def extra_repr(self) -> str:
        return (
            f"kernel_size={_short(self.kernel_size)}, stride={_short(self.stride)}, padding={_short(self.padding)}, "
            f"dilation={_short(self.dilation)}, ceil_mode={self.ceil_mode}"
        )


class AvgPool3d(Module):
    """Mean of each window of (N, C, D, H, W); the stride defaults to the window."""

    ceil_mode: bool

    def __init__(
        self, kernel_size: Triple, stride: Triple | None = None, padding: Triple = 0, ceil_mode: bool = False
    ) -> None:
        super().__init__()
        self.kernel_size = spread(kernel_size, 3, "kernel_size")
        self.stride = self.kernel_size if stride is None else spread(stride, 3, "stride")
        self.padding = spread(padding, 3, "padding")
        self.ceil_mode = ceil_mode

    def forward(self, input: Tensor) -> Tensor:
        return F.avg_pool3d(input, list(self.kernel_size), list(self.stride), list(self.padding), self.ceil_mode)

    def extra_repr(self) -> str:
        return (
            f"kernel_size={_short(self.kernel_size)}, stride={_short(self.stride)}, padding={_short(self.padding)}"
        )


class AdaptiveAvgPool3d(Module):
    """Mean of windows of (N, C, D, H, W) that give an output size."""

    def __init__(self, output_size: Triple) -> None:
        super().__init__()
        self.output_size = spread(output_size, 3, "output_size")

    def forward(self, input: Tensor) -> Tensor:
        return F.adaptive_avg_pool3d(input, list(self.output_size))

    def extra_repr(self) -> str:
        return f"output_size={_short(self.output_size)}"


class AdaptiveMaxPool3d(AdaptiveAvgPool3d):
    """Largest of windows of (N, C, D, H, W) that give an output size."""

    def forward(self, input: Tensor) -> Tensor:
        return F.adaptive_max_pool3d(input, list(self.output_size))


class LPPool1d(Module):
    """(sum of x ** norm_type) ** (1 / norm_type) of each window of (N, C, L)."""

    norm_type: float
    kernel_size: int
    stride: int | None
    ceil_mode: bool

    def __init__(
        self, norm_type: float, kernel_size: int, stride: int | None = None, ceil_mode: bool = False
    ) -> None:
        super().__init__()
        self.norm_type = float(norm_type)
        self.kernel_size = kernel_size
        self.stride = stride
        self.ceil_mode = ceil_mode

    def forward(self, input: Tensor) -> Tensor:
        return F.lp_pool1d(input, self.norm_type, self.kernel_size, self.stride, self.ceil_mode)


class LPPool2d(Module):
    """(sum of x ** norm_type) ** (1 / norm_type) of each window of (N, C, H, W)."""

    norm_type: float
    ceil_mode: bool

    def __init__(
        self, norm_type: float, kernel_size: Pair, stride: Pair | None = None, ceil_mode: bool = False
    ) -> None:
        super().__init__()
        self.norm_type = float(norm_type)
        self.kernel_size = spread(kernel_size, 2, "kernel_size")
        self.stride = self.kernel_size if stride is None else spread(stride, 2, "stride")
        self.ceil_mode = ceil_mode

    def forward(self, input: Tensor) -> Tensor:
        return F.lp_pool2d(input, self.norm_type, list(self.kernel_size), list(self.stride), self.ceil_mode)
