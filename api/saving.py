"""`tsm.save`: the way out of tsm that is a function."""

from __future__ import annotations

import os
from typing import IO, Any


def save(program: Any, target: str | os.PathLike[str] | IO[bytes], **options: Any) -> None:
    """Writes a scripted, traced or loaded program to a path or an open binary file. Options as of its `save` method.

    TypeError for what is not a program: script or trace it first.
    """
    from .loaded import LoadedModule

    if not isinstance(program, LoadedModule):
        raise TypeError(f"tsm.save takes a program, not a {type(program).__name__}: use tsm.script or tsm.trace first")
    type(program).save(program, target, **options)  # a method of the program may have the name
