"""What the compiler says to its user: located messages, and the exception that carries them.

In: spans and sentences from every stage of the front end. Out: `file:line:column: error: message`, the source line, the
text underlined, a hint. Holds: a Reporter keeps at most MAX_DIAGNOSTICS, sorted and without repetition, and stages go
on after an error as long as they can.
"""

from __future__ import annotations

import difflib
import linecache
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple


class Span(NamedTuple):
    """A range of source text. Lines and columns count from 1, columns in code points; the end is exclusive."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"

    def to(self, last: Span) -> Span:
        """From the start of this span to the end of `last`."""
        return Span(self.file, self.line, self.column, last.end_line, last.end_column)


MAX_DIAGNOSTICS = 20
MAX_EXCERPT = 160
MAX_LISTED = 8  # names in a hint
TAB = "    "


@dataclass(frozen=True)
class Diagnostic:
    """One error. `hint` says what to write instead; `notes` are further sentences, located or not.

    `source` is the text of the span's first line where the stage that reports it has it; otherwise the line is looked
    up in `linecache`, and left out if it is not there.
    """

    span: Span
    message: str
    hint: str | None = None
    notes: tuple[tuple[Span | None, str], ...] = ()
    source: str | None = None

    def __str__(self) -> str:
        lines = [f"{self.span}: error: {self.message}", *excerpt(self.span, self.source)]
        if self.hint is not None:
            lines.append(f"hint: {self.hint}")
        for span, text in self.notes:
            lines.append(f"{span}: note: {text}" if span is not None else f"note: {text}")
            if span is not None:
                lines.extend(excerpt(span))
        return "\n".join(lines)


def excerpt(span: Span, source: str | None = None) -> list[str]:
    """The source line indented by four, and a line that underlines the span in it; empty if the line is unknown.

    A span over several lines is underlined to the end of its first. Tabs become four spaces, and wide characters take
    two cells, so that the underline stands under the text in a terminal.
    """
    line = linecache.getline(span.file, span.line) if source is None else source
    line = line.rstrip("\r\n\f \t")
    if not line.strip():
        return []
    end = span.end_column if span.end_line == span.line else len(line) + 1
    end = min(end, len(line) + 1)
    text = line.lstrip()
    cut = len(line) - len(text)
    if span.column - cut > MAX_EXCERPT:
        cut = span.column - MAX_EXCERPT // 2
    text = line[cut : cut + MAX_EXCERPT]
    end = min(end, cut + MAX_EXCERPT + 1)
    before = line[cut : max(span.column - 1, cut)]
    marked = line[max(span.column - 1, cut) : end - 1]
    underline = " " * _cells(before) + "^" + "~" * max(_cells(marked) - 1, 0)
    return ["    " + _shown(text), "    " + underline]


def _shown(text: str) -> str:
    return "".join(TAB if c == "\t" else c if c.isprintable() else " " for c in text)


def _cells(text: str) -> int:
    return sum(_width(c) for c in text)


def _width(char: str) -> int:
    if char == "\t":
        return len(TAB)
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


class CompileError(RuntimeError):
    """A program that cannot be compiled, with everything found wrong in it; `str()` prints it all."""

    def __init__(self, diagnostics: Iterable[Diagnostic], omitted: int = 0) -> None:
        self.diagnostics = tuple(diagnostics)
        self.omitted = omitted
        parts = [str(diagnostic) for diagnostic in self.diagnostics]
        if omitted:
            parts.append(f"and {omitted} more error{'s' if omitted > 1 else ''}")
        super().__init__("\n\n".join(parts))

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self), (self.diagnostics, self.omitted))


class ScriptSyntaxError(CompileError):
    """Source text that is no Python, or Python that the grammar leaves out."""


class SourceError(CompileError):
    """A function whose source text cannot be found, or is no longer what was compiled."""


class Reporter:
    """Collects the diagnostics of one compilation."""

    def __init__(self) -> None:
        self._found: dict[tuple[Span, str], Diagnostic] = {}

    def error(
        self,
        span: Span,
        message: str,
        hint: str | None = None,
        notes: Iterable[tuple[Span | None, str]] = (),
        source: str | None = None,
    ) -> None:
        """Record one error; the same message at the same place counts once."""
        self.add(Diagnostic(span, message, hint, tuple(notes), source))

    def add(self, diagnostic: Diagnostic) -> None:
        self._found.setdefault((diagnostic.span, diagnostic.message), diagnostic)

    def absorb(self, error: CompileError) -> None:
        """Take over what another compilation found."""
        for diagnostic in error.diagnostics:
            self.add(diagnostic)

    @property
    def has_errors(self) -> bool:
        return bool(self._found)

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """Everything found, by file, line and column; in order of discovery at one place."""
        return sorted(self._found.values(), key=lambda d: (d.span.file, d.span.line, d.span.column))

    def raise_if_errors(self) -> None:
        """Raise CompileError with the first MAX_DIAGNOSTICS errors, if there are any."""
        found = self.diagnostics
        if found:
            raise CompileError(found[:MAX_DIAGNOSTICS], max(0, len(found) - MAX_DIAGNOSTICS))


def suggestion(name: str, known: Iterable[str]) -> str | None:
    """A hint "did you mean 'x'?" if one of `known` is spelled nearly as `name`."""
    close = nearest(name, known)
    return None if close is None else f"did you mean '{close}'?"


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The one of `known` that is spelled nearly as `name`, or as it but for the case of letters."""
    known = list(known)
    folded = [each for each in known if each.casefold() == name.casefold() and each != name]
    if folded:
        return folded[0]
    close = difflib.get_close_matches(name, sorted(set(known)), n=1, cutoff=0.7)
    return None if not close or close[0] == name else close[0]


def members_hint(name: str, known: Iterable[str], what: str = "it has") -> str | None:
    """The nearest of `known`, else all of them if they are few."""
    public = [each for each in dict.fromkeys(known) if not each.startswith("_")]
    found = suggestion(name, public)
    if found is not None or not public or len(public) > MAX_LISTED:
        return found
    return f"{what}: {', '.join(public)}"
