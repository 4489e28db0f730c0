"""Sets, formatting, dicts and match: what is refused."""
# ruff: noqa
from language_rows import of_row
from typing import List, Set


of_row("sets")


def set_of_lists(x: int) -> int:
    s = {[x]}  # error 9: list[int] cannot be a set element here
    return x


def set_annotation(x: Set[List[int]]) -> int:  # error 23: list[int] cannot be a set element; use int, str, bool, float or tuples
    return 1


def frozen(x: List[int]) -> int:
    return len(frozenset(x, x))  # error 16: frozenset() takes 0 to 1 argument, got 2


def set_index(x: Set[int]) -> int:
    return x[0]  # error 12: set[int] cannot be indexed


def set_item(x: Set[int]) -> None:
    x.add("a")  # error 11: add(): argument 'item' must be int, got str


def set_method_count(x: Set[int]) -> bool:
    return x.issubset()  # error 12: set.issubset() takes exactly one argument (0 given)


def set_sum(x: Set[int]) -> Set[int]:
    return x + x  # error 12: unsupported operand types for +: set[int] and set[int]


of_row("dict methods")


def merged_list(x: List[int]) -> int:
    d = {**x}  # error 12: 'list[int]' object is not a mapping
    return 1


of_row("formatting")


def format_spec_type(x: float) -> str:
    return format(x, 3)  # error 22: format() argument 2 must be str, not int


of_row("match")


def mapping_rest(x: dict[str, int]) -> int:
    match x:
        case {"a": y, **rest}:
            return y
    return 0


of_row("builtins")


def int_of_float_base(x: float) -> int:
    return int(x, 10)  # error 12: no form of int() takes these arguments; closest:
