"""State of calls whose arguments may not fit: of one of several functions, or in code that may not run.

In: nothing. Out: `ChosenCalls`. Holds: `wrong` is set only while `leaves` is, and taken by the call that it is about.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class ChosenCalls:
    """`is_choice`: one of several functions is called. `leaves`: arguments that do not fit are left to the run; `wrong`
    is then why they do not, and `failed` counts these calls."""

    is_choice: bool = False
    leaves: bool = False
    wrong: str = ""
    failed: int = 0
