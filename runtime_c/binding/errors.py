"""Exceptions of tsm, and how a tsm_error becomes one.

In: a filled tsm_error. Out: the Python exception to raise: a builtin class by its name, or a class of this module.
Holds: what the runtime knows stays on the exception: `.tsm_traceback`, `.tsm_file`, `.tsm_line`, `.tsm_operator`.
"""

from __future__ import annotations

import ast
import builtins
import linecache
import os
import re
import sys
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from ._tsm import ffi, lib


class TsmError(Exception):
    """Base of the errors that are not Python exceptions of a program."""


class LoadError(TsmError):
    """A file that is damaged, malformed, refused by the verifier, too new or over a limit. `.status` names which."""

    status = ""


class FuelError(TsmError):
    """The fuel limit was reached."""


class CancelledError(TsmError):
    """The run was cancelled from another thread or a signal handler."""


class InternalError(TsmError):
    """A bug of tsm: please report it."""


class ScriptError(Exception):
    """Base of a program's own exception classes after load, made by name because loading imports nothing. They also
    derive from the nearest builtin class; `args` and attributes are those of the program's exception."""


_STATUS_CLASSES: dict[int, type[BaseException]] = {
    lib.TSM_ERR_MEMORY: MemoryError,
    lib.TSM_ERR_FUEL: FuelError,
    lib.TSM_ERR_CANCELLED: CancelledError,
    lib.TSM_ERR_ARGUMENT: TypeError,
    lib.TSM_ERR_NOT_FOUND: AttributeError,
    lib.TSM_ERR_IO: OSError,
    lib.TSM_ERR_INTERNAL: InternalError,
}
_LOAD_STATUSES = {
    getattr(lib, f"TSM_ERR_{name}"): name.lower()
    for name in ("FORMAT", "TRUNCATED", "CHECKSUM", "VERSION", "OPERATOR", "VERIFY", "LIMIT")
}


@dataclass(frozen=True)
class Raised:
    """An exception object that a program raised: the text of its class, "Mine<Base<ValueError", and Python's."""

    classes: str
    exception: BaseException


@lru_cache(maxsize=256)
def _user_class(name: str) -> type[BaseException]:
    """The class of a text that names it and its bases; the same one each time."""
    own, _, rest = name.partition("<")
    base = exception_class(rest) if rest else Exception
    bases = (base,) if issubclass(base, ScriptError) else (ScriptError,) if base is Exception else (ScriptError, base)
    return type(own.partition(".")[0], bases, {"__module__": "tsm"})


def exception_class(name: str) -> type[BaseException]:
    """The builtin exception of a name, else a ScriptError subclass of that name (the same one each time). A user's
    class names its bases too, as "Mine<Base<ValueError"."""
    found = getattr(builtins, name, None)
    if isinstance(found, type) and issubclass(found, Exception):
        return found
    return _user_class(name or "ScriptError")


def _class_of(error: Any) -> type[BaseException]:
    if error.code == lib.TSM_ERR_RAISED:
        return exception_class(_field(error.type))
    if error.code in _LOAD_STATUSES:
        return LoadError
    return _STATUS_CLASSES.get(error.code, InternalError)


def _field(text: Any) -> str:
    return ffi.string(text).decode("utf-8", "replace")


def exception_from(error: Any, message: str | None = None, raised: Raised | None = None) -> BaseException:
    """The exception for a filled `tsm_error *`. `message` replaces the error's own text when that was cut. `raised` is
    the program's own exception object."""
    text = message if message is not None else _field(error.message)
    if not text and error.code != lib.TSM_ERR_RAISED:
        text = _field(lib.tsm_status_text(error.code))
    exception = _make(_class_of(error), text) if raised is None else raised.exception
    if isinstance(exception, LoadError):
        exception.status = _LOAD_STATUSES[error.code]
    tell_place(exception, error)
    return exception


def tell_place(exception: BaseException, error: Any) -> None:
    """Puts where in the program it was raised on an exception."""
    exception.tsm_traceback = _field(error.trace)  # type: ignore[attr-defined]
    exception.tsm_file = _field(error.file)  # type: ignore[attr-defined]
    exception.tsm_line = int(error.line)  # type: ignore[attr-defined]
    exception.tsm_operator = _field(error.op)  # type: ignore[attr-defined]
    _add_note(exception)


def _make(kind: type[BaseException], text: str) -> BaseException:
    """An instance whose str() is the text; classes with other constructors (UnicodeDecodeError) fall back."""
    if kind is KeyError and text:
        return KeyError(_key_of(text))
    try:
        return kind(text) if text else kind()
    except TypeError:
        return next(base for base in kind.__mro__[1:] if base in (ValueError, Exception))(text)


STATEFUL: tuple[Any, ...] = (SyntaxError, ImportError, StopIteration)  # their text or value is not read from args


def with_message(kind: type[BaseException], text: str) -> BaseException:
    """An exception that has nothing but a message."""
    is_own = kind.__module__ != "builtins"  # its constructor ran in the program
    return filled(kind.__new__(kind), (text,) if text else ()) if is_own else _make(kind, text)


def filled(exception: BaseException, args: tuple[Any, ...]) -> BaseException:
    """An exception with its arguments, whose constructor did not run: it ran in the program already."""
    kind = type(exception)
    if isinstance(exception, _UNICODE):
        return kind(*args) if len(args) == 5 else ValueError(*args)
    exception.args = args
    for base in STATEFUL:
        if isinstance(exception, base) and len(args) <= 1:
            base.__init__(exception, *args)
    return exception


_UNICODE = (UnicodeDecodeError, UnicodeEncodeError, UnicodeTranslateError)


def _key_of(text: str) -> Any:
    """The key whose repr is `text`: str(KeyError(key)) is the repr of the key."""
    try:
        key = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return _Shown(text)
    return key if repr(key) == text else _Shown(text)


class _Shown(str):
    """A text that is its own repr."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def _add_note(exception: BaseException) -> None:
    """Shows the program's own stack under Python's (3.11 and later)."""
    trace = exception.tsm_traceback.rstrip()  # type: ignore[attr-defined]
    if trace and hasattr(exception, "add_note"):
        lines = "\n".join(each for line in trace.splitlines() for each in (line, *_source_line(line)))
        exception.add_note(f"In the program (most recent call last):\n{lines}")


_FRAME = re.compile(r'  File "(.*)", line (\d+), in ')


def _source_line(frame: str) -> list[str]:
    """The line of a source that is there, as Python's own tracebacks show it. Names of files come from programs, which
    nobody vouches for: only Python files are looked into."""
    found = _FRAME.match(frame)
    path = _place(found[1]) if found else ""
    if found is None or not (path in linecache.cache or (path.endswith(".py") and os.path.isfile(path))):
        return []
    text = linecache.getline(path, int(found[2])).strip()
    return [f"    {text}"] if text else []


def _place(file: str) -> str:
    """Where a file of a program lies: those of this package are named from its folder on."""
    package, _, rest = file.partition("/")
    if package != __name__.partition(".")[0]:
        return file
    places = (os.path.join(folder, rest) for folder in sys.modules[package].__path__)
    return next(filter(os.path.isfile, places), file)
