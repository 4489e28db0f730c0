"""Methods of deques, written as scripts and specialised per type.

In: nothing. Out: functions that inference calls, with the parameters of the methods. Holds: each has CPython 3.11's
meaning and errors, and tells the deque's iterators what CPython's notice.
"""

from __future__ import annotations

from .containers import begins_text, ends_text, operator

LAST = 2**63 - 1


@operator("prelude.push")
def push(items, item):
    """Puts an item at the end."""


@operator("prelude.pushleft")
def pushleft(items, item):
    """Puts an item in front."""


@operator("prelude.pop")
def take_last(items):
    """Takes the last item out."""


@operator("prelude.popleft")
def take_first(items):
    """Takes the first item out."""


@operator("prelude.insert")
def put_in(items, index, item):
    """`list.insert`."""


@operator("prelude.delete")
def delete(items, index):
    """`del items[index]`."""


@operator("prelude.clear")
def drop_all(items):
    """`list.clear`."""


@operator("prelude.limit")
def limit(items):
    """maxlen, or -1."""


@operator("prelude.set_limit")
def set_limit(items, most):
    """Gives a new deque its maxlen."""


@operator("prelude.changed")
def changed(items):
    """Lets iterators notice."""


def limited(self, maxlen):
    if maxlen is not None:
        if maxlen < 0:
            raise ValueError("maxlen must be non-negative")
        set_limit(self, maxlen)


def append(self, item):
    changed(self)
    push(self, item)
    if 0 <= limit(self) < len(self):
        take_first(self)


def appendleft(self, item):
    pushleft(self, item)
    if 0 <= limit(self) < len(self):
        take_last(self)


def pop(self):
    if not self:
        raise IndexError("pop from an empty deque")
    changed(self)
    return take_last(self)


def popleft(self):
    return take_first(self)


def extend(self, iterable):
    for item in iterable:
        changed(self)
        push(self, item)
        if 0 <= limit(self) < len(self):
            take_first(self)


def extendleft(self, iterable):
    for item in iterable:
        pushleft(self, item)
        if 0 <= limit(self) < len(self):
            take_last(self)


def rotate(self, n=1):
    size = len(self)
    if size < 2:
        return
    changed(self)
    n %= size
    if n > size // 2:
        n -= size
    for _ in range(n):
        pushleft(self, take_last(self))
    for _ in range(-n):
        push(self, take_first(self))


def insert(self, index, item):
    size = len(self)
    if limit(self) == size:
        raise IndexError("deque already at its maximum size")
    if index >= size:
        append(self, item)
    elif index == 0 or index <= -size:
        appendleft(self, item)
    else:
        changed(self)
        put_in(self, index, item)


def remove(self, value):
    i = 0
    while i < len(self):
        if self[i] == value:
            changed(self)
            delete(self, i)
            return
        i += 1
    raise ValueError(f"{value!r} is not in deque")


def index(self, value, start=0, stop=LAST):
    size = len(self)
    if start < 0:
        start = max(start + size, 0)
    if stop < 0:
        stop = max(stop + size, 0)
    for i in range(start, min(stop, size)):
        if self[i] == value:
            return i
    raise ValueError(f"{value!r} is not in deque")


def clear(self):
    if self:
        changed(self)
        drop_all(self)


def item_deleted(self, place):
    delete(self, place)
    changed(self)


def filled_like(self, other, items):
    """A new deque with the maxlen of another and items."""
    if limit(other) >= 0:
        set_limit(self, limit(other))
    extend(self, items)
    return self


def appended_again(self, items, times):
    if times <= 0:
        clear(self)
    for _ in range(times - 1):
        extend(self, items)


def deque_text(items):
    if not begins_text(items):
        return "[...]"
    parts: list[str] = []
    try:
        for item in items:
            parts.append(repr(item))
    finally:
        ends_text(items)
    most = f", maxlen={limit(items)}" if limit(items) >= 0 else ""
    return "deque([" + ", ".join(parts) + "]" + most + ")"
