"""Types that do not fit: declared types, results, containers."""
from typing import Callable, Dict, List, Optional, Tuple, Union


def result(x: float) -> int:
    return x


def no_return(x: int) -> int:
    if x > 0:
        return x


def argument(x: str) -> int:
    return takes_int(x)


def takes_int(n: int) -> int:
    return n


def optional_argument(x: Optional[int]) -> int:
    return takes_int(x)


def declared(x: int) -> int:
    y: str = x
    return x


def redeclared(x: int) -> int:
    y: int = 1
    y: str = "a"
    return y


def append_other(x: int) -> List[int]:
    xs = [1, 2]
    xs.append("a")
    return xs


def empty_list(x: int) -> int:
    xs = []
    return len(xs)


def empty_dict(x: int) -> int:
    d = {}
    return len(d)


def list_of_float(xs: List[int]) -> float:
    return takes_floats(xs)


def takes_floats(xs: List[float]) -> float:
    return xs[0]


def bare_list(xs: list) -> int:
    return len(xs)


def callable_type(f: Callable[[int], int]) -> int:
    return f(1)


def bad_key(x: List[int]) -> Dict[List[int], int]:
    return {x: 1}


def unknown_type(x: "Undefined") -> int:
    return 1


def not_a_type(x: takes_int) -> int:
    return 1


def tuple_index(x: int) -> int:
    t = (x, "a")
    return t[x]


def tuple_range(x: int) -> int:
    t = (x, "a")
    return t[2]


def scalar_parameter(x) -> int:
    return takes_int(x)


def generic_bare(x: Optional) -> int:
    return 1

