"""Minimal programs of differences that random programs found; each names what went wrong once."""

# ruff: noqa: F821, PLW0127
from __future__ import annotations

from typing import Optional

from language_rows import of_row
from oracle import program
from tsm import nn

of_row("annotations")


@program("None at an optional list stays a conversion, never a constant", (True,), (False,))
def none_as_optional_list(flag: bool) -> Optional[list[int]]:
    v: Optional[list[int]] = None
    if flag:
        v = [1]
    return v


of_row("names")


@program("an unbound variable read in a comprehension is free there", (0, [1]), (1, [2]), (0, []))
def unbound_in_comprehension(n: int, values: list[int]) -> list[int]:
    if n:
        x = 3
    return [x + value for value in values]


@program("a later generator's source cannot read its own target", ([1, 2],), ([],))
def own_target(values: list[int]) -> list[int]:
    return [value for value in values for inner in range(inner)]


of_row("annotations")


@program("an optional attribute starts as an empty list of its declared type", (1,), (2,), torch=False)
class OptionalHistory(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.seen: Optional[list[Optional[int]]] = []

    def forward(self, n: int) -> int:
        seen = self.seen
        if seen is None:
            return n
        seen.append(n)
        if len(seen) > 1:
            self.seen = None
        return len(seen)


of_row("refinement")


@program("isinstance as a value narrows nothing behind it", (1,), (4,))
def isinstance_as_value(p: int) -> tuple[bool, float | int]:
    n: float | int = p if p > 2 else -0.5
    found = (isinstance(n, int), n)
    return found


of_row("names")


@program("sum of an unbound variable, and of its values", ([],), ([{"a": 2}],))
def sum_of_unbound(rows: list[dict[str, int]]) -> int:
    for row in rows:
        pass
    return sum(row.values()) + sum(list(row.values()))


@program("pairs of an unbound dict", ([],), ([{"a": 2, "b": 3}],))
def pairs_of_unbound(rows: list[dict[str, int]]) -> list[str]:
    for row in rows:
        pass
    found = []
    for key, value in row.items():
        found.append(key * value)
    return found


@program("a tuple of an unbound list", ([],), ([[1, 2]],))
def tuple_of_unbound(rows: list[list[int]]) -> tuple[int, ...]:
    for row in rows:
        pass
    return tuple(row)


of_row("calls")


def named(*values: int, x: int = 1, **more: int) -> int:
    return len(values) + x


@program("an argument that never comes, in front of one that **more takes", (0,), (2,))
def raising_argument(n: int) -> int:
    found: list[int] = []
    if n:
        return named(n, 0, x=1, y=5)
    return named(n, 0, x=min(found, key=lambda value: missing), y=5)
    for missing in range(n):
        pass
