"""Files on disk: written completely or not at all."""

from __future__ import annotations

import contextlib
import io
import os
import secrets
from collections.abc import Callable
from typing import IO

Target = str | os.PathLike[str] | IO[bytes]
Write = Callable[[bytes], object]


def write_file(target: Target, content: bytes | Callable[[Write], object]) -> None:
    """Writes bytes, or what a function gives piece by piece, to a path or a file object. On any failure a file that was
    there before is still there, unchanged."""
    produce = content if callable(content) else lambda write: write(content)
    if not isinstance(target, (str, os.PathLike)):
        pieces = io.BytesIO()
        produce(pieces.write)
        target.write(pieces.getvalue())
        return
    path = os.path.realpath(target)
    temporary = f"{path}.{os.getpid()}-{secrets.token_hex(4)}.tmp"
    try:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
        with open(descriptor, "wb") as file:
            produce(file.write)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def read_file(source: Target) -> bytes:
    """All bytes of a path or of the rest of a file object."""
    if isinstance(source, (str, os.PathLike)):
        with open(source, "rb") as file:
            return file.read()
    return source.read()
