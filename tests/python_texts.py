"""Texts of exceptions that other versions of CPython word otherwise than 3.11, which is the oracle.

In: what the interpreter that runs raises, and what 3.11 says. Out: whether the two are one. Holds: the table is closed;
a text that is not in it must be 3.11's.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass

Version = tuple[int, int]
_NO_VALUE = "where it is not associated with a value"


@dataclass(frozen=True)
class Change:
    """From version `first` to `last`, `theirs` (a pattern of class and text) is what 3.11 spells `ours`."""

    first: Version
    last: Version
    theirs: str
    ours: str


CHANGES = (
    Change((3, 0), (3, 10), r"ZeroDivisionError: integer division or modulo by zero",
           r"ZeroDivisionError: integer modulo by zero"),
    Change((3, 0), (3, 10), r"UnboundLocalError: local variable '(\w+)' referenced before assignment",
           rf"UnboundLocalError: cannot access local variable '\1' {_NO_VALUE}"),
    Change((3, 0), (3, 10), r"NameError: free variable '(\w+)' referenced before assignment in enclosing scope",
           rf"NameError: cannot access free variable '\1' {_NO_VALUE} in enclosing scope"),
    Change((3, 12), (3, 99), r"ValueError: (min|max)\(\) iterable argument is empty",
           r"ValueError: \1() arg is an empty sequence"),
    Change((3, 13), (3, 99), r"ZeroDivisionError: float modulo by zero", r"ZeroDivisionError: float modulo"),
    # Comprehensions run inline: a name of the function is a local one there.
    Change((3, 12), (3, 99), rf"UnboundLocalError: cannot access local variable '(\w+)' {_NO_VALUE}",
           rf"NameError: cannot access free variable '\1' {_NO_VALUE} in enclosing scope"),
)


def is_same_error(theirs: tuple[str, str], ours: tuple[str, str]) -> bool:
    """Whether what this interpreter raises, as the name of its class and its text, is what 3.11 raises."""
    if theirs == ours:
        return True
    raised, wanted = ": ".join(theirs), ": ".join(ours)
    return any(
        change.first <= sys.version_info[:2] <= change.last
        and re.fullmatch(change.theirs, raised) is not None
        and re.sub(change.theirs, change.ours, raised) == wanted
        for change in CHANGES
    )
