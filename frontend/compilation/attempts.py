"""A reporter that can take messages back: inference to a fixpoint looks at code again with better types.

In: messages of tentative rounds. Out: those of the last round, and those that last.
"""

from __future__ import annotations

from ..diagnostics import Diagnostic, Reporter
from ..parser.syntax import Span


class AttemptReporter(Reporter):
    """`mark` before a round, `rewind` to forget what it reported."""

    def __init__(self) -> None:
        super().__init__()
        self._said: list[Diagnostic] = []  # in order of discovery, with what was said again
        self._lasting: set[tuple[Span, str]] = set()

    def add(self, diagnostic: Diagnostic) -> None:
        super().add(diagnostic)
        self._said.append(diagnostic)

    def lasting_error(self, span: Span, message: str, hint: str | None = None) -> None:
        """An error of what is looked at once, in whatever round: no rewind forgets it."""
        self._lasting.add((span, message))
        self.error(span, message, hint)

    def mark(self) -> int:
        return len(self._said)

    def since(self, mark: int) -> list[Diagnostic]:
        """What was reported after the mark, before it too or not; each once."""
        return list({(each.span, each.message): each for each in reversed(self._said[mark:])}.values())[::-1]

    def rewind(self, mark: int) -> None:
        taken = {(each.span, each.message) for each in self._said[mark:]}
        del self._said[mark:]
        if taken:
            kept = self._lasting.union((each.span, each.message) for each in self._said)
            for key in taken - kept:
                del self._found[key]
