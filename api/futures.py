"""`tsm.jit.fork` and `wait`: PyTorch's spelling of tasks.

In: a function and its arguments. Out: a Future that has its result. Holds: the task runs at once, in Python and in
compiled code, so effects and exceptions come in the order in which the forks stand.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from .modes import special

T = TypeVar("T")


class Future(Generic[T]):
    """A result that is there. `tsm.jit.Future[Tensor]` annotates one in compiled code."""

    __tsm_special__ = "Future"

    def __init__(self, value: T) -> None:
        self._value = value

    def wait(self) -> T:
        """The result."""
        return self._value

    def value(self) -> T:
        """The result."""
        return self._value

    def done(self) -> bool:
        """True: a fork has run when it returns."""
        return True


@special("fork")
def fork(function: Callable[..., T], *args: Any, **kwargs: Any) -> Future[T]:
    """Runs `function(*args, **kwargs)` now. What it raises is raised here."""
    return Future(function(*args, **kwargs))


@special("wait")
def wait(future: Future[T]) -> T:
    """The result of a fork."""
    return future.wait()
