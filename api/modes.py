"""Names that mean something to the compiler or to later versions and are harmless in eager code.

Out: functions and classes; the compiler knows what a call of them means by their `__tsm_special__` name.
Holds: each gives in Python what compiled code gives, as far as Python can know it.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, TypeVar

from .binding import dispatch, library

F = TypeVar("F", bound=Callable[..., Any])


class InertMode:
    """Usable as `with no_grad():` and `@no_grad()`: what it would switch is not there, so it changes nothing."""

    __tsm_inert__ = True  # scripts evaluate the arguments and do no more

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        """A function as the only argument is decorated: `@no_grad` means what `@no_grad()` does."""
        if len(args) == 1 and not kwargs and callable(args[0]):
            return cls()(args[0])
        return super().__new__(cls)

    def __enter__(self) -> None:
        return None

    def __exit__(self, *error: object) -> None:
        return None

    def __call__(self, function: F) -> F:
        if inspect.isclass(function):  # PyTorch's decorates the class's constructor
            function.__init__ = self(function.__init__)  # type: ignore[method-assign]
            return function

        @functools.wraps(function)
        def wrapped(*args: Any, **kwargs: Any) -> Any:
            return function(*args, **kwargs)

        return wrapped  # type: ignore[return-value]


class no_grad(InertMode):
    """No gradients inside."""


class enable_grad(InertMode):
    """Gradients inside, once there are any."""


class record_function(InertMode):
    """Names a part of a program for a profiler."""

    def __init__(self, name: str, args: str | None = None) -> None:
        self.name = name


class inference_mode(InertMode):
    """No gradients inside."""

    def __init__(self, mode: bool = True) -> None:
        self.mode = mode


class set_grad_enabled(InertMode):
    """Gradients inside if `mode`, once there are any."""

    def __init__(self, mode: bool) -> None:
        self.mode = mode


def special(name: str) -> Callable[[F], F]:
    """Marks a function that compiled code does not call: the compiler has its own meaning for it."""

    def mark(function: F) -> F:
        function.__tsm_special__ = name  # type: ignore[attr-defined]
        return function

    return mark


@special("is_scripting")
def is_scripting() -> bool:
    """True in compiled code, False in Python."""
    return False


@special("is_tracing")
def is_tracing() -> bool:
    """Whether this thread is being traced, or a trace is being compared with what was traced."""
    return bool(dispatch.recorders()) or library.thread().is_checking


@special("annotate")
def annotate(kind: Any, value: Any) -> Any:
    """`value`, which compiled code takes to be of type `kind`."""
    return value
