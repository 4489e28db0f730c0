"""Values that defaultdicts make by calling classes, and members of enums where numbers are asked for."""
# ruff: noqa: ANN001, ANN201, ANN202

from __future__ import annotations

from collections import OrderedDict, defaultdict, deque
from dataclasses import dataclass, field
from enum import IntEnum
from typing import NamedTuple, Union

import tsm
from language_rows import of_row
from oracle import program

of_row("dict methods")


class Tally:
    def __init__(self, step: int = 3):
        self.step = step
        self.total = 0

    def add(self, by: int) -> int:
        self.total += by * self.step
        return self.total


class Debt(Tally):
    def add(self, by: int) -> int:
        return -super().add(by)


@dataclass
class Account:
    total: float = 0.0
    lines: list[str] = field(default_factory=list)


class Span(NamedTuple):
    start: int = 1
    text: str = "x"


@program("classes as factories of a defaultdict", (["a", "bb", "ab", "a"],), ([],))
def by_classes(words: list[str]) -> list[tuple[str, int]]:
    tallies = defaultdict(Tally)
    debts: dict[str, Tally] = defaultdict(Debt)
    accounts: defaultdict[str, Account] = defaultdict(Account)
    queues = defaultdict(deque)
    spans = defaultdict(Span)
    groups = defaultdict(OrderedDict)
    for i, word in enumerate(words):
        print(tallies[word].add(i), debts[word[0]].add(1))
        accounts[word[0]].total += len(word)
        accounts[word[0]].lines.append(word)
        queues[len(word)].append(i)
        spans[word] = spans[word]._replace(start=i)
        groups[word][i] = word
    print(dict(accounts), accounts["zz"], "q" in accounts, accounts.get("none"))
    print({key: list(queue) for key, queue in queues.items()}, dict(spans))
    print({key: list(group.items()) for key, group in groups.items()})
    return [(key, tally.total) for key, tally in tallies.items()]


class Shelf:
    def __init__(self, tag: str):
        self.boxes = defaultdict(Tally)
        self.weights: dict[int, float] = defaultdict(int)
        self.tag = tag

    def put(self, key: int, weight: float) -> int:
        self.weights[key] += weight
        return self.boxes[key].add(1)


@program("a factory of a defaultdict whose values are declared wider", ("a", 2.5), ("", 1.25))
def declared_wider(key: str, weight: float) -> tuple[list[float], dict[str, Union[int, str]]]:
    shelf = Shelf(key)
    found: dict[str, Union[int, str]] = defaultdict(int)
    found[key] = shelf.tag + "!"
    print(found["none"], shelf.put(3, weight), shelf.put(3, weight), shelf.put(4, weight))
    return list(shelf.weights.values()), dict(found)


of_row("enums")


class Axis(IntEnum):
    ROW = 0
    DEPTH = 2


@program("members of an IntEnum as indices, bounds, widths, digits", (2,), (0,))
def as_indices(n: int) -> tuple[list[int], str]:
    items, row, text = [1, 2, 3, 4], (5, 6, 7), "hello"
    items[Axis.DEPTH] += 5
    items.insert(Axis.ROW, items[Axis(n)])
    print(items[Axis.ROW:Axis.DEPTH], row[Axis.DEPTH], text[Axis.ROW], items.pop(Axis.DEPTH), [2, 0].index(Axis(n)))
    print(bin(Axis.DEPTH), hex(Axis(n)), oct(Axis.DEPTH), repr(chr(Axis.DEPTH)), round(3.14159, Axis.DEPTH))
    print("ab".zfill(Axis.DEPTH + 3), "x".center(Axis(n)), "a,b,c,d".split(",", Axis(n)), text.find("l", Axis.DEPTH))
    found = {0: "none", 2: "deep"}
    print(found.pop(Axis(n)), found.get(Axis.ROW, Axis.DEPTH), [0, 2].count(Axis.DEPTH), (0, 2).index(Axis.DEPTH))
    for axis in Axis:
        items[axis] = -1
    del items[Axis.ROW]
    return items, text[: Axis.DEPTH]


@program("members of an IntEnum as sizes and dimensions of tensors", (2,), (0,))
def as_sizes(n: int) -> list[tsm.Tensor]:
    x = tsm.arange(6).reshape(3, Axis.DEPTH)
    print(x.size(Axis.ROW))
    made = [x.sum(dim=Axis.ROW), x[Axis(n)], tsm.zeros(Axis.DEPTH, 3), tsm.ones((Axis.DEPTH,)), x.view(Axis.DEPTH, -1)]
    return [*made, tsm.full((Axis.DEPTH, 1), Axis(n)), tsm.tensor([Axis.ROW, Axis.DEPTH]), tsm.arange(Axis.DEPTH)]


@dataclass(order=True)
class Job:
    place: tuple[int, int] = field(init=False, repr=False)
    axis: Axis
    cost: int

    def __post_init__(self) -> None:
        self.place = (self.axis, self.cost)


@program("a member of an IntEnum in an attribute that is declared as ints", (3,), (0,))
def kept_as_declared(cost: int) -> list[str]:
    jobs = [Job(Axis.DEPTH, 1), Job(Axis.ROW, cost), Job(Axis.ROW, 2)]
    print(max(jobs).place, jobs[1] < jobs[2], jobs[0].place[0] + 1, jobs[0].place == (2, 1))
    return [repr(job) for job in sorted(jobs)]
