"""What containers of instances do where a kernel would have to call back: written as scripts, specialised per type.

In: nothing. Out: functions that inference calls. Holds: each has CPython 3.11's meaning and order of calls;
elements are compared by == only (D6).
"""
# ruff: noqa: SIM110, SIM201 - parameters take the types of the call; classes may define == alone

from __future__ import annotations


def checked_length(size):
    if size < 0:
        raise ValueError("__len__() should return >= 0")
    return size


def sequences_equal(a, b):
    if len(a) != len(b):
        return False
    for i in range(len(a)):
        if not a[i] == b[i]:
            return False
    return True


def tuples_equal(a, b):
    if len(a) != len(b):
        return False
    for x, y in zip(a, b):
        if not x == y:
            return False
    return True


def dicts_equal(a, b):
    if len(a) != len(b):
        return False
    for key in a:
        if key not in b or not a[key] == b[key]:
            return False
    return True


def found_in(item, items):
    for each in items:
        if each == item:
            return True
    return False


def list_text(items):
    parts: list[str] = []
    for item in items:
        parts.append(repr(item))
    return "[" + ", ".join(parts) + "]"


def tuple_text(items):
    parts: list[str] = []
    for item in items:
        parts.append(repr(item))
    if len(items) == 1:
        return "(" + parts[0] + ",)"
    return "(" + ", ".join(parts) + ")"


def dict_text(items):
    parts: list[str] = []
    for key, value in items.items():
        parts.append(repr(key) + ": " + repr(value))
    return "{" + ", ".join(parts) + "}"
