"""Closures, lambdas, functions as arguments, generators, lazy iteration, keys, starred parameters."""

# ruff: noqa
from __future__ import annotations

import functools
import math
from typing import Callable

from language_rows import of_row
from oracle import program


of_row("functions in functions")


@program("a lambda reads the variable, not the value it had", (3,))
def late_lambda(n: int) -> int:
    f = lambda x: x + n
    n = 10
    return f(1)


@program("nonlocal counters", (3,))
def counter(n: int) -> int:
    c = 0
    def inc(by=1):
        nonlocal c
        c += by
        return c
    for i in range(n):
        inc()
        inc(by=i)
    return c * 100 + inc(5)


@program("a nested function that calls itself", (5,))
def nested_factorial(n: int) -> int:
    def go(k: int) -> int:
        return 1 if k <= 1 else k * go(k - 1)
    return go(n)


@program("a recursive closure fills a list around it", (4,))
def nested_search(n: int) -> list[int]:
    seen = []
    def go(k, d=0):
        if k >= n:
            return
        seen.append(k + d)
        go(k + 1, d + 1)
        go(k + 2)
    go(0)
    return seen


def twice(f, x):
    return f(f(x))


@program("a closure as an argument", (4,))
def higher_order(n: int) -> int:
    return twice(lambda v: v * n, 3)


def make_adder(k):
    def add(x):
        return x + k
    return add


@program("a function that gives a closure", (4,))
def factory(n: int) -> int:
    a = make_adder(n)
    b = make_adder(100)
    return a(1) + b(2)


def counted(n):
    i = 0
    while i < n:
        yield i
        i += 1
    yield -1


of_row("generators")


@program("generators in loops with break, continue and else", (4,), (0,))
def generator_loops(n: int) -> list[int]:
    out = []
    for v in counted(n):
        if v == 2:
            continue
        out.append(v)
        if v == 7:
            break
    else:
        out.append(99)
    return out + list(counted(2)) + [sum(counted(n)), max(counted(3))]


of_row("builtins")


@program("map and filter", ([1, 2, 3], [4, 5]))
def maps(a: list[int], b: list[int]) -> list[int]:
    out = list(map(lambda x, y: x * y, a, b))
    out += [x for x in filter(lambda x: x > 1, a)]
    for x in map(str, a):
        out.append(len(x))
    out += list(filter(None, [0, 1, 2]))
    return out


@program("zip(strict=True)", ([1, 2, 3], [4, 5, 6]), ([1], [2, 3]), ([1, 2], [2]))
def strict_zip(a: list[int], b: list[int]) -> int:
    t = 0
    for x, y in zip(a, b, strict=True):
        t += x * y
    return t


@program("next of iterators made on the spot", ([1, 2, 3],), ([],))
def nexts(a: list[int]) -> int:
    return next((x for x in a if x > 1), -5) * 10 + next(iter(a))


def variadic_sum(a, *rest, k=3, **kw):
    s = a * k
    for r in rest:
        s += r
    if "z" in kw:
        s += kw["z"]
    for name, v in kw.items():
        s += v
    return s


def forwarded(*args, **kwargs):
    return variadic_sum(*args, **kwargs)


of_row("calls")


@program("*args and **kwargs, forwarded", (4,))
def varargs(n: int) -> int:
    return variadic_sum(n) + variadic_sum(n, 1, 2) * 10 + variadic_sum(n, 1, k=2, z=5) * 100 + forwarded(1, 2, 3, z=7, k=n) * 1000 + variadic_sum(*(1, 2), **{"k": 4})


of_row("functions as values")


@program("builtins and operators as values", (4.0,))
def alias(x: float) -> float:
    f = math.sqrt
    g = abs
    return f(x) + g(-x)


@program("a bound method keeps its object", ([3, 1],))
def bound_append(v: list[int]) -> list[int]:
    f = v.append
    v = [9]
    f(4)
    return v


@program("a loop over a display of functions", (2,))
def function_display(n: int) -> list[int]:
    return [f(n) for f in (lambda a: a + 1, lambda a: a * 2)]


of_row("functions in functions")


@program("a lambda in a loop", (3,))
def latebound(n: int) -> int:
    r = 0
    for i in range(n):
        f = lambda: i * 10
        r += f()
    return r


of_row("comprehensions")


@program("empty displays that nothing fills", (3,))
def unused_list(n: int) -> int:
    x = []
    y = {}
    return n


of_row("more assignment")


@program("a walrus in a condition", (3,), (0,))
def walrus(p: int) -> int:
    if (w := p) > 1:
        return w
    return w + 1


of_row("names")


@program("a free variable that may be unbound", (3,), (-3,))
def freeunbound(n: int) -> int:
    def f():
        return q
    if n > 0:
        q = n
    return f()


def walked(v):
    for x in v:
        yield x
        yield from counted(x)


of_row("generators")


@program("yield from, nested generators", ([1, 2],))
def nestgen(v: list[int]) -> list[int]:
    return [a * 10 + i for i, a in enumerate(walked(v))] + sorted(walked(v))


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


of_row("functions as values")


@program("function composition", (7,))
def compose(n: int) -> int:
    def comp2(f, g):
        return lambda x: f(g(x))
    h = comp2(lambda x: x + n, lambda x: x * 2)
    return h(5) + comp2(h, h)(1) + fib(n)


of_row("functions in functions")


@program("two counters with states of their own", (7,))
def two_states(n: int) -> list[int]:
    def mk():
        total = 0
        def add(x):
            nonlocal total
            total += x
            return total
        return add
    a = mk()
    b = mk()
    out = []
    for i in range(n):
        out.append(a(i))
        if i % 2:
            out.append(b(i))
    return out


of_row("builtins")


@program("sorted and sort with key=, stable when reversed", (['bb', 'a', 'ccc', 'dd'],), ([],))
def sorting_by_key(v: list[str]) -> list[str]:
    w = sorted(v, key=len) + sorted(v, key=lambda s: -len(s)) + sorted(v, key=len, reverse=True)
    v.sort(key=lambda s: s[-1])
    return w


@program("min and max with key= and default=", ([3, -4, 1],), ([],))
def extremes(v: list[int]) -> list[int]:
    return [max(v, key=abs, default=7), min(v, default=-1), max((x * x for x in v), default=0), min(3, -4, key=lambda a: a * a)]


@program("max with key= of nothing raises", ([3, -4, 1],), ([],))
def extreme_of_none(v: list[int]) -> int:
    return max(v, key=lambda x: -x)


@program("reverse= known at run time", ([(1, 'b'), (0, 'a'), (1, 'a')], True), ([(1, 'b'), (0, 'a'), (1, 'a')], False))
def run_time_reverse(v: list[tuple[int, str]], r: bool) -> list[tuple[int, str]]:
    return sorted(v, key=lambda t: t[0], reverse=r)


@program("key= over a map", ([3, 1, 2],))
def key_over_map(v: list[int]) -> list[str]:
    return sorted(map(str, v), key=lambda s: int(s))


@program("keys of a dict sorted by value", ({'a': 3, 'b': 1},))
def byval(d: dict[str, int]) -> list[str]:
    return sorted(d, key=lambda k: d[k])


of_row("functions as values")


@program("Callable parameters", (3,))
def fnarg(n: int) -> int:
    def apply(f: Callable[[int], int], x: int) -> int:
        return f(x)
    return apply(lambda v: v + n, 2)


of_row("calls")


@program("a lambda with defaults and keywords", (3,))
def matrix(n: int) -> list[list[int]]:
    add = lambda a, b=2, *, c=3: a + b + c
    return [[add(i, j, c=n) for i in range(n)] for j in range(2)] + [[add(1)]]


of_row("functions in functions")


@program("early returns in a closure", (3,), (0,))
def early(n: int) -> int:
    def classify(k):
        if k < 0:
            return -1
        for i in range(k):
            if i * i > k:
                return i
        return 100
    return classify(n) + classify(n - 2) * 1000 + classify(10) * 100000


@program("a memoised recursive closure", (5,))
def memoised(n: int) -> int:
    cache: dict[int, int] = {}
    def fib(k: int) -> int:
        if k < 2:
            return k
        if k not in cache:
            cache[k] = fib(k - 1) + fib(k - 2)
        return cache[k]
    return fib(n)


@program("closures that call each other", (5,))
def evenodd(n: int) -> bool:
    def even(k: int) -> bool:
        return k == 0 or odd(k - 1)
    def odd(k: int) -> bool:
        return k != 0 and even(k - 1)
    return even(n)


def pairs(n):
    for i in range(n):
        for j in range(i):
            yield i, j


of_row("generators")


@program("break out of a generator of nested loops", (4,))
def genpairs(n: int) -> int:
    t = 0
    for i, j in pairs(n):
        if j == 2:
            break
        t += i * 10 + j
    return t


@program("generators that change a variable around them", (4,), (1,))
def gencomp(n: int) -> list[int]:
    k = 3
    def g():
        nonlocal k
        while k < 6 + n:
            k += 1
            yield k
        return
    a = [x * 2 for x in g() if x % 2]
    s = sum(x for x in several(n))
    return a + [k, s, len(list(g()))] + [int(any(x > 2 for x in several(n)))]


def several(n):
    if n < 2:
        return
    yield n
    yield from range(n)
    yield from (q * q for q in range(n))


of_row("functions in functions")


@program("order of effects of arguments, defaults and keywords", (2,))
def order_of_effects(n: int) -> list[int]:
    log: list[int] = []
    def f(x):
        log.append(x)
        return x
    f(1) + f(2) * f(3)
    [f(4), f(5)][f(0)]
    g = lambda a, b, c=f(9): f(a - b)
    g(b=f(7), a=f(8))
    log[f(0)] += f(100)
    return log


@program("a lambda called at once", (3,), (0,))
def ternary(n: int) -> int:
    f = (lambda: n + 1)
    x = f() if n > 1 else (lambda y: y - 1)(n)
    return x


of_row("functions as values")


@program("map of a method call", (['a,b', 'c'],))
def parse(v: list[str]) -> list[int]:
    return [len(x) for x in map(lambda s: s.split(","), v)]


of_row("functions in functions")


@program("a fold with a closure", (4,))
def fold_with_closure(n: int) -> int:
    def fold(f, xs, acc):
        for x in xs:
            acc = f(acc, x)
        return acc
    return fold(lambda a, b: a * b, list(range(1, n + 1)), 1)


of_row("functions as values")


@program("functions of floats as arguments", (4.0,))
def newton(x0: float) -> float:
    def solve(f, df, x):
        for _ in range(10):
            x = x - f(x) / df(x)
        return x
    return solve(lambda x: x * x - x0, lambda x: 2 * x, 1.0)


of_row("more assignment")


@program("a walrus in a comprehension", ([1, 2, 3],))
def walrus_in_comprehension(v: list[int]) -> list[int]:
    out = [y for x in v if (y := x * 2) > 2]
    return out + [y]


@program("a walrus that a comprehension never reached", ([],), ([1],))
def walrus_unreached(v: list[int]) -> int:
    out = [y for x in v if (y := x * 2) > 2]
    return y


@program("a walrus behind and", (0,), (5,))
def walrus_behind_and(p: int) -> int:
    if p > 2 and (w := p * 2) > 3:
        return w
    return w


@program("a walrus in one arm", (0,), (5,))
def walrus_in_arm(p: int) -> int:
    q = (w := p) if p > 1 else 0
    return w + q


of_row("calls")


@program("starred arguments of known length", (3,))
def starred_calls(n: int) -> list[int]:
    def f(a, b, *c, d=4):
        return a + b * 10 + len(c) * 100 + d * 1000
    t = (1, n)
    return [f(*t), f(*t, 5, 6), f(*[1, 2], d=n), f(0, *t)]


@program("a mutable default of a nested function", (3,))
def nested_mutable_default(n: int) -> list[int]:
    out = []
    def push(x, acc=[]):
        acc.append(x)
        return len(acc)
    for i in range(n):
        out.append(push(i))
    return out


of_row("functions in functions")


@program("nonlocal through two functions", (3,))
def two_frames(n: int) -> int:
    def outer(k):
        def inner(j):
            nonlocal total
            total += j * k
            return total
        return inner(1) + inner(2)
    total = 0
    return outer(n) * 1000 + total


class Doubles:
    def __init__(self, n: int) -> None:
        self.n = n
    def __iter__(self):
        for i in range(self.n):
            yield i * 2
    def scaled(self, k: int) -> int:
        return self.n * k


def apply(f, x):
    return f(x)


of_row("generators")


@program("a generator __iter__ and bound methods as values", (3,))
def cls_gen(n: int) -> list[int]:
    b = Doubles(n)
    g = b.scaled
    return [x for x in b] + [apply(b.scaled, 2), g(3)]


of_row("functions in functions")


@program("closures with try, finally and a caught exception", (3,), (-1,))
def closures_that_try(n: int) -> list[int]:
    log: list[int] = []
    def f(k):
        try:
            if k < 0:
                raise ValueError("neg")
            return 10 // k
        except ZeroDivisionError:
            return -1
        finally:
            log.append(k)
    try:
        log.append(f(n)); log.append(f(0)); f(n - 3)
        f(-5)
    except ValueError as e:
        log.append(len(str(e)))
        g = lambda: len(str(e))
        log.append(g())
    return log


@program("a function defined in each round of a loop", (3,))
def loop_def(n: int) -> int:
    t = 0
    for i in range(n):
        def sq(x):
            return x * x + i
        t += sq(i)
        while t < 5:
            t += sq(2)
    return t


@program("shadowed names in nested functions", (3,))
def shadow(n: int) -> int:
    x = 1
    def f(x):
        y = x + 1
        def g():
            return x * y
        x = x + 10
        return g()
    y = 100
    return f(n) + x + y


of_row("names")


@program("an unbound local of a closure", (3,), (0,))
def unb(n: int) -> int:
    def f():
        if n > 1:
            q = 3
        return q
    return f()


@program("a nonlocal that may be unbound", (3,), (0,))
def nl_unb(n: int) -> int:
    def f():
        nonlocal z
        z += 1
        return z
    if n:
        z = 5
    r = f()
    return r + z


of_row("functions in functions")


@program("annotations of a nested function", (3,))
def typed_closure(n: int) -> float:
    def f(x: float) -> float:
        return x / 2
    return f(n)


@program("closures that fall off their end", (3,))
def ret_none(n: int) -> bool:
    def f(x):
        x + 1
    def g(x):
        if x > 2:
            return x
    return f(n) is None and g(n) is not None and g(0) is None


of_row("functions as values")


@program("functions that pass functions to functions", (3,))
def functions_to_functions(n: int) -> int:
    def a(f): return f(lambda: n)
    def b(g): return g() + a(lambda h: h() * 2)
    return a(b)


of_row("functions in functions")


@program("closures with effects in conditions", (3,))
def cond_call(n: int) -> int:
    c = 0
    def inc():
        nonlocal c
        c += 1
        return c
    if inc() > 0 and inc() > 5 or inc() > 2:
        c += 100
    x = inc() if c > 50 else -inc()
    while inc() < 110:
        pass
    return c * 1000 + x


@program("a nonlocal that takes several types", (3,))
def typechange(n: int) -> str:
    v = None
    def put(x):
        nonlocal v
        v = x
    put(n)
    put("s")
    return str(v)


@program("a default that is a list around", (3,))
def listalias(n: int) -> list[int]:
    xs = [1]
    def add(y, zs=xs):
        zs.append(y)
        return zs
    a = add(n)
    b = add(5)
    return a + b + xs + [int(a is b)]


of_row("generators")


@program("keys of generators and tuples", ([3, 1, 2],))
def sortseen(v: list[int]) -> list[int]:
    v.sort(key=lambda x: -x, reverse=False)
    w = sorted((x for x in v), key=lambda x: x % 2)
    return v + w + [max(v, key=lambda x: (x % 2, -x))]


def tenfold(f):
    @functools.wraps(f)
    def wrapped(*args, **kwargs):
        return f(*args, **kwargs) * 10

    return wrapped


@tenfold
def next_number(x: int, step: int = 1) -> int:
    return x + step


of_row("functions in functions")


@program("a decorator's wrapper is what runs", (3,))
def decorated_callee(n: int) -> int:
    return next_number(n) + next_number(n, step=4)


def positional_only(a, /, b, *, c=(1, "x")):
    return a + b + c[0]


of_row("calls")


@program("positional-only and keyword-only parameters, a default that is a tuple", (3,))
def kinds_of_parameters(n: int) -> int:
    return positional_only(n, b=2) + positional_only(n, 3, c=(5, "y"))


def starting(k):
    def stepped(x=k, *rest, by=[k]):
        by.append(x)
        return x + len(rest), len(by)

    return stepped


def repeated(times=2):
    def decorate(f):
        calls = 0

        @functools.wraps(f)
        def inner(*args, most: int = times, **kwargs):
            nonlocal calls
            for _ in range(most):
                calls += 1
                try:
                    return f(*args, **kwargs), calls
                except ValueError as error:
                    print(inner.__name__, error)
            raise RuntimeError(f"{f.__name__} failed after {calls}")

        return inner

    return decorate


def multiples(k):
    def each(n=k):
        for i in range(n):
            yield i * k

    return each


of_row("functions in functions")


@program("each function that a factory makes has defaults of its own", (3,), (1,))
def own_defaults(n: int) -> str:
    first, second = starting(1), starting(n)
    made = [starting(10 * i) for i in range(n)]
    kept = None
    for i in range(2):
        def latest(a=i, b=n):
            return a, b
        if i == 0:
            kept = latest
    more = [7] * (n % 2)
    n = 100
    return str([first(), second(), first(), first(5, 6), second(*more), [f() for f in made], kept(), latest()])


@program("generator functions of one factory, each with its own default", (3,))
def own_generator_defaults(n: int) -> list[list[int]]:
    two, other = multiples(2), multiples(n)
    return [list(two()), list(other()), list(two(1))]


@program("one decorator around two functions of a script", (3,), (-1,), (1,))
def decorated_twice(n: int) -> str:
    @repeated()
    def first(x: int) -> int:
        if x < 0:
            raise ValueError(f"negative {x}")
        return x

    @repeated(times=3)
    def second(x: str) -> str:
        if not x:
            raise ValueError("empty")
        return x + "!"

    try:
        return f"{first(5)} {first(n)} {second('' if n == 1 else 'z')} {first.__name__} {second.__name__}"
    except RuntimeError as error:
        return str(error)


class Bell:
    def __init__(self):
        self.action = None

    def ring(self, times):
        return self.action(times)


@program("calling what may be None where nothing annotates it", (1,), (2,), (3,))
def called_or_none(n: int) -> list[str]:
    chosen = None
    if n > 1:
        chosen = lambda x: x + 1
    bell = Bell()
    if n > 2:
        bell.action = lambda x: x * 2
    out = []
    try:
        out.append(str(chosen(print("evaluated") or n)))
        out.append(str(bell.ring(n)))
    except TypeError as error:
        out.append(str(error))
    return out


of_row("functions in functions")


@program("a nested function that calls itself with a tuple that grows", ({"a": ["b", "c"], "b": ["c"]},), ({"a": ["b"], "b": ["a"]},))
def in_order_of_need(needs: dict[str, list[str]]) -> list[str]:
    state = {}
    order = []

    def visit(name, chain=()):
        if state.get(name) == "done":
            return
        if state.get(name) == "open":
            raise ValueError("cycle: " + " -> ".join((*chain, name)))
        state[name] = "open"
        for other in needs.get(name, []):
            visit(other, (*chain, name))
        state[name] = "done"
        order.append(name)

    for name in needs:
        visit(name)
    return order


@program("a function that calls itself returns one over a variable that changes later", (3,), (0,))
def changed_after_recursion(n: int) -> tuple[int, int]:
    base = 1

    def search(k):
        if k == 0:
            return lambda y: base + y
        return search(k - 1)

    found = search(n)
    before = found(n)
    base = 10
    return before, found(n)


@program("a function in one of its own name, over a variable that changes later", (-2,))
def same_name_inside(n: int) -> int:
    def make():
        def nest():
            def nest():
                return lambda y: base + y

            return nest()

        return nest()

    base = 1
    found = make()
    base = 10
    return found(n)
