"""Operators, properties, inheritance, dataclasses, named tuples, enums and type() in their less common forms."""

# ruff: noqa
from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field, replace, astuple, asdict, fields
from enum import Enum, IntEnum, Flag, IntFlag, auto
from typing import ClassVar, NamedTuple, Optional, Union
import collections

from language_rows import of_row
from oracle import program

of_row("classes")

class Vec:
    dims: ClassVar[int] = 2
    __slots__ = ("x", "y")
    def __init__(self, x: int, y: int) -> None:
        self.x = x
        self.y = y
    def __add__(self, o: "Vec") -> "Vec":
        return Vec(self.x + o.x, self.y + o.y)
    def __radd__(self, o: int) -> "Vec":
        return Vec(self.x + o, self.y + o)
    def __mul__(self, k: int) -> "Vec":
        return Vec(self.x * k, self.y * k)
    __rmul__ = __mul__
    def __iadd__(self, o: "Vec") -> "Vec":
        self.x += o.x
        self.y += o.y
        return self
    def __neg__(self) -> "Vec":
        return Vec(-self.x, -self.y)
    def __eq__(self, o: object) -> bool:
        return isinstance(o, Vec) and self.x == o.x and self.y == o.y
    def __hash__(self) -> int:
        return hash((self.x, self.y))
    def __repr__(self) -> str:
        return f"Vec({self.x}, {self.y})"
    def __bool__(self) -> bool:
        return self.x != 0 or self.y != 0
    def __getitem__(self, i: int) -> int:
        return self.x if i == 0 else self.y
    def __setitem__(self, i: int, v: int) -> None:
        if i == 0:
            self.x = v
        else:
            self.y = v
    def __len__(self) -> int:
        return 2
    def __call__(self, k: int) -> int:
        return self.x * k + self.y
    def __contains__(self, v: int) -> bool:
        return v == self.x or v == self.y
    def __abs__(self) -> int:
        return abs(self.x) + abs(self.y)
    def __lt__(self, o: "Vec") -> bool:
        return self.x < o.x
    @classmethod
    def unit(cls, k: int) -> "Vec":
        return cls(k, 1)
    @staticmethod
    def zero() -> "Vec":
        return Vec(0, 0)

@program("class features: vec ops", (3,))
def vecops(n: int) -> str:
    v = Vec(n, 1)
    w = v
    v += Vec(1, 1)
    out = repr(v + w) + repr(5 + v) + repr(v * 2) + repr(3 * v) + repr(-v)
    v[0] = 9
    v[1] += 5
    out += repr(w) + str(v[0]) + str(len(v)) + str(v(2)) + str(9 in v) + str(bool(Vec(0, 0))) + str(abs(v))
    out += repr(Vec.unit(4)) + repr(v.unit(5)) + repr(v.zero()) + repr(Vec.zero()) + str(Vec.dims) + str(v.dims)
    out += str(Vec(1, 2) == Vec(1, 2)) + str(Vec(1, 2) != Vec(1, 3)) + str(hash(v) == hash(w)) + str(sum([Vec(1, 2), Vec(3, 4)], Vec(0, 0)))
    return out + repr(sorted([Vec(3, 0), Vec(1, 0)])) + repr(max(Vec(1, 1), Vec(2, 0)))

class Grid:
    def __init__(self, w: int) -> None:
        self.w = w
        self.cells: dict[tuple[int, int], str] = {}
    def __setitem__(self, k: tuple[int, int], v: str) -> None:
        self.cells[k] = v
    def __getitem__(self, k: tuple[int, int]) -> str:
        return self.cells.get(k, ".")
    def __delitem__(self, k: tuple[int, int]) -> None:
        del self.cells[k]
    def __contains__(self, k: tuple[int, int]) -> bool:
        return k in self.cells

@program("class features: grid", (2,))
def grid(n: int) -> str:
    g = Grid(n)
    g[0, n] = "x"
    g[1, 1] = "y"
    g[1, 1] += "z"
    del g[0, n]
    return g[0, n] + g[1, 1] + str((1, 1) in g) + str((0, n) not in g)

class Animal(ABC):
    count: int = 0
    def __init__(self, name: str) -> None:
        self.name = name
    @abstractmethod
    def sound(self) -> str: ...
    @property
    def loud(self) -> str:
        return self.sound().upper()
    def describe(self) -> str:
        return self.name + ":" + self.sound()
    @classmethod
    def make(cls, name: str):
        return cls(name)

class Dog(Animal):
    def sound(self) -> str:
        return "woof"

class Puppy(Dog):
    def __init__(self, name: str, age: int) -> None:
        super().__init__(name + "y")
        self.age = age
    def sound(self) -> str:
        return super().sound() + "!" * self.age
    @property
    def loud(self) -> str:
        return super().loud + "?"
    def describe(self) -> str:
        return "<" + super().describe() + ">"

@program("class features: super chains and property override", (2,))
def superc(n: int) -> str:
    d = Dog("rex")
    p = Puppy("pup", n)
    zoo: list[Animal] = [d, p, Dog.make("ace")]
    return d.loud + p.loud + p.describe() + ",".join(a.describe() for a in zoo) + str(isinstance(p, Dog)) + str(isinstance(d, Puppy)) + str(isinstance(p, (int, Animal))) + str(type(p) is Puppy) + type(d).__name__ + p.__class__.__name__ + str(issubclass(Puppy, Animal)) + str(type(p) == Dog)


@dataclass
class Cfg:
    name: str
    sizes: list[int] = field(default_factory=list)
    scale: float = 1.0
    secret: int = field(default=5, repr=False)
    total: int = field(init=False)
    def __post_init__(self) -> None:
        self.total = sum(self.sizes) + self.secret
    def __str__(self) -> str:
        return "Cfg!" + self.name

@dataclass(kw_only=True)
class Kw(Cfg):
    extra: int = 7

@program("class features: dataclass fields", (2,))
def dcf(n: int) -> str:
    c = Cfg("a", [1, n])
    d = Cfg("b")
    d.sizes.append(4)
    k = Kw(name="k", extra=n)
    return repr(c) + str(c) + repr(d.sizes) + str(c.total) + str(c == Cfg("a", [1, n])) + repr(k) + str(k.total)





class Priv:
    def __init__(self, v: int) -> None:
        self.__v = v
        self._w = 2
    def __secret(self) -> int:
        return self.__v * 2
    def get(self) -> int:
        return self.__secret() + self.__v + self._w

class Priv2(Priv):
    def __init__(self, v: int) -> None:
        super().__init__(v)
        self.__v = 100
    def both(self) -> int:
        return self.get() + self.__v

@program("class features: name mangling", (2,))
def mangling(n: int) -> int:
    return Priv(n).get() + Priv2(n).both() + Priv(n)._Priv__v

class Temp:
    def __init__(self, c: float) -> None:
        self._c = c
    @property
    def f(self) -> float:
        return self._c * 9 / 5 + 32
    @f.setter
    def f(self, v: float) -> None:
        self._c = (v - 32) * 5 / 9
    @f.deleter
    def f(self) -> None:
        self._c = 0.0

@program("class features: property setter", (100.0,))
def props(c: float) -> float:
    t = Temp(c)
    t.f += 18
    return t._c + t.f

class Matrix:
    def __init__(self, rows: list[list[int]]) -> None:
        self.rows = rows
    def __matmul__(self, o: "Matrix") -> "Matrix":
        return Matrix([[sum(a * b for a, b in zip(r, c)) for c in zip(*o.rows)] for r in self.rows])
    def __str__(self) -> str:
        return "\n".join(" ".join(str(x) for x in r) for r in self.rows)
    def __floordiv__(self, k: int) -> "Matrix":
        return Matrix([[x // k for x in r] for r in self.rows])
    def __rsub__(self, k: int) -> "Matrix":
        return Matrix([[k - x for x in r] for r in self.rows])
    def __pow__(self, k: int) -> "Matrix":
        m = self
        for _ in range(k - 1):
            m = m @ self
        return m


class LinkedList:
    def __init__(self) -> None:
        self.head: Optional["LNode"] = None
        self.size = 0
    def push(self, v: int) -> "LinkedList":
        self.head = LNode(v, self.head)
        self.size += 1
        return self
    def __iter__(self):
        n = self.head
        while n is not None:
            yield n.v
            n = n.next
    def __len__(self) -> int:
        return self.size

@dataclass
class LNode:
    v: int
    next: Optional["LNode"]

@program("class features: linked list", (3,))
def ll(n: int) -> list[int]:
    l = LinkedList()
    l.push(1).push(n).push(5)
    return [v for v in l] + [len(l), sum(l), max(l)] + sorted(l)

class A:
    def who(self) -> str:
        return "A"
    def hello(self) -> str:
        return "hello " + self.who()
class B(A):
    def who(self) -> str:
        return "B" + super().who()
class C(B):
    def who(self) -> str:
        return "C" + super().who()

@program("class features: virtual through three levels", (1,), (2,), (3,))
def virt(n: int) -> str:
    xs = [A(), B(), C()]
    return xs[n - 1].hello() + " ".join(x.hello() for x in xs)

class Counter:
    total = 0
    names = ("a", "b")
    def __init__(self) -> None:
        self.n = self.total + len(self.names)
    def __enter__(self) -> "Counter":
        self.n += 1
        return self
    def __exit__(self, t, v, tb) -> bool:
        self.n += 10
        return v is not None and isinstance(v, ValueError)

@program("class features: with class suppress", (0,), (1,), (2,))
def wcs(k: int) -> int:
    c = Counter()
    with c as d:
        if k == 1:
            raise ValueError("x")
        if k == 2:
            return d.n + 1000
        d.n += 100
    return c.n

@dataclass
class Inv:
    items: dict[str, int] = field(default_factory=dict)
    log: list[str] = field(default_factory=lambda: ["start"])

@program("class features: default factory lambda", (3,))
def dfl(n: int) -> str:
    a, b = Inv(), Inv()
    a.items["x"] = n
    a.log.append("y")
    return repr(a) + repr(b) + str(a == b)


Pt = collections.namedtuple("Pt", "a b", defaults=[5])
@program("class features: collections namedtuple", (3,))
def cnt(n: int) -> str:
    p = Pt(n)
    return str(p) + str(p.a + p.b) + str(p._fields)


@dataclass(frozen=True, order=True)
class Version:
    major: int
    minor: int = 0
    tag: str = field(default="", compare=False)

@program("class features: frozen ordered dataclass and replace", (2,))
def fod(n: int) -> str:
    a, b = Version(1, n), Version(1, 3, "x")
    c = replace(a, minor=9)
    return str(a < b) + str(a == Version(1, n, "z")) + repr(b) + repr(c) + repr(sorted([b, a], key=lambda v: v.minor)) + str(hash(a) == hash(Version(1, n, "q")))

class P(NamedTuple):
    x: int
    y: int = 3
    def norm(self) -> int:
        return self.x * self.x + self.y * self.y
    @property
    def flipped(self) -> "P":
        return P(self.y, self.x)
    @staticmethod
    def origin() -> "P":
        return P(0, 0)

@program("class features: named tuple methods, static and property", (2,))
def ntm(n: int) -> str:
    p = P(n)
    x, y = p
    q = p._replace(y=10)
    return str(p) + repr(q.flipped) + str(p.norm()) + str(P.origin()) + str(x + y) + str(p == (n, 3)) + str(p < q) + str(p[0]) + str(len(p)) + str(p._asdict()) + str(list(p)) + str(P._fields) + str(n in p) + str(p + (1,))

class Color(Enum):
    RED = 1
    GREEN = 2
    CRIMSON = 1
    def pretty(self) -> str:
        return self.name.lower() + str(self.value)
    @property
    def is_red(self) -> bool:
        return self is Color.RED
    @classmethod
    def default(cls) -> "Color":
        return cls.GREEN

class Level(IntEnum):
    LOW = auto()
    HIGH = auto()

@program("class features: enum methods, class methods, aliases", (1,), (2,))
def enm(n: int) -> str:
    c = Color(n)
    return c.pretty() + str(c.is_red) + repr(Color.default()) + str(c) + str([m.name for m in Color]) + str(len(Color)) + str(c in (Color.RED,)) + str(Level.HIGH + n) + str(Level(n) < Level.HIGH) + Color["GREEN"].name + str(Color.CRIMSON is Color.RED) + str({c: 1}) + str(isinstance(c, Color)) + f"{c!r}"

class Beast:
    def name(self) -> str:
        return type(self).__name__
class Cat(Beast):
    pass

@program("class features: type of values of several classes", (0,), (1,), (2,))
def tosc(n: int) -> str:
    xs: list[Union[Beast, int, str]] = [Cat(), Beast(), 5]
    x = xs[n]
    t = type(x)
    return t.__name__ + str(t is Cat) + str(type(x) == int) + str(type(x) is not Beast) + str(type(n) is int) + str(type([1]) is list) + str(type(1.5).__name__) + Cat().name()

@program("class features: issubclass and isinstance with tuples", (0,))
def isub(n: int) -> list[bool]:
    return [issubclass(Cat, Beast), issubclass(Beast, Cat), issubclass(bool, int), issubclass(Cat, (int, Beast)), isinstance(n, (str, int)), isinstance(Cat(), (str, Beast)), issubclass(KeyError, LookupError)]

@program("class features: type compared in a dispatch", ([1, 2],))
def tdis(xs: list[int]) -> list[str]:
    out = []
    vals: list[Union[int, float, str, None]] = [1, 2.5, "s", None]
    for v in vals:
        if type(v) is int:
            out.append("i")
        elif type(v) is float:
            out.append("f")
        elif v is None:
            out.append("n")
        else:
            out.append("s" + v)
    return out

@dataclass
class Opt:
    a: int
    b: list[int] = field(default_factory=list)
    c: int = field(init=False, default=9)

@program("class features: replace evaluates in order and shares", (3,))
def repl(n: int) -> str:
    o = Opt(n)
    p = replace(o, a=n + 1)
    p.b.append(5)
    return repr(o) + repr(p) + str(o.b is p.b)


of_row("calls")


class OnlyStars:
    @staticmethod
    def all_of(*values):
        return values

    @staticmethod
    def named(**options) -> int:
        return len(options)

    def with_self(*everything):
        return everything[1:]


@program("methods that declare no parameter but starred ones", (2,))
def starred_only(n: int) -> tuple[tuple[int, str], int, tuple[int, ...], int]:
    return OnlyStars.all_of(n, "x"), OnlyStars().named(a=n, b=1), OnlyStars().with_self(n, 5), OnlyStars.named()


class Tally:
    def __init__(self, n: int):
        self.n = n

    def __iadd__(self, other):
        if other == 0:
            return NotImplemented
        self.n += other
        return self

    def __add__(self, other):
        return Tally(self.n * 100)

    def __ipow__(self, other):
        return NotImplemented

    def __pow__(self, other):
        return self.n**other


of_row("inheritance")


@program("augmented assignments whose methods may give NotImplemented", (3,), (0,))
def declined_in_place(n: int) -> tuple[int, int, str]:
    tally = Tally(1)
    tally += n
    power = Tally(n)
    power **= 2
    try:
        tally -= 1
    except TypeError as error:
        return tally.n, power, str(error)
    return tally.n, power, ""
