"""Writes ops.md: every operator of the table, by the sections of ops.def.

In: the rows as Python sees them, and the functions written as scripts; section titles and the trait legend from
ops.def. Out: `page()`, the text of ops.md.
Holds: rows and sections agree, because both are in the order of ops.def. `python docs/make_ops.py` writes the page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import tsm.nn.functional  # noqa: F401 - it spells its functions
from tsm.binding import table
from tsm.binding.table import Operator
from tsm.written import spelling

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "ops.md"
SECTION = re.compile(r"^/\* ---- (.*?) ---- \*/$")
ROW = re.compile(r'^OP\("([^"]+)", "([^"]*)"')
TRAIT = re.compile(r"^ \* (?:  traits)?\s+([A-Z]{2,})\s+(\S.*)$")

HEAD = """# Operators

Made from [ops.def](../runtime_c/ops.def) by `python docs/make_ops.py`; edit the table, not this page.

Python: `_+_` is an operator, `-_` a prefix, `_+=_` an augmented assignment, `_[_]` a subscript, `len()` a builtin,
`tsm.f` a function, `F.f` one of `tsm.nn.functional`, `.m` a method and `.p:` a property of the first parameter.
Rows that Python does not spell are the compiler's; `library.f` is for the functions at the end of this page only.
In schemas, `(a)` marks a result that may share memory with the parameter marked so, and `(a!)` a parameter that is
written. Of several rows that a call fits, the first is taken; what no row of a spelling takes, a function at the end
does.

| trait | meaning |
|---|---|
"""

LIBRARY = """
## Functions written as scripts

These run operators of the tables above, eagerly and compiled alike: they add nothing to the library in C.

"""


def sections(definitions: str) -> Iterator[tuple[str, list[str]]]:
    """(title, full names of its rows) in the order of the file."""
    title, names = "", list[str]()
    for line in definitions.splitlines():
        if found := SECTION.match(line):
            if names:
                yield title, names
            title, names = found[1], []
        elif found := ROW.match(line):
            names.append(f"{found[1]}.{found[2]}" if found[2] else found[1])
    yield title, names


def cell(text: str) -> str:
    return text.replace("|", "\\|")


def code(text: str) -> str:
    return f"`{cell(text)}`" if text else ""


def line(row: Operator) -> str:
    spellings = " ".join(code(spelling) for spelling in row.spellings)
    traits = " ".join(sorted(row.traits))
    since = f"{row.since // 1000}.{row.since % 1000}"
    return f"| {code(row.full_name)} | {spellings} | {cell(row.doc)} | {code(row.schema)} | {traits} | {since} |\n"


def scripts() -> Iterator[tuple[str, str]]:
    """Spellings and first sentence of every function that is written as a script."""
    for function, spellings in spelling.written:
        doc = " ".join((function.__doc__ or "").split()).partition(". ")[0].rstrip(".")
        yield " ".join(code(each) for each in spellings), doc + "."


def page() -> str:
    """The whole page."""
    definitions = (ROOT / "runtime_c" / "ops.def").read_text(encoding="utf-8")
    traits = [found for text in definitions.partition("*/")[0].splitlines() if (found := TRAIT.match(text))]
    rows = iter(table.rows())
    text = HEAD + "".join(f"| {found[1]} | {cell(found[2])} |\n" for found in traits)
    for title, names in sections(definitions):
        text += f"\n## {title[0].upper()}{title[1:]}\n\n"
        text += "| operator | Python | what it does | schema | traits | since |\n|---|---|---|---|---|---|\n"
        for name in names:
            row = next(rows)
            if row.full_name != name:
                raise ValueError(f"ops.def has {name} where the library has {row.full_name}: install tsm again")
            text += line(row)
    return text + LIBRARY + "".join(f"* {spelled} - {doc}\n" for spelled, doc in scripts())


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
