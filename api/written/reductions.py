"""Reductions and running sums beyond the table's: norms, products along a dimension, medians, counts.

In: a tensor, the dimensions to reduce (None: all). Out: a tensor without them, or with extent 1 under `keepdim`.
Holds: float sums are those of the table's rows; integers go to int64, or to float32 where PyTorch does so.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from ..binding.dtype import DType
from ..binding.tensor import Tensor
from .dims import listed, whole, wrapped
from .spelling import rows, spelled

_where, _cat, _zeros, _full, _max = rows["where"], rows["cat"], rows["zeros"], rows["full"], rows["maximum"]
_ones = rows["ones"]
_FLOAT, _INT, _BOOL = DType.float32, DType.int64, DType.bool


class ValuesAndIndices(NamedTuple):
    """What a search along a dimension gives."""

    values: Tensor
    indices: Tensor


class Extremes(NamedTuple):
    """The smallest and the largest."""

    min: Tensor
    max: Tensor


def floating(self: Tensor) -> Tensor:
    """As float32, unless it is of floats."""
    return self if self.is_floating_point() else self.to(_FLOAT)


def reduced_shape(self: Tensor, dims: list[int], keepdim: bool) -> list[int]:
    """The shape that reducing these dimensions leaves."""
    shape: list[int] = []
    for i, extent in enumerate(self.shape):
        if i not in dims:
            shape.append(extent)
        elif keepdim:
            shape.append(1)
    return shape


def gathered(self: Tensor, dims: list[int]) -> Tensor:
    """With these dimensions joined to one, the last."""
    rest = [i for i in range(self.dim()) if i not in dims]
    count = 1
    for i in dims:
        count *= self.size(i)
    return self.permute(rest + dims).reshape([self.size(i) for i in rest] + [count])


@spelled("tsm.logsumexp", ".logsumexp")
def logsumexp(self: Tensor, dim: int | list[int], keepdim: bool = False) -> Tensor:
    """log(sum(exp(self))) along dimensions, without overflow; integers give float32."""
    x = floating(self)
    dims = listed(dim, x.dim())
    if x.numel() == 0:
        return x.exp().sum(dims, keepdim).log()
    most = x.amax(dims, True)
    most = _where(most.abs() == math.inf, 0.0, most)
    return (x - most).exp().sum(dims, keepdim).log() + most.reshape(reduced_shape(x, dims, keepdim))


@spelled("tsm.prod", ".prod")
def prod(self: Tensor, dim: int | None = None, keepdim: bool = False, *, dtype: DType | None = None) -> Tensor:
    """Product along a dimension, by halves; integers give int64."""
    x = self.to(dtype) if dtype is not None else self if self.is_floating_point() else self.to(_INT)
    if dim is None:
        return x.prod()
    place = wrapped(dim, x.dim())
    if x.dim() == 0:
        return x.clone()
    if x.size(place) == 0:
        return _full(reduced_shape(x, [place], keepdim), 1, dtype=x.dtype)
    while x.size(place) > 1:
        half = x.size(place) // 2
        pairs = x.narrow(place, 0, half) * x.narrow(place, half, half)
        x = _cat([pairs, x.narrow(place, 2 * half, 1)], place) if x.size(place) % 2 == 1 else pairs
    return x.clone() if keepdim else x.squeeze(place).clone()


@spelled("tsm.cumprod", ".cumprod")
def cumprod(self: Tensor, dim: int, *, dtype: DType | None = None) -> Tensor:
    """Running product along a dimension, in a dtype."""
    return self.cumprod(dim) if dtype is None else self.to(dtype).cumprod(dim).to(dtype)


@spelled("tsm.cumsum", ".cumsum")
def cumsum(self: Tensor, dim: int, *, dtype: DType | None = None) -> Tensor:
    """Running sum along a dimension, in a dtype."""
    return self.cumsum(dim) if dtype is None else self.to(dtype).cumsum(dim).to(dtype)


@spelled("tsm.mean", ".mean")
def mean(
    self: Tensor, dim: int | list[int] | None = None, keepdim: bool = False, *, dtype: DType | None = None
) -> Tensor:
    """Mean along dimensions, in a dtype."""
    x = self if dtype is None else self.to(dtype)
    return x.mean(listed(dim, x.dim()), keepdim)


@spelled("tsm.sum", ".sum")
def sum_along(
    self: Tensor, dim: int | list[int] | None = None, keepdim: bool = False, *, dtype: DType | None = None
) -> Tensor:
    """Sum along dimensions, None for all."""
    return self.sum(listed(dim, self.dim()), keepdim, dtype=dtype)


@spelled("tsm.nansum", ".nansum")
def nansum(
    self: Tensor, dim: int | list[int] | None = None, keepdim: bool = False, *, dtype: DType | None = None
) -> Tensor:
    """Sum along dimensions with NaN counted as 0."""
    x = _where(self.isnan(), 0.0, self) if self.is_floating_point() else self
    return x.sum(listed(dim, x.dim()), keepdim, dtype=dtype)


@spelled("tsm.nanmean", ".nanmean")
def nanmean(
    self: Tensor, dim: int | list[int] | None = None, keepdim: bool = False, *, dtype: DType | None = None
) -> Tensor:
    """Mean along dimensions of what is not NaN."""
    x = self if dtype is None else self.to(dtype)
    dims = listed(dim, x.dim())
    return _where(x.isnan(), 0.0, x).sum(dims, keepdim) / (x == x).sum(dims, keepdim)


def variance(self: Tensor, dims: list[int], correction, keepdim: bool) -> Tensor:
    """Sum of squared differences from the mean, over count - correction."""
    if not self.is_floating_point():
        raise RuntimeError("std and var only support floating point and complex dtypes")
    count = 1
    for i in dims:
        count *= self.size(i)
    squares = (self - self.mean(dims, True)).square().sum(dims, keepdim)
    return squares / max(count - correction, 0)


def _divisor_loss(unbiased: bool | None, correction) -> float:
    """What the divisor is less than the count: `correction`, or as the older flag says; by default 1."""
    if correction is not None:
        if unbiased is not None:
            raise TypeError("unbiased and correction say the same: give one of them")
        return float(correction)
    return 0.0 if unbiased is not None and not unbiased else 1.0


@spelled("tsm.var", ".var")
def var(
    self: Tensor, dim: int | list[int] | None = None, unbiased: bool | None = None, keepdim: bool = False, *,
    correction=None,
) -> Tensor:
    """Variance along dimensions; the divisor is the count less `correction`, 1 by default."""
    return variance(self, listed(dim, self.dim()), _divisor_loss(unbiased, correction), keepdim)


@spelled("tsm.std", ".std")
def std(
    self: Tensor, dim: int | list[int] | None = None, unbiased: bool | None = None, keepdim: bool = False, *,
    correction=None,
) -> Tensor:
    """Standard deviation along dimensions; the divisor is the count less `correction`, 1 by default."""
    return var(self, dim, unbiased, keepdim, correction=correction).sqrt()


@spelled("tsm.var_mean")
def var_mean(  # dim: one, several, None for all; a bool is `unbiased`
    input: Tensor, dim=None, unbiased: bool | None = None, keepdim: bool = False, *, correction=None
) -> tuple[Tensor, Tensor]:
    """Variance and mean along dimensions, None for all; `var_mean(x, True)` says `unbiased`, as PyTorch's."""
    if isinstance(dim, bool):
        return var_mean(input, None, dim, keepdim, correction=correction)
    dims = listed(dim, input.dim())
    return variance(input, dims, _divisor_loss(unbiased, correction), keepdim), input.mean(dims, keepdim)


@spelled("tsm.std_mean")
def std_mean(  # as var_mean's
    input: Tensor, dim=None, unbiased: bool | None = None, keepdim: bool = False, *, correction=None
) -> tuple[Tensor, Tensor]:
    """Standard deviation and mean along dimensions, None for all; `std_mean(x, True)` says `unbiased`."""
    of_squares, middle = var_mean(input, dim, unbiased, keepdim, correction=correction)
    return of_squares.sqrt(), middle


@spelled("tsm.aminmax", ".aminmax")
def aminmax(self: Tensor, *, dim: int | None = None, keepdim: bool = False) -> Extremes:
    """The smallest and the largest, along a dimension or of all."""
    dims = listed(dim, self.dim())
    return Extremes(self.amin(dims, keepdim), self.amax(dims, keepdim))


@spelled("tsm.count_nonzero", ".count_nonzero")
def count_nonzero(self: Tensor, dim: int | list[int] | None = None) -> Tensor:
    """How many elements are not 0, along dimensions."""
    truth = self if self.dtype == _BOOL else self != 0
    return truth.sum(listed(dim, self.dim()))


@spelled("tsm.any", ".any")
def any_along(self: Tensor, dim: int | list[int] | None = None, keepdim: bool = False) -> Tensor:
    """Whether any element along dimensions is not 0."""
    made = (self != 0).to(DType.uint8).amax(listed(dim, self.dim()), keepdim)
    return made if self.dtype == DType.uint8 else made.to(_BOOL)


@spelled("tsm.all", ".all")
def all_along(self: Tensor, dim: int | list[int] | None = None, keepdim: bool = False) -> Tensor:
    """Whether all elements along dimensions are not 0."""
    made = (self != 0).to(DType.uint8).amin(listed(dim, self.dim()), keepdim)
    return made if self.dtype == DType.uint8 else made.to(_BOOL)


@spelled("tsm.softmax", ".softmax")
def softmax(self: Tensor, dim: int, dtype: DType | None = None) -> Tensor:
    """exp(self) normalised along a dimension, in a dtype."""
    return self.softmax(dim) if dtype is None else self.to(dtype).softmax(dim)


@spelled("tsm.log_softmax", ".log_softmax")
def log_softmax(self: Tensor, dim: int, dtype: DType | None = None) -> Tensor:
    """log(softmax(self)) along a dimension, in a dtype."""
    return self.log_softmax(dim) if dtype is None else self.to(dtype).log_softmax(dim)


@spelled(".trace")
def trace(self: Tensor) -> Tensor:
    """Sum of the diagonal of a matrix. RuntimeError for another rank."""
    if self.dim() != 2:
        raise RuntimeError("trace: expected a matrix, but got tensor with dim " + str(self.dim()))
    return self.diagonal().sum()


def _median_all(self: Tensor) -> Tensor:
    x = self.reshape([-1])
    count = x.numel()
    if count == 0:
        return _full([], math.nan, dtype=self.dtype)
    value = x.kthvalue((count + 1) // 2).values
    return _where(x.isnan().any(), math.nan, value) if x.is_floating_point() else value


def _median_along(self: Tensor, dim: int, keepdim: bool = False) -> ValuesAndIndices:
    place = wrapped(dim, self.dim())
    count = self.size(place) if self.dim() > 0 else 1
    if count == 0:
        raise IndexError("median(): Expected reduction dim " + str(place) + " to have non-zero size.")
    values, indices = self.kthvalue((count + 1) // 2, place, keepdim)
    if not self.is_floating_point() or self.dim() == 0:
        return ValuesAndIndices(values, indices)
    is_nan = self.isnan()
    has_nan = is_nan.any(place, keepdim)
    first = is_nan.to(_INT).argmax(place, keepdim)
    return ValuesAndIndices(_where(has_nan, math.nan, values), _where(has_nan, first, indices))


@spelled("tsm.median", ".median")
def median(self: Tensor, dim=None, keepdim: bool = False):
    """The lower median: of all elements, or along a dimension with its index; NaN wins."""
    if dim is None:
        return _median_all(self)
    return _median_along(self, dim, keepdim)


@spelled("tsm.bincount", ".bincount")
def bincount(self: Tensor, weights: Tensor | None = None, minlength: int = 0) -> Tensor:
    """How often each number occurs in a vector of integers, or the sums of their weights."""
    if self.dim() != 1 or self.is_floating_point() or (self.numel() > 0 and whole(self.min()) < 0):
        raise RuntimeError("bincount only supports 1-d non-negative integral inputs.")
    if minlength < 0:
        raise RuntimeError("minlength should be >= 0")
    at = self.to(_INT)
    count = whole(at.max().clamp(min=minlength - 1)) + 1 if at.numel() > 0 else minlength
    if weights is None:
        return _zeros([count], dtype=_INT).index_add_(0, at, _full([at.numel()], 1, dtype=_INT))
    if weights.dim() != 1 or weights.numel() != self.numel():
        raise RuntimeError("weights should be 1-d and have the same length as input")
    given = weights if weights.dtype == _FLOAT else weights.to(DType.float64)
    return _zeros([count], dtype=given.dtype).index_add_(0, at, given)


@spelled("tsm.dist", ".dist")
def dist(self: Tensor, other: Tensor, p=2) -> Tensor:
    """The p-norm of self - other."""
    return vector_norm(self - other, p)


def vector_norm(x: Tensor, ord=2, dim=None, keepdim: bool = False, *, dtype: DType | None = None) -> Tensor:
    """(sum(|x| ** ord)) ** (1 / ord) along dimensions; the largest for inf, the smallest for -inf, the count of what is
    not 0 for 0. RuntimeError for a dtype that is not float."""
    given = x if dtype is None else x.to(dtype)
    if not given.is_floating_point():
        raise RuntimeError("linalg.vector_norm: Expected a floating point or complex tensor as input.")
    dims = listed(dim, given.dim())
    if ord == 2:
        return given.square().sum(dims, keepdim).sqrt()
    if ord == 1:
        return given.abs().sum(dims, keepdim)
    if ord == math.inf:
        return given.abs().amax(dims, keepdim)
    if ord == -math.inf:
        return given.abs().amin(dims, keepdim)
    if ord == 0:
        return (given != 0).sum(dims, keepdim).to(given.dtype)
    return (given.abs() ** ord).sum(dims, keepdim) ** (1.0 / ord)


@spelled("tsm.norm", ".norm")
def norm(self: Tensor, p="fro", dim=None, keepdim: bool = False, dtype: DType | None = None) -> Tensor:
    """The p-norm of all elements or along dimensions; "fro" is 2."""
    if isinstance(p, str):
        if p != "fro":
            raise RuntimeError("norm: the order must be a number or 'fro', got '" + p + "'")
        return vector_norm(self, 2, dim, keepdim, dtype=dtype)
    if p is None:
        return vector_norm(self, 2, dim, keepdim, dtype=dtype)
    return vector_norm(self, p, dim, keepdim, dtype=dtype)


@spelled("tsm.histc", ".histc")
def histc(self: Tensor, bins: int = 100, min: float = 0, max: float = 0) -> Tensor:
    """How many elements lie in each of `bins` equal parts of [min, max], or of what they span where both are 0."""
    low, high = float(min), float(max)
    if low == high and self.numel() > 0:
        low, high = float(self.min()), float(self.max())
    if low == high:
        low, high = low - 1.0, high + 1.0
    if low > high:
        raise RuntimeError("torch.histc: max must be larger than min")
    line = self.reshape([-1])
    line = line[(line >= low) & (line <= high)]
    places = ((line - low) / (high - low) * bins).long().clamp(0, bins - 1)
    return _zeros([bins], dtype=self.dtype).index_add_(0, places, _ones([places.numel()], dtype=self.dtype))


def _nanmedian_along(self: Tensor, dim: int, keepdim: bool = False) -> ValuesAndIndices:
    place = wrapped(dim, self.dim())
    if self.dim() == 0:
        return ValuesAndIndices(self.clone(), _zeros([], dtype=_INT))
    ordered, order = self.sort(place)
    if self.size(place) == 0:
        raise IndexError("nanmedian(): Expected reduction dim " + str(place) + " to have non-zero size.")
    at = ((self == self).to(_INT).sum([place], True) - 1).clamp(min=0) // 2
    values, indices = ordered.gather(place, at), order.gather(place, at)
    return ValuesAndIndices(
        values if keepdim else values.squeeze(place), indices if keepdim else indices.squeeze(place)
    )


@spelled("tsm.nanmedian", ".nanmedian")
def nanmedian(self: Tensor, dim=None, keepdim: bool = False):
    """The lower median of what is not NaN: of all elements, or along a dimension with its index."""
    if dim is None:
        if self.numel() == 0:
            return _full([], math.nan, dtype=self.dtype)
        return _nanmedian_along(self.reshape([-1]), 0)[0]
    return _nanmedian_along(self, dim, keepdim)


@spelled("tsm.mode", ".mode")
def mode(self: Tensor, dim: int = -1, keepdim: bool = False) -> ValuesAndIndices:
    """The most frequent element along a dimension, the smallest of several, and the last place where it is."""
    place = wrapped(dim, self.dim())
    if self.dim() == 0:
        return ValuesAndIndices(self.clone(), _zeros([], dtype=_INT))
    lines = self.movedim(place, -1)
    count = lines.size(-1)
    if count == 0:
        raise IndexError("mode(): Expected reduction dim " + str(place) + " to have non-zero size.")
    ordered = lines.sort(-1)[0]
    often = (ordered.unsqueeze(-1) == ordered.unsqueeze(-2)).to(_INT).sum([-1])
    values = ordered.gather(-1, often.argmax(-1, True))
    last = count - 1 - (lines == values).to(_INT).flip([lines.dim() - 1]).argmax(-1, True)
    values, indices = values.movedim(-1, place), last.movedim(-1, place)
    return ValuesAndIndices(
        values if keepdim else values.squeeze(place), indices if keepdim else indices.squeeze(place)
    )


@spelled("tsm.renorm", ".renorm")
def renorm(self: Tensor, p, dim: int, maxnorm) -> Tensor:
    """The slices along a dimension, those whose norm is larger than maxnorm made as long as that."""
    if self.dim() < 2:
        raise RuntimeError("renorm: input needs at least 2 dimensions, got " + str(self.dim()) + " dimensions")
    place = wrapped(dim, self.dim())
    others = [i for i in range(self.dim()) if i != place]
    lengths = vector_norm(self, p, others, True)
    return self * _where(lengths > maxnorm, maxnorm / (lengths + 1e-7), 1.0)
