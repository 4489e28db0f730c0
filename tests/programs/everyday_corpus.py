"""What people write without a thought of a compiler: dunder methods called by name, defaults of None, mixed calls,
errors that come before others."""

# ruff: noqa
from __future__ import annotations

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
