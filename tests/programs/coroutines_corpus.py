"""Generators that are sent values, thrown exceptions, closed; that clean up; StopIteration in them."""

# ruff: noqa
from __future__ import annotations

import heapq
from contextlib import closing
from itertools import chain, product, zip_longest
from typing import Generator, Optional

from language_rows import of_row
from oracle import program

of_row("generators")


def averager():
    total = 0.0
    count = 0
    average = None
    while True:
        term = yield average
        total += term
        count += 1
        average = total / count


@program("send: a running average", ([10.0, 30.0, 5.0],), ([],))
def averages(xs: list[float]) -> list[Optional[float]]:
    avg = averager()
    next(avg)
    return [avg.send(x) for x in xs]


def counter(limit: int):
    n = 0
    while n < limit:
        jump = yield n
        if jump is None:
            n += 1
        else:
            n = jump


@program("a yield gives None to next and loops, and what is sent", (10,), (8,), (5,), (1,))
def jumps(limit: int) -> list[int]:
    c = counter(limit)
    out = [next(c), next(c)]
    out.append(c.send(7))
    for x in c:
        out.append(x)
    return out


def echo() -> Generator[str, str, int]:
    n = 0
    msg = yield "start"
    while msg != "stop":
        n += 1
        msg = yield msg.upper()
    return n


@program("the first question sends nothing: StopIteration has what the body returned", (["a", "stop", "c"],), (["x"],), ([],))
def echoes(words: list[str]) -> list[str]:
    g = echo()
    out = [next(g)]
    try:
        for w in words:
            out.append(g.send(w))
    except StopIteration as e:
        out.append(f"count {e.value}")
    return out


@program("sending to a generator that has not started", (0,), (1,), (2,))
def too_early(n: int) -> list[str]:
    g = echo()
    if n == 0:
        return [g.send("x")]
    if n == 1:
        return [g.send(None), g.send("y")]
    g.close()
    return [g.send("z")]


def maybe_value(n: int):
    yield n
    if n:
        return n * 2


@program("a result that is None or a value, in StopIteration", (0,), (4,))
def sometimes(n: int) -> str:
    g = maybe_value(n)
    out = str(next(g))
    try:
        next(g)
    except StopIteration as e:
        out += f" {e.args} {e.value}"
    try:
        next(g)
    except StopIteration as e:
        out += f" {e.args}"
    return out


def coroutine(f):
    def start(*args):
        g = f(*args)
        next(g)
        return g

    return start


@coroutine
def grep(pattern: str, out: list[str]):
    while True:
        line = yield
        if pattern in line:
            out.append(line)


@program("a decorator that starts a generator", (["abc", "xyz", "bcd"], "bc"), ([], ""))
def grepped(lines: list[str], pattern: str) -> list[str]:
    out: list[str] = []
    g = grep(pattern, out)
    for line in lines:
        g.send(line)
    g.close()
    return out


def tally():
    total = 0
    while True:
        x = yield
        if x is None:
            return total
        total += x


def gather(found: list[int]):
    while True:
        found.append((yield from tally()))


@program("yield from passes on what is sent", ([[0, 1, 2, 3], [4, 5]],), ([],), ([[]],))
def tallies(groups: list[list[int]]) -> list[int]:
    found: list[int] = []
    acc = gather(found)
    next(acc)
    for group in groups:
        for x in group:
            acc.send(x)
        acc.send(None)
    return found


def walk(tree):
    for x in tree:
        if isinstance(x, list):
            yield from walk(x)
        else:
            got = yield x
            if got is not None:
                print("got", got)


@program("yield from a generator that is a value passes on what is sent", (4,))
def deep(n: int) -> list[int]:
    g = walk([1, [2, [3, n]], 5])
    out = [next(g), g.send("a"), g.send("b")]
    out.extend(g)
    return out


def inner(log: list[str]):
    try:
        a = yield "a"
        b = yield "b"
        return [a, b]
    except ValueError:
        log.append("caught")
        return []
    finally:
        log.append("inner done")


def outer(log: list[str]):
    try:
        r = yield from inner(log)
        log.append(f"r={r}")
        yield "last"
    finally:
        log.append("outer done")


@program("send, throw, close and the end through yield from", (0,), (1,), (2,), (3,), (4,))
def through(mode: int) -> list[str]:
    log: list[str] = []
    g = outer(log)
    log.append(next(g))
    if mode == 0:
        log.append(g.send(1))
        log.append(g.send(2))
    elif mode == 1:
        log.append(g.throw(ValueError("x")))
    elif mode == 2:
        g.close()
    elif mode == 3:
        try:
            g.throw(KeyError)
        except KeyError as e:
            log.append(repr(e))
    log.append("ret")
    return log


def nested(log: list[str], depth: int):
    try:
        x = yield depth
        log.append(f"{depth}:{x}")
    except ValueError as e:
        log.append(f"{depth}!{e}")
    if depth:
        yield from nested(log, depth - 1)
    yield -depth


@program("what is thrown and sent reaches the innermost of recursive generators", (0,), (2,))
def innermost(n: int) -> tuple[list[int], list[str]]:
    log: list[str] = []
    g = nested(log, n)
    out = [next(g), g.send(7), g.throw(ValueError("v"))]
    out.append(next(g, 99))
    g.close()
    out.append(next(g, 100))
    return out, log


def catching(n: int):
    try:
        for i in range(n):
            yield i
    except ValueError as e:
        yield -1
        print("caught", e)


@program("throw: caught at the yield, or not", (3,), (1,), (0,))
def thrown(n: int) -> list[int]:
    g = catching(n)
    out = [next(g)]
    out.append(g.throw(ValueError("bad")))
    out.extend(g)
    return out


@program("throw at a generator that has not started or has ended", (0,), (1,))
def thrown_outside(n: int) -> list[str]:
    out: list[str] = []
    g = catching(2)
    if n:
        out.append(str(list(g)))
    for _ in range(2):
        try:
            g.throw(ValueError(n))
        except ValueError as e:
            out.append(f"{e} {next(g, None)}")
    return out


def resilient(n: int):
    while True:
        try:
            x = yield n
            print("x", x)
            n += 1
        except ValueError as e:
            print("value", e)
        except Exception as e:
            print("other", type(e).__name__)
            n = 100


@program("except Exception does not see that a generator is closed", (1,))
def resumed(k: int) -> tuple[int, int, int, int, str]:
    g = resilient(k)
    a = next(g)
    b = g.throw(RuntimeError("boo"))
    c = g.throw(ValueError("v"))
    d = next(g)
    g.close()
    return a, b, c, d, str(next(g, "closed"))


def stubborn(n: int):
    while n:
        try:
            yield n
        except GeneratorExit:
            print("exit")
            n -= 1


@program("a generator that ignores GeneratorExit, and one that ends by it", (1,), (2,))
def ignored(n: int) -> list[int]:
    g = stubborn(n)
    out = [next(g)]
    try:
        g.close()
    except RuntimeError as e:
        print("error", e)
    return [*out, next(g, -1)]


def opened(log: list[str], name: str):
    log.append("open " + name)
    try:
        for i in range(5):
            yield i
    finally:
        log.append("close " + name)


@program("generators that clean up end where the function does", (0, []), (1, []), (2, []), (9, []))
def cleaned(n: int, log: list[str]) -> list[int]:
    a = opened(log, "a")
    b = opened(log, "b")
    for x in a:
        if x >= n:
            break
    log.append("mid")
    next(b)
    if n == 2:
        raise ValueError("two")
    return [next(b) for _ in range(n)]


@program("a generator that cleans up, closed by hand", (0,), (2,), (5,), (6,))
def closed(n: int) -> tuple[list[int], list[str]]:
    log: list[str] = []
    g = opened(log, "g")
    out: list[int] = []
    for _ in range(n):
        out.append(next(g))
    g.close()
    log.append("end")
    return out, log


@program("closing a generator that cleans up", (0, []), (3, []))
def closing_one(k: int, log: list[str]) -> int:
    with closing(opened(log, "c")) as g:
        for x in g:
            if x > k:
                break
        log.append("in")
    log.append("out")
    return x


class Tracked:
    def __init__(self, log: list[str]) -> None:
        self.log = log

    def __enter__(self) -> "Tracked":
        self.log.append("enter")
        return self

    def __exit__(self, kind, error, trace) -> bool:
        self.log.append("exit " + ("None" if kind is None else kind.__name__))
        return False


def rows(log: list[str], n: int):
    with Tracked(log):
        for i in range(n):
            yield i


def total_of(g) -> int:
    return next(g, -5) + sum(g)


@program("a generator with a with statement, passed to a function", (0,), (1,), (3,))
def tracked(n: int) -> tuple[int, list[str]]:
    log: list[str] = []
    it = rows(log, n)
    total = total_of(it)
    second = rows(log, 2)
    log.append(str(next(second)))
    return total + next(it, -100), log


def tenfold(log: list[str]):
    for x in opened(log, "t"):
        yield x * 10


@program("a generator that walks through one that cleans up", (0, []), (1, []))
def walked(n: int, log: list[str]) -> list[int]:
    g = tenfold(log)
    out = [next(g), next(g)]
    if n:
        g.close()
    log.append("end")
    return out


def expressions():
    x = yield 1
    print("x =", x)
    print("sum", (yield 2) + (yield 3))
    return [0, (yield 4), f"{(yield 5)}!"]


@program("yields in the middle of expressions", (1,))
def in_the_middle(n: int):
    g = expressions()
    print(next(g))
    for v in [10, 20, 30, n]:
        print(g.send(v))
    try:
        g.send(40)
    except StopIteration as e:
        return str(e.value)
    return ""


def taken(n: int):
    it = iter(range(n))
    while True:
        yield next(it)


@program("StopIteration from next in a generator", (0,), (3,))
def took(n: int) -> list[int]:
    return [x + n for x in taken(n)]


def couples(xs: list[int], log: list[str]):
    it = iter(xs)
    try:
        for a in it:
            yield a, next(it)
    finally:
        log.append("end")


@program("StopIteration in a generator that cleans up, and in the loop over it", ([1, 2, 3, 4], []), ([1, 2, 3], []), ([9, 2], []))
def coupled(xs: list[int], log: list[str]) -> int:
    total = 0
    for a, b in couples(xs, log):
        if a == 9:
            raise StopIteration(a)
        total += a * b
    return total


class Reader:
    def __init__(self, xs: list[int]) -> None:
        self.it = iter(xs)

    def take(self) -> int:
        return next(self.it)

    def pairs(self):
        while True:
            yield self.take(), self.take()


@program("StopIteration from a method that a generator calls", ([1, 2, 3],), ([],))
def read(xs: list[int]) -> list[tuple[int, int]]:
    out: list[tuple[int, int]] = []
    try:
        for p in Reader(xs).pairs():
            out.append(p)
    except RuntimeError as e:
        print(out, e, repr(e.__cause__))
    return out


class Steps:
    def __init__(self, n: int) -> None:
        self.n = n

    def __iter__(self) -> "Steps":
        return self

    def __next__(self) -> int:
        if self.n <= 0:
            raise StopIteration
        self.n -= 1
        return self.n


@program("iter of an iterator is the iterator", (2,))
def same(n: int) -> tuple[bool, bool, bool, bool, bool, int]:
    it = Steps(n)
    g = (x for x in [1])
    z = iter([1, 2])
    again = iter(it)
    return again is it, iter(g) is g, iter(z) is z, it is not g, g is z, next(again) + next(it)


of_row("comprehensions")


def mixed(n: int):
    yield 1
    yield None
    if n:
        yield "a"


@program("containers of what a generator of several types gives", (0,), (1,))
def collected(n: int) -> tuple[str, str, str, str, str]:
    pairs = dict(zip("abc", mixed(n)))
    return str(list(mixed(n))), str([x for x in mixed(n)]), str({i: x for i, x in enumerate(mixed(n))}), str(pairs), (
        str([*mixed(n)]))


@program("containers of the items of one of several containers", (0,), (1,))
def either(n: int) -> tuple[str, ...]:
    u = [1, 2] if n else "abc"
    return str([*u]), str([x for x in u]), str(list(zip(u, u))), str(sorted(u)), str({x: 1 for x in u}), str(tuple(u))


@program("columns of different types in a list", (3,))
def columns(n: int) -> str:
    table = [(1, "a", 2.0), (n, "b", 3.5)]
    return f"{list(zip(*table))} {[list(c) for c in zip(*table)]}"


@program("columns, or empty ones", ([],), ([(1, 2.0), (3, 4.5)],))
def columns_or_none(pairs: list[tuple[int, float]]) -> str:
    xs, ys = zip(*pairs) if pairs else ([], ())
    return f"{sum(xs)} {list(ys)} {len(xs)} {xs} {ys}"


of_row("generators")


@program("functions of itertools with starred arguments", ([[1, 2], [3]],), ([],))
def starred(v: list[list[int]]) -> str:
    return f"{list(chain([0], *v))} {list(zip_longest(*v, fillvalue=0))} {list(product(*v))} {list(chain(*v, *v))}"


def grouper(xs: list[int], n: int):
    args = [iter(xs)] * n
    return zip_longest(*args, fillvalue=None)


@program("the grouper recipe", ([1, 2, 3], 2), ([], 2), ([1, 2], 1))
def grouped(xs: list[int], n: int) -> str:
    return str(list(grouper(xs, n)))


@program("heapq.merge", ([1, 4], [2, 3]), ([], []), ([], [5]))
def merged(a: list[int], b: list[int]) -> tuple[list[int], list[int], list[int]]:
    backwards = list(heapq.merge(a[::-1], b[::-1], reverse=True))
    return list(heapq.merge(a, b)), [x for x in heapq.merge(a, b, [2, 9], key=lambda x: x // 2)], backwards


of_row("functions in functions")


def memoized(f):
    cache = {}

    def wrapper(*args):
        if args in cache:
            return cache[args]
        result = f(*args)
        cache[args] = result
        return result

    return wrapper


@memoized
def binomial(n: int, k: int) -> int:
    return 1 if k == 0 or k == n else binomial(n - 1, k - 1) + binomial(n - 1, k)


@program("a function outside with a decorator that keeps its results", (20, 10), (3, 0))
def chosen(n: int, k: int) -> int:
    return binomial(n, k) + binomial(n, 0)


def remembering(f):
    known = {}

    def wrapper(n):
        if n not in known:
            known[n] = f(n)
        return known[n]

    return wrapper


@remembering
def fibonacci(n: int) -> int:
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


@program("the same with one argument", (40,), (0,))
def numbered(n: int) -> list[int]:
    return [fibonacci(n), fibonacci(n // 2)]


def makes_total():
    acc = []

    def push(x):
        acc.append(x)
        return len(acc)

    def total():
        return sum(acc)

    return push, total


@program("a captured list takes other numbers later", (3,), (0,))
def totals(n: int) -> tuple[float, float]:
    push, total = makes_total()
    push2, total2 = makes_total()
    for i in range(n):
        push(i)
        push2(i / 2)
    return total() + 0.0, total2() + 0.0


class Hooks:
    def __init__(self) -> None:
        self.hooks = []

    def add(self, f):
        self.hooks.append(f)
        return f

    def run(self, x):
        return [h(x) for h in self.hooks]


@program("a method that gives a function which nothing uses", (3,))
def hooked(n: int) -> str:
    a = Hooks()
    seen = []

    def rec(x):
        seen.append(x)
        return x * 2

    a.add(rec)
    a.add(lambda x: x + 0.5)
    r = a.run(n)
    rec(0.25)
    return f"{r} {seen}"


of_row("try")


def retry(times):
    def deco(f):
        def wrapper(*args):
            last = None
            for i in range(times):
                try:
                    return f(*args)
                except ValueError as e:
                    last = e
            raise last

        return wrapper

    return deco


@program("raising a variable that held None first", (1, 3), (3, 3), (5, 3), (1, 0))
def retried(n: int, times: int) -> tuple[int, list[int]]:
    tries: list[int] = []

    @retry(times)
    def flaky(k: int) -> int:
        tries.append(k)
        if len(tries) < k:
            raise ValueError("no")
        return len(tries)

    return flaky(n), tries
