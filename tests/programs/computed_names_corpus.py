"""Attributes by names that are computed, attributes that only some classes have, and classes as their methods see them."""

# ruff: noqa
from dataclasses import InitVar, dataclass, field, replace
from typing import Union

from language_rows import of_row
from oracle import program

of_row("classes")


@dataclass
class Box:
    width: int = 3
    height: int = 4
    label: str = "box"

    def area(self) -> int:
        return self.width * self.height

    @property
    def volume(self) -> int:
        return self.area() * 2


SIDES = ("width", "height")


@program("computed names: a loop over texts", (1,), (3,))
def scaled(by: int) -> tuple[int, str]:
    box, total = Box(), 0
    for name in ("width", "height"):
        total += getattr(box, name) * by
        setattr(box, name, getattr(box, name) + 1)
    return total + sum(getattr(box, side) for side in SIDES), repr(box)


@program("computed names: methods and properties by name", ("area",), ("volume",), ("height",), ("weight",), ("label",))
def asked(name: str) -> list[str]:
    box, out = Box(), []
    for each in ["volume", "height"]:
        if hasattr(box, each):
            out.append(str(getattr(box, each)))
    if hasattr(box, name):
        out.append("has it")
    kind = "width" if name == "area" else "height"
    return out + [str(getattr(box, kind)), str(getattr(box, kind + "s", "none"))]


class Calculator:
    def __init__(self):
        self.total = 0

    def do_add(self, x: int) -> int:
        self.total += x
        return self.total

    def do_mul(self, x: int) -> int:
        self.total *= x
        return self.total

    def run(self, command: str) -> int:
        op, _, x = command.partition(" ")
        method = getattr(self, f"do_{op}", None)
        if method is None:
            return -1
        return method(int(x))

    def run_or_raise(self, command: str) -> int:
        op, _, x = command.partition(" ")
        name = "do_" + op
        return getattr(self, name)(int(x))


@program("computed names: commands by the start of a name", (["add 3", "mul 4", "div 2"], "mul 2"), ([], "add 1"), (["add 1"], "sub 1"))
def commands(lines: list[str], last: str) -> tuple[list[int], int]:
    calculator = Calculator()
    return [calculator.run(line) for line in lines], calculator.run_or_raise(last)


@dataclass
class Num:
    value: float


@dataclass
class Neg:
    operand: "Union[Num, Neg, Add]"


@dataclass
class Add:
    left: "Union[Num, Neg, Add]"
    right: "Union[Num, Neg, Add]"


Expr = Union[Num, Neg, Add]


class Visitor:
    def visit(self, node: Expr) -> float:
        method = getattr(self, "visit_" + type(node).__name__)
        return method(node)

    def visit_Num(self, node: Num) -> float:
        return node.value

    def visit_Neg(self, node: Neg) -> float:
        return -self.visit(node.operand)

    def visit_Add(self, node: Add) -> float:
        return self.visit(node.left) + self.visit(node.right)


@program("computed names: a visitor by the name of the class", (1.0, 2.0), (0.0, 0.0))
def visited(a: float, b: float) -> float:
    return Visitor().visit(Neg(Add(Num(a), Neg(Num(b)))))


class Circle:
    kind = "circle"

    def __init__(self, r):
        self.r = r

    def area(self):
        return 3.0 * self.r * self.r

    def radius(self):
        return self.r


class Square:
    def __init__(self, s):
        self.s = s
        self.corners = 4

    def area(self):
        return self.s * self.s


@program("attributes of some classes: methods, attributes, constants", (["c", "s"], ""), (["c", "c"], "radius"), (["c", "s"], "radius"), (["c"], "corners"), (["s"], "corners"), (["s"], "kind"))
def shapes(kinds: list[str], ask: str) -> list[str]:
    found, out = [], []
    for i, kind in enumerate(kinds):
        found.append(Circle(i + 1.0) if kind == "c" else Square(i + 1.0))
    for shape in found:
        out.append(str(shape.area()))
        if ask == "radius":
            out.append(str(shape.radius()))
            out.append(str(shape.r))
        elif ask == "corners":
            out.append(str(shape.corners))
        elif ask == "kind":
            out.append(shape.kind)
    return out


@program("attributes of some classes: the arguments come after the look-up", (True,), (False,))
def looked_up_first(is_circle: bool) -> list[str]:
    log: list[str] = []

    def note(x: int) -> int:
        log.append(f"note {x}")
        return x

    shape = Circle(2.0) if is_circle else Square(2.0)
    try:
        log.append(str(shape.radius() + note(1)))
    except AttributeError as error:
        log.append(str(error))
    return log


class Plugin:
    name = "base"


class Setup(Plugin):
    name = "setup"

    def setup(self):
        return "ready " + self.name


@program("attributes of some classes: hasattr and getattr with a default", (1,))
def plugins(x: int) -> list[str]:
    out = []
    for plugin in [Plugin(), Setup()]:
        if hasattr(plugin, "setup"):
            out.append(plugin.setup())
        out.append(getattr(plugin, "name") + str(getattr(plugin, "missing", x)))
    return out


class Base:
    made = "base"

    @classmethod
    def describe(cls, depth: int = 0):
        return f"{cls.__name__}:{cls.made}:{depth}"

    @staticmethod
    def twice(x: int) -> int:
        return 2 * x


class Derived(Base):
    made = "derived"

    @classmethod
    def describe(cls, depth: int = 0):
        return "<" + super().describe(depth + 1) + ">" + str(super().twice(depth)) + super().made


class Last(Derived):
    @classmethod
    def describe(cls, depth: int = 0):
        return super().describe(depth + 5)


@program("classes: super() in class methods", (3,))
def described(n: int) -> list[str]:
    return [Base.describe(), Derived.describe(n), Derived().describe(), Last.describe()]


@dataclass
class Scaled:
    w: int
    h: int
    scale: InitVar[int] = 1
    area: int = field(init=False)

    def __post_init__(self, scale: int) -> None:
        self.area = self.w * self.h * scale


@dataclass
class Address:
    host: str
    port: InitVar[int]
    url: str = field(init=False, default="")

    def __post_init__(self, port: int) -> None:
        self.url = f"{self.host}:{port}"


@program("dataclasses: replace() with an InitVar", (1, 1), (3, 2))
def replaced(w: int, s: int) -> tuple[str, str, str, str]:
    log: list[int] = []

    def seen(x: int) -> int:
        log.append(x)
        return x

    box = Scaled(w, 2, s)
    other = replace(box, scale=seen(3), h=seen(5))
    try:
        text = replace(Address("a", 80), host=str(seen(7))).url
    except ValueError as error:
        text = str(error)
    return repr(replace(box)), repr(other), text + replace(Address("a", 80), port=s).url, str(log)


class Node:
    def __init__(self, data, next=None):
        self.data = data
        self.next = next


class Chain:
    def __init__(self, values):
        self.head = None
        for value in values:
            self.head = Node(value, self.head)

    def __iter__(self):
        node = self.head
        while node is not None:
            yield node.data
            node = node.next

    def __contains__(self, item):
        return any(x == item for x in self)


@program("classes: a search that ends in the middle of a generator of links", ([], 3), ([1, 2], 3), ([3, 1], 3))
def searched(values: list[int], x: int) -> tuple[bool, bool]:
    chain = Chain(values)
    return x in chain, any(each > x for each in chain)
