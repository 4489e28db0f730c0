"""Functions that make the missing values of defaultdicts, by the number in the name of the dict's type.

In: sources of functions without free variables. Out: names of dict classes, "defaultdict.1" and so on.
Holds: one function has one number in a compilation, so that types stay equal from round to round.
"""

from __future__ import annotations

from ...ir.types import DictType, Type
from ..objects.function_source import FunctionSource


def leaves_program(kind: Type) -> bool:
    """Whether Python can have values of a type: not of a defaultdict whose factory is a function of the program."""
    is_own = isinstance(kind, DictType) and kind.name.startswith("defaultdict.")
    return not is_own and all(map(leaves_program, kind.members))


class DictFactories:
    """The factories of one compilation."""

    def __init__(self) -> None:
        self._sources: dict[str, FunctionSource] = {}
        self._classes: dict[str, type] = {}

    def name_of(self, source: FunctionSource, python: object = None) -> str:
        """The class of a dict with this factory; `python`: the class that the factory calls."""
        for name, known in self._sources.items():
            if known is source:
                return name
        name = f"defaultdict.{len(self._sources) + 1}"
        self._sources[name] = source
        if isinstance(python, type):
            self._classes[name] = python
        return name

    def source_of(self, name: str) -> FunctionSource | None:
        """The factory of a dict of this class; None for one that is a builtin class, or for other dicts."""
        return self._sources.get(name)

    def class_of(self, name: str) -> type | None:
        """The factory of a dict of this class that is a class of the user's."""
        return self._classes.get(name)
