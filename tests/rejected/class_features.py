"""Classes and types: what is refused beside what works."""
# ruff: noqa
from dataclasses import dataclass, fields, replace, field
from enum import Enum, Flag, IntFlag
from typing import Any, List, NamedTuple, Protocol, Union
import string
import functools
from language_rows import of_row

of_row("classes")


@dataclass
class Point:
    x: int
    y: int = 0
    z: int = field(init=False, default=1)


def fields_of(n: int) -> int:
    return len(fields(Point(n)))  # error 16: fields() can be looped over, and is no value in scripts


def with_capitals(text: str) -> str:
    return string.Template(text).substitute()  # error 12: 'string.Template' of the standard library is not supported in scripts


def replaced_unknown(n: int) -> int:
    return replace(Point(n), w=1).x  # error 30: replace() cannot set 'w' of 'Point'


def replaced_not_init(n: int) -> int:
    return replace(Point(n), z=1).x  # error 30: replace() cannot set 'z' of 'Point'


def replaced_int(n: int) -> int:
    return replace(n, z=1)  # error 12: replace() needs an instance of one dataclass, not int


class Perm(IntFlag):
    R = 4
    W = 2048


def wide_flags(n: int) -> int:
    return int(Perm.R)  # error 16: the flags 'Perm' are not supported: they have more than 10 bits; use ints and '&'


class Thin(IntFlag):
    R = 4


class Plain(Flag):
    R = 4


def flag_and_int(n: int) -> Plain:
    return Plain.R | n  # error 12: unsupported operand types for |: Plain and int


def int_in_flag(n: int) -> bool:
    return n in Thin.R  # error 12: 'in' does not work with int and Thin


class Span(NamedTuple):
    low: int
    high: int

    def size(self) -> int:
        return self.high - self.low


class Mode(float, Enum):
    A = 0.5


def mixed(n: int) -> float:
    return Mode(0.5).value  # error 12: 'Mode' mixes float into Enum; only int and str may be here


def view_of_any(x: Any) -> str:
    return str(x.items())  # error 16: a view of a value of type Any can only be looped over


class Unlike:
    def __eq__(self, other: object) -> bool:
        return isinstance(other, Unlike)

    def __hash__(self) -> int:
        return 1


def found_in_any(x: Any) -> bool:
    return Unlike() in x  # error 12: rejected_class_features.Unlike cannot be looked for in a value of type Any: its class would be asked


def item_of_any_by_instance(x: Any) -> Any:
    return x[Unlike()]  # error 12: rejected_class_features.Unlike cannot be looked for in a value of type Any: its class would be asked


def subclass_of_variable(n: int) -> bool:
    return issubclass(n, int)  # error 12: issubclass() works with classes that are known when compiling


def sets_global(n: int) -> int:
    global COUNT  # error 5: a script cannot assign globals
    COUNT = n
    return n


def partial_of_stars(n: int) -> int:
    xs = (n, 2)
    return functools.partial(max, *xs)()  # error 12: partial() takes a function and arguments here


COUNT = 1


class Unmarked(Protocol):
    name: str


def asks_unmarked(n: int) -> bool:
    return isinstance(Point(n), Unmarked)  # error 33: isinstance with the protocol 'Unmarked' raises TypeError


class Composed(Flag):
    A = 1
    B = 2
    C = 4 | 2


def flags_without_members(n: int) -> int:
    made = IntFlag("made", "R W")  # error 12: the flags 'IntFlag' are not supported: it has no members; write a class statement with some
    return (Composed.A | Composed.C).value + n  # error 13: the flags 'Composed' are not supported: every bit needs a member of its own  # error 26: the flags 'Composed' are not supported: every bit needs a member of its own


def assigned_around(n: int) -> int:
    class Counting:  # error 5: a method of the class 'Counting' assigns 'n', a variable of the function around it
        def up(self) -> int:
            nonlocal n
            n += 1
            return n

    return Counting().up()


def joined_bytes(parts: list[bytes], texts: list[str]) -> bytes:
    sum((text for text in texts), "")  # error 5: sum() does not add texts
    return sum(parts, b"")  # error 16: sum() does not add texts


class Loaded:
    def __init__(self, size: int):
        self.size = size

    @property
    def data(self) -> int:
        if self.size < 0:
            raise AttributeError("nothing is loaded")
        return self.size


def asks_loaded(n: int) -> int:
    loaded = Loaded(n)
    if hasattr(loaded, "data"):  # error 8: the property 'data' may raise AttributeError, which is not caught here
        return loaded.data
    return getattr(loaded, "data", 0)  # error 12: the property 'data' may raise AttributeError, which is not caught here
