"""match, try and finally in every position, with, del, starred targets, walrus, order of evaluation, partial."""

# ruff: noqa
from __future__ import annotations

from dataclasses import dataclass
from typing import Optional, Union, NamedTuple
from enum import Enum
import functools
import tsm

from language_rows import of_row
from oracle import program

of_row("loops")

@dataclass
class Circle:
    r: float
@dataclass
class Rect:
    w: float
    h: float
class Pt(NamedTuple):
    x: int
    y: int
class Col(Enum):
    R = 1
    G = 2

@program("statements: match classes", (0,), (1,), (2,), (3,))
def mcl(n: int) -> str:
    shapes: list[Union[Circle, Rect, int, str]] = [Circle(2.0), Rect(1.0, 2.0), 5, "s"]
    s = shapes[n]
    match s:
        case Circle(r=r) if r > 1:
            return "big" + str(r)
        case Circle():
            return "circle"
        case Rect(w, h=hh):
            return str(w) + str(hh)
        case int(v):
            return "i" + str(v)
        case str():
            return "str"
    return "none"

@program("statements: match mapping", ({"op": 1, "a": 2},), ({"op": 2, "b": 5, "c": 6},), ({},))
def mmap(d: dict[str, int]) -> str:
    match d:
        case {"op": 1, "a": a}:
            return "one" + str(a)
        case {"op": x, **rest}:
            return str(x) + str(sorted(rest.items()))
        case {}:
            return "empty"

@program("statements: match or as guard", (1,), (2,), (7,), (-3,))
def moag(n: int) -> str:
    match n:
        case 1 | 2 as k:
            return "small" + str(k)
        case k if k < 0:
            return "neg"
        case _:
            return "other"

@program("statements: match sequence", ([1],), ([1, 2, 3],), ([],), ([9, 8],))
def mseq(xs: list[int]) -> str:
    match xs:
        case []:
            return "e"
        case [x]:
            return "one" + str(x)
        case [9, *_]:
            return "nine"
        case [a, *mid, b]:
            return str(a) + str(mid) + str(b)
    return "?"

@program("statements: match tuples and enums and points", (1, 0), (0, 0), (3, 4))
def mtup(a: int, b: int) -> str:
    match (a, b):
        case (0, 0):
            out = "origin"
        case (0, y) | (y, 0):
            out = "axis" + str(y)
        case (x, y):
            out = str(x * y)
    c = Col.R if a else Col.G
    match c:
        case Col.R:
            out += "r"
        case Col.G:
            out += "g"
    match Pt(a, b):
        case Pt(x=0):
            out += "p0"
        case Pt(x, y):
            out += str(x + y)
    match a > b, "x":
        case True, s:
            out += s
        case False, _:
            out += "f"
    return out

@program("statements: nested finally exits", (0,), (1,), (2,), (3,), (4,))
def nfe(k: int) -> list[int]:
    out = []
    def run() -> int:
        for i in range(4):
            try:
                try:
                    if k == 0:
                        return i
                    if k == 1 and i == 1:
                        break
                    if k == 2 and i == 2:
                        continue
                    if k == 3 and i == 1:
                        raise ValueError("x")
                    out.append(i)
                finally:
                    out.append(100 + i)
                    if k == 4 and i == 2:
                        return -4
            except ValueError:
                out.append(999)
            else:
                out.append(500)
            finally:
                out.append(200 + i)
        else:
            out.append(777)
        return -1
    r = run()
    out.append(r)
    return out

@program("statements: return in finally swallows", (0,), (1,))
def rfs(n: int) -> int:
    try:
        return 10 // n
    finally:
        return -5

@program("statements: break in finally swallows", (0,), (1,))
def bfs(n: int) -> int:
    t = 0
    while True:
        try:
            t += 10 // n
        finally:
            break
    return t

@program("statements: continue in finally", (3,))
def cif(n: int) -> int:
    t = 0
    for i in range(n):
        try:
            t += 10 // i
        finally:
            t += 1
            continue
    return t

class M:
    def __init__(self, name: str, log: list[str], sup: bool = False) -> None:
        self.name, self.log, self.sup = name, log, sup
    def __enter__(self) -> str:
        self.log.append("+" + self.name)
        return self.name
    def __exit__(self, t, v, tb) -> bool:
        self.log.append("-" + self.name + ("!" if v is not None else ""))
        return self.sup

@program("statements: several managers", (0,), (1,))
def sm(n: int) -> list[str]:
    log: list[str] = []
    with M("a", log, True) as a, M("b", log) as b:
        log.append(a + b)
        log.append(str(10 // n))
    log.append("after")
    with (M("c", log) as c, M("d", log),):
        log.append(c)
    try:
        with M("e", log), M("f", log):
            raise KeyError("k")
    except KeyError as e:
        log.append(str(e))
    return log

@program("statements: del everything", (3,))
def dele(n: int) -> list[int]:
    xs = list(range(10))
    d = {"a": 1, "b": 2}
    del xs[0], xs[-1], d["a"]
    del xs[1:3]
    del xs[::2]
    a = b = n
    del a, b
    a = 5
    return xs + [a, len(d)]

@program("statements: starred assignment", ([1, 2, 3, 4],), ([1],))
def sta(xs: list[int]) -> str:
    a, *b = xs
    *c, d = xs
    e, *f, g = [*xs, 9, 8]
    (h, *i), j = xs + [7], "z"
    first, (k, *_) = 1, "abc"
    *t, = xs
    for p, *q in [(1, 2, 3), (4, 5, 6)]:
        a += p + len(q)
    return str((a, b, c, d, e, f, g, h, i, j, first, k, t))

@program("statements: walrus", ([1, 2, 3, 4],))
def wal(xs: list[int]) -> str:
    ys = [y for x in xs if (y := x * x) > 2]
    n = 0
    while (n := n + 1) < 5:
        pass
    if (m := len(ys)) > 2 and (k := m * 2) > 3:
        n += k
    return str(ys) + str(y) + str(n) + str(m) + str(any((last := v) > 2 for v in xs)) + str(last)

def eff(log: list[str], s: str, v: int) -> int:
    log.append(s)
    return v

@program("statements: chained comparison effects", (1, 2, 3), (3, 2, 1), (1, 3, 2))
def cce(a: int, b: int, c: int) -> list[str]:
    log: list[str] = []
    r = eff(log, "a", a) < eff(log, "b", b) <= eff(log, "c", c) != eff(log, "d", 5)
    log.append(str(r))
    log.append(str(a < b > c == c in [c]))
    return log

@program("statements: augmented order", (2,))
def augo(n: int) -> str:
    log: list[str] = []
    xs = [1, 2, 3]
    def idx(i: int) -> int:
        log.append("i" + str(i))
        return i
    def val(v: int) -> int:
        log.append("v" + str(v))
        xs[1] = 50
        return v
    xs[idx(1)] += val(n)
    d = {"a": [1]}
    d["a"] += [n]
    d["a"][idx(0)] *= val(3)
    return str(xs) + str(d) + ",".join(log)

@program("statements: assert message", (1,), (-1,), (0,))
def asm(n: int) -> int:
    assert n, "zero"
    assert n > 0, f"neg {n}"
    return n

class AppError(Exception):
    pass
class CodeError(AppError):
    def __init__(self, code: int, msg: str) -> None:
        super().__init__(msg)
        self.code = code
        self.msg = msg

@program("statements: raise from and cause", (0,), (1,), (2,))
def rfc(n: int) -> str:
    try:
        try:
            if n == 0:
                raise KeyError("k")
            if n == 1:
                raise CodeError(7, "m")
            return "no"
        except KeyError as e:
            raise AppError("wrapped", n) from e
        except CodeError as e:
            raise AppError("w2") from None
    except AppError as e:
        return str(e) + str(e.args) + type(e).__name__
    finally:
        print("fin")



@program("statements: custom exception attributes", (3,))
def cea(n: int) -> int:
    try:
        raise CodeError(n, "x")
    except CodeError as e:
        return e.code + len(e.msg) + len(str(e))

@program("statements: exception hierarchy and bare raise", (0,), (1,), (2,))
def exh(n: int) -> str:
    out = ""
    try:
        try:
            if n == 0:
                [1][5]
            elif n == 1:
                {}["q"]
            else:
                int("zz")
        except LookupError as e:
            out += "L" + type(e).__name__
            raise
        except (ValueError, TypeError) as e:
            out += "V" + str(e)
    except IndexError:
        out += "I"
    except Exception as e:
        out += "E" + repr(e)
    return out

LIMIT = 10
TABLE = (1, 2, 3)

@program("statements: global reading", (3,))
def glob(n: int) -> int:
    global_sum = sum(TABLE)
    return LIMIT * n + global_sum

@program("statements: global statement reading", (3,))
def globs(n: int) -> int:
    global LIMIT
    return LIMIT + n

@program("statements: multiple targets order", (3,))
def mto(n: int) -> str:
    xs = [0, 0, 0]
    i = 0
    i = xs[i] = 2
    i, xs[i] = 1, 9
    a = b = c = [n]
    a.append(1)
    x, y = y, x = 1, 2
    return str(xs) + str(i) + str(b is c) + str(len(c)) + str((x, y))

@program("statements: loop else return in try", ([1, 2, 3],), ([5],))
def ler(xs: list[int]) -> int:
    for x in xs:
        try:
            if x == 2:
                return x * 100
        finally:
            xs.append(0) if len(xs) < 6 else None
    else:
        return -1
    return -2

@program("statements: try else with return and loop", (0,), (2,), (5,))
def telr(n: int) -> str:
    out = ""
    for i in range(n, -1, -1):
        try:
            v = 10 // i
        except ZeroDivisionError:
            out += "z"
            break
        else:
            if v > 4:
                continue
            out += str(v)
        finally:
            out += "."
    return out

@program("statements: with return and continue", (3,))
def wrc(n: int) -> list[str]:
    log: list[str] = []
    for i in range(n):
        with M(str(i), log):
            if i == 0:
                continue
            if i == 1:
                log.append("one")
                break
    return log

@program("statements: except star refused no", (3,))
def partials(n: int) -> int:
    add = lambda a, b: a + b
    inc = functools.partial(add, 1)
    return inc(n)

@program("statements: tensor in exception", (3,))
def tie(n: int) -> str:
    try:
        raise ValueError(f"bad {n}")
    except ValueError as e:
        s = str(e)
    return s

@program("statements: kwargs order of evaluation", (3,))
def koe(n: int) -> list[str]:
    log: list[str] = []
    def f(a: int, b: int = 0, *, c: int = 0) -> int:
        return a * 100 + b * 10 + c
    r = f(eff(log, "x", 1), c=eff(log, "y", 2), b=eff(log, "z", 3))
    log.append(str(r))
    return log

def scale(x: int, by: int, plus: int = 0) -> int:
    return x * by + plus

@program("statements: partials in containers", (3,))
def partials2(n: int) -> list[int]:
    fs = [functools.partial(scale, by=n), functools.partial(scale, plus=1, by=2)]
    ps = []
    for i in range(3):
        ps.append(functools.partial(scale, i, 10))
    return [f(5) for f in fs] + [p() for p in ps] + [p(plus=4) for p in ps] + list(map(functools.partial(scale, 2), [1, 2]))

@program("statements: stored functions that catch keywords", (3,))
def skw(n: int) -> list[int]:
    fs = [lambda a, **kw: a + sum(kw.values()) + n, lambda *a, **kw: len(a) * 100 + kw.get("z", 7)]
    return [f(1, z=2, y=3) for f in fs] + [f(5) for f in fs]
