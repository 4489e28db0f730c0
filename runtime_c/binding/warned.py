"""Warnings of programs, as Python's: under their file and line, and through its filters.

In: a tsm_warning. Out: what `warnings` does with it; whether the program is to raise it.
Holds: a module's own `__warningregistry__` is asked, so what scripts and Python warn of counts once; files
that programs name are looked into only as tracebacks do.
"""

from __future__ import annotations

import linecache
import os
import sys
import warnings
from types import FrameType
from typing import Any
from weakref import WeakValueDictionary

from .errors import exception_class, with_message
from .library import HookGuard, ffi

programs: WeakValueDictionary[int, Any] = WeakValueDictionary()  # by the address of an instance that runs them
_registries: dict[str, dict[Any, Any]] = {}  # of files that are no module of this process
_PACKAGE = __name__.partition(".")[0]


@ffi.def_extern()
def tsm_py_warn(user: Any, warning: Any) -> bool:
    is_fatal = False
    with HookGuard():
        text = ffi.buffer(warning.text, warning.length)[:].decode("utf-8", "replace")
        message = with_message(_category(ffi.string(warning.category).decode(), warning.instance), text)
        try:
            if warning.outside:
                _warn_outside(message, warning.outside)
            else:
                _warn_at(message, ffi.string(warning.file).decode("utf-8", "replace"), warning.line)
        except Warning as error:
            is_fatal = error is message
            if not is_fatal:
                raise
    return is_fatal


def _category(classes: str, instance: Any) -> type[Warning]:
    program = programs.get(int(ffi.cast("uintptr_t", instance)))
    known = program.exceptions if program is not None else {}
    found: type[BaseException] = known.get(classes) or exception_class(classes)
    return found if issubclass(found, Warning) else UserWarning


def _warn_at(message: Any, file: str, line: int) -> None:
    for module in list(sys.modules.values()):
        if getattr(module, "__file__", None) == file:
            registry = vars(module).setdefault("__warningregistry__", {})
            warnings.warn_explicit(message, Warning, file, line, module.__name__, registry)
            return
    shown = file if _may_be_shown(file) else f"<{file}>"
    warnings.warn_explicit(message, Warning, shown, line, registry=_registries.setdefault(file, {}))


def _may_be_shown(file: str) -> bool:
    """Whether `warnings` may look for the line in it: names come from programs, which nobody vouches for."""
    return file in linecache.cache or not os.path.exists(file) or (file.endswith(".py") and os.path.isfile(file))


def _warn_outside(message: Any, level: int) -> None:
    """At the line of the call that entered the program, or of its callers."""
    frame = _outside(sys._getframe())
    while frame is not None and level > 1:
        frame, level = _outside(frame.f_back), level - 1
    if frame is None:
        warnings.warn_explicit(message, Warning, "sys", 1)
        return
    names = frame.f_globals
    warnings.warn_explicit(
        message, Warning, frame.f_code.co_filename, frame.f_lineno, names.get("__name__"),
        names.setdefault("__warningregistry__", {}),
    )


def _outside(frame: FrameType | None) -> FrameType | None:
    """The first frame from there on that is none of this package."""
    while frame is not None and _is_own(frame):
        frame = frame.f_back
    return frame


def _is_own(frame: FrameType) -> bool:
    name = frame.f_globals.get("__name__") or ""
    return name.partition(".")[0] == _PACKAGE or frame.f_code.co_filename.startswith("<method ")
