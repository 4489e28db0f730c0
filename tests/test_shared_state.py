"""Lists, dicts, sets and instances that Python and a module's state both have: what one changes, the other sees."""

from __future__ import annotations

import gc
from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional, Set, Tuple

import pytest

import tsm
from tsm import Tensor, nn


class Store(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.rows: Dict[str, List[int]] = {"a": [1]}
        self.tags: List[str] = []
        self.seen: Set[int] = {1}
        self.tensors: Dict[str, Tensor] = {"w": tsm.ones(2)}

    def forward(self, key: str, n: int) -> Tuple[Dict[str, List[int]], int]:
        self.rows.setdefault(key, []).append(n)
        self.seen.add(n)
        return self.rows, sum([len(row) for row in self.rows.values()])

    @tsm.export
    def row(self, key: str) -> List[int]:
        return self.rows[key]

    @tsm.export
    def keep(self, tags: List[str]) -> None:
        self.tags = tags

    @tsm.export
    def tag(self, text: str) -> int:
        self.tags.append(text)
        return len(self.tags)

    @tsm.export
    def count(self) -> int:
        return len(self.tags) + len(self.seen)

    @tsm.export
    def is_kept(self, tags: List[str]) -> bool:
        return tags is self.tags

    @tsm.export
    def numbers(self) -> Set[int]:
        return self.seen

    @tsm.export
    def weights(self) -> Dict[str, Tensor]:
        return self.tensors

    @tsm.export
    def fill(self, out: List[List[int]]) -> int:
        out.extend(self.rows.values())
        return len(out)

    @tsm.export
    def fails(self, tags: List[str]) -> None:
        self.tags = tags
        tags.append("kept")
        raise ValueError("after it was kept")


def use(module: Any) -> List[Any]:
    rows, total = module.forward("a", 5)
    out: List[Any] = [dict(rows), total, module.row("a") is rows["a"]]
    row = module.row("a")
    row.append(7)
    out += [module.forward("b", 1)[0] is rows, str(rows), module.row("b")]
    tags = ["x"]
    module.keep(tags)
    tags.append("y")
    out += [module.count(), module.tag("z"), list(tags), module.is_kept(tags), module.is_kept(list(tags))]
    rows["a"] = [100]
    del rows["b"]
    out += [module.row("a"), list(row), module.forward("q", 2)[1]]
    numbers = module.numbers()
    numbers.add(50)
    out += [module.count(), module.numbers() is numbers, sorted(module.numbers())]
    weights = module.weights()
    weights["v"] = tsm.zeros(1)
    weights["w"] += 4
    out += [sorted(module.weights()), module.weights()["w"].tolist()]
    nested: List[List[int]] = []
    out += [module.fill(nested), nested[0] is module.row("a")]
    nested[0].clear()
    nested.clear()
    out += [module.row("a"), module.fill(nested)]
    try:
        module.fails(tags)
    except ValueError as error:
        out += [str(error), tags, module.count()]
    return out


@pytest.mark.parametrize("form", ["scripted", "loaded"])
def test_lists_dicts_and_sets(form: str) -> None:
    scripted = tsm.script(Store())
    program = scripted if form == "scripted" else tsm.load(scripted.to_bytes())
    assert use(program) == use(Store())


def test_attributes_copies_and_files_have_what_python_changed() -> None:
    program = tsm.script(Store())
    row = program.row("a")
    row.append(2)
    assert program.rows == {"a": [1, 2]} and program.rows["a"] is row
    assert tsm.load(program.to_bytes()).row("a") == [1, 2]
    twin = program.clone()
    row.append(3)
    assert twin.row("a") == [1, 2] and program.row("a") == [1, 2, 3]
    program.tags = kept = ["k"]
    assert program.tag("l") == 2 and kept == ["k"] and program.tags == ["k", "l"]


def test_what_does_not_fit_is_told_at_the_next_call() -> None:
    program = tsm.script(Store())
    program.row("a").append("text")  # nothing has it any more
    assert program.forward("a", 2)[1] == 2
    row = program.row("a")
    row.append("text")
    with pytest.raises(TypeError, match="expected int, got str"):
        program.count()
    row.pop()
    assert program.count() == 2


def test_what_python_let_go_is_forgotten() -> None:
    program = tsm.script(Store())
    for i in range(50):
        rows, _ = program.forward(str(i), i)
    assert len(program.instance.shared.held) > 50
    del rows
    gc.collect()
    program.count()
    program.row("a")
    assert len(program.instance.shared.held) <= 1
    keeper = program.forward("last", 0)[0]
    del program
    assert keeper["last"] == [0]


def test_a_frozen_module_gives_what_it_keeps() -> None:
    frozen = tsm.freeze(tsm.script(Store().eval()), ["row"])
    row = frozen.row("a")
    row.append(4)
    assert frozen.row("a") == [1, 4]


@dataclass
class Item:
    name: str
    tags: List[str] = field(default_factory=list)
    next: Optional[Item] = None


class Shelf(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.items: Dict[str, Item] = {}
        self.last: Optional[Item] = None

    def forward(self, item: Item) -> Item:
        old = self.last
        item.next = old
        self.last = item
        self.items[item.name] = item
        return item if old is None else old

    @tsm.export
    def rename(self, name: str, new: str) -> None:
        item = self.items.pop(name)
        item.name = new
        item.tags.append("was " + name)
        self.items[new] = item

    @tsm.export
    def names(self) -> List[str]:
        return [item.name for item in self.items.values()]

    @tsm.export
    def find(self, name: str) -> Item:
        return self.items[name]


def use_items(module: Any) -> List[Any]:
    a, b = Item("a"), Item("b", ["t"])
    out: List[Any] = [module.forward(a) is a, module.forward(b) is a, b.next is a]
    a.name = "A"
    out.append(module.names())
    module.rename("a", "z")
    module.find("b").tags.append("u")
    return [*out, a.name, a.tags, module.find("z") is a, b.tags, module.names()]


def test_instances() -> None:
    assert use_items(tsm.script(Shelf())) == use_items(Shelf())


class Anything(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.log: List[Any] = []

    def forward(self, value: Any) -> List[Any]:
        self.log.append(value)
        return self.log


def test_values_of_any_type() -> None:
    def used(module: Any) -> List[Any]:
        row, table = [1, [2]], {"a": 1}
        module.forward(row)
        log = module.forward(table)
        row.append(3)
        table["b"] = 2
        log.append(None)
        return [module.forward(5) is log, log[0] is row, str(log)]

    assert used(tsm.script(Anything())) == used(Anything())


def test_containers_of_types_that_the_program_does_not_name() -> None:
    program, row, inner = tsm.script(Anything()), [1, 2], [[0.5], {"k": (1, "a")}]
    program.forward(row)
    log = program.forward(inner)
    row.append(3)
    inner[0].append(1.5)
    assert program.forward(None) is log and log == [[1, 2, 3], [[0.5, 1.5], {"k": (1, "a")}], None]
    row.append("text")
    with pytest.raises(TypeError):
        program.forward(None)
