"""Normalisations: BatchNorm2d, LayerNorm. Parameters, buffers and defaults as PyTorch's."""

from __future__ import annotations

from ..binding import functions
from ..binding.dtype import DType
from ..binding.tensor import Tensor
from . import functional as F
from .module import Module
from .parameter import Parameter

_ones, _zeros = functions.namespace("tsm.")["ones"], functions.namespace("tsm.")["zeros"]


class BatchNorm2d(Module):
    """Normalises (N, num_features, H, W) over N, H, W; in training by the batch's statistics, else the running ones."""

    num_features: int
    eps: float
    momentum: float | None
    track_running_stats: bool

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        bias: bool = True,
    ) -> None:
        super().__init__()
        self.num_features = num_features
        self.eps = eps
        self.momentum = momentum
        self.affine = affine
        self.track_running_stats = track_running_stats
        self.register_parameter("weight", Parameter(_ones((num_features,))) if affine else None)
        self.register_parameter("bias", Parameter(_zeros((num_features,))) if affine and bias else None)
        tracks = track_running_stats
        self.register_buffer("running_mean", _zeros((num_features,)) if tracks else None)
        self.register_buffer("running_var", _ones((num_features,)) if tracks else None)
        self.register_buffer("num_batches_tracked", _zeros((), dtype=DType.int64) if tracks else None)

    def reset_running_stats(self) -> None:
        """Mean 0, variance 1, no batches seen."""
        if self.track_running_stats:
            self.running_mean.zero_()
            self.running_var.fill_(1)
            self.num_batches_tracked.zero_()

    def reset_parameters(self) -> None:
        self.reset_running_stats()
        if self.weight is not None:
            self.weight.fill_(1)
        if self.bias is not None:
            self.bias.zero_()

    def forward(self, input: Tensor) -> Tensor:
        if input.dim() != 4:
            raise ValueError("expected 4D input (got " + str(input.dim()) + "D input)")
        momentum = self.momentum
        factor = 0.0 if momentum is None else momentum
        tracked = self.num_batches_tracked
        if self.training and tracked is not None:
            tracked.add_(1)
            if momentum is None:
                factor = 1.0 / float(tracked)
        uses_batch = self.training or self.running_mean is None
        return F.batch_norm(
            input, self.running_mean, self.running_var, self.weight, self.bias, uses_batch, factor, self.eps
        )

    def extra_repr(self) -> str:
        return (
            f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, "
            f"bias={self.bias is not None}, track_running_stats={self.track_running_stats}"
        )


class LayerNorm(Module):
    """Normalises over the last dimensions, whose extents are `normalized_shape`."""

    eps: float

    def __init__(
        self,
        normalized_shape: int | tuple[int, ...] | list[int],
        eps: float = 1e-5,
        elementwise_affine: bool = True,
        bias: bool = True,
    ) -> None:
        super().__init__()
        self.normalized_shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
        self.eps = eps
        self.elementwise_affine = elementwise_affine
        shape = self.normalized_shape
        self.register_parameter("weight", Parameter(_ones(shape)) if elementwise_affine else None)
        self.register_parameter("bias", Parameter(_zeros(shape)) if elementwise_affine and bias else None)

    def reset_parameters(self) -> None:
        if self.weight is not None:
            self.weight.fill_(1)
        if self.bias is not None:
            self.bias.zero_()

    def forward(self, input: Tensor) -> Tensor:
        return F.layer_norm(input, list(self.normalized_shape), self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        affine = f"elementwise_affine={self.elementwise_affine}, bias={self.bias is not None}"
        return f"{self.normalized_shape}, eps={self.eps}, {affine}"
