"""What people write without a thought of a compiler: dunder methods called by name, defaults of None, mixed calls,
errors that come before others."""

# ruff: noqa
from __future__ import annotations

from typing import Optional

from language_rows import of_row
from oracle import program

of_row("names")


def first_of(number: int, row: list[int]) -> int:
    return number


@program("the first of several arguments that read unbound names raises, whatever the others would end", ([1],), ([],))
def unbound_arguments(p: list[int]) -> str:
    for k, n in []:
        pass
    if p:
        return str(first_of(n, list(range(k))))
    first_of(row=n, number=len(list(range(k))))
    return "no"


of_row("errors")


def put(rows: list[int], place: int, is_known: bool):
    rows[place] = place if is_known else None
    return rows


@program("an index that is out of range is found before what the list cannot take", ([], 12), ([1], -2), ([1], 0))
def place_first(rows: list[int], place: int) -> str:
    return str(put(rows, place, place == 0))

of_row("tuples")


def points_of(text: str) -> list[tuple[int, int]]:
    return [tuple(map(int, line.split(","))) for line in text.split()]


def corner(text: str, known: dict[tuple[int, int], str]) -> Optional[tuple[int, int]]:
    if not text:
        return None
    found = tuple(sorted(int(part) for part in text.split(",")))
    if found in known:
        known[found[::-1]] = known[found]
    return found


def area(points: list[tuple[int, int]]) -> float:
    return sum(x * b - a * y for (x, y), (a, b) in zip(points, points[1:] + points[:1])) / 2


class Cursor:
    place: tuple[int, int]

    def __init__(self, text: str):
        self.place = tuple(map(int, text.split(",")))

    def moved(self, by: tuple[int, int]) -> tuple[int, int]:
        self.place = tuple(a + b for a, b in zip(self.place, by))
        return self.place


@program("tuples made of iterables where tuples of a known length are declared", ("1,2 5,2 5,9",), ("3,4",), ("1,x",))
def parsed_points(text: str) -> tuple[float, set[tuple[int, int]], dict[tuple[int, int], str]]:
    table: dict[tuple[int, int], str] = {(2, 1): "two"}
    rows: list[tuple[int, int]] = [tuple(map(int, text.split(" ")[0].split(","))), (0, 0)]
    for part in text.split():
        rows.append(tuple(int(x) for x in part.split(",")))
        rows.insert(0, tuple(reversed(rows[-1])))
        table[tuple([len(rows), len(part)])] = part
        print(corner(part, table), table.get(tuple(rows[0])), table.pop(tuple(rows[-1]), "none"))
    cursor = Cursor(text.split()[0])
    print(rows, cursor.moved((1, 1)), area([tuple(int(x) for x in part.split(",")) for part in text.split()]))
    return area(points_of(text)), {tuple(map(int, part.split(","))) for part in text.split()}, table


def closest(numbers: list[float]) -> tuple[float, float]:
    found = None
    gap = None
    for i, first in enumerate(numbers):
        for second in numbers[i + 1 :]:
            if gap is None or abs(first - second) < gap:
                gap = abs(first - second)
                found = tuple(sorted([first, second]))
    return found


@program("a tuple of a known length declared, of any length or None by what the variable was given", ([1.0, 4.5, 4.0, 0.5],))
def closest_pair(numbers: list[float]) -> tuple[float, float]:
    return closest(numbers)
