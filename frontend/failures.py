"""What the user sees of a failure of the compiler itself: a message that says so, and a file to attach to a report.

In: an unexpected exception, the place that was being compiled, the source texts. Out: a CompileError.
Holds: nothing internal reaches the user but the exception's class and text; TSM_REPRO=dir keeps the rest, as a Python
file that compiles the same source again.
"""

from __future__ import annotations

import os
import platform
import traceback
from collections.abc import Mapping

from ..binding import version
from ..ir.knobs import read_knobs
from .diagnostics import CompileError, Diagnostic, Span

NOWHERE = Span("<unknown>", 1, 1, 1, 1)
NAME = "tsm_repro_{}.py"


def bug(error: BaseException, span: Span, texts: Mapping[str, str], names: list[str], graph: str = "") -> CompileError:
    """The CompileError for an exception that should not have happened; `names` are the functions being compiled,
    `graph` is the program's text if there is one already."""
    text = f"internal error of the compiler ({type(error).__name__}: {error}); please report it"
    hint = "set the environment variable TSM_REPRO=dir, and attach the file that it then writes"
    place = read_knobs().repro
    if place:
        hint = f"attach {_write(place, error, span, texts, names, graph)}"
    return CompileError([Diagnostic(span, text, hint)])


def too_deep(span: Span) -> CompileError:
    """For a program that even deep recursion does not hold."""
    text = "this program is nested too deeply for the compiler"
    return CompileError([Diagnostic(span, text, "split the function, or name a part of the expression")])


def _write(
    place: str, error: BaseException, span: Span, texts: Mapping[str, str], names: list[str], graph: str
) -> str:
    """A file of its own for each failure; its path."""
    os.makedirs(place, exist_ok=True)
    number = 0
    while os.path.exists(os.path.join(place, NAME.format(number))):
        number += 1
    path = os.path.join(place, NAME.format(number))
    details = "".join(traceback.format_exception(type(error), error, error.__traceback__))
    about = f"tsm {version()}, Python {platform.python_version()}, {platform.platform()}; at {span}\n{details}"
    parts = ["".join(f"# {line}\n" for line in about.splitlines())]
    main = span.file if span.file in texts else next(iter(texts), "")
    for file, source in texts.items():
        if file != main:
            parts.append("".join(f"# {line}\n" for line in (f"{file}:", *source.splitlines())))
    if graph:
        parts.append("".join(f"# {line}\n" for line in ("the program before it was optimised:", *graph.splitlines())))
    parts.append(texts.get(main, ""))
    parts += [f"import tsm\n\ntsm.script({name})\n" for name in names if name.isidentifier()]
    with open(path, "w", encoding="utf-8") as file_:
        file_.write("\n".join(parts))
    return path
