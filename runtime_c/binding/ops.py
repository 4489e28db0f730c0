"""Operators by full name, called like functions: how tests and tools reach every row, spelled or not.

In: "add.Tensor" and arguments. Out: what the operator gives. Holds: the same path as all eager calls.
"""

from __future__ import annotations

from typing import Any

from . import dispatch


def call(full_name: str, /, *args: Any, **kwargs: Any) -> Any:
    """Runs one row of the table. KeyError for an unknown operator, TypeError for arguments that do not fit it."""
    return dispatch.run(full_name, args, kwargs)
