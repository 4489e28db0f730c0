"""Types that do not fit: declared types, results, containers."""
# ruff: noqa
from enum import Enum

from language_rows import of_row
from typing import Callable, Dict, List, Optional, Tuple, Union


of_row("annotations")


def result(x: float) -> int:
    return x  # error 12: the result of 'result' must be int, got float


def argument(x: str) -> int:
    return takes_int(x)  # error 22: argument 'n' of 'takes_int' must be int, got str


def takes_int(n: int) -> int:
    return n


def optional_argument(x: Optional[int]) -> int:
    return takes_int(x)  # error 22: argument 'n' of 'takes_int' must be int, got Optional[int]


def declared(x: int) -> int:
    y: str = x  # error 14: 'y' must be str, got int
    return x


def redeclared(x: int) -> int:
    y: int = 1
    y: str = "a"  # error 8: 'y' is annotated as int already  # error 14: 'y' must be int, got str
    return y


def redefined_in_a_branch(x: int, flag: bool) -> int:
    if flag:
        x = str(x)  # error 17: 'x' must be int, got str
    return x


def redefined_in_a_loop(n: int) -> int:
    total: int = 0
    for i in range(n):
        total = [i]  # error 17: 'total' must be int, got list[int]
    return total


def redefined_for_a_closure(x: int) -> int:
    def change() -> None:
        nonlocal x
        x += 1

    x = [x]  # error 9: 'x' must be int, got list[int]
    change()
    return 1



def append_other(x: int) -> List[int]:
    xs: List[Union[int, str]] = [1, 2]
    xs.append("a")
    return xs  # error 12: the result of 'append_other' must be list[int], got list[Union[int, str]]


def append_to_declared(x: int) -> List[int]:
    xs: List[int] = [1, 2]
    xs.append("a")  # error 15: append(): argument 'item' must be int, got str
    return xs


def list_of_float(xs: List[str]) -> float:
    return takes_floats(xs)  # error 25: argument 'xs' of 'takes_floats' must be list[float], got list[str]


def ints_for_floats(xs: List[int]) -> None:
    def put(to: List[float]) -> None:
        to.append(0.5)  # error 19: append(): argument 'item' must be int, got float

    put(xs)


def takes_floats(xs: List[float]) -> float:
    return xs[0]


of_row("abstract types")


def callable_type(f: Callable[[int], int]) -> int:  # error 19: an entry point cannot take a function
    return f(1)


of_row("annotations")


def bad_key(x: List[int]) -> Dict[List[int], int]:  # error 30: list[int] cannot be a dict key; use int, str, bool, float or tuples
    return {x: 1}  # error 12: list[int] cannot be a dict key here


def unknown_type(x: "Undefined") -> int:  # error 22: name 'Undefined' is not defined
    return 1


def not_a_type(x: takes_int) -> int:  # error 19: 'takes_int' is not a type that scripts support; use Tensor, int, float, bool, str, None, list[...], dict[...], set[...], tuple[...], Optional[...] or Union[...]
    return 1


of_row("tuples")


def tuple_index(x: int) -> float:
    t = ([x], "a")
    return t[x]  # error 12: the result of 'tuple_index' must be float, got Union[list[int], str]


def tuple_range(x: int) -> int:
    t = (x, "a")
    return t[2]  # error 12: tuple index 2 is out of range for 2 elements


of_row("unannotated")


def scalar_parameter(x: str) -> int:
    return takes_int(x)  # error 22: argument 'n' of 'takes_int' must be int, got str


of_row("annotations")


def generic_bare(x: Optional) -> int:  # error 21: 'Optional' needs its element type: write Optional[int]
    return 1


of_row("numbers meet")


class Kept:
    def __init__(self) -> None:
        self.values = [0.5]


def escaped_floats(x: int) -> List[float]:
    xs, kept = [1.5], Kept()
    kept.values = xs
    xs.append(x)
    return xs  # error 12: the result of 'escaped_floats' must be list[float], got list[Union[float, int]]


def ints_into_floats(x: int) -> List[List[float]]:
    xs = [[1.5]]
    xs[0] = [x]
    return xs  # error 12: the result of 'ints_into_floats' must be list[list[float]], got list[Union[list[float], list[int]]]


of_row("calls")


def default_int(d: Dict[str, int]) -> float:
    e = floats()
    return e.setdefault("b", 0)  # error 30: a container of float cannot take int: its element type is not declared


def floats() -> Dict[str, float]:
    return {"a": 1.5}


def escaped_row(n: int) -> List[List[float]]:
    grid, kept = [[0] * n for _ in range(2)], {}
    grid[0][0] = 0.5
    kept[n] = grid[1]
    return grid  # error 12: the result of 'escaped_row' must be list[list[float]], got list[list[Union[float, int]]]


def one_list_twice(n: int) -> Tuple[List[float], List[float]]:
    xs = [n]
    xs.append(0.5)
    return xs, xs  # error 12: the result of 'one_list_twice' must be tuple[list[float], list[float]], got tuple[list[Union[float, int]], list[Union[float, int]]]


def beside_the_body(x: int) -> str:
    try:
        x += 1
    except TypeError:
        return {[x]: 1}  # error 16: list[int] cannot be a dict key here
    else:
        return x.upper()  # error 16: 'int' has no attribute 'upper' in scripts


class Level(Enum):
    LOW = 1
    HIGH = 2


def sorted_members(xs: List[Level]) -> List[Level]:
    return sorted(xs)  # error 12: sorting instances needs a key


def compared_members(xs: List[Level]) -> bool:
    return xs < xs  # error 12: '<' is not supported between containers of 'Level'
