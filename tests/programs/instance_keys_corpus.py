"""Instances as keys of dicts and elements of sets, by identity and by the fields of dataclasses; Optional and Union keys."""
# ruff: noqa: ANN001, ANN201, D105, PLW1641 - classes as users write them

from __future__ import annotations

import copy
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import Generic, NamedTuple, Optional, TypeVar, Union

from language_rows import of_row
from oracle import program

of_row("classes")


@dataclass(frozen=True)
class Cell:
    row: int
    column: int

    def step(self, down: int, right: int) -> Cell:
        return Cell(self.row + down, self.column + right)


@program("instance keys: breadth first over frozen cells", (["...", ".#.", "..."],), ([".#", "#."],), (["."],))
def shortest_path(grid: list[str]) -> int:
    seen = {Cell(0, 0)}
    queue = [(Cell(0, 0), 0)]
    for at, distance in queue:
        if at.row == len(grid) - 1 and at.column == len(grid[0]) - 1:
            return distance
        for down, right in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            to = at.step(down, right)
            if 0 <= to.row < len(grid) and 0 <= to.column < len(grid[0]) and grid[to.row][to.column] == ".":
                if to not in seen:
                    seen.add(to)
                    queue.append((to, distance + 1))
    return -1


def paths(at: Cell, known: dict[Cell, int]) -> int:
    if at.row == 0 or at.column == 0:
        return 1
    if at in known:
        return known[at]
    known[at] = found = paths(at.step(-1, 0), known) + paths(at.step(0, -1), known)
    return found


@program("instance keys: memo of a recursion", (0,), (1,), (6,))
def counted_paths(n: int) -> tuple[int, int]:
    known: dict[Cell, int] = {}
    return paths(Cell(n, n), known), len(known)


@program("instance keys: dict methods", (1, 2), (3, 3))
def dict_methods(a: int, b: int) -> tuple[list[int], Optional[int], list[int], str, bool]:
    d: dict[Cell, list[int]] = {}
    d.setdefault(Cell(a, b), []).append(1)
    d.setdefault(Cell(a, b), []).append(2)
    d[Cell(0, 0)] = [7]
    taken = d.pop(Cell(0, 0))
    d |= {Cell(b, a): taken}
    text = str(d)
    first = d.get(Cell(9, 9))
    del d[Cell(a, b)]
    return taken, None if first is None else len(first), d.pop(Cell(5, 5), [8]), text, Cell(b, a) in d.keys()


@program("instance keys: the error about one that is missing", (1,), (2,))
def missing_key(n: int) -> str:
    d, s = {Cell(1, 1): "x"}, {Cell(1, 1)}
    try:
        s.remove(Cell(n, n))
        return d[Cell(n, 1)] + d.pop(Cell(n, 2))
    except KeyError as error:
        return str(error)


@program("instance keys: an error about one leaves the program", (1,), (2,))
def escaping_key_error(n: int) -> int:
    return {Cell(1, 1): 5}[Cell(1, n)]


@program("instance keys: operators and relations of sets", ([1, 2, 3], [2, 3]), ([], [1]), ([1], [1]))
def set_operators(a: list[int], b: list[int]) -> tuple[list[int], list[int], list[int], list[int], list[bool]]:
    x, y = {Cell(i, 0) for i in a}, {Cell(i, 0) for i in b}
    made = [x & y, x | y, x - y, x ^ y]
    sizes = [sorted(c.row for c in each) for each in made]
    return sizes[0], sizes[1], sizes[2], sizes[3], [x <= y, x == y, x > y, x.isdisjoint(y), x.issuperset(y)]


@program("instance keys: texts of sets of them", (1,), (2,))
def set_texts(n: int) -> list[str]:
    empty: set[Cell] = set()
    return [f"{ {Cell(n, 0)} }", repr(frozenset([Cell(n, n)])), str(empty), f"{ {Cell(1, 2): {Cell(n, 2)}} }"]


@dataclass(frozen=True)
class Tagged:
    tag: str = field(compare=False)
    n: int = 0
    weight: int = field(default=3, compare=False)
    scale: float = 2.0


@program("instance keys: fields that do not compare", (1,), (7,))
def compared_fields(n: int) -> list[str]:
    d = {Tagged("a", n): 1, Tagged("b", n, 9): 2, Tagged("c", 7, 8): 3}
    return [f"{each.tag}{each.weight}={v}" for each, v in d.items()]


@dataclass(frozen=True)
class Wide:
    n: Optional[int] = None
    s: Union[int, str] = "q"
    t: tuple[int, ...] = ()
    inner: Optional[Cell] = None


@program("instance keys: fields with alternatives, tuples and instances", (1,), (3,))
def wide_fields(n: int) -> tuple[int, bool]:
    s = {Wide(), Wide(n), Wide(n, 3), Wide(n, "3"), Wide(3, n), Wide(t=(1, n)), Wide(inner=Cell(1, n)),
         Wide(inner=Cell(n, 1))}
    return len(s), Wide(t=(1, n)) in s


@dataclass(frozen=True)
class Holder:
    items: list[int]


@program("instance keys: a field that cannot be hashed", (1,))
def unhashable_field(n: int) -> str:
    s: set[Holder] = set()
    try:
        s.add(Holder([n]))
    except TypeError as error:
        return str(error)
    return "none"


@dataclass(unsafe_hash=True)
class Changing:
    n: int


@program("instance keys: one that changes while it is a key", (1,), (5,))
def changed_key(n: int) -> list[bool]:
    one = Changing(n)
    s = {one}
    one.n = 5
    return [one in s, Changing(n) in s, Changing(5) in s, one in list(s)]


class Base:
    def __init__(self, n: int) -> None:
        self.n = n


class Derived(Base):
    pass


@program("instance keys: identity, and subclasses", (1,), (2,))
def by_identity(n: int) -> tuple[list[int], bool]:
    a, b = Base(n), Derived(n)
    s: set[Base] = set()
    s.add(a)
    s.add(b)
    s.add(a)
    d = {a: 1, b: 2}
    s.discard(b)
    return [len(s), d[a], d[b], len({x: 0 for x in [a, b, a]})], Base(n) in s


@dataclass(frozen=True)
class Spot:
    row: int
    column: int


@dataclass(frozen=True)
class Named(Spot):
    name: str = ""


@program("instance keys: equal only to those of their class", (1,), (0,))
def frozen_subclass(n: int) -> tuple[int, bool, bool]:
    s: set[Spot] = {Spot(n, 0), Named(n, 0), Named(n, 0, ""), Spot(n, 0), Named(n, 0, "x")}
    return len(s), Spot(n, 0) in s, Named(n, 0, "y") in s


class Town:
    def __init__(self, name: str) -> None:
        self.name = name
        self.roads: dict[Town, float] = {}

    def link(self, other: Town, length: float) -> None:
        self.roads[other] = length
        other.roads[self] = length


@program("instance keys: a graph whose nodes hold dicts of nodes", (9.0,), (2.5,))
def nearest(direct: float) -> tuple[float, list[str]]:
    a, b, c = Town("a"), Town("b"), Town("c")
    a.link(b, 1.0)
    b.link(c, 2.0)
    a.link(c, direct)
    distance: dict[Town, float] = {a: 0.0}
    open_ = {a}
    while open_:
        at = min(open_, key=lambda town: (distance[town], town.name))
        open_.remove(at)
        for to, length in at.roads.items():
            if to not in distance or distance[at] + length < distance[to]:
                distance[to] = distance[at] + length
                open_.add(to)
    return distance[c], [town.name for town in distance]


def visit(at: Town, seen: set[Town], out: list[str]) -> None:
    if at in seen:
        return
    seen.add(at)
    out.append(at.name)
    for to in at.roads:
        visit(to, seen, out)


@program("instance keys: depth first with a set that is passed on", (3,), (1,))
def visited(n: int) -> list[str]:
    towns = [Town(str(i)) for i in range(n)]
    for i in range(n):
        towns[i].link(towns[(i * 2 + 1) % n], 1.0)
    out: list[str] = []
    visit(towns[0], set(), out)
    return out


class Edge(NamedTuple):
    start: Cell
    end: Cell


@program("instance keys: in tuples, named tuples and frozensets", (1,), (2,))
def inside_others(n: int) -> tuple[int, int, int]:
    edges = {Edge(Cell(n, 1), Cell(1, n)), Edge(Cell(1, n), Cell(n, 1)), Edge(Cell(1, 1), Cell(1, 1))}
    pairs: dict[tuple[Cell, int], str] = {}
    groups: set[frozenset[Cell]] = set()
    for i in range(3):
        pairs[Cell(i % n, 0), i % 2] = "x"
        groups.add(frozenset([Cell(i % n, 0), Cell(7, 7)]))
        groups.add(frozenset({Cell(7, 7), Cell(i % n, 0)}))
    return len(edges), len(pairs), len(groups)


@program("instance keys: Counter and defaultdict", ([1, 2, 3, 4],), ([],))
def dict_classes(v: list[int]) -> tuple[list[tuple[int, int]], list[list[int]]]:
    counts = Counter(Cell(i % 3, 0) for i in v)
    groups: dict[Cell, list[int]] = defaultdict(list)
    for i in v:
        groups[Cell(i // 2, 0)].append(i)
    return [(c.row, n) for c, n in counts.most_common()], [each for each in groups.values()]


@program("instance keys: hash() of them", (1,), (-1,), (2**62,))
def hashes(n: int) -> tuple[int, bool, int]:
    return hash(Cell(n, 2)), hash(Cell(n, 2)) == hash((n, 2)), hash((Cell(1, n), 3))


class Own:
    def __init__(self, n: int) -> None:
        self.n = n

    def __hash__(self) -> int:
        return self.n


@program("instance keys: hash() is what __hash__ gives", (1,), (-1,), (2**62,), (-(2**63),))
def own_hash(n: int) -> int:
    return hash(Own(n))


@program("instance keys: copies of dicts of them", (1,),)
def copied(n: int) -> tuple[list[int], list[bool]]:
    d, one = {Cell(n, 1): [1]}, Base(1)
    deep = copy.deepcopy(d)
    deep[Cell(n, 1)].append(2)
    by_one = {one: 1}
    shallow, other = copy.copy(by_one), copy.deepcopy(by_one)
    inside = list(other)[0]
    return [len(d[Cell(n, 1)]), len(deep[Cell(n, 1)]), other[inside]], [one in other, one in shallow, inside in other]


Item = TypeVar("Item")


@dataclass(frozen=True)
class Box(Generic[Item]):
    item: Item


@program("instance keys: of a generic class", (1,), (5,))
def generic_keys(n: int) -> tuple[int, int]:
    return len({Box(n), Box(1), Box(2)}), len({Box("a"): n, Box("a"): 2})


@program(
    "instance keys: cross the boundary by their fields",
    ({Cell(3, 0), Cell(4, 0)}, {Cell(1, 0): [Cell(3, 0), Cell(1, 0)]}, {(Cell(5, 6), 2): Cell(7, 0)}),
    (set(), {}, {}),
)
def by_fields_from_python(
    s: set[Cell], d: dict[Cell, list[Cell]], t: dict[tuple[Cell, int], Cell]
) -> tuple[list[int], list[int]]:
    total: dict[Cell, int] = {}
    for each in s:
        total[each] = total.get(each, 0) + 1
    for key, cells in d.items():
        for each in cells:
            total[each] = total.get(each, 0) + 10
        cells.append(key)
    for (a, i), b in t.items():
        total[a] = i
        total[b] = -i
    return sorted(c.row for c in total), sorted(total.values())


@program("instance keys: a result whose keys they are", (3,), (0,))
def made_for_python(n: int) -> tuple[bool, int]:
    made = {Cell(i, i): {Cell(0, i)} for i in range(n)}
    return Cell(1, 1) in made, sum(len(each) for each in made.values())


of_row("dict methods")


@program("instance keys: Optional keys", ([1, None, 1],), ([],))
def optional_keys(v: list[Optional[int]]) -> dict[Optional[int], int]:
    d: dict[Optional[int], int] = {}
    for x in v:
        d[x] = d.get(x, 0) + 1
    return d


@program("instance keys: keys of several types", (1,), (5,))
def mixed_keys(n: int) -> list[str]:
    d = {1: "x", "a": "y", None: "z", (1, "q"): "w"}
    return [d[1], d["a"], d[None], d[1, "q"], d.get(n, "none")]


@program("instance keys: Unions in arguments", ({1, "a"}, {"a": 1, 2: 3}), (set(), {}))
def union_keys(s: set[Union[int, str]], d: dict[Union[int, str, None], int]) -> tuple[int, bool, bool]:
    s.add("new")
    d[None] = 3
    return len(s & {1, "new"}) + len(d), 1 in s, "a" in d


@program("instance keys: Optional parts of tuples", ([1, 2, 1],), ([],))
def optional_parts(v: list[int]) -> dict[tuple[int, Optional[str]], int]:
    d: dict[tuple[int, Optional[str]], int] = {}
    for x in v:
        d[x, None if x % 2 else "even"] = x
    return d
