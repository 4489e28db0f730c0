"""What print does with arguments that `*` spreads, whose number is known at run time only, and warnings.

In: nothing. Out: functions that inference calls. Holds: a value's own text is made after what stands before it is
written, as CPython does.
"""

from __future__ import annotations

from .containers import operator


def texts(values):
    return [str(value) for value in values]


def print_each(values, sep, end):
    is_first = True
    for value in values:
        if not is_first:
            print(sep, end="")
        print(value, end="")
        is_first = False
    print(end=end)


@operator("prelude.warn")
def tell(text):
    """Writes to the host's warning hook."""


def warn(message):
    """`warnings.warn`"""
    tell(str(message))
