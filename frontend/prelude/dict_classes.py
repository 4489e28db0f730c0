"""Methods of Python's subclasses of dict, written as scripts and specialised per type.

In: nothing. Out: functions that inference calls, with the parameters of the methods. Holds: each has CPython 3.11's
meaning, error and order of changes.
"""
# ruff: noqa: SIM110, SIM201 - parameters take the types of the call

from __future__ import annotations

from collections import Counter

from .containers import begins_text, ends_text, operator


@operator("prelude.popitem")
def last_item(items):
    """`dict.popitem`."""


@operator("prelude.move_to_end")
def moved(items, key, last):
    """Moves a key that is there to one end."""


# OrderedDict


def move_to_end(self, key, last=True):
    moved(self, key, last)


def popitem(self, last=True):
    if not self:
        raise KeyError("dictionary is empty")
    if last:
        return last_item(self)
    key = next(iter(self))
    return key, self.pop(key)


def ordered_equal(a, b):
    if len(a) != len(b):
        return False
    for x, y in zip(a.items(), b.items()):
        if not x[0] == y[0] or not x[1] == y[1]:
            return False
    return True


def ordered_text(items):
    if not items:
        return "OrderedDict()"
    if not begins_text(items):
        return "..."
    parts: list[str] = []
    try:
        for key, value in items.items():
            parts.append("(" + repr(key) + ", " + repr(value) + ")")
    finally:
        ends_text(items)
    return "OrderedDict([" + ", ".join(parts) + "])"


# Counter


def count_all(self, iterable):
    for key in iterable:
        self[key] = self[key] + 1


def count_mapping(self, mapping):
    for key, count in mapping.items():
        self[key] = count + self[key]


def subtract_all(self, iterable):
    for key in iterable:
        self[key] = self[key] - 1


def subtract_mapping(self, mapping):
    for key, count in mapping.items():
        self[key] = self[key] - count


def most_common(self, n=None):
    items = sorted(self.items(), key=lambda item: item[1], reverse=True)
    if n is None:
        return items
    return items[: max(n, 0)]


def elements(self):
    for key, count in self.items():
        for _ in range(count):
            yield key


def total(self):
    return sum(self.values())


def keep_positive(self):
    for key in [key for key, count in self.items() if count <= 0]:
        del self[key]
    return self


def counters_add(a, b):
    result = Counter()
    for key, count in a.items():
        number = count + b[key]
        if number > 0:
            result[key] = number
    for key, count in b.items():
        if key not in a and count > 0:
            result[key] = count
    return result


def counters_subtract(a, b):
    result = Counter()
    for key, count in a.items():
        number = count - b[key]
        if number > 0:
            result[key] = number
    for key, count in b.items():
        if key not in a and count < 0:
            result[key] = 0 - count
    return result


def counters_or(a, b):
    result = Counter()
    for key, count in a.items():
        number = max(count, b[key])
        if number > 0:
            result[key] = number
    for key, count in b.items():
        if key not in a and count > 0:
            result[key] = count
    return result


def counters_and(a, b):
    result = Counter()
    for key, count in a.items():
        number = min(count, b[key])
        if number > 0:
            result[key] = number
    return result


def add_to(self, other):
    for key, count in other.items():
        self[key] = self[key] + count
    return keep_positive(self)


def subtract_from(self, other):
    for key, count in other.items():
        self[key] = self[key] - count
    return keep_positive(self)


def raise_to(self, other):
    for key, count in other.items():
        if count > self[key]:
            self[key] = count
    return keep_positive(self)


def lower_to(self, other):
    for key, count in self.items():
        if other[key] < count:
            self[key] = other[key]
    return keep_positive(self)


def positive(self):
    result = Counter()
    for key, count in self.items():
        if count > 0:
            result[key] = count
    return result


def negative(self):
    result = Counter()
    for key, count in self.items():
        if count < 0:
            result[key] = 0 - count
    return result


def is_within(a, b):
    for key in a:
        if a[key] > b[key]:
            return False
    for key in b:
        if a[key] > b[key]:
            return False
    return True


def is_below(a, b):
    return is_within(a, b) and a != b


def contains_counts(a, b):
    return is_within(b, a)


def is_above(a, b):
    return is_within(b, a) and a != b


def delete_count(self, key):
    if key in self:
        self.pop(key)


# defaultdict


def default_text(items, factory):
    if not begins_text(items):
        return "defaultdict(" + factory + ", {...})"
    parts: list[str] = []
    try:
        for key, value in items.items():
            parts.append(repr(key) + ": " + repr(value))
    finally:
        ends_text(items)
    return "defaultdict(" + factory + ", {" + ", ".join(parts) + "})"
