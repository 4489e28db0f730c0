"""What conditions and values choose: operands of `and` and `or`, the iterables of loops, the classes that are asked for."""

# ruff: noqa
from __future__ import annotations

from collections import Counter
from typing import Optional, Type

from language_rows import of_row
from oracle import program

of_row("python answers")

class Link:
    def __init__(self, value: int, next: Optional[Link] = None):
        self.value = value
        self.next = next

@program("a and b or c is never a false operand of and", ([1, 2], {}, "a"), ([], {"a": 4}, "a"), ([0], {}, "b"))
def last_or(xs: list[int], d: dict[str, int], key: str) -> int:
    return xs and xs[-1] or d.get(key) or -1

@program("conditions before or take the type of what comes last", (True, [2], "q", 3), (False, [], "", None),
         (True, [1], "", 0))
def picked(flag: bool, xs: list[int], s: str, n: Optional[int]) -> list[str]:
    link = Link(n, Link(7)) if n else None
    answer: str = flag and "yes" or "no"
    size: int = xs and len(xs) or 3
    big: str = flag and xs and xs[0] > 1 and "big" or "small"
    first: str = s and s[0] or xs and str(xs[0]) or "?"
    behind: int = link and link.next and link.next.value or -1
    known: bool = link is not None and link.value > 2 or len(xs) > 3
    sign = n is not None and n > 0 and (lambda: n * 2) or (lambda: -1)
    return [answer, str(size), big, first, str(behind), str(known), str(sign())]

of_row("loops")

@program("loops over a view or something else", ({"a": 1}, True), ({"b": 2}, False), (None, True), ({}, False))
def chosen_views(d: Optional[dict[str, int]], flag: bool) -> list[str]:
    out = [f"{k}{v}" for k, v in (d.items() if d else [("none", 0)])]
    for k in (d.keys() if d is not None else ()):
        out.append(k)
    for v in (d.values() if d is not None and flag else d.keys() if d else "ab"):
        out.append(str(v))
    if d is not None:
        out += [str(sum(d.values() if flag else [1])), str(sorted(d.items() if flag else [("q", 1)])),
                ",".join(d.keys() if flag else "xy"), str(dict(d.items() if flag else [("z", 1)]))]
        try:
            for k, v in (d.items() if flag else []):
                d["new" + k] = v
        except RuntimeError as e:
            out.append(str(e))
    return out

of_row("generators")

@program("generator expressions that are kept over zip of rows", ([[1, 2], [3, 4]], ["abc", "xy"]), ([], []))
def kept_columns(rows: list[list[int]], words: list[str]) -> list[str]:
    sums = (sum(column) for column in zip(*rows))
    letters = zip(*(iter(word) for word in words))
    pairs = zip(*[(row[0], row[-1]) for row in rows])
    found = [str(next(sums, None)), str(list(sums)), str(next(pairs, ())), *["".join(each) for each in letters]]
    return found + [str(Counter(" ".join(each) for each in zip(*(words[i:] for i in range(2)))))]

of_row("with")

class Swallowing:
    def __init__(self, kinds=()):
        self.kinds = kinds
        self.caught: Optional[BaseException] = None

    def __enter__(self):
        return self

    def __exit__(self, kind, error, traceback):
        if kind is not None and issubclass(kind, self.kinds):
            self.caught = error
        return isinstance(error, self.kinds)

class Lost(LookupError):
    pass

@program("managers that swallow classes given to them", (0,), (1,), (7,))
def swallowed(n: int) -> str:
    with Swallowing(ZeroDivisionError) as first:
        1 // n
    with Swallowing((Lost, KeyError)) as second:
        if n == 1:
            raise Lost("way")
        {}[n]
    with Swallowing() as third:
        [][n:] if n < 7 else [][n]
    return f"{first.caught!r} {second.caught!r} {third.caught!r}"

of_row("try")

class Base(Exception):
    pass

class Left(Base):
    pass

class Right(Base):
    pass

class Retry:
    def __init__(self, kind: Type[Exception] = ValueError, times: int = 2):
        self.kind = kind
        self.times = times

    def run(self, f) -> str:
        for i in range(self.times):
            try:
                return f(i)
            except self.kind as error:
                last = f"{type(error).__name__}: {error}"
        return "gave up: " + last

@program("except with a class that an attribute, a dict or a loop gives", (0, "left"), (1, "right"), (5, "base"))
def caught_by_value(n: int, name: str) -> list[str]:
    kinds = {"left": Left, "right": Right, "base": Base}
    out = []
    for kind in (Left, Right, KeyError):
        try:
            raise kinds[name](n)
        except kind as error:
            out.append(f"{kind.__name__} got {error}")
        except Exception as error:
            out.append(f"{kind.__name__} missed {error!r} {[isinstance(error, each) for each in (Left, Right, Base)]}")
    for call, kind in [(lambda: 1 // n, ZeroDivisionError), (lambda: [1][n], IndexError), (lambda: int("x"), ValueError)]:
        try:
            out.append(str(call()))
        except kind as error:
            out.append(f"{kind.__name__} {issubclass(type(error), kind)} {issubclass(type(error), (KeyError, ArithmeticError))}")

    def once(i: int) -> str:
        return {1: "one"}[i + n]

    def picky(i: int) -> str:
        if i < n:
            raise ValueError(i)
        return "ok"

    return out + [Retry(KeyError).run(once), Retry(times=1).run(picky)]

of_row("inheritance")

@program("issubclass of a class that an index or a loop gives", (0,), (1,))
def below(n: int) -> list[str]:
    pick = [Left, KeyError][n]
    found = [each.__name__ for each in (Left, Right, Retry) if issubclass(each, Base)]
    return found + [str(issubclass(pick, Base)), str(issubclass(pick, (int, LookupError)))]
