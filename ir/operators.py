"""The operator table as the compiler sees it, read from libtsm through the binding.

In: `binding.table.rows()`. Out: `OPERATORS` by full name ("add.Tensor", "relu") and `spelled()` by Python spelling.
Holds: row order is overload priority; rows are wrapped at first use and a schema is parsed when first asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from typing import Any as PyAny

from .schema import Schema, parse_schema


class Operator:
    """A row of ops.def. `traits` are the words its legend defines; `number` is its position."""

    def __init__(self, row: PyAny, number: int) -> None:
        self.name: str = row.name
        self.overload: str = row.overload
        self.full_name = f"{row.name}.{row.overload}" if row.overload else self.name
        self.number = number
        self.schema_text: str = row.schema
        self._spellings: str | tuple[str, ...] = row.spellings
        self.traits: frozenset[str] = frozenset(row.traits)
        self.doc: str = row.doc
        self.grad: str = row.grad
        self.since: int = row.since

    @cached_property
    def schema(self) -> Schema:
        return parse_schema(self.schema_text)

    @cached_property
    def spellings(self) -> tuple[str, ...]:
        texts = self._spellings
        return tuple(texts.split() if isinstance(texts, str) else texts)

    @property
    def is_pure(self) -> bool:
        """Whether running it changes nothing: no memory, no output, no random stream. It may still raise."""
        return self.traits.isdisjoint(("MUTATES", "IO", "RANDOM"))

    def __repr__(self) -> str:
        return f"<operator {self.full_name}{self.schema_text}>"


class _Table(Mapping[str, Operator]):
    """All operators by full name, in the order of the table."""

    @cached_property
    def _rows(self) -> dict[str, Operator]:
        from ..binding.table import rows

        table: dict[str, Operator] = {}
        for number, row in enumerate(rows()):
            operator = Operator(row, number)
            table[operator.full_name] = operator
        return table

    @cached_property
    def _spelled(self) -> dict[str, tuple[Operator, ...]]:
        found: dict[str, list[Operator]] = {}
        for operator in self.values():
            for spelling in operator.spellings:
                found.setdefault(spelling, []).append(operator)
        return {spelling: tuple(operators) for spelling, operators in found.items()}

    def __getitem__(self, full_name: str) -> Operator:
        return self._rows[full_name]

    def __contains__(self, full_name: object) -> bool:
        return full_name in self._rows

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def get(self, full_name: str, default: PyAny = None) -> PyAny:
        return self._rows.get(full_name, default)

    def spelled(self, spelling: str) -> tuple[Operator, ...]:
        return self._spelled.get(spelling, ())


OPERATORS = _Table()


def spelled(spelling: str) -> tuple[Operator, ...]:
    """Operators that Python writes so ("_+_", ".relu", "tsm.cat"), in overload priority; () if there are none."""
    return OPERATORS.spelled(spelling)


@cache
def node_numbers() -> dict[str, int]:
    """Number in files of each structural node ("const": 0, ...)."""
    from ..binding.table import node_names

    return {name: number for number, name in enumerate(node_names())}
