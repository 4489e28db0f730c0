"""Who may touch what lives in the runtime: one thread at a time, none while a program that may hold it runs elsewhere.

In: containers and the instances whose state may hold them. Out: locks, taken together or not at all.
Holds: what is in a container is guarded with it; what cannot be released when Python lets go is released later.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any
from weakref import WeakValueDictionary

from .library import lib

_dead: list[tuple[int, int, Guard]] = []  # what could not be released when its wrapper went


class Guard:
    """Who may touch a container, and those that it holds. `instances` are those whose state may hold it; `parts` the
    wrappers that Python has of what is in it, by address. `into`: that of a container which this one was put into."""

    __slots__ = ("instances", "into", "lock", "parts", "taken")

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.instances: list[Any] = []
        self.taken: list[list[Any]] = []
        self.parts: WeakValueDictionary[int, Any] = WeakValueDictionary()
        self.into: Guard | None = None

    def join(self, other: Guard) -> None:
        """From now on the other stands for both; this thread is in either."""
        if other is not self:
            other.instances += [each for each in self.instances if each not in other.instances]
            other.parts.update(self.parts)
            self.into = other

    def enter(self, running: Any = None, others: Sequence[Guard] = ()) -> None:
        """Takes it for this thread, which holds the locks of `running` and of what `others` took. RuntimeError if
        another one has it."""
        if not self.lock.acquire(False):
            raise RuntimeError("this container is in use by another thread")
        taken: list[Any] = []
        held = [instance for guard in others for instance in guard.taken[-1]]
        for instance in self.instances:
            if instance in held or instance is running or instance.runner == threading.get_ident():
                continue
            if not instance.lock.acquire(False):
                _release(taken)
                self.lock.release()
                raise RuntimeError("this container belongs to a program that is running")
            taken.append(instance)
        self.taken.append(taken)

    def leave(self) -> None:
        _release(self.taken.pop())
        self.lock.release()

    def __enter__(self) -> None:
        self.enter()
        if _dead:
            _bury()

    def __exit__(self, *error: object) -> None:
        self.leave()


def _release(instances: list[Any]) -> None:
    for instance in instances:
        instance.lock.release()


def _bury() -> None:
    """Releases what wrappers left behind while it was in use."""
    for _ in range(len(_dead)):
        address, kind, guard = _dead.pop()
        drop(address, kind, guard)


def drop(address: int, kind: int, guard: Guard) -> None:
    try:
        guard.enter()
    except RuntimeError:
        _dead.append((address, kind, guard))
        return
    lib.tsm_py_release(address, kind)
    guard.leave()
