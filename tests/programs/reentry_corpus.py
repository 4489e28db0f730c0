"""What runs inside an operation: texts of what holds itself, keys of a list being sorted, operators that decline."""
# ruff: noqa: ANN001, ANN201, ANN204, D105, PLW1641 - classes as users write them

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Optional

from language_rows import of_row
from oracle import program

of_row("classes")


class Knot:
    def __init__(self, name: str) -> None:
        self.name = name
        self.ends: list[Knot] = []

    def __repr__(self) -> str:
        return f"{self.name}{self.ends}"


@program("the text of a list that holds itself through instances", (1,), (3,))
def knotted(n: int) -> str:
    knots = [Knot(str(i)) for i in range(n)]
    for i in range(n):
        knots[i].ends.append(knots[(i + 1) % n])
    knots[0].ends.append(Knot("z"))
    return f"{knots} {knots[0].ends!r} {str(knots[-1])}"


@dataclass
class Branch:
    x: int
    twigs: list[Branch] = field(default_factory=list)
    by_name: dict[str, Branch] = field(default_factory=dict)
    up: Optional[Branch] = None


@program("the text of dataclasses that hold themselves in lists, dicts and fields", (2,))
def twisted(n: int) -> list[str]:
    root = Branch(n)
    root.twigs += [root, Branch(1, up=root), Branch(2)]
    root.by_name["me"] = root
    root.by_name["you"] = root.twigs[1]
    return [repr(root), str(root.twigs), f"{root.by_name}", repr(root.twigs[1])]


class Fails:
    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.inner: list[Fails] = []

    def __repr__(self) -> str:
        return str(10 // self.limit) + repr(self.inner)


@program("a text that fails half way can be made again", ([2, 0],), ([1, 5],))
def retried(limits: list[int]) -> str:
    items = [Fails(limit) for limit in limits]
    items[0].inner = items
    try:
        return repr(items)
    except ZeroDivisionError:
        items[1].limit = 7
        return "again " + repr(items)


of_row("builtins")


@program("a list is empty for the key function of its own sort", ([3, 1, 2],), ([],), ([5],))
def watched(xs: list[int]) -> list[int]:
    seen: list[int] = []

    def key(x: int) -> int:
        seen.append(len(xs) * 10 + (x in xs))
        return -x

    xs.sort(key=key)
    return seen + xs


@program("a list changed by its own key function is sorted, and the error says so", ([3, 1, 2],), ([2, 9],))
def disturbed(xs: list[int]) -> list[int]:
    def key(x: int) -> int:
        xs.append(x)
        if x == 1:
            xs.clear()
            xs.append(0)
            xs.pop()
        return x

    try:
        xs.sort(key=key, reverse=len(xs) > 2)
    except ValueError as error:
        print(error)
    return xs


@program("a list keeps its order when the key function fails", ([3, 0, 2],), ([3, 1],), ([0],))
def unsorted(xs: list[int]) -> int:
    calls = 0

    def key(x: int) -> float:
        nonlocal calls
        calls += 1
        if x == 0:
            xs.append(100)
        return 6 / x

    try:
        xs.sort(key=key)
    finally:
        xs.append(calls)
    return calls


@program("a sort inside the key function of a sort", ([[3, 1], [2], [0, 5, 4]],))
def nested_sorts(rows: list[list[int]]) -> list[list[int]]:
    def key(row: list[int]) -> int:
        rows.sort(key=len)
        row.sort(key=lambda x: -x)
        return row[0]

    rows.sort(key=key)
    return rows


@program("sum, min, max, any and all take a generator as it runs", ([3, 1, 0, 2],), ([4, 5],), ([],))
def as_it_runs(xs: list[int]) -> list[int]:
    log: list[int] = []

    def seen(x: int) -> int:
        log.append(x)
        if x == 2:
            xs[0] = 50
        return x

    first = any(seen(x) == 1 for x in xs)
    every = all(12 // seen(x) > 2 for x in xs if x)
    total = sum(seen(x) + len(log) for x in xs)
    log += [total, int(first), int(every)]
    if xs:
        log += [max(seen(x) * len(log) for x in xs), min(seen(x) - len(log) for x in xs)]
    return log


of_row("inheritance")


class Shy:
    def __init__(self) -> None:
        self.log = [0]

    def __add__(self, other: object):
        self.log.append(1)
        return NotImplemented

    def __eq__(self, other: object):
        self.log.append(2)
        return NotImplemented

    def __lt__(self, other: object):
        print("asked", len(self.log))
        return NotImplemented


class Bold:
    def __init__(self, n: int) -> None:
        self.n = n

    def __radd__(self, other: Shy) -> int:
        return len(other.log) * self.n

    def __gt__(self, other: Shy) -> bool:
        return len(other.log) > self.n


@program("operators that return NotImplemented have done what they did", (1,), (2,))
def declined(n: int) -> tuple[int, bool, bool, bool, list[int]]:
    a, b, c = Shy(), Shy(), Bold(n)
    total = a + c
    return total, a == b, a != b, b < c, a.log + b.log


of_row("formatting")


@program("format type n is that of the C locale", (1234567, 1234567.25), (-1, 1e20))
def without_locale(n: int, x: float) -> list[str]:
    return [f"{n:n}", f"{x:n}", format(x, ".3n"), "{:+12n}|".format(n), "%s" % format(x, "n")]
