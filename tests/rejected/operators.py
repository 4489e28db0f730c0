"""Operators whose operands do not fit, and methods and functions that do not exist."""
import math
from typing import Dict, List, Optional


def add_str(x: int) -> str:
    return "n = " + x


def add_none(x: Optional[int]) -> int:
    return x + 1


def percent(x: int) -> str:
    return "%d" % x


def negate(s: str) -> str:
    return -s


def order(x: int, s: str) -> bool:
    return x < s


def identity(x: int, y: int) -> bool:
    return x is y


def identity_str(x: str, y: str) -> bool:
    return x is y


def contains(x: int) -> bool:
    return 1 in x


def list_plus_tuple(xs: List[int]) -> List[int]:
    return xs + (1,)


def no_method(s: str) -> str:
    return s.uper()


def no_list_method(xs: List[int]) -> None:
    xs.push(1)


def none_method(s: Optional[str]) -> str:
    return s.upper()


def math_missing(x: float) -> float:
    return math.sqroot(x)


def math_unsupported(x: float) -> float:
    return math.gamma(x)


def math_str(s: str) -> float:
    return math.sqrt(s)


def index_str(xs: List[int], s: str) -> int:
    return xs[s]


def index_int(x: int) -> int:
    return x[0]


def index_optional(x: Optional[List[int]]) -> int:
    return x[0]


def assign_str(s: str) -> str:
    s[0] = "a"
    return s


def assign_tuple(x: int) -> int:
    t = (1, 2)
    t[0] = x
    return t[0]


def key_type(d: Dict[str, int]) -> int:
    return d[1]


def not_iterable(x: int) -> int:
    for i in x:
        pass
    return x


def unpack_few(x: int) -> int:
    a, b, c = x, 1
    return a


def unpack_many(x: int) -> int:
    a, b = x, 1, 2
    return a


def unpack_int(x: int) -> int:
    a, b = x
    return a


def delete_tuple(x: int) -> int:
    t = (1, 2)
    del t[0]
    return x
