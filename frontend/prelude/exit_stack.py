"""contextlib.ExitStack, written as a script.

In: context managers and functions. Out: calls of what was entered or given, the last first. Holds: what one of them
raises takes the place of the exception that the ones before it see, as in CPython.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable


class ExitStack:
    """A stack of what is left to do."""

    __tsm_compiles__ = True
    __tsm_stands_for__ = contextlib.ExitStack

    def __init__(self):
        self._exits: list[Callable[[Exception | None], bool]] = []

    def enter_context(self, cm):
        entered = cm.__enter__()
        self._exits.append(lambda error: bool(cm.__exit__(error, error, error)))
        return entered

    def callback(self, callback, /, *args):
        def run(_error: Exception | None) -> bool:
            callback(*args)
            return False

        self._exits.append(run)
        return callback

    def pop_all(self):
        kept = ExitStack()
        kept._exits, self._exits = self._exits, []
        return kept

    def close(self) -> None:
        self.leave(None)

    def leave(self, error: Exception | None) -> bool:
        pending = error
        while self._exits:
            run = self._exits.pop()
            try:
                if run(pending):
                    pending = None
            except Exception as raised:
                pending = raised
        if pending is not None and pending is not error:
            raise pending
        return error is not None and pending is None

    def __enter__(self):
        return self

    def __exit__(self, kind, error: Exception | None, trace) -> bool:
        return self.leave(error)


def enter_generator(stack, generator):
    """`stack.enter_context(section())` of a function marked contextmanager, which made the generator."""
    try:
        entered = next(generator)
    except StopIteration:
        raise RuntimeError("generator didn't yield") from None
    stack._exits.append(lambda error: leave_generator(generator, error))
    return entered


def leave_generator(generator, error: Exception | None) -> bool:
    if error is None:
        try:
            next(generator)
        except StopIteration:
            return False
        raise RuntimeError("generator didn't stop")
    try:
        generator.throw(error)
    except StopIteration:
        return True
    raise RuntimeError("generator didn't stop after throw()")
