"""The functions that a program calls by name, where Python functions are marked `ignore`.

In: sources of such functions. Out: their names in the file, and the Python functions behind them. Holds: one name for
one function, the same in every compilation of the same program.
"""

from __future__ import annotations

from typing import Any as PyAny

from ...binding.hosts import HostFunction
from ..objects.function_source import FunctionSource


class HostNames:
    """Those of one compilation."""

    def __init__(self) -> None:
        self.functions: dict[str, HostFunction] = {}

    def name(self, source: FunctionSource) -> str:
        """ "log", "Net.log", "log.1" for a second one: the qualified name without the functions around it."""
        python = source.python
        plain = python.__qualname__.rpartition("<locals>.")[2]
        name, count = plain, 0
        while name in self.functions and self.functions[name].call is not python:
            count += 1
            name = f"{plain}.{count}"
        keywords = tuple(param.arg for i, param in enumerate(source.params) if source.is_keyword_only(i))
        self.functions[name] = HostFunction(name, python, keywords)
        return name

    def update(self, functions: dict[str, PyAny]) -> None:
        """Takes over those of a traced program that is called. ValueError for another function of the same name."""
        for name, function in functions.items():
            known = self.functions.setdefault(name, function)
            if known.call is not function.call:
                raise ValueError(f"two functions marked ignore are named '{name}'")
