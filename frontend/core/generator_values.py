"""Generators as run-time values: a class type for each specialisation of a generator function, whose instances hold
where the body waits, its variables and the item it gave.

In: specialisations of generator functions. Out: class types. Holds: the attributes of variables are known once the
body is; those here are what makers and consumers of generators touch.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ...ir.types import NONE, ClassType, Type
from .placeholders import join, resolve
from .typed import ERROR, NEVER, STATIC

if TYPE_CHECKING:
    from ..compilation.specialise import Specialisation

STATE = "state"  # the number of the yield where the body waits; the two below
ITEM = "item"
RESULT = "result"  # what the body returned
RUNNING, ENDED = 0, -1  # as STATE
IS_RUNNING = "is_running"
FRAME = ".generator"  # the parameter of the function that goes on


@dataclass(eq=False)
class GeneratorInfo:
    """`items` and `results` are the types of what the body yields and returns, as far as it has been typed."""

    spec: Specialisation
    type: ClassType
    items: list[Type] = field(default_factory=list)
    results: list[Type] = field(default_factory=list)

    def learned(self, results: list[Type]) -> Type:
        """After a round of inference: the type of the items."""
        self.results = [kind for kind in results if kind != NEVER]
        silent = [kind for kind in (*self.items, *self.results) if kind in (ERROR, STATIC)]
        return silent[0] if silent else join(*self.items) if self.items else NEVER

    @property
    def result(self) -> Type:
        """The type of what the body returns."""
        return resolve(join(*self.results)) if self.results else NONE


def given_name(place: int) -> str:
    """The attribute of an argument."""
    return f"given{place}"
