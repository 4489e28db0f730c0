"""Futures of `fork` as the compiler sees them: an instance with one hidden attribute, the result that is there.

In: result types. Out: one class type for each. Holds: a future never crosses the boundary to Python.
"""

from __future__ import annotations

from typing import Any as PyAny

from ...ir.types import ClassType, Type
from .placeholders import resolve

RESULT = "result"


def is_future_class(python: PyAny) -> bool:
    """Whether it is `tsm.jit.Future`."""
    return getattr(python, "__tsm_special__", None) == "Future"


class Futures:
    """The future types of one program."""

    def __init__(self) -> None:
        self._kinds: dict[Type, ClassType] = {}
        self._elements: dict[ClassType, Type] = {}

    def of(self, element: Type) -> ClassType:
        """The type of a future of `element`."""
        element = resolve(element)
        found = self._kinds.get(element)
        if found is None:
            found = self._kinds[element] = ClassType(f"Future[{element}]", {RESULT: element})
            self._elements[found] = element
        return found

    def element(self, kind: Type) -> Type | None:
        """What waiting for a value of this type gives; None if it is no future."""
        return self._elements.get(kind) if isinstance(kind, ClassType) else None

    def is_in(self, kind: Type) -> bool:
        """Whether a value of this type may hold a future."""
        kind = resolve(kind)
        return self.element(kind) is not None or any(map(self.is_in, kind.members))
