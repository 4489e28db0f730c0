"""Calls that do not fit their callee."""
# ruff: noqa
from language_rows import of_row
from typing import List


of_row("calls")


def two(a: int, b: int) -> int:
    return a + b


def too_many(x: int) -> int:
    return two(x, x, x)  # error 12: two() takes 2 positional arguments but 3 were given


def missing(x: int) -> int:
    return two(x)  # error 12: two() missing 1 required positional argument: 'b'


def missing_both(x: int) -> int:
    return two()  # error 12: two() missing 2 required positional arguments: 'a' and 'b'


def unexpected(x: int) -> int:
    return two(x, c=x)  # error 19: two() got an unexpected keyword argument 'c'


def repeated(x: int) -> int:
    return two(x, a=x)  # error 19: two() got multiple values for argument 'a'


def keyword_only(x: int) -> int:
    return only(x, 1)  # error 12: only() takes 1 positional argument but 2 were given


def only(a: int, *, b: int) -> int:
    return a + b


def mutable_default(x: int) -> List[int]:
    return defaulted(x)  # error 5: a script cannot return the default of 'xs' of 'defaulted': it is read once, when the script is compiled


def defaulted(x: int, xs: List[int] = []) -> List[int]:
    return xs  # error 5: a script cannot return the default of 'xs' of 'defaulted': it is read once, when the script is compiled


def shared_default(x: int, table: dict[str, list[int]] = {"a": []}) -> int:
    table["a"].append(x)  # error 5: a script cannot change the default of 'table' of 'shared_default': it is read once, when the script is compiled
    return len(table["a"])


def call_int(x: int) -> int:
    return x()  # error 12: a value of type int cannot be called


of_row("builtins")


def len_of_int(x: int) -> int:
    return len(x)  # error 12: int has no len()


def isinstance_value(x: int) -> bool:
    return isinstance(x, 3)  # error 26: isinstance needs a class, or a tuple of classes, known at compile time


def range_float(x: float) -> int:
    n = 0
    for i in range(x):  # error 20: an argument of range must be int, got float
        n += i
    return n


def range_value(n: int) -> int:
    r = range(n)
    return n


of_row("functions as values")


def stored_function(n: int) -> int:
    return two  # error 12: a function cannot return the function 'two'


of_row("raise")


def raise_value(x: int) -> int:
    raise x  # error 11: only an exception can be raised


of_row("classes")


def instance(x: int) -> int:
    return Point(x)  # error 12: Point() takes no arguments


class Point:
    pass


of_row("str methods")


def str_arguments(s: str) -> str:
    return s.replace("a")  # error 12: replace(): argument 'new' is missing


def str_extra(s: str) -> str:
    return s.upper(1)  # error 12: upper(): takes no positional arguments, got 1


def str_keyword(s: str) -> List[str]:
    return s.split(separator=",")  # error 12: TypeError: 'separator' is an invalid keyword argument for split()


of_row("builtins")


def sort_backwards_by_list(v: List[int]) -> List[int]:
    return sorted(v, reverse=v)  # error 30: reverse= must be a bool, not list[int]


def sort_in_place_by_text(v: List[int]) -> List[int]:
    v.sort(key=lambda x: -x, reverse="yes")  # error 38: reverse= must be a bool, not str
    return v
