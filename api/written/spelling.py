"""Where a function of the library is found: `tsm.f`, `F.f`, a method of Tensor, by spellings as those of ops.def.

In: functions that are written as scripts. Out: the namespaces that the package shows, methods of Tensor, and what
`dispatch` and the compiler call where no operator row takes the arguments of a spelling.
Holds: rows come first, so a function may take over only what rows refuse.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from ..binding import functions, table
from ..binding.dispatch import extensions
from ..binding.tensor import Tensor

Function = TypeVar("Function", bound=Callable[..., Any])

rows: dict[str, Any] = functions.namespace("tsm.")
layers: dict[str, Any] = functions.namespace("F.")
own: dict[str, Any] = functions.namespace("library.")  # rows for these functions only

written: list[tuple[Callable[..., Any], tuple[str, ...]]] = []  # every function, with its spellings
_places: dict[str, dict[str, Any]] = {"tsm": {}, "F": {}}


def spelled(*spellings: str) -> Callable[[Function], Function]:
    """The function is how Python writes so: "tsm.norm", "F.pad", ".norm"."""

    def add(function: Function) -> Function:
        written.append((function, spellings))
        for spelling in spellings:
            prefix, _, name = spelling.rpartition(".")
            has_row = spelling in table.by_spelling()
            if has_row or not prefix:
                extensions[spelling] = function
            if not has_row and prefix:
                _places[prefix][name] = function
            elif not has_row:
                setattr(Tensor, name, function)
        return function

    return add


def choosing(**choices: Callable[..., Any]) -> Callable[[Function], Function]:
    """For flags that say what the result is, and so must be constants in a script: the function that is called,
    without the flags, where these are True: `neither=`, `a=`, `b=`, `a__b=`."""

    def add(function: Function) -> Function:
        function.__tsm_choices__ = choices  # type: ignore[attr-defined]
        return function

    return add


def spelled_functions(prefix: str) -> dict[str, Any]:
    """The functions that are spelled so and have no row, by name."""
    return dict(_places[prefix])
