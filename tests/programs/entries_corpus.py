"""Entry points called as Python calls functions: `*args`, defaults of every type; `*` and `**` of what is known at run
time only; ends without a return; streams."""
# ruff: noqa
from __future__ import annotations

import math
import sys
from enum import Enum
from typing import AbstractSet, Any, Collection, Container, Iterable, NamedTuple, Optional, Sequence, Union

from language_rows import of_row
from oracle import T, program
from tsm import Tensor, nn

of_row("calls")


class Shade(Enum):
    DARK = "d"
    LIGHT = "l"


class Extent(NamedTuple):
    wide: int
    high: int = 1


@program("an entry point with *args", (), (4,), (1, 2, 3), (True,))
def weighted(*values: int) -> int:
    return sum(place * value for place, value in enumerate(values, 1))


@program("*args behind parameters and before keyword-only ones", ("a",), ("b", 1.0), ("c", 1.0, 2.5, -3.0))
def spread_of_values(label: str, first: float = 0.5, *values: float, digits: int = 1) -> str:
    if not values:
        return f"{label}:{first}"
    return f"{label} {min(values):.{digits}f} {max(first, *values):.{digits}f} {len(values)}"


@program("*args of an entry point passed on, also to itself", (3,), (2, 5), (0, 1, 2))
def handed_down(depth: int, *found: int) -> tuple[int, ...]:
    return tuple(sorted(found)) if depth == 0 else handed_down(depth - 1, *found, depth)


@program("*args of several types", (), (1, "a", None), ([1], {"b": 2.5}))
def kinds(*things: Any) -> list[str]:
    return [f"{type(thing).__name__}={thing}" for thing in things]


@program("a list as the default of an entry point", (1,), (2, []), (3, [4, 5]))
def offset(x: int, by: list[int] = [10, 20]) -> int:
    for each in by:
        x += each
    return x


@program("a dict of tuples as a default", ("ab",), ("zz",), ("q", {"q": (0, 1.5)}))
def priced(word: str, table: dict[str, tuple[int, float]] = {"a": (1, 0.5), "b": (2, 0.25)}) -> float:
    return sum((table[letter][0] * table[letter][1] for letter in word if letter in table), 0.0)


@program("a frozenset as a default, and returned", ("the cat",), ("the cat", frozenset(["cat"])))
def stopped(text: str, stop: frozenset[str] = frozenset({"the", "a"})) -> tuple[list[str], frozenset[str]]:
    return [word for word in text.split() if word not in stop], stop


WEEKEND = frozenset(("sat", "sun"))


@program("a frozenset of the module is returned", (True,), (False,))
def days_off(is_short: bool) -> frozenset[str]:
    return WEEKEND if not is_short else frozenset(["sun"])


@program("defaults of Unions and Any", (1,), (1, "z"), (2, 3, [1]), (2, None, "s"), (0, None, None, 7))
def loose(n: int, unit: Union[int, str, None] = "m", more: Any = None, scale: Union[int, float] = 2) -> str:
    return f"{n * scale}{unit}" + ("" if more is None else f" {more}")


@program("constants in front of a default that is none", (), (5,), (5, Shade.LIGHT), (1, Shade.DARK, Extent(3), {1}))
def chosen(n: int = 2, shade: Shade = Shade.DARK, size: Extent = Extent(4, 5), skip: set[int] = {3}) -> str:
    return f"{n} {shade.value} {size.wide * size.high} {[i for i in range(n) if i not in skip]}"


@program("a module's method with *args and a list as default", (T([[1.0, 2.0]]),), (T([[1.0, 2.0]]), [0, 1], T([1.0])))
class Flipping(nn.Module):
    def forward(self, x: Tensor, dims: list[int] = [1], *more: Tensor) -> Tensor:
        for dim in dims:
            x = x.flip(dim)
        for each in more:
            x = x + each
        return x


@program("** of run-time keys to a function with **kwargs", ({},), ({"a": 1},), ({"z": 2, "b": 3},), ({"k": 1},))
def described(options: dict[str, int]) -> list[str]:
    def shown(name: str, /, a: int = 5, *rest: int, b: int = 6, **others: int) -> str:
        listed = ",".join(f"{key}={value}" for key, value in others.items())
        return f"{name} {a} {rest} {b} {listed}"

    try:
        return [shown("p", **options), shown("q", 1, 2, **options), shown("r", k=0, **options), str(kept(1, **options))]
    except TypeError as error:
        return [str(error).partition(".")[2]]


def kept(x: int, **scales: float) -> float:
    scales["end"] = 0.5
    return x + sum(scales.values()) + len(scales)


@program("gcd and lcm of a list", ([],), ([4],), ([12, 18, 30],))
def divisors(xs: list[int]) -> tuple[int, int, int]:
    return math.gcd(*xs), math.lcm(*xs), math.gcd(60, *xs)


@program("methods of sets with * of a list", ([{1, 2}, {2, 3}],), ([{1}],), ([set()],), ([],))
def together(sets: list[set[int]]) -> list[list[int]]:
    changed = {1, 2, 9}
    changed.update(*sets)
    left = {1, 2, 3}
    left.difference_update(*sets)
    joined = [set().union(*sets), {9}.intersection(*sets), frozenset([1, 7]).difference(*sets), changed, left]
    return [sorted(each) for each in joined] + [sorted(set.union(*sets)), sorted(set.intersection(*sets))]


of_row("formatting")


@program("str.format with * of a list", ([1, 2],), ([3, 4, 5],), ([],))
def spread_text(xs: list[int]) -> str:
    line = ("{:>3}|" * len(xs)).format(*xs)
    return line + "{0}-{1}{end}".format(*xs, end="!")


of_row("loops")


@program("a function that ends without a return gives None", ("+",), ("-",), ("?",))
def found_or_none(op: str) -> str:
    result = applied(op, 5, 2)
    return f"{result} {applied('+', 1, 1) + 1}"


def applied(op: str, a: int, b: int) -> int:
    if op == "+":
        return a + b
    elif op == "-":
        return a - b


@program("an entry point ends without a return", ([3, 8],), ([],), ([1],))
def first_large(xs: list[int]) -> int:
    for x in xs:
        if x > 2:
            return x


@program("a function in a function ends without a return", (1,), (4,))
def inner_end(n: int) -> int:
    def large(k: int) -> int:
        if k > 2:
            return k

    return (large(n) or 0) + 1


of_row("match")


@program("cases for every length of a list need no other", ([],), ([1],), ([1, 2, 3],))
def by_length(xs: list[int]) -> str:
    match xs:
        case []:
            return "none"
        case [x] if x > 5:
            return "one large"
        case [x, *others]:
            return f"{x} and {len(others)}"


@program("lengths in alternatives", (["a"],), (["a", "b"],), (["a", "b", "c"],), ([],))
def by_lengths(words: list[str]) -> str:
    match words:
        case [] | [_]:
            return "few"
        case [first, last] | [first, *_, last] as whole:
            return f"{first}{last}{len(whole)}"


of_row("raise")


@program("sys.stdout.write, and texts for sys.stderr", ([],), (["a", "bé"],))
def written(lines: list[str]) -> int:
    count = sum(sys.stdout.write(line + "\n") for line in lines)
    sys.stdout.writelines(lines)
    sys.stdout.flush()
    print("count", count, sep="=", file=sys.stderr)
    print(*lines, sep=", ", file=sys.stderr, end="")
    sys.stderr.write("done\n")
    put = sys.stdout.write
    return put("end") + count


of_row("try")


class Upper(Exception):
    pass


class Lower(Upper):
    pass


@program("__class__ of an exception of a class or one below it", (0,), (1,), (2,))
def class_of(which: int) -> str:
    try:
        if which == 0:
            raise Upper("u")
        if which == 1:
            raise Lower("l")
        raise KeyError("k")
    except Upper as error:
        return f"{error.__class__.__name__} {error.__class__ is Lower}"
    except LookupError as error:
        return error.__class__.__name__


of_row("abstract types")


@program("entry points with an Iterable take lists, tuples and sets", ([2.0, 1.0], ["b", "a"]), ((3.0,), {"c"}), (frozenset({0.5}), ()))
def iterables(xs: Iterable[float], names: Iterable[str]) -> tuple[float, str, list[tuple[float, str]], list[float]]:
    total, low = 0.0, min(xs)
    for x in xs:
        total += x
    more = [*xs]
    more.extend(xs)
    return total - low, ",".join(sorted(names)), list(zip(xs, names)), more


@program("entry points with an abstract Set, a Collection or a Container", ({1, 2}, [2, 3], ()), (frozenset({1}), {1, 5}, [1]))
def collections_given(some: AbstractSet[int], more: Collection[int], held: Container[int]) -> list[str]:
    both = some & set(more)
    return [str(len(more)), repr(sorted(both)), str(1 in held), str(some <= set(more)), str(max(more))]


@program("entry points with a Sequence of texts take a text", ("abcde", "ace"), (["a", "b"], ("b", "c")), ("", ["x"]))
def common_texts(a: Sequence[str], b: Sequence[str]) -> tuple[int, str, list[str], bool]:
    rows = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, x in enumerate(a):
        for j in range(len(b)):
            rows[i + 1][j + 1] = rows[i][j] + 1 if x == b[j] else max(rows[i][j + 1], rows[i + 1][j])
    return rows[-1][-1], "-".join(a), [*b[:2], *reversed(a)], "b" in a
