"""Arguments and results: who is who before, during and after a call, for containers, instances and module state."""
# ruff: noqa: ANN204 - classes as users write them

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Optional, Union

from language_rows import of_row
from oracle import T, program
from tsm import Tensor, nn

of_row("instances outside")

ROW = [1, 2]
PAIRED = ([5, 6], 3)


@program("two names of one list inside a tuple argument", ((ROW, ROW), 9), (([1], [1]), 4))
def two_names(pair: tuple[list[int], list[int]], n: int) -> tuple[bool, list[int]]:
    left, right = pair
    left.append(n)
    return left is right, right


@program("a list inside a tuple is changed and comes back in another tuple", (PAIRED,))
def moved_in_tuples(pair: tuple[list[int], int]) -> tuple[int, list[int]]:
    pair[0].insert(0, pair[1])
    return pair[1], pair[0]


@program("a row that a list holds twice", ([ROW, [3], ROW],), ([ROW, ROW],))
def doubled(rows: list[list[int]]) -> list[list[int]]:
    rows[0].append(len(rows))
    rows[1] = rows[-1]
    return rows


@program("two arguments share an inner list", ([ROW, [0]], {"a": ROW, "b": []}))
def inner(rows: list[list[int]], table: dict[str, list[int]]) -> bool:
    rows[0] += [7]
    table["b"] = rows[1]
    table["c"] = table["a"]
    rows[1].append(len(table["a"]))
    return table["c"] is rows[0]


@program("changes made before an error are seen after it", ({"x": [1]}, [0, 2]), ({"x": [1], "y": []}, [3, 0, 1]))
def half_done(table: dict[str, list[int]], by: list[int]) -> int:
    total = 0
    for n in by:
        table["x"].append(total)
        table[str(n)] = by
        total += 12 // n
    return total


@program("a set argument grows, shrinks and is returned", ({1, 2, 3}, [3, 4]), (set(), [1]))
def toggled(seen: set[int], items: list[int]) -> set[int]:
    for item in items:
        if item in seen:
            seen.remove(item)
        else:
            seen.add(item)
    return seen


@program("sets in a dict, one of them twice", ({"a": {1}, "b": {2}}, 5))
def grouped(groups: dict[str, set[int]], n: int) -> bool:
    groups["c"] = groups["a"]
    groups["c"].add(n)
    groups["b"] = {n}
    return groups["a"] is groups["c"]


class Cell:
    def __init__(self, value: int, links: Optional[list[Cell]] = None) -> None:
        self.value = value
        self.links: list[Cell] = [] if links is None else links


def web() -> list[Cell]:
    """Three cells that all hold one list of all three."""
    every: list[Cell] = []
    every += [Cell(1, every), Cell(2, every), Cell(3, every)]
    return every


@program("instances that share the list that holds them", (web(), 4))
def spread(cells: list[Cell], n: int) -> Cell:
    cells[0].links[1].value += n
    cells.append(Cell(n, cells[2].links))
    return cells[1].links[3]


KEPT = Cell(5)


@program("one instance in a list, a dict and an argument", ([KEPT, Cell(1)], {"k": KEPT}, KEPT))
def met(cells: list[Cell], by_name: dict[str, Cell], cell: Cell) -> tuple[bool, int]:
    by_name["new"] = cells[1]
    cell.links.append(by_name["new"])
    cells[0].value *= 2
    return cells[0] is by_name["k"], by_name["k"].value


@program("an instance's list is replaced, the old one stays what the caller has", (Cell(1, [KEPT]), [ROW]))
def replaced(cell: Cell, rows: list[list[int]]) -> list[Cell]:
    old = cell.links
    cell.links = [Cell(row[0]) for row in rows]
    old.clear()
    return old


@dataclass
class Job:
    name: str
    steps: list[int] = field(default_factory=list)
    extra: Union[int, list[int], None] = None


@program("a list behind a Union of an instance", (Job("a", [1]), ROW), (Job("b", [1], 3), [4]), (Job("c", [], [2]), []))
def behind_union(job: Job, row: list[int]) -> Optional[list[int]]:
    if isinstance(job.extra, list):
        job.extra.append(len(job.name))
    else:
        job.extra = row
    job.steps.extend(row)
    if job.extra is row:
        row.append(0)
        return row
    return None


class Frame(NamedTuple):
    rows: list[int]
    names: dict[int, str]


@program("containers inside a named tuple", (Frame([1], {1: "a"}), 3))
def framed(frame: Frame, n: int) -> Frame:
    frame.rows.append(n)
    frame.names[n] = str(n)
    return frame._replace(rows=frame.rows)


@program("an optional list that is given, left out, and emptied", (None, 1), ([1, 2], 2), (ROW, 0))
def maybe(items: Optional[list[int]], n: int) -> Optional[list[int]]:
    if items is None:
        return [n] if n else None
    del items[n:]
    return items


@program("Any keeps the caller's object", (ROW,), ({"a": 1},), (3,), ((ROW, 2),))
def untouched(value: Any) -> Any:
    return value


@program("tensors in containers keep their identity and their memory", ([T([1.0, 2.0]), T([3.0])], {"w": T([0.5])}))
def in_place(items: list[Tensor], table: dict[str, Tensor]) -> list[Tensor]:
    items[0].add_(1.0)
    table["v"] = items[0]
    items[1] = table["w"]
    items.reverse()
    return items


@program("a shared row grows while it is iterated", ([[1, 2], ROW, ROW], 3))
def growing(rows: list[list[int]], limit: int) -> int:
    steps = 0
    for item in rows[1]:
        if len(rows[2]) < limit + 2:
            rows[2].append(item + 10)
        steps += item
    return steps


of_row("modules")


@program("copies of arguments are kept", ([[1], [2]], {"a": 1}), ([[3]], {"b": 2}), torch=False)
class Keeper(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.rows: list[list[int]] = []
        self.names: dict[str, int] = {}

    def forward(self, rows: list[list[int]], names: dict[str, int]) -> list[list[int]]:
        self.rows.extend([list(row) for row in rows])
        self.names.update(names)
        rows[0].append(99)
        return [row[:] for row in self.rows] + [[len(self.names)]]


@program("an instance in module state that two attributes share", (1,), (2,), (3,), torch=False)
class Sharing(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.cell = Cell(1)
        self.cells = [self.cell, Cell(2)]

    def forward(self, n: int) -> tuple[bool, int]:
        self.cell.value += n
        self.cells.append(Cell(n, self.cells))
        if n == 2:
            self.cell = self.cells[1]
        return self.cell is self.cells[0], self.cells[0].value * 100 + len(self.cells[-1].links)


@program("state compared with arguments, and argument elements that are no containers", ([1, 2],), ([1, 2, 3],), torch=False)
class Watching(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.last: list[int] = []
        self.best: Optional[Job] = None

    def forward(self, items: list[int]) -> tuple[list[int], bool]:
        is_same = items == self.last
        self.last = items + self.last
        if self.best is None or len(self.best.steps) < len(items):
            self.best = Job("best", list(items))
        items.append(self.best.steps[-1])
        return items, is_same or self.last is items


class Mood(enum.Enum):
    CALM = 1
    WILD = 2


@program("two attributes are one list, and a row of a third", (3,), (4,), torch=False)
class OneList(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.left = [1, 2]
        self.right = self.left
        self.rows = [self.left, [0], self.left]

    def forward(self, n: int) -> tuple[bool, list[int], int]:
        self.left.append(n)
        self.rows[2].append(-n)
        if n == 4:
            self.right = []
        return self.left is self.right, list(self.rows[0]), len(self.right)


@program("sets, enum members, named tuples and instances in containers of a module", (2,), (3,), torch=False)
class Holding(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.seen = {1, 2}
        self.moods = [Mood.CALM, Mood.WILD]
        self.frames = {"a": Frame([1], {1: "x"})}
        self.jobs: dict[str, list[Job]] = {}

    def forward(self, n: int) -> str:
        self.seen.add(n)
        self.moods.append(self.moods[n % 2])
        self.frames["a"].rows.extend(sorted(self.seen))
        self.jobs.setdefault(self.moods[-1].name, []).append(Job(str(n), [n]))
        return f"{len(self.seen)} {self.frames['a'].rows} {[k + str(len(v)) for k, v in self.jobs.items()]}"
