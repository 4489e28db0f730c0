"""Classes of what operators give as several tensors: `x.max(0)` is a `tsm.return_types.max`, wherever it runs.

In: rows with several named tensors as results. Out: their classes, by row, and by the name that programs call them.
Holds: one class a name; in programs it is a named tuple type, so that C and older readers see a tuple of tensors.
"""

from __future__ import annotations

from collections import namedtuple
from functools import cache
from typing import Any

from .table import Operator, rows

MODULE = "tsm.return_types"


def result_names(row: Operator) -> tuple[str, ...]:
    """The names of a row's results if they are several tensors; none otherwise."""
    results = row.parsed.results
    are_tensors = len(results) > 1 and all(result.name and result.type.kind == "Tensor" for result in results)
    return tuple(result.name for result in results) if are_tensors else ()


@cache
def result_classes() -> dict[str, Any]:
    """By their names in programs, "tsm.return_types.max"."""
    found: dict[str, Any] = {}
    for row in rows():
        if names := result_names(row):
            made = found.setdefault(type_name(row.name), namedtuple(row.name, names, module=MODULE))
            assert made._fields == names, row
    return found


def type_name(name: str) -> str:
    """What a program calls the class of this name."""
    return f"{MODULE}.{name}"


def result_class(row: Operator) -> Any:
    """The class of what a row gives; None if it is no such row."""
    return result_classes()[type_name(row.name)] if result_names(row) else None


def is_result(value: Any) -> bool:
    """Whether it is of such a class, and so may go where a plain tuple is declared."""
    return result_classes().get(type_name(type(value).__name__)) is type(value)


def is_of_class(value: Any, name: str) -> bool:
    """Whether a named tuple is of the class that a program calls so: one's own go by their names."""
    return type(value).__name__ == name or result_classes().get(name) is type(value)
