"""Enums and named tuples: members, look-ups, fields, and their way through the boundary."""
# ruff: noqa: ANN001, ANN201, ANN202

from __future__ import annotations

import enum
from collections import namedtuple
from typing import NamedTuple, Optional, Protocol, Union

from language_rows import of_row
from oracle import program


class Color(enum.Enum):
    RED = 1
    GREEN = 2
    CRIMSON = 1
    BLUE = 4

    @property
    def is_warm(self) -> bool:
        return self is Color.RED

    def mixed(self, other: Color) -> Color:
        return self if self.value > other.value else other

    @classmethod
    def first(cls) -> Color:
        return cls.RED


class Level(enum.IntEnum):
    LOW = enum.auto()
    HIGH = enum.auto()


class Word(enum.Enum):
    YES = "yes"
    NO = "no"


of_row("enums")


@program("members: names, values, identity and text", (Color.RED,), (Color.BLUE,), (Color.CRIMSON,))
def members(c: Color) -> Color:
    print(c, [c], f"{c} {c!r}", c.name, c.value, c is Color.CRIMSON, c != Color.GREEN, c == 1, c.is_warm)
    return c.mixed(Color.first())


@program("look-up of members by value and by name", (1, "GREEN"), (4, "CRIMSON"), (3, "RED"), (2, "PINK"))
def looked_up(value: int, name: str) -> tuple[Color, Color, bool]:
    by_value = Color(value)
    by_name = Color[name]
    return by_value, by_name, by_value in Color


@program("members as dict keys, in lists and loops", ({Color.GREEN: 5}, [Color.BLUE, Color.RED, Color.GREEN]))
def counted(table: dict[Color, int], items: list[Color]) -> dict[Color, int]:
    for item in items + list(Color):
        table[item] = table.get(item, 0) + 1
    names = [each.name for each in Color]
    return table if len(names) == len(Color) else {}


@program("members of an IntEnum are ints", (Level.LOW, 3), (Level.HIGH, 1))
def levels(level: Level, n: int) -> str:
    total = level + n * Level.HIGH
    return f"{level} {[level]} {total} {level > n} {level < Level.HIGH} {-level} {level == 2} {bool(level)} {Level(2).name}"


@program("enums of str, optional and in unions", (Word.YES, None), (Word.NO, Word.YES), (Word.NO, 4))
def words(w: Word, other: Optional[Union[Word, int]]) -> Union[Word, str, None]:
    if other is None:
        return w.value if w is Word.YES else None
    if isinstance(other, Word):
        return other
    return Word(w.value + "") if other else "zero"


class Pair(NamedTuple):
    left: int
    right: float = 2.5

    def total(self) -> float:
        return self.left + self.right

    @staticmethod
    def of(n: int) -> Pair:
        return Pair(n)


Old = namedtuple("Old", "name size")


of_row("named tuples")


@program("named tuples: fields, methods, unpacking and text", (Pair(1), 3), (Pair(-2, 0.5), 0))
def pairs(p: Pair, n: int) -> tuple[Pair, float]:
    q = Pair.of(n)
    a, b = q
    print(p, [q], p.left, q[1], p[-1], a, b, len(p), p.total(), q._replace(left=9), p._asdict())
    return q._replace(right=p.right), p.right * a


@program("named tuples are tuples", (Pair(1), (1, 2.5)), (Pair(2, 0.0), (3, 0.0)))
def as_tuples(p: Pair, t: tuple[int, float]) -> list[bool]:
    found = [p == t, p != Pair(1), p < Pair(2), isinstance(p, tuple), isinstance(p, Pair), 2.5 in p, bool(p)]
    for item in p + (1,):
        found.append(item == 1)
    return found


@program("a namedtuple without annotations takes the types of its arguments", ("ab", 2))
def untyped(name: str, n: int) -> str:
    first = Old(name, n)
    second = Old(size=n * 0.5, name=[n])
    second.name.append(first.size)
    return f"{first} {second} {first.name[0]} {second.size}"


of_row("enums")


@program("named tuples and members in containers cross the boundary", ([Pair(1)], {"a": Color.RED}))
def crossing(ps: list[Pair], table: dict[str, Color]) -> list[Pair]:
    ps.append(ps[0]._replace(left=len(ps)))
    table["b"] = Color.BLUE
    return ps


class Sized(Protocol):
    def size(self) -> int: ...


class Box:
    def __init__(self, n: int) -> None:
        self.n = n

    def size(self) -> int:
        return self.n


class Bag:
    def size(self) -> int:
        return 7


def doubled(thing: Sized) -> int:
    return thing.size() * 2


of_row("abstract types")


@program("a protocol is whatever has its methods", (4,))
def protocol(n: int) -> int:
    return doubled(Box(n)) + doubled(Bag())
