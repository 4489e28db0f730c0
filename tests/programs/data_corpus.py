"""Sets, dicts, text and `match`: the data side of the language."""

# ruff: noqa: C401, C414, F507, F524, PERF401, PIE810, UP031, UP032, SIM118
from __future__ import annotations

import math
from typing import Optional, Union

from language_rows import of_row
from oracle import program

# ---- Sets


of_row("sets")


@program("set display, add, in, len, for", ({1, 2}, 3), ({5}, 5), (set(), 1))
def set_basics(x: set[int], y: int) -> tuple[set[int], bool, int]:
    x.add(y)
    total = 0
    for item in {1, 2, y}:
        total += item
    return x, y in x, total


@program("set operators and augmented ones", ({1, 2, 3}, {2, 3, 4}), ({1}, set()), (set(), {9}))
def set_operators(a: set[int], b: set[int]) -> list[set[int]]:
    c = a | b
    c -= {3}
    a &= b
    d = c ^ b
    d |= a
    return [c, d, a - b]


@program("order of sets is inclusion", ({1}, {1, 2}), ({1, 2}, {1, 2}), ({3}, {1}))
def set_order(a: set[int], b: set[int]) -> tuple[bool, bool, bool, bool, bool]:
    return a <= b, a < b, a >= b, a == b, a.isdisjoint(b)


@program("set comprehension and constructor from iterables", ([1, 2, 3],), ([],))
def set_makers(x: list[int]) -> tuple[set[int], int, list[int]]:
    doubled = {e * 2 for e in x if e > 1}
    letters = set("aab")
    return doubled | set(x) | set(range(2)), len(letters), sorted(doubled, reverse=True)


of_row("formatting")


@program("remove, discard, pop and clear", ({1, 2}, 2), ({1}, 7), (set(), 0))
def set_removals(x: set[int], y: int) -> int:
    x.discard(100)
    x.remove(y)
    first = x.pop()
    x.clear()
    return first + len(x)


of_row("sets")


@program("a set resized while it is iterated", ({1, 2}, True), ({1, 2}, False))
def set_resized(x: set[int], grows: bool) -> int:
    seen = 0
    for item in x:
        seen += 1
        if grows:
            x.add(item + 50)
    return seen


@program("set methods take any iterable", ({1, 2}, [2, 3]), (set(), []))
def set_iterables(x: set[int], y: list[int]) -> tuple[set[int], bool]:
    x.update(y, (7, 8))
    both = x.union(y, range(3)).intersection({0, 1, 2, 7})
    x.difference_update([7])
    return both, x.issuperset(y)


@program("sets of tuples as dict values", ([(1, "a"), (2, "b"), (1, "c")],), ([],))
def grouped(pairs: list[tuple[int, str]]) -> dict[int, set[tuple[int, str]]]:
    out: dict[int, set[tuple[int, str]]] = {}
    for key, name in pairs:
        out.setdefault(key, set()).add((key, name))
    return out


@program("one set under two names, and its copy", ({1},))
def set_alias(x: set[int]) -> tuple[set[int], set[int]]:
    y, z = x, x.copy()
    y.add(2)
    return x, z


@program("sum, min, max, any and all over sets", ({3, 1, 2},), ({0},), (set(),))
def set_consumers(x: set[int]) -> tuple[int, bool, bool, int, int]:
    return sum(x), any(x), all(e > 0 for e in x), max(x), min(x)


# ---- Dicts


of_row("dict methods")


@program("dict displays with ** and the operators | and |=", ({"a": 1}, {"b": 2}), ({"b": 5}, {"b": 2}))
def merged(a: dict[str, int], b: dict[str, int]) -> list[dict[str, int]]:
    c = {**a, "z": 3, **b}
    c |= {"q": 9}
    return [c, a | b, {**a}]


@program("popitem to the end", ({"a": 1, "b": 2, "c": 3},), ({},))
def drained(d: dict[str, int]) -> list[str]:
    out: list[str] = []
    while True:
        key, value = d.popitem()
        out.append(key * value)
        d.pop("a", 0)


@program("dict of pairs, of zip, with keywords, fromkeys", (["x", "y", "x"],), ([],))
def dict_makers(k: list[str]) -> tuple[dict[str, int], dict[str, int], dict[str, float]]:
    return dict(zip(k, range(5))), dict([("a", 1)], b=2), dict.fromkeys(k, 1.5)


of_row("comprehensions")


@program("dict comprehension over two generators with a condition", (3,), (0,))
def dict_grid(n: int) -> dict[tuple[int, int], int]:
    return {(i, j): i * j for i in range(n) for j in range(n) if i != j}


# ---- Formatting


of_row("formatting")


@program(
    "f-strings with specifications", (65, 2.5, "hé", 7), (1234567, 1e300, "", 0), (97, -0.0, "x" * 9, 3), (-5, math.nan, "q", 3)
)
def f_strings(x: int, y: float, s: str, w: int) -> str:
    return f"{x:5d}|{y:.3f}|{s:>{w}}|{s!r:10}|{x=}|{y=:.2e}|{x:#x}|{x:,}|{y:+010.2f}|{s!a}|{x:c}|{y:%}|{{}}"


@program("str.format by number, by name, by index, nested", (1, 2.5, "a"), (-7, math.inf, ""))
def str_format(x: int, y: float, s: str) -> str:
    return "{} {}".format(x, y) + "{0:>{1}d}{0!r}{name:.2f}{2[0]}{{".format(x, 6, [s], name=y)


@program("str.format that runs out of arguments", (1,))
def short_format(x: int) -> str:
    return "{0} {1}".format(x)


@program("% with every kind of conversion", (65, 2.5, "hé"), (0, -1e300, ""), (97, math.inf, "long text"))
def percent(x: int, y: float, s: str) -> str:
    return "%d %5.2f|%-6s|%r %% %c %x %#o %+d %e %g %s" % (x, y, s, s, x, x, x, x, y, y, [x]) + "%(a)05d" % {"a": x}


@program("% with widths from the values", (5, 2, 3.14159), (-8, 0, -1.0))
def percent_star(w: int, p: int, y: float) -> str:
    return "[%*.*f]" % (w, p, y)


@program("% with too few values and with too many", (True,), (False,))
def percent_count(few: bool) -> str:
    if few:
        return "%d %d" % (1,)
    return "%d" % (1, 2)


@program("a specification that does not fit the value", ("d",), ("x",), (".2f",), ("q",))
def wrong_spec(spec: str) -> str:
    return format("text", spec)


@program("format fields are evaluated in turn", (3,))
def in_turn(n: int) -> str:
    return f"{said(n):{said(n + 2)}d}{said(1)}"


def said(n: int) -> int:
    print("said", n)
    return n


# ---- str methods, numbers


of_row("str methods")


@program("partition and rpartition", ("a,b,c",), ("",))
def parted(s: str) -> tuple[str, str, str]:
    a, b, c = s.partition(",")
    print(a, b, c)
    return s.rpartition(",")


@program("affixes of several kinds", ("abc",), ("xbc",), ("",))
def affixes(s: str) -> list[str]:
    found = [str(s.startswith(("a", "b"))), str(s.endswith("bc", 1)), s.removeprefix("a"), s.removesuffix("bc")]
    return [*found, s.center(9, "*"), s.zfill(5)]


@program("find, rfind, index and rindex with bounds", ("banana", "an"), ("banana", "x"))
def finders(s: str, part: str) -> list[int]:
    return [s.find(part, 2), s.rfind(part, 0, 4), s.count(part, -3), s.rindex(part)]


@program("lines and words", ("a b\nc  d\r\n e",), ("",))
def lines(text: str) -> list[list[str]]:
    return [line.rsplit(None, 1) for line in text.splitlines()]


@program("case and character questions", ("Hello World",), ("ABC9",), ("",))
def cases(s: str) -> tuple[str, str, str, bool, bool, bool]:
    return s.swapcase(), s.title(), s.capitalize(), s.isalpha(), s.isupper(), s.isascii()


of_row("builtins")


@program("int in a base", ("ff", 16), ("0b11", 0), ("zz", 10))
def in_base(text: str, base: int) -> int:
    return int(text, base) + int("11", base=2)


@program("pow with a modulus", (3, 4, 5), (3, -1, 7), (2, -1, 4), (5, 2, 0))
def modular(a: int, b: int, m: int) -> int:
    return pow(a, b, m)


@program("round to tens, and texts in bases", (1250,), (-77,))
def rounded(n: int) -> tuple[int, int, str, str, str, int]:
    return round(n, -2), round(n, 1), hex(n), oct(n), bin(n), n.bit_length()


of_row("math")


@program("counting with math", (5, 2), (3, 9), (-1, 1))
def counted(n: int, k: int) -> tuple[int, int, int, int, bool]:
    return math.perm(n, k), math.comb(n, k), math.factorial(n), math.isqrt(n), math.isclose(n, k, rel_tol=0.5)


# ---- match


of_row("match")


@program(
    "match on classes, literals, sequences and a wildcard",
    (1,), (11,), ("s",), ([1, 2, 3],), ([],), (None,), ([4],), (5,),
)
def kinds(x: Union[int, str, None, list[int]]) -> str:
    match x:
        case None:
            return "none"
        case 1 | 2 as k:
            return f"small {k}"
        case int(v) if v > 10:
            return f"big {v}"
        case str() as s:
            return s
        case [a, *rest, b]:
            return f"list {a} {rest} {b}"
        case []:
            return "empty"
        case _:
            return "other"


@program("match on tuples with alternatives that bind", ((0, 3),), ((4, 0),), ((2, 2),), ((9, 5),), ((1, 2),))
def points(y: tuple[int, int]) -> str:
    r = "plain"
    match y:
        case (0, z) | (z, 0):
            r = f"axis {z}"
        case (p, q) if p == q:
            return "diagonal"
        case (p, 5):
            r = f"five {p}"
    return r


@program("match on dicts in a loop with break, continue and else", ({"a": 1, "b": 5}, 3), ({"a": 7}, 2), ({}, 2))
def mappings(d: dict[str, int], n: int) -> int:
    total = 0
    for _ in range(n):
        match d:
            case {"a": 1, "b": v}:
                total += v
                d["a"] = 2
            case {"a": w}:
                total += w * 100
                break
            case _:
                continue
    else:
        total = -total
    return total


@program("match that binds nothing where it fails", (1, 2), (1, 3), (2, 2))
def bound_late(a: int, b: int) -> int:
    x = 100
    match (a, b):
        case (1, 3):
            x = 0
        case (2, x):
            pass
    return x


@program("match on strings, floats and singletons", ("go",), ("stop",), ("",), (None,))
def words(s: Optional[str]) -> tuple[int, str]:
    code = 0
    match s:
        case "go" | "run":
            code = 1
        case "stop":
            code = 2
        case None:
            code = 3
    match code > 1:
        case True:
            return code, "true"
        case False:
            return code, "false"
    return code, "neither"


of_row("builtins")


@program("complex arithmetic and its powers", (1j, 2 + 1j), (1j, 0j))
def complex_numbers(a: complex, b: complex) -> complex:
    c = a + b * 2
    return (c - a) / b**2
