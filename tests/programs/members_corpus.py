"""Enums that are texts or numbers, with methods of their own; named tuples as tuples."""

# ruff: noqa
from __future__ import annotations

import enum
from collections import namedtuple
from enum import Enum, auto
from typing import NamedTuple, Optional

from language_rows import of_row
from oracle import program, refused

of_row("enums")


class Colour(str, Enum):
    RED = "red"
    BLUE = "blue"


class Level(int, Enum):
    LOW = 1
    HIGH = 5


class Shade(str, Enum):
    DARK = "dark"
    LIGHT = "light"

    def __str__(self) -> str:
        return self.value.title()

    @classmethod
    def default(cls) -> Shade:
        return cls.DARK

    @staticmethod
    def count() -> int:
        return 2

    @property
    def width(self) -> int:
        return len(self.value)


class Plain(Enum):
    A = 1
    B = 2
    FIRST = 1

    def __str__(self) -> str:
        return f"<{self.name}>"


@program("a str enum beside texts", ("red",), ("blue",), ("green",))
def text_members(s: str) -> str:
    c = Colour(s)
    return f"{c == 'red'} {c.value} {c.upper()} {c + '!'} {c is Colour.RED} {c < 'green'} {len(c)} {c[0]} {c[1:]}"


@program("the texts of a str enum", (True,), (False,))
def member_texts(c: bool) -> str:
    m = Colour.RED if c else Colour.BLUE
    return f"{m} {m!r} {m:>12} " + str(m) + " %s " % m + "{}".format(m) + repr([m]) + str((m, "x"))


@program("a str enum in containers and loops", (["red", "x"],), ([],))
def among_texts(v: list[str]) -> list[str]:
    out = [s for s in v if s in [Colour.RED]]
    counts = {Colour.RED: len(v), Colour.BLUE: 0}
    counts[Colour(Colour.RED.value)] += 1
    out += [f"{key.name}{n}" for key, n in counts.items()]
    return out + ["".join(sorted(letter for letter in Colour.BLUE)), str("e" in Colour.RED), str(max(Colour).name)]


def described(c: Colour) -> str:
    match c:
        case Colour.BLUE:
            return "cold"
        case "red":
            return "hot"
    return "none"


@program("a str enum as a parameter, in match and isinstance", (0,), (1,))
def member_parameter(i: int) -> str:
    c = list(Colour)[i]
    return described(c) + str(isinstance(c, str)) + str(isinstance(c, Colour))


@program("an enum of ints that shows its name", (1,), (5,))
def number_members(n: int) -> str:
    m = Level(n)
    return f"{m} {m!r} {m + 1} {m < 3} {m == 5} " + str(m) + str(m in (1, 2))


@program("methods and __str__ of an enum", ("dark",), ("light",))
def own_text(s: str) -> str:
    m = Shade(s)
    return f"{m} {m!r} {m:>8} {[m]} {m.width} {Shade.default().name} {Shade.count()} " + str(m) + m + f"{Plain.A}" + str(Plain.B)


@program("the members of an enum by name", ("A",), ("FIRST",), ("C",))
def by_name(name: str) -> list[str]:
    found = Plain.__members__.get(name)
    out = [k + str(m.value) for k, m in Plain.__members__.items()]
    if name in Plain.__members__:
        out.append(Plain.__members__[name].name)
    return [*out, *Plain.__members__, str(len(Plain.__members__)), "none" if found is None else found.name]


of_row("named tuples")


class Pair(NamedTuple):
    a: int
    b: int = 2


class Mixed(NamedTuple):
    key: str
    size: float = 0.5


Loose = namedtuple("Loose", "x y")


@program("index and count of a named tuple", (1, 1), (3, 4))
def as_tuples(a: int, b: int) -> str:
    p = Pair(a, b)
    try:
        return f"{p.count(1)} {p.index(4)} {Mixed('k').index('k')}"
    except ValueError as error:
        return f"{p.count(1)} {error}"


@program("_make of lists, tuples and iterators", ([3, 4],), ([1],), ([1, 2, 3],))
def made(v: list[int]) -> str:
    try:
        return f"{Pair._make(v)} {Mixed._make(('a', 1.5))} {Pair._make(range(2))} {list(map(Pair._make, [v, [7, 8]]))}"
    except TypeError as error:
        return str(error)


@program("_fields, and calls with stars", ((1, 2),))
def spread_fields(t: tuple[int, int]) -> str:
    p = Pair(*t)
    named = Pair(**{"a": 7})
    return f"{p} {named} {Pair(*(5,), b=3)} {Loose(*t)} {Pair._fields} {p._fields[1]} {[f for f in Mixed._fields]}"


ORIGIN = Pair(4)
ALL = (Mixed("a"), Mixed("b", 2.0))
LOOSE = Loose(1, "one")


def shifted(p: Pair = ORIGIN, by: int = 1) -> Pair:
    return p._replace(a=p.a + by)


@program("named tuples of the module", (1,), (0,))
def constants(n: int) -> str:
    named = {each.key: each.size for each in ALL}
    return f"{ORIGIN} {ORIGIN.a + n} {shifted()} {shifted(Pair(n), 2)} {named} {LOOSE.y} {ALL[1].size} {ORIGIN == Pair(4, n)}"


@program("named tuples as defaults of an entry point", (), (Pair(1),), (Pair(1), None))
def defaults(p: Pair = Pair(7, 8), other: Optional[Pair] = Pair(9)) -> str:
    return f"{p} {other}"


class Access(enum.Flag):
    READ = 1
    WRITE = 2


of_row("enums")


@program("flags that have nothing in common", (True,), (False,))
def flags(c: bool) -> bool:
    return bool(Access.READ & Access.WRITE) or c


of_row("named tuples")


class Person(NamedTuple):
    name: str
    pay: float = 1.0
    boss: Optional[Person] = None

    def chain(self) -> list[str]:
        return [self.name] + (self.boss.chain() if self.boss else [])


@program("a named tuple with one of its own class in a field", (2.5,), (0.5,))
def chained_tuples(pay: float) -> tuple[list[str], Person, bool]:
    ann = Person("ann")
    bob = Person("bob", pay, ann)
    cy = bob._replace(name="cy", boss=bob)
    names, above = cy.chain(), cy
    while above is not None:
        names.append(above.name)
        above = above.boss
    print(cy.boss.boss.name, sorted([bob, ann], key=lambda one: one.pay)[0].name, cy == Person("cy", pay, bob))
    return names, cy, ann.boss is None
