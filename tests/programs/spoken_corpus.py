"""Enums and named tuples with special methods and values of any kind; instances where Python asks for a number, or
backwards; cached properties."""
# ruff: noqa: ANN001, ANN201, ANN204, D105, PLW1641 - classes as users write them

from __future__ import annotations

import math
from collections import namedtuple
from enum import Enum, IntEnum
from functools import cached_property, total_ordering
from typing import NamedTuple

from language_rows import of_row
from oracle import program

of_row("enums")


class Op(Enum):
    ADD = "+"
    SUB = "-"
    DIV = "/"

    def __call__(self, a: float, b: float) -> float:
        if self is Op.ADD:
            return a + b
        return a - b if self is Op.SUB else a / b

    @classmethod
    def _missing_(cls, value):
        for member in cls:
            if member.name.lower() == value:
                return member
        return None


@program("enums: called, and asked for a value that is missing", ("+", 1.0, 2.0), ("sub", 1.0, 2.0), ("/", 1.0, 0.0), ("mul", 1.0, 1.0))
def called_member(s: str, a: float, b: float) -> tuple[float, str]:
    op = Op(s)
    return op(a, b), repr(op)


class Status(Enum):
    OK = 200, "fine"
    MISSING = 404, "missing"

    def __init__(self, code: int, phrase: str) -> None:
        self.code = code
        self.phrase = phrase

    @property
    def is_error(self) -> bool:
        return self.code >= 400

    def __str__(self) -> str:
        return f"{self.code} {self.phrase}"

    @classmethod
    def of(cls, code: int) -> Status:
        for each in cls:
            if each.code == code:
                return each
        raise ValueError(f"no status {code}")


@program("enums: values that are tuples, attributes that their __init__ gives", ([200, 404, 404],), ([],), ([999],))
def tuple_members(codes: list[int]) -> tuple[list[str], int, dict[Status, int], tuple[int, str], list[Status]]:
    found = [Status.of(code) for code in codes]
    counts: dict[Status, int] = {}
    for each in found:
        counts[each] = counts.get(each, 0) + 1
    return [str(each) for each in found], sum(e.is_error for e in found), counts, Status.OK.value, [Status((404, "missing"))]


class Shade(Enum):
    NONE = None
    DARK = "dark"
    LEVEL = 3
    PAIR = (1, "x")
    RATE = 0.25
    EMPTY = ()


def shade_text(x: Shade) -> str:
    v = x.value
    if v is None:
        return "none"
    if isinstance(v, str):
        return v.upper()
    if isinstance(v, int):
        return str(v + 1)
    return f"{v:.1%}" if isinstance(v, float) else "tuple"


@program("enums: values of several types", (0,), (1,), (2,), (3,), (4,), (5,), (9,))
def mixed_members(k: int) -> tuple[str, str, list[str], str, bool]:
    shades = list(Shade)
    x = shades[k]
    return shade_text(x), repr(x), [str(s) for s in shades], f"{shades}", Shade(3) is Shade.LEVEL


class Size(Enum):
    S = 1
    M = 2
    L = 3

    def __lt__(self, other):
        return self.value < other.value if isinstance(other, Size) else NotImplemented

    def __le__(self, other):
        return self.value <= other.value

    def __add__(self, n: int) -> Size:
        return Size(min(self.value + n, 3))

    def __bool__(self) -> bool:
        return self is not Size.S

    def __len__(self) -> int:
        return self.value

    def __int__(self) -> int:
        return self.value * 10

    def __repr__(self) -> str:
        return f"<{self.name}>"


@program("enums: order, arithmetic, truth, length and text of their own", ("S", "L"), ("M", "M"), ("L", "Q"))
def spoken_members(a: str, b: str) -> tuple[bool, bool, list[Size], str, int, str, list[str]]:
    x, y = Size[a], Size[b]
    ordered = sorted([y, x, Size.M])
    return (x < y, x >= y, ordered, f"{x + 1}", len(x) + int(y) + (5 if x else 0), repr({"k": max(ordered)}),
            [s.name for s in reversed(Size)])


@total_ordering
class Grade(Enum):
    A = 4
    B = 3

    def __lt__(self, other):
        if self.__class__ is other.__class__:
            return self.value < other.value
        return NotImplemented


class Step(IntEnum):
    ONE = 1
    TWO = 2

    def __add__(self, other: int) -> Step:
        return Step(min(int(self) + int(other), 2))


@program("enums: total_ordering, and an IntEnum with one operator of its own", ("A", "B"), ("B", "B"), ("A", "C"))
def ordered_members(a: str, b: str) -> tuple[bool, bool, bool, bool, Step, int, bool]:
    x, y = Grade[a], Grade[b]
    return x < y, x <= y, x > y, x >= y, Step.ONE + 1, Step.TWO * 3, Step.ONE < Step.TWO


of_row("classes")


class Money(NamedTuple):
    amount: int
    currency: str = "USD"

    def __add__(self, other):
        if isinstance(other, Money):
            if other.currency != self.currency:
                raise ValueError(f"{self.currency} != {other.currency}")
            return Money(self.amount + other.amount, self.currency)
        return NotImplemented

    def __mul__(self, k: int) -> Money:
        return self._replace(amount=self.amount * k)

    __rmul__ = __mul__

    def __lt__(self, other: Money) -> bool:
        return self.currency < other.currency

    def __repr__(self) -> str:
        return f"{self.amount / 100:.2f} {self.currency}"

    def __bool__(self) -> bool:
        return self.amount != 0

    @classmethod
    def parse(cls, text: str) -> Money:
        a, c = text.split()
        return cls(int(a), c)

    @staticmethod
    def zero() -> Money:
        return Money(0)


@program("named tuples: operators and texts of their own; an order that they do not write is that of tuples", ("100 USD", "250 USD"), ("1 EUR", "2 USD"), ("x", "y"))
def spoken_tuple(a: str, b: str) -> tuple[list[bool], str, str, list[Money], str]:
    x, y = Money.parse(a), Money.parse(b)
    tests = [x < y, x > y, x <= y, bool(Money.zero()), x == (100, "USD"), y in [x, y]]
    t = x + x
    return tests, repr(t), f"{2 * x}", sorted([y, x, t]), str([x + y])


class Span(NamedTuple):
    start: int
    end: int

    def __len__(self) -> int:
        return max(0, self.end - self.start)

    def __contains__(self, item: int) -> bool:
        return self.start <= item < self.end


@program("named tuples: length and membership of their own", (1, 5), (5, 1))
def measured_tuple(a: int, b: int) -> tuple[int, bool, bool, int]:
    s = Span(a, b)
    start, _end = s
    return len(s), 3 in s, bool(s), start


Plain = namedtuple("Plain", ["x", "y"])


@program("named tuples: _make where the class does not say the types", ([1, 2],), ([1],), ([1, 2, 3],))
def untyped_make(xs: list[int]) -> tuple[int, str, int]:
    made = Plain._make([1, "a"])
    of_list = Plain._make(xs)
    return of_list.x + of_list.y, made.y * 2, made.x


class Ratio:
    def __init__(self, v: float) -> None:
        self.v = v

    def __float__(self) -> float:
        return self.v

    def __complex__(self) -> complex:
        return complex(self.v, 1)

    def __round__(self, n=None):
        return round(self.v, n) if n is not None else round(self.v)

    def __floor__(self) -> int:
        return math.floor(self.v)

    def __ceil__(self) -> int:
        return math.ceil(self.v)

    def __index__(self) -> int:
        return int(self.v)


@program("instances as numbers: rounded, converted, given to math", (2.25,), (0.0,), (-1.0,))
def asked_numbers(v: float) -> tuple[float, int, int, int, float, float, complex, int]:
    r = Ratio(v)
    return round(r, 1), round(r), math.floor(r), math.ceil(r), math.sqrt(r), float(r), complex(r), int(r)


@program("instances as indices: of lists, slices, ranges and texts of numbers", ([1, 2, 3], 1.5), ([1, 2, 3], 2.0), ([1], 5.0))
def asked_indices(xs: list[int], v: float) -> tuple[list[int], str, list[int], int]:
    r = Ratio(v)
    return xs[:r], hex(r) + bin(r), list(range(r)), xs[r]


class Ring:
    def __init__(self, items: list[int]) -> None:
        self.items = items

    def __reversed__(self):
        return reversed(self.items)


class Row:
    def __init__(self, items: list[int]) -> None:
        self.items = items

    def __len__(self) -> int:
        return len(self.items)

    def __getitem__(self, i: int) -> int:
        return self.items[i]


class Down:
    def __init__(self, n: int) -> None:
        self.n = n

    def __reversed__(self):
        for i in range(self.n):
            yield i * i


@program("instances backwards: __reversed__, a generator of it, length and items", ([1, 2],), ([],), ([5, 6, 7],))
def backwards(xs: list[int]) -> tuple[list[int], list[int], list[int]]:
    row = Row(xs)
    seen: list[int] = []
    for x in reversed(row):
        seen.append(x)
        if len(xs) > 2:
            xs.clear()
    return list(reversed(Ring(xs))), seen, [x for x in reversed(Down(len(xs)))]


class Stats:
    def __init__(self, xs: list[int]) -> None:
        self.xs = xs
        self.calls = 0

    @cached_property
    def total(self) -> int:
        self.calls += 1
        if not self.xs:
            raise ValueError("empty")
        return sum(self.xs)

    @cached_property
    def evens(self) -> list[int]:
        return [x for x in self.xs if x % 2 == 0]


class Doubled(Stats):
    @cached_property
    def double(self) -> int:
        return self.total * 2


@program("cached properties: made once, again after an error, assigned, inherited", ([1, 2],), ([],), ([4],))
def cached(xs: list[int]) -> tuple[int, int, int, bool]:
    p = Doubled(xs)
    try:
        a = p.double
    except ValueError:
        return -1, p.calls, 0, False
    xs.append(100)
    p.evens.append(1)
    b = p.total + len(p.evens)
    p.total = -1
    return a, b, p.total + p.calls + p.double, p.evens is p.evens


class Kept:
    def __init__(self, a: int) -> None:
        self.a = a

    @cached_property
    def square(self) -> int:
        return self.a * self.a


@program("cached properties: of an instance of the caller, which keeps it", (Kept(3),), (Kept(-2),))
def twice_square(k: Kept) -> int:
    k.a += 1
    first = k.square
    k.a += 1
    return first + k.square
