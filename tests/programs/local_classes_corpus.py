"""Classes that functions define."""

# ruff: noqa
from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import NamedTuple

from language_rows import of_row
from oracle import program

of_row("classes")

SCALE = 3


@program("local classes: one makes another", ([1, 2],), ([],))
def stacked(values: list[int]) -> str:
    class Node:
        def __init__(self, v, next=None):
            self.v = v
            self.next = next

    class Stack:
        def __init__(self):
            self.top = None
            self.n = 0

        def push(self, v):
            self.top = Node(v, self.top)
            self.n += 1

        def pop(self):
            if self.top is None:
                raise IndexError("empty " + type(self).__name__)
            node = self.top
            self.top = node.next
            self.n -= 1
            return node.v

    s = Stack()
    for v in values:
        s.push(v)
    return f"{s.pop()} {s.n}"


def points(n: int) -> str:
    @dataclass(frozen=True)
    class Point:
        """A point."""

        x: int
        y: int = SCALE

        @property
        def total(self) -> int:
            return self.x + self.y

        @classmethod
        def at(cls, x: int) -> "Point":
            return cls(x)

    class Special(Point):
        def shout(self) -> str:
            return repr(self).upper()

    p, q = Point.at(n), Special(n, 1)
    return f"{p} {p.total} {q.shout()} {isinstance(q, Point)} {p == Point(n)} {hash(p) == hash(Point(n))}"


@program("local classes: dataclasses in a helper, one below another", (1,), (5,))
def point_texts(n: int) -> str:
    return points(n) + points(n + 1)


@program("local classes: exceptions that a nested function raises", (1,), (7,), (100,))
def checked(n: int) -> str:
    class TooBig(ValueError):
        def __init__(self, n: int, limit: int = 3):
            super().__init__(f"{n} > {limit}")
            self.n = n

    def check(k: int) -> int:
        if k > 3:
            raise TooBig(k)
        return k

    try:
        return str(check(n))
    except TooBig as e:
        if e.n == 100:
            raise
        return f"{type(e).__name__} {e} {e.n}"


class Outer:
    class Colour(Enum):
        RED = 1

    def __init__(self, k: int) -> None:
        self.k = k

    def run(self) -> list[str]:
        class Step:
            count: int = 2

            def __init__(self, name: str) -> None:
                self.name = name

            def __repr__(self) -> str:
                return f"<{self.name} {self.count}>"

        return [repr(Step(c)) for c in "ab"] + [Step.__qualname__, Step.__name__, str(self.Colour.RED)]


@program("local classes: in a method; the name of an enum in a class", (1,))
def stepped(k: int) -> list[str]:
    return Outer(k).run() + [repr([Outer.Colour.RED]), f"{Outer.Colour.RED}"]


@program("local classes: in annotations of the function", (["b", "a", "b"],), ([],))
def counted(words: list[str]) -> list[str]:
    class Entry:
        def __init__(self, word: str) -> None:
            self.word = word
            self.n = 0

        def bump(self) -> "Entry":
            self.n += 1
            return self

        def __lt__(self, other: "Entry") -> bool:
            return (-self.n, self.word) < (-other.n, other.word)

    def shown(entry: Entry) -> str:
        return f"{entry.word}{entry.n}"

    table: dict[str, Entry] = {}
    for word in words:
        table.setdefault(word, Entry(word)).bump()
    return [shown(entry) for entry in sorted(table.values())]


@program("local classes: enums and named tuples", ("idle", 1), ("busy", 9), ("x", 1))
def kinds(s: str, k: int) -> str:
    class State(Enum):
        IDLE = "idle"
        BUSY = "busy"

    class Level(IntEnum):
        LOW = 1
        HIGH = 5

    class Pair(NamedTuple):
        x: int
        y: int = 2

    state = State(s)
    return f"{state.name} {state} {Pair(k)} {Level(5)!r} {Level.HIGH + k} {max(Level)!r}"


@program("local classes: methods use variables of the function around", (1, "a"), (3, "b"))
def taking(n: int, name: str) -> list[str]:
    scale = 2.5 if n > 1 else 3
    log = []

    class Shape:
        def __init__(self, side: int) -> None:
            self.side = side + n

        def area(self):
            log.append(f"{name}{self.side}")
            return self.side * scale

        def next(self) -> "Shape":
            return Shape(self.side)

        def sides(self) -> list[int]:
            return [k * n for k in range(self.side)]

    class Named(Shape):
        def area(self):
            return super().area() + len(name)

    class Failed(Exception):
        def __str__(self) -> str:
            return name + "!"

    try:
        raise Failed()
    except Failed as error:
        log.append(str(error))
    first = Shape(1)
    return [str(first.area()), str(first.next().area()), str(Named(2).area()), str(first.sides()), *log]


@program("local classes: annotations by their own names", (2,), (3,))
def annotated(n: int) -> tuple[bool, bool, int]:
    class Sized:
        def __init__(self, size: int) -> None:
            self.size = size

        def __eq__(self, other: "Sized") -> bool:
            return self.size == other.size

        def grown(self, by: int) -> "Sized":
            return Sized(self.size + by)

    return Sized(n) == Sized(2), Sized(n).grown(1) == Sized(3), Sized(n).grown(n).size
