"""In-place forms of special functions, of inverse functions, of comparisons, and of others under second names.

In: a tensor to write. Out: the same tensor. Holds: what `inplace.stored` holds.
"""

from __future__ import annotations

from ..binding.tensor import Tensor
from ..special import i0
from .creation import gcd, lcm, ldexp, nan_to_num_
from .inplace import stored
from .pointwise import float_power, heaviside
from .spelling import spelled


@spelled(".acosh_", "tsm.acosh_", ".arccosh_", "tsm.arccosh_")
def acosh_(self: Tensor) -> Tensor:
    """self = acosh(self)."""
    return stored(self, self.acosh())


@spelled(".asinh_", "tsm.asinh_", ".arcsinh_", "tsm.arcsinh_")
def asinh_(self: Tensor) -> Tensor:
    """self = asinh(self)."""
    return stored(self, self.asinh())


@spelled(".atanh_", "tsm.atanh_", ".arctanh_", "tsm.arctanh_")
def atanh_(self: Tensor) -> Tensor:
    """self = atanh(self)."""
    return stored(self, self.atanh())


@spelled(".arccos_", "tsm.arccos_")
def arccos_(self: Tensor) -> Tensor:
    """self = acos(self)."""
    return stored(self, self.acos())


@spelled(".arcsin_", "tsm.arcsin_")
def arcsin_(self: Tensor) -> Tensor:
    """self = asin(self)."""
    return stored(self, self.asin())


@spelled(".arctan_", "tsm.arctan_")
def arctan_(self: Tensor) -> Tensor:
    """self = atan(self)."""
    return stored(self, self.atan())


@spelled(".arctan2_")
def arctan2_(self: Tensor, other: Tensor) -> Tensor:
    """self = atan2(self, other)."""
    return stored(self, self.atan2(other))


@spelled(".fix_", "tsm.fix_")
def fix_(self: Tensor) -> Tensor:
    """self = trunc(self)."""
    return stored(self, self.trunc())


@spelled(".erfinv_")
def erfinv_(self: Tensor) -> Tensor:
    """self = erfinv(self)."""
    return stored(self, self.erfinv())


@spelled(".i0_", "tsm.i0_")
def i0_(self: Tensor) -> Tensor:
    """self = i0(self)."""
    return stored(self, i0(self))


@spelled(".heaviside_")
def heaviside_(self: Tensor, values: Tensor) -> Tensor:
    """self = 0 below zero, 1 above, the value at zero."""
    return stored(self, heaviside(self, values))


@spelled(".float_power_")
def float_power_(self: Tensor, exponent) -> Tensor:
    """self = self ** exponent in float64, which self must be."""
    if self.dtype != float_power(self, exponent).dtype:
        raise RuntimeError("the base given to float_power_ has another dtype than the operation's result, float64")
    return stored(self, float_power(self, exponent))


@spelled(".gcd_", "tsm.gcd_")
def gcd_(self: Tensor, other: Tensor) -> Tensor:
    """self = the greatest common divisor."""
    return stored(self, gcd(self, other))


@spelled(".lcm_", "tsm.lcm_")
def lcm_(self: Tensor, other: Tensor) -> Tensor:
    """self = the least common multiple."""
    return stored(self, lcm(self, other))


@spelled(".ldexp_", "tsm.ldexp_")
def ldexp_(self: Tensor, other: Tensor) -> Tensor:
    """self = self * 2 ** other."""
    return stored(self, ldexp(self, other))


@spelled(".greater_")
def greater_(self: Tensor, other) -> Tensor:
    """self = self > other, as 0 and 1."""
    return stored(self, self > other)


@spelled(".greater_equal_")
def greater_equal_(self: Tensor, other) -> Tensor:
    """self = self >= other, as 0 and 1."""
    return stored(self, self >= other)


@spelled(".less_")
def less_(self: Tensor, other) -> Tensor:
    """self = self < other, as 0 and 1."""
    return stored(self, self < other)


@spelled(".less_equal_")
def less_equal_(self: Tensor, other) -> Tensor:
    """self = self <= other, as 0 and 1."""
    return stored(self, self <= other)


@spelled(".not_equal_")
def not_equal_(self: Tensor, other) -> Tensor:
    """self = self != other, as 0 and 1."""
    return stored(self, self != other)


@spelled("tsm.nan_to_num_")
def replace_nan_(
    self: Tensor, nan: float | None = None, posinf: float | None = None, neginf: float | None = None
) -> Tensor:
    """As Tensor.nan_to_num_."""
    return nan_to_num_(self, nan, posinf, neginf)
