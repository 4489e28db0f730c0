"""Type variables, abstract parameters, generic, recursive and abstract classes, protocols."""

# ruff: noqa
from __future__ import annotations

from collections import abc
from collections.abc import Sequence, Iterable, Mapping, Collection, Iterator, MutableSequence, MutableMapping, Container, Sized, Set as AbsSet, Generator
from typing import Generic, NoReturn, TypeVar, NewType, Literal, Protocol, Optional, Union, Tuple, List, TypeAlias, Callable
import typing
from abc import ABC, abstractmethod
from dataclasses import dataclass, field

from language_rows import of_row
from oracle import program

of_row("abstract types")

T = TypeVar("T")
K = TypeVar("K")
V = TypeVar("V")
N = TypeVar("N", int, float)
B = TypeVar("B", bound="Shape")

def first(xs: list[T]) -> T:
    return xs[0]
def swap(p: tuple[K, V]) -> tuple[V, K]:
    a, b = p
    return b, a
def double(x: N) -> N:
    return x + x
def ident(x: T) -> T:
    return x
def get_or(d: dict[K, V], k: K, default: V) -> V:
    return d[k] if k in d else default
def pair(a: T, b: T) -> list[T]:
    return [a, b]

@program("generics: typevar", (3,))
def tv(n: int) -> str:
    a, b = swap((n, "x"))
    return str(first([n, 1])) + first(["a"]) + a + str(b) + str(double(n)) + str(double(1.5)) + str(ident(None)) + str(get_or({"a": 1}, "b", n)) + str(pair(1, n))

def mapped(f: Callable[[T], V], xs: Iterable[T]) -> list[V]:
    return [f(x) for x in xs]

@program("generics: typevar callable", (3,))
def tvc(n: int) -> list[str]:
    return mapped(str, [n, 2]) + mapped(lambda v: "x" * v, (1, n))

UserId = NewType("UserId", int)
Mode = Literal["sum", "max"]
Vec: TypeAlias = list[float]
Pair = Tuple[int, str]

def by_mode(xs: list[int], mode: Mode) -> int:
    if mode == "sum":
        return sum(xs)
    return max(xs)

@program("generics: newtype literal alias", (3,))
def ntl(n: int) -> str:
    u = UserId(n)
    v: Vec = [1.0, 2.0]
    p: Pair = (1, "a")
    m: Literal[1, 2] = 1
    return str(u + 1) + str(v) + str(p) + str(by_mode([1, n], "sum")) + str(by_mode([1, n], "max")) + str(m)

@program("generics: literal entry", (3, "fast"), (3, "slow"), (2, "other"))
def lit(n: int, mode: Literal["fast", "slow"]) -> int:
    return n if mode == "fast" else -n

@program("generics: newtype entry", (3,))
def nte(u: UserId) -> UserId:
    return UserId(u + 1)

def total(xs: Iterable[int]) -> int:
    t = 0
    for x in xs:
        t += x
    return t
def longest(xs: Sequence[str]) -> str:
    best = xs[0]
    for x in xs[1:]:
        if len(x) > len(best):
            best = x
    return best
def keysum(m: Mapping[str, int]) -> int:
    return sum(m.values()) + len(m)
def size(c: Collection[int]) -> int:
    return len(c) * 10 + (1 if 3 in c else 0)
def emptied(xs: MutableSequence[int]) -> None:
    while xs:
        xs.pop()
def put(m: MutableMapping[str, int], k: str) -> None:
    m[k] = 1

@program("generics: abstract params", (3,))
def absp(n: int) -> str:
    d = {"a": n}
    put(d, "z")
    l = [1, 2]
    emptied(l)
    return str(total([1, n])) + str(total((1, 2))) + str(total({4, 5})) + str(total({1: "a", n: "b"})) + str(total(range(n))) + longest(["a", "bcd"]) + longest(("x", "yz")) + longest("abc") + str(keysum(d)) + str(size([1, 3])) + str(size((1, 2))) + str(size({3})) + str(l)

@program("generics: total of generator", (3,))
def totg(n: int) -> int:
    return total(x * x for x in range(n)) + total(map(abs, [-1, n]))

@program("generics: abstract entry", ([1, 2],))
def abse(xs: Sequence[int]) -> int:
    return sum(xs) + len(xs)

@program("generics: mapping entry", ({"a": 2},))
def mape(m: Mapping[str, int]) -> int:
    return m["a"]

@program("generics: var tuple", ((1, 2, 3),), ((),))
def vart(t: tuple[int, ...]) -> int:
    return sum(t) + len(t)

class Shape(ABC):
    @abstractmethod
    def area(self) -> float: ...
    def twice(self) -> float:
        return 2 * self.area()
class Sq(Shape):
    def __init__(self, s: float) -> None:
        self.s = s
    def area(self) -> float:
        return self.s * self.s
class Circ(Shape):
    def __init__(self, r: float) -> None:
        self.r = r
    def area(self) -> float:
        return 3 * self.r * self.r

def bigger(a: B, b: B) -> B:
    return a if a.area() > b.area() else b

@program("generics: abc", (3.0,))
def abcs(x: float) -> float:
    shapes: list[Shape] = [Sq(x), Circ(x)]
    return sum(s.twice() for s in shapes) + bigger(Sq(1.0), Sq(2.0)).s

class HasArea(Protocol):
    def area(self) -> float: ...

def area_of(s: HasArea) -> float:
    return s.area()
def total_area(ss: list[HasArea]) -> float:
    return sum(s.area() for s in ss)
def seq_area(ss: Sequence[Shape]) -> float:
    return sum(s.area() for s in ss)

@program("generics: protocol", (3.0,))
def proto(x: float) -> float:
    return area_of(Sq(x)) + area_of(Circ(x))

@program("generics: protocol in list", (3.0,))
def protol(x: float) -> float:
    ss: list[HasArea] = [Sq(x), Circ(x)]
    return total_area(ss) + seq_area([Sq(1.0), Circ(1.0)])

class Stack(Generic[T]):
    def __init__(self) -> None:
        self.items: list[T] = []
    def push(self, x: T) -> None:
        self.items.append(x)
    def pop(self) -> T:
        return self.items.pop()
    def __len__(self) -> int:
        return len(self.items)

@program("generics: generic class", (3,))
def gcls(n: int) -> str:
    s = Stack[int]()
    s.push(n)
    s.push(4)
    return str(s.pop()) + str(len(s))

@program("generics: generic class two types", (3,))
def gcls2(n: int) -> str:
    s: Stack[int] = Stack()
    t: Stack[str] = Stack()
    s.push(n)
    t.push("a")
    return str(s.pop()) + t.pop()

@dataclass
class Box(Generic[T]):
    value: T
    def get(self) -> T:
        return self.value

@program("generics: generic dataclass", (3,))
def gdc(n: int) -> int:
    return Box(n).get() + 1

class Node:
    def __init__(self, v: int, next: Optional["Node"] = None) -> None:
        self.v = v
        self.next = next

@program("generics: recursive class", (3,))
def reccls(n: int) -> int:
    head: Optional[Node] = None
    for i in range(n):
        head = Node(i, head)
    t = 0
    while head is not None:
        t = t * 10 + head.v
        head = head.next
    return t

class Tree:
    def __init__(self, v: int) -> None:
        self.v = v
        self.left: "Tree | None" = None
        self.right: "Tree | None" = None
    def insert(self, v: int) -> None:
        if v < self.v:
            if self.left is None:
                self.left = Tree(v)
            else:
                self.left.insert(v)
        elif self.right is None:
            self.right = Tree(v)
        else:
            self.right.insert(v)
    def walk(self) -> list[int]:
        out: list[int] = []
        if self.left is not None:
            out += self.left.walk()
        out.append(self.v)
        if self.right is not None:
            out += self.right.walk()
        return out

@program("generics: tree", ([5, 2, 8, 1],))
def tree(xs: list[int]) -> list[int]:
    t = Tree(xs[0])
    for x in xs[1:]:
        t.insert(x)
    return t.walk()

@dataclass
class TNode:
    name: str
    kids: list["TNode"]

@program("generics: tree dataclass", (3,))
def treed(n: int) -> int:
    root = TNode("r", [TNode("a", []), TNode("b", [TNode("c", [])])])
    def depth(t: TNode) -> int:
        best = 0
        for k in t.kids:
            best = max(best, depth(k))
        return best + 1
    return depth(root)

def unann(a, b=2, c=None):
    if c is None:
        return a * b
    return c
@program("generics: unannotated", (3,))
def unanns(n: int) -> str:
    return str(unann(n)) + unann("a", 3) + str(unann(1.5, 2)) + unann(1, c="z") + str(unann([1], 2))

def iterator_param(it: Iterator[int]) -> int:
    return next(it) * 100 + next(it)

@program("generics: iterator param", ([1, 2, 3],))
def itp(xs: list[int]) -> int:
    return iterator_param(iter(xs))

IntOrStr = Union[int, str]
def show(x: IntOrStr) -> str:
    return f"<{x}>"
@program("generics: alias union", (3,))
def au(n: int) -> str:
    return show(n) + show("a")

@program("generics: seq of seq", ([[1, 2], [3]],))
def sos(xss: Sequence[Sequence[int]]) -> int:
    return sum(sum(xs) for xs in xss)


@dataclass
class Success(Generic[T]):
    value: T


@dataclass
class Failure:
    error: Exception


def attempted(fn: Callable[[], int]) -> Union[Success[int], Failure]:
    try:
        return Success(fn())
    except Exception as e:
        return Failure(e)


@program("a generic class made where a Union with it is asked for; an exception in a pattern", ("5",), ("x",), ("0",))
def attempts(s: str) -> str:
    match attempted(lambda: 10 // int(s) if s else 0):
        case Success(value):
            return f"gave {value}"
        case Failure(error=ValueError() as e):
            return f"value error {e}"
        case Failure(e):
            return f"other {e!r}"


class Link(Generic[K, V]):
    """A place of a ring, which starts as a ring of itself."""

    def __init__(self, key: Optional[K] = None, values: "list[V] | None" = None):
        self.key = key
        self.values = values
        self.following: "Link[K, V]" = self


class Ring(Generic[K, V]):
    def __init__(self) -> None:
        self.root: Link[K, V] = Link()
        self.places: dict[K, Link[K, V]] = {}

    def put(self, key: K, value: V) -> None:
        made = Link(key, [value])
        made.following = self.root.following
        self.root.following = made
        self.places[key] = made

    def drop_first(self) -> None:
        first = self.root.following
        del self.places[first.key]
        self.root.following = first.following


@program("a generic class called with what Optional and list parameters take", ([3, 5], 1), ([3], 1), ([], 1))
def ring_of_links(keys: list[int], dropped: int) -> tuple[list[int], list[str]]:
    ring: Ring[int, str] = Ring()
    for key in keys:
        ring.put(key, str(key) * 2)
    for _ in range(dropped):
        ring.drop_first()
    link = ring.root.following
    return list(ring.places), link.values or ["none"]


@dataclass
class Good(Generic[T]):
    value: T

    def map(self, f: Callable[[T], V]) -> "Good[V]":
        return Good(f(self.value))

    def rather(self, other: T) -> T:
        return self.value


@dataclass
class Bad(Generic[K]):
    reason: K

    def map(self, f) -> "Bad[K]":
        return self

    def rather(self, other):
        return other


Outcome = Union[Good[T], Bad[str]]


def read_number(text: str) -> Outcome[int]:
    try:
        return Good(int(text))
    except ValueError as error:
        return Bad(str(error))


@program("an alias of a Union with a type variable, given a type", (["1", "2"],), (["1", "x"],), ([],))
def outcome_of(texts: list[str]) -> list[str]:
    total = 0
    found: Outcome[int] = Good(0)
    for text in texts:
        one = read_number(text)
        if isinstance(one, Bad):
            found = one
            break
        total += one.value
        found = Good(total)
    return [repr(found), str(found.rather(-1)), repr(found.map(lambda v: v * 2))]


def give_up(reason: str) -> NoReturn:
    raise RuntimeError(reason)


@program("a function that never returns narrows what comes after it", (3,), (-1,))
def never_none(n: int) -> int:
    found = n if n > 0 else None
    if found is None:
        give_up(f"no {n}")
    return found + 1


@dataclass(order=True)
class Ranked(Generic[T]):
    rank: int
    item: T = field(compare=False)
    among: Optional[List[T]] = field(default=None, compare=False)


class Ranking(Generic[T]):
    def __init__(self) -> None:
        self.all: List[Ranked[T]] = []

    def add(self, rank: int, item: T) -> Ranked[T]:
        made = Ranked(rank, item, [item])
        self.all.append(made)
        return made


@program("generic dataclasses are of the class that their fields tell", (["b", "a"],), ([],))
def ranked_items(names: List[str]) -> Tuple[List[str], int]:
    ranking: Ranking[str] = Ranking()
    made = [ranking.add(-len(names) + i, name) for i, name in enumerate(names)]
    numbers: List[Ranked[int]] = []
    numbers.append(Ranked(1, item=5))
    return [each.item for each in sorted(ranking.all)], len(made) + numbers[0].item


class Crate(Generic[T]):
    def __init__(self, item: T, items: Optional[List[T]] = None) -> None:
        self.item = item
        self.items: List[T] = items if items is not None else []

    def put(self, item: T) -> "Crate[T]":
        self.items.append(item)
        return self

    def mapped(self, f: Callable[[T], V]) -> "Crate[V]":
        return Crate(f(self.item))


@program("instances of one generic class, made without its argument, keep their kinds of elements apart", (1,), (-3,))
def apart(n: int) -> Tuple[int, str, List[int], List[str], List[List[str]]]:
    number = Crate(n).put(2)
    text = number.mapped(lambda v: str(v)).put("x")
    nested = Crate([text.item]).put(["y"])
    nested.item.append("z")
    return number.item + 1, text.item.upper(), number.items, text.items, [nested.item, *nested.items]
