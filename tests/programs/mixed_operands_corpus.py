"""Programs that put containers with elements of different types together, and call functions of different arities."""
# ruff: noqa: ANN001, ANN201, ANN202, E731 - written as users write it

from __future__ import annotations

import sys

from language_rows import of_row
from oracle import program

of_row("sets")


@program("set operators and questions on elements of several types", (2,), (5,))
def unlike_sets(n: int) -> list[str]:
    names, numbers = {"x", "y"}, {1, n}
    both = names | numbers
    lines = [f"{len(both)} {sorted(map(str, both))} {sorted(map(str, both - {'x'}))} {names & numbers}"]
    lines.append(f"{ {1, 2} & {1.0, 3.0} } { {1.0, 2.0} & {1, 2, 3} } { {1} | {1.0} } {sorted({1, 2} ^ {2.0, 3.5})}")
    lines.append(f"{frozenset([2]) & {2.0}} {names.isdisjoint(numbers)} {len({None} | numbers)}")
    lines.append(f"{numbers <= {1.0, 2.0, 3.0}} {numbers > {1.0}} {numbers < {1.0, 2.0}} {frozenset([1]) >= {True}}")
    return lines


of_row("functions as values")


@program("one of several functions that does not take so many arguments, builtins among them", (3,), (-2,))
def by_name(n: int) -> list[str]:
    table = {"add": lambda a, b: a + b, "max": max, "pow": pow, "abs": abs, "both": divmod}

    def apply(name, *args):
        try:
            return str(table[name](*args))
        except KeyError as error:
            return f"no {error}"
        except TypeError as error:
            return f"{error}".partition("<lambda>")[2] or str(error)

    calls = [apply("add", n, 1), apply("abs", n), apply("pow", 3, 2), apply("both", n, 2), apply("abs", n, 1)]
    return [*calls, apply("add", n), apply("both", n), apply("pow", n), apply("zz")]


of_row("more assignment")


@program("a slice takes what a text gives, in a list of more than texts", ([1, 2, 3], "ab"), ([], ""))
def letters_put_in(numbers: list[int], text: str) -> str:
    mixed = [*numbers, "end"]
    mixed[1:2] = text
    mixed[:0] = text[:1]
    return repr(mixed)


of_row("operators")


@program("displays of numbers of different types are compared as they are", (1,), (2,))
def number_displays(n: int) -> list[bool]:
    big = 2**53
    rows = [[n, True] == [True, 1.0], {1: {2: n}} == {1: {2: 2.0}}, [1.0] == [n, True], [[], [1.0]] == [[], [n]]]
    return [*rows, [float(big)] == [big + n], {n: float(big)} != {n: big + 1}, [n, False] != [1.0, 0.0]]


of_row("list methods")


@program("count and index of what no element's type is", ([1, 2],), ([],))
def of_other_types(xs: list[int]) -> tuple[list[int], list[int], str]:
    counts = [xs.count("a"), xs.count(None), xs.count(1.0), [1.5, 2].count(2), ["a"].count(b"a"), [None, 1].count(1)]
    try:
        return counts, [xs.index(2.0), [True, 0].count(1.0)], str(xs.index("q"))
    except ValueError as error:
        return counts, [], str(error)


of_row("dict methods")


@program("setdefault without a default is None", ("b",), ("a",))
def set_to_none(key: str) -> str:
    learned = {}
    learned.setdefault("a")
    known = {"a": 1}
    return f"{learned.setdefault(key, 1)} {learned} {known.setdefault(key)} {known}"


of_row("python answers")


@program("sys.float_info", (1.0,))
def limits_of_floats(x: float) -> tuple[float, float, int]:
    return sys.float_info.max * x, sys.float_info.epsilon, sys.float_info.dig


@program("|= of a dict whose values are fewer kinds than those of the other", ({"x": None}, {"k": 1, "y": 0}),)
def filled_in(d: dict[str, int | float | None], other: dict[str, int]) -> str:
    rates: dict[str, float] = {"a": 1.5}
    rates |= {k: v / 2 for k, v in other.items()}
    d |= other
    d |= {k: v for k, v in rates.items() if v}
    d |= {"z": None}
    return f"{d} {rates}"
