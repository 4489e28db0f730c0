"""The operator table as Python sees it: the rows of ops.def, read from the library once.

In: libtsm, and the columns that only the compiler reads (rows.h). Out: `rows()` for the dispatcher, the type checker,
the docs and the tests.
Holds: an operator's number is its position in `rows()`; nothing here lists operators.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property

from . import schema as schema_text
from .library import ffi, lib


@dataclass(frozen=True)
class Operator:
    """One row of ops.def; the columns are explained in its legend."""

    number: int
    name: str  # "add"
    overload: str  # "Tensor", may be ""
    schema: str
    spellings: tuple[str, ...]  # ("_+_", ".add", "tsm.add")
    traits: frozenset[str]
    doc: str
    grad: str
    since: int

    @property
    def full_name(self) -> str:
        """As the IR and files write it: "add.Tensor", "relu"."""
        return f"{self.name}.{self.overload}" if self.overload else self.name

    @cached_property
    def parsed(self) -> schema_text.Schema:
        return schema_text.parse(self.schema)

    def __repr__(self) -> str:
        return f"<operator {self.full_name}{self.schema}>"


def _text(pointer: object) -> str:
    return ffi.string(pointer).decode()


def _read(index: int, words: list[str]) -> Operator:
    info = ffi.new("tsm_op_info *")
    lib.tsm_op_get(index, info)
    return Operator(
        number=index,
        name=_text(info.name),
        overload=_text(info.overload),
        schema=_text(info.schema),
        spellings=tuple(_text(lib.tsm_py_op_spellings(index)).split()),
        traits=frozenset(word for bit, word in enumerate(words) if info.traits >> bit & 1),
        doc=_text(lib.tsm_py_op_doc(index)),
        grad=_text(lib.tsm_py_op_grad(index)),
        since=info.since,
    )


def _names(getter: object) -> list[str]:
    """What a library function gives for 0, 1, 2 ... up to NULL."""
    found: list[str] = []
    while (pointer := getter(len(found))) != ffi.NULL:  # type: ignore[operator]
        found.append(_text(pointer))
    return found


@cache
def rows() -> tuple[Operator, ...]:
    """All operators in table order, which is overload priority."""
    words = _names(lib.tsm_op_trait_name)
    return tuple(_read(index, words) for index in range(lib.tsm_op_count()))


@cache
def node_names() -> tuple[str, ...]:
    """Structural nodes of the IR, in the order of their numbers in files."""
    return tuple(_names(lib.tsm_node_name))


@cache
def by_full_name() -> dict[str, Operator]:
    return {row.full_name: row for row in rows()}


@cache
def by_spelling() -> dict[str, tuple[Operator, ...]]:
    """Spelling -> overloads in priority order."""
    found: dict[str, list[Operator]] = {}
    for row in rows():
        for spelling in row.spellings:
            found.setdefault(spelling, []).append(row)
    return {spelling: tuple(group) for spelling, group in found.items()}


def find(full_name: str) -> Operator:
    """KeyError for an operator this library does not have."""
    return by_full_name()[full_name]
