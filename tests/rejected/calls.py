"""Calls that do not fit their callee."""
from typing import List


def two(a: int, b: int) -> int:
    return a + b


def too_many(x: int) -> int:
    return two(x, x, x)


def missing(x: int) -> int:
    return two(x)


def missing_both(x: int) -> int:
    return two()


def unexpected(x: int) -> int:
    return two(x, c=x)


def repeated(x: int) -> int:
    return two(x, a=x)


def keyword_only(x: int) -> int:
    return only(x, 1)


def only(a: int, *, b: int) -> int:
    return a + b


def variadic(x: int) -> int:
    return many(x, x)


def many(*xs: int) -> int:
    return 1


def mutable_default(x: int) -> int:
    return defaulted(x)


def defaulted(x: int, xs: List[int] = []) -> int:
    return x


def call_int(x: int) -> int:
    return x()


def star_list(xs: List[int]) -> int:
    return two(*xs)


def double_star(x: int) -> int:
    return two(**{"a": x})


def len_of_int(x: int) -> int:
    return len(x)


def isinstance_value(x: int) -> bool:
    return isinstance(x, 3)


def range_float(x: float) -> int:
    n = 0
    for i in range(x):
        n += i
    return n


def range_value(n: int) -> int:
    r = range(n)
    return n


def stored_function(n: int) -> int:
    return two


def sort_key(xs: List[int]) -> List[int]:
    return sorted(xs, key=abs)


def raise_value(x: int) -> int:
    raise x


def raise_two(x: int) -> int:
    raise ValueError("a", x)


def exception_value(x: int) -> int:
    e = ValueError("a")
    return x


def instance(x: int) -> int:
    return Point(x)


class Point:
    pass


def str_arguments(s: str) -> str:
    return s.replace("a")


def str_extra(s: str) -> str:
    return s.upper(1)


def str_keyword(s: str) -> List[str]:
    return s.split(separator=",")
