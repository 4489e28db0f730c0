"""Copies: copy.copy, copy.deepcopy, dataclasses.asdict and astuple."""

# ruff: noqa
from __future__ import annotations

import copy
from copy import deepcopy
from dataclasses import asdict, astuple, dataclass, field
from typing import NamedTuple, Optional, Union

from language_rows import of_row
from oracle import T, program
from tsm import Tensor, nn


@dataclass
class Point:
    x: int
    y: float = 1.5


@dataclass
class Shape:
    first: Point
    points: list[Point]
    named: dict[str, Point]
    pair: tuple[int, Point]
    tags: set[int] = field(default_factory=set)
    name: str = "a"


@dataclass(frozen=True)
class Same:
    a: int
    b: int


class Node:
    def __init__(self, value: int) -> None:
        self.value = value
        self.kids: list[Node] = []
        self.up: Optional[Node] = None


of_row("dataclasses")


def shape(x: int) -> Shape:
    return Shape(Point(x), [Point(1), Point(2, 0.5)], {"k": Point(5)}, (1, Point(9)), {1})


@program("dataclasses: astuple", (3,))
def as_tuple_of(x: int) -> tuple[tuple[int, float], str, int]:
    s = shape(x)
    t = astuple(s)
    s.points[0].x = 77
    s.tags.add(100)
    s.named["z"] = Point(0)
    return astuple(Point(x)), str(t), len(t)


@program("dataclasses: asdict of fields of several types", (3,))
def as_dict_of(x: int) -> tuple[dict[str, Union[int, float]], str]:
    return asdict(Point(x)), str(asdict(shape(x)))


@program("dataclasses: asdict of fields of one type, changed", (3,))
def as_dict_of_one(x: int) -> tuple[dict[str, int], int]:
    s = Same(x, 2)
    d = asdict(s)
    d["a"] += 10
    return d, s.a


of_row("list methods")


@program("copies: shallow and deep lists", ([[1], [2]],), ([[]],))
def lists(xs: list[list[int]]) -> tuple[list[list[int]], list[list[int]], list[bool]]:
    a, b = copy.copy(xs), copy.deepcopy(xs)
    xs[0].append(9)
    a.append([])
    return a, b, [a is xs, a[0] is xs[0], b[0] is xs[0]]


@program("copies: deep ones keep what is shared", (3,))
def shared(n: int) -> tuple[list[bool], list[list[int]]]:
    row = [n]
    rows = [row, row, [n]]
    made = deepcopy(rows)
    made[0].append(1)
    return [made[0] is made[1], made[0] is row, made[1] is made[2]], made


of_row("dict methods")


@program("copies: dicts, sets, tuples, values", ({"a": [1]},))
def others(d: dict[str, list[int]]) -> tuple[dict[str, list[int]], set[int], tuple[list[int], int], list[int], str]:
    deep, flat = deepcopy(d), copy.copy(d)
    d["a"].append(4)
    flat["b"] = [3]
    s = {1}
    t = copy.copy(s)
    t.add(4)
    pair = ([1], 2)
    same, other = copy.copy(pair), deepcopy(pair)
    pair[0].append(6)
    return deep, t, other, same[0] + flat["a"], deepcopy("a") + str(copy.copy(5)) + str(deepcopy(frozenset([n for n in s])))


@program("copies: what may be None", ([1],), (None,))
def maybe(x: Optional[list[int]]) -> tuple[bool, Optional[list[int]]]:
    y = deepcopy(x)
    if y is not None:
        y.append(2)
    return y is x, y


of_row("classes")


@program("copies: instances, alone and in circles", (3,))
def instances(n: int) -> list[int]:
    a = Node(n)
    kid = Node(2)
    kid.up = a
    a.kids.append(kid)
    deep, flat = copy.deepcopy(a), copy.copy(a)
    deep.value, flat.value = 7, 8
    flat.kids.append(Node(5))
    up = deep.kids[0].up
    assert up is not None
    return [a.value, deep.value, flat.value, len(a.kids), len(deep.kids), int(up is deep), int(flat.kids is a.kids)]


@program("copies: instances of the caller", ([Point(1), Point(2, 0.25)],))
def given(points: list[Point]) -> list[Point]:
    made = copy.deepcopy(points)
    for p in made:
        p.x *= 10
    points.append(copy.copy(made[0]))
    return made


of_row("whole programs")


@dataclass
class Beam:
    tokens: list[int]
    score: float = 0.0


@program("copies: beams that branch", ([[0.5, 0.25], [0.125, 0.75]], 2), ([[0.5, 0.25, 0.25]] * 3, 3), ([], 1))
def beams(table: list[list[float]], width: int) -> list[tuple[list[int], float]]:
    live = [Beam([])]
    for row in table:
        grown: list[Beam] = []
        for beam in live:
            for token, p in enumerate(row):
                made = copy.deepcopy(beam)
                made.tokens.append(token)
                made.score += p
                grown.append(made)
        live = sorted(grown, key=lambda b: -b.score)[:width]
    return [astuple(b) for b in live]


of_row("modules")


@program("copies: deep ones stay in a module", ([[1], [2]],), ([],))
class Keeper(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.rows: list[list[int]] = [[0]]

    def forward(self, rows: list[list[int]]) -> tuple[int, list[list[int]]]:
        before = copy.deepcopy(self.rows)
        self.rows = copy.deepcopy(rows)
        rows.append([9])
        self.rows.append([7])
        return len(self.rows), before


@dataclass
class Held:
    x: Tensor
    parts: list[Tensor]


class Weighted:
    def __init__(self, w: Tensor) -> None:
        self.w = w
        self.same = w
        self.row = w[0]


@program("copies: tensors, with their strides and with what shares their memory", (T([[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]),))
def of_tensors(x: Tensor) -> tuple[list[Tensor], list[bool], tuple[int, ...]]:
    x = x.t()
    deep, flat = copy.deepcopy(x), copy.copy(x)
    deep += 10
    flat[0, 0] = 77
    all_of_it = [x, x[0], x]
    made = copy.deepcopy(all_of_it)
    made[0][0, 1] = -5
    weighted = copy.deepcopy(Weighted(x))
    weighted.w.zero_()
    weighted.row += 3
    held = Held(x, [x])
    fields, again = asdict(held), copy.deepcopy(held)
    held.x[1] = 44
    again.parts[0][0] = 9
    tensors = [deep, x, made[0], made[1], weighted.w, weighted.same, again.x, fields["x"], astuple(held)[1][0]]
    return tensors, [made[0] is made[2], made[0] is x, flat is x], deep.stride()


@program("copies: a tensor or None", (T([1.0, 2.0]),), (None,))
def of_maybe_tensor(x: Optional[Tensor]) -> tuple[Optional[Tensor], Optional[Tensor]]:
    deep, flat = copy.deepcopy(x), copy.copy(x)
    if deep is not None and flat is not None:
        deep.zero_()
        flat += 1
    return x, deep
