"""What scripts ask of the names of devices, written as scripts.

In: a name known at run time. Out: nothing. Holds: there is only the CPU; RuntimeError for any other.
"""

from __future__ import annotations

from typing import Any


def check_place(place: Any) -> None:
    if isinstance(place, str) and place not in ("cpu", "cpu:0"):
        raise RuntimeError("tensors lie on the CPU; there is no device " + repr(place))
