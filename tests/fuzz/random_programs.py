"""Random programs of the script language, to compare with CPython: `generate(seed)`.

In: a seed. Out: Python source with an entry `main` or a module class `Model`, and `CALLS`, the arguments to call it with.
Holds: the same seed gives the same text; every call ends soon; what a call did can be seen in its result, its arguments
and what it printed.
"""

from __future__ import annotations

import random

import idioms_flow
import idioms_objects
import idioms_values
from program_expressions import Frame, Function, Variable
from program_idioms import IDIOMS, Idioms
from program_kinds import BOX as BOX_KIND
from program_kinds import INT, INTS, NONE, Kind, any_kind, copied, list_of, literal, optional, tuple_of
from program_tries import CLASSES

HEADER = """# rows: {rows}
from __future__ import annotations

import math
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, IntEnum, auto
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, Optional, TypeVar, Union

import tsm
from tsm import nn

T = TypeVar("T")
"""
BOX = """

class Box:
    def __init__(self, n: int, items: list[int]) -> None:
        self.n = n
        self.items = items

    def grow(self, by: int) -> int:
        self.n = (self.n + by) % 100
        return self.n
"""
PART = """

class Part(nn.Module):
    def __init__(self, step: int) -> None:
        super().__init__()
        self.step = step
        self.count = 0

    def forward(self, value: int) -> int:
        self.count = (self.count + 1) % 50
        return (value * self.step + self.count) % 1000
"""
CALLS = 8
MODULE_ROWS = ("modules", "module containers")
TEMPLATES = (idioms_flow, idioms_objects, idioms_values)  # that their idioms are there


class Programs(Idioms):
    """A whole program in `lines`."""

    def program(self) -> str:
        if self.only in MODULE_ROWS or not self.only and self.chance(0.2):
            entry = self.model()
        else:
            self.helpers("f", {})
            entry = self.function("main", {}, is_entry=True)
        head = HEADER.format(rows=", ".join(sorted(self.marked)))
        tops = CLASSES + (BOX if "box" in self.has else "") + (PART if "parts" in self.has else "")
        return head + tops + "\n".join(self.tops + self.lines) + "\n\n\n" + self.inputs(entry)

    def helpers(self, prefix: str, attributes: dict[str, Variable]) -> None:
        for number in range(self.rng.choice((0, 1, 1, 2))):
            name = f"{prefix}{number}"
            if self.chance(0.12):
                self.pair(name, attributes)
            else:
                self.functions.append(self.function(name, attributes, self.chance(0.25)))

    def pair(self, name: str, attributes: dict[str, Variable]) -> None:
        """Two functions that may call each other."""
        both = [self.signature(name + letter, True) for letter in "ab"]
        self.functions += both
        for function in both:
            self.define(function, attributes)

    def signature(self, name: str, is_bounded: bool) -> Function:
        params = [Variable("n", INT, fixed=True)] if is_bounded else []
        wanted = [kind for kind in (INT, INTS) if self.chance(0.7)]
        kind = any_kind(self.rng)
        for _ in range(self.rng.randint(1, 3)):
            kind = kind if self.chance(0.3) else any_kind(self.rng)
            wanted.append(kind)
        for number, kind in enumerate(self.rng.sample(wanted, len(wanted))):
            params.append(Variable(f"p{number}", kind))
        results = (NONE, INT, INT, INTS, INTS, kind, params[-1].kind, any_kind(self.rng), any_kind(self.rng))
        result = self.rng.choice(results)
        return Function(name, params, result, cost=40 if is_bounded else 1, is_bounded=is_bounded)

    def function(
        self, name: str, attributes: dict[str, Variable], is_bounded: bool = False, is_entry: bool = False
    ) -> Function:
        function = self.signature(name, is_bounded)
        if is_entry:
            shown = self.rng.sample([p.kind for p in function.params], self.rng.randint(0, len(function.params)))
            function.result = tuple_of(*shown, any_kind(self.rng), INT) if self.chance(0.6) else function.result
        if is_bounded:
            self.functions.append(function)
        self.define(function, attributes, is_entry)
        if is_bounded:
            self.functions.remove(function)
        return function

    def define(self, function: Function, attributes: dict[str, Variable], is_entry: bool = False) -> None:
        self.begin_functions()
        own = {p.name: Variable(p.name, p.kind, fixed=p.fixed) for p in function.params}
        self.frame = Frame(function, own | {name: Variable(name, v.kind) for name, v in attributes.items()})
        params = [f"{p.name}: {p.kind}" for p in function.params]
        if attributes:
            params.insert(0, "self")
        name = function.name.removeprefix("self.")
        self.indent -= 1
        self.lines.append("")
        self.emit(f"def {name}({', '.join(params)}) -> {function.result}:")
        self.indent += 1
        if function.is_bounded:
            self.emit("if n <= 0:")
            self.indent += 1
            self.emit("return" if function.result == NONE else f"return {self.leaf(function.result)}")
            self.indent -= 1
        reached = True
        if is_entry and function.name == "main" and (self.only == "instances outside" or self.chance(0.06)):
            self.add_box(function)
        for _ in range(self.rng.randint(2, 6) if is_entry else self.rng.randint(1, 4)):
            reached = self.statement() is not False
            if not reached:
                break
        if is_entry and reached:
            if "parts" in self.has and self.chance(0.7):
                self.write_idiom(self.rng.choice([each for each in IDIOMS if each.needs == "parts"]))
            for _ in range(self.rng.choice((1, 1, 2))):
                self.take_idiom()
        if is_entry or self.chance(0.4):
            found = [v.name for v in self.frame.variables.values() if v.bound]
            self.emit(f"print({', '.join(found[:8])})")
        self.give_back()
        function.cost = self.frame.cost * (12 if function.is_bounded else 1)

    def add_box(self, function: Function) -> None:
        """An instance of a class comes in, and is changed here: the caller sees it."""
        self.has.add("box")
        self.marked.add("instances outside")
        function.params.append(Variable("box", BOX_KIND, fixed=True))
        at = max(place for place, line in enumerate(self.lines) if line.startswith("def main("))
        self.lines[at] = self.lines[at].replace(") ->", ", box: Box) ->")
        for name, kind in (("box.n", INT), ("box.items", INTS)):
            self.frame.variables[name] = Variable(name, kind)
        self.emit(self.rng.choice((f"box.items.append({self.leaf(INT)})", "box.items = box.items[:5]", "box.n += 1")))
        self.emit(f"print(box.grow({self.leaf(INT)} & 15))")

    def model(self) -> Function:
        """A module with attributes that calls change; its methods may call functions and one another."""
        self.helpers("f", {})
        wanted = [INT, INTS, optional(INT), list_of(INTS), any_kind(self.rng), any_kind(self.rng)]
        kinds = [kind for kind in self.rng.sample(wanted, self.rng.randint(1, 4)) if kind.name != "Union"] or [INTS]
        attributes = {f"self.a{i}": Variable(f"self.a{i}", kind) for i, kind in enumerate(kinds)}
        self.lines += ["", "", "class Model(nn.Module):"]
        self.lines += ["    def __init__(self) -> None:", "        super().__init__()"]
        for name, variable in attributes.items():
            self.lines.append(f"        {name}: {variable.kind} = {literal(self.rng, variable.kind)}")
        self.marked.add("modules")
        if self.only == "module containers" or self.chance(0.4):
            self.has.add("parts")
            self.lines.append(f"        self.parts = nn.ModuleList([Part({self.rng.randrange(4)}), Part(3)])")
        self.indent = self.base = 2
        self.helpers("self.m", attributes)
        entry = self.function("self.run", attributes, is_entry=True)
        self.indent = 1
        self.forward(entry)
        return entry

    def forward(self, entry: Function) -> None:
        """The entry point: it copies what comes in and goes out, since neither may stay in the module (see sharing.py).
        """
        params = ", ".join(["self", *(f"{p.name}: {p.kind}" for p in entry.params)])
        args = ", ".join(copied(p.kind, p.name) for p in entry.params)
        self.lines += ["", f"    def forward({params}) -> {entry.result}:"]
        if entry.result == NONE:
            self.lines.append(f"        self.run({args})")
        else:
            self.lines.append(f"        found = self.run({args})")
            self.lines.append(f"        return {copied(entry.result, 'found')}")

    def inputs(self, entry: Function) -> str:
        """CALLS; two parameters of one type are sometimes one object."""
        lines = ["CALLS = ["]
        for _ in range(CALLS):
            args = [self.argument(p.kind) for p in entry.params]
            same = [(i, j) for j, p in enumerate(entry.params) for i in range(j) if entry.params[i].kind == p.kind]
            if same and self.chance(0.4):
                i, j = self.rng.choice(same)
                first, args[i], args[j] = args[i], "same", "same"
                lines.append(f"    (lambda same: ({', '.join(args)},))({first}),")
            else:
                lines.append(f"    ({', '.join(args)},),")
        return "\n".join([*lines, "]", ""])

    def argument(self, kind: Kind) -> str:
        text = literal(self.rng, kind)
        if kind == list_of(INTS) and self.chance(0.25):
            return f"(lambda row: [row, row, {literal(self.rng, INTS)}])({literal(self.rng, INTS)})"
        return text


def generate(seed: int, only: str = "") -> str:
    """The program of this seed; `only`: with idioms of one row, in most places."""
    programs = Programs(random.Random(seed))
    programs.only = only
    return programs.program()


if __name__ == "__main__":
    import sys

    print(generate(int(sys.argv[1])))
