"""Numbers, their operators, builtins and math; types as annotations say them; what tests narrow; how calls pass arguments."""

from __future__ import annotations

import cmath
import math
import sys
from typing import (
    Any,
    Callable,
    Dict,
    Final,
    Iterable,
    List,
    Literal,
    Mapping,
    NewType,
    Optional,
    Protocol,
    Sequence,
    Tuple,
    TypeVar,
    Union,
)

import tsm
from language_rows import of_row
from oracle import T, program
from tsm import Tensor

of_row("operators")


@program("precedence of all binary operators in one expression", (5, 3), (-7, 2))
def precedence(a: int, b: int) -> list[int]:
    return [a + b * 2 - a // b % 3, -(a**2) + b, a << 1 + 1, a & b | a ^ b, ~a + 1 & 7, 7 if not a == b or a > b and b else 8]


@program("comparison chains of five, mixed with in and is", (1, 2, 3), (3, 3, 1))
def chains(a: int, b: int, c: int) -> list[bool]:
    return [a < b < c, a <= b == c != a, a < c > b, 0 < a in [1, 3], not a < b < c]


@program("boolean algebra by truth table", (True, False), (False, False), (True, True))
def tables(p: bool, q: bool) -> list[bool]:
    return [p and q, p or q, not (p and q), p != q, p is q, p <= q, (p and not q) or (not p and q), p ^ q, p & q | (not p)]


@program("and, or give operands of several types", (0, ""), (3, "x"))
def operands(n: int, s: str) -> list[Union[int, str]]:
    return [n or s, n and s, s or n or 5, s and n and 7, (n or 1) + 1]


@program("a ternary nested on either side, with effects", (1, 0), (0, 1), (0, 0))
def ternaries(a: int, b: int) -> str:
    return "a" if a else "b" if b else said("c", "none")


def said(name: str, value: str) -> str:
    print(name)
    return value


@program("membership in ranges, tuples, texts, dicts", (3,), (-1,))
def memberships(n: int) -> list[bool]:
    return [n in (1, 2, 3), n in [n], n not in {3: 1}, str(n) in "123", n in {1, 3}, n in range(5)]


@program("bit tricks: population, lowest bit, powers of two, gray code", (44,), (0,), (-8,))
def bits(n: int) -> tuple[int, int, bool, int]:
    count, m = 0, n
    while m > 0:
        m &= m - 1
        count += 1
    return count, n & -n, n > 0 and n & (n - 1) == 0, n ^ (n >> 1)


@program("bytes of an int packed and unpacked by shifts", (0x12345678,), (0,), (255,))
def packed(n: int) -> tuple[list[int], int]:
    parts = [(n >> s) & 0xFF for s in (24, 16, 8, 0)]
    back = 0
    for p in parts:
        back = back << 8 | p
    return parts, back


@program("a hash of text by multiplication and masks", ("hello",), ("",))
def fnv(text: str) -> int:
    h = 2166136261
    for c in text:
        h = ((h ^ ord(c)) * 16777619) & 0xFFFFFFFF
    return h


of_row("python answers")


@program("floor division and remainder with every sign", (7, 2), (-7, 2), (7, -2), (-7, -2), (0, -3))
def signs(a: int, b: int) -> tuple[int, int, float, float, tuple[int, int]]:
    return a // b, a % b, a / b, float(a) % b, divmod(a, b)


@program("powers of ints, floats, zero and negative ones", (2, 10), (0, 0), (-3, 3))
def powers(a: int, b: int) -> tuple[int, float, float]:
    return a**b, float(a) ** b, (a + 0.5) ** 2


@program("remainders by zero of each kind", (0,), (1,), (2,), (3,), (4,))
def zeroes(n: int) -> float:
    if n == 0:
        return 5 % 0
    if n == 1:
        return 5.0 % 0.0
    if n == 2:
        return 5 // 0.0
    if n == 3:
        return divmod(1, 0)[0]
    return 0.0 ** -1


@program("rounding: half to even, digits, negative digits, to int", (2.5, 1), (0.125, 2), (-1.5, 0), (2.675, 2), (1234.5, -2))
def roundings(x: float, n: int) -> tuple[int, float, int, int, int]:
    return round(x), round(x, n), int(x), math.floor(x), math.ceil(x)


@program("texts of floats: shortest digits, exponents, specials", (0.1,), (1e16,), (1e-5,), (123456789.0,), (-0.0,), (math.nan,))
def float_texts(x: float) -> list[str]:
    return [str(x), repr(x * 3), str([x]), f"{x}", str(x / 3)]


@program("NaN in min, max, sorted keys, comparisons and bool", (math.nan, 1.0), (1.0, math.nan))
def nans(a: float, b: float) -> tuple[float, float, bool, bool, bool]:
    return min(a, b), max(a, b), a == a, a != a, bool(a)


@program("int and float of texts of each other", (3.99,), (-3.99,), (1e10,))
def between(x: float) -> tuple[int, float, str, str]:
    n = int(x)
    return n, float(n), str(n), str(float(n))


@program("mixed equality of int, float and bool", (1, 1.0, True), (0, -0.0, False), (2**53 + 1, 9007199254740992.0, True))
def equalities(n: int, x: float, b: bool) -> list[bool]:
    return [n == x, n == b, x == b, n < x, hash(n) == hash(x), [n] == [x], (n, b) == (x, n)]


of_row("overflow")


@program("products at the edge that still fit", (2**62 - 1, 2), (-(2**62), 2), (3, 40))
def edges(a: int, b: int) -> int:
    try:
        return a * b
    except OverflowError:
        return -1


@program("factorial until it does not fit", (20,), (1,))
def factorial(n: int) -> int:
    r = 1
    for i in range(2, n + 1):
        r *= i
    return r


@program("the smallest int: literal, abs of its neighbour, text, shifts", (0,))
def smallest(n: int) -> tuple[int, int, str, int]:
    low = -9223372036854775808
    return low + n, abs(low + 1), str(low), low >> 62


@program("float to int beyond the range, inf and nan", (1e10,), (math.inf,), (math.nan,), (-math.inf,))
def to_int(x: float) -> int:
    n = int(x)
    return n * 2


of_row("numbers meet")


@program("an int that may become a float in a loop", (0,), (2,))
def drifting(n: int) -> Union[int, float]:
    t = 0
    for i in range(n):
        t = t + i / 2
    return t


@program("max and min of int and float keep the type", (2, 2.0), (3, 2.5), (1, 1.5))
def kept(a: int, b: float) -> list[str]:
    return [str(max(a, b)), str(min(b, a)), str(a if a >= b else b), str(a + b - b)]


@program("sum of bools, of ints and of floats with a start", ([True, True], [1, 2], [0.5]), ([], [], []))
def sums(a: list[bool], b: list[int], c: list[float]) -> list[str]:
    return [str(sum(a)), str(sum(b, 10)), str(sum(c, 0.0)), str(sum(b) / 2)]


@program("displays of mixed numbers keep each type", (1, 2.5, True))
def mixed(n: int, x: float, b: bool) -> str:
    v = [n, x, b]
    d = {"n": n, "x": x}
    return str(v) + str(d) + str((n, b)) + str([n, b]) + str(v[0])


@program("a conditional of int and float, then arithmetic", (0, 3), (1, 3))
def either(flag: int, n: int) -> str:
    v = n if flag else n / 1
    return f"{v} {v + 1} {v * 2} {-v} {v // 2}"


@program("a default of float given an int", (3,))
def int_for_float(n: int) -> str:
    return str(as_float(n)) + str(as_float(True)) + str(as_float())


def as_float(x: float = 2) -> float:
    return x / 1


of_row("builtins")


@program("sorted by several keys, negated and joined", (["bb", "a", "cc", "b"],), ([],))
def keyed(v: list[str]) -> tuple[list[str], list[str], str]:
    return sorted(v, key=lambda s: (-len(s), s)), sorted(v, key=len, reverse=True), "".join(sorted("".join(v)))


@program("min and max with keys, defaults, and of arguments", ([3, -5, 2],), ([],))
def extremes(v: list[int]) -> tuple[int, int, int, float]:
    return min(v, key=abs, default=0), max(v, default=-1), max(1, len(v), 2), min(0.5, 2, 1.5)


@program("enumerate, zip, map, filter, reversed in each other", ([1, 2, 3, 4],), ([],))
def pipelines(v: list[int]) -> list[str]:
    odd = filter(lambda p: p[1] % 2, enumerate(v))
    return [f"{i}:{x}" for i, x in odd] + [str(a * b) for a, b in zip(v, reversed(v))] + list(map(lambda x: str(-x), v))


@program("divmod, pow, abs, round of ints and floats", (17, 5), (-17, 5))
def arithmetic(a: int, b: int) -> tuple[tuple[int, int], int, int, float, int]:
    return divmod(a, b), pow(a, 2), abs(a), abs(-a / b), round(a / b)


@program("hex, oct, bin, ord, chr, int with bases", (255,), (-10,), (0,))
def bases(n: int) -> list[str]:
    return [hex(n), oct(n), bin(n), chr(abs(n) + 40), str(int(hex(n), 16)), str(int(bin(n), 0))]


@program("any and all of generators, lists, dicts and texts", ([0, 1], {"a": 0}), ([], {}))
def quantified(v: list[int], d: dict[str, int]) -> list[bool]:
    return [any(v), all(v), any(x > 1 for x in v), all(x >= 0 for x in v), any(d), all(d.values()), any("")]


@program("isinstance, type names and hasattr", (1, "a"))
def types_asked(n: int, s: str) -> list[bool]:
    return [isinstance(n, int), isinstance(n, (str, float)), isinstance(s, str), isinstance(True, int), isinstance([n], list), isinstance((1,), tuple)]


@program("type(x).__name__ of many values", (1, 2.5))
def type_names(n: int, x: float) -> list[str]:
    return [type(n).__name__, type(x).__name__, type([n]).__name__, type("").__name__, type(None).__name__, type(n > 1).__name__]


@program("list, tuple, dict, set and str as makers", ("ab",), ("",))
def makers(s: str) -> tuple[list[str], tuple[str, ...], dict[str, int], int, str]:
    return list(s), tuple(s), dict(zip(s, range(9))), len(set(s)), str(list(s))


@program("int, float, bool, str without arguments", (1,))
def empty_makers(n: int) -> tuple[int, float, bool, str, list[int], dict[str, int]]:
    a: list[int] = list()
    b: dict[str, int] = dict()
    return int() + n, float(), bool(), str(), a, b


@program("sum of lists of lists with a start, of tuples", ([[1], [2, 3]],), ([],))
def list_sum(v: list[list[int]]) -> list[int]:
    empty: list[int] = []
    return sum(v, empty)


@program("iter and next with a default", ([1, 2],), ([],))
def next_default(v: list[int]) -> tuple[int, Optional[int]]:
    return next(iter(v), -1), next((x for x in v if x > 1), None)


@program("len of everything", ([1], "abc", {"a": 1}, (1, 2)))
def lengths(v: list[int], s: str, d: dict[str, int], t: tuple[int, int]) -> list[int]:
    return [len(v), len(s), len(d), len(t), len({1, 1}), len(range(3, 9, 2)) if v else 0]


@program("hash of equal values is equal", (3, "x"), (0, ""))
def hashes(n: int, s: str) -> list[bool]:
    return [hash(n) == hash(n + 0), hash((n, s)) == hash((n, s)), hash(float(n)) == hash(n), hash(s) == hash(s + "")]


of_row("math")


@program("trigonometry and its inverses", (0.5,), (-1.0,), (0.0,))
def trig(x: float) -> list[float]:
    return [round(f, 12) for f in (math.sin(x), math.cos(x), math.tan(x), math.asin(x), math.acos(x), math.atan(x), math.atan2(x, 2.0))]


@program("exponentials, logarithms, bases, hyperbolics", (2.0,), (0.25,))
def exps(x: float) -> list[float]:
    v = [math.exp(x), math.log(x), math.log2(x), math.log10(x), math.log(x, 3), math.log1p(x), math.expm1(x), math.sinh(x), math.tanh(x)]
    return [round(f, 10) for f in v]


@program("floor, ceil, trunc, fmod, modf, frexp, copysign", (2.7,), (-2.7,), (0.0,))
def parts(x: float) -> tuple[int, int, int, float, float]:
    return math.floor(x), math.ceil(x), math.trunc(x), math.fmod(x, 2), math.copysign(3.0, x)


@program("gcd, lcm, comb, perm, factorial, isqrt", (12, 18), (5, 0))
def integers(a: int, b: int) -> list[int]:
    return [math.gcd(a, b), math.comb(a, 2), math.perm(a, 2), math.factorial(a), math.isqrt(a * b), math.lcm(a, b)]


@program("hypot, dist, prod, fsum of lists", ([3.0, 4.0], [0.0, 0.0]),)
def measures(p: list[float], q: list[float]) -> list[float]:
    return [math.hypot(p[0], p[1]), math.dist(p, q), math.prod(p), math.hypot(1.0, 2.0, 2.0)]


@program("isnan, isinf, isfinite, isclose and constants", (math.inf,), (math.nan,), (1.0,))
def asked(x: float) -> list[bool]:
    return [math.isnan(x), math.isinf(x), math.isfinite(x), math.isclose(x, 1.0 + 1e-12), math.tau == 2 * math.pi, x < math.inf]


@program("domain and range errors", (0,), (1,), (2,), (3,))
def domains(n: int) -> float:
    if n == 0:
        return math.log(0)
    if n == 1:
        return math.sqrt(-1)
    if n == 2:
        return math.exp(1000)
    return math.acos(2.0)


@program("degrees, radians, erf, gamma", (0.5,), (1.0,))
def special(x: float) -> list[float]:
    return [round(v, 9) for v in [math.degrees(x), math.radians(x), math.erf(x), math.gamma(x + 1), math.lgamma(x + 2)]]


@program("cmath: roots, exponentials, polar forms", (1 + 2j,), (-1 + 0j,))
def complexes(z: complex) -> list[complex]:
    r, phi = cmath.polar(z)
    return [cmath.sqrt(z), cmath.exp(z), complex(round(abs(cmath.rect(r, phi) - z), 9), phi)]


of_row("scalars")


@program("complex numbers: parts, conjugate, abs, text, powers", (3 + 4j,), (-1j,), (0j,))
def complex_parts(z: complex) -> tuple[float, float, complex, float, str]:
    return z.real, z.imag, z.conjugate() * z, abs(z), f"{z} {z + 1} {z == 3 + 4j} {-z}"


@program("complex division and its zero", (1 + 1j, 1 - 1j), (1 + 0j, 0j))
def complex_division(a: complex, b: complex) -> complex:
    return a / b + complex(1, 2) * 2 - complex(0.5)


@program("a mandelbrot cell by complex iteration", (0.3 + 0.5j, 20), (2 + 2j, 20), (0j, 5))
def mandelbrot(c: complex, limit: int) -> int:
    z = 0j
    for i in range(limit):
        if abs(z) > 2:
            return i
        z = z * z + c
    return limit


@program("None as a value: compared, stored, returned, printed", (None, 1), (0, 2))
def nones(a: Optional[int], b: int) -> tuple[Optional[int], list[Optional[int]], str]:
    v = [a, None, b]
    return None if a == 0 else a, v, f"{a} {[None]} {a is None}"


@program("dtypes and devices as values in branches", (T([1.0]), True), (T([1.0]), False))
def devices(x: Tensor, wide: bool) -> tuple[Tensor, bool]:
    kind = tsm.float64 if wide else tsm.int64
    y = x.to(kind)
    return y, y.dtype == kind and y.dtype != x.dtype


@program("Any holds what comes, isinstance takes it out", (1,), ("a",), ([1, 2],), (None,))
def any_value(x: Any) -> str:
    if isinstance(x, int):
        return f"int {x + 1}"
    if isinstance(x, str):
        return "str " + x
    if x is None:
        return "none"
    return "other"


of_row("bytes")


@program("bytes: index, slice, len, for, in, comparison", (b"abc",), (b"",))
def byte_work(b: bytes) -> tuple[int, list[int], bytes, bool, bool]:
    total = 0
    for x in b:
        total += x
    return total, list(b), b[1:], 97 in b, b == b"abc"


@program("text to bytes and back", ("héé",), ("",))
def encoded(s: str) -> tuple[bytes, int, str]:
    b = s.encode("utf-8")
    return b, len(b), b.decode("utf-8")


@program("bytes joined, added, repeated, searched", (b"a,b", b","))
def byte_joins(a: bytes, sep: bytes) -> tuple[bytes, list[bytes], int, str]:
    return a + sep * 2, a.split(sep), a.find(sep), a.hex()


@program("bytes from a list of ints", ([104, 105],), ([],), ([256],))
def from_ints(v: list[int]) -> bytes:
    return bytes(v)


of_row("annotations")


@program("old and new spellings of the same types", ([1], {"a": (1, 2.0)}), ([], {}))
def spellings(a: List[int], b: Dict[str, Tuple[int, float]]) -> "Tuple[List[int], dict[str, tuple[int, float]]]":
    c: Optional[List[int]] = a
    d: "Dict[str, Tuple[int, float]]" = b
    return c or [], d


Pair = Tuple[int, int]
Table = Dict[str, List[Pair]]


@program("aliases of aliases at module level", ({"a": [(1, 2)]},), ({},))
def aliases(t: Table) -> List[Pair]:
    out: List[Pair] = []
    for ps in t.values():
        out.extend((b, a) for a, b in ps)
    return out


@program("Union with the bar, nested Optionals, in lists", ([1, None, "a"],), ([],))
def bars(v: list[int | str | None]) -> list[int | str]:
    out: list[int | str] = []
    for x in v:
        if x is not None:
            out.append(x)
    return out


@program("variables declared without value, then bound on each path", (1,), (0,))
def declared(n: int) -> float:
    x: float
    y: Optional[str]
    if n:
        x, y = 1.0, None
    else:
        x, y = 2.5, "b"
    return x + (len(y) if y is not None else 0)


@program("a container of optional containers", ([[1], None, []],), ([],))
def optional_lists(v: List[Optional[List[int]]]) -> int:
    return sum(len(x) if x is not None else 100 for x in v)


@program("a Final local and an annotated tuple target", (2,))
def finals(n: int) -> int:
    scale: Final = 3
    pair: Tuple[int, int] = (n, scale)
    return pair[0] * pair[1]


of_row("abstract types")


@program("Sequence, Iterable and Mapping parameters", ([1, 2], {"a": 1}))
def abstracts(v: list[int], d: dict[str, int]) -> tuple[int, int, int]:
    return total_of(v), count_of(v), keys_of(d)


def total_of(v: Sequence[int]) -> int:
    return v[0] + len(v)


def count_of(v: Iterable[int]) -> int:
    return sum(1 for _ in v)


def keys_of(d: Mapping[str, int]) -> int:
    return d["a"] + len(d)


Kind = TypeVar("Kind")


def first_of(v: List[Kind], default: Kind) -> Kind:
    return v[0] if v else default


@program("a generic function at three types", ([1], ["a"]), ([], []))
def generics(a: list[int], b: list[str]) -> tuple[int, str, float]:
    return first_of(a, 7), first_of(b, "z"), first_of([0.5], 1.0)


@program("Literal parameters and NewType ids", ("up", 3), ("down", 4))
def literals(direction: Literal["up", "down"], n: int) -> int:
    i = Id(n)
    return i + 1 if direction == "up" else i - 1


Id = NewType("Id", int)


class HasArea(Protocol):
    def area(self) -> float: ...


class Tile:
    def __init__(self, s: float) -> None:
        self.s = s

    def area(self) -> float:
        return self.s * self.s


class Disc:
    def __init__(self, r: float) -> None:
        self.r = r

    def area(self) -> float:
        return 3 * self.r * self.r


def bigger(a: HasArea, b: HasArea) -> float:
    return max(a.area(), b.area())


@program("a protocol parameter given two classes", (2.0, 1.0))
def protocols(a: float, b: float) -> float:
    return bigger(Tile(a), Disc(b)) + bigger(Disc(a), Disc(b))


@program("Callable parameters of two arguments, a lambda and a def", ([3, 1],), ([],))
def callables(v: list[int]) -> list[int]:
    return [combine(lambda a, b: a * b, x, 2) + combine(plus, x, 1) for x in v]


def combine(f: Callable[[int, int], int], a: int, b: int) -> int:
    return f(a, b)


def plus(a: int, b: int) -> int:
    return a + b


of_row("unannotated")


def loose(a, b=2, flag=True):
    return a * b if flag else a


@program("an unannotated helper at ints, floats, texts and lists", (3,))
def specialised(n: int) -> tuple[int, float, str, list[int]]:
    return loose(n), loose(0.5, 4), loose("ab"), loose([n], flag=False)


def doubled_all(xs):
    out = []
    for x in xs:
        out.append(x + x)
    return out


@program("an unannotated helper builds a list of what it gets", ([1], ["a"]), ([], []))
def grown(a: list[int], b: list[str]) -> tuple[list[int], list[str]]:
    return doubled_all(a), doubled_all(b)


@program("an unannotated entry is a tensor", (T([1.0, 2.0]), T([3.0, 4.0])))
def tensors_only(x, y):
    return (x + y) * x.mean()


of_row("refinement")


@program("None tested by early return, in and, or, not", (None, None), (1, None), (None, 2), (3, 4))
def narrowed(a: Optional[int], b: Optional[int]) -> int:
    if a is None and b is None:
        return -1
    if a is None or b is None:
        return a if a is not None else b if b is not None else 0
    if not (a is not None and b > 3):
        return a + b
    return a * b


@program("narrowing in a while, lost by reassignment", ([3, 2, None, 5],), ([],))
def chained_optionals(v: list[Optional[int]]) -> int:
    i, total = 0, 0
    x = v[0] if v else None
    while x is not None:
        total += x
        i += 1
        x = v[i] if i < len(v) else None
    return total


@program("an Optional narrowed through a walrus and a comprehension", ([1, None, 4],), ([],))
def walrus_narrow(v: list[Optional[int]]) -> list[int]:
    out = [x * 2 for x in v if x is not None]
    if v and (first := v[0]) is not None:
        out.append(first + 1)
    return out


@program("isinstance of a tuple of types, then the rest", (1,), (2.5,), ("x",), (None,))
def by_isinstance(x: Union[int, float, str, None]) -> str:
    if isinstance(x, (int, float)):
        return f"{x + 1}"
    elif x is None:
        return "none"
    return x.upper()


@program("assert narrows, a raise in the other arm narrows", (1, "a"), (None, "a"), (2, None))
def asserted(a: Optional[int], b: Optional[str]) -> str:
    assert a is not None, "no a"
    if b is None:
        raise ValueError("no b")
    return b * a


class Linked:
    def __init__(self, v: int, next: Optional["Linked"] = None) -> None:
        self.v = v
        self.next = next


@program("attributes narrowed while nothing intervenes", (3,))
def through_attributes(n: int) -> int:
    head = Linked(n, Linked(n + 1))
    if head.next is not None and head.next.next is None:
        head.next.v += 10
    node: Optional[Linked] = head
    total = 0
    while node is not None:
        total += node.v
        node = node.next
    return total


@program("truth narrows optional texts, lists and ints", (None, [1]), ("", []), ("ab", None))
def by_truth(s: Optional[str], v: Optional[list[int]]) -> int:
    n = 0
    if s:
        n += len(s)
    if not v:
        return n
    return n + v[0]


@program("an optional tensor with a default made on demand", (T([1.0, 2.0]), None), (T([1.0, 2.0]), T([3.0, 4.0])))
def optional_tensor(x: Tensor, mask: Optional[Tensor] = None) -> Tensor:
    if mask is None:
        mask = tsm.ones_like(x)
    y = x * mask
    return y if mask is not None else x


@program("an optional in a ternary and in an f-string", (None,), (5,))
def shown(a: Optional[int]) -> str:
    size = a + 1 if a is not None else 0
    return f"{a if a else 'nothing'} {size}"


@program("a union of a list and a text told apart", ([1, 2],), ("abc",))
def union_lists(v: Union[list[int], str]) -> int:
    return len(v) if isinstance(v, str) else sum(v)


of_row("pruned branches")


@program("is_scripting chooses, TYPE_CHECKING never compiles", (3,))
def scripting(n: int) -> int:
    if FLAG and DEPTH > 2:
        n += 1
    if not FLAG:
        return not_defined_anywhere(n)  # noqa: F821
    return n * DEPTH


FLAG: Final = True
DEPTH = 3


@program("comparisons of constants, of tuples and of the version decide", (3,), (-1,))
def compared_constants(n: int) -> tuple[int, int, bool]:
    if sys.version_info < (3, 6) or sys.version_info[0] == 2 or sys.version_info.major < 3:
        return not_defined_anywhere(n)  # noqa: F821
    if sys.version_info[:2] >= (3, 10):
        n += 1
    if (3, 5) <= sys.version_info < (3, 9) or 5 < DEPTH < n:
        n = not_defined_anywhere(n)  # noqa: F821
    if REDUCTION in ("none", "batch") or (DEPTH, REDUCTION) > (3, "sun"):
        n = not_defined_anywhere(n)  # noqa: F821
    return n, sys.version_info[0] + len(sys.version_info), (1, math.nan) == (1, math.nan) or REDUCTION == "sum"


REDUCTION = "sum"


@program("isinstance of a declared type decides a branch", (2,))
def decided(n: int) -> int:
    if isinstance(n, str):
        return n.nothing_there()
    if n is None:
        return 0
    return n


of_row("calls")


@program("keyword-only, positional-only and defaults together", (1,))
def signatures(n: int) -> list[int]:
    return [shaped(n), shaped(n, 5), shaped(n, k=7), shaped(n, 2, k=3)]


def shaped(a: int, /, b: int = 10, *, k: int = 100) -> int:
    return a + b + k


@program("*args summed, forwarded, and its length", (2, 3))
def variadic(a: int, b: int) -> tuple[int, int, int]:
    return added(), added(a), added(a, b, *(a, b))


def added(*xs: int) -> int:
    total = len(xs)
    for x in xs:
        total += x
    return total


@program("**kwargs read, forwarded, with defaults behind", (2,))
def keywords(n: int) -> tuple[int, int]:
    return gathered(a=n), gathered(b=n, a=1, **{"c": 3})


def gathered(**options: int) -> int:
    return sum(v * (i + 1) for i, v in enumerate(options.values())) + options.get("c", 0)


@program("evaluation order of positional, keyword and starred arguments", (1,))
def argument_order(n: int) -> int:
    return three(*[tell("a", n), tell("b", n)], c=tell("c", n)) + three(c=tell("x", 1), a=tell("y", 2), b=tell("z", 3))


def three(a: int, b: int, c: int) -> int:
    return a * 100 + b * 10 + c


def tell(name: str, n: int) -> int:
    print(name, end=" ")
    return n


@program("a default computed from constants, a None default replaced", (4, None), (4, [1]))
def default_list(n: int, v: Optional[list[int]]) -> list[int]:
    return with_default(n) + with_default(n, v)


def with_default(n: int, v: Optional[list[int]] = None, scale: float = 2 * math.pi) -> list[int]:
    if v is None:
        v = []
    v.append(int(n * scale))
    return v


@program("several results unpacked, some ignored, nested", (7, 2))
def results(a: int, b: int) -> int:
    q, _ = split_off(a, b)
    (_, r), *_ = [split_off(a, b)]
    return q * 10 + r


def split_off(a: int, b: int) -> tuple[int, int]:
    return a // b, a % b


@program("ackermann and mutual recursion with accumulators", (2, 3), (0, 0))
def recursions(m: int, n: int) -> tuple[int, bool]:
    return ackermann(m, n), is_even(m + n)


def ackermann(m: int, n: int) -> int:
    return n + 1 if m == 0 else ackermann(m - 1, 1) if n == 0 else ackermann(m - 1, ackermann(m, n - 1))


def is_even(n: int) -> bool:
    return n == 0 or is_odd(n - 1)


def is_odd(n: int) -> bool:
    return n != 0 and is_even(n - 1)


of_row("functions as values")


@program("constants of every kind from the module", (2,))
def constants(n: int) -> str:
    return f"{RATE * n} {NAMES[n % 2]} {GRID[1][0]} {len(NAMES)} {NOTHING} {ON}"


RATE, NAMES, GRID, NOTHING, ON = 0.25, ("a", "b"), ((1, 2), (3, 4)), None, True


@program("getattr with constant names and defaults", (2.0,))
def by_name(s: float) -> float:
    t = Tile(s)
    setattr(t, "s", getattr(t, "s") + 1)
    return getattr(t, "area")() + getattr(t, "missing", 0.5) + (1.0 if hasattr(t, "r") else 0.0)


@program("a bound method and a class passed as functions", (2.0,))
def bound(x: float) -> list[float]:
    t = Tile(x)
    f = t.area
    t.s += 1
    return [f(), total_area(Tile, x), total_area(Disc, x)]


def total_area(make: Callable[[float], Any], x: float) -> float:
    return make(x).area()


of_row("identity")


@program("is on lists, dicts, None and instances", ([1], [1]))
def identities(a: list[int], b: list[int]) -> list[bool]:
    c, d = a, {"a": a}
    t = Tile(1.0)
    u = t
    return [a is b, a is c, d["a"] is c, t is u, t is not Tile(1.0), a is not None, [a, b][1] is b]


@program("the same list in two places of one result", ([1],))
def twice(a: list[int]) -> tuple[list[int], dict[str, list[int]], list[list[int]]]:
    return a, {"x": a, "y": a[:]}, [a, a]


@program("zip stops without evaluating further, map is lazy", ([1, 2, 3],))
def lazy(v: list[int]) -> list[int]:
    return [a for a, _ in zip(map(lambda x: tell(str(x), x), v), range(2))]


of_row("errors")


@program("texts of the commonest errors", (0,), (1,), (2,), (3,), (4,), (5,), (6,), (7,))
def error_texts(n: int) -> int:
    v, d, s = [1], {"a": 1}, "x"
    if n == 0:
        return v[3]
    if n == 1:
        return d["zz"]
    if n == 2:
        return int(s)
    if n == 3:
        return v.index(9)
    if n == 4:
        a, b = v * 3
        return a
    if n == 5:
        return ord(s * 2)
    if n == 6:
        v.remove(5)
    return [].pop()


@program("an error inside a callee inside a comprehension", ([1, 0],))
def deep_error(v: list[int]) -> list[int]:
    return [inverse(x) for x in v]


def inverse(x: int) -> int:
    return 100 // x


@program("arguments changed before the error stay changed", ([3, 0],), ([1, 1],))
def before_error(v: list[int]) -> int:
    v.append(9)
    v[0] = v[0] // v[1]
    return v[0]


@program("endless recursion is a RecursionError that can be caught", (1,))
def endless(n: int) -> str:
    try:
        return str(forever(n))
    except RecursionError:
        return "too deep"


def forever(n: int) -> int:
    return forever(n + 1) + 1


of_row("assignment")


@program("evaluation order of targets and values with effects", ([0, 0, 0],))
def target_order(v: list[int]) -> list[int]:
    v[tell("i", 0)] = v[tell("j", 1)] = tell("value", 5)
    v[tell("k", 2)] += tell("plus", 1)
    a, v[a] = 1, 2
    return v


@program("chained assignment shares one list, unpacked ones differ", (1,))
def shared(n: int) -> tuple[list[int], list[int], int]:
    a = b = [n]
    a.append(2)
    (c, *d), e = [n, 5, 6], len(b)
    return b, d, c + e


@program("augmented assignment on attributes, items of items and keys", (3,))
def augmented(n: int) -> tuple[float, list[list[int]], dict[str, int]]:
    t = Tile(1.0)
    v = [[1], [2]]
    d = {"a": 1}
    t.s *= n
    v[0][0] -= n
    v[1] += [n]
    d["a"] **= 2
    d["a"] <<= n
    return t.s, v, d


of_row("more assignment")


@program("slices assigned by lists of other lengths, by generators of themselves", ([1, 2, 3, 4],), ([],))
def slice_store(v: list[int]) -> list[int]:
    v[1:3] = [9]
    v[len(v) :] = [7, 7]
    v[:0] = [x + 1 for x in v]
    v[::2] = v[::2][::-1]
    return v


@program("//=, @=, %=, **=, >>= in one place", (17, T([[2.0, 0.0], [0.0, 2.0]])))
def all_augmented(n: int, m: Tensor) -> tuple[int, Tensor]:
    n //= 2
    n **= 2
    n %= 50
    n >>= 1
    n |= 8
    m @= m
    return n, m


@program("a tensor unpacked into its rows", (T([[1.0, 2.0], [3.0, 4.0]]),))
def rows(x: Tensor) -> Tensor:
    a, b = x
    first, *_ = x
    return a * b + first


@program("a walrus in a slice, an argument, a while and a comprehension", ([5, 6, 7],))
def walruses(v: list[int]) -> tuple[int, list[int], int]:
    w = v[(k := 1) :]
    total = max(n := len(w), k)
    return total + n, [y for x in v if (y := x * 2) > 10], y
