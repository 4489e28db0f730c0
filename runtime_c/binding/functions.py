"""Eager functions, made from the table: `tsm.add`, `F.relu` and all others that a row spells.

In: spellings "tsm.f" and "F.f". Out: two namespaces of functions, each knowing its spelling.
Holds: no function is written here by hand.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from . import dispatch, methods, table


def _make(spelling: str, rows: tuple[table.Operator, ...]) -> Callable[..., Any]:
    def function(*args: Any, **kwargs: Any) -> Any:
        return dispatch.call(spelling, args, kwargs)

    def of_data(data: Any, *args: Any, **kwargs: Any) -> Any:
        return dispatch.call(spelling, (list(data) if type(data) is range else data, *args), kwargs)

    if spelling == "tsm.tensor":
        function = of_data
    name = spelling.rpartition(".")[2]
    function.__qualname__ = name
    function.__module__ = "tsm" if spelling.startswith("tsm.") else "tsm.nn.functional"
    function.__tsm_spelling__ = spelling  # type: ignore[attr-defined]
    return methods.document(function, name, rows, is_method=False)


@cache
def namespace(prefix: str) -> dict[str, Callable[..., Any]]:
    """Functions of the spellings that begin with `prefix` ("tsm." or "F."), by plain name."""
    return {
        spelling[len(prefix) :]: _make(spelling, rows)
        for spelling, rows in table.by_spelling().items()
        if spelling.startswith(prefix)
    }
