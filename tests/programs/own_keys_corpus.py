"""Instances as keys of dicts and elements of sets whose classes write `__eq__` and `__hash__` themselves."""
# ruff: noqa: ANN001, ANN201, ANN204, D105, PLW1641, PLW1642 - classes as users write them

from __future__ import annotations

import copy
from collections import Counter, OrderedDict, defaultdict
from dataclasses import dataclass
from typing import Optional, Union

from language_rows import of_row
from oracle import program

of_row("classes")


class Point:
    def __init__(self, x: int, tag: str = "") -> None:
        self.x = x
        self.tag = tag

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Point) and self.x == other.x

    def __hash__(self) -> int:
        return self.x % 3

    def __lt__(self, other: Point) -> bool:
        return self.x < other.x

    def __repr__(self) -> str:
        return f"P({self.x}{self.tag})"


@program(
    "own keys: dicts and sets of the caller", ({}, set(), 1), ({Point(1, "a"): 5, Point(4, "b"): 6, Point(2): 9}, {Point(3)}, 3),
    ({Point(i): i for i in range(20)}, {Point(4)}, 4),
)
def crossing_keys(d: dict[Point, int], s: set[Point], x: int) -> tuple[dict[Point, int], list[Point], int, bool]:
    d[Point(x, "new")] = 7
    d[Point(100)] = 1
    s.add(Point(x, "n"))
    s.discard(Point(3))
    n = d.pop(Point(2), -5)
    return d, sorted(s), n, Point(x) in d and Point(x) in s


class Loud:
    def __init__(self, x: int) -> None:
        self.x = x

    def __eq__(self, other):
        print("eq", self.x, other.x)
        return self.x == other.x

    def __hash__(self):
        print("hash", self.x)
        return self.x % 2


@program("own keys: hash and equality are asked as often, and in the order, as CPython asks", ([1, 3, 1, 2],), ([],))
def asked_keys(xs: list[int]) -> list[int]:
    d: dict[Loud, int] = {}
    for x in xs:
        d[Loud(x)] = d.get(Loud(x), 0) + 1
    s = {Loud(1), Loud(3), Loud(1)}
    t = s | {Loud(5)}
    print(len(t), Loud(3) in t)
    e = dict(d)
    print(e == d, e.pop(Loud(9), None))
    u = set(t)
    print(t == u, len(t & s), len(t - s))
    return [k.x for k in d]


class Name:
    def __init__(self, text: str) -> None:
        self.text = text

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Name):
            return NotImplemented
        return self.text.lower() == other.text.lower()

    def __hash__(self) -> int:
        return hash(self.text.lower())

    def __repr__(self) -> str:
        return "N" + self.text


@dataclass(frozen=True)
class Entry:
    name: Name
    size: int


@program("own keys: inside tuples, Optionals, frozen dataclasses and frozensets", (["a", "A", "b", ""],), ([],))
def nested_keys(xs: list[str]) -> tuple[int, list[list[int]], list[Optional[str]], int, bool, int]:
    m: dict[tuple[Name, int], list[int]] = {}
    for i, x in enumerate(xs):
        m.setdefault((Name(x), len(x)), []).append(i)
    o: dict[Optional[Name], int] = {None: 1}
    for x in xs:
        k = Name(x) if x else None
        o[k] = o.get(k, 0) + 2
    s = {Entry(Name(x), len(x)) for x in xs}
    f = frozenset(Name(x) for x in xs)
    kept = [k.text if k is not None else None for k in o]
    return len(m), list(m.values()), kept, len(s), Entry(Name("B"), 1) in s, len(f | {Name("zz")})


@program("own keys: Counter, defaultdict and OrderedDict", (["a", "b", "a", "bb"],), (["x"],))
def keyed_classes(xs: list[str]) -> tuple[str, str, str, list[str]]:
    c = Counter(Name(x) for x in xs)
    c[Name("q")] += 2
    d: defaultdict[Name, list[int]] = defaultdict(list)
    for i, x in enumerate(xs):
        d[Name(x)].append(i)
    o: OrderedDict[Name, int] = OrderedDict()
    for x in xs:
        o[Name(x)] = len(o)
    if Name("b") in o:
        o.move_to_end(Name("B"))
    return repr(dict(c)), repr(dict(d)), repr(o), [repr(k) for k, _ in c.most_common(1)]


class Unlucky:
    def __init__(self, v: int) -> None:
        self.v = v

    def __eq__(self, other):
        if self.v == 13:
            raise ValueError("unlucky")
        return self.v == other.v

    def __hash__(self):
        if self.v < 0:
            raise TypeError("negative")
        return 1


@program("own keys: errors of hash and equality leave the set as it was", ([1, 2, 1],), ([13, 1],), ([1, -1],))
def failing_keys(xs: list[int]) -> int:
    s: set[Unlucky] = set()
    try:
        for x in xs:
            s.add(Unlucky(x))
    except ValueError:
        return -len(s)
    return len(s)


@program(
    "own keys: KeyError shows the key", ("a", 0), ("z", 0), ("A", 1), ("x", 1), ("b", 2), ("q", 2), ("a", 3), ("c", 3),
    ("a", 4), ("c", 4),
)
def missing_keys(s: str, how: int) -> int:
    d = {Name("a"): 1, Name("b"): 2, Name("A"): 3}
    if how == 0:
        return d[Name(s)]
    if how == 1:
        del d[Name(s)]
    elif how == 2:
        return d.pop(Name(s)) + len(d)
    else:
        names = set(d)
        if how == 3:
            names.remove(Name(s))
        else:
            names.discard(Name(s))
        return len(names)
    return len(d)


@program("own keys: set operations", ([1, 2, 3], [2, 3, 4]), ([], [1]), ([1], []), ([1, 2], [2]), ([5], [5]))
def key_sets(a: list[int], b: list[int]) -> tuple[list[list[Point]], list[bool]]:
    x, y = {Point(i, "a") for i in a}, {Point(i, "b") for i in b}
    made = [x | y, x & y, x - y, x ^ y]
    updated: list[set[Point]] = []
    for i in range(4):
        z = set(x)
        if i == 0:
            z |= y
        elif i == 1:
            z &= y
        elif i == 2:
            z -= y
        else:
            z ^= y
        updated.append(z)
    tests = [x <= y, x < y, x >= y, x > y, x == y, x != y, x.isdisjoint(y), x.issubset(b_all(b)), updated == made]
    return [sorted(s) for s in made + updated], tests


def b_all(b: list[int]) -> frozenset[Point]:
    return frozenset(Point(i) for i in [*b, 1])


@program("own keys: dicts merged, compared, viewed, copied", ([1, 2],), ([],), ([4, 1],))
def merged_keys(xs: list[int]) -> tuple[dict[Point, int], bool, bool, list[Point], list[Point], int]:
    a = {Point(x, "a"): x for x in xs}
    b = {Point(1, "b"): 10, **a}
    a.update({Point(7): 7})
    c = a | b
    same = dict.fromkeys([Point(x) for x in xs], 0)
    common = sorted(a.keys() & same.keys())
    last = c.popitem()
    return c, a == b, {**a} == a, sorted(b), common, last[1]


class Shape:
    def __init__(self, size: int) -> None:
        self.size = size

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Shape) and self.key() == other.key()

    def __hash__(self) -> int:
        return hash(self.key())

    def key(self) -> tuple[str, int]:
        return "shape", self.size


class Square(Shape):
    def key(self) -> tuple[str, int]:
        return "square", self.size


class Alias(Shape):
    pass


@program("own keys: a set of a class and those below it", ([1, 2],), ([],))
def varied_keys(xs: list[int]) -> tuple[int, bool, bool]:
    s: set[Shape] = set()
    for x in xs:
        s.add(Shape(x))
        s.add(Square(x))
        s.add(Alias(x))
    return len(s), Square(1) in s, hash(Shape(3)) == hash(("shape", 3)) and hash((Shape(3), 1)) == hash((("shape", 3), 1))


@program("own keys: elements that are first seen, of parameters without annotations", ([1, 2, 1, 3],), ([],))
def first_keys(ns: list[int]) -> tuple[list[Point], int]:
    seen = first_seen([Point(n) for n in ns])
    groups = {}
    for n in ns:
        groups.setdefault(Point(n % 2), []).append(n)
    return seen, sum(len(g) for g in groups.values())


def first_seen(xs):
    seen = set()
    out = []
    for x in xs:
        if x not in seen:
            seen.add(x)
            out.append(x)
    return out


class Drawer:
    def __init__(self) -> None:
        self.held: dict[Restless, int] = {}
        self.plan = ""

    def stir(self) -> None:
        plan, self.plan = self.plan, ""
        if plan == "clear":
            self.held.clear()
        elif plan == "pop":
            self.held.popitem()
        elif plan == "rotate":
            pairs = list(self.held.items())
            self.held.clear()
            for key, value in pairs[1:]:
                self.held[key] = value
        elif plan == "grow":
            for i in range(20):
                self.held[Restless(100 + i, self)] = i


class Restless:
    def __init__(self, x: int, drawer: Drawer) -> None:
        self.x = x
        self.drawer = drawer

    def __eq__(self, other: object) -> bool:
        self.drawer.stir()
        return isinstance(other, Restless) and self.x == other.x

    def __hash__(self) -> int:
        return 1


@program(
    "own keys: a comparison that changes the dict that is searched",
    *((plan, x) for plan in ("", "clear", "pop", "rotate", "grow") for x in (0, 1, 2, 5)),
)
def stirred_keys(plan: str, x: int) -> tuple[bool, int, int, list[int]]:
    drawer = Drawer()
    for i in range(3):
        drawer.held[Restless(i, drawer)] = i * 10
    drawer.plan = plan
    is_there = Restless(x, drawer) in drawer.held
    if plan != "grow":
        drawer.plan = plan
        drawer.held[Restless(x, drawer)] = 7
    drawer.plan = plan
    return is_there, drawer.held.get(Restless(x, drawer), -1), len(drawer.held), [key.x for key in drawer.held]


@program("own keys: a copy keeps the hashes, also of dicts inside", (2,), (3,))
def copied_keys(x: int) -> tuple[bool, bool]:
    d = {Loud(1): 1, Loud(2): 2}
    shallow, within = copy.copy(d), copy.copy([d])
    print("copied")
    return Loud(x) in shallow, Loud(x) in within[0]


@program(
    "own keys: beside numbers and texts", ([1, 2.5, "a", Point(1)], Point(1)), ([1, 2.5, float("nan")], 2),
    ([Point(1), Point(4), 3], 3.0), ([Point(1), 1, "b"], True), ([Point(1, "a"), Point(4, "b")], 1),
)
def mixed_keys(xs: list[Union[int, float, str, Point]], q: Union[int, float, str, Point]) -> tuple[bool, int, int]:
    s = set(xs)
    n = len(s)
    s.add(q)
    return q in s, n, len(s)
