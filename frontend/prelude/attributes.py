"""What `del x.name` does, written as a script.

In: nothing. Out: functions that inference calls. Holds: an instance that has lost an attribute is as one that never
had it.
"""

from __future__ import annotations

from typing import Any

from .containers import operator


@operator("prelude.unset_attribute")
def unset_attribute(value, name):
    """Takes an attribute from an instance; whether it had one."""


def delete(value: Any, name: str, message: str) -> None:
    if not unset_attribute(value, name):
        raise AttributeError(message)
