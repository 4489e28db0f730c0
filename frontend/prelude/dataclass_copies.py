"""`dataclasses.asdict` and `astuple` of an instance that an instance of its own class holds, written as scripts.

In: nothing. Out: functions that inference calls. Holds: the result is of type Any, as a type cannot hold itself.
"""

from __future__ import annotations

import dataclasses
from typing import Any


def asdict(value) -> Any:
    return dataclasses.asdict(value)


def astuple(value) -> Any:
    return dataclasses.astuple(value)
