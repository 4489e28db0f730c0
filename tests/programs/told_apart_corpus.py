"""Programs whose values are told apart by lengths, by constants they are equal to, and by what they take."""
# ruff: noqa: ANN001, ANN201, ANN202, E731, PLR0911 - written as users write it

from __future__ import annotations

from collections import Counter

from language_rows import of_row
from oracle import program

of_row("match")


def shape_of(value):
    match value:
        case (1, *_, 9):
            return "1..9"
        case (a, b, *rest):
            return f"{a} {b} {rest}"
        case [one]:
            return f"one {one}"
        case ():
            return "empty"
        case "a" | "b" as letter:
            return "letter " + letter
        case 1 | 2.5 as number:
            return number * 2
    return "no"


@program("sequence patterns on tuples of several lengths beside lists, and alternatives bound by 'as'", (3,))
def shapes(n: int) -> list[str]:
    return [str(shape_of(v)) for v in [(1, n, 9), (), (1,), (1, 9), [1, 9], [], [5], (1, 2, 3, 4), "a", 2.5, True, None]]


of_row("refinement")


@program("a value of several types that is equal to a constant", (3,))
def by_constant(n: int) -> list[str]:
    out = []
    for value in ["add", n, None, 2.5, "sub", (1, 2), [1], True, b"x", 1]:
        if value == "add":
            out.append(value.upper())
        elif value != "sub":
            if value == 1:
                out.append(str(value + 1))
            elif value == 2.5:
                out.append(str(value * 2))
            elif value == b"x":
                out.append(value.decode())
            else:
                out.append(str(value))
        else:
            out.append(value + "!")
    for value in (1, "1"):
        out.append(value + "1" if value == "1" else str(value))
    return out


of_row("classes")


class Ring:
    size = 12

    def __init__(self, n):
        print("made", n)
        self.n = n % self.size

    def __divmod__(self, other):
        return self.n // other, "left"

    def __rdivmod__(self, other):
        return other // self.n, "right"

    def __pow__(self, other, modulus=None):
        return f"{self.n}^{other}%{modulus}"

    @staticmethod
    def name():
        return "ring"


@program("__divmod__, __rdivmod__ and __pow__ with a modulus", (7,))
def divided_rings(n: int) -> str:
    ring = Ring(n)
    return f"{divmod(ring, 3)} {divmod(20, ring)} {pow(ring, 2)} {pow(ring, 2, 5)} {ring ** 4}"


@program("what a class holds, asked of an instance that is made there", (7,))
def asked_of_new(n: int) -> list[str]:
    return [str(Ring(n).size), Ring(n).name(), type(Ring(n)).__name__, Ring(n).__class__.__name__, str(type(Ring(n)).size)]


class Point:
    pass


class Pair(Point):
    def __init__(self, first, second):
        self.first, self.second = first, second


@program("one of several classes that does not take so many arguments", (0,), (1,))
def made_by_name(k: int) -> list[str]:
    table = {"pair": Pair, "point": Point}
    out = []
    for line in ("pair 1 2", "point", "point 1", "pair 1"):
        name, *numbers = line.split()
        try:
            out.append(type(table[name](*map(int, numbers))).__name__)
        except TypeError as error:
            out.append(str(error))
    chosen = Pair if k else Point
    try:
        out.append(type(chosen()).__name__)
    except TypeError as error:
        out.append(str(error))
    return out


of_row("generators")


@program("a Counter of a generator expression, in a function that a key calls", (["abca", "bcaa", "cccc"],), ([],))
def most_even(words: list[str]) -> list[str]:
    def most(word):
        return max(Counter(letter for letter in word).values())

    return [min(words, key=lambda word: (most(word), word)) if words else "", *sorted(words, key=lambda word: -most(word))]


of_row("functions as values")

FILTERS = {
    "upper": lambda s: str(s).upper(), "size": len, "joined": lambda xs: "-".join(map(str, xs)), "sum": sum,
}


@program("functions of a table, some of which cannot take what the others do", ("upper",), ("size",), ("joined",), ("sum",))
def filtered(name: str) -> list[str]:
    out = []
    for value in (3, "ab", [2, 1], None):
        try:
            out.append(str(FILTERS[name](value)))
        except TypeError as error:
            out.append(str(error))
    return out


class Step:
    def __init__(self, function, name=None):
        self.function, self.name = function, name or function.__name__


@program("names of methods of texts, bound and not", (1,))
def names_of_methods(n: int) -> list[str]:
    steps = [Step(sorted), Step("".join, "join"), Step(str.upper), Step(len)]
    return [*(step.name for step in steps), "-".join.__name__, str.upper.__qualname__, steps[n].name]
