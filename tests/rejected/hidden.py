"""Functions that decorators hide, and keywords that methods of Python's own types do not take."""
# ruff: noqa
from language_rows import of_row
import functools
import math


of_row("functions as values")


@functools.lru_cache(maxsize=None)
def cached(n: int) -> int:  # error 1: 'cached' is wrapped by a cache of functools, and does more than give a result
    print(n)
    return n


@functools.cache
def remembered(n: int) -> list[int]:  # error 1: 'remembered' is wrapped by a cache of functools, and takes or gives what can change
    return [n]


class Between:
    def __init__(self, n: int) -> None:
        self.n = n

    def asked(self) -> int:
        return called_again(self.n - 1)


@functools.cache
def called_again(n: int) -> int:  # error 1: 'called_again' is wrapped by a cache of functools, and is called by a function that it calls
    return n if n <= 0 else Between(n).asked()


class Doubling:
    def __init__(self, function):
        functools.update_wrapper(self, function)

    def __call__(self, x):
        return 2 * self.__wrapped__(x)


@Doubling
def doubled(n: int) -> int:
    return n


def by_name(n: int) -> int:
    return cached(n) + len(remembered(n)) + doubled(n)  # error 45: 'doubled' is hidden by a decorator that makes a 'Doubling' of it; take the decorator away


def to_map(ns: list[int]) -> list[int]:
    return list(map(doubled, ns))  # error 17: 'doubled' is hidden by a decorator that makes a 'Doubling' of it; take the decorator away


def text(s: str) -> bool:
    return s.startswith(prefix="a")  # error 12: TypeError: str.startswith() takes no keyword arguments


def replaced(s: str) -> str:
    return s.replace(old="a", new="b")  # error 12: TypeError: str.replace() takes no keyword arguments


def half_right(s: str) -> list[str]:
    return s.split(sep=",", times=1)  # error 12: TypeError: 'times' is an invalid keyword argument for split()


def element(xs: list[int]) -> int:
    return xs.pop(index=0)  # error 12: TypeError: list.pop() takes no keyword arguments


def entry(d: dict[str, int]) -> int:
    return d.get(key="a", default=1)  # error 12: TypeError: dict.get() takes no keyword arguments


def added(s: set[int]) -> None:
    s.add(elem=1)  # error 5: TypeError: set.add() takes no keyword arguments


def root(x: float) -> float:
    return math.sqrt(x=x)  # error 12: TypeError: math.sqrt() takes no keyword arguments


def taken(s: str) -> list[str]:
    return s.split(sep=",", maxsplit=1) + s.splitlines(keepends=True)
