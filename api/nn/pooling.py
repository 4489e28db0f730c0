"""Pooling over (N, C, H, W) and (N, C, L). Arguments are ints or pairs, as PyTorch's."""

from __future__ import annotations

from typing import Any, Final

from ..binding.tensor import Tensor
from . import functional as F
from .conv import given, spread
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
        self.kernel_size = given(kernel_size, 2, "kernel_size")
        self.stride = self.kernel_size if stride is None else given(stride, 2, "stride")
        self.padding = given(padding, 2, "padding")
        self.dilation = given(dilation, 2, "dilation")
        self.return_indices = return_indices
        self.ceil_mode = ceil_mode

    def forward(self, input: Tensor):  # type: ignore[no-untyped-def] # the flag says what it gives
        if self.return_indices:
            return F.max_pool2d(
                input,
                self.kernel_size,
                self.stride,
                self.padding,
                self.dilation,
                self.ceil_mode,
                return_indices=True,
            )
        return F.max_pool2d(
            input,
            self.kernel_size,
            self.stride,
            self.padding,
            self.dilation,
            self.ceil_mode,
        )

    def extra_repr(self) -> str:
        return (
            f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}, "
            f"dilation={self.dilation}, ceil_mode={self.ceil_mode}"
        )


class AvgPool2d(Module):
    """Mean of each window; the stride defaults to the window."""

    ceil_mode: bool
    count_include_pad: bool
    divisor_override: int | None

    def __init__(
        self, kernel_size: Pair, stride: Pair | None = None, padding: Pair = 0, ceil_mode: bool = False,
        count_include_pad: bool = True, divisor_override: int | None = None,
    ) -> None:
        super().__init__()
        self.kernel_size = given(kernel_size, 2, "kernel_size")
        self.stride = self.kernel_size if stride is None else given(stride, 2, "stride")
        self.padding = given(padding, 2, "padding")
        self.ceil_mode = ceil_mode
        self.count_include_pad = count_include_pad
        self.divisor_override = divisor_override

    def forward(self, input: Tensor) -> Tensor:
        if self.divisor_override is None:
            return F.avg_pool2d(
                input, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad)
        return F.avg_pool2d(
            input, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad,
            self.divisor_override,
        )

    def extra_repr(self) -> str:
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class MaxPool1d(Module):
    """Largest element of each window of (N, C, L); the stride defaults to the window. With return_indices also where
    it lies."""

    ceil_mode: bool
    return_indices: Final[bool]

    def __init__(
        self, kernel_size: int, stride: int | None = None, padding: int = 0, dilation: int = 1,
        return_indices: bool = False, ceil_mode: bool = False,
    ) -> None:
        super().__init__()
        self.kernel_size = given(kernel_size, 1, "kernel_size")
        self.stride = self.kernel_size if stride is None else given(stride, 1, "stride")
        self.padding = given(padding, 1, "padding")
        self.dilation = given(dilation, 1, "dilation")
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
            self.kernel_size,
            self.stride,
            self.padding,
            output_size,
        )

    def extra_repr(self) -> str:
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class MaxUnpool1d(Module):
    """Undoes MaxPool1d: zeros, with the elements where indices say."""

    def __init__(self, kernel_size: int, stride: int | None = None, padding: int = 0) -> None:
        super().__init__()
        self.kernel_size = spread(kernel_size, 1, "kernel_size")
        self.stride = self.kernel_size if stride is None else spread(stride, 1, "stride")
        self.padding = spread(padding, 1, "padding")

    def forward(self, input: Tensor, indices: Tensor, output_size: list[int] | None = None) -> Tensor:
        return F.max_unpool1d(input, indices, self.kernel_size, self.stride, self.padding, output_size)

    def extra_repr(self) -> str:
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


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
            input, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad
        )

    def extra_repr(self) -> str:
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class AdaptiveAvgPool1d(Module):
    """Mean of windows of (N, C, L) chosen so that the result has a given length."""


    def __init__(self, output_size: int | tuple[int]) -> None:
        super().__init__()
        self.output_size = given(output_size, 1, "output_size")

    def forward(self, input: Tensor) -> Tensor:
        return F.adaptive_avg_pool1d(input, self.output_size)

    def extra_repr(self) -> str:
        return f"output_size={self.output_size}"


class AdaptiveMaxPool1d(AdaptiveAvgPool1d):
    """Largest element of windows of (N, C, L) chosen so that the result has a given length. With return_indices
    also where it lies."""

    return_indices: Final[bool]

    def __init__(self, output_size: int | tuple[int], return_indices: bool = False) -> None:
        super().__init__(output_size)
        self.return_indices = return_indices

    def forward(self, input: Tensor):  # type: ignore[no-untyped-def] # the flag says what it gives
        if self.return_indices:
            return F.adaptive_max_pool1d(input, self.output_size, return_indices=True)
        return F.adaptive_max_pool1d(input, self.output_size)


class AdaptiveAvgPool2d(Module):
    """Mean of windows chosen so that the result has a given height and width."""

    def __init__(self, output_size: int | tuple[int | None, int | None]) -> None:
        super().__init__()
        held: Any = tuple(output_size) if isinstance(output_size, (tuple, list)) else output_size
        is_open = isinstance(held, tuple) and len(held) == 2 and None in held
        self.output_size = held if is_open else given(held, 2, "output_size")

    def forward(self, input: Tensor) -> Tensor:
        return F.adaptive_avg_pool2d(input, self.output_size)

    def extra_repr(self) -> str:
        return f"output_size={self.output_size}"


class AdaptiveMaxPool2d(AdaptiveAvgPool2d):
    """Largest element of windows chosen so that the result has a given height and width. With
    return_indices also where it lies."""

    return_indices: Final[bool]

    def __init__(self, output_size: int | tuple[int | None, int | None], return_indices: bool = False) -> None:
        super().__init__(output_size)
        self.return_indices = return_indices

    def forward(self, input: Tensor):  # type: ignore[no-untyped-def] # the flag says what it gives
        if self.return_indices:
            return F.adaptive_max_pool2d(input, self.output_size, return_indices=True)
        return F.adaptive_max_pool2d(input, self.output_size)


class MaxPool3d(Module):
    """Largest element of each window of (N, C, D, H, W); the stride defaults to the window. With return_indices also
    where it lies."""

    ceil_mode: bool
    return_indices: Final[bool]

    def __init__(
        self, kernel_size: Triple, stride: Triple | None = None, padding: Triple = 0, dilation: Triple = 1,
        return_indices: bool = False, ceil_mode: bool = False,
    ) -> None:
        super().__init__()
        self.kernel_size = given(kernel_size, 3, "kernel_size")
        self.stride = self.kernel_size if stride is None else given(stride, 3, "stride")
        self.padding = given(padding, 3, "padding")
        self.dilation = given(dilation, 3, "dilation")
        self.return_indices = return_indices
        self.ceil_mode = ceil_mode

    def forward(self, input: Tensor):  # type: ignore[no-untyped-def] # the flag says what it gives
        if self.return_indices:
            return F.max_pool3d(
                input, self.kernel_size, self.stride, self.padding, self.dilation, self.ceil_mode, return_indices=True)
        return F.max_pool3d(input, self.kernel_size, self.stride, self.padding, self.dilation, self.ceil_mode)

    def extra_repr(self) -> str:
        return (
            f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}, "
            f"dilation={self.dilation}, ceil_mode={self.ceil_mode}"
        )


class AvgPool3d(Module):
    """Mean of each window of (N, C, D, H, W); the stride defaults to the window."""

    ceil_mode: bool
    count_include_pad: bool
    divisor_override: int | None

    def __init__(
        self, kernel_size: Triple, stride: Triple | None = None, padding: Triple = 0, ceil_mode: bool = False,
        count_include_pad: bool = True, divisor_override: int | None = None,
    ) -> None:
        super().__init__()
        self.kernel_size = given(kernel_size, 3, "kernel_size")
        self.stride = self.kernel_size if stride is None else given(stride, 3, "stride")
        self.padding = given(padding, 3, "padding")
        self.ceil_mode = ceil_mode
        self.count_include_pad = count_include_pad
        self.divisor_override = divisor_override

    def forward(self, input: Tensor) -> Tensor:
        return F.avg_pool3d(
            input, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad,
            self.divisor_override,
        )

    def extra_repr(self) -> str:
        return (
            f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"
        )


class AdaptiveAvgPool3d(Module):
    """Mean of windows of (N, C, D, H, W) that give an output size."""

    def __init__(self, output_size: Triple) -> None:
        super().__init__()
        self.output_size = given(output_size, 3, "output_size")

    def forward(self, input: Tensor) -> Tensor:
        return F.adaptive_avg_pool3d(input, self.output_size)

    def extra_repr(self) -> str:
        return f"output_size={self.output_size}"


class AdaptiveMaxPool3d(AdaptiveAvgPool3d):
    """Largest of windows of (N, C, D, H, W) that give an output size. With return_indices also where it lies."""

    return_indices: Final[bool]

    def __init__(self, output_size: Triple, return_indices: bool = False) -> None:
        super().__init__(output_size)
        self.return_indices = return_indices

    def forward(self, input: Tensor):  # type: ignore[no-untyped-def] # the flag says what it gives
        if self.return_indices:
            return F.adaptive_max_pool3d(input, self.output_size, return_indices=True)
        return F.adaptive_max_pool3d(input, self.output_size)


class LPPool1d(Module):
    """(sum of x ** norm_type) ** (1 / norm_type) of each window of (N, C, L)."""

    norm_type: float
    ceil_mode: bool

    def __init__(
        self, norm_type: float, kernel_size: int, stride: int | None = None, ceil_mode: bool = False
    ) -> None:
        super().__init__()
        self.norm_type = float(norm_type)
        self.kernel_size = given(kernel_size, 1, "kernel_size")
        self.stride = None if stride is None else given(stride, 1, "stride")
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
        self.kernel_size = given(kernel_size, 2, "kernel_size")
        self.stride = None if stride is None else given(stride, 2, "stride")
        self.ceil_mode = ceil_mode

    def forward(self, input: Tensor) -> Tensor:
        return F.lp_pool2d(input, self.norm_type, self.kernel_size, self.stride, self.ceil_mode)
