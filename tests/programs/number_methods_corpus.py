"""Methods and parts of int, float and complex; math and cmath beyond one argument."""
# ruff: noqa: ANN001, ANN201, ANN202

from __future__ import annotations

import cmath
import math

from language_rows import of_row
from oracle import program

of_row("scalars")

INF, NAN = math.inf, math.nan


@program("int.to_bytes and from_bytes", (0, 1, "big", False), (300, 2, "little", False), (-1, 3, "big", True), (-1, 3, "big", False),
         (256, 1, "big", False), (128, 1, "big", True), (5, -1, "big", False), (5, 2, "middle", False), (-(2**63), 8, "little", True))
def coded(n: int, length: int, order: str, signed: bool) -> tuple[bytes, int, int]:
    data = n.to_bytes(length, order, signed=signed)
    return data, int.from_bytes(data, order, signed=signed), int.from_bytes(list(data), byteorder="big", signed=True)


@program("float: exact ratios and hexadecimal text", (0.1,), (-2.5,), (0.0,), (-0.0,), (INF,), (NAN,), (2e-3,), (3e5,), (-INF,))
def exact(x: float) -> tuple[int, int]:
    print(x.hex(), (x / 3).hex(), (x * 5e-324).hex(), (x * 1e-309).hex(), x.is_integer(), x.real, x.imag, x.conjugate())
    return x.as_integer_ratio()


@program("parts of int, bool and complex", (5, True, 1 - 2j), (-3, False, complex(-0.0, INF)), (0, True, 0j))
def parts(n: int, b: bool, z: complex) -> tuple[complex, tuple[int, int], float]:
    print(n.real, n.imag, n.numerator, n.denominator, n.conjugate(), b.real, b.numerator, b.bit_length(), n.bit_count())
    return z.conjugate(), n.as_integer_ratio(), z.real * 2 + z.imag


@program("complex() of one or two numbers", (1, 2.5, 3 - 1j), (-4, -0.0, complex(NAN, INF)), (0, INF, -1j))
def composed(n: int, x: float, z: complex) -> list[complex]:
    return [complex(), complex(n), complex(x), complex(z), complex(n, x), complex(x, n), complex(z, z), complex(n, z),
            complex(z, x), complex(real=x, imag=n), complex(True), complex(imag=x, real=n)]


@program("complex() of text", ("1+2j",), ("(3)",), (" -4.5J ",), ("nan-infj",), ("+j",), ("1 + 2j",), ("",), ("1_0j",), ("1__0",), ("1e-3-2E+2j",))
def parsed(text: str) -> tuple[complex, complex]:
    return complex(text), -complex(text + "j")


@program("arithmetic, equality, keys and text of complex", (3 + 4j, 1j), (0j, -0j), (complex(1, 0), 1 + 0j), (1e308 + 1e308j, 2j))
def field(a: complex, b: complex) -> dict[complex, str]:
    print(a + b, a - b, a * b, -a, a == b, a != 1, [a, b], f"{a:.2f}", abs(b), bool(a))
    table = {a: "a", b: "b"}
    table[complex(0)] = repr(a / (b + 1))
    return table


of_row("math")


@program("math: sums and products of any iterable", ([0.1] * 10, [1, 2, 3]), ([], []), ([1e308, 1e308, -1e308], [2**40, 2**40]),
         ([INF, -INF], [0]), ([1e16, 1.0, -1e16, NAN], [-7]), ([1e-16, 1.0, 1e-16], [5, -1]))
def summed(xs: list[float], ns: list[int]) -> tuple[float, float, int, float]:
    whole = math.fsum(n / 2 for n in ns)
    first = math.fsum(xs)
    return first, whole, math.prod(ns, start=3), math.prod((x + 1 for x in xs), start=0.5)


@program("math.hypot, dist, gcd and lcm of any number of arguments", (3.0, 4, (1, 2), [6, 10]), (-0.0, 0, (0, 0), [0, 0]),
         (1e-320, 5, (3, -4), [-12, 18]), (INF, 1, (7, 7), [2**60, 3]), (NAN, 2, (1, 1), [1, 2]))
def lengths(x: float, n: int, p: tuple[int, int], ns: list[int]) -> tuple[float, float, float, float, float, int, int, int]:
    a, b = ns
    print(math.gcd(), math.lcm(), math.gcd(a), math.hypot(), math.hypot(n))
    return (math.hypot(x, n), math.hypot(x, 1.0, n), math.hypot(*[x, x, 2.0]), math.dist(p, (x, 0.5)), math.dist([x], [n]),
            math.gcd(a, b, n), math.lcm(a, b), math.gcd(a, b) if b else 0)


@program("math.dist of points of different dimensions", ([1.0], [1.0, 2.0]), ([], []), ([1.0, 2.0], [4.0, 6.0]))
def far(p: list[float], q: list[float]) -> float:
    return math.dist(p, q)


POINTS = [1 + 2j, -1 - 0.5j, 0j, -0.0j, complex(0.0, INF), complex(-INF, NAN), complex(NAN, 1.0), 2.0 + 0j, complex(-1.0, -0.0),
          1e-310 + 1e-312j, 1e308 + 1e308j, complex(INF, 2.0), 710 + 1j, -745j]


@program("cmath: roots, powers and logarithms", *((z,) for z in POINTS))
def powers(z: complex) -> None:
    print(cmath.sqrt(z), cmath.phase(z), cmath.isnan(z), cmath.isinf(z), cmath.isfinite(z), cmath.isclose(z, z * (1 + 1e-12)))
    print(cmath.polar(z))
    print(cmath.log(z), cmath.log10(z), cmath.log(z, 2), cmath.log(z, 1 + 1j))
    print(cmath.exp(z))


@program("cmath: trigonometry", *((z,) for z in POINTS))
def angles(z: complex) -> None:
    print(cmath.acos(z), cmath.asin(z), cmath.atan(z), cmath.acosh(z), cmath.asinh(z))
    print(cmath.tan(z), cmath.tanh(z))
    print(cmath.cos(z), cmath.sin(z), cmath.cosh(z), cmath.sinh(z))
    print(cmath.atanh(z))


@program("cmath: real arguments, rect, constants", (2, 0.5), (-1, 0.0), (0, INF), (3, NAN), (-2, -1e300))
def reals(n: int, x: float) -> list[complex]:
    found = [cmath.sqrt(n), cmath.sqrt(-x), cmath.exp(True), cmath.rect(n, 1.0), cmath.pi * cmath.e + cmath.tau * 1j]
    found.append(cmath.infj if cmath.isclose(n, x, rel_tol=0.5, abs_tol=2.0) else cmath.nanj.conjugate())
    found.append(cmath.rect(n, x))
    return found


of_row("scalars")

HEXES = ("0x1.8p1", "-0x.1p-3", " 1F ", "inf", "-nan", "0x1p-1074", "0x1p-1075", "0x1.fffffffffffff8p1023", "0x", "1p", "0x1.000000000000080000001p0", "1_0")


@program("float.fromhex", *((text,) for text in HEXES))
def from_hex(text: str) -> tuple[float, str]:
    x = float.fromhex(text)
    return x, x.hex()
