"""tsm.special: functions of mathematical physics and statistics, under the names of torch.special.

In: tensors of numbers. Out: new tensors of floats. Holds: what has no row of its own is computed in float64.
"""

from __future__ import annotations

import math

from .binding.dtype import DType
from .binding.tensor import Tensor
from .written.creation import sinc
from .written.pointwise import logit, round_to
from .written.reductions import floating, log_softmax, logsumexp, softmax
from .written.spelling import rows, spelled

_where, _xlogy, _full, _arange, _ones = rows["where"], rows["xlogy"], rows["full"], rows["arange"], rows["ones"]


def _evaluated(x: Tensor, coefficients: list[float]) -> Tensor:
    """A sum of Chebyshev polynomials, coefficients of the highest degree first."""
    before, made, after = x * 0.0, x * 0.0, x * 0.0
    for c in coefficients:
        before, made = made, after
        after = x * made - before + c
    return (after - before) * 0.5


_I0_NEAR = (
    -4.41534164647933937950e-18, 3.33079451882223809783e-17, -2.43127984654795469359e-16, 1.71539128555513303061e-15,
    -1.16853328779934516808e-14, 7.67618549860493561688e-14, -4.85644678311192946090e-13, 2.95505266312963983461e-12,
    -1.72682629144155570723e-11, 9.67580903537323691224e-11, -5.18979560163526290666e-10, 2.65982372468238665035e-9,
    -1.30002500998624804212e-8, 6.04699502254191894932e-8, -2.67079385394061173391e-7, 1.11738753912010371815e-6,
    -4.41673835845875056359e-6, 1.64484480707288970893e-5, -5.75419501008210370398e-5, 1.88502885095841655729e-4,
    -5.76375574538582365885e-4, 1.63947561694133579842e-3, -4.32430999505057594430e-3, 1.05464603945949983183e-2,
    -2.37374148058994688156e-2, 4.93052842396707084878e-2, -9.49010970480476444210e-2, 1.71620901522208775349e-1,
    -3.04682672343198398683e-1, 6.76795274409476084995e-1,
)
_I0_FAR = (
    -7.23318048787475395456e-18, -4.83050448594418207126e-18, 4.46562142029675999901e-17, 3.46122286769746109310e-17,
    -2.82762398051658348494e-16, -3.42548561967721913462e-16, 1.77256013305652638360e-15, 3.81168066935262242075e-15,
    -9.55484669882830764870e-15, -4.15056934728722208663e-14, 1.54008621752140982691e-14, 3.85277838274214270114e-13,
    7.18012445138366623367e-13, -1.79417853150680611778e-12, -1.32158118404477131188e-11, -3.14991652796324136454e-11,
    1.18891471078464383424e-11, 4.94060238822496958910e-10, 3.39623202570838634515e-9, 2.26666899049817806459e-8,
    2.04891858946906374183e-7, 2.89137052083475648297e-6, 6.88975834691682398426e-5, 3.36911647825569408990e-3,
    8.04490411014108831608e-1,
)


def i0e(self: Tensor) -> Tensor:
    """i0(self) * exp(-|self|)."""
    size = floating(self).double().abs()
    near = _evaluated(size * 0.5 - 2.0, list(_I0_NEAR))
    far = _evaluated(32.0 / size.clamp(min=8.0) - 2.0, list(_I0_FAR)) / size.clamp(min=8.0).sqrt()
    return _where(size <= 8.0, near, far).to(floating(self).dtype)


@spelled("tsm.i0", ".i0")
def i0(self: Tensor) -> Tensor:
    """Modified Bessel function of the first kind, of order 0."""
    x = floating(self).double()
    return (i0e(x) * x.abs().exp()).to(floating(self).dtype)


def entr(self: Tensor) -> Tensor:
    """-self * log(self): 0 at 0, -inf below."""
    x = floating(self)
    made = _where(x > 0.0, -x * x.log(), _where(x == 0.0, 0.0, -math.inf))
    return _where(x != x, x, made)


def ndtr(self: Tensor) -> Tensor:
    """The share of the normal distribution below self."""
    x = floating(self)
    return (x * -math.sqrt(0.5)).erfc() * 0.5


def log_ndtr(self: Tensor) -> Tensor:
    """log(ndtr(self)), also where that is too small to write."""
    x = floating(self).double()
    far = x.clamp(max=-1.0)
    square = far * far
    tail = 1.0 - 1.0 / square + 3.0 / square**2 - 15.0 / square**3 + 105.0 / square**4
    below = -square * 0.5 - (-far).log() - 0.5 * math.log(2.0 * math.pi) + tail.abs().log()
    above = (-(x * math.sqrt(0.5)).erfc() * 0.5).log1p()
    made = _where(x < -14.0, below, _where(x < 1.0, ndtr(x).log(), above))
    return made.to(floating(self).dtype)


def ndtri(self: Tensor) -> Tensor:
    """The number below which that share of the normal distribution lies."""
    return (floating(self) * 2.0 - 1.0).erfinv() * math.sqrt(2.0)


def xlog1py(self, other) -> Tensor:
    """self * log1p(other), 0 where self is 0 and other a number."""
    if not isinstance(self, Tensor):
        x, y = _full([], self, dtype=other.dtype), other
    else:
        x, y = self, other if isinstance(other, Tensor) else _full([], other, dtype=self.dtype)
    a, b = floating(x), floating(y)
    return _where((a == 0) & (b == b), 0.0, a * b.log1p())


@spelled("tsm.xlogy", ".xlogy")
def xlogy(self, other) -> Tensor:
    """self * log(other), 0 where self is 0; one of the two may be a number."""
    if isinstance(self, Tensor) and isinstance(other, Tensor):
        return _xlogy(self, other)
    if isinstance(self, Tensor):
        return _xlogy(self, _full([], other, dtype=floating(self).dtype))
    return _xlogy(_full([], self, dtype=floating(other).dtype), other)


@spelled("tsm.mvlgamma", ".mvlgamma")
def multigammaln(self: Tensor, p: int) -> Tensor:
    """Logarithm of the multivariate gamma function of dimension p."""
    x = floating(self)
    made = x * 0.0 + p * (p - 1) / 4.0 * math.log(math.pi)
    for j in range(p):
        made = made + (x - j * 0.5).lgamma()
    return made


@spelled("tsm.kaiser_window")
def kaiser_window(
    window_length: int, periodic: bool = True, beta: float = 12.0, *, dtype: DType = DType.float32, device=None
) -> Tensor:
    """Kaiser's window; without its last element of one longer if `periodic`."""
    if window_length == 0 or window_length == 1:
        return _ones([window_length], dtype=dtype)
    count = window_length if periodic else window_length - 1
    at = _arange(window_length).to(DType.float64) * (2.0 / count) - 1.0
    height = i0(_full([], beta, dtype=DType.float64))
    return (i0(beta * (1.0 - at * at).clamp(min=0.0).sqrt()) / height).to(dtype)


expit, erf, erfc, log1p, expm1 = rows["sigmoid"], rows["erf"], rows["erfc"], rows["log1p"], rows["expm1"]
erfinv, exp2 = rows["erfinv"], rows["exp2"]
digamma, psi, gammaln, round = rows["digamma"], rows["digamma"], rows["lgamma"], round_to

__all__ = [
    "digamma", "entr", "erf", "erfc", "erfinv", "exp2", "expit", "expm1", "gammaln", "i0", "i0e", "log1p", "log_ndtr",
    "log_softmax", "logit", "logsumexp", "multigammaln", "ndtr", "ndtri", "psi", "round", "sinc", "softmax", "xlog1py",
    "xlogy",
]
