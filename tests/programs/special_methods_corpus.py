"""Special methods of builtin values as values, `xs.__len__` and `it.__next__`: they keep the object they were taken from,
in variables, containers, attributes and arguments; classes that may be indexed by types; ord() of bytes."""

# ruff: noqa
from __future__ import annotations

from types import GenericAlias
from typing import Dict, Iterator, List, Optional, Set

from language_rows import of_row
from oracle import program

of_row("functions as values")

@program("special methods: the object is the one they were taken from", ([1],))
def taken_before(xs: List[int]):
    size = xs.__len__
    item = xs.__getitem__
    xs = [5, 6, 7]
    return size(), item(0), xs

@program("special methods: of one object or another", ([1], [2, 3], True), ([1], [2, 3], False))
def of_either(xs: List[int], ys: List[int], flag: bool):
    size = xs.__len__ if flag else ys.__len__
    if flag:
        has = xs.__contains__
    else:
        has = ys.__contains__
    return size(), has(1), has(2)

@program("special methods: unpacked beside values", ([1, 2], {2}))
def unpacked(xs: List[int], kept: Set[int]):
    has, n, size = kept.__contains__, len(xs), xs.__len__
    xs.append(n)
    return [x for x in xs if has(x)], n, size()

@program("special methods: given to functions", ([4, 5], {"a": 1}), ([4], {}))
def given(xs: List[int], table: Dict[str, int]):
    def use(f, value):
        return f(value)
    return use(xs.__contains__, 4), list(map(xs.__getitem__, [0, -1])), list(filter(table.__contains__, ["a", "z"])), sorted(
        [9, 4], key=xs.__contains__)

def counted(n: int) -> Iterator[int]:
    for i in range(n):
        yield i

@program("special methods: __next__ of iterators in a list", ([1, 2, 3],))
def nexts(xs: List[int]):
    it = iter(xs)
    fs = [iter(xs).__next__, it.__next__, reversed(xs).__next__, counted(9).__next__]
    out = [f() for f in fs] + [f() for f in fs]
    last = it.__next__
    out.append(last())
    try:
        last()
    except StopIteration:
        out.append(-1)
    return out

@program("special methods: of a generator whose name is used again", (True,), (False,))
def of_generators(flag: bool):
    g = counted(3)
    h = counted(10)
    next(h)
    f = g.__next__
    send = g.send
    g = h
    k = g.__next__ if flag else f
    return f(), send(None), k(), [f, k][1]() if flag else -1, [k.__name__, send.__name__]

class Reader:
    def __init__(self, xs: List[int]):
        self.read = iter(xs).__next__
        self.has = xs.__contains__

    def pair(self):
        return self.read(), self.read()

@program("special methods: in attributes", ([1, 2, 3],), ([1],))
def in_attributes(xs: List[int]):
    reader = Reader(xs)
    return reader.pair(), reader.has(3), reader.read()

@program("special methods: of zip and enumerate", ([1, 2], ["a", "b"]))
def of_zip(xs: List[int], ys: List[str]):
    z = zip(xs, ys)
    f = z.__next__
    e = enumerate(ys)
    return f(), e.__next__(), f(), list(z), list(e)

of_row("classes")

class Box:
    def __init__(self, x):
        self.x = x

    __class_getitem__ = classmethod(GenericAlias)

class Doubled(Box):
    def twice(self) -> int:
        return self.x * 2

class Named:
    def __init__(self, x: int):
        self.x = x

    def __class_getitem__(cls, item):
        return cls

Ints = Box[int]

def first_of(box: "Box[int]", others: Optional[List[Doubled[int]]] = None) -> int:
    return box.x + (others[0].twice() if others else 0)

def of_alias(box: Ints) -> int:
    return box.x

@program("classes indexed by types", (3,))
def indexed(n: int):
    return Box(n).x, Box[int](2).x, Box("a").x, first_of(Box(n)), first_of(Box(1), [Doubled(n)]), of_alias(Box(7)), Named(n).x

of_row("bytes")

@program("ord of one byte", (b"az",), (b"",))
def ord_of_bytes(data: bytes):
    return [ord(data[i:i + 1]) for i in range(len(data))], ord(b"A") - 10, ord(data[:1])

@program("ord of several bytes", (b"ab",), (b"z",))
def ord_of_many(data: bytes) -> int:
    return ord(data) + len(data)
