"""Exceptions and `with` that scripts do not have."""
# ruff: noqa
from language_rows import of_row
from typing import List, Optional, Tuple, Union

import tsm


class Two(ValueError, KeyError):
    pass


class Weighed(ValueError):
    def __len__(self) -> int:
        return 0


class Equal(Exception):
    def __eq__(self, other: object) -> bool:
        return True


class Chained(Exception):
    def __init__(self, code: int) -> None:
        self.code = code


class Deeper(Chained):
    def __init__(self) -> None:
        super().__init__(1)


class Missing(OSError):
    pass


class Speaking:
    def __repr__(self) -> str:
        return "speaking"


of_row("try")


def several_bases(x: int) -> int:
    raise Two("a")  # error 11: 'Two' cannot be used in scripts: 'Two' derives from both 'ValueError' and 'KeyError'


def own_equality(x: int) -> bool:
    try:
        raise Equal()
    except Exception as e:
        return e == Equal()  # error 16: exceptions of any class cannot be compared here, as one of the script's classes defines __eq__


def own_truth(x: int) -> int:
    try:
        raise Weighed()
    except Exception as e:
        return 1 if e else 2  # error 21: the truth of an exception of any class is not known here, as one of the script's classes defines __bool__ or __len__


def new_attribute(x: int) -> int:
    try:
        raise Chained(x)
    except Chained as e:
        e.extra = x  # error 9: 'Chained' has no attribute 'extra'  # error 9: 'Deeper' has no attribute 'extra'
        return e.code


def several_of_os_error(x: int) -> int:
    raise Missing(x, "a")  # error 11: 'Missing' cannot be made with these arguments in scripts


def context(x: int) -> str:
    try:
        1 // x
    except ZeroDivisionError as e:
        return repr(e.__traceback__)  # error 21: '__traceback__' of an exception is not supported in scripts
    return ""


def traceback(x: int) -> bool:
    try:
        raise Chained(x)
    except Chained as e:
        return e.__traceback__ is None  # error 16: '__traceback__' of an exception is not supported in scripts


def with_traceback(x: int) -> int:
    raise ValueError("a").with_traceback(None)  # error 11: 'with_traceback' of an exception is not supported in scripts


def assigned_cause(x: int) -> int:
    e = Chained(x)
    e.__cause__ = None  # error 5: '__cause__' of an exception cannot be assigned in scripts
    return e.code


def note_of_number(x: int) -> int:
    e = Chained(x)
    e.add_note(x)  # error 16: a note of an exception must be str
    return e.code


def asked_of_any(x: int) -> bool:
    try:
        raise Chained(x)
    except Exception as e:
        return hasattr(e, "code")  # error 16: whether an exception of any class has 'code' is not known


def default_of_any(x: int) -> int:
    try:
        raise Chained(x)
    except Exception as e:
        return getattr(e, "code", 0)  # error 16: whether an exception of any class has 'code' is not known


def class_among(x: int) -> bool:
    try:
        raise Chained(x)
    except Exception as e:
        kinds = [type(e)]  # error 18: a class that is known at run time only can be compared and asked for its name
        return KeyError in kinds


def unknown_attribute(x: int) -> int:
    try:
        raise Chained(x)
    except Chained as e:
        return e.other  # error 16: 'Chained' has no attribute 'other'  # error 16: 'Deeper' has no attribute 'other'


def attribute_of_another(x: int) -> int:
    try:
        raise Chained(x)
    except Exception as e:
        return e.code  # error 16: an exception has no attribute 'code' here


def function_argument(x: int) -> int:
    raise ValueError(abs)  # error 22: an argument of an exception cannot be of type function 'abs' in scripts


def speaking_argument(x: int) -> int:
    raise Chained(Speaking())  # error 11: an argument of an exception cannot be of type rejected_exceptions.Speaking in scripts, which has a text of its own


def keyword_argument(x: int) -> int:
    raise ValueError(message="a")  # error 11: ValueError() takes no keyword arguments


def os_error(x: int) -> int:
    raise OSError("a", "no such file")  # error 11: 'OSError' cannot be made with these arguments in scripts


def except_value(x: int) -> int:
    try:
        return 1 // x
    except x:  # error 12: an except clause needs an exception class, or a tuple of them, known at compile time
        return 0


of_row("raise")


def yields_in_handler(n: int) -> int:
    def again():
        raise

    def in_handler():
        try:
            yield 1 // n
        except ZeroDivisionError:
            yield 0  # error 13: a generator that yields where it handles an exception is not supported together with __context__, or 'raise' alone in a function that a handler calls
        again()

    return sum(in_handler())


of_row("try")


def after_handler(x: int) -> str:
    try:
        x = 1 // x
    except ZeroDivisionError as e:
        pass
    return str(e) + missing  # error 21: name 'missing' is not defined


of_row("raise")


def raise_from_text(x: int) -> int:
    raise ValueError("a") from "b"  # error 32: exception causes must derive from BaseException


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
    y: Union[int, str] = 0
    try:
        y = "a" * (3 // x)
    except ZeroDivisionError:
        return y  # error 16: the result of 'type_conflict' must be int, got Union[int, str]
    return x


def parts(x: int) -> List[int]:
    try:
        return [x, 1 // x]
    except ZeroDivisionError as e:
        return e.args  # error 16: the result of 'parts' must be list[int], got tuple[Any, ...]


def returned(x: int):  # error 1: 'returned' is an entry point and cannot take or return an exception
    return ValueError("a")


class Kept:
    def __init__(self, error: Optional[Exception]) -> None:
        self.error = error


def returned_inside(x: int) -> Kept:  # error 1: 'returned_inside' is an entry point and cannot take or return an exception
    return Kept(None if x else ValueError("a"))


def taken(error: Exception) -> str:  # error 1: 'taken' is an entry point and cannot take or return an exception
    return str(error)
