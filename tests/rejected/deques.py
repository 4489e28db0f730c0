"""Deques: what is refused."""
# ruff: noqa
from language_rows import of_row
from collections import deque
from typing import List


of_row("list methods")


def bare_deque(d: deque) -> int:  # error 19: 'deque' needs its element type: write deque[int]
    return 1


def list_for_deque(xs: List[int]) -> int:
    d: deque[int] = xs  # error 21: 'd' must be deque[int], got list[int]
    return len(d)


def display_for_deque(x: int) -> int:
    d: deque[int] = [x]  # error 21: 'd' must be deque[int], got list[int]
    return len(d)


def summed(xs: List[int]) -> int:
    return sum(xs)


def deque_for_list(x: int) -> int:
    return summed(deque([x]))  # error 19: argument 'xs' of 'summed' must be list[int], got deque[int]


def sorted_in_place(d: deque[int]) -> None:
    d.sort()  # error 5: 'deque[int]' has no attribute 'sort' in scripts


def sliced(d: deque[int]) -> int:
    return len(d[1:])  # error 18: sequence index must be integer, not 'slice'


def slice_deleted(d: deque[int]) -> None:
    del d[1:]  # error 9: items of deque[int] cannot be deleted


def slice_assigned(d: deque[int]) -> None:
    d[:1] = [2]  # error 5: deque[int] does not support slice assignment


def list_added(d: deque[int], xs: List[int]) -> int:
    return len(d + xs)  # error 16: unsupported operand types for +: deque[int] and list[int]


def deque_added(d: deque[int], xs: List[int]) -> int:
    return len(xs + d)  # error 16: unsupported operand types for +: list[int] and deque[int]


def ordered_with_list(d: deque[int], xs: List[int]) -> bool:
    return d < xs  # error 12: '<' is not supported between deque[int] and list[int]


def wrong_item(d: deque[int]) -> None:
    d.append("a")  # error 14: a deque of int cannot take str


def pop_of_place(d: deque[int]) -> int:
    return d.pop(0)  # error 12: pop() takes 1 positional argument but 2 were given


def by_keyword(d: deque[int]) -> None:
    d.rotate(n=1)  # error 5: deque.rotate() takes its arguments by position


def three_arguments(x: int) -> int:
    return len(deque([x], 1, 2))  # error 16: deque() takes at most 2 arguments here, got 3


def limit_of_text(x: int) -> int:
    return len(deque([x], "a"))  # error 27: maxlen must be an int or None, not str


def limit_changed(d: deque[int]) -> None:
    d.maxlen = 3  # error 5: attribute 'maxlen' of deque[int] cannot be assigned
