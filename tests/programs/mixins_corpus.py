"""Classes with several bases: mixins, diamonds, super() along the order of resolution."""

# ruff: noqa
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Optional, Union

from language_rows import of_row
from oracle import T, program, refused

import tsm
from tsm import Tensor, nn

of_row("classes")


class Greets:
    def hello(self) -> str:
        return "hello " + self.name()

    def name(self) -> str:
        return "nobody"


class Scales:
    factor = 3

    def scaled(self) -> int:
        return self.size() * self.factor


class Named:
    def __init__(self, n: int) -> None:
        self.n = n

    def name(self) -> str:
        return f"named {self.n}"

    def size(self) -> int:
        return self.n


class Both(Greets, Scales, Named):
    def __init__(self, n: int) -> None:
        super().__init__(n + 1)
        self.extra = n

    def name(self) -> str:
        return "both, " + super().name()


class Second(Scales, Named):
    factor = 5


def called(x: Named) -> str:
    return f"{x.name()} {x.size()}"


@program("mixins without state beside a base with state", (4,), (0,))
def mixins(n: int) -> str:
    b = Both(n)
    return f"{b.hello()} {b.scaled()} {b.n} {b.extra} {called(b)} {called(Second(n))} {called(Named(n))}"


def by_mixin(x: Scales) -> int:
    return x.scaled() if isinstance(x, Named) else 0


@program("a parameter that is a mixin", (2,))
def mixin_parameter(n: int) -> list[int]:
    return [by_mixin(Both(n)), by_mixin(Second(n))]


class Root:
    def __init__(self) -> None:
        self.log = ["root"]

    def path(self) -> str:
        return "root"


class Left(Root):
    def __init__(self) -> None:
        super().__init__()
        self.log.append("left")

    def path(self) -> str:
        return "left " + super().path()


class Right(Root):
    def __init__(self) -> None:
        super().__init__()
        self.log.append("right")

    def path(self) -> str:
        return "right " + super().path()


class Bottom(Left, Right):
    def __init__(self) -> None:
        super().__init__()
        self.log.append("bottom")

    def path(self) -> str:
        return "bottom " + super().path()


def path_of(x: Root) -> str:
    return x.path()


def path_of_left(x: Left) -> str:
    return x.path() + str(len(x.log))


@program("a diamond: super() goes along the order of resolution", (True,), (False,))
def diamond(c: bool) -> str:
    items: list[Root] = [Root(), Bottom(), Right()]
    chosen: Left = Bottom() if c else Left()
    return f"{[path_of(x) for x in items]} {path_of_left(chosen)} {Bottom().log} {isinstance(chosen, Right)}"


class Ordered:
    def key(self) -> int:
        return 0

    def __lt__(self, other: Ordered) -> bool:
        return self.key() < other.key()


class Shown:
    def __repr__(self) -> str:
        return f"<{self.__class__.__name__}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Shown)


class Card(Shown, Ordered):
    def __init__(self, value: int) -> None:
        self.value = value

    def key(self) -> int:
        return -self.value


@program("operators that mixins define", ([3, 1, 2],), ([],))
def mixed_operators(v: list[int]) -> str:
    cards = [Card(x) for x in v]
    return f"{[card.value for card in sorted(cards)]} {cards} {Card(1) == Card(2)} {Card(1) < Card(2)}"


@dataclass
class HasSize:
    size: int = 1


@dataclass
class HasTags:
    tags: list[str] = field(default_factory=list)


@dataclass
class Record(HasSize, HasTags):
    name: str = "record"

    def grown(self) -> Record:
        return Record(self.tags + [self.name], self.size + 1)


@program("a dataclass of two dataclasses", (["a"], 2), ([], 0))
def two_dataclasses(tags: list[str], size: int) -> str:
    r = Record(tags, size)
    return f"{r} {r.grown()} {r == Record(tags, size)} {r == r.grown()}"


@program("an instance of several bases as argument and result", (Both(2),), (Both(-1),))
def crossing(b: Both) -> Both:
    b.n += 1
    b.extra = b.scaled()
    return b


class Doubling:
    def doubled(self, x: Tensor) -> Tensor:
        return self.layer(x) * 2


class Net(Doubling, nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.ReLU()

    def forward(self, x: Tensor) -> Tensor:
        return self.doubled(x)


program("a module with a mixin", (T([1.0, -2.0]),))(Net)
