"""Values of several types: loops and consumers over Unions of containers, match over them, and what takes in wider ones."""
# ruff: noqa: B007, C416, D105, PERF402 - written as users write it

from __future__ import annotations

from dataclasses import asdict, astuple, dataclass, field
from typing import Any, NamedTuple, Optional, Union

from language_rows import of_row
from oracle import program

of_row("loops")


@program("a loop over one of four kinds of containers", ([1, 3, 2],), ((4, 9, 5),), ({5},), ({1: "a", 2: "b"},))
def any_container(x: Union[list[int], tuple[int, ...], set[int], dict[int, str]]) -> list[int]:
    out: list[int] = []
    for i, v in enumerate(x):
        if v == 3:
            continue
        if v == 9:
            break
        out.append(v * 10 + i)
    else:
        out.append(-1)
    return out


@program("items of several containers have several types", ([1, 2],), (["a"],), ("xy",), ("",))
def any_items(x: Union[list[int], list[str], str]) -> str:
    out = ""
    for v in x:
        out += str(v) + type(v).__name__[0]
    return out + "|".join(str(v) for v in x)


@program("a container of several kinds that changes in its loop", ({"a": 1},), (["q", "r"],), ({"bad": 1},))
def changed_in_loop(x: Union[dict[str, int], list[str]]) -> list[str]:
    out: list[str] = []
    for k in x:
        out.append(k)
        if isinstance(x, dict):
            if k == "bad":
                x["new"] = 1
        elif len(x) < 4:
            x.append(k + k)
    return out


def first_above(x: Union[list[int], set[int]], limit: int) -> int:
    for v in x:
        if v > limit:
            return v
    return -1


def both_signs(x: Union[list[int], set[int]]):
    for v in x:
        yield v
        yield -v


@program("a return and a yield in a loop over several kinds", ([1, 2, 3],), ([1],), ([],))
def left_early(a: list[int]) -> tuple[list[int], list[int]]:
    made = both_signs(a)
    return [first_above(a, 2), first_above(set(a), 0)], [next(made, 7), *made, *both_signs(set(a))]


of_row("builtins")


@program("builtins that consume one of several kinds", ([3, 1],), ({2},), ({4: 5.0},))
def consumed(x: Union[list[int], set[int], dict[int, float]]) -> tuple[list[list[int]], list[int], bool]:
    lists = [sorted(x), list(x), [y * 2 for y in x if y > 1], [*x, 9], list(map(abs, x))]
    return lists, [sum(x), max(x), len(x), sum(y * y for y in x)], any(y == 3 for y in x)


@program("an iterator over one of several kinds", ([1, -2],), ((3, 0),))
def one_by_one(x: Union[list[int], tuple[int, ...]]) -> list[int]:
    it = iter(x)
    return [next(it), *it, *filter(None, x)]


@program("in, for containers and texts", ([1, 2], "abc"), ({1}, ["b"]), ([], {"a": 0}))
def sought(x: Union[list[int], set[int]], y: Union[str, list[str], dict[str, int]]) -> tuple[bool, bool]:
    return 1 in x, "a" in y


@program("sum of tuples", ([(1, 2), (3,)], (9,)), ([], ()))
def summed_tuples(v: list[tuple[int, ...]], start: tuple[int, ...]) -> list[tuple[int, ...]]:
    return [sum(v, ()), sum(v, start=()), sum(v, start), sum((t[1:] for t in v), ()), sum(v, (1, 2))]


class Pair(NamedTuple):
    x: int
    y: str


@program("sum of tuples with parts of several types", ((1, "a"), [4, 5]), ((2, ""), []))
def summed_parts(a: tuple[int, str], v: list[int]) -> list[str]:
    sums = [str(sum([a, a], ())), str(sum([a], (2.5,))), str(sum((Pair(i, "b") for i in v), ()))]
    return [*sums, str(sum([(), ()], ()))]


of_row("dict methods")


@program("update of a dict from narrower ones", ({"y": 2}, {"z": "t"}), ({}, {}))
def updated(b: dict[str, int], c: dict[str, str]) -> dict[str, Union[int, str]]:
    a: dict[str, Union[int, str]] = {"x": "s"}
    a.update(b)
    a.update(c)
    a.update({"q": "r"}, k=3)
    a.update([("z", 1)])
    return a


@program("update of a dict of anything and of Optionals", ({"y": 2},), ({},))
def updated_open(b: dict[str, int]) -> tuple[dict[str, Any], dict[str, Optional[int]]]:
    a: dict[str, Any] = {"x": "s"}
    c: dict[str, Optional[int]] = {"n": None}
    a.update(b)
    a.update(k=[1], m=2)
    c.update(b)
    return a, c


of_row("match")


@program(
    "match narrows the variable that is matched",
    (1,), ("a",), ("",), ([3],), ([],), (None,), ((4, 5),), ({"k": 6},), ({},),
)  # fmt: skip
def matched(x: Union[int, str, list[int], tuple[int, int], dict[str, int], None]) -> str:
    match x:
        case None:
            return "none"
        case int():
            return f"{x + 1}"
        case str() if x != "":
            return x.upper()
        case [a, b]:
            return f"two {a} {b}"
        case [a, *rest]:
            return f"{a} {rest}"
        case {"k": v}:
            return f"{v} {len(x)}"
        case _:
            return "rest"


@program("match whose case stores into the variable that is matched", (3,), ("a",))
def stored_in_case(x: Union[int, str]) -> str:
    match x:
        case int() as n:
            x = str(n) * 2
        case str():
            x += "!"
    return x


of_row("formatting")


class Money:
    def __init__(self, cents: int) -> None:
        self.cents = cents

    def __format__(self, spec: str) -> str:
        return f"<{spec}{self.cents}>"

    def __str__(self) -> str:
        return "money"


@program("str.format asks __format__ without a specification", (3,))
def formatted(n: int) -> str:
    m = Money(n)
    return "{} {:x} {!s:>6} {k}".format(m, m, m, k=m)


of_row("operators")


def grown(v: list[int]) -> list[str]:
    v.append(7)
    return ["x"]


@program("lists of several types added", ([1], ["q"], [2, "w"]), ([], [], []))
def added_lists(a: list[int], b: list[str], c: list[Union[int, str]]) -> tuple[list[Any], list[list[Union[int, str]]]]:
    late = a + grown(a)
    wide = c + a
    wide.append("t")
    return [*late], [a + b, b + a + c, wide, c]


@program("dicts of several types joined", ({"x": 1}, {"x": "q", "y": "r"}, {1: None}), ({}, {}, {}))
def joined_dicts(a: dict[str, int], b: dict[str, str], c: dict[int, Optional[int]]) -> list[str]:
    return [str(a | b), str(b | a), str(a | c), str(c | {}), str(a | {"k": 2.5}), str(a)]


of_row("dataclasses")


@dataclass
class Part:
    x: int
    tags: Optional[list[str]] = None
    groups: dict[str, Optional[list[int]]] = field(default_factory=dict)
    either: Union[int, list[int], str] = 1


@dataclass
class Whole:
    first: Optional[Part]
    parts: list[Part] = field(default_factory=list)


@program("asdict and astuple of Optional and Union fields", (1, None), (0, ["z"]), (2, []))
def fields_copied(n: int, tags: Optional[list[str]]) -> list[str]:
    part = Part(n, tags, {"a": [1], "b": None}, [n] if n else "s")
    made = [str(asdict(Whole(part, [part, Part(2)]))), str(astuple(Whole(None))), str(astuple(part))]
    copied = asdict(part)
    if tags is not None:
        tags.append("new")
    part.groups["c"] = None
    return [*made, str(copied), str(part)]


of_row("calls")


def total(*numbers: int, scale: int = 1) -> int:
    return scale * sum(numbers) + len(numbers)


@program("a star whose items *args catches", ([1, 2], (3,)), ([], ()))
def caught(v: list[int], t: tuple[int, ...]) -> list[int]:
    some = [total(*v), total(1, *v, 2, scale=3), total(*t), total(*v, *t), total(*[1, 2], *v)]
    return [*some, total(*(x * x for x in v)), total(*set(v)), total(*range(3))]


def shown(*values) -> str:  # noqa: ANN002 - of any types
    return " ".join(str(each) for each in values)


def passed_on(*values) -> str:  # noqa: ANN002
    return shown("x", *values)


@program("a star of unknown length among other arguments", ([1, 2], {"k": 1}), ([], {}))
def among_others(v: list[int], d: dict[str, int]) -> list[str]:
    def more() -> int:
        v.append(9)
        return len(v)

    made = [shown(*v, "a", 1.5), passed_on(*v), shown(*d.items()), shown(*zip(v, v)), passed_on(*v, *["q"])]
    return [*made, shown(*v, more(), *v)]


def added_up(*numbers: int) -> int:
    return numbers[0] + added_up(*numbers[1:]) if numbers else 0


class Sum:
    def __init__(self, *parts: int) -> None:
        self.parts = parts

    def plus(self, *more: int) -> Sum:
        return Sum(*self.parts, *more)


def each_of(*items: int):
    for item in items:
        yield item


@program("a star of unknown length to methods, closures, generators, itself", ([1, 2, 3],), ([],))
def caught_elsewhere(v: list[int]) -> tuple[int, tuple[int, ...], int, list[int]]:
    k = 2

    def inner(first: int, *rest: int) -> int:
        return k * sum(rest) + first

    return added_up(*v), Sum(*v).plus(*v).plus(7).parts, inner(1, *v), list(each_of(*v, 4))
