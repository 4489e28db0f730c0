"""Tensors made and changed by rule, beyond the table's factories; statistics of matrices.

In: extents, numbers, tensors. Out: new tensors, or the one that was filled.
"""

from __future__ import annotations

import math

from ..binding.dtype import DType
from ..binding.tensor import Tensor
from .dims import as_list, size_of, wrapped
from .pointwise import nan_to_num
from .reductions import floating
from .spelling import rows, spelled

_linspace, _full = rows["linspace"], rows["full"]
_where, _pow, _matmul, _atan2 = rows["where"], rows["pow"], rows["matmul"], rows["atan2"]
_arange, _cat, _ones = rows["arange"], rows["cat"], rows["ones"]


def _number(value):
    return value.item() if isinstance(value, Tensor) else value


@spelled("tsm.arange")
def arange(start, end=None, step=1, *, dtype: DType | None = None, device=None) -> Tensor:
    """start, start + step, ... before end, which may be tensors of one element."""
    if end is None:
        return _arange(_number(start), dtype=dtype)
    return _arange(_number(start), _number(end), _number(step), dtype=dtype)


@spelled("tsm.full")
def full(size: list[int], fill_value, *, dtype: DType | None = None, device=None) -> Tensor:
    """All fill_value, which may be a tensor of one element."""
    if not isinstance(fill_value, Tensor):
        return _full(size, fill_value, dtype=dtype)
    return _full(size, fill_value.item(), dtype=fill_value.dtype if dtype is None else dtype)


@spelled("tsm.scalar_tensor")
def scalar_tensor(s, *, dtype: DType = DType.float32, device=None) -> Tensor:
    """A 0-d tensor."""
    return _full([], s, dtype=dtype)


@spelled("tsm.logspace")
def logspace(start, end, steps: int, base: float = 10.0, *, dtype: DType = DType.float32, device=None) -> Tensor:
    """steps powers of the base, with exponents from start to end."""
    if dtype.is_floating_point:
        return _pow(base, _linspace(start, end, steps, dtype=DType.float64)).to(dtype)
    first, last = int(start), int(end)
    step = (last - first) / (steps - 1) if steps > 1 else 0.0
    return _pow(float(base), _arange(steps).to(DType.float64) * step + first).to(dtype)


@spelled("tsm.fmax", ".fmax")
def fmax(self: Tensor, other: Tensor) -> Tensor:
    """The larger; NaN loses."""
    made = self.maximum(other)
    return _where(self != self, other, _where(other != other, self, made)).to(made.dtype)


@spelled("tsm.fmin", ".fmin")
def fmin(self: Tensor, other: Tensor) -> Tensor:
    """The smaller; NaN loses."""
    made = self.minimum(other)
    return _where(self != self, other, _where(other != other, self, made)).to(made.dtype)


@spelled("tsm.sinc", ".sinc")
def sinc(self: Tensor) -> Tensor:
    """sin(pi * self) / (pi * self), 1 at 0."""
    x = floating(self) * math.pi
    return _where(x == 0.0, 1.0, x.sin() / x)


@spelled(".nan_to_num_")
def nan_to_num_(
    self: Tensor, nan: float | None = None, posinf: float | None = None, neginf: float | None = None
) -> Tensor:
    """Writes numbers in the place of NaN and infinities."""
    return self.copy_(nan_to_num(self, nan, posinf, neginf))


@spelled(".fill_diagonal_")
def fill_diagonal_(self: Tensor, fill_value, wrap: bool = False) -> Tensor:
    """Sets the main diagonal; of a higher rank with equal extents, the elements with equal indices."""
    if self.dim() < 2:
        raise RuntimeError("dimensions must larger than 1")
    if self.dim() > 2 or wrap:
        if wrap or min(list(self.shape)) != max(list(self.shape)):
            raise RuntimeError("all dimensions of input must be of equal length")
        for i in range(self.size(0)):
            place = self
            for _ in range(self.dim()):
                place = place.select(0, i)
            place.fill_(fill_value)
        return self
    self.diagonal(0, 0, 1).fill_(fill_value)
    return self


@spelled("tsm.slice_scatter", ".slice_scatter")
def slice_scatter(
    self: Tensor, src: Tensor, dim: int = 0, start: int | None = None, end: int | None = None, step: int = 1
) -> Tensor:
    """self with src at a slice of a dimension."""
    made = self.clone()
    made.transpose(0, dim)[start:end:step].copy_(src.transpose(0, dim))
    return made


@spelled("tsm.diagonal_scatter", ".diagonal_scatter")
def diagonal_scatter(self: Tensor, src: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Tensor:
    """self with src as a diagonal."""
    made = self.clone()
    place = made.diagonal(offset, dim1, dim2)
    if place.shape != src.shape:
        raise RuntimeError("expected src to have a size equal to the slice of self")
    place.copy_(src)
    return made


@spelled("tsm.msort", ".msort")
def msort(self: Tensor) -> Tensor:
    """In order along the first dimension."""
    return self.sort(0)[0]


@spelled("tsm.cov", ".cov")
def cov(
    self: Tensor, *, correction: int = 1, fweights: Tensor | None = None, aweights: Tensor | None = None
) -> Tensor:
    """Covariances of the rows of a matrix, or the variance of one row or of a vector. Columns count as often as the
    integers `fweights` say and as much as `aweights` say. RuntimeError for what does not fit."""
    if self.dim() > 2:
        raise RuntimeError(
            "cov(): expected input to have two or fewer dimensions but got an input with "
            + str(self.dim())
            + " dimensions"
        )
    if self.dtype == DType.bool:
        raise RuntimeError("cov(): bool dtype is not supported for input")
    x = floating(self.reshape([1, -1]) if self.dim() < 2 else self)
    _check_weights("fweights", fweights, x.size(1))
    _check_weights("aweights", aweights, x.size(1))
    if fweights is not None and fweights.is_floating_point():
        raise RuntimeError("cov(): expected fweights to have integral dtype but got fweights with a floating dtype")
    if fweights is None and aweights is None:
        gaps = x - x.mean([1], True)
        return (_matmul(gaps, gaps.t()) / max(x.size(1) - correction, 0)).squeeze()
    weights = _ones([x.size(1)], dtype=x.dtype)
    if fweights is not None:
        weights = fweights.to(x.dtype)
    lost = _full([], float(correction), dtype=x.dtype)
    if aweights is not None:
        given = aweights.to(x.dtype)
        weights = weights * given
        lost = (weights * given).sum() / weights.sum() * correction
    total = weights.sum()
    gaps = x - ((x * weights).sum([1]) / total).unsqueeze(1)
    return (_matmul(gaps, (gaps * weights).t()) / (total - lost).clamp(min=0.0)).squeeze()


def _check_weights(name: str, weights: Tensor | None, count: int) -> None:
    if weights is None:
        return
    if weights.dim() > 1:
        raise RuntimeError("cov(): expected " + name + " to have one or fewer dimensions")
    if weights.numel() != count:
        raise RuntimeError("cov(): expected " + name + " to have the same numel as there are observations in the input")
    if bool((weights < 0).any()):
        raise RuntimeError("cov(): " + name + " cannot be negative")


@spelled("tsm.corrcoef", ".corrcoef")
def corrcoef(self: Tensor) -> Tensor:
    """Correlations of the rows of a matrix; 1 for one row."""
    if self.dim() > 2:
        raise RuntimeError(
            "corrcoef(): expected input to have two or fewer dimensions but got an input with "
            + str(self.dim())
            + " dimensions"
        )
    made = cov(self)
    if made.dim() == 0:
        return made / made
    sizes = made.diagonal().sqrt()
    return (made / sizes.unsqueeze(1) / sizes).clamp(-1.0, 1.0)


def _check_points(name: str, y: Tensor, x: Tensor | None) -> None:
    if y.dtype == DType.bool:
        raise RuntimeError(name + ": received a bool input for `y`, but bool is not supported")
    if x is not None and x.dtype == DType.bool:
        raise RuntimeError(name + ": received a bool input for `x`, but bool is not supported")


def _gaps(name: str, x: Tensor, y: Tensor, place: int) -> Tensor:
    """How far neighbours of the points x are apart, in x's dtype, which wraps; in the layout of y."""
    points = x
    if x.dim() == 1:
        if x.size(0) != y.size(place):
            raise RuntimeError(name + ": There must be one `x` value for each sample point")
        line = [1] * y.dim()
        line[place] = x.size(0)
        points = x.reshape(line)
    elif x.dim() < y.dim():
        points = x.reshape([1] * (y.dim() - x.dim()) + list(x.shape))
    count = max(points.size(place) - 1, 0)
    return points.narrow(place, points.size(place) - count, count) - points.narrow(place, 0, count)


def _pair_sums(y: Tensor, place: int) -> Tensor:
    """Sums of neighbours, in y's dtype, which wraps."""
    count = max(y.size(place) - 1, 0)
    return y.narrow(place, 0, count) + y.narrow(place, y.size(place) - count, count)


@spelled("tsm.trapezoid", "tsm.trapz")
def trapezoid(y: Tensor, x: Tensor | None = None, *, dx: float = 1.0, dim: int = -1) -> Tensor:
    """The integral along a dimension by trapezoids, at points x or with steps dx. Integers wrap where PyTorch's do."""
    _check_points("trapezoid", y, x)
    place = wrapped(dim, y.dim())
    if x is not None:
        return (_gaps("trapezoid", x, y, place) * _pair_sums(y, place)).sum([place]) / 2.0
    total = y.sum([place])
    if y.size(place) == 0:
        return total * dx
    return (total - (y.select(place, 0) + y.select(place, -1)) * 0.5) * dx


@spelled("tsm.is_nonzero", ".is_nonzero")
def is_nonzero(self: Tensor) -> bool:
    """Whether the one element is not 0. RuntimeError for several or none."""
    if self.numel() != 1:
        raise RuntimeError(
            "Boolean value of Tensor with "
            + ("no values" if self.numel() == 0 else "more than one value")
            + " is ambiguous"
        )
    return bool(self.reshape([]))


@spelled("tsm.is_same_size", ".is_same_size")
def is_same_size(self: Tensor, other: Tensor) -> bool:
    """Whether both have one shape."""
    return self.shape == other.shape


@spelled("tsm.is_complex", ".is_complex")
def is_complex(self: Tensor) -> bool:
    """False: there are no complex dtypes."""
    return False


@spelled(".atan2_")
def atan2_(self: Tensor, other: Tensor) -> Tensor:
    """self = the angle of the point (other, self)."""
    return self.copy_(_atan2(self, other))


@spelled("tsm.combinations")
def combinations(input: Tensor, r: int = 2, with_replacement: bool = False) -> Tensor:
    """All ways to take r elements of a vector, in order, one a row."""
    if input.dim() != 1:
        raise RuntimeError("Expect a 1D vector, but got shape " + str(list(input.shape)))
    if r < 0:
        raise RuntimeError("Expect a non-negative number, but got " + str(r))
    if r == 0:
        return input.new_empty([0])
    count = input.numel()
    places = _arange(count)
    chosen = places.reshape([count, 1])
    for _ in range(1, r):
        last = chosen.select(1, chosen.size(1) - 1).unsqueeze(1)
        pairs = (places >= last if with_replacement else places > last).nonzero()
        chosen = _cat([chosen.index_select(0, pairs.select(1, 0)), pairs.narrow(1, 1, 1)], 1)
    return input[chosen]


@spelled("tsm.vander")
def vander(x: Tensor, N: int | None = None, increasing: bool = False) -> Tensor:
    """Powers of the elements of a vector, one row each, the highest first unless `increasing`."""
    if x.dim() != 1:
        raise RuntimeError("x must be a one-dimensional tensor.")
    count = x.size(-1) if N is None else N
    powers = x.unsqueeze(-1) ** _arange(count)
    return powers if increasing else powers.flip([x.dim()])


@spelled("tsm.unravel_index")
def unravel_index(indices: Tensor, shape) -> tuple[Tensor, ...]:
    """Indices into a flat tensor as one int64 index a dimension of a shape, an int or several; what lies outside wraps.
    TypeError, ValueError."""
    if indices.is_floating_point() or indices.dtype == DType.bool:
        raise TypeError("expected 'indices' to be integer dtype, but got " + str(indices.dtype))
    sizes = as_list(shape)
    if min(sizes, default=0) < 0:
        raise ValueError("'shape' cannot have negative values, but got " + str(sizes))
    found: list[Tensor] = []
    rest = indices.to(DType.int64)
    for i in range(len(sizes) - 1, -1, -1):
        found.append(rest % sizes[i])
        rest = rest // sizes[i]
    found.reverse()
    return tuple(found)


@spelled("tsm.cumulative_trapezoid")
def cumulative_trapezoid(y: Tensor, x: Tensor | None = None, *, dx: float = 1.0, dim: int = -1) -> Tensor:
    """Running integrals along a dimension by the trapezoidal rule, at places x or dx apart."""
    _check_points("cumulative_trapezoid", y, x)
    place = wrapped(dim, y.dim())
    if x is not None:
        return (_gaps("cumulative_trapezoid", x, y, place) * _pair_sums(y, place)).cumsum(place) / 2.0
    return (_pair_sums(y, place) * (dx / 2.0)).cumsum(place)


@spelled("tsm.gcd", ".gcd")
def gcd(self: Tensor, other: Tensor) -> Tensor:
    """Greatest common divisors of integers."""
    if self.is_floating_point() or other.is_floating_point():
        raise NotImplementedError("gcd takes integers")
    a, b = self.abs() + other * 0, other.abs() + self * 0
    while bool((b != 0).any()):
        rest = _where(b == 0, 0, a % _where(b == 0, 1, b))
        a, b = _where(b == 0, a, b), rest
    return a


@spelled("tsm.lcm", ".lcm")
def lcm(self: Tensor, other: Tensor) -> Tensor:
    """Least common multiples of integers."""
    divisor = gcd(self, other)
    return _where(divisor == 0, 0, (self // _where(divisor == 0, 1, divisor) * other).abs())


@spelled("tsm.ldexp", ".ldexp")
def ldexp(self: Tensor, other: Tensor) -> Tensor:
    """self * 2 ** other."""
    return self * 2.0**other


@spelled(".sum_to_size")
def sum_to_size(self: Tensor, *size) -> Tensor:
    """Summed along what was broadcast, to a size."""
    wanted = size_of(size)
    if len(wanted) == 0:
        return self.sum()
    made = self
    while made.dim() > len(wanted):
        made = made.sum([0])
    for i, extent in enumerate(wanted):
        if extent == 1 and made.size(i) != 1:
            made = made.sum([i], True)
        elif extent != made.size(i):
            raise RuntimeError("size " + str(wanted) + " is not expandable to size " + str(list(self.shape)) + ".")
    return made
