"""Bugs that TorchScript has and tsm must not: each program gives Python's answer on every road.

In: one small function for each bug, with what TorchScript does. Out: the oracle's comparison with plain Python. Holds:
what TorchScript 2.13 gives for the whole corpus stands in docs/language-matrix.md.
"""

from __future__ import annotations

import math
from typing import Any

import pytest

import oracle


def remainder(n: int) -> int:
    """TorchScript: the process ends with SIGFPE."""
    return 5 % n


def floor_of_smallest(n: int) -> int:
    """TorchScript: the process ends with SIGFPE for the smallest int and -1."""
    return (-9223372036854775807 - n) // 1 if n else -9223372036854775807


def constant_remainder(n: int) -> int:
    """The same where the optimiser could fold it."""
    zero = n - n
    if n > 100:
        return 5 % 0
    return 7 // zero if n == 1 else n


def is_number(x: float) -> bool:
    """TorchScript's optimiser takes x == x for True, also for NaN."""
    return x == x and not x != x


def nan_order(x: float) -> list[bool]:
    return [x <= x, x >= x, x < x, x == x + 0.0]


def aliases_in_tuple(v: list[int]) -> tuple[list[int], list[int]]:
    """TorchScript loses that both names are one list once they went through a tuple."""
    pair = (v, v)
    pair[0].append(1)
    pair[1].append(2)
    a, b = pair
    a.append(3)
    return a, b


class Manager:
    def __init__(self, log: list[str]) -> None:
        self.log = log

    def __enter__(self) -> int:
        self.log.append("enter")
        return 1

    def __exit__(self, kind: Any, value: Any, trace: Any) -> None:
        self.log.append("exit")


def return_inside_with(n: int) -> list[str]:
    """TorchScript does not run __exit__, or refuses, where a with is left by return."""
    log: list[str] = []
    left_by_return(n, log)
    return log


def left_by_return(n: int, log: list[str]) -> int:
    for i in range(n):
        with Manager(log) as one:
            if i == 1:
                return one
            log.append(str(i))
    return 0


def precedence(a: bool, b: bool, c: bool) -> list[bool]:
    """TorchScript printed `a or b and c` without its brackets; after a reload it read (a or b) and c."""
    return [a or b and c, (a or b) and c, a and b or c, not (a or b) and c, a or not b or c and not a]


def dict_resized(d: dict[str, int]) -> int:
    """TorchScript walks over a copy, or reads memory that is gone."""
    n = 0
    for key in d:
        d[key + "!"] = n
        n += 1
    return n


def dict_shrunk(d: dict[str, int]) -> list[str]:
    seen: list[str] = []
    for key in d:
        seen.append(key)
        d.pop(key)
    return seen


def list_grows(v: list[int]) -> list[int]:
    """TorchScript reads the length once."""
    for x in v:
        if len(v) < 7:
            v.append(x * 2)
    return v


def list_shrinks(v: list[int]) -> list[int]:
    for x in v:
        if x % 2 == 0:
            v.remove(x)
    return v


def lazy_any(v: list[int]) -> bool:
    """TorchScript makes the whole list first, and divides by zero."""
    return any(10 // x > 1 for x in v)


def lazy_all(v: list[int]) -> tuple[bool, int]:
    seen: list[int] = []
    answer = all([True for _ in v]) and all(noted(seen, x) < 2 for x in v)
    return answer, len(seen)


def noted(seen: list[int], x: int) -> int:
    seen.append(x)
    return x


def operand_of_or(a: int, b: int) -> int:
    """TorchScript turns operands of and and or into bools."""
    return (a or b) + (a and b) * 10


def overflowing(n: int) -> int:
    """TorchScript wraps round; here it is OverflowError, and the product that fits is Python's."""
    return n * 3037000499


def code_points(s: str) -> tuple[int, str, str]:
    """TorchScript counts and cuts bytes."""
    return len(s), s[1], s[::-1]


def text_of_float(x: float) -> str:
    """TorchScript prints 1. for 1.0."""
    return str(x) + str([x])


def halves(x: float) -> list[int]:
    return [round(x), round(-x), int(x)]


PROGRAMS = [
    (remainder, [(0,), (3,)]),
    (floor_of_smallest, [(1,), (0,)]),
    (constant_remainder, [(1,), (2,), (101,)]),
    (is_number, [(math.nan,), (1.0,)]),
    (nan_order, [(math.nan,), (0.0,)]),
    (aliases_in_tuple, [([],), ([5],)]),
    (return_inside_with, [(0,), (1,), (3,)]),
    (precedence, [(a, b, c) for a in (True, False) for b in (True, False) for c in (True, False)]),
    (dict_resized, [({"a": 1},), ({},)]),
    (dict_shrunk, [({"a": 1},), ({"a": 1, "b": 2},)]),
    (list_grows, [([1, 2],), ([],)]),
    (list_shrinks, [([2, 4, 6, 1],), ([2],)]),
    (lazy_any, [([1, 0],), ([0, 1],), ([],)]),
    (lazy_all, [([1, 5, 1],), ([],)]),
    (operand_of_or, [(3, 5), (0, 5), (3, 0)]),
    (overflowing, [(2,), (-3037000499,)]),
    (code_points, [("añ😀",)]),
    (text_of_float, [(1.0,), (1e-5,), (1e22,)]),
    (halves, [(0.5,), (1.5,), (2.5,)]),
]


@pytest.mark.parametrize(("function", "calls"), PROGRAMS, ids=lambda item: getattr(item, "__name__", ""))
def test_python_answers(function: Any, calls: list[tuple[Any, ...]]) -> None:
    oracle.check(lambda: function, calls, function.__name__, function.__name__)
