"""The functions of cmath, written as scripts.

In: nothing. Out: functions that inference calls, with complex arguments. Holds: each computes by the formula that
CPython 3.11 uses, so that results are equal where those of `math` are; infinities and NaN follow Annex G of C, in
tables that CPython's own cmath fills.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable

E = math.e
LN2 = math.log(2.0)
LN10 = math.log(10.0)
SMALLEST = 2.2250738585072014e-308
LARGE = 1.7976931348623157e308 / 4.0
SQRT_LARGE = math.sqrt(LARGE)
LOG_LARGE = math.log(LARGE)
SQRT_SMALLEST = math.sqrt(SMALLEST)
KINDS = (-math.inf, -1.0, -0.0, 0.0, 1.0, math.inf, math.nan)


def _filled(function: Callable[[complex], complex]) -> tuple[complex, ...]:
    """What a function gives for each pair of kinds of parts; 0 where it raises, or where the formula serves."""
    found = []
    for re in KINDS:
        for im in KINDS:
            try:
                found.append(0j if math.isfinite(re) and math.isfinite(im) else function(complex(re, im)))
            except ValueError:
                found.append(0j)
    return tuple(found)


OF_ACOS, OF_ACOSH, OF_ASINH, OF_ATANH = map(_filled, (cmath.acos, cmath.acosh, cmath.asinh, cmath.atanh))
OF_COSH, OF_EXP, OF_LOG, OF_SINH = map(_filled, (cmath.cosh, cmath.exp, cmath.log, cmath.sinh))
OF_SQRT, OF_TANH = map(_filled, (cmath.sqrt, cmath.tanh))
OF_RECT = _filled(lambda z: cmath.rect(z.real, z.imag))


def part_kind(x: float) -> int:
    if math.isnan(x):
        return 6
    is_positive = math.copysign(1.0, x) > 0.0
    if math.isinf(x):
        return 5 if is_positive else 0
    if x == 0.0:
        return 3 if is_positive else 2
    return 4 if is_positive else 1


def kind_of(re: float, im: float) -> int:
    return 7 * part_kind(re) + part_kind(im)


def is_finite_pair(re: float, im: float) -> bool:
    return math.isfinite(re) and math.isfinite(im)


def checked(re: float, im: float) -> complex:
    if math.isinf(re) or math.isinf(im):
        raise OverflowError("math range error")
    return complex(re, im)


def length(re: float, im: float) -> float:
    return abs(complex(re, im))


def half_log(z: complex) -> float:
    return math.log(length(z.real / 2.0, z.imag / 2.0)) + LN2 * 2.0


def is_large(z: complex) -> bool:
    return abs(z.real) > LARGE or abs(z.imag) > LARGE


def acos(z: complex) -> complex:
    if not is_finite_pair(z.real, z.imag):
        return OF_ACOS[kind_of(z.real, z.imag)]
    if is_large(z):
        size = half_log(z)
        turned = -math.copysign(size, z.imag) if z.real < 0.0 else math.copysign(size, -z.imag)
        return complex(math.atan2(abs(z.imag), z.real), turned)
    s1 = sqrt(complex(1.0 - z.real, -z.imag))
    s2 = sqrt(complex(1.0 + z.real, z.imag))
    return complex(2.0 * math.atan2(s1.real, s2.real), math.asinh(s2.real * s1.imag - s2.imag * s1.real))


def acosh(z: complex) -> complex:
    if not is_finite_pair(z.real, z.imag):
        return OF_ACOSH[kind_of(z.real, z.imag)]
    if is_large(z):
        return complex(half_log(z), math.atan2(z.imag, z.real))
    s1 = sqrt(complex(z.real - 1.0, z.imag))
    s2 = sqrt(complex(z.real + 1.0, z.imag))
    return complex(math.asinh(s1.real * s2.real + s1.imag * s2.imag), 2.0 * math.atan2(s1.imag, s2.real))


def asin(z: complex) -> complex:
    s = asinh(complex(-z.imag, z.real))
    return complex(s.imag, -s.real)


def asinh(z: complex) -> complex:
    if not is_finite_pair(z.real, z.imag):
        return OF_ASINH[kind_of(z.real, z.imag)]
    if is_large(z):
        size = half_log(z)
        turned = math.copysign(size, z.real) if z.imag >= 0.0 else -math.copysign(size, -z.real)
        return complex(turned, math.atan2(z.imag, abs(z.real)))
    s1 = sqrt(complex(1.0 + z.imag, -z.real))
    s2 = sqrt(complex(1.0 - z.imag, z.real))
    return complex(
        math.asinh(s1.real * s2.imag - s2.real * s1.imag), math.atan2(z.imag, s1.real * s2.real - s1.imag * s2.imag)
    )


def atan(z: complex) -> complex:
    s = atanh(complex(-z.imag, z.real))
    return complex(s.imag, -s.real)


def atanh(z: complex) -> complex:
    if not is_finite_pair(z.real, z.imag):
        return OF_ATANH[kind_of(z.real, z.imag)]
    if math.copysign(1.0, z.real) < 0.0:
        turned = atanh_of_right(complex(-z.real, -z.imag))
        return complex(-turned.real, -turned.imag)
    return atanh_of_right(z)


def atanh_of_right(z: complex) -> complex:
    x, y, ay = z.real, z.imag, abs(z.imag)
    if x > SQRT_LARGE or ay > SQRT_LARGE:
        h = length(x / 2.0, y / 2.0)
        return complex(x / 4.0 / h / h, -math.copysign(math.pi / 2.0, -y))
    if x == 1.0 and ay < SQRT_SMALLEST:
        if ay == 0.0:
            raise ValueError("math domain error")
        turned = math.copysign(math.atan2(2.0, -ay) / 2.0, y)
        return complex(-math.log(math.sqrt(ay) / math.sqrt(length(ay, 2.0))), turned)
    grown = math.log1p(4.0 * x / ((1.0 - x) * (1.0 - x) + ay * ay)) / 4.0
    return complex(grown, -math.atan2(-2.0 * y, (1.0 - x) * (1.0 + x) - ay * ay) / 2.0)


def cos(z: complex) -> complex:
    return cosh(complex(-z.imag, z.real))


def cosh(z: complex) -> complex:
    x, y = z.real, z.imag
    if not is_finite_pair(x, y):
        if math.isinf(x) and math.isfinite(y) and y != 0.0:
            turned = math.copysign(math.inf, math.sin(y))
            return complex(math.copysign(math.inf, math.cos(y)), turned if x > 0.0 else -turned)
        if math.isinf(y) and not math.isnan(x):
            raise ValueError("math domain error")
        return OF_COSH[kind_of(x, y)]
    if abs(x) > LOG_LARGE:
        less = x - math.copysign(1.0, x)
        return checked(math.cos(y) * math.cosh(less) * E, math.sin(y) * math.sinh(less) * E)
    return checked(math.cos(y) * math.cosh(x), math.sin(y) * math.sinh(x))


def exp(z: complex) -> complex:
    x, y = z.real, z.imag
    if not is_finite_pair(x, y):
        if math.isinf(x) and math.isfinite(y) and y != 0.0:
            size = math.inf if x > 0.0 else 0.0
            return complex(math.copysign(size, math.cos(y)), math.copysign(size, math.sin(y)))
        if math.isinf(y) and (math.isfinite(x) or (math.isinf(x) and x > 0.0)):
            raise ValueError("math domain error")
        return OF_EXP[kind_of(x, y)]
    if x > LOG_LARGE:
        grown = math.exp(x - 1.0)
        return checked(grown * math.cos(y) * E, grown * math.sin(y) * E)
    grown = math.exp(x)
    return checked(grown * math.cos(y), grown * math.sin(y))


def log(z: complex) -> complex:
    if not is_finite_pair(z.real, z.imag):
        return OF_LOG[kind_of(z.real, z.imag)]
    ax, ay = abs(z.real), abs(z.imag)
    if ax > LARGE or ay > LARGE:
        size = math.log(length(ax / 2.0, ay / 2.0)) + LN2
    elif ax < SMALLEST and ay < SMALLEST:
        if ax == 0.0 and ay == 0.0:
            raise ValueError("math domain error")
        size = math.log(length(math.ldexp(ax, 53), math.ldexp(ay, 53))) - 53.0 * LN2
    else:
        h = length(ax, ay)
        if 0.71 <= h <= 1.73:
            am, an = (ax, ay) if ax > ay else (ay, ax)
            size = math.log1p((am - 1.0) * (am + 1.0) + an * an) / 2.0
        else:
            size = math.log(h)
    return complex(size, math.atan2(z.imag, z.real))


def log_base(z: complex, base: complex) -> complex:
    is_zero = z.real == 0.0 and z.imag == 0.0
    try:
        return (complex(-math.inf, math.atan2(z.imag, z.real)) if is_zero else log(z)) / log(base)
    except ZeroDivisionError:
        raise ValueError("math domain error") from None


def log10(z: complex) -> complex:
    r = log(z)
    return complex(r.real / LN10, r.imag / LN10)


def sin(z: complex) -> complex:
    s = sinh(complex(-z.imag, z.real))
    return complex(s.imag, -s.real)


def sinh(z: complex) -> complex:
    x, y = z.real, z.imag
    if not is_finite_pair(x, y):
        if math.isinf(x) and math.isfinite(y) and y != 0.0:
            turned = math.copysign(math.inf, math.cos(y))
            return complex(turned if x > 0.0 else -turned, math.copysign(math.inf, math.sin(y)))
        if math.isinf(y) and not math.isnan(x):
            raise ValueError("math domain error")
        return OF_SINH[kind_of(x, y)]
    if abs(x) > LOG_LARGE:
        less = x - math.copysign(1.0, x)
        return checked(math.cos(y) * math.sinh(less) * E, math.sin(y) * math.cosh(less) * E)
    return checked(math.cos(y) * math.sinh(x), math.sin(y) * math.cosh(x))


def sqrt(z: complex) -> complex:
    if not is_finite_pair(z.real, z.imag):
        return OF_SQRT[kind_of(z.real, z.imag)]
    if z.real == 0.0 and z.imag == 0.0:
        return complex(0.0, z.imag)
    ax, ay = abs(z.real), abs(z.imag)
    if ax < SMALLEST and ay < SMALLEST:
        ax = math.ldexp(ax, 53)
        s = math.ldexp(math.sqrt(ax + length(ax, math.ldexp(ay, 53))), -27)
    else:
        ax /= 8.0
        s = 2.0 * math.sqrt(ax + length(ax, ay / 8.0))
    d = ay / (2.0 * s)
    if z.real >= 0.0:
        return complex(s, math.copysign(d, z.imag))
    return complex(d, math.copysign(s, z.imag))


def tan(z: complex) -> complex:
    s = tanh(complex(-z.imag, z.real))
    return complex(s.imag, -s.real)


def tanh(z: complex) -> complex:
    x, y = z.real, z.imag
    if not is_finite_pair(x, y):
        if math.isinf(x) and math.isfinite(y) and y != 0.0:
            return complex(1.0 if x > 0.0 else -1.0, math.copysign(0.0, 2.0 * math.sin(y) * math.cos(y)))
        if math.isinf(y) and math.isfinite(x):
            raise ValueError("math domain error")
        return OF_TANH[kind_of(x, y)]
    if abs(x) > LOG_LARGE:
        return complex(math.copysign(1.0, x), 4.0 * math.sin(y) * math.cos(y) * math.exp(-2.0 * abs(x)))
    tx = math.tanh(x)
    ty = math.tan(y)
    cx = 1.0 / math.cosh(x)
    txty = tx * ty
    denominator = 1.0 + txty * txty
    return complex(tx * (1.0 + ty * ty) / denominator, ((ty / denominator) * cx) * cx)


def phase(z: complex) -> float:
    found = math.atan2(z.imag, z.real)
    if found == 0.0 and z.imag != 0.0 and math.isfinite(z.real):
        raise OverflowError("math range error")
    return found


def polar(z: complex) -> tuple[float, float]:
    try:
        return abs(z), math.atan2(z.imag, z.real)
    except OverflowError:
        raise OverflowError("math range error") from None


def rect(r: float, phi: float) -> complex:
    if not is_finite_pair(r, phi):
        if math.isinf(r) and math.isfinite(phi) and phi != 0.0:
            x, y = math.copysign(math.inf, math.cos(phi)), math.copysign(math.inf, math.sin(phi))
            return complex(x, y) if r > 0.0 else complex(-x, -y)
        if r != 0.0 and not math.isnan(r) and math.isinf(phi):
            raise ValueError("math domain error")
        return OF_RECT[kind_of(r, phi)]
    if phi == 0.0:
        return complex(r, r * phi)
    return complex(r * math.cos(phi), r * math.sin(phi))


def isfinite(z: complex) -> bool:
    return is_finite_pair(z.real, z.imag)


def isinf(z: complex) -> bool:
    return math.isinf(z.real) or math.isinf(z.imag)


def isnan(z: complex) -> bool:
    return math.isnan(z.real) or math.isnan(z.imag)


def isclose(a: complex, b: complex, rel_tol: float, abs_tol: float) -> bool:
    if rel_tol < 0.0 or abs_tol < 0.0:
        raise ValueError("tolerances must be non-negative")
    if a.real == b.real and a.imag == b.imag:
        return True
    if isinf(a) or isinf(b):
        return False
    gap = size(complex(a.real - b.real, a.imag - b.imag))
    return gap <= rel_tol * size(b) or gap <= rel_tol * size(a) or gap <= abs_tol


def size(z: complex) -> float:
    try:
        return abs(z)
    except OverflowError:
        return math.inf
