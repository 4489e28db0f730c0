"""Containers outside the function, where it could be told that the program has copies of them; objects that cannot be
asked what they are."""
# ruff: noqa

import heapq
from typing import Any, List

import numpy
from language_rows import of_row
from tsm import Tensor, tensor

of_row("names")

ROWS = [[1, 2], [3]]
TABLE = {"a": [1], "b": []}
HEAP = [3, 1]
TENSORS = {tensor([1.0])}
LOOP: list[Any] = [1]
LOOP.append(LOOP)


def first(rows: list[list[int]]) -> list[int]:
    return rows[0]


def put(out: list[list[int]], row: list[int]) -> None:
    out.append(row)


class Holder:
    def __init__(self) -> None:
        self.rows = ROWS


def changes_inner(x: int) -> int:
    TABLE["a"].append(x)  # error 5: a script cannot change a dict outside the function: it is read once, when the script is compiled
    return x


def changes_by_way_of_a_call(x: int) -> int:
    row = first(ROWS)
    row[0] += x  # error 5: a script cannot change a list outside the function: it is read once, when the script is compiled
    return x


def changes_by_way_of_an_attribute(x: int) -> int:
    Holder().rows.clear()  # error 5: a script cannot change a list outside the function: it is read once, when the script is compiled
    return x


def changes_in_the_library(x: int) -> int:
    heapq.heappush(HEAP, x)  # error 5: a script cannot change a list outside the function: it is read once, when the script is compiled
    return HEAP[0]


def returns_inner(x: str) -> list[int]:
    return TABLE.get(x, [])  # error 5: a script cannot return a dict outside the function: it is read once, when the script is compiled


def keeps_in_argument(out: list[list[int]]) -> None:  # error 1: a script cannot keep a list outside the function in 'out': it is read once, when the script is compiled
    put(out, ROWS[1])


def compares(x: int) -> bool:
    return first(ROWS) is ROWS[x]  # error 12: a script cannot tell the identity of a list outside the function: it is read once, when the script is compiled


def of_tensors(x: int) -> int:
    return len(TENSORS)  # error 16: a set outside the function can be used if it holds constants, functions and containers of these only


def that_holds_itself(x: int) -> int:
    return len(LOOP)  # error 16: a list outside the function can be used if it holds constants, functions and containers of these only


def raises(x: int) -> int:
    raise ValueError("bad", ROWS)  # error 11: a script cannot raise a list outside the function: it is read once, when the script is compiled


class Spot:
    def __init__(self, x):
        self.x = x
        self.seen = []

    def move(self):
        self.x += 1


SPOT = Spot(3)


def changes_instance(x: int) -> int:
    SPOT.x += x  # error 5: a script cannot change an instance of 'Spot' outside the function: it is read once, when the script is compiled
    return SPOT.x


def changes_list_of_instance(x: int) -> int:
    SPOT.seen.append(x)  # error 5: a script cannot change an instance of 'Spot' outside the function: it is read once, when the script is compiled
    return len(SPOT.seen)


class Ring:
    def __init__(self):
        self.next = self


RING = Ring()


def walks_ring(x: int) -> bool:
    return RING.next is None  # error 12: an instance of 'Ring' outside the function can be used if it holds constants, functions, containers and instances of these only


class Missing:
    """What stands for a module that is not installed."""

    def __getattr__(self, name: str) -> object:
        raise ImportError("no module named 'missing'")


class Unprinted:
    """It cannot be shown before it is set up."""

    def __init__(self) -> None:
        self.parts = {"a": bytearray()}

    def __repr__(self) -> str:
        raise AttributeError("not set up")


missing, unprinted, samples = Missing(), Unprinted(), numpy.zeros(4)


def asks_what_is_missing(x: int) -> int:
    return missing.count(x)  # error 12: a 'Missing' whose attributes raise ImportError: no module named 'missing'


def asks_what_cannot_be_shown(x: int) -> int:
    return unprinted.parts  # error 12: an instance of 'Unprinted' outside the function can be used if it holds constants, functions, containers and instances of these only


def asks_an_array(x: int) -> int:
    return samples.max() + x  # error 12: a 'numpy.ndarray' cannot be used in a script


SCORES = ([1, 2], "ab")


def changes_a_list_in_a_tuple_outside(n: int) -> int:
    SCORES[0].append(n)  # error 5: a script cannot change a tuple outside the function: it is read once, when the script is compiled
    return len(SCORES[0])
