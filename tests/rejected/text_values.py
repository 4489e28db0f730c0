"""What text, bytes and numbers refuse, each one step away from what works."""
# ruff: noqa
import cmath
import math
from enum import Enum, IntEnum
from typing import Any, NamedTuple, Union

import tsm
from language_rows import of_row
from tsm import Tensor


class Item:
    def __init__(self, x: int) -> None:
        self.x = x


class Named:
    def __init__(self, x: int) -> None:
        self.x = x

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Named) and other.x == self.x


class Pair(NamedTuple):
    x: int
    y: int


class Size(IntEnum):
    SMALL = 1


class Color(Enum):
    RED = 1


of_row("formatting")


def field_by_text(text: str, p: Pair) -> str:
    return text.format(p)  # error 24: the attributes of Pair are not known to a text known at run time only


def shape_by_text(text: str, x: Tensor) -> str:
    return text.format(x, 1)  # error 24: the attributes of Tensor are not known to a text known at run time only


of_row("tensor operations")


def joined_tensor(x: Tensor) -> Tensor:
    return tsm.cat(x, 0)  # error 20: tsm.cat(): argument 'tensors' must be list[Tensor], got Tensor


def joined_keys(x: dict[str, Tensor]) -> Tensor:
    return tsm.stack(x.values())  # error 22: a dict view; write list(d.values()) to keep it has no value in scripts; call it


of_row("enums")


def members_as_keys(n: int) -> bool:
    return {Size.SMALL: n} == {1: n}  # error 12: dict[Size, int] and dict[int, int] cannot be compared


def member_as_any(n: int) -> Any:
    v: list[Any] = [n]
    v.append(Size.SMALL)  # error 14: append(): argument 'item' must be Any, got Size
    return v


def sum_of_any(x: Any, y: Any) -> str:
    return str(x & y)  # error 16: unsupported operand types for &: Any and Any


def size_of_any(x: Any) -> str:
    return str(pow(x, 2, 5))


def members_in_sets(n: int) -> bool:
    return {n} != {Size.SMALL}  # error 12: set[int] and set[Size] cannot be compared


of_row("bytes")


def codec_unknown(s: str) -> bytes:
    return s.encode("utf-16")  # error 21: the encoding 'utf-16' is not supported


def codec_variable(s: str, name: str) -> bytes:
    return s.encode(name)  # error 21: 'encoding' must be a constant str


def handler_unknown(b: bytes) -> str:
    return b.decode("utf-8", "surrogateescape")  # error 30: the error handler 'surrogateescape' is not supported


def bytes_of_text(s: str) -> bytes:
    return bytes(s)  # error 12: string argument without an encoding


def bytes_of_floats(xs: list[float]) -> bytes:
    return bytes(xs)  # error 12: bytes are made of ints, not of list[float]


def bytes_plus_text(b: bytes, s: str) -> bytes:
    return b + s  # error 12: unsupported operand types for +: bytes and str


def text_in_bytes(b: bytes, s: str) -> bool:
    return s in b  # error 12: 'in': argument 'item' must be bytes, got str


def bytes_compared(b: bytes, s: str) -> bool:
    return b < s  # error 12: '<' is not supported between bytes and str


def bytes_percent(b: bytes, n: int) -> bytes:
    return b % n  # error 12: % on bytes needs a constant format, and values whose number is known


def bytes_assigned(b: bytes) -> bytes:
    b[0] = 1  # error 5: bytes does not support item assignment
    return b


def bytes_joined(b: bytes, parts: list[str]) -> bytes:
    return b.join(parts)  # error 19: join(): argument 'parts' must be list[bytes], got list[str]


def byte_array(b: bytes) -> int:
    return len(memoryview(b))  # error 16: the builtin 'memoryview' is not supported in scripts


def hex_of_bytes(b: bytes) -> str:
    return b.fromhex(b)  # error 12: fromhex() argument must be str, not bytes


of_row("str methods")


def table_of_floats(s: str, table: dict[float, str]) -> str:
    return s.translate(table)  # error 12: the table must be a dict of int, not dict[float, str]


def table_three(s: str) -> str:
    return s.translate(s.maketrans("a", "b", 1))  # error 24: the arguments of maketrans() must be str


of_row("formatting")


def template_of_instance(text: str, item: Item) -> str:
    return text.format(item)  # error 24: rejected_text_values.Item cannot be formatted by a text known at run time only


def template_of_member(text: str, color: Color) -> str:
    return text % color  # error 19: Color cannot be formatted by a text known at run time only


def spread_behind(text: str, xs: list[int]) -> str:
    return text.format(1, *xs)  # error 12: '*' of a list stands alone in str.format()


def map_of_ints(text: str, table: dict[int, int]) -> str:
    return text.format_map(table)  # error 28: format_map() takes a dict with str keys, not dict[int, int]


of_row("math")


def complex_of_list(xs: list[float]) -> complex:
    return complex(xs)  # error 20: complex() does not take list[float]


def cmath_of_text(s: str) -> complex:
    return cmath.sqrt(s)  # error 23: a complex number is needed here, not str


def cmath_arguments(z: complex) -> complex:
    return cmath.exp(z, z)  # error 12: cmath.exp() takes 1 positional argument here


def gcd_of_float(x: float) -> int:
    return math.gcd(4, x)  # error 24: math.gcd() takes int, not float


def fsum_of_text(xs: list[str]) -> float:
    return math.fsum(xs)  # error 22: numbers are needed here, not list[str]


of_row("list methods")


def index_bounds(xs: list[int], x: float) -> int:
    return xs.index(1, x)  # error 24: slice indices must be integers, not float


def tuple_index_nothing(t: tuple[int, int]) -> int:
    return t.index()  # error 12: index() takes 1 to 3 arguments here


def order_of_instances(a: list[Item], b: list[Item]) -> bool:
    return a < [Item(1)]


def order_of_dicts(a: dict[str, int], b: dict[str, int]) -> bool:
    return a <= b  # error 12: '<=' is not supported between dict[str, int] and dict[str, int]


def sort_of_instances(a: list[Item]) -> None:
    a.sort()  # error 5: sorting instances needs a key


of_row("dict methods")


def items_not_hashable(d: dict[str, list[int]]) -> int:
    return len(d.items() & d.items())  # error 16: the items of dict[str, list[int]] are not hashable


def update_of_ints(d: dict[str, int], xs: list[int]) -> None:
    d.update(xs)  # error 14: update() takes a dict or pairs, got elements of type int


of_row("scalars")


def float_from_hex(s: str) -> float:
    return float.fromhex(s, 1)  # error 12: it() takes 1 argument, got 2


def to_bytes_keyword(n: int) -> bytes:
    return n.to_bytes(4, order="big")  # error 12: TypeError: 'order' is an invalid keyword argument for to_bytes()


of_row("dict methods")


def key_by_first_use(x: int) -> int:
    d = {}
    d[Named(x)] = 1  # error 5: rejected_text_values.Named cannot be a dict key here
    return len(d)


def key_in_tuple(x: int) -> int:
    d = {}
    d.setdefault((Named(x), 1), 2)  # error 5: tuple[rejected_text_values.Named, int] cannot be a dict key here
    return len(d)


def element_by_first_use(x: int) -> int:
    s = set()
    s.add([x])  # error 5: list[int] cannot be a set element here
    return len(s)


def key_in_comprehension(n: int) -> int:
    return len({Named(i): i for i in range(n)})  # error 17: rejected_text_values.Named cannot be a dict key here


def instance_among_keys(x: int) -> bool:
    return (Named(x), 1) in {(1, 2): 3}  # error 12: tuple[rejected_text_values.Named, int] cannot be looked for among keys


def hash_of_address(x: int) -> int:
    return hash((Item(x), 1))  # error 12: the hash of tuple[rejected_text_values.Item, int] depends on the address of an instance


of_row("sets")


def frozen_add(xs: list[int]) -> int:
    f = frozenset(xs)
    f.add(1)  # error 5: 'frozenset[int]' has no attribute 'add' in scripts
    f[0]  # error 5: frozenset[int] cannot be indexed
    return len(f)


def frozen_of_lists(xs: list[list[int]]) -> int:
    return len(frozenset(xs))  # error 26: list[int] cannot be a set element here


def frozen_for_set(xs: set[int]) -> set[int]:
    y: frozenset[int] = xs  # error 25: 'y' must be frozenset[int], got set[int]
    return frozenset([1])  # error 22: the result of 'frozen_for_set' must be set[int], got frozenset[int]


def frozen_identity(f: frozenset[int]) -> bool:
    return f is f  # error 12: 'is' on frozenset[int] is not supported: its values have no identity


def frozen_union(f: frozenset[int]) -> frozenset[int]:
    return f.union(x=1) | f.issubset()  # error 12: TypeError: frozenset.union() takes no keyword arguments  # error 27: frozenset.issubset() takes exactly one argument (0 given)


def frozen_bare(f: frozenset) -> int:  # error 20: 'frozenset' needs its element type: write frozenset[int]
    return 1


of_row("classes")


class Own:
    def __init__(self, x: int) -> None:
        self.x = x

    def __eq__(self, other: object) -> bool:
        return self.x == other

    def __hash__(self) -> int:
        return hash(self.x)


def other_among_own_keys(x: int) -> bool:
    return x in {Own(x): 1}  # error 12: int cannot be looked for in dict[rejected_text_values.Own, int]: their classes would be asked


def frozenset_of_own_keys(x: int) -> int:
    return len({frozenset({Own(x)})})  # error 16: frozenset[rejected_text_values.Own] cannot be a key here


def own_sets_of_two(x: int) -> bool:
    return {Own(x)} == {(Own(x), 1)}  # error 12: set[rejected_text_values.Own] and set[tuple[rejected_text_values.Own, int]] cannot be compared
