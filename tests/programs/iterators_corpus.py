"""Iterators and ranges in variables, generators closed early, classes that iterate."""

# ruff: noqa
from __future__ import annotations

import collections.abc
import itertools
from typing import Iterable, Iterator

from language_rows import of_row
from oracle import program

of_row("generators")

@program("iterators: next in locals", ([1, 2, 3],), ([1],), ([],))
def nx(xs: list[int]) -> list[int]:
    it = iter(xs)
    a = next(it, -1)
    b = next(it, -2)
    rest = [x for x in it]
    return [a, b] + rest + [next(it, 99)]

@program("iterators: StopIteration", ([1, 2, 3],), ([],))
def stopi(xs: list[int]) -> int:
    it = iter(xs)
    t = 0
    while True:
        try:
            t += next(it)
        except StopIteration:
            break
    return t

@program("iterators: StopIteration raised", ([1],), ([],))
def stopr(xs: list[int]) -> int:
    it = iter(xs)
    return next(it)

@program("iterators: header then body", (["h", "a", "b"],))
def header(xs: list[str]) -> str:
    it = iter(xs)
    out = next(it) + ":"
    for x in it:
        out += x
    return out

@program("iterators: pairs by zip of one iterator", ([1, 2, 3, 4, 5],))
def pairs(xs: list[int]) -> list[tuple[int, int]]:
    it = iter(xs)
    return list(zip(it, it))

@program("iterators: break then go on", ([1, 2, 3, 4, 5],))
def goon(xs: list[int]) -> list[int]:
    it = iter(xs)
    out = []
    for x in it:
        if x == 2:
            break
        out.append(x)
    for x in it:
        out.append(x * 10)
    return out

@program("iterators: stored enumerate zip map reversed", ([3, 4],))
def stored(xs: list[int]) -> list[int]:
    e = enumerate(xs, 5)
    z = zip(xs, [7, 8, 9])
    m = map(lambda v: v * 2, xs)
    r = reversed(xs)
    f = filter(lambda v: v > 3, xs)
    out = []
    for i, x in e:
        out.append(i * x)
    for a, b in z:
        out.append(a + b)
    return out + list(m) + list(r) + list(f) + list(m)

@program("iterators: lazy stored map", ([1, 0],))
def lazym(xs: list[int]) -> int:
    m = map(lambda v: 10 // v, xs)
    return next(m)

@program("iterators: map sees later appends", ([1, 2],))
def mlate(xs: list[int]) -> list[int]:
    m = map(str, xs)
    xs.append(5)
    return [len(s) for s in m] + xs

@program("iterators: exhausted stays", ([1, 2],))
def exh(xs: list[int]) -> int:
    it = iter(xs)
    t = sum(it)
    xs.append(100)
    return t * 10 + sum(it)

@program("iterators: stored generator expression", ([1, 2, 3],))
def sge(xs: list[int]) -> int:
    g = (x * x for x in xs)
    return sum(g)

def countdown(n: int):
    while n > 0:
        yield n
        n -= 1

@program("iterators: stored generator", (3,))
def sg(n: int) -> list[int]:
    g = countdown(n)
    out = []
    for x in g:
        out.append(x)
    return out

def total(xs: Iterable[int]) -> int:
    t = 0
    for x in xs:
        t += x
    return t

@program("iterators: generators as arguments", (3,))
def ga(n: int) -> int:
    return total(x * x for x in range(n)) + total(countdown(n)) + total(map(abs, [-1, n])) + total(range(n))

def skip_first(it: Iterator[int]) -> int:
    next(it, None)
    return sum(it)

@program("iterators: iterator argument", ([5, 6, 7],))
def ia(xs: list[int]) -> int:
    it = iter(xs)
    a = skip_first(it)
    return a * 10 + skip_first(iter(xs))

@program("iterators: ranges as values", (10,), (0,), (-3,))
def rv(n: int) -> list[int]:
    r = range(1, n, 3)
    out = [len(r), r.start, r.stop, r.step]
    for x in r:
        out.append(x)
    out.append(int(4 in r))
    out.append(int(5 in r))
    out += list(r)
    out.append(sum(r))
    if r:
        out.append(r[-1])
        out.append(r[0])
    return out + list(reversed(r))

@program("iterators: range index error", (3,), (0,))
def rie(n: int) -> int:
    r = range(n)
    return r[2]

@program("iterators: range slices and equality", (10,))
def rse(n: int) -> list[int]:
    r = range(n)
    s = r[2:8:2]
    return list(s) + [int(s == range(2, 8, 2)), int(r == range(n)), len(s[1:])]

def guarded(n: int):
    log = []
    try:
        for i in range(n):
            yield i
    finally:
        print("closed")

@program("iterators: yield in try finally", (3,), (1,))
def ytf(n: int) -> int:
    t = 0
    for x in guarded(n):
        if x == 1:
            break
        t += x + 1
    return t

@program("iterators: yield in try finally, consumer", (3,))
def ytf2(n: int) -> int:
    t = sum(guarded(n))
    for x in guarded(n):
        if x == 2:
            return t + 100
    return t

class CM:
    def __init__(self, name: str) -> None:
        self.name = name
    def __enter__(self) -> str:
        print("in", self.name)
        return self.name
    def __exit__(self, a, b, c) -> None:
        print("out", self.name)

def withgen(n: int):
    with CM("x") as nm:
        for i in range(n):
            yield nm + str(i)

@program("iterators: yield in with", (3,), (0,))
def yw(n: int) -> str:
    out = ""
    for s in withgen(n):
        out += s
        if s == "x1":
            break
    return out

@program("iterators: error in consumer closes", (3,))
def ecc(n: int) -> int:
    t = 0
    try:
        for x in guarded(n):
            t += 10 // (1 - x)
    except ZeroDivisionError:
        t += 1000
    return t

def inner(n: int):
    for i in range(n):
        yield i
    return n * 100

def outer(n: int):
    r = yield from inner(n)
    yield r
    yield from [7, 8]

@program("iterators: yield from with result", (2,))
def yfr(n: int) -> list[int]:
    return list(outer(n))

def early(xs: list[int]):
    for x in xs:
        if x < 0:
            return
        yield x

@program("iterators: return in generator", ([1, -1, 2],), ([1, 2],))
def rig(xs: list[int]) -> list[int]:
    return [x for x in early(xs)]

def evens():
    n = 0
    while True:
        yield n
        n += 2

@program("iterators: infinite", (5,))
def inf(k: int) -> list[int]:
    out = []
    for e in evens():
        if e > k:
            break
        out.append(e)
    return out

def catching(xs: list[int]):
    for x in xs:
        try:
            yield 10 // x
        except ZeroDivisionError:
            yield -1

@program("iterators: yield with handler", ([1, 0, 5],))
def ywh(xs: list[int]) -> list[int]:
    out = []
    for v in catching(xs):
        out.append(v)
    return out


@program("iterators: dict view stored", ({"a": 1},))
def dvs(d: dict[str, int]) -> list[str]:
    ks = d.keys()
    d["b"] = 2
    d = {"z": 0}
    return list(ks)

@program("iterators: iter over dict and set and str", ({"a": 1, "b": 2},))
def ids(d: dict[str, int]) -> str:
    a = iter(d)
    b = iter("xyz")
    c = iter(d.items())
    k, v = next(c)
    return next(a) + next(b) + next(b) + k + str(v) + next(a)

@program("iterators: iterator in while with default", ("a b c",))
def wtok(s: str) -> list[str]:
    toks = iter(s.split())
    out = []
    t = next(toks, "")
    while t:
        out.append(t)
        t = next(toks, "")
    return out

@program("iterators: unpack iterators", ([1, 2, 3],))
def upi(xs: list[int]) -> list[int]:
    a, *b = iter(xs)
    c, d, e = map(lambda v: v + 1, xs)
    m = max(iter(xs))
    return [a] + b + [c, d, e, m] + sorted(iter(xs), reverse=True)

@program("iterators: in on iterator", ([1, 2, 3],))
def ini(xs: list[int]) -> list[int]:
    it = iter(xs)
    return [int(2 in it)] + list(it)

def tokens(s: str) -> Iterator[tuple[str, str]]:
    i = 0
    while i < len(s):
        c = s[i]
        if c.isdigit():
            j = i
            while j < len(s) and s[j].isdigit():
                j += 1
            yield ("num", s[i:j])
            i = j
            continue
        if c != " ":
            yield ("op", c)
        i += 1

@program("iterators: tokenizer", ("12 + 3*4",))
def tok(s: str) -> list[str]:
    return [k + v for k, v in tokens(s)]

def flatten(t: list[list[int]]):
    for row in t:
        yield from row

@program("iterators: generator pipeline", ([[1, 2], [3]],))
def gp(t: list[list[int]]) -> list[int]:
    return [v * 2 for v in (w + 1 for w in flatten(t) if w > 1)]

def res(name: str, n: int):
    try:
        print("open", name)
        for i in range(n):
            yield i
        print("end", name)
    finally:
        print("close", name)

@program("iterators: nested guarded, break outer", (3,))
def nb(n: int) -> int:
    t = 0
    for a in res("A", n):
        for b in res("B", n):
            if b == 1:
                break
            if a == 2:
                return t + 100
            t += 1
            print("body", a, b)
        t += 10
    return t

@program("iterators: continue in guarded", (4,))
def cg(n: int) -> int:
    t = 0
    for a in res("A", n):
        if a % 2:
            continue
        t += a
    else:
        t += 1000
    return t

@program("iterators: while around guarded with break and continue of outer loop", (3,))
def wa(n: int) -> int:
    t = 0
    while t < 50:
        t += 1
        for a in res("A", n):
            if t > 20:
                break
            t += 10
            if a == 1:
                break
        else:
            t += 5
        if t > 30:
            break
    return t

def pipe(n: int):
    try:
        for v in res("src", n):
            yield v * 10
    finally:
        print("close pipe")

@program("iterators: pipeline guarded", (4,))
def pg(n: int) -> int:
    for v in pipe(n):
        print(v)
        if v == 20:
            break
    t = 0
    for v in pipe(n):
        try:
            t += 10 // (10 - v)
        except ZeroDivisionError:
            print("zero")
            break
    return t

@program("iterators: return from helper in guarded", (4,))
def rh(n: int) -> int:
    return find(n, 2) * 10 + find(n, 9)

def find(n: int, k: int) -> int:
    for v in res("f", n):
        if v == k:
            return v
    return -1

@program("iterators: exception in generator itself", (0,), (2,))
def eg(n: int) -> int:
    t = 0
    try:
        for v in bad(n):
            t += v
    except ZeroDivisionError:
        print("caught")
        t += 1000
    return t

def bad(n: int):
    try:
        yield 1
        yield 10 // n
        yield 3
    finally:
        print("bad closed")

@program("iterators: error raised in finally of generator", (1,))
def ef(n: int) -> int:
    try:
        for v in badfin():
            if v == n:
                break
    except ValueError as e:
        print(e)
        return -1
    return 0

def badfin():
    try:
        yield 0
        yield 1
    finally:
        raise ValueError("in finally")

@program("iterators: next closes nothing yet", (3,))
def first_of(n: int) -> int:
    return max(res("m", n)) + len(list(res("l", n))) + (5 if any(v == 1 for v in res("any", n)) else 0)

@program("iterators: yield from guarded", (3,))
def yfg(n: int) -> list[int]:
    out = []
    for v in delegating(n):
        if v == 2:
            break
        out.append(v)
    return out

def delegating(n: int):
    try:
        yield from res("inner", n)
    finally:
        print("outer closed")

@program("iterators: two handlers around yield", ([1, 0, -1],))
def thy(xs: list[int]) -> list[str]:
    out = []
    for s in classify(xs):
        out.append(s)
        if len(out) == 2:
            break
    return out

def classify(xs: list[int]):
    for x in xs:
        try:
            if x < 0:
                raise ValueError("neg")
            yield str(10 // x)
        except ZeroDivisionError:
            yield "zero"
        except ValueError as e:
            yield str(e)
        else:
            yield "ok"

@program("iterators: generator method with state", (3,))
def gms(n: int) -> list[int]:
    p = Pool(n)
    out = []
    for v in p.items():
        out.append(v + p.open)
        if v == 1:
            break
    out.append(p.open)
    return out

class Pool:
    def __init__(self, n: int) -> None:
        self.n = n
        self.open = 0
    def items(self):
        self.open += 1
        try:
            for i in range(self.n):
                yield i
        finally:
            self.open -= 1

@program("iterators: class iterators", (4,))
def ci(n: int) -> list[int]:
    c = Countdown(n)
    out = [x for x in c]
    out += [x * 10 for x in c]
    it = Fib()
    for v in it:
        if v > 20:
            break
        out.append(v)
    out.append(next(it))
    a, b, *rest = Countdown(n)
    out += [a, b] + rest
    return out + [sum(Countdown(n)), max(Countdown(n)), int(2 in Countdown(n))]

class Countdown:
    def __init__(self, n: int) -> None:
        self.n = n
    def __iter__(self) -> "Countdown":
        return self
    def __next__(self) -> int:
        if self.n <= 0:
            raise StopIteration
        self.n -= 1
        return self.n

class Fib:
    def __init__(self) -> None:
        self.a, self.b = 0, 1
    def __iter__(self):
        return self
    def __next__(self):
        r = self.a
        self.a, self.b = self.b, self.a + self.b
        return r

@program("iterators: sequence protocol", (4,))
def sp(n: int) -> list[int]:
    s = Squares(n)
    out = [x for x in s]
    out.append(len(s))
    out.append(s[-1])
    out += list(reversed(out))
    return out + sorted(s, reverse=True) + [int(4 in s)]

class Squares:
    def __init__(self, n: int) -> None:
        self.n = n
    def __len__(self) -> int:
        return self.n
    def __getitem__(self, i: int) -> int:
        if i < 0:
            i += self.n
        if i < 0 or i >= self.n:
            raise IndexError("squares")
        return i * i

@program("iterators: iter gives another object", (3,))
def iao(n: int) -> int:
    b = Bag([n, 2, 5])
    return sum(b) + sum(x * y for x in b for y in b)

class Bag:
    def __init__(self, xs: list[int]) -> None:
        self.xs = xs
    def __iter__(self):
        return BagIter(self.xs)

class BagIter:
    def __init__(self, xs: list[int]) -> None:
        self.xs = xs
        self.i = 0
    def __iter__(self):
        return self
    def __next__(self) -> int:
        if self.i == len(self.xs):
            raise StopIteration()
        self.i += 1
        return self.xs[self.i - 1]


of_row("builtins")

@program("zip: columns of lists", ([[1, 2], [3, 4]],), ([[1, 2, 3], [3, 4], [5, 6]],), ([],), ([[]],))
def columns(rows: list[list[int]]) -> tuple[list[list[int]], list[tuple[int, ...]], list[int]]:
    turned = [list(c) for c in zip(*rows)]
    return turned, list(zip(*rows[::-1])), [sum(c) for c in zip(*rows)]

@program("zip: columns of pairs", ([(1, "a"), (2, "b")],), ([],))
def pair_columns(pairs: list[tuple[int, str]]) -> tuple[tuple[int, ...], tuple[str, ...]]:
    numbers, names = zip(*pairs)
    return numbers, names

@program("zip: columns of pairs in a loop", ([(1, "a"), (2, "b")],), ([],))
def pair_loop(pairs: list[tuple[int, str]]) -> list[str]:
    out = []
    for column in zip(*pairs):
        out.append(str(column))
    return out

@program("zip: too few and too many columns", ([(1, 2)], 0), ([(1, 2)], 1), ([], 0), ([], 1))
def column_count(pairs: list[tuple[int, int]], which: int) -> list[int]:
    if which == 0:
        a, b, c = zip(*pairs)
        return list(a + b + c)
    (d,) = zip(*pairs)
    return list(d)

@program("zip: columns of texts, until they differ", (["abc", "abx", "abb"],), ([],), (["same"],))
def prefix(words: list[str]) -> str:
    out = ""
    for letters in zip(*words):
        if len(set(letters)) > 1:
            break
        out += letters[0]
    return out + "|" + ",".join(map("".join, zip(*words)))

@program("zip: rows that grow while their columns are asked for", ([[1, 2], [3, 4, 5, 6]],), ([[1, 2], [3], [4, 4, 4]],))
def growing_rows(rows: list[list[int]]) -> list[int]:
    out = []
    for column in zip(*rows):
        if len(rows[0]) < 5:
            rows[0].append(column[0])
        rows.append([])
        out.append(sum(column))
    return out

@program("zip: columns one by one", ([[1, 2, 3], [3, 4, 5]], [(7, 8)]), ([], []))
def stored_columns(rows: list[list[int]], pairs: list[tuple[int, int]]) -> tuple[list[int], list[int]]:
    it = zip(*rows)
    first = list(next(it)) if rows else [-1]
    more = zip(*pairs)
    second = list(next(more)) if pairs else [-2]
    return first + [sum(c) for c in it], second + [len(list(more))]

@program("zip: keys and values of a dict apart", ({"b": 1, "a": 2},), ({},))
def apart(d: dict[str, int]) -> tuple[list[str], list[int], dict[str, int]]:
    keys, values = zip(*sorted(d.items(), key=lambda kv: kv[1], reverse=True))
    return list(keys), list(values), dict(zip(keys, values))

of_row("loops")

@program("reversed: entries that go and come", ({"a": 1, "b": 2, "c": 3},), ({"c": 1},), ({},))
def changing(d: dict[str, int]) -> list[str]:
    out = []
    for k in reversed(d):
        out.append(k)
        if k == "c" and "b" in d:
            del d["b"]
            d["z"] = 4
    return out

@program("reversed: a dict that grows", ({"a": 1, "b": 2},), ({"a": 1},), ({},))
def grows(d: dict[str, int]) -> list[str]:
    out = []
    try:
        for k, v in reversed(d.items()):
            out.append(k)
            d[k + "x"] = v
    except RuntimeError as e:
        out.append(str(e))
    return out

@program("reversed: views with holes before them", ({"a": 1, "b": 2, "c": 3},))
def holes(d: dict[str, int]) -> str:
    del d["b"]
    it = reversed(d.values())
    return str(next(it)) + next(reversed(d), "none") + next(iter(d)) + str(list(reversed(d.keys()))) + str(list(it))

of_row("generators")

@program("iterators: two made in one statement", ([1, 2, 3],), ([],))
def two_at_once(xs: list[int]) -> list[tuple[int, int]]:
    a, b = iter(xs), iter(xs)
    next(b, None)
    n, it, s = 0, iter(xs), "a"
    for x in it:
        n += x
    return list(zip(a, b)) + [(n, len(s))]

@program("iterators: a view made before its dict is bound anew", ({"a": 1},))
def before_anew(d: dict[str, int]) -> tuple[list[str], int]:
    d, keys = {"x": 5, "y": 6}, d.keys()
    return list(keys), len(d)

def neighbours(xs: Iterable[int]):
    it = iter(xs)
    before = next(it, None)
    if before is None:
        return
    for x in it:
        yield before + x
        before = x

@program("iterators: a generator that returns early leaves its variables", ([1, 2, 3],), ([1],), ([],))
def early(xs: list[int]) -> list[int]:
    return [v for v in neighbours(xs)] + list(neighbours(xs[::-1]))


of_row("identity")


@program("iterators that a walrus names are read where they are named", (3,), (0,))
def named_where_read(x: int) -> list[int]:
    sums = list(running := itertools.accumulate([1, 2, x]))
    grown = sum(more := map(lambda v: v + 1, [x, x]))
    ordered = sorted(squares := (v * v for v in [3, x]))
    return sums + list(running) + [grown] + list(more) + ordered + list(squares)


@program("the rest of an iterator that a walrus named in a condition", (3,), (-1,))
def rest_of_named(x: int) -> list[int]:
    if (first := next(kept := iter([x, 2, 5]))) > 0:
        return [first, *kept]
    return [len(list(kept))]


of_row("builtins")


class Halves:
    def __init__(self, start: int):
        self.start = start

    def __getitem__(self, place: int) -> int:
        if place > self.start:
            raise StopIteration
        return self.start >> place


def counted_down(n: int):
    while n:
        yield n
        n -= 1


def flattened(parts) -> list[int]:
    if isinstance(parts, (Iterator, collections.abc.Generator)):
        parts = list(parts)
    return [len(parts), *parts]


@program("iterators, generators and views asked for their classes", (2,))
def asked_iterators(n: int) -> list[bool]:
    kept, pairs, made, table = iter([n]), zip([n]), counted_down(n), {n: 1}
    first = [isinstance(kept, Iterator), isinstance(kept, Iterable), isinstance(kept, (list, collections.abc.Sequence))]
    second = [isinstance(pairs, zip), isinstance(pairs, map), isinstance(enumerate([]), (list, enumerate))]
    third = [isinstance(made, collections.abc.Generator), isinstance((x for x in [n]), Iterator), isinstance(made, list)]
    views = [isinstance(table.keys(), collections.abc.KeysView), isinstance(table.items(), collections.abc.Sized)]
    return [*first, *second, *third, *views, isinstance(table.values(), Iterator)]


@program("an argument that is a list or an iterator is made a list", (2,))
def made_lists(n: int) -> list[list[int]]:
    return [flattened([n]), flattened(counted_down(n)), flattened(x * n for x in range(n)), flattened(iter([n, n]))]


@program("indices from 0 on until StopIteration", (5,), (0,))
def by_index(n: int) -> tuple[list[int], bool, int]:
    return list(Halves(n)), 1 in Halves(n), sum(x for x in Halves(n))


def nth(items, place, default=None):
    return next(itertools.islice(items, place, None), default)


@program("the first item of a slice of whatever was given", (3,), (12,))
def nth_of(n: int) -> tuple[int | None, str | int, str]:
    numbers = range(10)
    return nth(numbers, n), nth([1, 2], n, "none"), nth("letters", n, "?")
