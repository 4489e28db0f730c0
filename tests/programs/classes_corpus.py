"""Classes: instances made in scripts and passed in and out, methods, operators, inheritance, dataclasses."""
# ruff: noqa: ANN001, ANN201, ANN204, ANN206, D105, PLC2801, PLW1641 - classes as users write them

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Optional, Union

from language_rows import of_row
from oracle import program


class Point:
    kind = "point"
    count = 0

    def __init__(self, x: int, y: int = 2) -> None:
        self.x = x
        self.y = y
        self.seen = []

    def norm(self) -> int:
        return self.x * self.x + self.y * self.y

    @property
    def total(self) -> int:
        return self.x + self.y

    @total.setter
    def total(self, value: int) -> None:
        self.seen.append(self.x)
        self.x = value - self.y

    @staticmethod
    def origin() -> Point:
        return Point(0, 0)

    @classmethod
    def unit(cls):
        return cls(1, y=1)

    def bump(self) -> int:
        self.count += 1
        return self.count


of_row("classes")


@program("instances, methods, keyword arguments and defaults", (3,), (-4,))
def instances(n: int) -> int:
    p = Point(n)
    q = Point(y=n, x=1)
    p.x += 10
    q.seen.append(p.norm())
    return p.norm() * 1000 + q.norm() + q.seen[0]


@program("properties with setters, static and class methods, class constants", (7,))
def members(n: int) -> str:
    p = Point.unit()
    p.total = n
    o = Point.origin()
    o.total = p.total + 1
    return f"{p.x} {p.y} {p.total} {p.seen} {o.x} {p.kind} {Point.kind} {o.unit().y}"


@program("a class attribute shadowed by augmented assignment", (3,))
def shadowed(n: int) -> list[int]:
    p, q = Point(1), Point(2)
    for _ in range(n):
        p.bump()
    return [p.count, q.count, q.bump(), Point.count]


of_row("instances outside")


@program("an instance argument changed, kept by identity and returned", (Point(1, 5), 3), (Point(2), 0))
def moved(p: Point, dx: int) -> Point:
    p.x += dx
    p.seen.append(dx)
    return p


@program("attributes written back when the call raises", (Point(1, 5), 0), (Point(4, 5), 2))
def raising(p: Point, d: int) -> int:
    p.x = 77
    p.y = 10 // d
    return p.y


SHARED = Point(9)


@program("one instance passed twice is one object", (SHARED, SHARED), (Point(1), Point(2)))
def twice(a: Point, b: Point) -> tuple[bool, int, Point]:
    a.x = 100
    return a is b, b.x, b


class Node:
    def __init__(self, value: int, next: Optional[Node] = None) -> None:
        self.value = value
        self.next = next


of_row("classes")


@program("a linked list, built and walked", (0,), (6,))
def chain(n: int) -> int:
    head: Optional[Node] = None
    for i in range(n):
        head = Node(i * i, head)
    total = 0
    while head is not None:
        total = total * 3 + head.value
        head = head.next
    return total


def ring() -> Node:
    first = Node(1)
    first.next = Node(2, first)
    return first


of_row("instances outside")


@program("a cycle of instances crosses the boundary and stays a cycle", (ring(), 5))
def around(node: Node, n: int) -> Node:
    at: Node = node
    for i in range(n):
        at.value += i
        after = at.next
        assert after is not None
        at = after
    return at


class Tree:
    def __init__(self, key: int) -> None:
        self.key = key
        self.left: Optional[Tree] = None
        self.right: Optional[Tree] = None

    def insert(self, key: int) -> None:
        if key < self.key:
            if self.left is None:
                self.left = Tree(key)
            else:
                self.left.insert(key)
        elif self.right is None:
            self.right = Tree(key)
        else:
            self.right.insert(key)

    def walk(self, out: list[int]) -> None:
        if self.left is not None:
            self.left.walk(out)
        out.append(self.key)
        if self.right is not None:
            self.right.walk(out)


of_row("classes")


@program("a recursive class with recursive methods", ([5, 2, 8, 1, 9, 3],), ([7],))
def sorted_by_tree(keys: list[int]) -> list[int]:
    root = Tree(keys[0])
    for key in keys[1:]:
        root.insert(key)
    out: list[int] = []
    root.walk(out)
    return out


of_row("instances outside")


@program("a tree made in a script comes out as Python's instances", (4,))
def grown(n: int) -> Tree:
    root = Tree(n)
    for key in range(2 * n):
        root.insert(key * 3 % (2 * n))
    return root


class Shape(ABC):
    def __init__(self, name: str) -> None:
        self.name = name

    @abstractmethod
    def area(self) -> float:
        raise NotImplementedError

    def describe(self) -> str:
        return self.name + " of " + str(self.area())


class Square(Shape):
    def __init__(self, side: float) -> None:
        super().__init__("square")
        self.side = side

    def area(self) -> float:
        return self.side * self.side


class Rectangle(Shape):
    def __init__(self, a: float, b: float) -> None:
        super().__init__("rectangle")
        self.a, self.b = a, b

    def area(self) -> float:
        return self.a * self.b


class Cube(Square):
    def area(self) -> float:
        return 6 * super().area()

    def describe(self) -> str:
        return "solid " + super().describe()


of_row("inheritance")


@program("virtual methods over a list of several classes", (2,))
def areas(n: int) -> list[str]:
    shapes: list[Shape] = [Square(1.5), Rectangle(2.0, n), Cube(3.0)]
    out = []
    for shape in shapes:
        shape.name += "!"
        out.append(shape.describe())
    return out


@program("isinstance narrows a base class to its subclasses", (Square(2.0),), (Rectangle(1.0, 5.0),), (Cube(1.0),))
def narrowed(shape: Shape) -> float:
    if isinstance(shape, Cube):
        return -1.0
    if isinstance(shape, Square):
        return shape.side
    return shape.a - shape.b


class Vector:
    def __init__(self, items: list[float]) -> None:
        self.items = items

    def __add__(self, other: Union[Vector, float]) -> Vector:
        if isinstance(other, Vector):
            return Vector([a + b for a, b in zip(self.items, other.items)])
        return Vector([a + other for a in self.items])

    def __radd__(self, other: float) -> Vector:
        return Vector([other + a for a in self.items])

    def __mul__(self, k: float):
        return Vector([a * k for a in self.items])

    __rmul__ = __mul__

    def __matmul__(self, other: Vector) -> float:
        return sum([a * b for a, b in zip(self.items, other.items)])

    def __floordiv__(self, k: float) -> Vector:
        return Vector([a // k for a in self.items])

    def __neg__(self) -> Vector:
        return Vector([-a for a in self.items])

    def __iadd__(self, other: Vector) -> Vector:
        for i in range(len(self.items)):
            self.items[i] += other.items[i]
        return self

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Vector) and self.items == other.items

    def __lt__(self, other: Vector) -> bool:
        return len(self.items) < len(other.items)

    def __len__(self) -> int:
        return len(self.items)

    def __getitem__(self, i: int) -> float:
        return self.items[i]

    def __setitem__(self, i: int, value: float) -> None:
        self.items[i] = value

    def __contains__(self, value: float) -> bool:
        return value in self.items

    def __call__(self, scale: float, shift: float = 0.5) -> float:
        return self.items[0] * scale + shift

    def __bool__(self) -> bool:
        return len(self.items) > 1

    def __iter__(self):
        return iter(self.items)

    def __hash__(self) -> int:
        return len(self.items)

    def __repr__(self) -> str:
        return f"Vector({self.items})"

    def __str__(self) -> str:
        return "<" + ", ".join([str(a) for a in self.items]) + ">"


class Slope:
    def __init__(self, steepness: float) -> None:
        self.steepness = steepness

    def at(self, x: int) -> float:
        return self.steepness * x

    def __mul__(self, k: float) -> "Slope":
        return Steeper(self, k)

    __rmul__ = __mul__


class Steeper(Slope):
    def __init__(self, inner: Slope, k: float) -> None:
        super().__init__(inner.steepness * k)
        self.inner = inner

    def at(self, x: int) -> float:
        return self.inner.at(x) + self.steepness


@program("a constructor reads of its argument what its base's sets in itself", (2.0, 3), (0.0, 1))
def steeper(k: float, x: int) -> list[float]:
    slopes: list[Slope] = [Slope(1.5), 0.5 * Slope(2.0), Slope(1.0) * k * k]
    return [slope.at(x) for slope in slopes]


of_row("classes")


@program("arithmetic of instances: reflected, in place, matrix product", (Vector([1.0, 2.0]), 3.0))
def arithmetic(v: Vector, k: float) -> list[float]:
    w = v + v * k
    w = 2.0 * w + 1.0
    w = 0.25 + (-w) // 0.5
    v += w
    return [v @ w, *w.items, *v.items]


@program("items, length, membership, calls, truth and loops of instances", (Vector([4.0, 5.0, 6.0]),))
def protocols(v: Vector) -> list[float]:
    v[1] = v[0] + v[-1]
    v[2] *= 2.0
    out = [v(2.0), v(2.0, shift=1.0), float(len(v)), float(5.0 in v), float(5.0 not in v)]
    for item in v:
        out.append(item)
    if v and not Vector([1.0]):
        out.append(float(hash(v)))
    return out


@program("comparison, text and equality of instances in containers", (1.5,), (2.5,))
def texts(k: float) -> str:
    v, w = Vector([k]), Vector([1.5, k])
    print(v, [v, w], (v,), {"a": w}, f"{v!r} {w}")
    found = [v == w, v != w, v < w, v > w, v == 3, [v, w] == [w, v], [v] == [Vector([k])], Vector([1.5]) in [v, w]]
    return repr(w) + str(found)


class Plain:
    def __init__(self) -> None:
        self.value = 1


@program("what object gives: identity, truth and equality", (True,), (False,))
def plain(flag: bool) -> list[bool]:
    a, b = Plain(), Plain()
    c = a if flag else b
    return [a == b, a != b, c is a, c == a, bool(c), not c, a in [b, c], isinstance(c, object)]


class Money:
    def __init__(self, cents: int) -> None:
        self.__cents = cents

    def add(self, other: Money) -> Money:
        return Money(self.__cents + other.__cents)

    def __eq__(self, other):
        if not isinstance(other, Money):
            return NotImplemented
        return self.__cents == other.__cents


@program("mangled names and NotImplemented", (Money(5), 7), (Money(0), 0))
def money(m: Money, n: int) -> tuple[Money, bool, bool, bool]:
    total = m.add(Money(n))
    return total, total == m, total == n, total != "x"


class Holder:
    def __init__(self, flag: bool) -> None:
        if flag:
            self.value = 1
        else:
            self.other = "x"
        self.setup()

    def setup(self) -> None:
        self.late = 2.5


@program("attributes assigned on some paths, and by a method that __init__ calls", (True,), (False,))
def partial(flag: bool) -> str:
    h = Holder(flag)
    h.late += 1
    return str(h.late) + str(h.value)


@dataclass
class Item:
    name: str
    price: float = 1.0
    tags: list[str] = field(default_factory=list)
    hidden: int = field(default=3, repr=False, compare=False)

    def cost(self, n: int) -> float:
        return self.price * n


@dataclass(order=True, frozen=True)
class Version:
    major: int
    minor: int = 0

    def next(self) -> Version:
        return Version(self.major, self.minor + 1)


@dataclass
class Special(Item):
    extra: int = field(init=False, default=4)

    def __post_init__(self) -> None:
        self.extra += len(self.name)


of_row("dataclasses")


@program("dataclasses: defaults, factories, repr and equality", ("a", 3), ("", 0))
def items(name: str, n: int) -> Item:
    a, b = Item(name), Item("a", tags=["x"], hidden=9)
    a.tags.append(str(a.cost(n)))
    b.tags.clear()
    print(a, b, a == b, a == Item("a", hidden=1), [a] == [b])
    a.price = float(n)
    return a


@program("ordered and frozen dataclasses", (1, 2), (2, 1))
def versions(a: int, b: int) -> list[str]:
    u, v = Version(a), Version(b).next()
    w = max([u, v, u.next()])
    return [repr(w), str(u < v), str(u >= v), str(u == Version(a, 0)), str(hash(u) == hash(Version(a)))]


@program("an inherited dataclass with __post_init__", (Special("abc", 2.0), "xy"))
def special(s: Special, name: str) -> list[Special]:
    t = Special(name, tags=["k"])
    s.tags, t.tags = t.tags, s.tags
    print(s, t)
    return [t, s, Special("")]


of_row("classes")


@program("instances in dicts, tuples and Optionals", ({"a": Point(1), "b": Point(2)}, "a"), ({}, "z"))
def in_containers(table: dict[str, Point], key: str) -> tuple[Optional[Point], int, list[Point]]:
    found = table.get(key)
    if found is not None:
        found.x = 50
    table["new"] = Point(len(table))
    return found, sum([p.x for p in table.values()]), list(table.values())


class Stack:
    def __init__(self) -> None:
        self.items = []
        self.size = 0

    def push(self, item: int) -> Stack:
        self.items.append(item)
        self.size += 1
        return self

    def pop(self) -> int:
        if not self.items:
            raise IndexError("pop from empty stack")
        self.size -= 1
        return self.items.pop()


@program("chained methods and element types learnt from use", ([1, 2, 3],), ([],))
def stacked(values: list[int]) -> int:
    stack = Stack()
    for value in values:
        stack.push(value).push(value * 10)
    return stack.pop() * 100 + stack.pop() + stack.size
