"""Helpers of the library, named tuples and exceptions around records: what they give, part by part."""
# ruff: noqa: ANN001, ANN201, ANN202, ANN401

from __future__ import annotations

import itertools
import string
from collections import OrderedDict, defaultdict, deque, namedtuple
from dataclasses import asdict, dataclass
from typing import Dict, List, Tuple

from language_rows import of_row
from oracle import program

Row = namedtuple("Row", "name dept salary")


def read(text: str) -> List[Row]:
    return [Row(name, dept, int(salary)) for name, dept, salary in (line.split() for line in text.splitlines())]


def label(row: Row) -> str:
    return row.name + "/" + row.dept


def in_order(pairs: List[Tuple[str, int]]) -> OrderedDict:
    return OrderedDict(sorted(pairs, key=lambda pair: pair[1]))


def last(pairs: List[Tuple[str, int]], size: int) -> deque:
    return deque(pairs, maxlen=size)


of_row("dict methods")


@program("keys of views: whether two dicts have none in common", ({"a": 1}, {"b": 2}), ({"a": 1}, {"a": 2}))
def apart(a: Dict[str, int], b: Dict[str, int]) -> Tuple[bool, bool]:
    return a.keys().isdisjoint(b), a.items().isdisjoint(b.items())


of_row("assignment")


@program("unpacking of what may be None in a list", (["S."],), (["..", "S"],), ([".."],))
def start(lines: List[str]) -> int:
    found = None
    for y, line in enumerate(lines):
        if "S" in line:
            found = (line.index("S"), y)
    total = 0
    for x, y in [found]:
        total += 10 * x + y
    return total


of_row("str methods")


@program("what bytes cannot be read as, part by part", (b"ab\xffc",), (b"ok",))
def unreadable(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        where = f"{error.start}-{error.end} of {len(error.object)} as {error.encoding}"
        return data[: error.start].decode() + "?" + where + error.reason


@program("what a text cannot be written as, part by part", ("aé",), ("ok",))
def unwritable(text: str) -> str:
    try:
        return str(text.encode("ascii"))
    except UnicodeEncodeError as error:
        return f"{error.start} {error.end} {error.object!r} {error.encoding} {error.reason}"


@program("capital letters of words", ("the  old MAN",), ("",))
def capital(text: str) -> List[str]:
    return [string.capwords(text), string.capwords("a-b c", "-")]


of_row("calls")


@program("product of a pool with itself, as often as an argument says", (2,), (0,), (3,), (-1,))
def rows_of_bits(n: int) -> List[str]:
    return ["".join(each) for each in itertools.product("01", repeat=n)]


of_row("named tuples")


@program("fields without annotations: of the types of what they are given", ("a x 1\nb y 20",), ("",), ("a b",))
def labels_of_rows(text: str) -> Tuple[Dict[str, int], List[str]]:
    pay = defaultdict(int)
    for row in read(text):
        pay[row.dept] += row.salary
    return dict(pay), [label(row) for row in read(text)]


of_row("dict methods")


@program("results declared as a bare class: what the value is of", ([("a", 3), ("b", 1)], 2))
def bare(pairs: List[Tuple[str, int]], size: int) -> Tuple[str, int]:
    return str(in_order(pairs)), len(last(pairs, size))


of_row("dict methods")


@dataclass
class Stay:
    town: str
    nights: int | None = None
    guests: tuple[str, ...] = ()


@dataclass
class Trip:
    name: str
    stay: Stay
    costs: list[float]


def noted(log: list[str], text: str, value: int) -> int:
    log.append(text)
    return value


@program("an item of a dict that is written or made right there", (1, "a"), (0, "b"))
def items_right_there(n: int, town: str) -> tuple[str, float, list[int], str, list[str], int]:
    log: list[str] = []
    made = asdict(Trip("t", Stay(town), [0.5, 2.0]))["stay"]["town"]
    cost = asdict(Trip("t", Stay(town), [0.5, 2.0]))["costs"][n]
    last = {"a": noted(log, "a", n), "b": [noted(log, "b", 2)], "a": str(noted(log, "c", n))}["b"]  # noqa: F601 - the later one wins
    same = {"a": noted(log, "d", n), "b": [n], "a": str(noted(log, "e", n))}["a"]  # noqa: F601 - the later one wins
    return made, cost, last, same.upper(), log, {"n": n, "text": "x", "none": None}["n"] + 1


class Settings:
    def __init__(self, **values: int) -> None:
        self.values = values

    def keys(self) -> list[str]:
        return sorted(self.values)

    def __getitem__(self, key: str) -> int:
        return self.values[key]


def area(width: int, height: int = 2) -> int:
    return width * 100 + height


@program("instances with keys() and __getitem__ are mappings for dict(), update() and **", (3,))
def mappings_of_own(n: int) -> tuple[dict[str, int], dict[str, int], dict[str, int], int]:
    table = {"depth": 1}
    table.update(Settings(width=n))
    some = Settings(width=n, height=4)
    return dict(some), {"width": 0, **some, "height": 9}, table, area(**some)
