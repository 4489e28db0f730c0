"""Instances outside the functions that a program tells apart: by `is`, by default `==`, in containers and as keys; each is
one object in all functions, in each other's attributes and after load."""

# ruff: noqa
from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, Iterator, List, Optional

from language_rows import of_row
from oracle import program

of_row("identity")

class Mode:
    def __init__(self, name: str, tags=None, parent=None):
        self.name = name
        self.tags = tags or []
        self.parent = parent

    def is_default(self) -> bool:
        return self is FAST

FAST = Mode("fast", ["a"])
SLOW = Mode("slow", parent=FAST)
ALL = [FAST, SLOW]
BY_NAME = {"fast": FAST, "slow": SLOW}
RANK = {FAST: 1, SLOW: 2}

class Job:
    mode = FAST

    def __init__(self, mode: Mode = SLOW):
        self.mode = mode

def picked(name: str = "fast", default: Mode = FAST) -> Mode:
    return BY_NAME.get(name, default)

@program("outside instances: by is, from names, containers, attributes and defaults", ("fast",), ("slow",), ("other",))
def told_apart(name: str):
    m = picked(name)
    j = Job(m)
    return m is FAST, m.is_default(), m.parent is FAST, m.tags is FAST.tags, j.mode is Job.mode, Job().mode is SLOW, Job.mode is picked(), [
        x is m for x in ALL], m is not SLOW

@program("outside instances: found in containers, beside equal ones of the program's own", ("fast",), ("slow",))
def found_outside(name: str):
    m, mine = picked(name), Mode("fast", ["a"])
    return m == SLOW, m in ALL, mine in ALL, mine == FAST, ALL.index(m), ALL.count(mine), m in {FAST}, RANK[m], RANK.get(mine, 0), len(
        {m, FAST, SLOW, mine})

class Base:
    def __init__(self, n: int):
        self.n = n

class Derived(Base):
    pass

PLAIN = Base(1)
SPECIAL = Derived(2)

@program("outside instances: of a class and its subclass", (0,), (1,))
def of_two_classes(k: int):
    h = PLAIN if k else SPECIAL
    return h is SPECIAL, SPECIAL is h, PLAIN is SPECIAL, isinstance(h, Derived), h.n

class Cell:
    made = 0

    def __init__(self, value: int, rest: Optional[Cell] = None):
        self.value = value
        self.rest = rest
        Cell.made += 1

NIL = Cell(0)
CHAIN = Cell(1, Cell(2, NIL))

def length(cell: Optional[Cell]) -> int:
    n = 0
    while cell is not None and cell is not NIL:
        cell = cell.rest
        n += 1
    return n

@program("outside instances: the end of lists, beside assigned attributes of the class", (0,), (3,))
def ended_lists(n: int):
    mine, before = NIL, Cell.made
    for i in range(n):
        mine = Cell(i, mine)
    return length(CHAIN), length(mine), mine is NIL, Cell.made - before

@dataclass(frozen=True)
class Options:
    rate: float = 0.5

DEFAULT = Options()

def offered(n: int) -> Iterator[Options]:
    for i in range(n):
        yield DEFAULT if i % 2 else Options(0.5)

@program("outside instances: through generators, closures and defaults of entries", (3,))
def through_functions(n: int, options: Options = DEFAULT):
    def is_default(other: Options) -> bool:
        return other is DEFAULT
    given = lambda: DEFAULT
    return [is_default(each) for each in offered(n)], given() is options, options == Options(), options.rate * n
