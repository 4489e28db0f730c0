"""Child processes for what may crash or hang: tasks in parallel, each with limits of processor time and memory.

In: functions without arguments. Out: what they give, or how the process ended. Holds: a child that is stopped for a while
by the system loses nothing: processor time counts, and only a multiple of it on the wall.
"""

from __future__ import annotations

import gc
import os
import pickle
import resource
import select
import signal
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

MEMORY_LIMIT = 4 << 30
WALL_FACTOR = 12  # other processes may have most of the machine


@dataclass
class Ended:
    """A task without an answer: `kind` is slow, crash or invalid (its own exception)."""

    kind: str
    text: str


class Child:
    """A forked process that runs one task."""

    def __init__(self, task: Callable[[], Any], seconds: int) -> None:
        self.reader, writer = os.pipe()
        self.deadline = time.monotonic() + seconds * WALL_FACTOR
        self.pid = os.fork()
        if self.pid:
            os.close(writer)
            return
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT, MEMORY_LIMIT))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        gc.disable()  # the child ends before it has much to give back
        try:
            found = task()
        except BaseException as error:  # noqa: BLE001 - the parent decides what it means
            found = Ended("invalid", "".join(traceback.format_exception(error)))
        with os.fdopen(writer, "wb") as out:
            out.write(pickle.dumps(found))
        os._exit(0)

    def result(self) -> Any:
        """Waits for the end."""
        ready, _, _ = select.select([self.reader], [], [], max(0.0, self.deadline - time.monotonic()))
        if not ready:
            os.kill(self.pid, signal.SIGKILL)
        with os.fdopen(self.reader, "rb") as source:
            data = source.read()
        _, status = os.waitpid(self.pid, 0)
        if data:
            return pickle.loads(data)  # noqa: S301 - made by our own child
        is_slow = not ready or (os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU)
        is_slow = is_slow or (os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL)
        return Ended("slow", "time limit") if is_slow else Ended("crash", f"the process ended with status {status}")


def in_parallel(tasks: Iterable[tuple[Any, Callable[[], Any]]], jobs: int, seconds: int) -> Iterator[tuple[Any, Any]]:
    """(key, what its task gave), in the order in which they end. Tasks are started as children become free."""
    waiting = iter(tasks)
    running: dict[int, tuple[Any, Child]] = {}
    while True:
        while len(running) < jobs and (following := next(waiting, None)) is not None:
            child = Child(following[1], seconds)
            running[child.reader] = following[0], child
        if not running:
            return
        patience = max(0.0, min(child.deadline for _, child in running.values()) - time.monotonic())
        ready, _, _ = select.select(list(running), [], [], patience)
        late = [reader for reader, (_, child) in running.items() if child.deadline <= time.monotonic()]
        for reader in ready or late:
            key, child = running.pop(reader)
            yield key, child.result()
