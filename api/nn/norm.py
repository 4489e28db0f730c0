"""Normalisations of batches, layers, groups and instances. Parameters, buffers and defaults as PyTorch's."""

from __future__ import annotations

from ..binding import functions
from ..binding.dtype import DType
from ..binding.tensor import Tensor
from . import functional as F
from .module import Module
from .parameter import Parameter

_ones, _zeros = functions.namespace("tsm.")["ones"], functions.namespace("tsm.")["zeros"]


class _Affine(Module):
    """A normalisation with a factor and a summand for each element of `shape`, or none."""

    def _add_affine(self, shape: tuple[int, ...], has_weight: bool, has_bias: bool) -> None:
        self.register_parameter("weight", Parameter(_ones(shape)) if has_weight else None)
        self.register_parameter("bias", Parameter(_zeros(shape)) if has_weight and has_bias else None)

    def reset_parameters(self) -> None:
        if self.weight is not None:
            self.weight.fill_(1)
        if self.bias is not None:
            self.bias.zero_()


class _Tracking(_Affine):
    """A normalisation with running statistics, or none."""

    track_running_stats: bool

    def _add_statistics(self, num_features: int, tracks: bool) -> None:
        self.track_running_stats = tracks
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
        super().reset_parameters()


class _BatchNorm(_Tracking):
    """Normalises (N, num_features, *) over all but dimension 1; in training by the batch's statistics, else the running
    ones. Subclasses check the rank."""

    num_features: int
    eps: float
    momentum: float | None

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
        self._add_affine((num_features,), affine, bias)
        self._add_statistics(num_features, track_running_stats)

    def _normalize(self, input: Tensor) -> Tensor:
        momentum, tracks = self.momentum, self.track_running_stats
        factor = 0.0 if momentum is None else momentum
        tracked, mean, var = self.num_batches_tracked, self.running_mean, self.running_var
        if self.training and tracks and tracked is not None:
            tracked.add_(1)
            if momentum is None:
                factor = 1.0 / float(tracked)
        uses_batch = self.training or (mean is None and var is None)
        if self.training and not tracks:
            return F.batch_norm(input, None, None, self.weight, self.bias, True, factor, self.eps)
        return F.batch_norm(input, mean, var, self.weight, self.bias, uses_batch, factor, self.eps)

    def extra_repr(self) -> str:
        return (
            f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, "
            f"bias={self.bias is not None}, track_running_stats={self.track_running_stats}"
        )


class BatchNorm1d(_BatchNorm):
    """Normalises (N, num_features) over N, or (N, num_features, L) over N and L."""

    def forward(self, input: Tensor) -> Tensor:
        if input.dim() != 2 and input.dim() != 3:
            raise ValueError("expected 2D or 3D input (got " + str(input.dim()) + "D input)")
        return self._normalize(input)


class BatchNorm2d(_BatchNorm):
    """Normalises (N, num_features, H, W) over N, H, W."""

    def forward(self, input: Tensor) -> Tensor:
        if input.dim() != 4:
            raise ValueError("expected 4D input (got " + str(input.dim()) + "D input)")
        return self._normalize(input)


class LayerNorm(_Affine):
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
        self._add_affine(self.normalized_shape, elementwise_affine, bias)

    def forward(self, input: Tensor) -> Tensor:
        return F.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        affine = f"elementwise_affine={self.elementwise_affine}, bias={self.bias is not None}"
        return f"{self.normalized_shape}, eps={self.eps}, {affine}"


class GroupNorm(_Affine):
    """Normalises (N, num_channels, *) over each of num_groups groups of channels, then scales by channel."""

    num_groups: int
    num_channels: int
    eps: float

    def __init__(
        self, num_groups: int, num_channels: int, eps: float = 1e-5, affine: bool = True, bias: bool = True
    ) -> None:
        super().__init__()
        if num_channels % num_groups:
            raise ValueError("num_channels must be divisible by num_groups")
        self.num_groups = num_groups
        self.num_channels = num_channels
        self.eps = eps
        self.affine = affine
        self._add_affine((num_channels,), affine, bias)

    def forward(self, input: Tensor) -> Tensor:
        return F.group_norm(input, self.num_groups, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        affine = f"affine={self.affine}, bias={self.bias is not None}"
        return f"{self.num_groups}, {self.num_channels}, eps={self.eps}, {affine}"


class _InstanceNorm(_Tracking):
    """Normalises each channel of each sample: by its own statistics, in evaluation by the running ones if it has
    them."""

    num_features: int
    eps: float
    momentum: float

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float = 0.1,
        affine: bool = False,
        track_running_stats: bool = False,
        bias: bool = True,
    ) -> None:
        super().__init__()
        self.num_features = num_features
        self.eps = eps
        self.momentum = momentum
        self.affine = affine
        self._add_affine((num_features,), affine, bias)
        self._add_statistics(num_features, track_running_stats)

    def _normalize(self, input: Tensor, rank: int) -> Tensor:
        if input.dim() == rank - 1:
            return self._over_batch(input.unsqueeze(0)).squeeze(0)
        if input.dim() != rank:
            expected = "expected " + str(rank - 1) + "D or " + str(rank)
            raise ValueError(expected + "D input (got " + str(input.dim()) + "D input)")
        return self._over_batch(input)

    def _over_batch(self, input: Tensor) -> Tensor:
        uses_input = self.training or not self.track_running_stats
        return F.instance_norm(
            input, self.running_mean, self.running_var, self.weight, self.bias, uses_input, self.momentum, self.eps)

    def extra_repr(self) -> str:
        return (
            f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, "
            f"bias={self.bias is not None}, track_running_stats={self.track_running_stats}"
        )


class InstanceNorm1d(_InstanceNorm):
    """Normalises (N, num_features, L) or (num_features, L) over L."""

    def forward(self, input: Tensor) -> Tensor:
        return self._normalize(input, 3)


class InstanceNorm2d(_InstanceNorm):
    """Normalises (N, num_features, H, W) or (num_features, H, W) over H, W."""

    def forward(self, input: Tensor) -> Tensor:
        return self._normalize(input, 4)


class BatchNorm3d(_BatchNorm):
    """Normalises (N, num_features, D, H, W) over N, D, H, W."""

    def forward(self, input: Tensor) -> Tensor:
        if input.dim() != 5:
            raise ValueError("expected 5D input (got " + str(input.dim()) + "D input)")
        return self._normalize(input)


class InstanceNorm3d(_InstanceNorm):
    """Normalises (N, num_features, D, H, W) or (num_features, D, H, W) over D, H, W."""

    def forward(self, input: Tensor) -> Tensor:
        return self._normalize(input, 5)


class RMSNorm(Module):
    """Divides by the root of the mean square over the last dimensions, whose extents are `normalized_shape`."""

    eps: float | None
    elementwise_affine: bool

    def __init__(
        self, normalized_shape: int | list[int] | tuple[int, ...], eps: float | None = None,
        elementwise_affine: bool = True,
    ) -> None:
        super().__init__()
        shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
        self.normalized_shape = shape
        self.eps = eps
        self.elementwise_affine = elementwise_affine
        self.register_parameter("weight", Parameter(_ones(shape)) if elementwise_affine else None)

    def forward(self, input: Tensor) -> Tensor:
        return F.rms_norm(input, self.normalized_shape, self.weight, self.eps)

    def extra_repr(self) -> str:
        return f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}"


class LocalResponseNorm(Module):
    """Divides by a power of the mean square of `size` neighbouring channels."""

    size: int
    alpha: float
    beta: float
    k: float

    def __init__(self, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0) -> None:
        super().__init__()
        self.size = size
        self.alpha = alpha
        self.beta = beta
        self.k = k

    def forward(self, input: Tensor) -> Tensor:
        return F.local_response_norm(input, self.size, self.alpha, self.beta, self.k)

    def extra_repr(self) -> str:
        return f"{self.size}, alpha={self.alpha}, beta={self.beta}, k={self.k}"
