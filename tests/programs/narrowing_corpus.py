"""Refinement through fields of named tuples and through elements of tuples, and what ends it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Optional, Union

import tsm
from language_rows import of_row
from oracle import T, program
from tsm import Tensor

of_row("refinement")


class Guess(NamedTuple):
    word: Optional[str]
    count: int


class Pair(NamedTuple):
    first: Guess
    second: Optional[tuple[Optional[int], int]]


@dataclass
class Holder:
    state: tuple[Optional[float], int]


@program("a field of a named tuple behind `is not None`", ("a", 2), (None, 2))
def narrow_field(word: Optional[str], count: int) -> str:
    guess = Guess(word, count)
    if guess.word is not None:
        return guess.word * guess.count
    return "none"


@program("fields of named tuples in comprehensions", ([("a", 1), (None, 2), ("bc", 0)],), ([],))
def narrow_in_comprehension(rows: list[tuple[Optional[str], int]]) -> tuple[list[str], int]:
    guesses = [Guess(word, count) for word, count in rows]
    words = [g.word + "!" for g in guesses if g.word is not None]
    return words, sum(len(g.word) for g in guesses if g.word)


@program("an element of a tuple, by index from either end", ((None, 3),), ((2, 3),))
def narrow_element(pair: tuple[Optional[int], int]) -> int:
    if pair[0] is None:
        return -1
    found = pair[0] + pair[1]
    if pair[-2] is not None:
        found *= pair[-2]
    return found


@program("a named tuple's field by its index, and a path of three", (None, 1), ("ab", 4))
def narrow_deep(word: Optional[str], n: int) -> tuple[int, int]:
    pair = Pair(Guess(word, n), (None if n > 2 else n, 5))
    length = len(pair[0].word) if pair.first[0] is not None else -1
    if pair.second is not None and pair.second[0] is not None:
        return length, pair.second[0] + pair.second[1]
    return length, 0


@program("a stored name forgets what its elements were", (1, None), (2, 4))
def forget_on_store(a: int, b: Optional[int]) -> list[Optional[int]]:
    pair: tuple[Optional[int], int] = (a, a)
    found: list[Optional[int]] = []
    for _ in range(2):
        if pair[0] is not None:
            found.append(pair[0] + 1)
            pair = (b, a)
        found.append(pair[0])
    return found


@program("isinstance of an element, and truth of one", ((1, "x"),), (("yy", ""),))
def narrow_union(pair: tuple[Union[int, str], str]) -> str:
    if isinstance(pair[0], int):
        return str(pair[0] + 1)
    return pair[0].upper() if pair[1] else pair[0] + "."


@program("an element of an attribute's tuple, until the attribute is written", (0.5,), (None,))
def narrow_attribute_element(value: Optional[float]) -> tuple[float, int]:
    holder = Holder((value, 2))
    found = 0.0
    if holder.state[0] is not None:
        found = holder.state[0] * 2.0
        holder.state = (None, 3)
    if holder.state[0] is None:
        return found, holder.state[1]
    return -found, 0


class Metre:
    def __init__(self, n: int) -> None:
        self.n = n

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self.n == other.n


class Mile(Metre):
    pass


def alike(a, b) -> str:
    if type(a) is type(b):
        return f"both {type(a).__name__}"
    if type(a) is not type(b) and isinstance(a, int):
        return f"{a + 1} and another"
    return "neither"


@program("classes of two values compared, of which one or both are known at run time", (1, 5, 6), (1, "s", 2), (1, None, "t"))
def classes_of_two(n: int, a: Union[int, str, None], b: Union[int, str, None]) -> str:
    kind = type(n)
    equal = Metre(n) == Metre(n), Metre(n) == Mile(n), Mile(n) == Mile(n), Metre(n) == n
    return f"{type(n) is type(a)} {type(a) is kind} {type(n) is not type(a)} {alike(n, a)} {alike(a, b)} {alike(b, n)} {equal}"


of_row("identity")


@program("identity of values of any type with what has one", (True,), (1,), (1.0,), ("True",), (None,), (False,), ([1],))
def exactly(value: Union[int, float, str, bool, None, list[int]]) -> list[bool]:
    kept = [value, None]
    return [
        value is True, value is not False, True is value, value is None, kept[0] is True, isinstance(value, list) is True,
        len([value]) is kept,
    ]


def plain_json(value):
    if value is None:
        return "null"
    if value is True or value is False:
        return "true" if value else "false"
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, (int, float)):
        return repr(value)
    return "[" + ", ".join(map(plain_json, value)) + "]"


@program("a function for values of every type asks for True and False by identity", (3,), (0,))
def written_as_json(n: int) -> str:
    return plain_json([n, n > 1, None, "x", [1.5, False], []])


def is_text(value) -> bool:
    """What a function that only asks for a class tells."""
    return isinstance(value, (str, bytes))


def is_row(value: object) -> bool:
    return isinstance(value, list)


@program("functions that only ask for a class", ([1, "ab", [2, 3]],), ([[], "c"],))
def asked_by_functions(items: list[Union[int, str, list[int]]]) -> tuple[str, int]:
    text, total = "", 0
    for item in items:
        if is_text(item):
            text += item
        elif not is_row(item):
            total += item
        elif item and is_row(item):
            total += item[0] * len(item)
    return text, total


@program("a tensor told from lists and dicts by is_tensor", (T([1.0, -2.0]), 2))
def each_tensor(x: Tensor, n: int) -> tuple[Tensor, Tensor]:
    def total(value: Union[Tensor, list[Tensor], dict[str, Tensor]]) -> Tensor:
        if tsm.is_tensor(value):
            return value.sum()
        parts = value if isinstance(value, list) else list(value.values())
        return sum([part.sum() for part in parts], tsm.zeros(()))

    return total(x) * n, total([x, x * 2]) + total({"a": x, "b": x * n})


of_row("match")


@program("guards that ask for the subject at the type of their pattern", (None,), (9,), (2,), ("abc",), ("b",), ((2, "x"),), ((0, "xy"),))
def guarded(v: Union[int, str, tuple[int, str], None]) -> str:
    match v:
        case None:
            return "none"
        case int() if v > 5:
            return f"big {v + 1}"
        case int(x):
            return f"int {x}"
        case str() if v.startswith("a") and len(v) > 1:
            return v.upper()
        case str():
            return v
        case (count, text) if v[0]:
            return text * count
        case _:
            return f"{len(v[1])} letters"
