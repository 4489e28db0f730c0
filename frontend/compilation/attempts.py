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
        self._lasting: set[tuple[Span, str]] = set()

    def lasting_error(self, span: Span, message: str, hint: str | None = None) -> None:
        """An error of what is looked at once, in whatever round: no rewind forgets it."""
        self._lasting.add((span, message))
        self.error(span, message, hint)

    def mark(self) -> int:
        return len(self._found)

    def since(self, mark: int) -> list[Diagnostic]:
        """What was reported after the mark."""
        return list(self._found.values())[mark:]

    def rewind(self, mark: int) -> None:
        for key in list(self._found)[mark:]:
            if key not in self._lasting:
                del self._found[key]
