"""How control moves: loops, exceptions through finally, managers, match, generators, closures, scopes."""

from __future__ import annotations

from typing import Callable, Optional, Union

import tsm
from language_rows import of_row
from oracle import T, program
from tsm import Tensor

of_row("loops")


@program("a loop in a loop in a loop with a counter of each", (3,), (0,))
def counters(n: int) -> tuple[int, int, int]:
    a = b = c = 0
    for i in range(n):
        a += 1
        j = 0
        while j < i:
            b += 1
            for _ in "xy":
                c += j
            j += 1
    return a, b, c


@program("flags instead of breaks", ([3, 1, 2],), ([],), ([1, 2],))
def bubble(v: list[int]) -> int:
    swapped, rounds = True, 0
    while swapped:
        swapped = False
        rounds += 1
        for i in range(1, len(v)):
            if v[i - 1] > v[i]:
                v[i - 1], v[i] = v[i], v[i - 1]
                swapped = True
    return rounds


@program("continue in every arm but one", (10,), (0,))
def only_sixth(n: int) -> list[int]:
    out: list[int] = []
    for i in range(n):
        if i % 2:
            continue
        elif i % 3:
            continue
        else:
            out.append(i)
            if i > 5:
                continue
        out.append(-i)
    return out


@program("a search that returns from the middle of a while over two lists", ([1, 4, 6], [2, 4, 5]), ([1], [2]), ([], []))
def first_common(a: list[int], b: list[int]) -> Optional[int]:
    i = j = 0
    while i < len(a) and j < len(b):
        if a[i] == b[j]:
            return a[i]
        if a[i] < b[j]:
            i += 1
        else:
            j += 1
    return None


@program("a for over text, tuple, dict items and a range in reverse", ("ab", {"k": 1}))
def everything(s: str, d: dict[str, int]) -> list[str]:
    out: list[str] = []
    for c in s:
        out.append(c)
    for x in (1, "two", 3.0):
        out.append(str(x))
    for k, v in d.items():
        out.append(k * v)
    for i in reversed(range(2, 8, 3)):
        out.append(f"{i}")
    return out


@program("for targets that are list items and attributes of nothing", ([0, 0],))
def item_targets(v: list[int]) -> list[int]:
    for v[0] in range(3):
        v.append(v[0])
    for v[1], x in [(7, 8), (9, 10)]:
        v.append(x)
    return v


@program("nested targets of a for with a star", ([(1, [2, 3]), (4, [5, 6, 7])],), ([],))
def starred_targets(rows: list[tuple[int, list[int]]]) -> int:
    total = 0
    for a, (b, *rest) in rows:
        total += a * b + len(rest)
    return total


@program("while with a compound walrus condition over a list iterator", ([5, 3, 0, 2],), ([],))
def until_zero(v: list[int]) -> list[int]:
    out: list[int] = []
    i = 0
    while i < len(v) and (x := v[i]):
        out.append(x)
        i += 1
    return out


@program("a loop variable reused by two loops and read after", (4, 2))
def reused(n: int, m: int) -> tuple[int, int]:
    total = 0
    for i in range(n):
        total += i
    for i in range(m):
        total += i * 10
    return total, i


@program("steps by a float until past the end", (1.0, 0.25), (0.0, 1.0))
def float_steps(stop: float, step: float) -> list[float]:
    out: list[float] = []
    t = 0.0
    while t <= stop:
        out.append(t)
        t += step
    return out


@program("euclid with a tuple assignment, and the steps it took", (48, 18), (7, 0), (0, 0))
def gcd(a: int, b: int) -> tuple[int, int]:
    n = 0
    while b:
        a, b, n = b, a % b, n + 1
    return a, n


@program("zip of lists of different kinds with enumerate and a start", ([1, 2], "abc", [0.5, 1.5, 2.5]), ([], "", []))
def zipped(a: list[int], b: str, c: list[float]) -> list[str]:
    return [f"{i}{x}{y}{z}" for i, (x, y, z) in enumerate(zip(a, b, c), start=10)]


@program("range objects: len, in, index, negative steps", (3, 20, 4), (5, 0, -2))
def ranges(a: int, b: int, c: int) -> tuple[list[int], int, bool]:
    return list(range(a, b, c)), len(range(a, b, c)), 11 in range(a, b, c)


of_row("loop else")


@program("else after an inner break, and a flag from it", ([[1, 2], [3]], 3), ([[]], 1), ([], 0))
def where(rows: list[list[int]], x: int) -> tuple[int, int]:
    for i, r in enumerate(rows):
        for j, y in enumerate(r):
            if y == x:
                break
        else:
            continue
        break
    else:
        return -1, -1
    return i, j


@program("while else with continue, and return inside else", (5,), (0,), (8,))
def while_return(n: int) -> str:
    while n:
        n -= 1
        if n == 6:
            break
        if n % 2:
            continue
    else:
        return f"ran out at {n}"
    return f"left at {n}"


@program("break out of a loop over a tuple of kinds", (2,), (9,))
def tuple_break(n: int) -> str:
    seen = ""
    for x in (1, "a", 2, None, 3.5):
        if x == n:
            break
        seen += str(x)
    else:
        seen += "!"
    return seen


of_row("try")


@program("finally runs on return, and sees the variables", (0,), (2,))
def finally_return(n: int) -> int:
    log = [n]
    try:
        if n:
            return 10 // n
        log.append(1)
    finally:
        log.append(2)
        print(log)
    return len(log)


@program("exceptions through three frames with cleanup in each", (0,), (1,), (2,))
def through(n: int) -> list[str]:
    log: list[str] = []
    try:
        outer_frame(n, log)
    except (KeyError, ValueError) as e:
        log.append(f"caught {type(e).__name__} {e}")
    else:
        log.append("fine")
    return log


def outer_frame(n: int, log: list[str]) -> None:
    try:
        inner_frame(n, log)
    except KeyError:
        log.append("seen")
        raise
    finally:
        log.append("outer")


def inner_frame(n: int, log: list[str]) -> None:
    try:
        if n == 1:
            raise KeyError("k")
        if n == 2:
            raise ValueError("v")
    finally:
        log.append("inner")


@program("retry with a limit and the last error raised again", (0,), (2,), (9,))
def retried(failures: int) -> int:
    last: Optional[Exception] = None
    for attempt in range(3):
        try:
            if attempt < failures:
                raise TimeoutError(f"attempt {attempt}")
            return attempt
        except TimeoutError as e:
            last = e
    assert last is not None
    raise last


@program("a number, or a default when parsing fails", (["1", "x", "3"],), ([],))
def defaults(texts: list[str]) -> list[int]:
    out: list[int] = []
    for t in texts:
        try:
            v = int(t)
        except ValueError:
            v = -1
        out.append(v)
    return out


@program("else of a try with a break, finally with a count", (["1", "2", "stop", "3"],), (["a"],))
def reading(texts: list[str]) -> tuple[int, int]:
    total = rounds = 0
    for t in texts:
        try:
            v = int(t)
        except ValueError:
            if t == "stop":
                break
            continue
        else:
            total += v
        finally:
            rounds += 1
    return total, rounds


class Refused(Exception):
    def __init__(self, code: int, why: str = "no reason") -> None:
        super().__init__(f"{code}: {why}")
        self.code = code


class Busy(Refused):
    pass


@program("an exception class with fields, its subclass, and what is caught", (1,), (2,), (3,))
def served(n: int) -> str:
    try:
        if n == 1:
            raise Busy(503)
        if n == 2:
            raise Refused(404, "gone")
    except Busy as e:
        return f"busy {e.code} {e}"
    except Refused as e:
        return f"refused {e.code} {e.args}"
    return "served"


@program("an own exception leaves the script with its fields", (7,))
def leaves(n: int) -> None:
    raise Busy(n, "full")


@program("a cause in the text of what it caused", (1,), (0,))
def caused(n: int) -> str:
    try:
        try:
            return str(1 // n)
        except ZeroDivisionError as e:
            raise RuntimeError("while dividing") from e
    except RuntimeError as e:
        return f"{e} <- {e.__cause__}"


@program("each builtin class from what raises it", (0,), (1,), (2,), (3,), (4,), (5,), (6,))
def sources(n: int) -> str:
    try:
        if n == 0:
            return str([1][n + 1])
        if n == 1:
            return str({"a": 1}["b"])
        if n == 2:
            return str(1 / (n - 2))
        if n == 3:
            return str(int("x" * n))
        if n == 4:
            return str(1e308**n)
        if n == 5:
            assert n < 5, f"n is {n}"
    except ArithmeticError as e:
        return f"arithmetic {e}"
    except LookupError as e:
        return f"lookup {e!r}"
    except (ValueError, AssertionError) as e:
        return f"{e}"
    return "none"


@program("finally with its own try, swallowing inside", (0,), (1,))
def nested_finally(n: int) -> list[str]:
    log: list[str] = []
    try:
        try:
            log.append(str(1 // n))
        finally:
            try:
                raise KeyError("cleanup")
            except KeyError:
                log.append("cleaned")
    except ZeroDivisionError:
        log.append("zero")
    return log


@program("a loop that only an exception ends", ([3, 1, 2],), ([],))
def ends_by_error(v: list[int]) -> int:
    total = 0
    try:
        while True:
            total = total * 10 + v.pop()
    except IndexError:
        return total


@program("continue from inside except and from inside finally's try", (4,))
def continues(n: int) -> list[int]:
    out: list[int] = []
    for i in range(n):
        try:
            if i == 1:
                raise ValueError
            out.append(10 // (i - 2))
        except ZeroDivisionError:
            out.append(0)
            continue
        except ValueError:
            continue
        finally:
            out.append(-i)
        out.append(100)
    return out


@program("an error of a tensor shape is caught and tried otherwise", (T([[1.0, 2.0]]), T([1.0, 2.0, 3.0])), (T([1.0]), T([2.0])))
def or_outer(a: Tensor, b: Tensor) -> Tensor:
    try:
        return a + b
    except RuntimeError:
        return a.reshape(-1)[:, None] + b


of_row("raise")


@program("asserts with conditions of several parts and computed messages", (3, 4), (5, 4), (3, -1))
def checked(a: int, b: int) -> int:
    assert a < b and b > 0, f"{a} and {b} do not fit"
    assert isinstance(a, int)
    return b - a


@program("raise of an expression chosen at run time", (0,), (1,))
def chosen_error(n: int) -> None:
    raise ValueError("zero") if n == 0 else KeyError(n)


@program("print of many kinds with sep, end and flush", (2.5, [1, 2]))
def shows(x: float, v: list[int]) -> None:
    print(x, v, (x,), {"a": v}, None, "é", True, sep=" | ", end="<\n")
    print("", end="")
    print(*v, sep=",")


@program("docstrings, ellipsis bodies and bare constants", (1,))
def documented(n: int) -> int:
    """What it says."""
    1
    "text"
    ...
    if n:
        """nothing"""
    return helper_with_ellipsis(n) or n


def helper_with_ellipsis(n: int) -> Optional[int]: ...


@program("del of items, slices, keys and names in one statement", ([1, 2, 3, 4], {"a": 1, "b": 2}))
def dels(v: list[int], d: dict[str, int]) -> int:
    x = y = 5
    del v[0], v[1:], d["a"], x
    return len(v) + len(d) + y


of_row("with")


class Guard:
    def __init__(self, log: list[str], name: str, swallow: bool = False) -> None:
        self.log, self.name, self.swallow = log, name, swallow

    def __enter__(self) -> str:
        self.log.append("+" + self.name)
        return self.name.upper()

    def __exit__(self, kind: object, error: object, trace: object) -> bool:
        self.log.append("-" + self.name + ("" if error is None else "!"))
        return self.swallow


@program("two managers in one with, the second's exit sees the error first", (0,), (1,))
def two_managers(n: int) -> list[str]:
    log: list[str] = []
    try:
        with Guard(log, "a") as a, Guard(log, "b") as b:
            log.append(a + b + str(1 // n))
    except ZeroDivisionError:
        log.append("zero")
    return log


@program("a manager that swallows: the code after with goes on", (0,), (2,))
def swallowing(n: int) -> tuple[int, list[str]]:
    log: list[str] = []
    x = -1
    with Guard(log, "s", swallow=True):
        x = 10 // n
        log.append("computed")
    return x, log


@program("return, break and continue from inside with", (5,))
def exits(n: int) -> list[str]:
    log: list[str] = []
    for i in range(n):
        with Guard(log, str(i)):
            if i == 1:
                continue
            if i == 3:
                break
            log.append("body")
    with Guard(log, "last"):
        return log
    return []


@program("no_grad around in-place work", (T([1.0, 2.0]), 0.5))
def step(w: Tensor, rate: float) -> Tensor:
    with tsm.no_grad():
        w -= rate * w
        total = w.sum()
    return total


of_row("match")


@program("commands by their words", ("go north",), ("take the lamp",), ("quit",), ("",), ("go up down",))
def command(text: str) -> str:
    match text.split():
        case ["go", ("north" | "south") as where]:
            return "walk " + where
        case ["go", *rest]:
            return f"lost {len(rest)}"
        case ["take", *_, thing]:
            return thing
        case ["quit"]:
            return "bye"
        case []:
            return "silence"
    return "?"


@program("guards that use what was bound, and fall through", ((3, 3),), ((0, 5),), ((7, 2),))
def guarded(p: tuple[int, int]) -> str:
    match p:
        case (x, y) if x == y:
            r = "equal"
        case (0, y):
            r = f"zero {y}"
        case (x, y) if x > y:
            r = "down"
        case _:
            r = "up"
    return r


@program("numbers, negative ones, floats and bools as patterns", (-1,), (0,), (42,))
def literal_patterns(n: int) -> str:
    match n:
        case -1:
            return "minus"
        case 0 | 1:
            return "bit"
        case _ if n > 40:
            return "large"
    return "other"


class Circle:
    def __init__(self, r: float) -> None:
        self.r = r


class Box:
    __match_args__ = ("w", "h")

    def __init__(self, w: float, h: float) -> None:
        self.w, self.h = w, h


@program("class patterns with keywords and positions", (0,), (1,), (2,))
def class_patterns(n: int) -> float:
    shape: Union[Circle, Box] = Circle(2.0) if n == 0 else Box(2.0, 3.0) if n == 1 else Box(4.0, 4.0)
    match shape:
        case Circle(r=r):
            return r * r * 3
        case Box(w, h) if w == h:
            return -w
        case Box(w=a, h=b):
            return a * b
    return 0.0


@program("dotted names of an enum-like class as patterns", (1,), (2,), (3,))
def dotted(n: int) -> str:
    match n:
        case Codes.OK:
            return "ok"
        case Codes.BAD:
            return "bad"
    return "?"


class Codes:
    OK = 1
    BAD = 2


of_row("generators")


def evens(limit: int):
    n = 0
    while n < limit:
        yield n
        n += 2


def pairs_of(v: list[int]):
    for i, a in enumerate(v):
        for b in v[i + 1 :]:
            yield a, b


@program("a generator in for, sum, list, join, max and a comprehension", (7,), (0,))
def consumers(n: int) -> tuple[int, list[int], str, int]:
    total = 0
    for e in evens(n):
        total += e
    return total + sum(evens(n)), [e + 1 for e in evens(n)], ",".join(str(e) for e in evens(n)), max(evens(n), default=-1)


@program("a generator of pairs, unpacked", ([1, 2, 3],), ([],))
def pair_sums(v: list[int]) -> list[int]:
    return [a + b for a, b in pairs_of(v)]


def batches(items: list[int], size: int):
    batch: list[int] = []
    for item in items:
        batch.append(item)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch


@program("batches from a generator, the last one short", ([1, 2, 3, 4, 5], 2), ([], 3))
def batch_sums(items: list[int], size: int) -> list[list[int]]:
    return [b + [sum(b)] for b in batches(items, size)]


def numbered(lines: list[str]):
    count = 0
    for line in lines:
        if not line:
            return
        count += 1
        yield count, line


@program("a generator that returns early, over enumerate and zip", (["a", "b", "", "c"],), ([""],))
def early(lines: list[str]) -> list[str]:
    out: list[str] = []
    for i, (n, line) in enumerate(numbered(lines)):
        out.append(f"{i}{n}{line}")
    return out


def walk_tree(depth: int, name: str):
    if depth == 0:
        yield name
        return
    yield from walk_tree(depth - 1, name + "l")
    yield from walk_tree(depth - 1, name + "r")


@program("a recursive generator by yield from", (2,), (0,))
def leaves_of(depth: int) -> list[str]:
    return list(walk_tree(depth, "t"))


@program("any stops the generator at its first hit", (5,), (0,))
def lazily(n: int) -> tuple[bool, list[str]]:
    log: list[str] = []

    def noisy():
        for i in range(n):
            log.append(f"y{i}")
            yield i

    return any(x == 2 for x in noisy()), log


@program("a generator with try and finally around its yields", (3,), (0,))
def cleanup(n: int) -> list[str]:
    log: list[str] = []

    def guarded_items():
        log.append("open")
        try:
            for i in range(n):
                yield i
        finally:
            log.append("close")

    for x in guarded_items():
        log.append(str(x))
    return log


@program("next of a stored generator", (4,), (1,))
def stored(n: int) -> list[int]:
    g = evens(n)
    first = next(g)
    return [first, *g]


@program("an iterator shared by two loops", ([1, 2, 3, 4],), ([],))
def shared_iterator(v: list[int]) -> tuple[list[int], list[int]]:
    it = iter(v)
    first = [x for x, _ in zip(it, range(2))]
    return first, list(it)


@program("a running total as a generator over a generator", ([1, 2, 3],), ([],))
def totals(v: list[int]) -> list[int]:
    def running(items: list[int]):
        total = 0
        for x in (i * i for i in items):
            total += x
            yield total

    return [t for t in running(v) if t % 2]


of_row("functions in functions")


@program("an adder made for each of several amounts", ([1, 2],), ([],))
def adders(v: list[int]) -> list[int]:
    def adder(k: int) -> Callable[[int], int]:
        def add(x: int) -> int:
            return x + k

        return add

    one, ten = adder(1), adder(10)
    return [one(ten(x)) for x in v]


@program("state in a closure through nonlocal and through a list", (3,))
def closure_state(n: int) -> tuple[int, list[int]]:
    total = 0
    log: list[int] = []

    def tick(by: int = 1) -> int:
        nonlocal total
        total += by
        log.append(total)
        return total

    for i in range(n):
        tick(i)
        tick()
    return total, log


@program("a lambda in a default, in a dict's key= and called in place", (4,))
def lambdas(n: int) -> list[int]:
    square = lambda x, k=2: x**k  # noqa: E731
    return sorted([square(n), square(n, 3), (lambda: n)(), (lambda *a: len(a))(1, 2, 3)], key=lambda v: -v)


@program("functions chosen from a tuple by a constant index", (5,))
def chosen(n: int) -> tuple[int, int]:
    fs = (abs, lambda x: x * 2, helper_neg)
    return fs[1](n), fs[2](n) + fs[0](-n)


def helper_neg(x: int) -> int:
    return -x


@program("a dispatch table of functions, indexed at run time", ("neg", 3), ("double", 3), ("none", 1))
def dispatch(name: str, n: int) -> int:
    table = {"neg": helper_neg, "double": lambda x: x * 2}
    return table[name](n)


@program("a list of closures called in turn", (3,))
def closure_list(n: int) -> list[int]:
    fs = [lambda x, k=k: x + k for k in range(n)]
    return [f(10) for f in fs]


@program("late binding: all closures see the last value", (3,))
def late(n: int) -> list[int]:
    return [f() for f in [lambda: i * 10 for i in range(n)]]


@program("apply with a function parameter, a method and a builtin", ([3, -1, 2],), ([],))
def applied(v: list[int]) -> tuple[list[int], list[int], list[str]]:
    return each(abs, v), each(helper_neg, v), list(map(str, v))


def each(f: Callable[[int], int], v: list[int]) -> list[int]:
    return [f(x) for x in v]


@program("a fixed-point combinator of a local function", (6,), (0,))
def local_recursion(n: int) -> int:
    def fact(k: int) -> int:
        return 1 if k < 2 else k * fact(k - 1)

    return fact(n)


@program("a closure defined under a condition", (1,), (-1,))
def conditional_closure(n: int) -> int:
    if n > 0:

        def f(x: int) -> int:
            return x + n
    else:

        def f(x: int) -> int:
            return x - n

    return f(10)


@program("a closure over a loop variable used at once", (3,))
def at_once(n: int) -> list[int]:
    out: list[int] = []
    for i in range(n):

        def push(x: int) -> None:
            out.append(x * i)

        push(5)
        push(6)
    return out


of_row("names")


@program("a name bound by with, except, for, import-like and walrus", (2,))
def all_bindings(n: int) -> tuple[int, int, int]:
    for i in range(n):
        pass
    try:
        raise ValueError(str(n))
    except ValueError as e:
        k = len(str(e))
    if (w := n * 2) > 3:
        k += w
    return i, k, w


@program("the exception's name is gone after its handler", (0,), (1,))
def gone(n: int) -> str:
    try:
        if n == 0:
            raise ValueError("x")
    except ValueError as error:
        print(error)
    return str(error)  # noqa: F821


@program("a parameter deleted, then read", (1,), (0,))
def deleted_parameter(n: int) -> int:
    if n:
        del n
    return n


@program("a name bound only in a loop that may not run", ([1],), ([],))
def maybe(v: list[int]) -> int:
    for x in v:
        last = x
    if v:
        return last
    return last + 1


@program("builtins hidden by locals and by parameters", ([3, 1],), ([],))
def hidden(list: list[int]) -> int:
    max = len(list)
    sum = 0
    for id in list:
        sum += id
    return sum * 10 + max


@program("a global constant, a class constant and a closure constant of one name", (1,))
def three_names(n: int) -> tuple[int, int, int]:
    def inner() -> int:
        LIMIT = 5
        return LIMIT

    return LIMIT, Holder.LIMIT, inner() + n


LIMIT = 100


class Holder:
    LIMIT = 50
