"""Instances where only the run tells what they are or have: calls of values that may be instances, attributes named by
keyword arguments, operators that decline, namespaces."""

# ruff: noqa
from __future__ import annotations

from dataclasses import asdict, astuple, dataclass, field
from typing import Optional, Union

try:
    from typing import Self
except ImportError:  # Python 3.10
    from typing_extensions import Self

from language_rows import of_row
from oracle import program

of_row("classes")


class Scale:
    def __init__(self, k):
        self.k = k

    def __call__(self, x):
        return x * self.k


class Chain:
    def __init__(self, *steps):
        self.steps = steps

    def __call__(self, x):
        for step in self.steps:
            x = step(x)
        return x

    def __or__(self, other):
        return Chain(*self.steps, other)


@program("classes: instances with __call__ among functions", (3.0,), (-2.0,))
def chained(x: float) -> list[float]:
    both = Chain(Scale(2.0), abs) | (lambda v: v - 1) | Scale(0.5)
    return [both(x), both(-x), *map(Scale(3.0), [x, 1.0])]


class Board:
    def __init__(self):
        self.told = {}

    def tell(self, kind, who):
        self.told.setdefault(kind, []).append(who)

    def say(self, kind, value):
        return [who(value) for who in self.told.get(kind, [])]


class Sum:
    def __init__(self):
        self.total = 0

    def __call__(self, value):
        self.total += value
        return self.total


@program("classes: methods, functions and instances that listen", (2,), (5,))
def listened(n: int) -> tuple[list[int], int, int]:
    board, first, second = Board(), Sum(), Sum()
    board.tell("a", first)
    board.tell("a", second.__call__)
    board.tell("b", lambda value: -value)
    found = []
    for i in range(n):
        found += board.say("ab"[i % 2], i)
    return found, first.total, second.total


class Heat:
    scale = "C"

    def __init__(self, degrees: float):
        self._degrees = degrees

    @classmethod
    def named(cls, prefix: str = "") -> str:
        return prefix + cls.__name__ + cls.scale

    @staticmethod
    def is_warm(degrees: float) -> bool:
        return degrees > 20

    @classmethod
    def of(cls, degrees: float) -> "Heat":
        return cls(degrees)

    @property
    def degrees(self):
        return self._degrees


class Cold(Heat):
    scale = "K"

    @staticmethod
    def is_warm(degrees: float) -> bool:
        return degrees > 293


@program("classes: class and static methods through values of several classes", (True,), (False,))
def through_values(is_cold: bool) -> list[str]:
    heat = Cold.of(20.5) if is_cold else Heat.of(20.5)
    found = [heat.named(), heat.named(prefix="-"), str(heat.is_warm(heat.degrees)), str(issubclass(type(heat), Cold))]
    try:
        heat.degrees = 3.0
    except AttributeError as error:
        found.append(str(error))
    return found


class Settings:
    name: str = "base"
    level = 1
    ratio = 0.5

    def __init__(self, **given):
        for key, value in given.items():
            if not hasattr(self, key):
                raise AttributeError(f"no setting {key}")
            setattr(self, key, value)

    def changed(self, **given):
        for key in given:
            setattr(self, key, given[key])
        return self


class Record:
    def __init__(self, **fields):
        for key, value in fields.items():
            setattr(self, key, value)


@program("classes: attributes named by keyword arguments", (4,), (0,))
def set_by_name(n: int) -> list[str]:
    found = []
    for made in (Settings(), Settings(name="x", level=n), Settings(ratio=2.5).changed(level=7, name="y")):
        found.append(f"{made.name} {made.level} {made.ratio}")
    try:
        Settings(size=n)
    except AttributeError as error:
        found.append(str(error))
    record = Record(n=n, tags=["a"])
    record.tags.append(str(record.n))
    return found + record.tags


class Plain:
    def __init__(self, n):
        self.n = n


@program("classes: attributes that others give an instance", (4,), (0,))
def given_by_others(n: int) -> list[str]:
    one, two = Plain(n), Plain(n)
    one.extra = [n]
    if n:
        one.label = "set"
    found = [str(one.extra), str(hasattr(one, "extra"))]
    for each in (lambda: one.label, lambda: str(two.extra)):
        try:
            found.append(each())
        except AttributeError as error:
            found.append(str(error))
    return found


class Cents:
    def __init__(self, cents: int):
        self.cents = cents

    def __add__(self, other: "Cents") -> "Cents":
        return Cents(self.cents + other.cents)

    def __radd__(self, other: int) -> "Cents":
        if other == 0:
            return self
        return NotImplemented

    def __eq__(self, other):
        if isinstance(other, Cents) and other.cents >= 0:
            return self.cents == other.cents
        return NotImplemented

    def __lt__(self, other):
        if self.cents > 100:
            return NotImplemented
        return self.cents < other.cents

    def __mul__(self, k):
        if not isinstance(k, int):
            return NotImplemented
        return Cents(self.cents * k)


@program("classes: operators that decline on some paths", (0,), (1,), (300,))
def declined(n: int) -> list[str]:
    few = [Cents(n), Cents(30)]
    whole = sum(few)
    found = [str(few[0] == few[1]), str(few[0] != few[1]), str(few[0] == Cents(-1)), str(few[0] == "x")]
    found.append(str(whole.cents) if isinstance(whole, Cents) else "none")
    try:
        found.append(str((n + few[1]).cents))
    except TypeError as error:
        found.append(str(error))
    try:
        found.append(str(few[0] < few[1]))
    except TypeError as error:
        found.append(str(error))
    return found


@program("classes: operators that decline for a class raise in a try", (3,))
def declined_always(n: int) -> list[str]:
    found = [str((Cents(n) * 2).cents)]
    try:
        Cents(n) * "x"
    except TypeError as error:
        found.append(str(error))
    try:
        "a" + Plain(n)
    except TypeError as error:
        found.append(str(error))
    try:
        Cents(n) >= "x"
    except TypeError as error:
        found.append(str(error))
    return found


class Shown:
    def __init__(self, a, b, name="x"):
        self.a, self.b = a, b
        self._call(name)

    def _call(self, name):
        self.name = name

    def __repr__(self):
        return f"{type(self).__name__}({', '.join(f'{key}={value!r}' for key, value in self.__dict__.items())})"

    def __eq__(self, other):
        return isinstance(other, Shown) and self.__dict__ == other.__dict__


class Longer(Shown):
    def __init__(self, a):
        super().__init__(a, 5)
        self.rest = [1, 2]


@dataclass
class Fields:
    x: int
    y: float = 2.5
    z: list = field(default_factory=list)


@program("classes: the attributes of an instance by name", (3,), (1,))
def namespaces(n: int) -> list[str]:
    one = Shown(0.5, n)
    found = [str(vars(one)), repr(one), repr(Longer(n)), str(one == Shown(0.5, 3)), str(vars(Fields(n)))]
    found += [f"{key}:{value}" for key, value in sorted(vars(Longer(n)).items(), key=lambda pair: pair[0])]
    found.append(f"{len(vars(one))} {'a' in one.__dict__} {vars(one)['b']} {one.__dict__.get('c')}")
    kept = dict(vars(one))
    one.b = 100
    return [*found, str(kept), str(one.__dict__.copy()), repr(Shown(**kept))]


class Button:
    def __init__(self, label):
        self.label = label
        self.pressed = None

    def press(self):
        return self.pressed(self) if self.pressed else "nothing"


class Panel:
    def __init__(self):
        self.count = 0
        self.buttons = [Button("more"), Button("less"), Button("none")]
        self.buttons[0].pressed = self.by(1)
        self.buttons[1].pressed = self.by(-1)

    def by(self, step):
        def change(button):
            self.count += step
            return f"{button.label}:{self.count}"

        return change


@program("classes: closures over the instance whose constructor stores them", ([0, 0, 1, 2],), ([],))
def pressed(which: list[int]) -> tuple[list[str], int]:
    panel = Panel()
    return [panel.buttons[i].press() for i in which], panel.count


class Range:
    def __init__(self):
        self.low = self.high = None

    def push(self, x):
        self.low = x if self.low is None else min(self.low, x)
        if self.high is None or x > self.high:
            self.high = x
        return self

    def merged(self, other):
        whole = Range()
        whole.low, whole.high = min(self.low, other.low), max(self.high, other.high)
        return whole


@program("classes: min and max of attributes that may be None", ([1.0, 3.0],), ([],))
def merged_ranges(xs: list[float]) -> str:
    one, two = Range(), Range().push(1.5)
    for x in xs:
        one.push(x)
    try:
        whole = one.merged(two)
        return f"{whole.low} {whole.high}"
    except TypeError as error:
        return str(error)


of_row("dataclasses")


@dataclass
class Tree:
    value: int
    below: list[Tree] = field(default_factory=list)


@dataclass
class Link:
    name: str
    then: Optional[Link] = None
    trees: dict[str, Tree] = field(default_factory=dict)


@program("dataclasses: asdict and astuple of what holds its own class", (4,))
def nested_copies(n: int) -> list[str]:
    tree = Tree(1, [Tree(2, [Tree(3)]), Tree(n)])
    copied = asdict(tree)
    link = Link("a", Link("b"), {"k": tree})
    found = [str(astuple(tree)), str(asdict(link)), str(astuple(link)), str(copied["below"][0]["value"])]
    tree.below.clear()
    return [*found, str(copied)]


@dataclass
class Choices:
    rates: list[float] = field(default_factory=list)
    flags: dict[str, Union[int, str]] = field(default_factory=dict)
    order: Optional[list[int]] = field(default_factory=lambda: [1])


@program("dataclasses: displays for fields with factories take the declared types", (3,))
def display_fields(n: int) -> list[str]:
    first = Choices([1.5, float(n)], {"k": 1})
    first.flags["z"] = "s"
    second = Choices(flags={"q": "r"}, order=None)
    second.flags["i"] = n
    return [repr(first), repr(second), repr(Choices(order=[n]))]


of_row("errors")


class Hub:
    def __init__(self):
        self.heard = {}

    def on(self, event, listener):
        self.heard.setdefault(event, []).append(listener)

    def emit(self, event, *given):
        return [listener(*given) for listener in self.heard.get(event, [])]


class Ears:
    def one(self, a):
        return f"one {a}"

    def two(self, a, b=1):
        return f"two {a} {b}"


@program("errors: listeners that take other numbers of arguments", (3,))
def mismatched(n: int) -> list[str]:
    hub, ears = Hub(), Ears()
    hub.on("x", ears.one)
    hub.on("x", ears.two)
    hub.on("z", lambda: "none")
    found = hub.emit("x", n) + hub.emit("z")
    for event in ("x", "z"):
        try:
            found += hub.emit(event, "s", "t")
        except TypeError as error:
            found.append(str(error))
    return found


class Slim:
    __slots__ = ("a",)

    def __init__(self):
        self.a = 1


@program("errors: attributes that no instance has, in a try", (3,))
def missing_attributes(n: int) -> list[str]:
    slim, found = Slim(), []
    for turn in range(3):
        try:
            if turn == 0:
                slim.b = n
            elif turn == 1:
                found.append(str(slim.c))
            else:
                print(Plain(n).other)
        except AttributeError as error:
            found.append(str(error))
    return found


of_row("calls")


@program("calls: **kwargs asked for by names that the run tells", (["id", "name"],), (["id", "size"],))
def columns(wanted: list[str]) -> list[str]:
    def row(**values):
        missing = [name for name in wanted if name not in values]
        return f"missing {missing}" if missing else str([values[name] for name in wanted])

    return [row(id=1, name="x"), row(name="y", id=2.5)]


class Built:
    def __init__(self) -> None:
        self.parts: list[str] = []

    def add(self, part: str) -> Self:
        self.parts.append(part)
        return self


class Louder(Built):
    def shout(self) -> str:
        return "".join(self.parts).upper()


of_row("abstract types")


@program("Self as the type of a result", ("ab",))
def built(text: str) -> str:
    return Louder().add(text).add("c").shout()
