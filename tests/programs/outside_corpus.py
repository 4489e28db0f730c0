"""Containers outside the function: nested tables and graphs, passed on, kept in variables and attributes, compared; and
views of dicts: as text, as results of functions."""

from __future__ import annotations

import itertools
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass

from language_rows import of_row
from oracle import program

of_row("names")

STREETS = {"home": ["school", "park"], "school": ["shop"], "park": ["shop"], "shop": []}
BOARD = [[1, 2, 3], [4, 5, 6], [7, 8, 9]]
RULES = {"+": (1, ["left"]), "^": (3, ["right", "strict"])}
OPTIONS = {"rate": 0.5, "decay": 0.1}
LEVELS = [0, 10, 20]
NEIGHBOURS = {1: {2, 3}, 2: {1}, 3: {1}}
WORDS = [("ant", ["insect"]), ("oak", ["tree", "wood"])]


def reachable(streets: dict[str, list[str]], start: str) -> list[str]:
    found, todo = [], [start]
    while todo:
        at = todo.pop(0)
        if at not in found:
            found.append(at)
            todo += streets[at]
    return found


@program("outside: a graph given to a helper", ("home",), ("shop",), ("moon",))
def walked(start: str) -> tuple[list[str], int]:
    return reachable(STREETS, start), len(STREETS)


@program("outside: rows and columns of a table", (0,), (2,), (3,))
def crossed(i: int) -> tuple[int, list[int], list[list[int]]]:
    turned = [list(column) for column in zip(*BOARD)]
    return sum(BOARD[i]), [row[i] for row in BOARD], turned


@program("outside: tuples that hold lists", ("+",), ("^",), ("?",))
def ruled(op: str) -> str:
    level, names = RULES[op]
    return f"{level}: {', '.join(names)} of {sorted(RULES)}"


@program("outside: defaults merged with what is given", ({"rate": 1.0},), ({},))
def merged(given: dict[str, float]) -> tuple[dict[str, float], dict[str, float], str, bool]:
    whole = {**OPTIONS, **given}
    copied = dict(OPTIONS)
    copied["decay"] = 0.0
    return whole, copied, str(OPTIONS), whole == OPTIONS


@program("outside: in a variable that may hold another", (True,), (False,))
def either(given: bool) -> tuple[int, list[int], int]:
    levels = [5, 6] if given else LEVELS
    more = None
    if not given:
        more = LEVELS
    return max(levels), LEVELS + levels, 0 if more is None else len(more)


class Map:
    near = {"a": ["b"], "b": []}

    def __init__(self, name: str) -> None:
        self.name = name
        self.table = NEIGHBOURS

    def degree(self, node: int) -> int:
        return len(self.table[node]) + len(self.near.get(self.name, [])) + len(Map.near["a"])


@program("outside: in attributes of instances and classes", ("a", 1), ("q", 3), ("b", 9))
def degrees(name: str, node: int) -> tuple[int, bool]:
    made = Map(name)
    return made.degree(node), 2 in made.table[1]


def kinds() -> Iterator[str]:
    for name, tags in WORDS:
        for tag in tags:
            yield f"{name}:{tag}"


@program("outside: walked by a generator that is kept", (1,), (5,))
def tagged(n: int) -> tuple[list[str], str]:
    some = kinds()
    return [next(some, "-") for _ in range(n)], next(iter(WORDS))[0]


def scaled(rows: list[list[int]], by: int) -> list[list[int]]:
    return [[x * by for x in row] for row in rows]


@program("outside: its inner lists beside others in one list", (2,), (0,))
def beside(by: int) -> tuple[list[list[int]], int]:
    rows = [BOARD[0], [by], *scaled(BOARD, by)[:1]]
    copies = [row[:] for row in rows]
    copies[0].append(by)
    return copies, sum(map(sum, rows))


of_row("dict methods")


class Shelf:
    """What `__iter__` gives is an iterator over the view of a dict that an attribute holds."""

    def __init__(self) -> None:
        self.items: dict[str, list[str]] = {}

    def __iter__(self) -> Iterator[list[str]]:
        return iter(self.items.values())


@program("loops: __iter__ over the values of an attribute", ("ab cd",), ("",))
def shelves(text: str) -> dict[str, int]:
    shelf = Shelf()
    for word in text.split():
        shelf.items[word] = list(word)
    counts: dict[str, int] = {}
    for letters in shelf:
        for letter in letters:
            counts[letter] = counts.get(letter, 0) + 1
    return counts


@program("closures: the method or view of a container as a result", (3,), (0,))
def views_given(n: int) -> tuple[list[int], int, list[int]]:
    items = [1]
    table = {1: 2}

    def adder():
        return items.append

    def shown():
        return table.values()

    add = adder()
    values = shown()
    add(n)
    table[n] = 4
    return items, sum(shown()), list(values)


def freshly(log: list[int]) -> dict[str, int]:
    log.append(1)
    return {"a": len(log)}


def noted(log: list[int]) -> int:
    log.append(2)
    return len(log)


@program("dicts: views as text", ({"x": 1, "y": 2},), ({},))
def view_texts(d: dict[str, int]) -> tuple[str, str, str, list[int]]:
    log: list[int] = []
    order = OrderedDict([("a", 1), ("b", 2)])
    order.move_to_end("a")
    kept = d.keys()
    print(noted(log), freshly(log).keys(), noted(log), order.items(), d.values())
    d["z"] = len(d)
    return str(kept), f"{order.values()!r} {d.items()} {order.keys()!s:>30}", repr(d.values()), log


@dataclass(frozen=True)
class Move:
    x: int
    y: int = 0

    def __add__(self, other: Move) -> Move:
        return Move(self.x + other.x, self.y + other.y)


STAY = Move(0)
MOVES = {"n": Move(0, 1), "e": Move(1), "s": Move(0, -1)}


@dataclass
class Walker:
    name: str
    at: Move = STAY


class Format:
    scale = 2

    def __init__(self, width: int = 3, names: list[str] | None = None) -> None:
        self.width = width
        self.names = names or ["a", "b"]

    def __call__(self, n: int) -> str:
        return str(n * self.scale).rjust(self.width)


NARROW = Format()


def in_format(numbers: list[int], shown: Format = NARROW) -> str:
    return ",".join(map(shown, numbers)) + shown.names[0]


@program("outside: instances of a frozen dataclass, in tables and as defaults of fields", ("nne",), ("",), ("ns",))
def walked_by(path: str) -> tuple[int, int, bool, list[str], int]:
    walker = Walker("w")
    seen = {walker.at}
    for step in path:
        walker.at = walker.at + MOVES[step]
        seen.add(walker.at)
    return walker.at.x, walker.at.y, walker.at == STAY, [k for k, v in MOVES.items() if v in seen], len(seen)


@program("outside: instances as defaults, called and read", ([1, 22],), ([],))
def formatted(numbers: list[int]) -> list[str]:
    return [in_format(numbers), in_format(numbers, Format(5, ["z"])), NARROW(7), ",".join(NARROW.names)]


ROUTES = ([(3, 4), (3,)], {"north": [1, "a"]}, 2.5)


@program("outside: tuples with lists and dicts, whose rows differ in length", (1,), torch=False)
def routed(step: int) -> tuple[str, int, list[int]]:
    turns, names, weight = ROUTES
    lengths = [len(turn) for turn in turns]
    return f"{ROUTES} {names['north'][step]} {weight}", len(ROUTES[0]), lengths


of_row("names")

MISSING, OTHER = object(), object()


class Setting:
    def __init__(self, value=MISSING):
        self.value = value

    def shown(self) -> str:
        return "unset" if self.value is MISSING else f"={self.value}"


@program("object() outside says that something is missing, in variables, attributes and dicts", (1,), (2,))
def missing(n: int) -> tuple[str, str, str, list[bool], int]:
    table = {"a": 1, "b": 2}
    found = table.get("abc"[n], MISSING)
    chosen = MISSING if n > 1 else OTHER
    result = MISSING
    for each in table.values():
        if each == n:
            result = each + 0.5
    pairs = itertools.zip_longest([1, 2], "x" * n, fillvalue=MISSING)
    kept = sum(1 for number, text in pairs if text is not MISSING)
    rest = 0 if found is MISSING else found
    flags = [chosen is MISSING, chosen == OTHER, MISSING is OTHER, MISSING != OTHER, found is not MISSING]
    return Setting().shown(), Setting(n).shown(), str(result), flags, kept + rest
