"""Files on disk: written completely or not at all."""

from __future__ import annotations

import contextlib
import os
import secrets
from typing import IO

Target = str | os.PathLike[str] | IO[bytes]


def write_file(target: Target, content: bytes) -> None:
    """Writes to a path or a file object. On any failure a file that was there before is still there, unchanged."""
    if not isinstance(target, (str, os.PathLike)):
        target.write(content)
        return
    path = os.path.realpath(target)
    temporary = f"{path}.{os.getpid()}-{secrets.token_hex(4)}.tmp"
    try:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
        with open(descriptor, "wb") as file:
            file.write(content)
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
