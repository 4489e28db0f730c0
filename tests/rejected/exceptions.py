"""Exceptions and `with` that scripts do not have."""
# ruff: noqa
from language_rows import of_row
from typing import List, Optional, Tuple

import tsm


class Two(ValueError, KeyError):
    pass


class Shown(Exception):
    def __str__(self) -> str:
        return "shown"


class Branched(Exception):
    def __init__(self, code: int) -> None:
        if code > 0:
            self.code = code


class Chained(Exception):
    def __init__(self, code: int) -> None:
        self.code = code


class Deeper(Chained):
    def __init__(self) -> None:
        super().__init__(1)


class Bare(Exception):
    def __init__(self, code) -> None:
        self.code = code


class Starred(Exception):
    def __init__(self, *parts: int) -> None:
        super().__init__(*parts)


of_row("try")


def several_bases(x: int) -> int:
    raise Two("a")  # error 11: the exception 'Two' cannot be used: 'Two' has several base classes


def own_str(x: int) -> int:
    raise Shown()  # error 11: the exception 'Shown' cannot be used: 'Shown' defines __str__


def branched_init(x: int) -> int:
    raise Branched(x)  # error 11: the exception 'Branched' cannot be used: its __init__ uses or assigns 'self.code' other than once and for all


def chained_init(x: int) -> int:
    raise Deeper()  # error 11: the exception 'Deeper' cannot be used: both 'Deeper' and its base 'Chained' define __init__


def starred_init(x: int) -> int:
    raise Starred(x)  # error 11: the exception 'Starred' cannot be used: its __init__ has *args or **kwargs


def untyped_attribute(x: int) -> int:
    try:
        raise Bare(x)
    except Bare as e:
        return e.code  # error 16: the type of 'code' is not known


def unknown_attribute(x: int) -> int:
    try:
        raise Chained(x)
    except Chained as e:
        return e.other  # error 16: 'Chained' has no attribute 'other' that its __init__ assigns


def attribute_of_another(x: int) -> int:
    try:
        raise Chained(x)
    except Exception as e:
        return e.code  # error 16: an exception has no attribute 'code' here


def list_argument(xs: List[int]) -> int:
    raise ValueError(xs)  # error 11: an argument of an exception cannot be of type list[int] in scripts


def exception_argument(x: int) -> int:
    try:
        return 1 // x
    except ZeroDivisionError as e:
        raise ValueError(e)  # error 15: an argument of an exception cannot be of type exception in scripts


def keyword_argument(x: int) -> int:
    raise ValueError(message="a")  # error 11: ValueError() takes no keyword arguments


def system_exit(x: int) -> int:
    raise SystemExit(1)  # error 11: 'SystemExit' is not an Exception and cannot be made in scripts


def os_error(x: int) -> int:
    raise OSError(2, "no such file")  # error 11: 'OSError' cannot be made with these arguments in scripts


def except_value(x: int) -> int:
    try:
        return 1 // x
    except x:  # error 12: an except clause needs an exception class, or a tuple of them, known at compile time
        return 0


of_row("raise")


def bare_raise_in_finally(x: int) -> int:
    try:
        x = 1 // x
    finally:
        if x:
            raise  # error 13: a bare 'raise' needs an exception being handled here
    return x


of_row("try")


def after_handler(x: int) -> str:
    try:
        x = 1 // x
    except ZeroDivisionError as e:
        pass
    return str(e) + missing  # error 21: name 'missing' is not defined


of_row("raise")


def raise_from_text(x: int) -> int:
    raise ValueError("a") from "b"  # error 32: only an exception can be raised


of_row("with")


def with_class(x: int) -> int:
    with tsm.no_grad:  # error 10: the class 'no_grad' is not a context manager of a script
        pass
    return x


def with_value(x: int) -> int:
    with x:  # error 10: int is not a context manager of a script
        pass
    return x


def with_open(x: int) -> int:
    with open("a"):  # error 10: the builtin 'open' is not supported in scripts
        pass
    return x


of_row("try")


def type_conflict(x: int) -> int:
    y = 0
    try:
        y = "a" * (3 // x)
    except ZeroDivisionError:
        return y  # error 16: the result of 'type_conflict' must be int, got Union[int, str]
    return x


def parts(x: int) -> Tuple[int, int]:
    try:
        return x, 1 // x
    except ZeroDivisionError as e:
        return e.args  # error 16: the result of 'parts' must be tuple[int, int], got tuple[Any, ...]


def returned(x: int):  # error 1: 'returned' is an entry point and cannot take or return an exception
    return ValueError("a")


class Kept:
    def __init__(self, error: Optional[Exception]) -> None:
        self.error = error


def returned_inside(x: int) -> Kept:  # error 1: 'returned_inside' is an entry point and cannot take or return an exception
    return Kept(None if x else ValueError("a"))


def taken(error: Exception) -> str:  # error 1: 'taken' is an entry point and cannot take or return an exception
    return str(error)
