"""Sampling of images at places, and what is left of PyTorch's functional layers: norms, dropout of channels.

In: images and grids, tensors of any rank. Out: new tensors. Holds: positions and borders are PyTorch's.
"""

from __future__ import annotations

import math

from ..binding import functions
from ..binding.dtype import DType
from ..binding.tensor import Tensor
from ..written.dims import whole
from ..written.spelling import own, spelled
from .functional_activation import implied_dim
from .functional_shape import pad as _pad

_tsm, _F = functions.namespace("tsm."), functions.namespace("F.")
_zeros, _where, _stack, _arange, _linspace = (
    _tsm["zeros"],
    _tsm["where"],
    _tsm["stack"],
    _tsm["arange"],
    _tsm["linspace"],
)
_rand, _matmul, _ones = _tsm["rand"], _tsm["matmul"], _tsm["ones"]
_grid_sample = own["grid_sample"]
_one_hot, _softmax, _log_softmax = own["one_hot"], _F["softmax"], _F["log_softmax"]
_avg_pool2d = _F["avg_pool2d"]


@spelled("F.grid_sample")
def grid_sample(
    input: Tensor, grid: Tensor, mode: str = "bilinear", padding_mode: str = "zeros", align_corners: bool | None = None
) -> Tensor:
    """(N, C, H, W) at positions (N, OH, OW, 2) as x, y in [-1, 1], or (N, C, D, H, W) at (N, OD, OH, OW, 3).

    mode: "bilinear", "nearest", "bicubic" (4D only); padding_mode: "zeros", "border", "reflection". ValueError for
    other names, RuntimeError for shapes that do not fit."""
    if mode != "bilinear" and mode != "nearest" and mode != "bicubic":
        text = "nn.functional.grid_sample(): expected mode to be 'bilinear', 'nearest' or 'bicubic', but got: '" + mode
        raise ValueError(text + "'")
    if padding_mode != "zeros" and padding_mode != "border" and padding_mode != "reflection":
        text = "nn.functional.grid_sample(): expected padding_mode to be 'zeros', 'border', or 'reflection', but got: '"
        raise ValueError(text + padding_mode + "'")
    rank = input.dim() - 2
    if (rank != 2 and rank != 3) or input.dim() != grid.dim():
        raise RuntimeError("grid_sampler(): expected 4D or 5D input and grid with same number of dimensions")
    if input.size(0) != grid.size(0) or grid.size(-1) != rank:
        raise RuntimeError(
            "grid_sampler(): expected grid and input to have same batch size, and grid to have size "
            + str(rank)
            + " in last dimension"
        )
    if mode == "bicubic" and rank != 2:
        raise RuntimeError("grid_sampler(): bicubic interpolation only supports 4D input")
    return _grid_sample(input, grid, mode, padding_mode, align_corners is not None and align_corners)


def _centres(count: int, align_corners: bool, dtype: DType) -> Tensor:
    if align_corners:
        return _linspace(-1.0, 1.0, count, dtype=dtype) if count > 1 else _zeros([1], dtype=dtype)
    return (_arange(count).to(dtype) * 2.0 + 1.0) / count - 1.0


@spelled("F.affine_grid")
def affine_grid(theta: Tensor, size: list[int], align_corners: bool | None = None) -> Tensor:
    """Positions for grid_sample by matrices (N, 2, 3) for a size (N, C, H, W), or (N, 3, 4) for (N, C, D, H, W)."""
    rank = len(size) - 2
    if (rank != 2 and rank != 3) or theta.dim() != 3 or theta.size(1) != rank or theta.size(2) != rank + 1:
        text = "Expected a batch of 2D affine matrices of shape Nx2x3 for a size of 4 numbers, or 3D ones of shape "
        raise ValueError(text + "Nx3x4 for 5")
    corners = align_corners is not None and align_corners
    shape = list(size)[2:]
    parts: list[Tensor] = []
    for i in range(rank):
        line = [1] * rank
        line[rank - 1 - i] = -1
        parts.append(_centres(shape[rank - 1 - i], corners, theta.dtype).reshape(line).expand(shape))
    parts.append(_ones(shape, dtype=theta.dtype))
    base = _stack(parts, rank).reshape([-1, rank + 1])
    return _matmul(base, theta.transpose(1, 2)).reshape([theta.size(0)] + shape + [rank])


@spelled("F.rms_norm")
def rms_norm(
    input: Tensor, normalized_shape: list[int], weight: Tensor | None = None, eps: float | None = None
) -> Tensor:
    """input / sqrt(mean of squares over the last dimensions + eps), scaled by weight."""
    count = len(normalized_shape)
    if list(input.shape)[input.dim() - count :] != list(normalized_shape):
        text = (
            "Given normalized_shape=" + str(list(normalized_shape)) + ", expected input with shape [*, ...], but got "
        )
        raise RuntimeError(text + "input of size" + str(list(input.shape)))
    least = (1.1920928955078125e-07 if input.dtype == DType.float32 else 2.220446049250313e-16) if eps is None else eps
    dims = [input.dim() - count + i for i in range(count)]
    made = input * (input.square().mean(dims, True) + least).rsqrt()
    return made if weight is None else made * weight


@spelled("F.local_response_norm")
def local_response_norm(input: Tensor, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0) -> Tensor:
    """input / (k + alpha * the mean of squares of neighbouring channels) ** beta, for (N, C, ...)."""
    if input.dim() < 3:
        raise ValueError("Expected 3D or higher dimensionality input (got " + str(input.dim()) + " dimensions)")
    squares = input.square().reshape([input.size(0), 1, input.size(1), math.prod(list(input.shape)[2:])])
    padded = _pad(squares, [0, 0, size // 2, (size - 1) // 2])
    means = _avg_pool2d(padded, [size, 1], [1, 1]).reshape(list(input.shape))
    return input / (means * alpha + k) ** beta


def _channels_kept(input: Tensor, rank: int, p: float, training: bool) -> Tensor:
    """Whole channels set to 0, the others scaled."""
    if p < 0.0 or p > 1.0:
        raise ValueError("dropout probability has to be between 0 and 1, but got " + str(p))
    if not training or p == 0.0:
        return input.clone()
    if p == 1.0:
        return input * 0.0
    lead = input.dim() - rank
    kept = _rand(list(input.shape)[:lead] + [1] * rank, dtype=input.dtype) >= p
    return _where(kept, input / (1.0 - p), 0.0)


@spelled("F.dropout1d")
def dropout1d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Channels of (N, C, L) or (C, L) zeroed with probability p, the others scaled by 1 / (1 - p), when training."""
    made = _channels_kept(input, 1, p, training)
    return input.copy_(made) if inplace else made


@spelled("F.dropout2d")
def dropout2d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Channels of (N, C, H, W) or (C, H, W) zeroed with probability p, the others scaled, when training."""
    made = _channels_kept(input, 2, p, training)
    return input.copy_(made) if inplace else made


@spelled("F.dropout3d")
def dropout3d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Channels of (N, C, D, H, W) or (C, D, H, W) zeroed with probability p, the others scaled, when training."""
    made = _channels_kept(input, 3, p, training)
    return input.copy_(made) if inplace else made


@spelled("F.gumbel_softmax")
def gumbel_softmax(logits: Tensor, tau: float = 1.0, hard: bool = False, eps: float = 1e-10, dim: int = -1) -> Tensor:
    """Softmax of logits with Gumbel noise, over tau; with `hard` its largest as one-hot."""
    noise = -(-_rand(list(logits.shape), dtype=logits.dtype).clamp(min=1e-30).log()).log()
    soft = ((logits + noise) / tau).softmax(dim)
    if not hard:
        return soft
    return _zeros(list(logits.shape), dtype=logits.dtype).scatter_(
        dim, soft.max(dim, True)[1], _ones(list(soft.shape), dtype=logits.dtype)
    )


@spelled("F.one_hot")
def one_hot(tensor: Tensor, num_classes: int = -1) -> Tensor:
    """1 at the index, 0 elsewhere, as a new last dimension as long as the largest index asks for."""
    if tensor.numel() == 0 and num_classes <= 0:
        raise RuntimeError("Can not infer total number of classes from empty tensor.")
    return _one_hot(tensor, whole(tensor.max()) + 1 if num_classes == -1 else num_classes)


@spelled("F.softmax")
def softmax(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: DType | None = None) -> Tensor:
    """exp(input) normalised along a dimension, in a dtype."""
    along = implied_dim(input) if dim is None else dim
    return _softmax(input if dtype is None else input.to(dtype), along)


@spelled("F.log_softmax")
def log_softmax(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: DType | None = None) -> Tensor:
    """log(softmax(input))."""
    along = implied_dim(input) if dim is None else dim
    return _log_softmax(input if dtype is None else input.to(dtype), along)


@spelled("F.channel_shuffle")
def channel_shuffle(input: Tensor, groups: int) -> Tensor:
    """(N, C, ...) with the channels of groups interleaved."""
    if groups <= 0 or input.size(1) % groups != 0:
        raise RuntimeError(
            "Number of channels must be divisible by groups. Got "
            + str(input.size(1))
            + " channels and "
            + str(groups)
            + " groups."
        )
    shape = list(input.shape)
    return input.reshape([shape[0], groups, shape[1] // groups] + shape[2:]).transpose(1, 2).reshape(shape)
