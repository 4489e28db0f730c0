"""Ranges, written as scripts: what they are asked for, and the class of those that are kept as values.

In: start, stop and step of ranges. Out: functions that inference calls. Holds: each has CPython 3.11's meaning and
errors.
"""

from __future__ import annotations


def range_item(start, stop, step, index):
    size = len(range(start, stop, step))
    if index < 0:
        index += size
    if index < 0 or index >= size:
        raise IndexError("range object index out of range")
    return start + index * step


def range_slice(start, stop, step, lower, upper, stride):
    size = len(range(start, stop, step))
    by = 1
    if stride is not None:
        by = stride
    if by == 0:
        raise ValueError("slice step cannot be zero")
    first = 0 if by > 0 else size - 1
    if lower is not None:
        first = lower + size if lower < 0 else lower
        first = max(min(first, size if by > 0 else size - 1), 0 if by > 0 else -1)
    last = size if by > 0 else -1
    if upper is not None:
        last = upper + size if upper < 0 else upper
        last = max(min(last, size if by > 0 else size - 1), 0 if by > 0 else -1)
    return start + first * step, start + last * step, step * by


def range_text(start, stop, step):
    return f"range({start}, {stop})" if step == 1 else f"range({start}, {stop}, {step})"


def range_contains(start, stop, step, item):
    inside = start <= item < stop if step > 0 else stop < item <= start
    return inside and (item - start) % step == 0


def ranges_equal(start, stop, step, other_start, other_stop, other_step):
    size = len(range(start, stop, step))
    if size != len(range(other_start, other_stop, other_step)):
        return False
    return size == 0 or (start == other_start and (size == 1 or step == other_step))


def range_index(start, stop, step, item):
    if not range_contains(start, stop, step, item):
        raise ValueError(f"{item} is not in range")
    return (item - start) // step


def range_count(start, stop, step, item):
    return int(range_contains(start, stop, step, item))


class Range:
    """A range that a container, an attribute or one of several variables holds."""

    __tsm_compiles__ = True
    __tsm_stands_for__ = range

    def __init__(self, start: int, stop: int, step: int):
        self.start = start
        self.stop = stop
        self.step = step

    def __len__(self) -> int:
        return len(range(self.start, self.stop, self.step))

    def __iter__(self):
        return iter(range(self.start, self.stop, self.step))

    def __contains__(self, item: int) -> bool:
        return range_contains(self.start, self.stop, self.step, item)

    def __getitem__(self, index: int) -> int:
        return range_item(self.start, self.stop, self.step, index)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Range):
            return NotImplemented
        return ranges_equal(self.start, self.stop, self.step, other.start, other.stop, other.step)

    def __hash__(self) -> int:
        size = len(self)
        return hash((size, self.start if size > 0 else None, self.step if size > 1 else None))

    def __repr__(self) -> str:
        return range_text(self.start, self.stop, self.step)


Range.__name__ = Range.__qualname__ = "range"


def made_range(start: int, stop: int, step: int) -> Range:
    return Range(start, stop, step)


def range_list(start: int, stop: int, step: int) -> list[int]:
    return list(range(start, stop, step))
