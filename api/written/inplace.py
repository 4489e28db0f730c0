"""In-place forms of elementwise functions: what the function gives, written over the tensor.

In: a tensor to write. Out: the same tensor. Holds: RuntimeError where the result's dtype does not fit the tensor's, or
its shape is another.
"""

from __future__ import annotations

from ..binding.tensor import Tensor
from .creation import sinc
from .pointwise import (
    addcdiv,
    addcmul,
    clamp,
    clamp_max,
    clamp_min,
    copysign,
    deg2rad,
    div,
    frac,
    lerp,
    logit,
    rad2deg,
)
from .products import addmm, addmv, addr, baddbmm
from .reductions import cumprod, renorm
from .spelling import spelled


def stored(self: Tensor, made: Tensor) -> Tensor:
    """The result, written over the tensor."""
    if made.is_floating_point() and not self.is_floating_point():
        raise RuntimeError("result type Float can't be cast to the desired output type of the tensor that is written")
    if made.shape != self.shape:
        raise RuntimeError("the result has another shape than the tensor that is written")
    return self.copy_(made)


@spelled(".sigmoid_", "tsm.sigmoid_")
def sigmoid_(self: Tensor) -> Tensor:
    """self = sigmoid(self)."""
    return stored(self, self.sigmoid())


@spelled(".tanh_", "tsm.tanh_")
def tanh_(self: Tensor) -> Tensor:
    """self = tanh(self)."""
    return stored(self, self.tanh())


@spelled(".abs_", "tsm.abs_")
def abs_(self: Tensor) -> Tensor:
    """self = |self|."""
    return stored(self, self.abs())


@spelled(".clamp_", "tsm.clamp_", ".clip_", "tsm.clip_")
def clamp_(self: Tensor, min: Tensor | None = None, max: Tensor | None = None) -> Tensor:
    """self = clamp(self, min, max)."""
    return stored(self, self.clamp(min, max))


@spelled(".log_", "tsm.log_")
def log_(self: Tensor) -> Tensor:
    """self = log(self)."""
    return stored(self, self.log())


@spelled(".log2_", "tsm.log2_")
def log2_(self: Tensor) -> Tensor:
    """self = log2(self)."""
    return stored(self, self.log2())


@spelled(".log10_", "tsm.log10_")
def log10_(self: Tensor) -> Tensor:
    """self = log10(self)."""
    return stored(self, self.log10())


@spelled(".log1p_", "tsm.log1p_")
def log1p_(self: Tensor) -> Tensor:
    """self = log(1 + self)."""
    return stored(self, self.log1p())


@spelled(".rsqrt_", "tsm.rsqrt_")
def rsqrt_(self: Tensor) -> Tensor:
    """self = 1 / sqrt(self)."""
    return stored(self, self.rsqrt())


@spelled(".reciprocal_", "tsm.reciprocal_")
def reciprocal_(self: Tensor) -> Tensor:
    """self = 1 / self."""
    return stored(self, self.reciprocal())


@spelled(".square_", "tsm.square_")
def square_(self: Tensor) -> Tensor:
    """self = self * self."""
    return stored(self, self.square())


@spelled(".sin_", "tsm.sin_")
def sin_(self: Tensor) -> Tensor:
    """self = sin(self)."""
    return stored(self, self.sin())


@spelled(".cos_", "tsm.cos_")
def cos_(self: Tensor) -> Tensor:
    """self = cos(self)."""
    return stored(self, self.cos())


@spelled(".tan_", "tsm.tan_")
def tan_(self: Tensor) -> Tensor:
    """self = tan(self)."""
    return stored(self, self.tan())


@spelled(".asin_", "tsm.asin_")
def asin_(self: Tensor) -> Tensor:
    """self = asin(self)."""
    return stored(self, self.asin())


@spelled(".acos_", "tsm.acos_")
def acos_(self: Tensor) -> Tensor:
    """self = acos(self)."""
    return stored(self, self.acos())


@spelled(".atan_", "tsm.atan_")
def atan_(self: Tensor) -> Tensor:
    """self = atan(self)."""
    return stored(self, self.atan())


@spelled(".sinh_", "tsm.sinh_")
def sinh_(self: Tensor) -> Tensor:
    """self = sinh(self)."""
    return stored(self, self.sinh())


@spelled(".cosh_", "tsm.cosh_")
def cosh_(self: Tensor) -> Tensor:
    """self = cosh(self)."""
    return stored(self, self.cosh())


@spelled(".floor_", "tsm.floor_")
def floor_(self: Tensor) -> Tensor:
    """self rounded down."""
    return stored(self, self.floor())


@spelled(".ceil_", "tsm.ceil_")
def ceil_(self: Tensor) -> Tensor:
    """self rounded up."""
    return stored(self, self.ceil())


@spelled(".round_", "tsm.round_")
def round_(self: Tensor) -> Tensor:
    """self rounded to nearest, ties to even."""
    return stored(self, self.round())


@spelled(".trunc_", "tsm.trunc_")
def trunc_(self: Tensor) -> Tensor:
    """self rounded toward zero."""
    return stored(self, self.trunc())


@spelled(".frac_", "tsm.frac_")
def frac_(self: Tensor) -> Tensor:
    """What trunc takes away."""
    return stored(self, frac(self))


@spelled(".sign_")
def sign_(self: Tensor) -> Tensor:
    """self = -1, 0 or 1."""
    return stored(self, self.sign())


@spelled(".logical_not_")
def logical_not_(self: Tensor) -> Tensor:
    """Whether it was 0."""
    return self.copy_(self.logical_not())


@spelled(".bitwise_not_")
def bitwise_not_(self: Tensor) -> Tensor:
    """self = ~self."""
    return stored(self, self.bitwise_not())


@spelled(".clamp_min_", "tsm.clamp_min_")
def clamp_min_(self: Tensor, min) -> Tensor:
    """Limits self to at least min."""
    return stored(self, clamp_min(self, min))


@spelled(".clamp_max_", "tsm.clamp_max_")
def clamp_max_(self: Tensor, max) -> Tensor:
    """Limits self to at most max."""
    return stored(self, clamp_max(self, max))


@spelled(".fmod_")
def fmod_(self: Tensor, other) -> Tensor:
    """self = fmod(self, other)."""
    return stored(self, self.fmod(other))


@spelled(".lerp_")
def lerp_(self: Tensor, end: Tensor, weight) -> Tensor:
    """self = self + weight * (end - self)."""
    return stored(self, lerp(self, end, weight))


@spelled(".addcmul_")
def addcmul_(self: Tensor, tensor1: Tensor, tensor2: Tensor, *, value=1) -> Tensor:
    """self += value * tensor1 * tensor2."""
    return stored(self, addcmul(self, tensor1, tensor2, value=value))


@spelled(".addcdiv_")
def addcdiv_(self: Tensor, tensor1: Tensor, tensor2: Tensor, *, value=1) -> Tensor:
    """self += value * tensor1 / tensor2."""
    return stored(self, addcdiv(self, tensor1, tensor2, value=value))


@spelled(".cumsum_")
def cumsum_(self: Tensor, dim: int) -> Tensor:
    """self = its running sum along a dimension."""
    return self.copy_(self.cumsum(dim))


@spelled(".tril_")
def tril_(self: Tensor, diagonal: int = 0) -> Tensor:
    """Sets what is above a diagonal to 0."""
    return self.copy_(self.tril(diagonal))


@spelled(".triu_")
def triu_(self: Tensor, diagonal: int = 0) -> Tensor:
    """Sets what is below a diagonal to 0."""
    return self.copy_(self.triu(diagonal))


@spelled(".div_", ".divide_", ".true_divide_")
def div_(self: Tensor, other, *, rounding_mode: str | None = None) -> Tensor:
    """self /= other; rounded toward zero with rounding_mode "trunc", down with "floor"."""
    return stored(self, div(self, other, rounding_mode=rounding_mode))


@spelled(".multiply_")
def multiply_(self: Tensor, other) -> Tensor:
    """self *= other."""
    return stored(self, self * other)


@spelled(".subtract_")
def subtract_(self: Tensor, other) -> Tensor:
    """self -= other."""
    return stored(self, self - other)


@spelled(".negative_", "tsm.negative_")
def negative_(self: Tensor) -> Tensor:
    """self = -self."""
    return stored(self, -self)


@spelled(".erf_", "tsm.erf_")
def erf_(self: Tensor) -> Tensor:
    """self = erf(self)."""
    return stored(self, self.erf())


@spelled(".expm1_", "tsm.expm1_")
def expm1_(self: Tensor) -> Tensor:
    """self = exp(self) - 1."""
    return stored(self, self.expm1())


@spelled(".cumprod_")
def cumprod_(self: Tensor, dim: int) -> Tensor:
    """self = its running product along a dimension."""
    return stored(self, cumprod(self, dim))


@spelled(".logical_and_")
def logical_and_(self: Tensor, other: Tensor) -> Tensor:
    """Whether both are not 0."""
    return stored(self, self.logical_and(other))


@spelled(".logical_or_")
def logical_or_(self: Tensor, other: Tensor) -> Tensor:
    """Whether one is not 0."""
    return stored(self, self.logical_or(other))


@spelled(".clip_", "tsm.clip_")
def clip_(self: Tensor, min=None, max=None) -> Tensor:
    """Limits self to [min, max]."""
    return stored(self, clamp(self, min, max))


@spelled(".erfc_", "tsm.erfc_")
def erfc_(self: Tensor) -> Tensor:
    """self = erfc(self)."""
    return stored(self, self.erfc())


@spelled(".lgamma_")
def lgamma_(self: Tensor) -> Tensor:
    """self = lgamma(self)."""
    return stored(self, self.lgamma())


@spelled(".digamma_")
def digamma_(self: Tensor) -> Tensor:
    """self = digamma(self)."""
    return stored(self, self.digamma())


@spelled(".exp2_", "tsm.exp2_")
def exp2_(self: Tensor) -> Tensor:
    """self = 2 ** self."""
    return stored(self, self.exp2())


@spelled(".absolute_")
def absolute_(self: Tensor) -> Tensor:
    """self = |self|."""
    return stored(self, self.abs())


@spelled(".sgn_")
def sgn_(self: Tensor) -> Tensor:
    """self = -1, 0 or 1."""
    return stored(self, self.sign())


@spelled(".addmm_")
def addmm_(self: Tensor, mat1: Tensor, mat2: Tensor, *, beta=1, alpha=1) -> Tensor:
    """self = beta * self + alpha * mat1 @ mat2."""
    return stored(self, addmm(self, mat1, mat2, beta=beta, alpha=alpha))


@spelled(".addmv_", "tsm.addmv_")
def addmv_(self: Tensor, mat: Tensor, vec: Tensor, *, beta=1, alpha=1) -> Tensor:
    """self = beta * self + alpha * mat @ vec."""
    return stored(self, addmv(self, mat, vec, beta=beta, alpha=alpha))


@spelled(".addr_")
def addr_(self: Tensor, vec1: Tensor, vec2: Tensor, *, beta=1, alpha=1) -> Tensor:
    """self = beta * self + alpha * outer(vec1, vec2)."""
    return stored(self, addr(self, vec1, vec2, beta=beta, alpha=alpha))


@spelled(".baddbmm_")
def baddbmm_(self: Tensor, batch1: Tensor, batch2: Tensor, *, beta=1, alpha=1) -> Tensor:
    """self = beta * self + alpha * batch1 @ batch2."""
    return stored(self, baddbmm(self, batch1, batch2, beta=beta, alpha=alpha))


@spelled(".xlogy_", "tsm.xlogy_")
def xlogy_(self: Tensor, other: Tensor) -> Tensor:
    """self = self * log(other)."""
    return stored(self, self.xlogy(other))


@spelled(".hypot_")
def hypot_(self: Tensor, other: Tensor) -> Tensor:
    """self = sqrt(self ** 2 + other ** 2)."""
    return stored(self, self.hypot(other))


@spelled(".copysign_")
def copysign_(self: Tensor, other) -> Tensor:
    """Gives self the sign of other."""
    return stored(self, copysign(self, other))


@spelled(".logit_", "tsm.logit_")
def logit_(self: Tensor, eps: float | None = None) -> Tensor:
    """self = log(self / (1 - self))."""
    return stored(self, logit(self, eps))


@spelled(".renorm_")
def renorm_(self: Tensor, p, dim: int, maxnorm) -> Tensor:
    """Makes slices that are longer than maxnorm as long as that."""
    return stored(self, renorm(self, p, dim, maxnorm))


@spelled(".eq_")
def eq_(self: Tensor, other) -> Tensor:
    """self = self == other, as 0 and 1."""
    return stored(self, self == other)


@spelled(".ne_")
def ne_(self: Tensor, other) -> Tensor:
    """self = self != other, as 0 and 1."""
    return stored(self, self != other)


@spelled(".lt_")
def lt_(self: Tensor, other) -> Tensor:
    """self = self < other, as 0 and 1."""
    return stored(self, self < other)


@spelled(".le_")
def le_(self: Tensor, other) -> Tensor:
    """self = self <= other, as 0 and 1."""
    return stored(self, self <= other)


@spelled(".gt_")
def gt_(self: Tensor, other) -> Tensor:
    """self = self > other, as 0 and 1."""
    return stored(self, self > other)


@spelled(".ge_")
def ge_(self: Tensor, other) -> Tensor:
    """self = self >= other, as 0 and 1."""
    return stored(self, self >= other)


@spelled(".deg2rad_", "tsm.deg2rad_")
def deg2rad_(self: Tensor) -> Tensor:
    """self = deg2rad(self)."""
    return stored(self, deg2rad(self))


@spelled(".rad2deg_", "tsm.rad2deg_")
def rad2deg_(self: Tensor) -> Tensor:
    """self = rad2deg(self)."""
    return stored(self, rad2deg(self))


@spelled(".sinc_", "tsm.sinc_")
def sinc_(self: Tensor) -> Tensor:
    """self = sinc(self)."""
    return stored(self, sinc(self))


@spelled(".logical_xor_")
def logical_xor_(self: Tensor, other: Tensor) -> Tensor:
    """self = whether one of them is not 0, as 0 and 1."""
    return stored(self, self.logical_xor(other))
