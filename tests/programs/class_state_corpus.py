"""Attributes of classes that programs assign, and containers of classes that they change."""

# ruff: noqa
from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Dict, List, Optional

from language_rows import of_row
from oracle import program

of_row("classes")


class Ticket:
    sold = 0
    price: float = 2.5
    last: Optional["Ticket"] = None

    def __init__(self, name: str) -> None:
        Ticket.sold += 1
        self.number = Ticket.sold
        self.name = name
        type(self).last = self

    @classmethod
    def start(cls, price: float) -> None:
        cls.sold, cls.price = 0, price
        cls.last = None

    @property
    def text(self) -> str:
        return f"{self.number}/{self.sold} {self.name} {self.price}"


@program("class state: instances are counted", (["ann", "bob"],), ([],))
def tickets(names: list[str]) -> list[str]:
    Ticket.start(4.0)
    made = [Ticket(name) for name in names]
    Ticket.price = 1.0
    last = Ticket.last
    return [each.text for each in made] + ["-" if last is None else last.name, str(Ticket.sold)]


class Setting:
    chosen: Optional["Setting"] = None

    def __init__(self) -> None:
        self.reads = 0

    @classmethod
    def get(cls) -> "Setting":
        if cls.chosen is None:
            cls.chosen = cls()
        cls.chosen.reads += 1
        return cls.chosen

    @staticmethod
    def forget() -> None:
        Setting.chosen = None


@program("class state: one instance for all", (3,))
def chosen(n: int) -> tuple[int, bool]:
    Setting.forget()
    first = Setting.get()
    for _ in range(n):
        Setting.get()
    return first.reads, first is Setting.get()


class Shape:
    made = 0
    level = 1

    def __init__(self) -> None:
        self.__class__.made += 1

    @classmethod
    def above(cls) -> int:
        return cls.level


class Square(Shape):
    pass


class Circle(Shape):
    level = 5

    @classmethod
    def above(cls) -> int:
        return super().above() * 100


@program("class state: a subclass has its own once it is assigned", (2,), (0,))
def per_class(n: int) -> list[int]:
    Shape.made = Square.made = 0
    Circle.made = 7
    for _ in range(n):
        Square()
        Circle()
    Shape()
    Shape.level = n
    found = [Shape.made, Square.made, Circle.made, Square.level, Circle.level, Circle.above(), Square().made]
    Shape.level = 1
    return found


class Plugin:
    known: Dict[str, "Plugin"] = {}
    order = []
    weights = {"base": 1}

    def __init__(self, name: str) -> None:
        self.name = name
        Plugin.known[name] = self
        self.order.append(name)
        self.weights[name] = self.weights.get(name, 0) + len(name)

    @classmethod
    def find(cls, name: str) -> "Plugin | None":
        return cls.known.get(name)


@program("class state: containers of a class are filled", (["a", "bb", "a"], "bb"), ([], "c"))
def plugins(names: list[str], wanted: str) -> str:
    Plugin.known.clear()
    Plugin.order.clear()
    for key in list(Plugin.weights):
        del Plugin.weights[key]
    for name in names:
        Plugin(name)
    found = Plugin.find(wanted)
    return f"{list(Plugin.known)} {Plugin.order} {Plugin.weights} {found and found.name}"


@dataclass
class Item:
    name: str
    made: ClassVar[int] = 0

    def __post_init__(self) -> None:
        Item.made += 1


def items(n: int):
    for i in range(n):
        yield Item(str(i))
        Item.made += 10


class Depth:
    now = 0

    def __enter__(self) -> int:
        Depth.now += 1
        return Depth.now

    def __exit__(self, *what) -> None:
        Depth.now -= 1


@program("class state: in generators, managers, lambdas and recursion", (2,), (0,))
def everywhere(n: int) -> list[str]:
    Item.made = 0

    def down(k: int) -> int:
        with Depth() as depth:
            return depth if k == 0 else down(k - 1)

    count = lambda: Item.made + n
    kept = [count, lambda: -Item.made]
    walk = items(n + 1)
    first = next(walk)
    Item.made = 5
    names = [item.name for item in walk]
    return [first.name, *names, str([f() for f in kept]), str(down(n)), str(Depth.now)]


class Hooks:
    known = {}
    order = []

    @classmethod
    def on(cls, name: str):
        def keep(function):
            cls.known[name] = function
            cls.order.append(name)
            return function

        return keep


@program("class state: functions in a container of a class", (3,), (-1,))
def hooked(n: int) -> list[str]:
    Hooks.known.clear()
    Hooks.order.clear()

    @Hooks.on("next")
    def after(x):
        return x + 1

    @Hooks.on("twice")
    def doubled(x):
        return x * 2

    found = [f"{name} {Hooks.known[name](n)}" for name in Hooks.order]
    Hooks.known.clear()
    return found


class Noted:
    log = []
    table = {}

    def __init__(self, value) -> None:
        Noted.log.append(value)
        Noted.table[str(value)] = value


@program("class state: values of several types in containers of a class", (3,), (-1,))
def noted(n: int) -> list[str]:
    Noted.log = []
    Noted.table.clear()
    for value in (n, "a", None, [n, 2]):
        Noted(value)
    return [str(Noted.log), str(Noted.table), str([type(each).__name__ for each in Noted.log])]
