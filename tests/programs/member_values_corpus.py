"""Enums whose values are named tuples, instances, containers and functions, and members that are called."""

# ruff: noqa
from __future__ import annotations

import operator
from dataclasses import dataclass
from enum import Enum, IntEnum
from functools import partial
from typing import NamedTuple

from language_rows import of_row
from oracle import program

of_row("enums")


class Step(NamedTuple):
    row: int
    column: int = 0

    def __add__(self, other: "Step") -> "Step":
        return Step(self.row + other.row, self.column + other.column)


class Heading(Enum):
    UP = Step(-1)
    RIGHT = Step(0, 1)
    LEFT = Step(0, -1)

    def turned(self) -> "Heading":
        order = list(Heading)
        return order[(order.index(self) + 1) % len(order)]

    @property
    def is_level(self) -> bool:
        return self.value.row == 0


@program("members whose values are named tuples, walked by and looked up", (4, 1), (1, 0), (2, 7))
def walked(n: int, column: int) -> list[str]:
    heading, at = Heading.UP, Step(0)
    found: list[str] = []
    for _ in range(n):
        at = at + heading.value
        found.append(f"{at} {heading} {heading.value!r} {heading.is_level}")
        heading = heading.turned()
    return found + [Heading((0, column)).name]


@dataclass(frozen=True)
class Body:
    mass: float
    moons: int = 0

    def is_heavy(self) -> bool:
        return self.mass > 2


class Planet(Enum):
    EARTH = Body(5.9, 1)
    MERCURY = Body(0.3)

    @property
    def mass(self) -> float:
        return self.value.mass


@program("members whose values are instances of a frozen dataclass", ("EARTH",), ("MERCURY",))
def weighed(name: str) -> tuple[bool, int, list[float]]:
    planet = Planet[name]
    return planet.value.is_heavy(), planet.value.moons, [each.mass for each in Planet]


class Part(Enum):
    LOW = [1, 2]
    HIGH = [3, 4, 5]

    def total(self) -> int:
        return sum(self.value)


@program("members whose values are lists", ("LOW", [3, 4, 5]), ("HIGH", [3]))
def totals(name: str, values: list[int]) -> tuple[int, int, str]:
    return Part[name].total(), len(Part.LOW.value), Part(values).name


class Operation(Enum):
    ADD = ("+", operator.add)
    TAKE = ("-", lambda a, b: a - b)
    LARGEST = ("max", max)

    def __init__(self, sign, does) -> None:
        self.sign = sign
        self.does = does

    def __call__(self, a: int, b: int) -> int:
        return self.does(a, b)


class Raising(Enum):
    TWICE = partial(lambda x: x * 2)
    THRICE = partial(lambda x: x * 3)


@program("members that hold functions, and members that are called by name", ("TAKE", "TWICE", 5), ("ADD", "THRICE", 2))
def operated(name: str, by: str, x: int) -> list[int]:
    return [Operation[name](x, 3), Operation.LARGEST(x, 3), Raising[by].value(x), *[each(x, 1) for each in Operation]]


class Rank(IntEnum):
    LOW = 1
    HIGH = 5


class Role(Enum):
    GUEST = Rank.LOW
    ADMIN = Rank.HIGH

    def is_above(self, n: int) -> bool:
        return self.value > n


class Place(Enum):
    DOOR = (Heading.UP, 1)
    HALL = (Heading.LEFT, 2)

    def __init__(self, heading: Heading, width: int) -> None:
        self.heading = heading
        self.width = width


@program("members whose values are members of other enums", ("ADMIN", "DOOR", 1), ("GUEST", "HALL", 5), ("GUEST", "HALL", 7))
def ranked_roles(name: str, place: str, rank: int) -> str:
    role, at = Role[name], Place[place]
    try:
        found = Role(rank).name
    except ValueError as error:
        found = str(error)
    return f"{role.is_above(3)} {role.value!r} {at.heading.name} {at.heading is Heading.UP} {at.width} {found}"
