"""Tensors made and changed by rule, beyond the table's factories; statistics of matrices.

In: extents, numbers, tensors. Out: new tensors, or the one that was filled.
"""

from __future__ import annotations

import math

from ..binding.dtype import DType
from ..binding.tensor import Tensor
from .dims import size_of, wrapped
from .pointwise import nan_to_num
from .reductions import floating
from .spelling import rows, spelled

_linspace, _full = rows["linspace"], rows["full"]
_where, _pow, _matmul, _atan2 = rows["where"], rows["pow"], rows["matmul"], rows["atan2"]
_arange, _cat = rows["arange"], rows["cat"]


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
    return _pow(base, _linspace(start, end, steps, dtype=DType.float64)).to(dtype)


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
def cov(self: Tensor, *, correction: int = 1) -> Tensor:
    """Covariances of the rows of a matrix, or the variance of a vector."""
    if self.dim() > 2:
        raise RuntimeError(
            "cov(): expected input to have two or fewer dimensions but got an input with "
            + str(self.dim())
            + " dimensions"
        )
    x = floating(self.reshape([1, -1]) if self.dim() < 2 else self)
    gaps = x - x.mean([1], True)
    made = _matmul(gaps, gaps.t()) / max(x.size(1) - correction, 0)
    return made.reshape([]) if self.dim() < 2 else made


@spelled("tsm.corrcoef", ".corrcoef")
def corrcoef(self: Tensor) -> Tensor:
    """Correlations of the rows of a matrix."""
    if self.dim() > 2:
        raise RuntimeError(
            "corrcoef(): expected input to have two or fewer dimensions but got an input with "
            + str(self.dim())
            + " dimensions"
        )
    made = cov(self)
    if self.dim() < 2:
        return made / made
    sizes = made.diagonal().sqrt()
    return (made / sizes.unsqueeze(1) / sizes).clamp(-1.0, 1.0)


@spelled("tsm.trapezoid", "tsm.trapz")
def trapezoid(y: Tensor, x: Tensor | None = None, *, dx: float = 1.0, dim: int = -1) -> Tensor:
    """The integral along a dimension by trapezoids, at points x or with steps dx."""
    place = wrapped(dim, y.dim())
    count = max(y.size(place) - 1, 0)
    means = (y.narrow(place, y.size(place) - count, count) + y.narrow(place, 0, count)) / 2.0
    if x is None:
        return means.sum([place]) * dx
    if x.dim() == 1:
        if x.size(0) != y.size(place):
            raise RuntimeError("trapezoid: There must be one `x` value for each sample point")
        steps = x.narrow(0, x.size(0) - count, count) - x.narrow(0, 0, count)
        line = [1] * y.dim()
        line[place] = count
        return (means * steps.reshape(line)).sum([place])
    return (means * (x.narrow(place, 1, count) - x.narrow(place, 0, count))).sum([place])


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
    count = x.size(-1) if N is None else N
    powers = x.unsqueeze(-1) ** _arange(count)
    return powers if increasing else powers.flip([x.dim()])


@spelled("tsm.unravel_index")
def unravel_index(indices: Tensor, shape: list[int]) -> tuple[Tensor, ...]:
    """Indices into a flat tensor as one index a dimension of a shape."""
    found: list[Tensor] = []
    rest = indices
    for i in range(len(shape) - 1, -1, -1):
        found.append(rest % shape[i])
        rest = rest // shape[i]
    if bool((rest > 0).any()):
        raise ValueError("unravel_index: indices must be smaller than the product of the shape")
    found.reverse()
    return tuple(found)


@spelled("tsm.cumulative_trapezoid")
def cumulative_trapezoid(y: Tensor, x: Tensor | None = None, *, dx: float = 1.0, dim: int = -1) -> Tensor:
    """Running integrals along a dimension by the trapezoidal rule, at places x or dx apart."""
    place = wrapped(dim, y.dim())
    count = y.size(place)
    means = (y.narrow(place, 1, count - 1) + y.narrow(place, 0, count - 1)) / 2.0
    if x is None:
        return (means * dx).cumsum(place)
    along = x if x.dim() > 1 else x.reshape([-1] + [1] * (y.dim() - 1 - place))
    at = place if x.dim() > 1 else 0
    gaps = along.narrow(at, 1, count - 1) - along.narrow(at, 0, count - 1)
    return (means * gaps).cumsum(place)


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
    made = self
    while made.dim() > len(wanted):
        made = made.sum([0])
    for i, extent in enumerate(wanted):
        if extent == 1 and made.size(i) != 1:
            made = made.sum([i], True)
        elif extent != made.size(i):
            raise RuntimeError("size " + str(wanted) + " is not expandable to size " + str(list(self.shape)) + ".")
    return made
