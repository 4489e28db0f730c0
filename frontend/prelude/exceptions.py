"""What exceptions keep beside their arguments, as scripts: the cause, the context, notes; which one is being handled.

In: nothing. Out: functions that inference calls. Holds: an exception that stands for an instance of a user's class
keeps all this in a second one, HOLDER, which the instance has: several may stand for one instance.
"""

from __future__ import annotations

import errno
from typing import Any

from .containers import operator

OS_CLASSES = tuple((number, type(OSError(number, "")).__name__) for number in sorted(errno.errorcode)
                   if type(OSError(number, "")) is not OSError)


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


def caused_by_stop(error: Exception, stop: Exception) -> Exception:
    """What a generator raises instead of a StopIteration."""
    set_attribute(holder(error), "__context__", stop)
    return caused(error, stop)


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


def has_notes(error: Exception) -> bool:
    try:
        attribute(holder(error), "__notes__")
        return True
    except AttributeError:
        return False


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


def of_os(error: Exception, name: str) -> Any:
    """`errno`, `strerror` or `filename` of an OSError, which has them where it was made with a number."""
    try:
        return attribute(error, name)
    except AttributeError:
        return None


def os_text(number: int, text: str, filename: Any) -> str:
    shown = f"[Errno {number}] {text}"
    return shown if filename is None else f"{shown}: {filename!r}"


def os_class(number: int) -> str:
    """The class of an OSError with this number."""
    for known, name in OS_CLASSES:
        if number == known:
            return name
    return "OSError"


def exit_code(args: tuple[Any, ...]) -> Any:
    """The code of a SystemExit with these arguments."""
    if len(args) == 1:
        return args[0]
    return args if len(args) > 1 else None


@operator("prelude.handle_exception")
def handle(error: Any) -> Any: ...


def maybe(value: Any) -> Exception | None:
    if value is None:
        return None
    error: Exception = value
    return error


def being_handled() -> Exception | None:
    now = maybe(handle(None))
    handle(now)
    return now


def begin_handling(caught: Exception) -> Exception | None:
    """The start of a handler; what was being handled before."""
    before = maybe(handle(caught))
    if before is not None:
        give_context(caught, before, False)
    return before


def end_handling(before: Exception | None) -> None:
    """The end of a handler."""
    handle(before)


def leave_handling(before: Exception | None, error: Exception, caught: Exception) -> None:
    """The end of a handler that raises."""
    handle(before)
    give_context(error, caught, False)


def raised(error: Exception) -> Exception:
    """`raise error`, but for raising it."""
    now = being_handled()
    if now is not None:
        give_context(error, now, True)
    return error


def handled() -> Exception:
    """What `raise` alone raises."""
    now = being_handled()
    if now is None:
        raise RuntimeError("No active exception to reraise")
    return now


def context_of(error: Exception) -> Exception | None:
    try:
        return maybe(attribute(holder(error), "__context__"))
    except AttributeError:
        return None


def has_context(error: Exception) -> bool:
    try:
        attribute(error, "__context__")
        return True
    except AttributeError:
        return False


def give_context(error: Exception, context: Exception, is_raised: bool) -> None:
    """Gives an exception its context, unless it has one and was raised before; contexts never lead around."""
    held, at = holder(error), holder(context)
    if held is at or (has_context(held) and not is_raised):
        return
    above = context_of(at)
    while above is not None:
        above = holder(above)
        if above is held:
            set_attribute(at, "__context__", None)
            break
        at = above
        above = context_of(at)
    set_attribute(held, "__context__", context)


def decode_text(encoding: str, data: bytes, start: int, end: int, reason: str) -> str:
    if start < len(data) and end == start + 1:
        return f"'{encoding}' codec can't decode byte 0x{data[start]:02x} in position {start}: {reason}"
    return f"'{encoding}' codec can't decode bytes in position {start}-{end - 1}: {reason}"


def encode_text(encoding: str, text: str, start: int, end: int, reason: str) -> str:
    if start < len(text) and end == start + 1:
        code = ord(text[start])
        shown = f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}" if code < 65536 else f"\\U{code:08x}"
        return f"'{encoding}' codec can't encode character '{shown}' in position {start}: {reason}"
    return f"'{encoding}' codec can't encode characters in position {start}-{end - 1}: {reason}"
