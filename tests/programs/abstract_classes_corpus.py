"""isinstance of classes that no value has for its own: collections.abc, numbers, typing's names without arguments."""
# ruff: noqa: UP006, UP035 - written as users write it

from __future__ import annotations

import enum
import numbers
import typing
from collections.abc import Collection, Hashable, Iterable, Mapping, MutableSequence, Sequence, Set, Sized
from typing import Any, Union

from language_rows import of_row
from oracle import program

of_row("refinement")


@program("abstract classes of texts, tuples and sets", ("ab",), ("",))
def of_plain(x: str) -> list[bool]:
    pair, letters = (x, x), set(x)
    return [
        isinstance(x, Iterable), isinstance(x, Sequence), isinstance(x, Mapping), isinstance(pair, Sequence),
        isinstance(pair, MutableSequence), isinstance(letters, Set), isinstance(letters, Hashable),
        isinstance(frozenset(x), Hashable), isinstance(x.encode(), Collection),
    ]


@program("classes of numbers", (2, 1.5), (-1, 0.0))
def of_numbers(n: int, x: float) -> list[bool]:
    return [
        isinstance(n, numbers.Integral), isinstance(x, numbers.Integral), isinstance(x, numbers.Real),
        isinstance(n > 1, numbers.Number), isinstance(n, Iterable), isinstance(str(n), numbers.Number),
    ]


@program("what can be walked is counted", (3,), ("abc",), ([1, 2],), torch=False)
def counted(x: Union[int, str, list[int]]) -> int:
    return len(x) if isinstance(x, Iterable) else x


@program("a nested list made flat by what can be walked", ([1, [2, "ab", (3, [4])], {5}],), torch=False)
def flat(items: Any) -> list[Any]:
    found: list[Any] = []
    for item in items:
        if isinstance(item, Iterable) and not isinstance(item, str):
            found.extend(flat(item))
        else:
            found.append(item)
    return found


class Shelf:
    def __init__(self, books: int) -> None:
        self.books = books

    def __len__(self) -> int:
        return self.books

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Shelf) and other.books == self.books


class Colour(enum.Enum):
    RED = 1


class Point(typing.NamedTuple):
    x: int


@program("abstract classes of a value of any kind", (0,), (2,))
def of_any(n: int) -> list[str]:
    found: list[Any] = [Shelf(n), Colour.RED, Point(n), n, 1.5, None, {n: n}, (n,)]
    return [
        f"{isinstance(x, Sized)} {isinstance(x, Hashable)} {isinstance(x, Iterable)} {isinstance(x, numbers.Number)}"
        for x in found
    ]


@program("classes of typing without arguments", ([1],), ({},), ((1,),), ("a",), torch=False)
def bare(x: Any) -> list[bool]:
    return [isinstance(x, typing.List), isinstance(x, (typing.Tuple, typing.Dict)), isinstance(x, typing.Sequence)]


T = typing.TypeVar("T")


class Store(typing.Protocol[T]):
    limit: int = 3

    def get(self, key: str) -> T: ...

    def first(self, keys: list[str]) -> list[T]:
        return [self.get(key) for key in keys[: self.limit]]

    @property
    def size(self) -> int:
        return len(self.first(["a", "b", "c", "d"]))


class Lengths(Store[int]):
    def __init__(self, base: int) -> None:
        self.base = base

    def get(self, key: str) -> int:
        return len(key) + self.base


class Doubles(Store[str]):
    limit = 1

    def get(self, key: str) -> str:
        return key * 2


@typing.runtime_checkable
class Closing(typing.Protocol):
    def close(self) -> int: ...


class Door(Closing):
    def close(self) -> int:
        return 5


def fetched(store: Store[T]) -> T:
    return store.get("zz")


of_row("abstract types")


@program("classes that derive from protocols and inherit their methods", (2,))
def derived_protocols(n: int) -> tuple[int, str, list[int], int, list[str], bool, int]:
    door = Door()
    return (fetched(Lengths(n)), fetched(Doubles()), Lengths(1).first(["a", "bb"]), Lengths(2).size,
            Doubles().first(["x", "y"]), isinstance(door, Closing) and issubclass(Door, Closing), door.close())


class Silent(typing.Protocol):
    def hush(self) -> int: ...


class Quiet(Silent):
    def hush(self) -> int:
        return 1


of_row("refinement")


@program("issubclass of a protocol that is none at run time", (1,))
def asks_silent(n: int) -> list[str]:
    found: list[str] = []
    for ask in (lambda: issubclass(Quiet, Silent), lambda: issubclass(type(Quiet()), Silent)):
        try:
            found.append(str(ask()))
        except TypeError as error:
            found.append(str(error))
    return found
