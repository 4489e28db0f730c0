"""Arithmetic on int, float and bool: what Python answers at the edges, and where 64 bits end (D1)."""

# ruff: noqa: E741, SIM210, PLR1714
from __future__ import annotations

import math

from language_rows import of_row
from oracle import program

BIG = 2**62
PAIRS = [(7, 2), (-7, 2), (7, -2), (-7, -2), (0, 5), (5, 0)]
FLOATS = [(7.5, 2.0), (-7.5, 2.0), (7.5, -2.0), (0.0, 3.0), (-0.0, 3.0), (1.0, 0.0), (1e308, 10.0), (float("nan"), 1.0)]


of_row("operators")


@program("sum of ints", (1, 2), (-5, 5))
def add_ints(a: int, b: int) -> int:
    return a + b


of_row("python answers")


@program("floor division and remainder of ints, zero divisor", *PAIRS)
def floor_and_mod(a: int, b: int) -> tuple[int, int]:
    return a // b, a % b


@program("true division of ints is correctly rounded", *PAIRS, (BIG, 3), (2**53 + 1, 1), (-BIG - 1, 7))
def true_divide(a: int, b: int) -> float:
    return a / b


of_row("operators")


@program("unary operators on int", (0,), (5,), (-5,))
def unary_int(a: int) -> tuple[int, int, int]:
    return -a, +a, ~a


@program("bit operators on ints", (12, 10), (-12, 10), (0, -1))
def bits(a: int, b: int) -> tuple[int, int, int]:
    return a & b, a | b, a ^ b


@program("shifts, negative counts raise", (1, 3), (-9, 1), (5, 0), (1, -1), (-1, 70))
def right_shift(a: int, b: int) -> int:
    return a >> b


of_row("overflow")


@program("left shift in range", (1, 10), (-3, 4), (0, 5))
def left_shift(a: int, b: int) -> int:
    return a << b


of_row("python answers")


@program("int power with a non-negative exponent", (2, 10), (-3, 3), (0, 0), (1, 1000), (-1, 7))
def power(a: int, b: int) -> int:
    return a**b


of_row("overflow")


@program("absolute value and negation at the edge", (-3,), (3,), (-(2**63) + 1,))
def absolute(a: int) -> int:
    return abs(a) - abs(-a)


of_row("python answers")


@program("float floor division, remainder, signs and zero", *FLOATS)
def float_floor_mod(a: float, b: float) -> list[float]:
    return [a // b, a % b]


@program("float true division by zero raises", *FLOATS)
def float_divide(a: float, b: float) -> float:
    return -(a / b)


@program("float power: overflow and zero to a negative", (2.0, 0.5), (0.0, -1.0), (10.0, 400.0), (-2.0, 3.0), (1.0, float("nan")))
def float_power(a: float, b: float) -> float:
    c = a
    c **= b
    return c


of_row("operators")


@program("unary minus keeps negative zero", (0.0,), (-0.0,), (1.5,))
def negate(a: float) -> float:
    return -a


of_row("numbers meet")


@program("mixed int and float arithmetic", (3, 0.5), (2**53 + 1, 1.0))
def mixed(a: int, b: float) -> float:
    return a * b + a - b / 2


of_row("python answers")


@program("mixed comparison is exact", (2**53 + 1, 9007199254740992.0), (1, 1.0), (1, float("nan")), (5, float("inf")))
def mixed_compare(a: int, b: float) -> tuple[bool, bool, bool]:
    return a < b, a == b, a >= b


of_row("numbers meet")


@program("bool is a number in arithmetic", (True, 3), (False, -2))
def bool_arithmetic(flag: bool, n: int) -> int:
    return flag + n * flag


of_row("operators")


@program("bool bit operators stay bool", (True, False), (True, True))
def bool_bits(a: bool, b: bool) -> tuple[bool, bool, bool, bool]:
    return a & b, a | b, a ^ b, not a


of_row("numbers meet")


@program("sum of two bools is an int", (True, True), (False, True))
def bool_sum(a: bool, b: bool) -> int:
    return a + b + a


of_row("operators")


@program("comparison chain evaluates the middle once", (1, 2, 3), (3, 2, 1), (1, 1, 2))
def chain(a: int, b: int, c: int) -> bool:
    return a < b <= c


@program("chain of four with mixed operators", (1, 2, 2, 0), (1, 2, 3, 4))
def long_chain(a: int, b: int, c: int, d: int) -> bool:
    return a < b == c > d


@program("not equal and not", (1, 1), (1, 2))
def inequality(a: int, b: int) -> bool:
    return not a != b


of_row("builtins")


@program("int() truncates toward zero, float specials raise", (2.9,), (-2.9,), (float("inf"),), (float("nan"),), (1e20,))
def truncate(x: float) -> int:
    return int(x) if abs(x) < 1e19 or x != x or math.isinf(x) else 0


@program("float() of an int rounds to nearest", (2**53 + 1,), (-3,))
def to_float(n: int) -> float:
    return float(n) - 1


@program("bool() of numbers", (0, 0.0), (2, -0.5))
def truthiness(n: int, x: float) -> tuple[bool, bool]:
    return bool(n), bool(x)


of_row("python answers")


@program("round half to even", (0.5,), (1.5,), (2.5,), (-0.5,), (2.675,), (float("nan"),))
def round_to_int(x: float) -> str:
    n = round(x)
    return str(n)


of_row("builtins")


@program("round to digits is correctly rounded", (2.675, 2), (1234.5678, -2), (0.5, 0), (1e300, 5), (1.25, 1))
def round_digits(x: float, digits: int) -> float:
    return round(x, digits)


@program("min and max of two", (3, 5), (5, 3), (4, 4))
def smaller_larger(a: int, b: int) -> tuple[int, int]:
    return min(a, b), max(a, b)


@program("min and max of several", (3, 1, 2))
def of_three(a: int, b: int, c: int) -> int:
    return min(a, b, c) * 100 + max(a, b, c)


@program("min with NaN keeps the first", (float("nan"), 1.0), (1.0, float("nan")), (0.0, -0.0))
def float_min(a: float, b: float) -> list[float]:
    return [min(a, b), max(b, a)]


@program("divmod unpacks", (17, 5), (-17, 5), (1, 0))
def quotient_remainder(a: int, b: int) -> int:
    q, r = divmod(a, b)
    return q * 1000 + r


@program("divmod by a zero that is a float, which is another message", *FLOATS, (3.0, -0.0))
def float_quotient_remainder(a: float, b: float) -> tuple[float, float]:
    return divmod(a, b)


@program("divmod of numbers that are int or float", (7, 2), (7, 0), (7.5, 0), (7, 0.0), (-7.5, 2), (True, 0.0))
def number_quotient_remainder(a: int | float, b: int | float) -> str:
    return str(divmod(a, b))


of_row("operators")


@program("augmented operators on a local int", (10,), (-3,))
def augmented(n: int) -> int:
    n += 5
    n -= 1
    n *= 3
    n //= 2
    n %= 100
    n <<= 2
    n >>= 1
    n |= 1
    n &= 0xFF
    n ^= 3
    return n


of_row("assignment")


@program("augmented true division makes a float", (7.0,), (0.0,))
def augmented_float(x: float) -> float:
    x /= 2
    x **= 2
    return x


of_row("overflow")


@program("largest and smallest int literals", (0,))
def limits(n: int) -> tuple[int, int]:
    return n + 9223372036854775807, n + -9223372036854775808


of_row("scalars")


@program("number literals in every base", (1,))
def literals(n: int) -> int:
    return 0x1F + 0o17 + 0b101 + 1_000_000 + n


@program("float literals", (1.0,))
def float_literals(x: float) -> float:
    return x + 1e3 + .5 + 2. + 1_0.5e-1


of_row("math")


@program("math functions of one float", (0.5,), (-0.5,), (2.0,))
def math_functions(x: float) -> list[float]:
    return [math.sin(x), math.cos(x), math.exp(x), math.tanh(x), math.atan(x), math.fabs(x)]


@program("math.sqrt and math.log outside their domain raise", (4.0,), (-1.0,), (0.0,), (float("inf"),))
def roots(x: float) -> float:
    return math.sqrt(x) + math.log(x)


@program("math.floor and math.ceil give ints", (2.5,), (-2.5,), (7.0,), (float("inf"),))
def floor_ceil(x: float) -> tuple[int, int]:
    return math.floor(x), math.ceil(x)


@program("math constants", (1.0,))
def constants(x: float) -> bool:
    return math.pi < x * 4 and math.e < 3 and math.inf > x and math.isnan(math.nan)


@program("math.gcd and math.hypot", (12, 18, 3.0), (0, 5, 4.0))
def several_math(a: int, b: int, x: float) -> float:
    return math.gcd(a, b) + math.hypot(x, 4.0) + math.pow(x, 2.0) + math.fmod(-x, 2.0)


of_row("numbers meet")


@program("a local takes a new type on reassignment", (3,))
def retype(n: int) -> str:
    x = n
    x = x / 2
    y = str(x)
    x = y + "!"
    return x


@program("int argument at a float parameter", (3,))
def widen_argument(x: float) -> float:
    return x / 2


of_row("operators")


@program("ternary on numbers", (3, 4), (4, 3))
def ternary(a: int, b: int) -> int:
    return a if a > b else b


@program("nested ternary", (1,), (0,), (-1,))
def sign(n: int) -> int:
    return 1 if n > 0 else -1 if n < 0 else 0


@program("and, or give the operand", (0, 5), (3, 0), (0, 0))
def and_or(a: int, b: int) -> tuple[int, int]:
    return a and b, a or b


@program("short circuit skips the second operand", (0, 1), (1, 0))
def short_circuit(a: int, b: int) -> bool:
    return a != 0 and b // a > 0 or b == 0


@program("not binds looser than comparison", (1, 2))
def precedence(a: int, b: int) -> bool:
    return not a == b and -a**2 < b


@program("unary minus and power associate to the right", (2,))
def powers(n: int) -> tuple[int, int]:
    return -n**2, n**n**n


of_row("builtins")


@program("hash of numbers", (5,), (-1,), (0,))
def hash_int(n: int) -> int:
    return hash(n) + hash(float(n)) + hash(True)


of_row("python answers")


@program("NaN compares false with itself", (float("nan"),), (1.0,))
def nan_compare(x: float) -> tuple[bool, bool, bool]:
    return x == x, x != x, x < x


@program("the same operands in both orders", (7, 3), (3, 7), (2, 2))
def both_orders(a: int, b: int) -> list[int]:
    return [a - b, b - a, a // b, b // a, a % b, b % a, a**b, b**a, a << b, b << a]
