"""Operators whose operands do not fit, and methods and functions that do not exist."""
# ruff: noqa
from language_rows import of_row
import math
from typing import Dict, List, Optional

from tsm import Tensor


of_row("operators")


def add_str(x: int) -> str:
    return "n = " + x  # error 12: unsupported operand types for +: str and int


def add_none(x: Optional[int]) -> int:
    return x + 1  # error 12: unsupported operand types for +: Optional[int] and int


def add_declared_variable(k: str) -> int:
    best: Optional[int] = None
    if k:
        best = len(k)
    return best + 1  # error 12: unsupported operand types for +: Optional[int] and int


def add_element_of_declared(xs: List[Optional[int]]) -> int:
    return xs[0] + 1  # error 12: unsupported operand types for +: Optional[int] and int


def no_arm_matches(k: str) -> int:
    values = {"a": 1, "b": "x"}
    return values[k] + None  # error 12: unsupported operand types for +: Union[int, str] and None


def declared_result(k: str) -> Optional[int]:
    return len(k) if k else None


def add_declared_result(k: str) -> int:
    return declared_result(k) + 1  # error 12: unsupported operand types for +: Optional[int] and int


def negate(s: str) -> str:
    return -s  # error 12: bad operand type for unary -: str


def order(x: int, s: str) -> bool:
    return x < s  # error 12: '<' is not supported between int and str


of_row("identity")


def identity(x: int, y: int) -> bool:
    return x is y  # error 12: 'is' on int is not supported: its values have no identity


def identity_str(x: str, y: str) -> bool:
    return x is y  # error 12: 'is' on str is not supported: its values have no identity


of_row("operators")


def contains(x: int) -> bool:
    return 1 in x  # error 12: 'in' is not supported for int


def list_plus_tuple(xs: List[int]) -> List[int]:
    return xs + (1,)  # error 12: unsupported operand types for +: list[int] and tuple[int]


of_row("classes")


def no_method(s: str) -> str:
    return s.uper()  # error 12: 'str' has no attribute 'uper' in scripts


def no_list_method(xs: List[int]) -> None:
    xs.push(1)  # error 5: 'list[int]' has no attribute 'push' in scripts


def none_method(s: Optional[str]) -> str:
    return s.upper()  # error 12: Optional[str] may be None here and has no attribute 'upper'


of_row("math")


def math_missing(x: float) -> float:
    return math.sqroot(x)  # error 12: module 'math' has no attribute 'sqroot'


def math_str(s: str) -> float:
    return math.sqrt(s)  # error 22: math.sqrt(): argument 'x' must be float, got str


of_row("list methods")


def index_str(xs: List[int], s: str) -> int:
    return xs[s]  # error 15: list indices must be int or slices, not str


def index_int(x: int) -> int:
    return x[0]  # error 12: int cannot be indexed


def index_optional(x: Optional[List[int]]) -> int:
    return x[0]  # error 12: Optional[list[int]] cannot be indexed


def assign_str(s: str) -> str:
    s[0] = "a"  # error 5: str does not support item assignment
    return s


def assign_tuple(x: int) -> int:
    t = (1, 2)
    t[0] = x  # error 5: tuple[int, int] does not support item assignment
    return t[0]


def key_type(d: Dict[str, int]) -> int:
    return d[1]  # error 14: '[]': argument 'key' must be str, got int


of_row("loops")


def not_iterable(x: int) -> int:
    for i in x:  # error 14: int is not iterable
        pass
    return x


of_row("assignment")


def unpack_few(x: int) -> int:
    a, b, c = x, 1  # error 5: not enough values to unpack (expected 3, got 2)
    return a


def unpack_many(x: int) -> int:
    a, b = x, 1, 2  # error 5: too many values to unpack (expected 2)
    return a


def unpack_int(x: int) -> int:
    a, b = x  # error 12: cannot unpack int
    return a


of_row("list methods")


def delete_tuple(x: int) -> int:
    t = (1, 2)
    del t[0]  # error 9: items of tuple[int, int] cannot be deleted
    return x


of_row("tensor indexing")


def slice_by_text(x: Tensor) -> Tensor:
    return x["a":, :2]  # error 14: the parts of a slice must be int or None, not str


def store_slice_by_text(x: Tensor) -> Tensor:
    x[:2, "a":] = 1  # error 11: the parts of a slice must be int or None, not str
    return x


def slice_by_float(x: Tensor) -> Tensor:
    x[1.5:] += 1  # error 7: the parts of a slice must be int or None, not float
    return x


def shape_that_grows(x: Tensor) -> int:
    sizes: list[int] = x.shape
    sizes.append(1)  # error 5: 'tuple[int, ...]' has no attribute 'append' in scripts
    return len(sizes)


def not_implemented_by_name(n: int) -> bool:
    return n.__eq__(0.5)  # error 12: __eq__() of int gives NotImplemented for float


def misplaced_by_name(s: str) -> int:
    return s.__len__(1)  # error 12: __len__() takes 0 arguments
