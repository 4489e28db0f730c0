"""Kinds of numbers in containers that are joined, grown and nested without annotations; keys of both kinds."""

# ruff: noqa
from __future__ import annotations

from collections import deque

from language_rows import of_row
from oracle import program


of_row("numbers meet")


@program("what containers without annotations are joined to keeps the kinds of its numbers", (1,), (0,))
def joined_numbers(n: int) -> list[str]:
    flags = [n == 1]
    halves = [0.5] + [n] + flags
    more = [1, 2] + [True, 2]
    rows = [[1]] + [[n == 1]]
    grown = [1]
    grown += [n == 1, 3]
    longer = [0.5]
    longer.extend([1, True])
    table = {1: 1} | {2: n == 1}
    changed = {1: 1}
    changed |= {2: True}
    updated = {"a": 0.5}
    updated.update({"b": n}, c=True)
    repeated = [1] * 2 + [n == 1] * 2
    return [repr(each) for each in (halves, more, rows, grown, longer, table, changed, updated, repeated)]


@program("declared containers convert what is joined to them where it is declared", ([0.5], 3))
def joined_declared(xs: list[float], n: int) -> float:
    ys: list[float] = xs + [0]
    zs: list[float] = [0] + ys
    zs += [n]
    return sum(zs + [1])


@program("displays in a container that holds lists or dicts of several kinds of numbers", ())
def inner_numbers() -> list[str]:
    rows = [[1, 2], [3]]
    rows.append([0.5])
    table = {"a": [1]}
    table["b"] = [0.5]
    records = [{"a": 1}]
    records.append({"a": 0.5})
    states = [(0, [0])]
    states.append((1, [0.5]))
    longer = [[1]]
    longer.extend([[0.5], []])
    return [repr(each) for each in (rows, table, records, states, longer)]


@program("deques without annotations keep the kinds of numbers that they take in", (1,))
def deque_numbers(n: int) -> list[str]:
    line = deque([n])
    line.append(0.5)
    line.appendleft(n == 1)
    halves = deque([0.5])
    halves.extend([n, True])
    grown = deque([0.5])
    grown += [n]
    return [repr(list(each)) for each in (line, halves, grown)]

of_row("str methods")


@program("str.maketrans of a dict with texts and code points as keys", ("abcd",), ("",))
def mixed_table(text: str) -> str:
    return text.translate(str.maketrans({"a": "AA", 98: None, "c": 100}))


of_row("tuples")


class Stops:
    def __init__(self, *at: int) -> None:
        self.at = at

    def drop(self, i: int) -> None:
        self.at = self.at[:i] + self.at[i + 1:]


@program("run-time slices of tuples of several types, of several lengths and of none", (1,), (0,))
def tuple_slices(i: int) -> list[str]:
    longer, shorter, none = Stops(1, 2, 3), Stops(7), Stops()
    for each in (longer, shorter, none):
        each.drop(i)
    mixed = (1, 2.5, "c") if i else (True, 3)
    return [repr(longer.at), repr(shorter.at), repr(none.at), repr(mixed[i:]), repr(()[:i])]

of_row("dict methods")

class Surface:
    def __init__(self, **settings):
        self.colour = settings.get("colour", (1, 1, 1))
        self.shine = settings.get("shine", 0)

@program("kinds: defaults of look-ups keep the kinds of their parts", (3,))
def looked_up_parts(n: int):
    table = {"a": (0.5, 1.5)}
    lists = {"a": [0.5]}
    x, y = table.get("z", (0, n))
    found = lists.get("q", [n])
    either = Surface(colour=(n / 2, 0.5, 0.25))
    return table.get("a", (1, 1)), table.get("z", (1, 1)), x + y, found, lists.get("a", [n]), table.pop("u", (0, 0)), [
        Surface().colour, Surface(colour=(1, 1, 0)).colour, either.colour], Surface(shine=0.5).shine
