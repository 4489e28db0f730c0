"""Random programs take idioms of the language among their statements: what a row of LANGUAGE.md is written for.

In: templates by row (idioms_*.py). Out: lines among a function's statements, and declarations before all functions.
Holds: an idiom is well typed and ends; its holes are filled by random expressions, so it meets the rest of the program
through the variables that it reads and assigns.

A template is Python with: `<int>` an expression of a kind, `<int!>` a simple one, `@int` a variable to assign, `#int` a
constant, `$x` a name of its own, `$X` a name of a declaration, `?{a~b}` one of several texts, `?{#}` a random place.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass

from program_expressions import Frame, Function, Variable
from program_functions import Functions
from program_kinds import BOOL, FLOAT, FLOATS, INT, INTS, NONE, ROWS, STR, TABLE, TEXTS, Kind, literal, optional

KINDS: dict[str, Kind] = {
    "int": INT, "float": FLOAT, "bool": BOOL, "str": STR, "ints": INTS, "texts": TEXTS, "floats": FLOATS,
    "rows": ROWS, "table": TABLE, "maybe": optional(INT),
}  # fmt: skip
MOST_TIMES = 40  # an idiom is not put where more rounds of loops are run around it


@dataclass(frozen=True)
class Idiom:
    """`top` is declared before the functions; `names` are the variables of its methods. `at_start`: in no block."""

    row: str
    body: str
    top: str = ""
    names: str = ""
    at_start: bool = False
    needs: str = ""  # what the module class must have


IDIOMS: list[Idiom] = []
BY_ROW: dict[str, list[Idiom]] = {}


def idiom(row: str, body: str, top: str = "", names: str = "", at_start: bool = False, needs: str = "") -> None:
    """Adds a template to those that programs choose from."""
    made = Idiom(row, body.strip("\n"), top.strip("\n"), names, at_start, needs)
    IDIOMS.append(made)
    BY_ROW.setdefault(row, []).append(made)


class Idioms(Functions):
    """Statements that are made of templates."""

    only: str = ""  # a row, to write programs of that row alone
    base: int = 1  # the indent of the statements of a function

    def __init__(self, rng: random.Random) -> None:
        super().__init__(rng)
        self.tops: list[str] = []
        self.marked: set[str] = set()
        self.made = 0
        self.has: set[str] = set()
        self.choices.append((self.take_idiom, 16))

    def take_idiom(self) -> None:
        if self.frame.times > MOST_TIMES or self.indent > 4 or self.frame.function.is_bounded:
            return
        rows = sorted({each.row for each in self.usable()})
        if rows:
            self.write_idiom(self.rng.choice(BY_ROW[self.rng.choice(rows)]))

    def usable(self) -> list[Idiom]:
        """Rows are as likely as each other."""
        where = self.indent == self.base
        found = [each for each in IDIOMS if (where or not each.at_start) and (not each.needs or each.needs in self.has)]
        return [each for each in found if each.row == self.only] if self.only else found

    def write_idiom(self, chosen: Idiom) -> None:
        if chosen.needs and chosen.needs not in self.has or chosen.at_start and self.indent != self.base:
            return
        self.marked.add(chosen.row)
        names: dict[str, str] = {}
        if chosen.top:
            self.declare(chosen, names)
        for line in chosen.body.splitlines():
            self.emit(self.filled(line, names))

    def declare(self, chosen: Idiom, names: dict[str, str]) -> None:
        """Its methods see nothing of the function that is being written."""
        saved = self.frame, self.functions, self.closures, self.lines, self.indent
        self.functions, self.closures = [], []
        self.frame = Frame(Function("", [], NONE))
        self.frame.times = MOST_TIMES
        for each in chosen.names.split():
            name, kind = each.split(":")
            self.frame.variables[name] = Variable(name, KINDS[kind], fixed=True)
        made = [self.filled(line, names) for line in chosen.top.splitlines()]
        self.frame, self.functions, self.closures, self.lines, self.indent = saved
        self.tops += ["", "", *made]

    def filled(self, line: str, names: dict[str, str]) -> str:
        line = re.sub(r"\?\{([^{}]*)\}", lambda found: self.rng.choice(found[1].split("~")), line)
        line = re.sub(r"\$([A-Za-z]+)", lambda found: self.named(found[1], names), line)
        line = re.sub(r"#(int|float|bool|str|ints|texts|table)\b", lambda f: literal(self.rng, KINDS[f[1]], 3), line)
        line = re.sub(r"<(\w+)(!?)>", lambda f: self.hole(KINDS[f[1]], f[2]) if f[1] in KINDS else f[0], line)
        return re.sub(r"@(%s)\b" % "|".join(KINDS), lambda found: self.target(KINDS[found[1]]), line)

    def hole(self, kind: Kind, simple: str) -> str:
        return self.leaf(kind) if simple else self.expr(kind, 2)

    def named(self, key: str, names: dict[str, str]) -> str:
        if key not in names:
            self.made += 1
            names[key] = f"{key}{self.made}" if key[0].isupper() else f"{key}_{self.made}"
        return names[key]
