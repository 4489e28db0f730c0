"""Calls whose number of arguments, or whose keywords, are known at run time only; `**kwargs` that are changed; functions
that call themselves with functions; decorators in functions; caches; `iter` with a sentinel; names of functions."""
# ruff: noqa
from __future__ import annotations

import functools
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Callable, Dict, List, NamedTuple, Optional, Tuple, Union

from language_rows import of_row
from oracle import program

of_row("calls")


class Pair(NamedTuple):
    x: int
    y: int = 5


@dataclass
class Box:
    name: str
    w: int = 1
    h: int = 2

    def area(self, k: int = 1, *, d: int = 0) -> int:
        return self.w * self.h * k + d


class Point:
    def __init__(self, x: float, y: float) -> None:
        self.x = x
        self.y = y

    def moved(self, dx: float, dy: float) -> "Point":
        return Point(self.x + dx, self.y + dy)


def volume(w: int, h: int, d: int = 1) -> int:
    return w * h * d


def nothing() -> int:
    return 1


def only_keyword(*, k: int = 1) -> int:
    return k


@program("a list spread into parameters with a default", ([[3, 4], [1, 2, 3]],), ([[1]],), ([[]],), ([[1, 2, 3, 4]],), ([],))
def spread_rows(rows: List[List[int]]) -> List[int]:
    return [volume(*r) for r in rows]


@program("a list spread between arguments, and twice", ([5],), ([5, 6],), ([],), ([1, 2, 3],))
def spread_between(xs: List[int]) -> Tuple[int, List[int]]:
    out = []
    for n in (0, 1):
        try:
            out.append(volume(n, *xs, 9) if n else volume(*xs, *xs))
        except TypeError as e:
            print(e)
    return volume(1, *xs), out


@program("a list spread into a constructor and a method", ([[1.0, 2.0], [0.5, 0.5]], [1.0, 1.0]), ([[1.0]], [1.0, 1.0]), ([[1.0, 2.0]], [1.0]), ([], [1.0]))
def spread_method(coords: List[List[float]], by: List[float]) -> List[float]:
    return [Point(*c).moved(*by).x for c in coords]


@program("a list spread into a named tuple", ([[1, 2], [3]],), ([[]],), ([[1, 2, 3]],))
def spread_named_tuple(rows: List[List[int]]) -> List[Pair]:
    return [Pair(*r) for r in reversed(rows)]


@program("a dict spread into a dataclass, a list into a method with a keyword", ({"w": 3}, [2]), ({}, []), ({"w": 3, "h": 4}, [1, 2]), ({"q": 1}, []), ({"name": 1}, []))
def spread_dataclass(d: Dict[str, int], xs: List[int]) -> int:
    c = Box("a", **d)
    return c.area(*xs, d=3) + c.w


@program("a spread into functions of a function names them as CPython", ([1, 2], "f"), ([1], "f"), ([], "f"), ([1, 2, 3], "f"), ([1, 2, 3], "c"), ([1], "b"), ([1, 2], "b"), ([], "b"), ([5], "g"), ([5, 6], "g"), ([], "g"), ([1, 2, 3], "g"))
def spread_nested(xs: List[int], k: str) -> int:
    base = 10

    def f(a: int, b: int, *, c: int = 1) -> int:
        return a * b + c + base

    g = lambda a, b=3: a - b
    if k == "f":
        return f(*xs)
    if k == "c":
        return f(*xs, c=2)
    if k == "b":
        return f(*xs, b=2)
    return g(*xs)


def with_rest(a: int, b: int = 7, *rest: int) -> str:
    return f"{a} {b} {rest}"


@program("a list spread into parameters and what is left over", ([1, 2, 3],), ([1],), ([],))
def spread_rest(xs: List[int]) -> List[str]:
    return [with_rest(0, *xs), with_rest(0, 0, *xs), with_rest(*xs, 8, *xs), with_rest(*xs)]


def named(name: str, n: int = 2) -> str:
    return name * n


@program("a dict of several types spread: each entry at its parameter's type", ({"name": "a"},), ({"name": "ab", "n": 3},), ({"n": 3},), ({},), ({"name": "x", "m": 1},))
def spread_union(d: Dict[str, Union[int, str]]) -> str:
    return named(**d)


def five(a: int, b: int, c: int, *, d: int, e: int) -> int:
    return a + b + c + d + e


FIVE = {"a": 1, "b": 2, "c": 3, "d": 4, "e": 5}


@program("the sentence for what a spread dict lacks, or has too often", ({"b": 1}, 0), ({}, 1), ({"a": 1, "b": 2, "c": 3}, 0), ({"a": 1, "b": 2, "c": 3, "d": 4}, 0), (FIVE, 0), (FIVE, 1), ({"zz": 1}, 2))
def spread_lacks(d: Dict[str, int], n: int) -> int:
    if n == 1:
        return five(1, **d)
    return five(e=1, **d) if n == 2 else five(**d)


def pairs_of(a: int, b: int):
    yield a
    yield b


@program("a list spread into a generator function, consumed at once and kept", ([1, 2],), ([1],), ([],))
def spread_generator(xs: List[int]) -> List[int]:
    kept = pairs_of(*xs)
    return [y for y in pairs_of(*xs)] + list(kept)


def three(a, b, c):
    return f"{a}{b}{c}"


@program("texts, dicts, views, ranges, sets and generators spread into parameters", ("abc", {"a": 1, "b": 2, "c": 3}, "x,yy,z"), ("ab", {}, ""))
def spread_iterables(s: str, d: Dict[str, int], line: str) -> List[str]:
    return [three(*s), three(*d), three(*d.values()), three(*line.split(",")), three(*(i * i for i in range(3))),
            three(*range(3)), three(*map(len, line.split(","))), three(*sorted({3, 1, 2}))]


def logged(s: str, xs: List[int]) -> int:
    print(s, xs)
    xs.append(len(xs))
    return len(xs)


def four(a: int, b: int, c: int = 0, d: int = 0) -> List[int]:
    return [a, b, c, d]


@program("what is spread is taken before later arguments change it, and checked after all", ([1, 2],), ([1],), ([],), ([1, 2, 3],))
def spread_order(xs: List[int]) -> List[int]:
    return four(*xs, logged("x", xs), d=logged("y", xs))


def plus(a: int, b: int) -> int:
    return a + b


@program("a list spread into functions chosen at run time", ([("add", [1, 2]), ("vol", [1, 2, 3]), ("max", [4])],), ([("add", [1])],), ([("max", [1, 2, 3])],), ([("max", [])],))
def spread_stored(ops: List[Tuple[str, List[int]]]) -> List[int]:
    table: Dict[str, Callable] = {"add": plus, "vol": volume, "max": lambda a, b=1: max(a, b)}
    return [table[n](*xs) for n, xs in ops]


@program("a list spread into functions without positional parameters", ([],), ([1],), ([1, 2],))
def spread_nothing(xs: List[int]) -> int:
    try:
        return nothing(*xs) + only_keyword(*xs)
    except TypeError as e:
        print(e)
        return only_keyword(*xs, k=3)


def greeted(name: str, punct: str = "!") -> str:
    return name + punct


@program("an argument by position whose name a spread dict has", ({},), ({"punct": "?"},), ({"name": "?"},), ({"foo": "?"},))
def spread_twice(d: Dict[str, str]) -> str:
    return greeted("x", **d)


def clipped(x: float, lo: Optional[float] = None, hi: Optional[float] = None) -> float:
    if lo is not None and x < lo:
        return lo
    return hi if hi is not None and x > hi else x


@program("a spread fills Optional parameters as far as it goes", (5.0, [1.0, 2.0], {"hi": 3.0}), (0.0, [1.0], {"lo": 3.0}), (0.0, [], {}), (1.0, [1.0, 2.0, 3.0], {}))
def spread_optional(x: float, bounds: List[float], kw: Dict[str, float]) -> List[float]:
    return [clipped(x, *bounds), clipped(x, **kw)]


def depth(*xs: int) -> int:
    return 1 + depth(*xs[1:]) if xs else 0


def first_and(first: int, *rest: int) -> int:
    return first + first_and(*rest) if rest else first


@program("functions that spread what is left over into themselves", ([1, 2, 3],), ([7],), ([],))
def spread_recursive(xs: List[int]) -> int:
    return depth(*xs) * 100 + first_and(*xs)


@program("max and min of a list that '*' spreads", ([1, 5, 3], [4.5, -2.0]), ([1, 2], []), ([7], [1.0]), ([], [1.0]))
def spread_extremes(xs: List[int], ys: List[float]) -> Tuple[int, float]:
    return max(*xs), min(0.0, *ys, 7.5)


def based(x: int, scale: int = 1, offset: int = 0) -> int:
    return x * scale + offset


def with_offset(x: int, **kw) -> int:
    kw.setdefault("offset", 5)
    return based(x, **kw)


def popped(x: int, **opts) -> int:
    s = opts.pop("scale", 10)
    if opts:
        raise TypeError(f"unexpected: {sorted(opts)}")
    return x * s


def counted(**kw) -> Dict[str, int]:
    kw["n"] = len(kw)
    return kw


@program("keyword arguments that are changed: setdefault, pop, assignment", (2,), (0,), (-1,))
def keywords_changed(x: int) -> List[str]:
    first = [with_offset(x), with_offset(x, scale=2), with_offset(x, scale=3, offset=1), popped(x), popped(x, scale=2)]
    if x < 0:
        popped(x, foo=1, bar=2)
    return [str(first), str(counted()), str(counted(q=5))]


def traced(f):
    @functools.wraps(f)
    def wrapper(*args, **kwargs):
        print(f"called{args} {kwargs}")
        result = f(*args, **kwargs)
        print(args, kwargs, result, sep="|")
        return result

    return wrapper


@traced
def added(a: int, b: int = 2) -> int:
    return a + b


@program("a decorator that prints all arguments of what it wraps", (2,), (0,))
def keywords_printed(x: int) -> int:
    return added(x) + added(x, b=3) + added(a=1, b=x)


@program("keyword arguments kept in a list", (2,), (0,))
def keywords_kept(n: int) -> List[Dict[str, int]]:
    log: List[Dict[str, int]] = []

    def record(**fields: int) -> None:
        log.append(fields)

    for i in range(n):
        record(i=i, sq=i * i)
    record()
    return log


class Twig:
    def __init__(self, v: int, kids: "List[Twig]"):
        self.v = v
        self.kids = kids


def visited(n: Twig, f: Callable[[int], None]) -> None:
    f(n.v)
    for k in n.kids:
        visited(k, f)


def weighed(n: Twig, key) -> int:
    return key(n.v) + sum(weighed(k, key) for k in n.kids)


@program("functions with variables, handed on by functions that call themselves", (2,), (0,))
def handed_on(k: int) -> Tuple[List[int], int, int]:
    t = Twig(1, [Twig(2, [Twig(3, [])]), Twig(4, [])])
    out: List[int] = []
    visited(t, out.append)
    visited(t, lambda v: out.append(v * k))
    count = 0

    def inc(v: int) -> None:
        nonlocal count
        count += v

    visited(t, inc)
    return out, weighed(t, lambda v: v * k), count


@program("a nested function that hands a key on to itself", ([3, 1, 2], -1), ([], 2))
def handed_nested(xs: List[int], k: int) -> List[int]:
    def quick(v: List[int], key) -> List[int]:
        if len(v) <= 1:
            return v
        low = [x for x in v[1:] if key(x) < key(v[0])]
        return quick(low, key) + [v[0]] + quick([x for x in v[1:] if key(x) >= key(v[0])], key)

    return quick(xs, lambda x: x * k) + quick(xs, lambda x: -x)


@program("decorators of functions in functions", ([1, 2],), ([],))
def decorated_inside(xs: List[int]) -> List[int]:
    def twice(f):
        def w(x: int) -> int:
            return f(f(x))

        return w

    @twice
    def inc(x: int) -> int:
        return x + 1

    @twice
    @twice
    def dbl(x: int) -> int:
        return x * 2

    return [inc(x) for x in xs] + [dbl(x) for x in xs]


@program("a decorator with a dict in a function, over a recursive function", (10,), (50,), (0,))
def memoized_inside(n: int) -> Tuple[int, int]:
    calls = 0

    def memo(f):
        known = {}

        def w(k: int) -> int:
            if k not in known:
                known[k] = f(k)
            return known[k]

        return w

    @memo
    def fib(k: int) -> int:
        nonlocal calls
        calls += 1
        return k if k < 2 else fib(k - 1) + fib(k - 2)

    return fib(n), calls


@program("wraps() of a wrapper in a function", ([1, 2],), ([],))
def wraps_inside(xs: List[int]) -> List[str]:
    def shout(f):
        @functools.wraps(f)
        def w(x: int) -> str:
            return f.__name__ + f(x).upper()

        return w

    @shout
    def name(x: int) -> str:
        return f"n{x}"

    return [name(x) for x in xs] + [name.__name__]


@program("lru_cache of a function in a function, of two arguments", ("kitten", "sitting"), ("", "abc"))
def cached_inside(s: str, t: str) -> int:
    @lru_cache(None)
    def dist(i: int, j: int) -> int:
        if i == len(s):
            return len(t) - j
        if j == len(t):
            return len(s) - i
        if s[i] == t[j]:
            return dist(i + 1, j + 1)
        return 1 + min(dist(i + 1, j), dist(i, j + 1), dist(i + 1, j + 1))

    return dist(0, 0)


@program("a cache with a limit forgets what was asked for longest ago", (10, 2), (10, 3), (10, 4), (0, 1))
def cached_limit(n: int, m: int) -> Tuple[int, int]:
    calls = 0

    @functools.lru_cache(maxsize=2)
    def sq(k):
        nonlocal calls
        calls += 1
        return k * k

    t = 0
    for i in range(n):
        t += sq(i % m) + sq(0)
    return t, calls


@program("a cached function gives the same list again", (3,), (0,))
def cached_lists(n: int) -> Tuple[List[List[int]], bool]:
    @cache
    def parts(k: int, most: int = 3) -> List[List[int]]:
        if k == 0:
            return [[]]
        return [[j] + p for j in range(1, min(k, most) + 1) for p in parts(k - j, j)]

    parts(n).append([n])
    return parts(n), parts(n) is parts(n)


@lru_cache(maxsize=None)
def fibonacci(n: int) -> int:
    if n < 2:
        return n
    return fibonacci(n - 1) + fibonacci(n - 2)


@functools.lru_cache()
def lattice(r, c, m=7, *, k=1):
    if r == 0 or c == 0:
        return k
    return (lattice(r - 1, c, m, k=k) + lattice(r, c - 1)) % (1000 + m)


@cache
def checked(n: int) -> int:
    if n < 0:
        raise ValueError(f"negative {n}")
    return n


@program("cached functions outside the script", (10,), (40,), (0,), (-3,))
def cached_outside(n: int) -> List[int]:
    try:
        first = checked(n)
    except ValueError as e:
        print(e)
        first = checked(-n)
    return [first, fibonacci(first), fibonacci(n=3), lattice(first % 15, 14), max(map(fibonacci, range(6)))]


@program("iter() of a function and a sentinel", (["a", "b", "c"], "b"), (["a"], "z"), ([], "z"))
def iter_until(xs: List[str], stop: str) -> List[str]:
    it = iter(xs)
    found = list(iter(lambda: next(it), stop)) + list(it)
    k = 0

    def tick() -> int:
        nonlocal k
        k += 2
        return k

    for v in iter(tick, 10):
        found.append(str(v))
    kept = iter(tick, 16)
    return found + [str(next(kept)), str(next(kept, -1)), str(next(kept, -1))]


@program("iter() of a bound method and a sentinel", ([1, 0, 2, 3],), ([1, 2],))
def iter_pop(xs: List[int]) -> Tuple[List[int], List[int]]:
    got = list(iter(xs.pop, 0))
    return got, xs


class Runner:
    def run(self) -> str:
        return self.run.__name__


@program("__name__ and __qualname__ of functions and methods", (1,))
def names_of_functions(x: int) -> List[str]:
    def inner() -> int:
        return 1

    r = Runner()
    f = lambda: 3
    return [volume.__name__, inner.__name__, r.run(), r.run.__name__, f.__name__, inner.__qualname__, r.run.__qualname__]


def looked_up(i: int, table: List[int] = [10, 20, 30]) -> int:
    return table[i]


def priced(name: str, prices: Dict[str, float] = {"apple": 1.5, "pear": 2.0}) -> float:
    return prices.get(name, 0.5)


def is_known(x: int, known={1, 2}):
    return x in known


def grown(x: int, path: List[int] = []) -> List[int]:
    return path + [x]


class Options:
    def __init__(self, k: int, names: List[str] = ["a", "b"]) -> None:
        self.k = k
        self.count = len(names)

    def weighed(self, weights: List[int] = [1, 2]) -> int:
        return sum(w * self.k for w in weights)


@program("defaults that are lists, dicts and sets, and only read", (0, ["apple", "x"]), (2, ["pear"]), (3, [""]))
def mutable_defaults(i: int, names: List[str]) -> Tuple[List[int], float, bool]:
    options = Options(i)
    found = [options.weighed(), options.weighed([i]), options.count, looked_up(0, [5])]
    for _ in range(2):
        found += grown(i)
    return found + [looked_up(i)], sum(priced(n) for n in names), is_known(i)


def power(base: int, exp: int, mod: int = 0) -> int:
    r = base**exp if exp >= 0 else 0
    return r % mod if mod else r


square = functools.partial(power, exp=2)
two_to = functools.partial(power, 2)
square_of_seven = functools.partial(square, mod=7)
binary = functools.partial(int, base=2)
SHAPES = {"square": square, "cube": functools.partial(power, exp=3)}


@program("partials outside the script: called, mapped, in a dict, one of another", (3, ["square", "cube"]), (0, []), (1, ["zz"]))
def partials_outside(x: int, names: List[str]) -> List[int]:
    found = [square(x), two_to(5), two_to(exp=4), square_of_seven(x), square(x, mod=5), square(x, exp=1), binary("101")]
    return found + list(map(square, range(3))) + [SHAPES[name](x) for name in names]


def weigh(p, k=2):
    return p[0] * p[1] * k


@program("map over the pairs of zip and enumerate: each is one argument", ([1, 5], [4, 2]), ([], [1]))
def map_of_zip(a: List[int], b: List[int]) -> List[str]:
    out = [str(list(map(sum, zip(a, b)))), str(list(map(lambda p: p[0] - p[1], zip(a, b))))]
    out.append(str(list(map(weigh, zip(a, b)))))
    for t in map(tuple, zip(a, reversed(b))):
        out.append(str(t))
    kept = map(weigh, zip(a, a))
    out.append(f"{next(kept, None)} {list(map(len, zip(a, b, a)))} {list(map(max, a, b))}")
    list(map(print, zip(a, b)))
    return out + [str(list(map(lambda t: t[0] + t[1], enumerate(a))))]


class Shape:
    registry = ("circle", "square")

    def __init__(self, kind: str, size: float) -> None:
        self.kind = kind
        self.size = size

    @staticmethod
    def valid(kind: str) -> bool:
        return kind in Shape.registry

    @classmethod
    def parse(cls, text: str, *, default: float = 1.0) -> "Shape":
        kind, _, size = text.partition(":")
        if not cls.valid(kind):
            raise ValueError(f"bad kind {kind!r}")
        return cls(kind, float(size) if size else default)


@program("class methods in variables, and mapped", (["circle:2", "square"],), (["tri"],), ([],), (["circle:x"],))
def mapped_class_methods(texts: List[str]) -> List[str]:
    make = Shape.parse
    known = list(filter(Shape.valid, texts))
    return [f"{s.kind}={s.size}" for s in map(Shape.parse, texts)] + [make(t, default=9.0).kind for t in texts] + known


class Named:
    def __init__(self, name: str, size: int = 1, *, tag: str = "-") -> None:
        self.name = name
        self.size = size
        self.tag = tag

    def show(self, f) -> str:
        return f"{f(self.name)}{self.size}{self.tag}"


class Extra(Named):
    def __init__(self, *args, extra: int = 0, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        self.extra = extra

    def show(self, f) -> str:
        return super().show(f) + f"+{self.extra}"


@program("super() in methods that pass arguments on, and functions with variables", ("a", 2), ("", 0))
def super_passes_on(n: str, k: int) -> List[str]:
    every = [Extra(n), Extra(n, k, tag="!"), Extra(n, size=3, extra=k), Extra(name=n, tag="?")]
    return [each.show(lambda s: s * k) for each in every]
