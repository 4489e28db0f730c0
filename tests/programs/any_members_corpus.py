"""Instances, members of enums and named tuples as values of type Any: attributes, methods, operators, order."""
# ruff: noqa: ANN001, ANN201, ANN202, ANN401

from __future__ import annotations

from enum import Enum
from typing import Any, Callable, Dict, List, NamedTuple, Optional

from language_rows import of_row
from oracle import program

of_row("scalars")


class Item:
    def __init__(self, name: str, price: float):
        self.name, self.price = name, price

    def __repr__(self) -> str:
        return f"{self.name}@{self.price}"


class Counted:
    def __init__(self, x: int):
        self.x = x

    def show(self, times: int = 1) -> str:
        return f"<{self.x}>" * times

    @property
    def twice(self) -> int:
        return self.x * 2


class Tag(NamedTuple):
    name: str
    x: int = 0

    def show(self) -> str:
        return self.name


class Color(Enum):
    RED = 1
    BLUE = 2


def things(n: int) -> List[Any]:
    return [Item("i", 1.5), Counted(n), Tag("t", n), Color.BLUE, n, "text", None, [n], {"name": n}]


def tried(ask: Callable[[Any], Any], thing: Any) -> str:
    try:
        return str(ask(thing))
    except (AttributeError, TypeError) as error:
        return f"{type(error).__name__}: {error}"


@program("attributes, methods and properties of what is Any", (3,), (-1,))
def members_of_any(n: int) -> list[str]:
    questions = (
        lambda thing: thing.name, lambda thing: thing.x + 1, lambda thing: thing.show(), lambda thing: thing.twice,
        lambda thing: thing.show(times=2), lambda thing: thing.value,
    )
    return [tried(ask, thing) for ask in questions for thing in things(n)]


@program("hasattr, and getattr with a default, of what is Any", (3,))
def asked_by_name(n: int) -> list[list[Any]]:
    return [
        [hasattr(thing, "name") for thing in things(n)], [hasattr(thing, "show") for thing in things(n)],
        [hasattr(thing, "__len__") for thing in things(n)], [hasattr(thing, "append") for thing in things(n)],
        [getattr(thing, "price", None) for thing in things(n)], [getattr(thing, "name", "?") for thing in things(n)],
    ]


@program("attributes of what is Any are assigned", (3,), (0,))
def assigned_on_any(n: int) -> tuple[list[str], str]:
    record: Dict[str, Any] = {"item": Item("a", 1.0), "count": Counted(n), "n": n}
    record["item"].price += 0.5
    record["count"].x = record["item"].price * 2
    found = []
    try:
        record["n"].x = 5
    except AttributeError as error:
        found.append(str(error))
    found.append(repr(record["item"]))
    return found, record["count"].show()


of_row("classes")


class Money:
    def __init__(self, amount: int, currency: str = "EUR"):
        self.amount, self.currency = amount, currency

    def __eq__(self, other: Any) -> bool:
        return self.amount == other.amount and self.currency == other.currency

    def __lt__(self, other: Any) -> bool:
        return self.amount < other.amount

    def __add__(self, other: Any) -> Money:
        if isinstance(other, Money):
            return Money(self.amount + other.amount, self.currency)
        return Money(self.amount + other, self.currency) if isinstance(other, int) else NotImplemented

    __radd__ = __add__

    def __mul__(self, times: int) -> Money:
        return Money(self.amount * times, self.currency)

    def __neg__(self) -> Money:
        return Money(-self.amount, self.currency)

    def __repr__(self) -> str:
        return f"{self.amount}{self.currency}"


def total(parts: List[Any]) -> Any:
    found = parts[0]
    for part in parts[1:]:
        found = found + part
    return found


@program("an operand or its opposite declared as Any", (3,), (1,))
def any_operands(n: int) -> list[str]:
    coins: List[Any] = [Money(n), Money(1), Money(2)]
    mixed: List[Any] = [Money(n), n, "text", 1.5]
    print(Money(n) == Money(3), Money(1) < Money(n), sorted(coins), max(coins), coins.index(Money(2)), -coins[0])
    print(total([n, 2]), total(["a", "b"]), total(coins), total([1.5, n]), coins[0] * 2, mixed[1] * 2, -mixed[3])
    print(coins[0] > coins[1], mixed[1] < mixed[3], sorted([n, 2, 1.5]), sum(coins))
    found = []
    for left in mixed:
        for right in mixed:
            try:
                found.append(repr(left + right))
            except TypeError as error:
                found.append(str(error))
    return found


class Branch:
    def __init__(self, data: Any, left: Optional[Branch] = None, right: Optional[Branch] = None):
        self.data, self.left, self.right = data, left, right

    def insert(self, data: Any) -> None:
        if data < self.data:
            if self.left is None:
                self.left = Branch(data)
            else:
                self.left.insert(data)
        elif self.right is None:
            self.right = Branch(data)
        else:
            self.right.insert(data)

    def walk(self) -> List[Any]:
        before = self.left.walk() if self.left else []
        return [*before, self.data] + (self.right.walk() if self.right else [])


@program("a tree of values of any class that has an order", ([5, 3, 8],), ([1],))
def ordered_tree(numbers: list[int]) -> tuple[list[str], list[int]]:
    plain, coins = Branch(4), Branch(Money(4))
    for number in numbers:
        plain.insert(number)
        coins.insert(Money(number))
    return [repr(coin) for coin in coins.walk()], [number + 0 for number in plain.walk()]


class Board:
    def __init__(self) -> None:
        self.readers: List[Any] = []

    def add(self, reader: Any) -> Any:
        self.readers.append(reader)
        return reader

    def tell(self, number: int) -> List[Any]:
        return [reader.told(number) for reader in self.readers]


class Doubling:
    def told(self, number: int) -> int:
        return number * 2


class Naming:
    def __init__(self) -> None:
        self.seen = 0

    def told(self, number: int) -> str:
        self.seen += number
        return f"{number}!"


def ordered_by(things: List[Any], key: Callable[[Any], Any], is_reversed: bool = False) -> List[Any]:
    return sorted(things, key=key, reverse=is_reversed)


@program("observers that nothing declares", (3,), (0,))
def observed(n: int) -> tuple[list[Any], int, list[str]]:
    board = Board()
    board.add(Doubling())
    naming = board.add(Naming())
    found = board.tell(n) + board.tell(2)
    items = [Item("b", 2.0), Item("a", 3.0), Item("c", n + 0.5)]
    return found, naming.seen, [repr(item) for item in ordered_by(items, lambda item: item.name, n > 1)]


class Ball:
    def __init__(self) -> None:
        self.height = 0.0

    def update(self, seconds: float) -> None:
        self.height += seconds

    def get(self, key: str) -> Optional[float]:
        return self.height if key == "height" else None


class Clock:
    def __init__(self) -> None:
        self.ticks = 0

    def update(self, seconds: float) -> None:
        self.ticks += 1

    def get(self, key: str, default: int = -1) -> int:
        return self.ticks if key == "ticks" else default

    def pop(self) -> int:
        return self.ticks


@program("methods of instances that containers have too", (3,), (0,))
def named_like_containers(n: int) -> tuple[list[Any], list[Any], int]:
    parts: List[Any] = [Ball(), Clock(), {"height": n}, [1, 2]]
    for _ in range(n):
        for part in parts[:2]:
            part.update(0.5)
    parts[2].update({"width": 2})
    found = [part.get("height") for part in parts[:3]]
    return found, list(parts[2].items()), parts[1].pop() + parts[3].pop()
