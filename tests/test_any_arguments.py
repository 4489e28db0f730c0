"""Instances, enum members and named tuples as arguments that are declared as Any."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import tsm


class Colour(enum.Enum):
    RED = 1


class Point(NamedTuple):
    x: int


@dataclass
class Counter:
    count: int


class Stranger:
    """A class that no program here mentions."""


def counted(items: list) -> int:
    total = 0
    for item in items:
        if isinstance(item, Counter):
            total += item.count
            item.count = 0
        elif isinstance(item, Point):
            total += item.x
        elif item is Colour.RED:
            total += 100
    return total


def same(a: Any, b: Any) -> bool:
    return a == b and isinstance(a, (Counter, Point, Colour))


def given_back(x: Any) -> Any:
    return x if isinstance(x, (Counter, Colour)) else None


def test_what_is_passed_is_what_the_caller_has() -> None:
    items = [Counter(5), Point(2), Colour.RED, 7]
    assert tsm.script(counted)(items) == 107
    assert items == [Counter(0), Point(2), Colour.RED, 7]
    made, scripted = Counter(1), tsm.script(given_back)
    assert scripted(made) is made and scripted(Colour.RED) is Colour.RED and scripted(1) is None


def test_after_loading(tmp_path: Path) -> None:
    tsm.save(tsm.script(same), tmp_path / "same.tsm")
    for program in (same, tsm.script(same), tsm.load(tmp_path / "same.tsm")):
        for one, other in ((Counter(1), Counter(1)), (Colour.RED, Colour.RED), (Point(2), Point(2))):
            assert program(one, other)
        assert not program(Counter(1), Counter(2)) and not program(1, 1)


def test_a_class_that_the_program_does_not_know_is_refused() -> None:
    with pytest.raises(TypeError, match="argument 'b': a Stranger cannot be passed to a program"):
        tsm.script(same)(1, Stranger())
