"""Containers whose elements decide about == and <: search, sorting, order; tuples' methods; dict views as sets."""
# ruff: noqa: ANN001, ANN201, ANN202

from __future__ import annotations

from dataclasses import dataclass
from typing import Union

from language_rows import of_row
from oracle import program

of_row("list methods")


@dataclass
class Card:
    rank: int
    suit: str = "s"

    def __lt__(self, other: Card) -> bool:
        print("<", self.rank, other.rank)
        return self.rank < other.rank


@dataclass(order=True)
class Version:
    major: int
    minor: int


class Near:
    def __init__(self, x: float) -> None:
        self.x = x

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Near) and abs(self.x - other.x) < 0.5

    def __gt__(self, other: Near) -> bool:
        return self.x > other.x

    def __repr__(self) -> str:
        return f"~{self.x}"


@program("list.index, count and remove of plain elements with bounds", ([1, 2, 1, 3, 1], 1, 1, -1), ([], 1, 0, 0),
         ([3, 3], 3, 1, 1), ([5, 6], 6, -9, 99), ([1, 2], 2, -2, -1))
def bounded(xs: list[int], x: int, start: int, stop: int) -> tuple[int, int, int]:
    return xs.count(x), xs.index(x, start), xs.index(x, start, stop)


@program("list.index, count and remove by the elements' own ==", ([1.0, 1.2, 5.0], 1.1), ([3.0], 9.0), ([], 0.0), ([7.0, 1.0, 1.3], 1.4))
def searched(xs: list[float], x: float) -> list[float]:
    items = [Near(each) for each in xs]
    wanted = Near(x)
    print(items.count(wanted), wanted in items)
    try:
        print(items.index(wanted), items.index(wanted, 1))
    except ValueError as error:
        print(error)
    items.remove(wanted)
    return [each.x for each in items]


@program("sorting by the elements' own <, in CPython's order of asking", ([3, 1, 2, 2],), ([1, 2, 3],), ([5, 4, 3, 2],), ([],), ([2, 2, 1, 9, 0, 7],))
def hands(ranks: list[int]) -> list[tuple[int, str]]:
    cards = [Card(rank, str(i)) for i, rank in enumerate(ranks)]
    cards.sort()
    print([card.suit for card in cards])
    return [(card.rank, card.suit) for card in sorted(cards, reverse=True)]


@program("sorting many instances is stable", (200, 7), (64, 3), (63, 5), (1, 1))
def many(n: int, modulus: int) -> list[tuple[int, int]]:
    items = [Version(i * 37 % modulus, i) for i in range(n)]
    found = sorted(items, reverse=n % 2 == 0)
    items.sort()
    return [(v.major, v.minor) for v in found] + [(v.major, v.minor) for v in items]


@program("sorting by the reflected >", ([2.0, 0.1, 1.0],), ([],), ([3.0, 3.1],))
def reflected(xs: list[float]) -> str:
    items = [Near(x) for x in xs]
    items.sort()
    return repr(items)


@program("order of lists, tuples and nested containers of instances", (1, 2), (2, 1), (1, 1))
def ordered(a: int, b: int) -> list[bool]:
    x, y = [Version(a, 0), Version(b, 1)], [Version(a, 0), Version(a, 1), Version(0, 0)]
    p, q = (a, Version(b, a)), (a, Version(a, b))
    deep = [[(a, Version(1, b))]] < [[(a, Version(1, a))]]
    return [x < y, x <= y, x > y, x >= y, p < q, p <= q, p > q, p >= q, deep, min(p, q) == p, x[:1] == y[:1]]


@program("sorting pairs with instances in them", ([3, 1, 3], [1, 2, 0]), ([], []))
def pairs(a: list[int], b: list[int]) -> list[int]:
    made = sorted((x, Version(y, 0)) for x, y in zip(a, b))
    top = max(made)[1].major if made else -1
    return [v.major * 10 + x for x, v in made] + [top]


of_row("tuples")


@program("tuple.index and tuple.count", ((1, 2, 1), 1, 1), ((5, 5, 5), 4, 0), ((0, 1, 2), 2, -1), ((3, 4, 3), 3, -2))
def tupled(t: tuple[int, int, int], x: int, start: int) -> tuple[int, int, int, int]:
    mixed = (x, "a", 1.0, None)
    return t.count(x), mixed.count("a") + mixed.index(1.0), t.index(x), t.index(x, start, 3)


@program("index and count of a tuple of any length", ((1, 2, 2), 2), ((), 0))
def long_tuple(t: tuple[int, ...], x: Union[int, str]) -> tuple[int, int]:
    return t.count(x), t.index(x)


of_row("dict methods")


@program("dict views as sets", ({"a": 1, "b": 2}, {"b": 2, "c": 3}), ({}, {}), ({"x": 1}, {"x": 2}))
def views(d: dict[str, int], e: dict[str, int]) -> None:
    print(sorted(d.keys() & e.keys()), sorted(d.keys() | e), sorted(d.keys() - e.keys()), sorted(d.items() ^ e.items()))
    print(d.keys() == e.keys(), d.items() <= e.items(), d.keys() >= {"a"}, {"x"} == d.keys(), d.keys() != e.keys())
    print(("a", 1) in d.items(), 2 in d.values(), "b" in d.keys(), len(d.items() & e.items()), sorted({"a", "q"} - d.keys()))


@program("dict: merging, fromkeys, pairs and keywords", ({"a": 1}, {"b": 2, "a": 3}), ({}, {"z": 0}))
def merged(d: dict[str, int], e: dict[str, int]) -> dict[str, int]:
    whole = d | e
    d |= e
    d.update([("k", 7)])
    d.update({"k": 8}, last=9)
    made = dict([("p", 1), ("q", 2)], r=3)
    spare = dict.fromkeys("xyx", len(whole))
    made.update(spare)
    return made | {**whole, "n": d.pop("k") + d.setdefault("new", 5)}


of_row("list methods")


@program("in a list of other things, an instance decides", ([1, 2], 2.2), ([], 1.0), ([3], 0.0))
def foreign(xs: list[int], x: float) -> tuple[bool, bool, bool]:
    wanted = Loose(x)
    return wanted in xs, wanted not in (1, "a", 2.0), xs == [wanted] * len(xs)


class Loose:
    def __init__(self, x: float) -> None:
        self.x = x

    def __eq__(self, other: object) -> bool:
        if isinstance(other, (int, float)):
            return abs(other - self.x) < 1
        return False
