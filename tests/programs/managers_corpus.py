"""Managers of contextlib: functions marked contextmanager, suppress, nullcontext, closing; every way out of the body."""
# ruff: noqa
from __future__ import annotations

import contextlib
from contextlib import closing, contextmanager, nullcontext, suppress
from typing import Dict, Iterator, List, Optional, Tuple

import tsm
from language_rows import of_row
from oracle import T, program
from tsm import Tensor

of_row("with")


@contextmanager
def section(name: str, out: List[str], swallow: bool = False):
    out.append("+" + name)
    try:
        yield name.upper()
    except (ValueError, KeyError) as e:
        out.append(f"!{type(e).__name__} {e}")
        if not swallow:
            raise
    else:
        out.append("=" + name)
    finally:
        out.append("-" + name)
    out.append("." + name)


@contextmanager
def maybe(n: int):
    if n > 0:
        yield n
    print("end", n)


@contextmanager
def either(n: int) -> Iterator[int]:
    if n > 2:
        yield n
    else:
        yield -n
    print("done", n)


class DatabaseError(Exception):
    pass


@contextmanager
def translated():
    try:
        yield
    except KeyError as e:
        raise DatabaseError(f"translated {e}") from e


@contextmanager
def transaction(log: List[str]):
    log.append("begin")
    try:
        yield log
    except Exception:
        log.append("rollback")
        raise
    else:
        log.append("commit")


class Profiler:
    def __init__(self) -> None:
        self.depth = 0
        self.log: List[str] = []

    @contextmanager
    def span(self, name: str) -> Iterator[int]:
        self.depth += 1
        try:
            yield self.depth
        finally:
            self.log.append("  " * self.depth + name)
            self.depth -= 1

    def nested(self, n: int) -> int:
        with self.span(f"n{n}") as d:
            if n == 0:
                return d
            return self.nested(n - 1) + d


class Resource:
    def __init__(self, name: str) -> None:
        self.name = name
        self.is_open = True

    def close(self) -> None:
        print("closing", self.name)
        self.is_open = False


class Latch:
    def __init__(self) -> None:
        self.log: List[str] = []

    def __enter__(self) -> "Latch":
        self.log.append("acquire")
        return self

    def __exit__(self, kind, error, trace) -> bool:
        self.log.append(f"release {error}")
        return isinstance(error, KeyError)


@contextmanager
def latched(latch: Latch):
    with latch as held:
        yield held
    held.log.append("left")


@contextmanager
def indented(level: List[int]):
    level[0] += 1
    try:
        yield "  " * level[0]
    finally:
        level[0] -= 1


@contextlib.contextmanager
def tagged(name: str):
    print(f"<{name}>")
    yield
    print(f"</{name}>")


@contextmanager
def second(n: int):
    for i in range(n):
        if i == 1:
            yield i
            return
    print("none")


@contextmanager
def leaving(n: int):
    try:
        yield n
    finally:
        if n == 2:
            return


@contextmanager
def replaced(box, value):
    old = box.value
    box.value = value
    try:
        yield box
    finally:
        box.value = old


class Box:
    def __init__(self, value: int) -> None:
        self.value = value


@program("a generator as a manager: exceptions at its yield, jumps out of the body, two in one with",
         (["1", "2"], False), (["1", "c", "2"], False), (["1", "b"], False), (["1", "r"], False), (["x", "1"], False),
         (["x", "1"], True), ([], True))
def sections(xs: List[str], swallow: bool) -> Tuple[int, List[str]]:
    out: List[str] = []

    def work() -> int:
        total = 0
        for x in xs:
            with section(x, out, swallow) as n, section("in" + n, out) as m:
                out.append(m)
                if x == "c":
                    continue
                if x == "b":
                    break
                if x == "r":
                    return total
                total += int(x)
            total += 100
        else:
            total += 1000
        return total

    try:
        return work(), out
    except ValueError as e:
        out.append(f"main {e}")
    return -1, out


@program("a manager that does not yield on some path, one with a yield on each", (3,), (1,), (0,))
def may_not_yield(n: int) -> int:
    t = 0
    with either(n) as e:
        t += e
    with maybe(n) as m:
        t += 10 * m
    return t


@program("a manager that raises another exception, one that only watches", ({"a": 1}, "a"), ({"a": 1}, "b"), ({"a": 0}, "a"))
def translating(d: Dict[str, int], k: str) -> List[str]:
    log: List[str] = []
    try:
        with transaction(log) as t, translated():
            t.append(str(d[k]))
            t.append(str(10 // d[k]))
    except DatabaseError as e:
        log.append(f"{e} {e.__cause__!r}")
    except ArithmeticError as e:
        log.append(f"{e!r}")
    return log


@program("a method as a manager, in a function that calls itself; return from the body", (0,), (1,), (3,))
def profiled(n: int) -> Tuple[int, List[str], int]:
    p = Profiler()
    with p.span("outer"):
        r = p.nested(n)
    try:
        with p.span("bad"):
            r //= n - 1
    except ZeroDivisionError as e:
        p.log.append(str(e))
    return r, p.log, p.depth


@program("suppress, closing, nullcontext by a condition, a manager defined in the function", (0,), (1,), (5,))
def all_kinds(n: int) -> int:
    count = 0

    @contextmanager
    def counted(by: int):
        nonlocal count
        count += by
        try:
            yield count
        finally:
            count += 100

    with counted(2) as c:
        count += c
    resource = Resource("r")
    with suppress(ZeroDivisionError), closing(resource) as q:
        count += 10 // n
        print(q.name)
    with counted(1) if n > 1 else nullcontext(7) as z:
        count += z
    with suppress():
        for i in range(3):
            with suppress(IndexError, KeyError):
                if i == n:
                    break
                [1, 2][i + 1]
                continue
            count += 1000
    return -1 if resource.is_open else count


@program("names that a suppressed body may not have bound", ("1",), ("x",), ("y",))
def unbound_behind(s: str) -> int:
    with section("s", [], True):
        v = int(s)
        w = v + 1
    with suppress(ValueError):
        u = int(s)
    if s == "x":
        return u
    return v + w


@program("types behind a suppressed body", ([1, 2], None), ([1, 2], 1))
def types_behind(xs: List[int], key: Optional[int]) -> Tuple[int, str]:
    best: Optional[int] = None
    label = "a"
    with nullcontext(xs) as b:
        best = b[0]
        if key is not None:
            label = "b" * key
    with suppress(Exception):
        best = xs[key or 0] + xs[99]
        label = "never"
    return (-1 if best is None else best), label


@program("a bare raise in the body is that of the handler around, not of the manager", (0,), (1,), (2,))
def raised_again(n: int) -> List[str]:
    log: List[str] = []
    try:
        if n:
            raise ValueError(f"v{n}")
    except ValueError:
        with section("h", log):
            log.append("in")
            if n > 1:
                raise
            raise TypeError("t")
    return log


@program("managers in a generator, around its yield, and in the loop over it", ([1, 2],), ([],), ([9, 9],))
def in_generators(xs: List[int]) -> Tuple[int, int]:
    level = [0]

    def items():
        for x in xs:
            with indented(level) as pad, suppress(ValueError):
                yield x * 2

    t = 0
    for v in items():
        with tagged("b"):
            t += v * level[0]
        if t > 10:
            break
    with tagged("r"):
        return t, level[0]


@program("a manager that yields in a loop and ends, left by continue and return", (3,), (1,))
def out_of_while(n: int) -> int:
    i = 0
    while True:
        i += 1
        with second(n) as r, nullcontext():
            if i > 3:
                return i * 10 + r
            continue


@program("a manager over a manager whose exit may suppress", (0,), (1,), (2,), (3,))
def over_a_class(k: int) -> List[str]:
    latch = Latch()
    try:
        with latched(latch) as held:
            held.log.append("body")
            if k == 1:
                raise KeyError("k")
            if k == 2:
                raise ValueError("v")
            if k == 3:
                return held.log
    except ValueError as e:
        latch.log.append(f"caught {e}")
    return latch.log


@program("a manager that returns in finally swallows", (1,), (2,), (3,))
def swallowing(n: int) -> str:
    with leaving(n):
        if n == 1:
            return "r"
        1 // 0
    return "swallowed"


@program("the body calls its own function again", ({"a": ["b"], "b": []},), ({"a": ["z", "a"]},))
def tree_lines(tree: Dict[str, List[str]]) -> Tuple[List[str], int]:
    out: List[str] = []
    level = [0]

    def show(node: str) -> None:
        with indented(level) as pad:
            out.append(pad + node)
            for c in tree[node]:
                show(c)

    try:
        show("a")
    except KeyError as e:
        out.append(f"missing {e}")
    return out, level[0]


@program("a manager without annotations, several of its calls in one another", (1, 2))
def replacing(a: int, b: int) -> List[int]:
    box = Box(a)
    out = [box.value]
    with replaced(box, b) as x:
        out.append(x.value)
        with replaced(box, b * 2):
            out.append(box.value)
        for i in range(3):
            with replaced(x, i):
                if i == 1:
                    continue
                out.append(x.value)
    out.append(box.value)
    return out


@program("StopIteration in the body of a generator's with", (2,), (1,))
def stopped(n: int) -> int:
    it = iter(range(n))
    with indented([n]) as pad:
        return next(it) + next(it) + len(pad)


@program("no_grad or nothing", (T([1.0, 2.0]), True), (T([1.0, 2.0]), False))
def grad_or_not(x: Tensor, train: bool) -> Tensor:
    with nullcontext() if train else tsm.no_grad():
        y = x * 2
    return y + 1


@contextmanager
def outer_stage(log, n):
    log.append("o+")
    with inner_stage(log, n) as v:
        try:
            yield v + 1
        except ValueError as e:
            log.append(f"o! {e}")
            if n == 3:
                raise KeyError("from outer") from e
    log.append("o-")


@contextmanager
def inner_stage(log, n):
    log.append("i+")
    try:
        yield n * 10
    except KeyError:
        log.append("i! key")
    finally:
        log.append("i-")


@contextmanager
def running_dry():
    yield 1
    next(iter([0][1:]))


class Reraising:
    def __init__(self, log: List[str], name: str) -> None:
        self.log, self.name = log, name

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace) -> bool:
        self.log.append(f"out {self.name} {kind.__name__ if kind else None} {not kind} {kind and kind.__name__}")
        if isinstance(error, DatabaseError):
            raise KeyError(self.name) from error
        return False


@program("a manager whose generator stands in another's with, in a loop", (0,), (1,), (2,), (3,), (4,))
def stages(n: int) -> List[str]:
    log: List[str] = []
    for k in range(3):
        with outer_stage(log, n) as x:
            if k == 1 and n == 1:
                continue
            if k == 1 and n == 2:
                break
            if n >= 3:
                raise ValueError(f"v{k}")
            log.append(f"x{x}")
    else:
        log.append("else")
    return log


@program("StopIteration out of the generator itself becomes RuntimeError, also behind a return", (0,), (1,))
def stopped_inside(n: int) -> str:
    try:
        with running_dry() as v:
            if n:
                return "r"
            n += v
    except RuntimeError as e:
        return f"{e} {e.__cause__!r}"
    except StopIteration:
        return "stopped"
    return "ok"


@program("__exit__ asks for the truth of the class; it raises another", (0,), (1,), (2,), (3,))
def truth_of_class(k: int) -> List[str]:
    log: List[str] = []

    def go() -> int:
        for i in range(2):
            with Reraising(log, f"a{i}"), Reraising(log, f"b{i}"):
                if k == 0:
                    return i
                if k == 1:
                    continue
                if k == 2:
                    raise DatabaseError("e1")
                break
        return 10

    try:
        log.append(str(go()))
    except KeyError as e:
        log.append(f"{e} {e.__cause__!r}")
    return log
