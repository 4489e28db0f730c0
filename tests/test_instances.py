"""Instances, enum members and named tuples at the boundary: loads without their classes, values that do not fit."""

from __future__ import annotations

import dataclasses
import enum
import io
import resource
from typing import Any, NamedTuple

import pytest

import tsm
from tsm import nn


class Point:
    def __init__(self, x: int) -> None:
        self.x = x
        self.ratio = 0.5


class Color(enum.Enum):
    RED = 3
    BLUE = 5


class Pair(NamedTuple):
    left: Point
    color: Color


def made(n: int) -> Pair:
    return Pair(Point(n), Color(n))


def moved(p: Point, c: Color) -> Point:
    p.x += c.value
    return Point(p.x)


def loaded(function: Any, **options: Any) -> Any:
    buffer = io.BytesIO()
    tsm.script(function).save(buffer)
    return tsm.load(buffer.getvalue(), **options)


def test_a_load_without_classes_gives_objects_with_the_same_attributes() -> None:
    pair = loaded(made)(3)
    assert (pair.left.x, pair.left.ratio, pair.color.name, pair.color.value) == (3, 0.5, "RED", 3)


def test_a_load_with_classes_gives_their_instances() -> None:
    pair = loaded(made, classes=[Point, Color, Pair])(5)
    assert type(pair) is Pair
    assert type(pair.left) is Point
    assert pair.color is Color.BLUE


def test_an_argument_tells_a_loaded_program_its_class() -> None:
    point = Point(4)
    found = loaded(moved)(point, Color.RED)
    assert type(found) is Point
    assert (found.x, point.x) == (7, 7)


def test_values_that_do_not_fit_are_refused() -> None:
    run = tsm.script(moved)
    with pytest.raises(TypeError, match="argument 'p': expected Point, got int"):
        run(3, Color.RED)
    with pytest.raises(TypeError, match="argument 'c': expected Color, got int"):
        run(Point(1), 3)
    wrong: Any = Point(1)
    wrong.x = "a"
    with pytest.raises(TypeError, match="attribute 'x' of Point: expected int, got str"):
        run(wrong, Color.RED)


def test_an_attribute_that_was_deleted_raises_as_in_python() -> None:
    point = Point(1)
    del point.x
    with pytest.raises(AttributeError, match="'Point' object has no attribute 'x'"):
        tsm.script(moved)(point, Color.RED)


@dataclasses.dataclass(frozen=True)
class Spot:
    row: int
    column: int = 0


def counted(points: list[Point], seen: dict[Point, int], names: set[Point]) -> int:
    for point in points:
        seen[point] = seen.get(point, 0) + point.x
        names.discard(point)
    return len(seen)


def test_keys_by_identity_stay_the_objects_of_the_caller() -> None:
    first, second, third = Point(1), Point(2), Point(1)
    seen, names = {third: 7}, {first, third}
    assert tsm.script(counted)([first, second, first], seen, names) == 3
    assert seen == {third: 7, first: 2, second: 2}
    assert names == {third}


def diagonal(n: int) -> dict[Spot, set[Spot]]:
    return {Spot(i, i): {Spot(i), Spot(i, 0)} for i in range(n)}


def held(spots: set[Spot], wanted: dict[frozenset[Spot], int]) -> int:
    return wanted.get(frozenset(spots), 0) + (Spot(1) in spots)


def test_keys_by_fields_are_whole_when_they_cross() -> None:
    assert tsm.script(diagonal)(2) == {Spot(0, 0): {Spot(0)}, Spot(1, 1): {Spot(1)}}
    assert loaded(diagonal, classes=[Spot])(1) == {Spot(0, 0): {Spot(0)}}
    assert tsm.script(held)({Spot(1), Spot(2)}, {frozenset([Spot(2), Spot(1)]): 5}) == 6


def test_keys_without_their_classes_are_objects_of_the_program() -> None:
    program = loaded(diagonal)
    [(key, value)] = program(1).items()
    assert (key.row, [each.column for each in value]) == (0, [0])


class Keeper(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.spots = {Spot(1): 2}

    def forward(self, n: int) -> int:
        return self.spots[Spot(n)]


def test_a_module_keeps_no_dict_of_instances() -> None:
    with pytest.raises(tsm.CompileError, match="the keys of a dict must be of one type"):
        tsm.script(Keeper())


class Ring:
    def __init__(self) -> None:
        self.others: dict[Ring, set[Ring]] = {}


def rings(n: int) -> int:
    total = 0
    for _ in range(n):
        a, b = Ring(), Ring()
        a.others[b] = {a, b}
        b.others[a] = {b}
        total += len(a.others)
    return total


def test_cycles_through_keys_are_collected() -> None:
    run = tsm.script(rings)
    run(20000)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(8):
        assert run(20000) == 20000
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20000
