"""Objects that only say that something is missing: `MISSING = object()`.

In: such an object outside the function. Out: an enum of which it is the only member, which stands for it where a script
needs it as a value. Holds: one object has one such class, so that `is` tells objects apart by their types.
"""

from __future__ import annotations

import enum
from typing import Any as PyAny


class Sentinel(enum.Enum):
    """What the enums are made of."""

    def __str__(self) -> str:
        return "<object object>"

    def __repr__(self) -> str:
        return "<object object>"


def is_sentinel(python: PyAny) -> bool:
    return type(python) is object


def sentinel_class(number: int) -> type[Sentinel]:
    """The class of the object that is the `number`th of its program."""
    make: PyAny = Sentinel
    made: type[Sentinel] = make(f"object_{number}", {"it": number}, module=__name__)
    return made
