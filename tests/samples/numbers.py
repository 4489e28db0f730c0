"""Samples of bool, int, float, Scalar, conversions and math: CPython's answers, with 64-bit integers that overflow."""

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Callable
from typing import Any

from .sample import Failure, Plain, plain

LOW, HIGH = -(2**63), 2**63 - 1
NAN, INF, TINY = float("nan"), float("inf"), 5e-324
BOOLS = ((False, False), (False, True), (True, False), (True, True))
INTEGERS = (0, 1, -1, 2, -2, 3, -7, 10, 2**31, -(2**31), 2**53 + 1, HIGH, HIGH - 1, LOW, LOW + 1)
INT_PAIRS = tuple(itertools.product(INTEGERS, repeat=2))
REALS = (0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.0, -7.5, 1e-300, -1e300, 1.7976931348623157e308, TINY, INF, -INF, NAN)
REAL_PAIRS = tuple(itertools.product(REALS, repeat=2))
MIXED: tuple[Any, ...] = (True, False, 0, 3, -7, HIGH, LOW, 0.0, -0.0, 2.5, -1e300, INF, NAN, 2j, complex(-1.5, 0.0))
MIXED_PAIRS = tuple(itertools.product(MIXED, repeat=2))
NAMES = {
    operator.add: "+",
    operator.sub: "-",
    operator.mul: "*",
    operator.floordiv: "//",
    operator.mod: "%",
    operator.pow: "**",
    operator.lshift: "<<",
    operator.neg: "-",
    operator.abs: "abs()",
}


def bounded(function: Callable[..., Any], symbol: str = "") -> Callable[..., Any]:
    """The function with integers of 64 bits: D1 and D4 of the language's table of differences."""
    symbol = symbol or NAMES[function]

    def overflow() -> OverflowError:
        return OverflowError(f"integer overflow: the result of {symbol} does not fit in 64 bits")

    def run(*args: Any) -> Any:
        is_integral = all(isinstance(arg, int) for arg in args)
        if function is operator.pow and is_integral:
            if args[1] < 0 and args[0]:
                raise ValueError("an int to a negative power is not an int: write float(x) ** n")
            if args[1] > 64 and abs(args[0]) > 1:
                raise overflow()
        if function is operator.pow and all(isinstance(arg, (int, float)) for arg in args):
            if args[0] < 0 and abs(args[1]) < INF and args[1] != int(args[1]) and args[0] > -INF:
                raise ValueError("a negative float to a fractional power is not a float")
        if function is operator.lshift and args[1] > 64 and args[0] != 0:
            raise overflow()
        result = function(*args)
        if isinstance(result, int) and not LOW <= result <= HIGH:
            raise overflow()
        return result

    return run


def scalar_power(a: Any, b: Any) -> Any:
    """Numbers whose kind is known only at run time: a power may be a float or complex."""
    if isinstance(a, int) and isinstance(b, int) and (b < 0 or b <= 64 or abs(a) <= 1):
        return bounded(lambda: a**b, "**")()
    if isinstance(a, int) and isinstance(b, int):
        raise OverflowError("integer overflow: the result of ** does not fit in 64 bits")
    return a**b


def singles(values: tuple[Any, ...]) -> tuple[tuple[Any, ...], ...]:
    return tuple((value,) for value in values)


PLAIN: dict[str, list[Plain]] = {
    "not.bool": [plain(operator.not_, (False,), (True,))],
    "and.bool": [plain(operator.and_, *BOOLS)],
    "or.bool": [plain(operator.or_, *BOOLS)],
    "xor.bool": [plain(operator.xor, *BOOLS)],
    "eq.bool": [plain(operator.eq, *BOOLS)],
    "ne.bool": [plain(operator.ne, *BOOLS)],
    "truediv.int": [plain(operator.truediv, *INT_PAIRS, (2**62 + 1, 3), (HIGH, 10**17))],
    "lshift.int": [
        plain(bounded(operator.lshift), (1, 62), (1, 63), (-1, 63), (-1, 64), (0, 10**18), (3, 0), (1, -1), (5, 70))
    ],
    "rshift.int": [plain(operator.rshift, (-1, 100), (HIGH, 62), (LOW, 63), (LOW, 64), (7, 10**18), (5, 0), (1, -1))],
    "pow.int": [
        plain(
            bounded(operator.pow),
            *itertools.product((0, 1, -1, 2, -2, 3, 10, LOW), (0, 1, 2, 3, 18, 19, 62, 63, 64, HIGH, -1)),
        )
    ],
    "invert.int": [plain(operator.invert, *singles(INTEGERS))],
    "pos.int": [plain(operator.pos, *singles(INTEGERS))],
    "neg.int": [plain(bounded(operator.neg), *singles(INTEGERS))],
    "abs.int": [plain(bounded(operator.abs), *singles(INTEGERS))],
    "min.int": [plain(min, *INT_PAIRS)],
    "max.int": [plain(max, *INT_PAIRS)],
    "pow.float": [
        plain(
            bounded(operator.pow),
            *REAL_PAIRS,
            (2.0, 0.5),
            (2.0, 1023.0),
            (-2.0, 3.0),
            (-2.0, 0.5),
            (10.0, -3.0),
            ulps=1,
        )
    ],
    "neg.float": [plain(operator.neg, *singles(REALS))],
    "pos.float": [plain(operator.pos, *singles(REALS))],
    "abs.float": [plain(operator.abs, *singles(REALS))],
    "min.float": [plain(min, *REAL_PAIRS)],
    "max.float": [plain(max, *REAL_PAIRS)],
    "pos.Scalar": [plain(operator.pos, *singles(MIXED))],
    "neg.Scalar": [plain(bounded(operator.neg), *singles(MIXED))],
    "abs.Scalar": [
        plain(bounded(operator.abs), *singles(MIXED), (3 + 4j,), (complex(1e308, 1e308),), (complex(NAN, INF),))
    ],
    "pow.Scalar": [
        plain(
            scalar_power,
            *((a, b) for a, b in MIXED_PAIRS if not isinstance(a, complex) and not isinstance(b, complex)),
            ulps=2,
        ),
        plain(scalar_power, (2j, 2), (0j, -1), (0j, 0j), (1j, 0), (1.5, 2j), (-8, 0.25)),
    ],
}
for _name in ("add", "sub", "mul", "floordiv", "mod"):
    _function = getattr(operator, _name)
    PLAIN[f"{_name}.int"] = [plain(bounded(_function), *INT_PAIRS)]
    PLAIN[f"{_name}.float"] = [plain(_function, *REAL_PAIRS)]
    PLAIN[f"{_name}.Scalar"] = [plain(bounded(_function), *MIXED_PAIRS)]
PLAIN["truediv.float"] = [plain(operator.truediv, *REAL_PAIRS)]
PLAIN["truediv.Scalar"] = [plain(operator.truediv, *MIXED_PAIRS)]
for _name in ("and_", "or_", "xor"):
    PLAIN[f"{_name.rstrip('_')}.int"] = [plain(getattr(operator, _name), *INT_PAIRS)]
for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
    PLAIN[f"{_name}.int"] = [plain(getattr(operator, _name), *INT_PAIRS)]
    PLAIN[f"{_name}.float"] = [plain(getattr(operator, _name), *REAL_PAIRS)]
    PLAIN[f"{_name}.Scalar"] = [
        plain(getattr(operator, _name), *MIXED_PAIRS, (2**53 + 1, 2.0**53), (HIGH, 2.0**63), (LOW, -(2.0**63)))
    ]

# ---- Conversions and rounding

DIGITS = (
    "0",
    " 12 ",
    "-7",
    "+7",
    "1_000",
    "\t9\n",
    str(HIGH),
    str(LOW),
    "007",
    "٣",
    "１２",
    "",
    " ",
    "1.5",
    "abc",
    "1__0",
    "_1",
    "1_",
    "- 1",
    "0x10",
    "--1",
    "1 2",
    "é",
    "'",
    "a" * 400,
)
DECIMALS = (
    "0",
    "-0.0",
    "1e400",
    "-1e400",
    "1e-400",
    " 2.5 ",
    ".5",
    "5.",
    "1_0.2_5",
    "inf",
    "-Infinity",
    "+nan",
    "NaN",
    "1e5",
    "1E+5",
    "0.1",
    "123456789012345678901234567890",
    "4.35",
    "2.2250738585072011e-308",
    "9007199254740993",
    "5e-324",
    "2.4e-324",
    "",
    " ",
    ".",
    "1e",
    "e5",
    "1_",
    "_1.0",
    "1__0",
    "infin",
    "0x1p3",
    "1,5",
    "é",
    "1 2",
    "٣.٥",
    "9" * 500,
    "0." + "0" * 400 + "1",
)
HALVES = (0.5, 1.5, 2.5, -0.5, -1.5, 2.675, 1e15 + 0.5, 4503599627370497.5, 0.49999999999999994, 9.2e18)
TOO_LARGE = (9.3e18, -9.3e18, 1e300)


def whole(function: Callable[[float], int], text: str) -> Callable[[float], int]:
    """A rounding function with 64-bit results."""

    def run(x: float) -> int:
        result = function(x)
        if not LOW <= result <= HIGH:
            raise OverflowError(text)
        return result

    return run


def parsed(text: str) -> int:
    result = int(text)
    if not LOW <= result <= HIGH:
        raise OverflowError("int too large")
    return result


PLAIN |= {
    "int.bool": [plain(int, (False,), (True,))],
    "int.int": [plain(int, *singles(INTEGERS))],
    "int.str": [plain(parsed, *singles(DIGITS))],
    "float.bool": [plain(float, (False,), (True,))],
    "float.int": [plain(float, *singles(INTEGERS))],
    "float.float": [plain(float, *singles(REALS))],
    "float.str": [plain(float, *singles(DECIMALS))],
    "float.Scalar": [plain(float, *singles(MIXED))],
    "bool.bool": [plain(bool, (False,), (True,))],
    "bool.int": [plain(bool, *singles(INTEGERS))],
    "bool.float": [plain(bool, *singles(REALS))],
    "bool.str": [plain(bool, ("",), ("a",), ("\0",))],
    "bool.Scalar": [plain(bool, *singles(MIXED), (0j,))],
    "round.int": [plain(round, *singles(INTEGERS))],
    "round.digits": [
        plain(
            round,
            *itertools.product(
                (*REALS, *HALVES, 1234.5678, 1e22), (-308, 0, 1, 2, -1, -2, 15, 22, 400, -400, HIGH, LOW)
            ),
        )
    ],
    "math.floor.int": [plain(math.floor, *singles(INTEGERS))],
}
SMALL_REALS = tuple(x for x in REALS if not 9.3e18 < abs(x) < INF)
PLAIN["int.float"] = [plain(int, *singles((*SMALL_REALS, *HALVES, float(LOW))))]
PLAIN["int.Scalar"] = [plain(int, *singles(tuple(x for x in MIXED if x != -1e300)))]
PLAIN["round.float"] = [plain(round, *singles((*SMALL_REALS, *HALVES)))]
for _name in ("floor", "ceil"):
    PLAIN[f"math.{_name}.float"] = [plain(getattr(math, _name), *singles((*SMALL_REALS, *HALVES)))]
TOO_LARGE_TEXT = "does not fit in"
ERRORS: dict[str, list[Failure]] = {
    name: [Failure((x,), "OverflowError", TOO_LARGE_TEXT, only_ours=True) for x in TOO_LARGE]
    for name in ("int.float", "int.Scalar", "round.float", "math.floor.float", "math.ceil.float")
}
ERRORS["int.str"] = [
    Failure((text,), "OverflowError", "64", only_ours=True) for text in (str(HIGH + 1), str(LOW - 1), "9" * 30)
]

# ---- math

PROBES = (*REALS, 0.1, 2.0, 10.0, 0.9999, 20.0, 709.0, 710.0, -745.2, 1e-8, 1e16, 3.141592653589793)
BELOW_ONE = tuple(x for x in PROBES if abs(x) < 1e16 or abs(x) > 1e307 or x != x)
for _name in (
    "sqrt",
    "exp",
    "log",
    "log2",
    "log10",
    "log1p",
    "expm1",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "sinh",
    "cosh",
    "tanh",
    "erf",
):
    PLAIN[f"math.{_name}.float"] = [plain(getattr(math, _name), *singles(PROBES), ulps=0 if _name == "sqrt" else 2)]
for _name in ("fabs", "isnan", "isinf", "isfinite"):
    PLAIN[f"math.{_name}.float"] = [plain(getattr(math, _name), *singles(REALS))]
for _name in ("atan2", "hypot", "pow", "fmod", "copysign"):
    PLAIN[f"math.{_name}.float"] = [
        plain(getattr(math, _name), *REAL_PAIRS, (2.0, 0.5), (-2.0, 0.5), (3.0, 4.0), (5.5, -2.0), (-5.5, 2.0), ulps=2)
    ]
PLAIN["math.log.base"] = [plain(math.log, *REAL_PAIRS, (8.0, 2.0), (100.0, 10.0), (2.0, 1.0), ulps=2)]
PLAIN["math.gcd.int"] = [plain(bounded(math.gcd, "math.gcd()"), *INT_PAIRS, (12, -18), (LOW, 6))]

PARTS = (0.0, -0.0, 1.5, -2.0, 5e-324, 1e308, INF, -INF, NAN)
PLAIN["math.norm"] = [
    plain(lambda values: math.hypot(*values), ([],), ([-3.0],), ([3.0, 4.0],), ([1.0] * 9,), ([1e308, 1e308],),
          ([5e-324, 5e-324],), ([1e-310, 2e-310, 1.0],), ([INF, NAN],), ([NAN, 1.0],), ([0.1, 0.2, 0.3, 1e-9],))
]
PLAIN["complex.make"] = [plain(complex, *itertools.product(PARTS, repeat=2))]
PLAIN["complex.real"] = [plain(lambda self: self.real, *((complex(x, 2.5),) for x in PARTS))]
PLAIN["complex.imag"] = [plain(lambda self: self.imag, *((complex(1.0, x),) for x in PARTS))]
