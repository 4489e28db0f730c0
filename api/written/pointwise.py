"""Elementwise functions beyond the table's, and the in-place forms of those that have none.

In: tensors that broadcast, numbers. Out: elements in the promoted dtype, integers as float32 where PyTorch does so.
Holds: each is a few rows in an order that keeps the last digits; an in-place form refuses what would lose its dtype.
"""

from __future__ import annotations

import math

from ..binding.dtype import DType
from ..binding.tensor import Tensor
from .reductions import floating
from .spelling import rows, spelled

_where, _div = rows["where"], rows["div"]
_floor_divide = rows["floor_divide"]


@spelled("tsm.asinh", "tsm.arcsinh", ".asinh", ".arcsinh")
def asinh(self: Tensor) -> Tensor:
    """Inverse hyperbolic sine."""
    x = floating(self)
    size = x.abs()
    square = size * size
    near = (size + square / (1.0 + (square + 1.0).sqrt())).log1p()
    made = _where(size > 1e8, size.log() + math.log(2.0), near)
    return _where(size == 0.0, x, _where(x < 0.0, -made, made))


@spelled("tsm.acosh", "tsm.arccosh", ".acosh", ".arccosh")
def acosh(self: Tensor) -> Tensor:
    """Inverse hyperbolic cosine; NaN below 1."""
    x = floating(self)
    above = x - 1.0
    near = (above + (above * (x + 1.0)).sqrt()).log1p()
    return _where(x > 1e8, x.log() + math.log(2.0), near)


@spelled("tsm.frac", ".frac")
def frac(self: Tensor) -> Tensor:
    """What trunc takes away."""
    return self - self.trunc()


@spelled("tsm.sgn", ".sgn")
def sgn(self: Tensor) -> Tensor:
    """-1, 0 or 1."""
    return self.sign()


@spelled("tsm.deg2rad", ".deg2rad")
def deg2rad(self: Tensor) -> Tensor:
    """Degrees as radians."""
    return floating(self) * (math.pi / 180.0)


@spelled("tsm.rad2deg", ".rad2deg")
def rad2deg(self: Tensor) -> Tensor:
    """Radians as degrees."""
    return floating(self) * (180.0 / math.pi)


@spelled("tsm.logit", ".logit")
def logit(self: Tensor, eps: float | None = None) -> Tensor:
    """log(self / (1 - self)), self limited to [eps, 1 - eps]."""
    x = floating(self)
    x = x if eps is None else x.clamp(eps, 1.0 - eps)
    return (x / (1.0 - x)).log()


@spelled("tsm.lerp", ".lerp")
def lerp(self: Tensor, end: Tensor, weight) -> Tensor:
    """self + weight * (end - self), exact at both ends."""
    if end.dtype != self.dtype:
        raise RuntimeError("expected self and end to have the same dtype")
    gap = end - self
    near = self + weight * gap
    far = end - gap * (1 - weight)
    if isinstance(weight, Tensor):
        return _where(weight.abs() < 0.5, near, far)
    return near if abs(weight) < 0.5 else far


@spelled("tsm.addcmul", ".addcmul")
def addcmul(self: Tensor, tensor1: Tensor, tensor2: Tensor, *, value=1) -> Tensor:
    """self + value * tensor1 * tensor2."""
    if self.dtype == DType.bool and tensor1.dtype == DType.bool and tensor2.dtype == DType.bool:
        raise NotImplementedError("addcmul takes numbers, not bools")
    is_integral = not (self.is_floating_point() or tensor1.is_floating_point() or tensor2.is_floating_point())
    if is_integral and isinstance(value, float):
        return self + int(value) * tensor1 * tensor2
    return self + value * tensor1 * tensor2


@spelled("tsm.addcdiv", ".addcdiv")
def addcdiv(self: Tensor, tensor1: Tensor, tensor2: Tensor, *, value=1) -> Tensor:
    """self + value * tensor1 / tensor2."""
    if not (tensor1.is_floating_point() or tensor2.is_floating_point()):
        raise RuntimeError("Integer division with addcdiv is no longer supported")
    return self + value * (tensor1 / tensor2)


@spelled("tsm.nan_to_num", ".nan_to_num")
def nan_to_num(
    self: Tensor, nan: float | None = None, posinf: float | None = None, neginf: float | None = None
) -> Tensor:
    """With numbers in the place of NaN and infinities: 0 and the ends of the dtype, unless given."""
    if not self.is_floating_point():
        return self.clone()
    end = 3.4028234663852886e38 if self.dtype == DType.float32 else 1.7976931348623157e308
    made = _where(self.isnan(), 0.0 if nan is None else nan, self)
    made = _where(self == math.inf, end if posinf is None else posinf, made)
    return _where(self == -math.inf, -end if neginf is None else neginf, made)


@spelled("tsm.isclose", ".isclose")
def isclose(self: Tensor, other: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> Tensor:
    """Whether |self - other| <= atol + rtol * |other|, or both are equal."""
    if self.dtype != other.dtype:
        raise RuntimeError("isclose: the tensors must have the same dtype")
    made = self == other
    if equal_nan and self.is_floating_point():
        made = made | ((self != self) & (other != other))
    a, b = floating(self), floating(other)
    if self.is_floating_point():
        return made | (a.isfinite() & b.isfinite() & ((a - b).abs() <= atol + rtol * b.abs()))
    return made | ((a.double() - b.double()).abs() <= atol + rtol * b.double().abs())


@spelled("tsm.logaddexp", ".logaddexp")
def logaddexp(self: Tensor, other: Tensor) -> Tensor:
    """log(exp(self) + exp(other)), without overflow."""
    most = self.maximum(other)
    made = most + (-(self - other).abs()).exp().log1p()
    return _where((self == other) & (self.abs() == math.inf), self, made)


@spelled("tsm.logaddexp2", ".logaddexp2")
def logaddexp2(self: Tensor, other: Tensor) -> Tensor:
    """log2(2 ** self + 2 ** other), without overflow."""
    scale = math.log(2.0)
    return logaddexp(self * scale, other * scale) / scale


@spelled("tsm.isposinf", ".isposinf")
def isposinf(self: Tensor) -> Tensor:
    """Whether it is infinite and positive."""
    return self.isinf() & (self > 0)


@spelled("tsm.isneginf", ".isneginf")
def isneginf(self: Tensor) -> Tensor:
    """Whether it is infinite and negative."""
    return self.isinf() & (self < 0)


@spelled("tsm.signbit", ".signbit")
def signbit(self: Tensor) -> Tensor:
    """Whether the sign is negative, also that of -0.0."""
    return (self < 0) | ((self == 0) & (1.0 / floating(self) < 0))


@spelled("tsm.copysign", ".copysign")
def copysign(self: Tensor, other) -> Tensor:
    """The size of self with the sign of other."""
    size = floating(self).abs()
    if isinstance(other, Tensor):
        return _where(signbit(other), -size, size)
    return -size if math.copysign(1.0, other) < 0 else size


@spelled("tsm.heaviside", ".heaviside")
def heaviside(self: Tensor, values: Tensor) -> Tensor:
    """1 above 0, values at 0, else 0."""
    if self.dtype != values.dtype:
        raise RuntimeError("heaviside is not yet implemented for tensors with different dtypes.")
    steps = (self > 0).to(self.dtype)
    return _where(self == 0, values, steps)


@spelled("tsm.clamp_min", ".clamp_min")
def clamp_min(self: Tensor, min) -> Tensor:
    """At least min. TypeError for what is neither a number nor a tensor."""
    if isinstance(min, Tensor):
        return self.maximum(min)
    if not isinstance(min, (int, float, complex)):
        raise TypeError("clamp_min(): argument 'min' must be Number, not " + type(min).__name__)
    return self.clamp(min=min)


@spelled("tsm.clamp_max", ".clamp_max")
def clamp_max(self: Tensor, max) -> Tensor:
    """At most max. TypeError for what is neither a number nor a tensor."""
    if isinstance(max, Tensor):
        return self.minimum(max)
    if not isinstance(max, (int, float, complex)):
        raise TypeError("clamp_max(): argument 'max' must be Number, not " + type(max).__name__)
    return self.clamp(max=max)


@spelled("tsm.clamp", ".clamp", "tsm.clip", ".clip")
def clamp(self: Tensor, min=None, max=None) -> Tensor:
    """Limited to [min, max], which may be tensors."""
    made = self if min is None else clamp_min(self, min)
    return made if max is None else clamp_max(made, max)


@spelled("tsm.div", ".div", "tsm.divide", ".divide")
def div(self, other, *, rounding_mode: str | None = None) -> Tensor:
    """Quotient; rounded toward zero with rounding_mode "trunc", down with "floor"."""
    if rounding_mode is None:
        return _div(self, other)
    if rounding_mode == "floor":
        return _floor_divide(self, other)
    if rounding_mode != "trunc":
        text = "div expected rounding_mode to be one of None, 'trunc', or 'floor' but found '" + rounding_mode + "'"
        raise RuntimeError(text)
    down = _floor_divide(self, other)
    if down.is_floating_point():
        return _div(self, other).trunc()
    return _where((down < 0) & (down * other != self), down + 1, down)


@spelled("tsm.round", ".round")
def round_to(self: Tensor, *, decimals: int = 0) -> Tensor:
    """Rounded to nearest at a place behind the point, or before it where negative."""
    if decimals == 0:
        return self.round()
    scale = 10.0 ** abs(decimals)
    return (self * scale).round() / scale if decimals > 0 else (self / scale).round() * scale


@spelled("tsm.rsub")
def rsub(self: Tensor, other, *, alpha=1) -> Tensor:
    """other - alpha * self."""
    return other - self * alpha


@spelled("tsm.float_power", ".float_power")
def float_power(self: Tensor, exponent) -> Tensor:
    """self ** exponent in float64."""
    if isinstance(exponent, Tensor):
        return self.double() ** exponent.double()
    return self.double() ** exponent


@spelled(".type_as")
def type_as(self: Tensor, other: Tensor) -> Tensor:
    """self in the dtype of other."""
    return self.to(other.dtype)


@spelled(".to", ".type")
def to(  # other: the dtype behind a device that is None, or non_blocking
    self: Tensor,
    dtype: Tensor | DType | None = None,
    other=None,
    non_blocking: bool = False,
    copy: bool = False,
    *,
    memory_format: str | None = None,
) -> Tensor:
    """In a dtype, or that of another tensor; `copy` makes a new tensor in any case."""
    if isinstance(other, bool):
        return to(self, dtype, None, other, non_blocking or copy, memory_format=memory_format)
    wanted = self.dtype
    if isinstance(dtype, Tensor):
        wanted = dtype.dtype
    elif dtype is not None:
        wanted = dtype
    if other is not None:
        wanted = other
    made = self.to(wanted).clone() if copy and wanted == self.dtype else self.to(wanted)
    return made if memory_format is None else made.contiguous(memory_format=memory_format)


@spelled(".char")
def char(self: Tensor, memory_format: str | None = None) -> Tensor:
    """As int8."""
    return self.to(DType.int8, memory_format=memory_format)


@spelled(".byte")
def byte(self: Tensor, memory_format: str | None = None) -> Tensor:
    """As uint8."""
    return self.to(DType.uint8, memory_format=memory_format)


@spelled(".short")
def short(self: Tensor, memory_format: str | None = None) -> Tensor:
    """As int16."""
    return self.to(DType.int16, memory_format=memory_format)


@spelled("tsm.fix", ".fix")
def fix(self: Tensor) -> Tensor:
    """Rounded toward 0."""
    return self.trunc()


@spelled("tsm.angle", ".angle")
def angle(self: Tensor) -> Tensor:
    """0 for numbers that are not negative, else pi."""
    made = self if self.is_floating_point() else self.to(DType.float32)
    return _where(made != made, made, (made < 0).to(made.dtype) * math.pi)
