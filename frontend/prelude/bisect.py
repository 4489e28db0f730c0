"""Functions of bisect, written as scripts.

In: nothing. Out: functions that stand for those of Python's library where a script names them.
Holds: items are compared as CPython 3.11 compares them, in its order; `key` is asked of items, and of what goes in.
"""

from __future__ import annotations

import bisect

from .operators import stands_for


@stands_for(bisect.bisect_left)
def bisect_left(a, x, lo=0, hi=None, *, key=None):
    if lo < 0:
        raise ValueError("lo must be non-negative")
    end = len(a) if hi is None or hi == -1 else hi
    while lo < end:
        middle = (lo + end) // 2
        if (a[middle] if key is None else key(a[middle])) < x:
            lo = middle + 1
        else:
            end = middle
    return lo


@stands_for(bisect.bisect_right)
def bisect_right(a, x, lo=0, hi=None, *, key=None):
    if lo < 0:
        raise ValueError("lo must be non-negative")
    end = len(a) if hi is None or hi == -1 else hi
    while lo < end:
        middle = (lo + end) // 2
        if x < (a[middle] if key is None else key(a[middle])):
            end = middle
        else:
            lo = middle + 1
    return lo


@stands_for(bisect.insort_left)
def insort_left(a, x, lo=0, hi=None, *, key=None):
    a.insert(bisect_left(a, x if key is None else key(x), lo, hi, key=key), x)


@stands_for(bisect.insort_right)
def insort_right(a, x, lo=0, hi=None, *, key=None):
    a.insert(bisect_right(a, x if key is None else key(x), lo, hi, key=key), x)
