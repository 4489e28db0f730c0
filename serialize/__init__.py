"""Programs as bytes: FORMAT.md is normative, `writer` and `reader` mirror each other.

In: a Program. Out: a .tsm file, and back.
Holds: saving twice, or saving what was loaded, gives identical bytes; hostile bytes give FormatError.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..ir.graph import Program
from ..ir.state import StorageState
from .errors import FormatError
from .reader import read
from .storage import Target, read_file, write_file
from .writer import write

__all__ = ["FormatError", "dumps", "load", "loads", "save"]


def dumps(program: Program, *, bound: list[StorageState] | None = None) -> bytes:
    """The program as a file. With a list for `bound` the result is an in-memory image: storages of a tsm.Tensor
    or of a file in memory are left out and appended to the list, in the order in which a loader takes their tensors.
    ValueError for what no file can hold."""
    return write(program, bound)


def loads(data: bytes | bytearray | memoryview, *, bound: Sequence[Any] = (), check_data: bool = False) -> Program:
    """The program in a file's bytes, verified; FormatError if they are not valid. Storages are windows into `data`.
    `bound` takes the place of the storages that an in-memory image left out; `check_data` also checks the weights'
    checksum."""
    return read(memoryview(data).cast("B"), bound, check_data)


def save(program: Program, target: Target) -> None:
    """Writes the file to a path or a binary file object. A path is replaced at once or, on failure, left alone."""
    write_file(target, dumps(program))


def load(source: Target, *, check_data: bool = False) -> Program:
    """The program of a path or binary file object; OSError if it cannot be read, FormatError if it is not valid."""
    return loads(read_file(source), check_data=check_data)
