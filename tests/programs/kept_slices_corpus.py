"""Slices in containers and attributes, and attributes that need no annotation or take what an annotation only outlines."""
# ruff: noqa: ANN001, ANN201, ANN202, ANN204, ANN205, ANN206, D105 - classes as users write them

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import defaultdict
from functools import cached_property

import tsm
from language_rows import of_row
from oracle import T, program
from tsm import Tensor

of_row("list methods")


@program("slices in a dict", ([1, 2, 3], "xyz"), ([], ""))
def named_slices(xs: list[int], s: str) -> list[str]:
    parts = {"a": slice(1, None), "b": slice(None, 2), "c": slice(None, None, -1)}
    out = []
    for k, p in parts.items():
        out.append(f"{k} {xs[p]} {s[p]} {p} {p.start} {p.indices(3)} {p == slice(None, 2)}")
    return out


class Window:
    def __init__(self, low: int, high: int):
        self.at = slice(low, high)

    def of(self, xs: list[int]) -> list[int]:
        return xs[self.at]


def halves(n: int):
    return slice(0, n // 2), slice(n // 2, None)


@program("a slice in an attribute, slices that a function gives", ([1, 2, 3, 4], 1, 3), ([], 0, 1))
def in_window(xs: list[int], low: int, high: int) -> tuple[list[int], int, list[list[int]]]:
    window = Window(low, high)
    return window.of(xs), window.at.stop - window.at.start, [xs[half] for half in halves(len(xs))]


of_row("tensor indexing")


@program("loops over tuples of slices, as a shifted window's mask is filled", (4, 2, 1), (6, 3, 2))
def regions(size: int, window: int, shift: int) -> Tensor:
    image = tsm.zeros(size, size)
    rows = (slice(0, -window), slice(-window, -shift), slice(-shift, None))
    count = 0
    for row in rows:
        for column in rows:
            image[row, column] = count
            count += 1
    return image


@program("an index that a variable holds as a tuple", (T([[0.0, 1.0, 2.0], [3.0, 4.0, 5.0], [6.0, 7.0, 8.0]]),))
def by_tuple(x: Tensor) -> list[Tensor]:
    column, corner = (slice(None), 0), (slice(0, 2), slice(1, None, 2))
    y = x.clone()
    y[corner] = -1.0
    return [x[column], x[corner], x[corner[0]], y]


of_row("classes")


class Stats:
    def __init__(self, values: list[float]):
        self.values = values
        self.calls = 0

    @cached_property
    def mean(self):
        self.calls += 1
        return sum(self.values) / len(self.values)

    @cached_property
    def label(self):
        return None if self.mean < 0 else f"<{self.mean:.1f}>"


@program("cached properties without annotations", ([1.0, 2.0, 6.0],), ([-1.0],))
def kept_stats(values: list[float]) -> tuple[float, str, int]:
    stats = Stats(values)
    return stats.mean + stats.mean, f"{stats.label} {stats.label}", stats.calls


class Edges:
    def __init__(self):
        self.targets: dict[str, list[int]] = defaultdict(list)

    def add(self, name: str, target: int):
        self.targets[name].append(target)
        return self


@program("an attribute declared as a dict that is a defaultdict", ("a", 1), ("", 0))
def edges(name: str, n: int) -> tuple[list[int], list[str]]:
    made = Edges().add("a", n).add(name, n + 1)
    return made.targets["b"] + made.targets[name], list(made.targets)


class Limited:
    __slots__ = ("x",)

    def __init__(self, x: int):
        self.x = x


@program("setattr() of an attribute that slots do not name, in a try", (1,), (0,))
def unnamed(x: int) -> str:
    limited = Limited(x)
    try:
        setattr(limited, "y", 3)  # noqa: B010
    except AttributeError as error:
        return str(error)
    return "set"


class Never:
    def __init__(self, strict: bool):
        self.strict = strict

    def __eq__(self, other):
        if other is None:
            return not self.strict
        return isinstance(other, Never) and self.strict == other.strict


@program("an instance whose == takes None", (True,), (False,))
def against_none(strict: bool) -> tuple[bool, bool, bool, bool]:
    never = Never(strict)
    return never == None, never != None, None == never, never in [None]  # noqa: E711


of_row("inheritance")


class Shape(ABC):
    @abstractmethod
    def area(self) -> float: ...

    @abstractmethod
    def name(self) -> str: ...


class Line(Shape):
    def area(self) -> float:
        return 0.0

    def name(self) -> str:
        return "line"


@program("an abstract class made in a try", (True,), (False,))
def abstract(is_base: bool) -> str:
    try:
        shape = Shape() if is_base else Line()
    except TypeError as error:
        return str(error)
    return shape.name()


of_row("names")


@program("isinstance() of what is unbound on both sides of a choice", ([],), ([1],))
def unbound_choice(xs: list[int]) -> int:
    if len(xs) > 5:
        last = xs[-1]
        del last
    try:
        return 1 if isinstance(last if xs else last, int) else 2
    except UnboundLocalError as error:
        return len(str(error))
