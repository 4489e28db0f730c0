"""Room for recursion while something is compiled: trees nest up to the limits of the parser, and `script()` may be
called from anywhere on the user's own stack.

In: a block of the compiler's work. Out: the same work with at least FRAMES more frames allowed.
Holds: the interpreter's limit is put back when the last compilation of the process ends; it is never lowered by ours.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

FRAMES = 6000  # what the deepest tree that the parser lets through needs, several times over
_lock = threading.Lock()
_state = {"active": 0, "before": 0, "ours": 0}


@contextmanager
def deep_recursion() -> Iterator[None]:
    """Allows FRAMES frames above the present one."""
    needed = _depth() + FRAMES
    with _lock:
        if _state["active"] == 0:
            _state["before"] = sys.getrecursionlimit()
        _state["active"] += 1
        if sys.getrecursionlimit() < needed:
            sys.setrecursionlimit(needed)
            _state["ours"] = needed
    try:
        yield
    finally:
        with _lock:
            _state["active"] -= 1
            if _state["active"] == 0 and sys.getrecursionlimit() == _state["ours"]:
                _restore(_state["before"])


def _restore(limit: int) -> None:
    """The user's limit; where the stack is deeper than that by now, it stays ours until the next compilation."""
    try:
        sys.setrecursionlimit(limit)
    except RecursionError:
        pass


def _depth() -> int:
    frame, depth = sys._getframe(), 0
    while frame is not None:
        depth += 1
        frame = frame.f_back  # type: ignore[assignment]
    return depth
