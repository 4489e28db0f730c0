"""Generators as run-time values: a class type for each specialisation of a generator function, whose instances hold
where the body waits, its variables and the item it gave.

In: specialisations of generator functions. Out: class types. Holds: the attributes of variables are known once the
body is; those here are what makers and consumers of generators touch.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ...ir.types import NONE, ClassType, Type
from .placeholders import join, resolve, settled
from .typed import ERROR, NEVER, STATIC

if TYPE_CHECKING:
    from ..compilation.specialise import Specialisation

STATE = "state"  # the number of the yield where the body waits; the two below
ITEM = "item"
RESULT = "result"  # what the body returned
RUNNING, ENDED = 0, -1  # as STATE; RUNNING and not IS_RUNNING: not started
IS_RUNNING = "is_running"
SENT = "sent"  # what `yield` gives when the body goes on
THROWN, IS_THROWN = "thrown", "is_thrown"  # what it raises instead
GENERATOR_METHODS = ("send", "throw", "close", "__next__")
FRAME = ".generator"  # the parameter of the function that goes on


@dataclass(eq=False)
class GeneratorUses:
    """What a program does with the generators of a function. `sent` are the types of what `yield` gives in it, if
    anything sends them values; `takes_none`: they are asked for the next item, which sends None; `is_thrown`:
    something may raise at a yield; `cleans_up`: a generator that runs inside does something when it is closed."""

    sent: list[Type] = field(default_factory=list)
    takes_none: bool = False
    is_thrown: bool = False
    cleans_up: bool = False

    @property
    def sent_type(self) -> Type:
        return settled(join(*self.sent)) if self.sent else NONE


@dataclass(eq=False)
class GeneratorInfo:
    """`items` and `results` are the types of what the body yields and returns, as far as it has been typed."""

    spec: Specialisation
    type: ClassType
    uses: GeneratorUses
    items: list[Type] = field(default_factory=list)
    ended: Type | None = None  # of items that grow from round to round: a type that takes them all
    results: list[Type] = field(default_factory=list)

    def learned(self, results: list[Type]) -> Type:
        """After a round of inference: the type of the items."""
        self.results = [kind for kind in results if kind != NEVER]
        silent = [kind for kind in (*self.items, *self.results) if kind in (ERROR, STATIC)]
        return silent[0] if silent else join(*self.items) if self.items else NEVER

    @property
    def last(self) -> Type:
        """The type of the attribute: the result is given once, then None."""
        return resolve(join(self.result, NONE))

    @property
    def result(self) -> Type:
        """The type of what the body returns."""
        return resolve(join(*self.results)) if self.results else NONE


def given_name(place: int) -> str:
    """The attribute of an argument."""
    return f"given{place}"
