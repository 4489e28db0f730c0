"""A reporter that can take messages back: inference to a fixpoint looks at code again with better types.

In: messages of tentative rounds. Out: those of the last round only.
"""

from __future__ import annotations

from .diagnostics import Diagnostic, Reporter


class AttemptReporter(Reporter):
    """`mark` before a round, `rewind` to forget what it reported."""

    def mark(self) -> int:
        return len(self._found)

    def since(self, mark: int) -> list[Diagnostic]:
        """What was reported after the mark."""
        return list(self._found.values())[mark:]

    def rewind(self, mark: int) -> None:
        for key in list(self._found)[mark:]:
            del self._found[key]
