"""Classes as values with members of their own, deleters of properties, attributes by names that a class lists, dicts of
collections outside, and the members of a module container unpacked."""
# ruff: noqa: ANN001, ANN201, ANN202, ANN204, ANN205, ANN206, D105 - classes as users write them

from __future__ import annotations

from collections import Counter, OrderedDict
from typing import Union

import tsm
from language_rows import of_row
from oracle import T, program
from tsm import Tensor, nn
from tsm.nn import functional as F

of_row("classes")


class Base:
    kind = "base"

    def __init__(self, n: int):
        self.n = n

    def shown(self) -> str:
        return f"{self.kind}{self.n}"

    @classmethod
    def twice(cls, n: int):
        return cls(2 * n)

    @staticmethod
    def least() -> int:
        return 1


class Loud(Base):
    kind = "loud"

    def shown(self) -> str:
        return super().shown().upper()

    @staticmethod
    def least() -> int:
        return 2


@program("class methods and static methods of a class that a dict holds", ("base", 2), ("loud", 3), ("none", 1))
def by_name(name: str, n: int) -> tuple[str, int]:
    kinds = {"base": Base, "loud": Loud}
    return kinds[name].twice(n).shown(), kinds[name].least()


class Celsius:
    lowest = -273.0

    def __init__(self, degrees: float):
        self._degrees = degrees

    @property
    def degrees(self) -> float:
        return self._degrees

    @degrees.deleter
    def degrees(self) -> None:
        self._degrees = self.lowest


@program("a property with a deleter", (1.0, True), (2.0, False))
def reset(degrees: float, is_reset: bool) -> float:
    celsius = Celsius(degrees)
    if is_reset:
        del celsius.degrees
    return celsius.degrees


class Listed:
    fields: tuple[str, ...] = ()

    def text(self) -> str:
        return ", ".join(f"{name}={getattr(self, name)!r}" for name in self.fields)


class Person(Listed):
    fields = ("name", "age")

    def __init__(self, name: str, age: int):
        self.name, self.age = name, age


@program("attributes by the names that a subclass lists", ("ann", 3), ("", 0))
def listed(name: str, age: int) -> str:
    return Person(name, age).text()


of_row("names")

SIZES = OrderedDict(small=0.5, big=2.0)
VOTES = Counter("abca")


@program("an OrderedDict and a Counter outside", ("big",), ("b",))
def outside(name: str) -> tuple[float, int, list[str], str]:
    return SIZES.get(name, 0.0), VOTES[name], list(SIZES), f"{VOTES.most_common(1)} {dict(SIZES)}"


of_row("module containers")


@program("the members of a ModuleList unpacked", (T([[1.0, -2.0]]),))
class Unpacked(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.ModuleList([nn.ReLU(), nn.Identity(), nn.Tanh()])

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        *hidden, last = self.layers
        first, _, _ = self.layers
        for layer in hidden:
            x = layer(x)
        return last(x), first(-x)


of_row("errors")


@program("states of an LSTM of other sizes", (3, 2, 4), (3, 1, 4), (2, 2, 4), (3, 2, 5), torch=False)
class States(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.lstm = nn.LSTM(3, 4)

    def forward(self, width: int, batch: int, hidden: int) -> str:
        state = tsm.zeros(1, batch, hidden)
        try:
            return str(tuple(self.lstm(tsm.zeros(5, 2, width), (state, state))[0].shape))
        except RuntimeError as error:
            return str(error)


@program("targets of a binary cross entropy outside [0, 1]", (T([0.5, 0.25]), T([1.0, 0.0])), (T([0.5]), T([1.5])))
def targets(x: Tensor, y: Tensor) -> Tensor:
    return F.binary_cross_entropy(x, y)


@program("the class of a value of several types is called", (1,), (0,))
def called_classes(n: int) -> tuple[list[Union[int, str, float]], int, str]:
    mixed: list[Union[int, str, float]] = [n, "a", 2.5]
    number, text = type(mixed[0]), type(mixed[1])
    try:
        print(len(number("5")))
    except TypeError as error:
        print(error)
    print([type(item)() for item in mixed], text is str, number("12"))
    return [type(item)("7") for item in mixed], len(text("56")), number.__name__
