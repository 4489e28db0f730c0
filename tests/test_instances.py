"""Instances, enum members and named tuples at the boundary: loads without their classes, values that do not fit."""

from __future__ import annotations

import enum
import io
from typing import Any, NamedTuple

import pytest

import tsm


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
