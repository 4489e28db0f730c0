"""Functions as values: in containers, attributes and variables, passed on and returned; what they share with the
functions around them; containers of constants and functions outside."""

# ruff: noqa
from __future__ import annotations

import math
from dataclasses import dataclass
from functools import reduce
import tsm
from tsm import Tensor, nn
from typing import Callable, Dict, List, Optional

from language_rows import of_row
from oracle import T, program

of_row("functions as values")

@program("stored functions: calls in the loop var", ())
def late() -> list[int]:
    fs = [lambda: i for i in range(3)]
    return [f() for f in fs]

def add(a: int, b: int) -> int:
    return a + b
def mul(a: int, b: int) -> int:
    return a * b

@program("stored functions: dispatch", ("add", 2, 3), ("mul", 2, 3), ("x", 1, 2))
def dispatch(name: str, a: int, b: int) -> int:
    table = {"add": add, "mul": mul, "sub": lambda x, y: x - y}
    return table[name](a, b)

@program("stored functions: by if", (1,), (-1,))
def chosen(x: int) -> int:
    if x > 0:
        f = lambda v: v + x
    else:
        f = lambda v: v * 100
    return f(3)

@program("stored functions: tern", (1,), (-1,))
def tern(x: int) -> int:
    f = add if x > 0 else mul
    return f(x, 7)

@program("stored functions: for capture", (3,))
def forcap(n: int) -> list[int]:
    fs = []
    for i in range(n):
        fs.append(lambda: i * 10)
    return [f() for f in fs]

@program("stored functions: default capture", (3,))
def defcap(n: int) -> list[int]:
    fs = []
    for i in range(n):
        fs.append(lambda i=i: i * 10)
    return [f() for f in fs] + [f(5) for f in fs]

def make_counter(start):
    n = start
    def inc(by=1):
        nonlocal n
        n += by
        return n
    return inc

@program("stored functions: counters", (3,))
def counters(k: int) -> list[int]:
    cs = [make_counter(1), make_counter(100)]
    out = []
    for c in cs:
        out.append(c())
        out.append(c(k))
    for c in cs:
        out.append(c())
    return out

@program("stored functions: counters in loop", (3,))
def counters2(k: int) -> list[int]:
    cs = []
    for i in range(k):
        cs.append(make_counter(i))
    out = []
    for c in cs:
        out.append(c())
        out.append(c(10))
    return out

@program("stored functions: append different", (3,))
def appdiff(k: int) -> list[int]:
    fs: list[Callable[[int], int]] = []
    fs.append(lambda x: x + k)
    fs.append(lambda x: x * k)
    fs.append(abs)
    return [f(-5) for f in fs]

def compose(f, g):
    return lambda x: f(g(x))

@program("stored functions: compose list", (3,))
def comps(k: int) -> list[int]:
    inc = lambda x: x + 1
    dbl = lambda x: x * 2
    fs = [compose(inc, dbl), compose(dbl, inc), inc]
    return [f(k) for f in fs]

class Btn:
    def __init__(self, f, n: int):
        self.f = f
        self.n = n
    def press(self, x: int) -> int:
        return self.f(x) + self.n

@program("stored functions: attr", (3,))
def attr(k: int) -> int:
    b = Btn(lambda x: x * k, 1)
    return b.press(4)

class Acc:
    def __init__(self, t: int):
        self.t = t
    def add(self, x: int) -> int:
        self.t += x
        return self.t
    def sub(self, x: int) -> int:
        self.t -= x
        return self.t

@program("stored functions: bound methods", (3,))
def bound(k: int) -> list[int]:
    a, b = Acc(0), Acc(100)
    ops = [a.add, b.sub, a.sub]
    return [op(k) for op in ops] + [a.t, b.t]

def apply_all(fs, x):
    return [f(x) for f in fs]

@program("stored functions: through helper", (3,))
def through(k: int) -> list[int]:
    return apply_all([lambda x: x + k, lambda x: x - k], 10)

def pick(name):
    if name == "a":
        return lambda x: x + 1
    return lambda x: x + 2

@program("stored functions: returned", ("a",), ("b",))
def returned(name: str) -> int:
    return pick(name)(10)

def table():
    return {"a": math.sqrt, "b": math.floor}

@program("stored functions: returned table", ("b",), ("a",))
def rtable(name: str):
    return table()[name](6.25)

@program("stored functions: optional", (1,), (0,))
def opt(x: int) -> int:
    f = None
    if x:
        f = lambda v: v + x
    if f is not None:
        return f(1)
    return -1

@program("stored functions: opt param", (1,), (0,))
def optparam(x: int) -> int:
    return run(x) + run(x, lambda v: v * 3)

def run(x: int, f: Optional[Callable[[int], int]] = None) -> int:
    if f is None:
        return x
    return f(x)

@program("stored functions: name", (1,), (0,))
def names(x: int) -> list[str]:
    fs = [add, mul]
    return [f.__name__ for f in fs]

@program("stored functions: identity", (1,), (0,))
def ident(x: int) -> list[bool]:
    fs = [add, mul]
    f = fs[x]
    return [f is add, f is mul, f == fs[0], f is fs[1], f is not add]

@program("stored functions: recursive in container", (5,))
def reccont(n: int) -> int:
    def fact(k):
        return 1 if k < 2 else k * fact(k - 1)
    fs = [fact]
    return fs[0](n)

@program("stored functions: recursive nonlocal", (5,))
def recnon(n: int) -> int:
    calls = 0
    def go(k: int) -> None:
        nonlocal calls
        calls += 1
        if k > 0:
            go(k - 1)
            go(k - 2)
    go(n)
    return calls

@program("stored functions: shared cell", (5,))
def shared(n: int) -> list[int]:
    x = n
    def get():
        return x
    def put(v):
        nonlocal x
        x = v
    fs = [get]
    ps = [put]
    out = [fs[0]()]
    ps[0](7)
    out.append(x)
    out.append(fs[0]())
    x = 9
    out.append(fs[0]())
    return out

@program("stored functions: tuple of functions", (5,))
def tup(n: int) -> list[int]:
    pair = (lambda: n, lambda: n + 1)
    a, b = pair
    return [a(), b(), pair[0](), pair[1]()]

@program("stored functions: dict of lists of functions", ("x",), ("y",), ("z",))
def listeners(k: str) -> list[int]:
    hs: dict[str, list[Callable[[int], int]]] = {}
    hs.setdefault("x", []).append(lambda v: v + 1)
    hs.setdefault("x", []).append(lambda v: v * 2)
    hs.setdefault("y", []).append(lambda v: -v)
    return [h(10) for h in hs[k]]

@program("stored functions: classes in table", (1,), (2,))
def classtable(n: int) -> str:
    makers = {1: Acc, 2: Sub}
    return makers[n](5).name()

class Sub:
    def __init__(self, t: int):
        self.t = t
    def name(self) -> str:
        return "sub"
Acc.name = lambda self: "acc"

@program("stored functions: while calls state machine", (5,))
def machine(n: int) -> list[str]:
    out = []
    def start(k):
        out.append("s")
        return k - 1
    def stop(k):
        out.append("e")
        return k - 2
    state = start
    while n > 0:
        n = state(n)
        if n % 2:
            state = stop
        else:
            state = start
    return out

@program("stored functions: functions sorted by", (2,))
def keyed(n: int) -> list[int]:
    keys = [lambda v: v, lambda v: -v, lambda v: v % 3]
    return sorted([5, 3, 9, 1], key=keys[n])

@program("stored functions: map with stored", (0,), (1,))
def mapped(n: int) -> list[int]:
    fs = [lambda v: v + 1, lambda v: v * v]
    return list(map(fs[n], [1, 2, 3])) + list(filter(fs[n], [-1, 0, 1]))

class Bus:
    def __init__(self) -> None:
        self.handlers: dict[str, list[Callable[[int], int]]] = {}
        self.last: Optional[Callable[[int], int]] = None
    def on(self, name: str, f: Callable[[int], int]) -> None:
        if name not in self.handlers:
            self.handlers[name] = []
        self.handlers[name].append(f)
        self.last = f
    def fire(self, name: str, x: int) -> list[int]:
        return [h(x) for h in self.handlers.get(name, [])]

@program("stored functions: bus", (2,))
def bus(k: int) -> list[int]:
    b = Bus()
    out = []
    b.on("a", lambda v: v + k)
    b.on("a", lambda v: v * k)
    b.on("b", abs)
    out += b.fire("a", 10) + b.fire("b", -4) + b.fire("c", 1)
    last = b.last
    if last is not None:
        out.append(last(-9))
    return out

@dataclass
class Rule:
    name: str
    test: Callable[[int], bool]
    apply: Callable[[int], int]

@program("stored functions: rules", (2,), (15,), (-4,))
def rules(k: int) -> list[str]:
    rs = [Rule("neg", lambda v: v < 0, lambda v: -v), Rule("big", lambda v: v > 10, lambda v: v - 10)]
    out = []
    for r in rs:
        if r.test(k):
            out.append(r.name + str(r.apply(k)))
    return out

def register(fs, f):
    fs.append(f)

@program("stored functions: register helper", (2,))
def reg(k: int) -> list[int]:
    fs = []
    register(fs, lambda v: v + k)
    register(fs, lambda v: v * 7)
    return [f(1) for f in fs]

class Btn2:
    def __init__(self, f: Callable[[int], int], n: int):
        self.f = f
        self.n = n
    def press(self, x: int) -> int:
        return self.f(x) + self.n

@program("stored functions: attr2", (3,))
def attr2(k: int) -> int:
    b = Btn2(lambda x: x * k, 1)
    c = Btn2(add1, 1)
    b2 = [b, c][k % 2]
    return b.press(4) + c.press(5) + b2.press(1)

def add1(x: int) -> int:
    return x + 1


@program("stored functions: param celled", (3,))
def pcell(n: int) -> list[int]:
    f = [lambda: n]
    n += 5
    g = [lambda: n]
    n *= 2
    return [f[0](), g[0](), n]

@program("stored functions: float widen", (3,))
def fw(n: int) -> list[float]:
    x = n
    f = [lambda: x + 0.5]
    x = 2.5
    return [f[0]()]

@program("stored functions: inner widen", (3,))
def iw(n: int) -> list[float]:
    x: float = n
    def put(v):
        nonlocal x
        x = v / 2
    f = [put]
    f[0](5)
    return [x]

@program("stored functions: over self", (3,))
def overself(n: int) -> list[int]:
    h = Holder(n)
    fs = h.all()
    h.v = 50
    return [f(1) for f in fs]

class Holder:
    def __init__(self, v: int) -> None:
        self.v = v
    def all(self):
        return [lambda x: x + self.v, self.plus, lambda x: self.plus(x) * 2]
    def plus(self, x: int) -> int:
        return x + self.v + 100

@program("stored functions: nested levels", (3,))
def nested(n: int) -> list[int]:
    def a(x):
        def b(y):
            def c(z):
                return x * 100 + y * 10 + z + n
            return c
        return b
    fs = [a(1)(2), a(3)(4)]
    n = 1000
    return [f(5) for f in fs]

@program("stored functions: try celled", (0,), (2,))
def trycell(n: int) -> list[int]:
    x = 1
    fs = [lambda: x]
    try:
        x = 10
        y = 10 // n
        x = y
    except ZeroDivisionError:
        x += 1
    return [fs[0](), x]

@program("stored functions: nested comps", (2,))
def nc(n: int) -> list[int]:
    fs = [[lambda: (i, j) for j in range(n)] for i in range(n)]
    out = []
    for row in fs:
        for f in row:
            a, b = f()
            out.append(a * 10 + b)
    return out

@program("stored functions: list of dict in comp", (3,))
def dcomp(n: int) -> list[int]:
    t = {k: (lambda v, k=k: v * k) for k in range(n)}
    u = {k: (lambda v: v * k) for k in range(n)}
    return [t[k](10) for k in t] + [u[k](10) for k in u]

@program("stored functions: bool of function", (1,), (0,))
def fb(n: int) -> list[bool]:
    f = None
    if n:
        f = lambda: 1
    return [bool(f), not f, f is None, callable(f)]

@program("stored functions: or default", (1,), (0,))
def orf(n: int) -> int:
    f = None
    if n:
        f = lambda v: v + 1
    g = f or (lambda v: v * 100)
    return g(2)

@program("stored functions: raises", (1,), (0,))
def raises(n: int) -> int:
    def a(v: int) -> int:
        raise ValueError("a" + str(v))
    def b(v: int) -> int:
        return 10 // v
    fs = [a, b]
    try:
        return fs[n](n - 1)
    except ValueError as e:
        return -1

@program("stored functions: wrong args", (1,), (0,))
def many(n: int) -> int:
    fs = [lambda a, b=2, *c, d=4, **e: a + b * 10 + len(c) * 100 + d * 1000, lambda a, *b, d=1, z=0: a + d]
    return fs[n](1) + fs[n](1, 2) + fs[n](1, 2, 3, d=5) + fs[n](*(7, 8), **{"z": 3})

@program("stored functions: callback as argument of stored", (1,), (0,))
def cba(n: int) -> int:
    ap = [lambda f, x: f(x), lambda f, x: f(f(x))]
    return ap[n](lambda v: v * 3 + n, 5) + ap[n](abs, -5)

@program("stored functions: stored returns stored", (1,), (0,))
def srs(n: int) -> int:
    mk = [lambda k: (lambda v: v + k), lambda k: (lambda v: v * k)]
    return mk[n](3)(10) + mk[1 - n](4)(10)

@program("stored functions: sorted functions by key", (1,))
def swap(n: int) -> list[int]:
    fs = [lambda: 3, lambda: 1, lambda: 2]
    fs.sort(key=lambda f: f())
    fs[0], fs[1] = fs[1], fs[0]
    fs.reverse()
    r = [f() for f in fs]
    g = fs.pop()
    return r + [g(), len(fs)]

@program("stored functions: recursive two", (6,))
def rec2(n: int) -> list[int]:
    seen = 0
    best = [0]
    def even(k):
        nonlocal seen
        seen += 1
        return True if k == 0 else odd(k - 1)
    def odd(k):
        nonlocal seen
        seen += 10
        return False if k == 0 else even(k - 1)
    a = even(n)
    return [int(a), seen]

@program("stored functions: memo", (20,))
def memo(n: int) -> int:
    cache: dict[int, int] = {}
    calls = 0
    def fib(k: int) -> int:
        nonlocal calls
        if k in cache:
            return cache[k]
        calls += 1
        r = k if k < 2 else fib(k - 1) + fib(k - 2)
        cache[k] = r
        return r
    return fib(n) * 1000 + calls

@program("stored functions: perms", (3,))
def perms(n: int) -> list[list[int]]:
    out: list[list[int]] = []
    cur: list[int] = []
    def go(used: int) -> None:
        if len(cur) == n:
            out.append(cur[:])
            return
        for i in range(n):
            if not used >> i & 1:
                cur.append(i)
                go(used | 1 << i)
                cur.pop()
    go(0)
    return out

@program("stored functions: loop held first", (3,))
def lhf(n: int) -> int:
    h = lambda: -1
    for k in range(n):
        f = lambda k=k: k
        if k == 0:
            h = f
    return h()

def mk(k):
    return lambda: k

@program("stored functions: loop held first2", (3,))
def lhf2(n: int) -> int:
    for k in range(n):
        f = mk(k)
        if k == 0:
            h = f
    return h()

@program("stored functions: method table of class", (3,))
def mtc(n: int) -> list[int]:
    v = VM()
    v.run([("push", n), ("push", 4), ("add", 0), ("dup", 0), ("mul", 0)])
    return v.stack

class VM:
    def __init__(self) -> None:
        self.stack: list[int] = []
    def push(self, a: int) -> None:
        self.stack.append(a)
    def add(self, a: int) -> None:
        self.stack.append(self.stack.pop() + self.stack.pop())
    def mul(self, a: int) -> None:
        self.stack.append(self.stack.pop() * self.stack.pop())
    def dup(self, a: int) -> None:
        self.stack.append(self.stack[-1])
    def run(self, code: list[tuple[str, int]]) -> None:
        ops = {"push": self.push, "add": self.add, "mul": self.mul, "dup": self.dup}
        for name, a in code:
            ops[name](a)

@program("stored functions: unpack in for", (3,))
def unp(n: int) -> list[str]:
    out = []
    for name, f in [("a", lambda v: v + 1), ("b", lambda v: v - 1)]:
        out.append(name + str(f(n)))
    for name, f in {"x": abs, "y": float}.items():
        out.append(name + str(f(-n)))
    return out

@program("stored functions: zip fs", (3,))
def zipfs(n: int) -> list[int]:
    fs = [abs, lambda v: v * v]
    return [f(x) for f, x in zip(fs, [-3, 4])] + [f(n) for i, f in enumerate(fs)]

@program("stored functions: function var in while", (5,))
def wl(n: int) -> int:
    f = lambda v: v - 1
    t = 0
    while n > 0:
        n = f(n)
        t += 1
        if n == 2:
            f = lambda v: v - 2
    return t

@program("stored functions: max key stored", (0,), (1,))
def mx(n: int) -> int:
    ks = (lambda v: v, lambda v: -v)
    return max([3, 1, 2], key=ks[n])

@program("stored functions: any all", (3,))
def preds(n: int) -> list[bool]:
    ps = [lambda v: v > 0, lambda v: v % 2 == 1, lambda v: v < 10]
    return [all(p(n) for p in ps), any(p(-n) for p in ps), sum(1 for p in ps if p(12)) == 1]

@program("stored functions: setattr callback with none", (3,))
def optcb(n: int) -> list[int]:
    log: list[int] = []
    t = Task(n)
    t.run()
    t.done = lambda v: log.append(v)
    t.run()
    return log

class Task:
    def __init__(self, n: int):
        self.n = n
        self.done: Optional[Callable[[int], None]] = None
    def run(self) -> None:
        if self.done is not None:
            self.done(self.n)

OPS = {"add": lambda a, b: a + b, "max": max, "neg": lambda a, b: -a}
NAMES = ["x", "y"]
STEPS = (lambda v: v + 1, abs)
WORDS = {1: "one", 2: "two"}
PRIMES = {2, 3, 5}

@program("stored functions: global table", ("add", 3), ("max", 3), ("zz", 1))
def gtable(k: str, n: int) -> int:
    if k not in OPS:
        return len(OPS)
    return OPS[k](n, 2)

@program("stored functions: global others", (1,), (2,), (7,))
def gothers(n: int) -> list[str]:
    out = [WORDS.get(n, "?"), NAMES[n % 2]]
    for k, v in WORDS.items():
        out.append(str(k) + v)
    for f in STEPS:
        out.append(str(f(-n)))
    out.append(str(STEPS[n % 2](-n)))
    out.append(str(n in PRIMES))
    out += [w for w in NAMES] + sorted(NAMES, reverse=True)
    return out

@program("stored functions: tuple index of different types", (0,), (1,), (-1,), (3,))
def tdiff(n: int) -> str:
    t = (1, 2.5, "x")
    return str(t[n])

@program("stored functions: append tuples with functions", (3,))
def apt(n: int) -> list[str]:
    fs = []
    fs.append(("a", lambda v: v + n))
    fs.append(("b", lambda v: v * n))
    return [name + str(f(2)) for name, f in fs]

@program("stored functions, shared variables: comprehension of closures in a loop", (3,))
def a1(n: int) -> list[int]:
    fs = []
    for k in range(n):
        fs += [lambda: i * 10 + k for i in range(2)]
        k += 100
    return [f() for f in fs]

def make(n):
    def get():
        return n
    def bump(d):
        nonlocal n
        n += d
        return n
    return get, bump

@program("stored functions, shared variables: pair of closures sharing", (3,))
def a2(k: int) -> list[int]:
    pairs = []
    for i in range(k):
        pairs.append(make(i))
    out = []
    for g, b in pairs:
        out.append(g())
        out.append(b(10))
        out.append(g())
    return out

@program("stored functions, shared variables: closure in try with reassign", (0,), (2,))
def a3(n: int) -> list[int]:
    fs = []
    v = 0
    for i in range(3):
        try:
            v = i
            fs.append(lambda: v)
            v = 10 // (n - i)
        except ZeroDivisionError:
            v = -1
            fs.append(lambda: v * 2)
        finally:
            v += 1000
    return [f() for f in fs] + [v]

@program("stored functions, shared variables: conditional capture before assignment", (1,), (0,))
def a4(n: int) -> int:
    x = 1
    fs = [lambda: x]
    if n:
        x = 5
    return fs[0]()

@program("stored functions, shared variables: while capture", (3,))
def a5(n: int) -> list[int]:
    fs = []
    while n > 0:
        fs.append(lambda: n)
        n -= 1
    return [f() for f in fs]

@program("stored functions, shared variables: lambda default and late var", (3,))
def a6(n: int) -> list[int]:
    out = []
    for a in range(2):
        for b in range(2):
            out.append(lambda x, a=a: x * 100 + a * 10 + b)
    return [f(n) for f in out]

@program("stored functions, shared variables: tuple target captured", (3,))
def a7(n: int) -> list[int]:
    fs = []
    for i, (j, k) in enumerate([(1, 2), (3, 4)]):
        fs.append(lambda: i + j * 10 + k * 100)
    return [f() for f in fs]

@program("stored functions, shared variables: nested comps with conditions", (3,))
def a8(n: int) -> list[int]:
    fs = [lambda y: x * y for x in range(n) if x != 1]
    gs = [(lambda f: lambda v: f(v) + 1)(f) for f in fs]
    return [f(2) for f in fs] + [g(3) for g in gs]

@program("stored functions, shared variables: function rebinding name", (3,))
def a9(n: int) -> list[int]:
    def f(v):
        return v + 1
    fs = [f]
    def f(v):
        return v * 100
    fs.append(f)
    g = f
    f = lambda v: -v
    fs.append(f)
    return [h(n) for h in fs] + [g(2), f(2)]

@program("stored functions, shared variables: stored recursion through list", (6,))
def a10(n: int) -> int:
    fs: list[Callable[[int], int]] = []
    def even(k: int) -> int:
        return 1 if k == 0 else fs[1](k - 1)
    def odd(k: int) -> int:
        return 0 if k == 0 else fs[0](k - 1)
    fs.append(even)
    fs.append(odd)
    return fs[0](n)

@program("stored functions, shared variables: callbacks mutate list captured", (3,))
def a11(n: int) -> list[int]:
    log: list[int] = []
    cbs = {"a": lambda v: log.append(v), "b": lambda v: log.insert(0, v)}
    for i in range(n):
        cbs["a" if i % 2 else "b"](i)
    log = [9]
    cbs["a"](7)
    return log

@program("stored functions, shared variables: walrus captured", (3,))
def a12(n: int) -> list[int]:
    fs = [(lambda: y) for x in range(n) if (y := x * x) >= 0]
    return [f() for f in fs] + [y]

@program("stored functions, shared variables: helper param reassigned after capture in loop", (3,))
def a13(n: int) -> list[int]:
    fs = []
    for i in range(n):
        fs.append(made_late(i))
    return [f() for f in fs]

def made_late(v):
    f = lambda: v
    v = v * 10
    return f

@program("stored functions, shared variables: optional chain of functions", (0,), (1,), (2,))
def a14(n: int) -> int:
    f: Optional[Callable[[int], int]] = None
    if n == 1:
        f = abs
    elif n == 2:
        f = lambda v: v * n
    return f(-5) if f else 0

@program("stored functions, shared variables: types differ between closures", (1,), (0,))
def a15(n: int) -> str:
    fs = [lambda v: v + 1, lambda v: str(v)]
    r = fs[n](5)
    if isinstance(r, str):
        return "s" + r
    return "i" + str(r * 2)

@program("stored functions, shared variables: match in stored", ("add", 2), ("neg", 3), ("zz", 1))
def a16(op: str, v: int) -> int:
    t: Dict[str, Callable[..., int]] = {"add": lambda a, b=1: a + b, "neg": lambda a: -a}
    f = t.get(op)
    if f is None:
        return 0
    return f(v)


@program("stored functions, shared variables: generator captured in closures", (3,))
def a18(n: int) -> list[int]:
    return [f() for f in gens(n)] + [f() for f in list(gens(n))]

def gens(n: int):
    for i in range(n):
        yield lambda: i

@program("stored functions, shared variables: iterator in try and loops", ([1, 2, 3, 4, 5],))
def a19(xs: list[int]) -> list[int]:
    it = iter(xs)
    out = []
    for i in range(4):
        try:
            a = next(it)
            b = next(it)
            out.append(a * 10 + b)
        except StopIteration:
            out.append(-1)
            a = 0
        out.append(a)
    return out

@program("stored functions, shared variables: iterator advanced in closure", ([1, 2, 3, 4, 5],))
def a20(xs: list[int]) -> list[int]:
    it = iter(xs)
    def two():
        return next(it) + next(it)
    return [two(), two(), next(it)]

@program("stored functions, shared variables: zip of generator and list via list", ([1, 2, 3],))
def a21(xs: list[int]) -> list[int]:
    z = zip(xs, range(10, 20))
    out = []
    for a, b in z:
        out.append(a * b)
        if a == 2:
            break
    return out + [a + b for a, b in z]

@program("stored functions, shared variables: sort with captured counter", ([3, 1, 2],))
def a22(xs: list[int]) -> list[int]:
    calls = 0
    def key(v):
        nonlocal calls
        calls += 1
        return -v
    ys = sorted(xs, key=key)
    return ys + [calls]

@program("stored functions, shared variables: stored closure changes loop variable used by loop", (5,))
def a23(n: int) -> list[int]:
    out = []
    i = 0
    def skip():
        nonlocal i
        i += 2
    fs = [skip]
    while i < n:
        out.append(i)
        if i == 1:
            fs[0]()
        i += 1
    return out

@program("stored functions, shared variables: nonlocal through two levels stored", (5,))
def a24(n: int) -> list[int]:
    total = 0
    def outer():
        count = 0
        def inner(v):
            nonlocal total, count
            total += v
            count += 1
            return count
        return inner
    fs = [outer(), outer()]
    r = [f(n) for f in fs for _ in range(2)]
    return r + [total]

@program("stored functions, shared variables: exception from stored in finally order", (0,), (1,))
def a25(n: int) -> list[str]:
    log: list[str] = []
    def bad():
        log.append("bad")
        raise ValueError("b")
    def good():
        log.append("good")
    fs = [good, bad]
    try:
        fs[n]()
        log.append("ok")
    except ValueError as e:
        log.append("caught " + str(e))
    finally:
        fs[0]()
    return log

def act(x: Tensor) -> Tensor:
    return x * 2

@program("stored functions: module with function attributes", (T([1.0, -2.0]),), torch=False)
class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.f = act
        self.g = tsm.relu
    def forward(self, x: Tensor) -> Tensor:
        fs = [self.f, self.g, self.h]
        for f in fs:
            x = f(x)
        return x
    def h(self, x: Tensor) -> Tensor:
        return x + 1

@program("stored functions: activation table", ("relu", T([1.0, -2.0])), ("tanh", T([1.0, -2.0])), torch=False)
def activation_table(name: str, x: Tensor) -> Tensor:
    acts: Dict[str, Callable[[Tensor], Tensor]] = {"relu": tsm.relu, "tanh": tsm.tanh, "id": lambda t: t}
    return acts[name](x)

ACTS = {"relu": tsm.relu, "gelu2": lambda x: x * tsm.sigmoid(1.7 * x)}

@program("stored functions: global activation table", ("relu", T([1.0, -2.0])), ("gelu2", T([1.0, -2.0])), torch=False)
def table2(name: str, x: Tensor) -> Tensor:
    return ACTS[name](x)

@program("stored functions: module list and functions", (T([1.0, -2.0]),), torch=False)
class Seq(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.a = nn.Linear(2, 2)
        self.acts = ["relu", "tanh"]
    def forward(self, x: Tensor) -> Tensor:
        for name in self.acts:
            x = ACTS2[name](self.a(x) * 0.0 + x)
        return x
ACTS2 = {"relu": tsm.relu, "tanh": tsm.tanh}


@program("stored functions whose own names are variables of the loops around their calls", ([1, 0, -1],), ([],))
def names_of_their_own(args: list[int]) -> list[str]:
    out: list[str] = []

    def plain(x: int) -> None:
        out.append(f"a{x}")

    def doubled(x: int) -> None:
        y = [z * 2 for z in (x, x + 1)]
        out.append(f"b{y}")

    handlers = [plain, doubled]
    for x in args:
        for y in handlers:
            y(x)
    for z in args:
        out.append(str(z))
    return out


of_row("functions as values")


def same(x):
    return x


def doubled(x):
    return x * 2


@program("functions are counted, looked for and removed", (0,), (1,), (2,))
def counted_functions(place: int) -> str:
    functions = [same, doubled, same]
    chosen = functions[place]
    out = [functions.count(same), chosen in functions, len in functions, chosen == same, chosen in [doubled]]
    functions.remove(same)
    try:
        functions.remove(chosen)
        functions.remove(abs)
    except ValueError as error:
        out.append(str(error))
    return f"{out} {[function(4) for function in functions]}"


class Button:
    def __init__(self, label: str):
        self.label = label
        self.listeners = []

    def subscribe(self, listener):
        if listener not in self.listeners:
            self.listeners.append(listener)

    def unsubscribe(self, listener):
        if listener in self.listeners:
            self.listeners.remove(listener)

    def click(self):
        for listener in self.listeners:
            listener(self.label)


class Lines:
    def __init__(self):
        self.lines = []

    def write(self, text):
        self.lines.append(text)


@program("bound methods of one object are equal, of two they are not", ())
def told() -> str:
    button, first, second = Button("ok"), Lines(), Lines()
    button.subscribe(first.write)
    button.subscribe(first.write)
    button.subscribe(second.write)
    button.click()
    button.unsubscribe(first.write)
    button.click()
    kept = first.write
    return f"{first.lines} {second.lines} {kept == first.write} {kept == second.write} {kept != first.write}"


@program("calls whose functions and iterators nobody takes", (3,))
def dropped(n: int) -> int:
    def make(k):
        def add(x):
            return x + k

        return add

    make(n)
    map(str, [n])
    enumerate([n])
    return make(n)(1)


def triple(x):
    return x * 3


def halved(x):
    return x // 2


TITLES = {triple: "triple", halved: "half"}
SHOWN = {int: "whole", str: "text", type(None): "none"}


@program("functions as keys and elements of sets", (4,), (0,))
def function_keys(n: int) -> str:
    counts = {}
    for f in [triple, halved, triple]:
        counts[f] = counts.get(f, 0) + f(n)
    held = {triple, halved, triple}

    def own(x):
        return x + n

    held.add(own)
    held.discard(halved)
    shown = sorted(f.__name__ for f in held)
    return f"{[(f.__name__, c) for f, c in counts.items()]} {shown} {own in held} {halved in held} {TITLES[halved]}"


@program("classes as keys, asked for by type(x)", (1,))
def class_keys(n: int) -> str:
    handlers = {int: lambda v: v + n, str: str.upper, list: len}
    out: list[str] = []
    for value in [n, "a", [n], 2.5]:
        handler = handlers.get(type(value))
        out.append(str(handler(value)) if handler else "?")
    try:
        handlers[float]
    except KeyError as error:
        out.append(str(error))
    return f"{out} {SHOWN[type(n)]} {SHOWN[type(None)]}"


def bracketed(handler):
    def wrapped(text):
        return "(" + handler(text) + ")"

    return wrapped


def raised(handler):
    def wrapped(text):
        return handler(text).upper()

    return wrapped


def layered(handler, layers):
    for layer in reversed(layers):
        handler = layer(handler)
    return handler


@program("functions wrapped over themselves by layers of a list", (3,), (0,))
def layers_of_list(n: int) -> str:
    plain = layered(lambda text: text + "!", [bracketed, raised, bracketed][:n])
    handler = str.strip
    for layer in [bracketed, raised, bracketed]:
        handler = layer(handler)
    for i in range(n):
        handler = raised(handler) if i % 2 else bracketed(handler)
    return f"{plain('a')} {handler(' b ')}"


@program("callable tells functions from other values", (2,))
def told_by_callable(n: int) -> str:
    def settled(value):
        return value() if callable(value) else value

    out: list[str] = []
    for value in [n, lambda: n + 1, "s", Lines]:
        if callable(value):
            made = value()
            out.append(str(made) if isinstance(made, int) else "made")
        else:
            out.append(f"{value!r}")
    return f"{out} {settled(n)} {settled(lambda: 'q')}"


def with_table(function):
    table = {}

    def wrapper(n):
        try:
            return table[n]
        except KeyError:
            table[n] = value = function(n)
            return value

    return wrapper


def looked_up(function):
    found = dict()

    def wrapper(n):
        value = found.get(n)
        if value is None:
            value = found[n] = function(n)
        return value

    return wrapper


@with_table
def climbed(n):
    return 1 if n < 2 else climbed(n - 1) + climbed(n - 2)


@looked_up
def doubled_up(n):
    return 1 if n == 0 else 2 * doubled_up(n - 1)


def collatz(n):
    return 0 if n == 1 else 1 + collatz(n // 2 if n % 2 == 0 else 3 * n + 1)


quick_collatz = looked_up(collatz)


@program("memo tables asked by try and by get, and around a function of another name", (20,), (1,))
def memo_tables(n: int) -> tuple[int, int, int, int]:
    return climbed(n), doubled_up(n), quick_collatz(n), quick_collatz(n + 1)


COLUMNS = {"id": slice(0, 4), "name": slice(4, None)}


@program("functions composed by a fold, and slices of a dict outside", ("0001widget", [1, -20]), ("", []))
def folded_functions(line: str, v: list[int]) -> str:
    def composed(*parts):
        return reduce(lambda f, g: lambda x: f(g(x)), parts, lambda x: x)

    both = composed(str, abs, lambda x: x * 3)
    return f"{[both(x) for x in v]} {[composed()(x) for x in v]} {({key: line[part] for key, part in COLUMNS.items()})}"


class Stages:
    def __init__(self, *steps):
        self.steps = list(steps)

    def then(self, step):
        return Stages(*self.steps, step)

    def __call__(self, value):
        for step in self.steps:
            value = step(value)
        return value


@program("stages that grow by one that is made of all before it", (" a b ",), ("",))
def growing_stages(text: str) -> str:
    first = Stages(str.strip, lambda s: s.replace(" ", "-"))
    second = first.then(str.title).then(lambda s: s + "!")
    return f"{first(text)} {second(text)} {len(first.steps)} {len(second.steps)} {Stages(len)(text)}"


@program("classes asked for by type(x) in a list", (0,), (1,))
def listed_classes(n: int) -> str:
    value = [1, "a"][n]
    kinds = [type(value), int]
    return f"{kinds[0] is kinds[1]} {kinds[0] == int} {[kind.__name__ for kind in kinds]} {kinds[0]('5')!r}"
