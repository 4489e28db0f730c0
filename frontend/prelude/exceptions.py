"""What exceptions keep beside their arguments, as scripts: the cause, notes.

In: nothing. Out: functions that inference calls. Holds: an exception that stands for an instance of a user's class
keeps all this in a second one, HOLDER, which the instance has: several may stand for one instance.
"""

from __future__ import annotations

from typing import Any

from .containers import operator


@operator("prelude.exception_attribute")
def attribute(error: Exception, name: str) -> Any: ...


@operator("prelude.set_exception_attribute")
def set_attribute(error: Exception, name: str, value: Any) -> None: ...


def holder(error: Exception) -> Exception:
    try:
        held: Exception = attribute(error, "holder")
        return held
    except AttributeError:
        return error


def caused(error: Exception, cause: Exception | None) -> Exception:
    """`raise error from cause`, but for raising it."""
    held = holder(error)
    if cause is not None:
        set_attribute(held, "__cause__", cause)
    set_attribute(held, "__suppress_context__", True)
    return error


def cause_of(error: Exception) -> Exception | None:
    try:
        cause: Exception = attribute(holder(error), "__cause__")
        return cause
    except AttributeError:
        return None


def is_context_suppressed(error: Exception) -> bool:
    try:
        is_suppressed: bool = attribute(holder(error), "__suppress_context__")
        return is_suppressed
    except AttributeError:
        return False


def notes_of(error: Exception) -> list[str]:
    notes: list[str] = attribute(holder(error), "__notes__")
    return notes


def add_note(error: Exception, note: str) -> None:
    held = holder(error)
    notes: list[str] = []
    try:
        notes = attribute(held, "__notes__")
    except AttributeError:
        set_attribute(held, "__notes__", notes)
    notes.append(note)


def stop_value(args: tuple[Any, ...]) -> Any:
    """The value of a StopIteration with these arguments."""
    for value in args:
        return value
    return None
