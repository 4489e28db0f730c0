"""No garbage collection while something is compiled: trees and graphs are full of cycles that all stay until the end,
and looking through them again and again is a fifth of the time.

In: a block of the compiler's work, which runs none of the user's code. Out: the same work.
Holds: the collector is on again at its end if it was on before.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def paused_collection() -> Iterator[None]:
    """Collects nothing until the block ends."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
