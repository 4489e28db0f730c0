"""Slices, written as scripts: the indices that they mean, and the class of those that are kept as values.

In: start, stop and step of slices. Out: functions that inference calls. Holds: each has CPython 3.11's meaning and
errors.
"""

from __future__ import annotations

from typing import Optional


def slice_indices(start, stop, step, length):
    if length < 0:
        raise ValueError("length should not be negative")
    by = 1
    if step is not None:
        by = step
    if by == 0:
        raise ValueError("slice step cannot be zero")
    lowest, highest = (0, length) if by > 0 else (-1, length - 1)
    first = lowest if by > 0 else highest
    if start is not None:
        first = max(start + length, lowest) if start < 0 else min(start, highest)
    last = highest if by > 0 else lowest
    if stop is not None:
        last = max(stop + length, lowest) if stop < 0 else min(stop, highest)
    return first, last, by


def slices_equal(start, stop, step, other_start, other_stop, other_step):
    return start == other_start and stop == other_stop and step == other_step


class Slice:
    """A slice that a container, an attribute or one of several variables holds."""

    __tsm_compiles__ = True
    __tsm_stands_for__ = slice

    def __init__(self, start: Optional[int], stop: Optional[int], step: Optional[int]):  # noqa: UP045
        self.start = start
        self.stop = stop
        self.step = step

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Slice):
            return NotImplemented
        return slices_equal(self.start, self.stop, self.step, other.start, other.stop, other.step)

    def __repr__(self) -> str:
        return f"slice({self.start}, {self.stop}, {self.step})"


Slice.__name__ = Slice.__qualname__ = "slice"


def made_slice(start: Optional[int], stop: Optional[int], step: Optional[int]) -> Slice:  # noqa: UP045
    return Slice(start, stop, step)
