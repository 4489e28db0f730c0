"""Heaps and sorted lists: heapq and bisect; loops over values of several iterable types."""

# ruff: noqa
from __future__ import annotations

import bisect
import heapq
from bisect import bisect_left, insort
from enum import Enum
from heapq import heappop, heappush
from typing import Iterator, Union

from language_rows import of_row
from oracle import program

of_row("whole programs")


@program("heapq: numbers pushed into an empty list and popped", ([5, 1, 4, 1, 3],), ([],), ([1],))
def heap_order(xs: list[int]) -> list[int]:
    heap = []
    for x in xs:
        heappush(heap, x)
    out = []
    while heap:
        out.append(heappop(heap))
    return out


@program("heapq: what lies where after heapify, heapreplace and heappushpop", ([5, 1, 4, 1, 3, 9, 2],), ([],), ([2],))
def heap_layout(xs: list[int]) -> tuple[list[int], int]:
    heapq.heapify(xs)
    least = heapq.heappushpop(xs, 3)
    if xs:
        least = least * 10 + heapq.heapreplace(xs, 0)
    return xs, least


@program("heapq: equal first parts are ordered by the second", ({"a": [("b", 1.5), ("c", 4.0)], "b": [("c", 2.0)]}, "a"))
def shortest(edges: dict[str, list[tuple[str, float]]], start: str) -> dict[str, float]:
    found: dict[str, float] = {}
    heap = [(0.0, start)]
    while heap:
        far, node = heapq.heappop(heap)
        if node in found:
            continue
        found[node] = far
        for other, step in edges.get(node, ()):
            heapq.heappush(heap, (far + step, other))
    return found


class Task:
    def __init__(self, rank: int, name: str) -> None:
        self.rank = rank
        self.name = name

    def __lt__(self, other: "Task") -> bool:
        return self.rank < other.rank


@program("heapq: instances by their own order", ([3, 1, 3, 2, 1],), ([],))
def tasks(ranks: list[int]) -> list[str]:
    heap: list[Task] = []
    for i, rank in enumerate(ranks):
        heapq.heappush(heap, Task(rank, f"t{i}"))
    return [heapq.heappop(heap).name for _ in range(len(heap))]


@program("heapq: nlargest and nsmallest, with a key", (["pear", "fig", "apple", "kiwi"], 2), ([], 3), (["a"], -1))
def extremes(words: list[str], n: int) -> tuple[list[str], list[str], list[str]]:
    return heapq.nsmallest(n, words), heapq.nlargest(n, words, key=len), heapq.nsmallest(n, words, key=len)


@program("heapq: an empty heap", (0,), (1,))
def nothing_left(k: int) -> str:
    heap = [7] if k else []
    try:
        heapq.heappop(heap)
        return str(heapq.heapreplace(heap, 1))
    except IndexError as error:
        return f"{error} {heap}"


@program("bisect: places in a sorted list", ([1, 3, 3, 8], 3), ([], 1), ([2], 0))
def places(xs: list[int], x: int) -> list[int]:
    return [bisect.bisect(xs, x), bisect_left(xs, x), bisect.bisect_right(xs, x, 1), bisect_left(xs, x, 0, len(xs)), bisect.bisect(xs, x, 0, -1)]


@program("bisect: insort keeps the order, with a key", (["ccc", "a", "bb", "dd"],), ([],))
def by_length(words: list[str]) -> tuple[list[str], int]:
    kept: list[str] = []
    for word in words:
        insort(kept, word, key=len)
    return kept, bisect.bisect_left(kept, 2, key=len)


@program("bisect: a negative lo", ([1, 2], -1), ([1, 2], 1))
def from_where(xs: list[int], low: int) -> int:
    return bisect.bisect(xs, 2, low)


of_row("loops")


@program("a loop over what get gives, with an empty tuple in place of a list", ({"a": [1, 2, 3]}, "a"), ({}, "a"), ({"a": []}, "a"))
def or_nothing(table: dict[str, list[int]], key: str) -> list[int]:
    out = []
    for x in table.get(key, ()):
        if x == 2:
            continue
        table[key].append(9) if len(out) == 0 else None
        out.append(x)
    else:
        out.append(-1)
    return out


@program("what consumes a list or a tuple", ({"a": [1, 2, 3]}, "a"), ({}, "a"))
def consumers(table: dict[str, list[int]], key: str) -> list[str]:
    out: list[int] = [0]
    out.extend(table.get(key, ()))
    out += table.get(key, (7, 8))
    texts = [str(sorted(table.get(key, ()), reverse=True)), str(tuple(table.get(key, ()))), str(sum(table.get(key, ())))]
    texts.append(",".join(str(x) for x in table.get(key, ()) if x > 1))
    texts.append(str({x: i for i, x in enumerate(table.get(key, (4,)))}))
    return texts + [str(out), str(any(x > 2 for x in table.get(key, ()))), str(max(table.get(key, ()), default=None))]


def shown(value: Union[str, list[str], dict[str, int], tuple[int, ...]]) -> list[str]:
    return [str(item) for item in value]


@program("one loop over text, lists, keys and tuples", ("ab",), ("",))
def any_of_four(s: str) -> list[list[str]]:
    return [shown(s), shown([s, s]), shown({s: 1, "q": 2}), shown((1, 2))]


@program("a list or a dict that changes under its loop", ([1], 2), ({1: 2}, 1), ({1: 2}, 0))
def grows(values: Union[list[int], dict[int, int]], n: int) -> list[int]:
    out = []
    for x in values:
        if n > 0:
            n -= 1
            if isinstance(values, dict):
                values[x + 100] = 1
            else:
                values.append(x + 1)
        out.append(x)
    return out


def one_by_one(table: dict[str, list[int]], key: str) -> Iterator[int]:
    yield from table.get(key, (5, 6))
    for x in table.get(key + key, ()):
        yield x * 10


@program("a list or a tuple that is kept as an iterator, and one beside others", ({"a": [1, 2], "aa": [3]}, "a"), ({}, "a"))
def kept(table: dict[str, list[int]], key: str) -> tuple[list[int], list[tuple[int, str]], int]:
    rest = iter(table.get(key, ()))
    first = next(rest, -1)
    return list(one_by_one(table, key)) + list(rest), list(zip(table.get(key, (7,)), "xyz")), first


of_row("assignment")


@program("unpacking of a list or a tuple", (2,), (0,), (-1,))
def either(n: int) -> tuple[int, list[int], str]:
    pair = (1, 2) if n > 0 else [n, 4, 5][: 3 + n]
    first, *others = pair
    try:
        a, b = pair
        return first, others, f"{a}{b}"
    except ValueError as error:
        return first, others, str(error)


@program("unpacking of tuples of several lengths", ([1, 2, 3],), ([1],))
def several_lengths(xs: list[int]) -> list[str]:
    out = []
    for head, *tail in [(1, 2, 3), (4,)]:
        out.append(f"{head}{tail}")
    pair = (xs[0], 0) if len(xs) > 1 else (xs[0],)
    try:
        a, b = pair
        out.append(str(a + b))
    except ValueError as error:
        out.append(str(error))
    return out


of_row("refinement")


@program("len() tells tuples of several lengths apart", (1,), (0,))
def by_len(n: int) -> int:
    pair = (n, 2) if n else (n, 2, 3)
    if len(pair) == 2:
        return pair[1]
    if len(pair) >= 3:
        return pair[2] * 10


of_row("match")


class Side(Enum):
    LEFT = 0
    UP = 1
    RIGHT = 2


def turned(side: Side) -> Side:
    match side:
        case Side.LEFT | Side.UP:
            return Side.RIGHT
        case Side.RIGHT:
            return Side.LEFT


@program("a match that names every member", (0,), (1,), (2,))
def all_members(n: int) -> str:
    return turned(Side(n)).name


def worded(answer: bool | None) -> str:
    match answer:
        case None:
            return "none"
        case True:
            return "yes"
        case False:
            return "no"


@program("a match that names both bools and None", (1,), (0,))
def both_bools(n: int) -> list[str]:
    return [worded(n > 0), worded(None)]


@program("a last case that takes every tuple of its length", ("rect", 3.0), ("", 2.0))
def area(kind: str, size: float) -> float:
    match (kind, size, 2.0):
        case ("rect", w, h):
            return w * h
        case (_, *rest):
            return -sum(rest)


of_row("builtins")


def as_number(value: Union[int, float, bool, str]) -> tuple[int, float]:
    return int(value), float(value)


@program("int() and float() of a number or a text", ("12",), (" 7 ",), ("x",))
def from_any(text: str) -> list[tuple[int, float]]:
    return [as_number(3), as_number(2.75), as_number(True), as_number(text)]


of_row("dict methods")

SHORT = {"ab": "x", "cd": "y"}


class Shortcuts:
    known = {"ab": "q", "ef": "z"}

    def all(self) -> dict[str, str]:
        made = dict(self.known)
        made.update(SHORT)
        return made


@program("dict() and update() of a dict outside, whose keys could be pairs", ("ab",), ("gh",))
def outside(key: str) -> tuple[dict[str, str], dict[str, str], str]:
    copied = dict(SHORT)
    copied[key] = "new"
    return copied, Shortcuts().all(), SHORT.get(key, "-")
