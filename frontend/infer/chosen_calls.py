"""State of calls whose arguments may not fit: of one of several functions, or in code that may not run.

In: nothing. Out: `ChosenCalls`. Holds: `wrong` is set only while `leaves` is, and taken by the call that it is about.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass(slots=True)
class ChosenCalls:
    """`is_choice`: one of several functions is called, or a value has one of several classes. `leaves`: arguments that
    do not fit are left to the run; `wrong` is then why they do not, and `failed` counts these calls."""

    is_choice: bool = False
    leaves: bool = False
    wrong: str = ""
    failed: int = 0

    @contextmanager
    def choosing(self, count: int) -> Iterator[None]:
        """While code for one of `count` classes of a value is made."""
        outer = self.is_choice
        self.is_choice = outer or count > 1
        try:
            yield
        finally:
            self.is_choice = outer
