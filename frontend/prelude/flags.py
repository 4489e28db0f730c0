"""Flags, written as scripts: values, bits and members of a Flag are tuples in the order of the values.

In: values of combinations. Out: places of combinations, values that are theirs, the members in one.
Holds: CPython 3.11's rules for values with bits that no member has.
"""

from __future__ import annotations


def place_of(value, values):
    """Where a value is among all, by halves."""
    low, high = 0, len(values)
    while low < high:
        middle = (low + high) // 2
        if values[middle] < value:
            low = middle + 1
        else:
            high = middle
    return low


def conformed(value, mask, all_bits):
    """Other bits are dropped."""
    if not -all_bits - 1 <= value <= all_bits or value & (all_bits ^ mask):
        value &= mask
    return value + all_bits + 1 if value < 0 else value


def bits_of(value, width):
    """What `enum.bin` shows."""
    sign = 1 if value < 0 else 0
    return f"0b{sign} {value + (sign << width):0{width}b}"


def checked(value, mask, all_bits, shown):
    """Other bits are an error."""
    if not -all_bits - 1 <= value <= all_bits or value & (all_bits ^ mask):
        width = max(value.bit_length(), mask.bit_length())
        given, allowed = bits_of(value, width), bits_of(mask, width)
        raise ValueError(f"{shown} invalid value {value!r}\n    given {given}\n  allowed {allowed}")
    return value + all_bits + 1 if value < 0 else value


def kept(value, mask, all_bits, count, name):
    """Other bits stay; `count` combinations are known."""
    if not -all_bits - 1 <= value <= all_bits or value & (all_bits ^ mask):
        if value < 0:
            value += max(all_bits + 1, 1 << value.bit_length())
    if value < 0:
        value += all_bits + 1
    if value >= count:
        raise OverflowError(f"{name}({value}) has bits above those that scripts keep: it must be below {count}")
    return value


def members_in(value, bits, members):
    """The members whose bit is set."""
    return [member for bit, member in zip(bits, members) if value & bit]


def name_or_none(name: str):
    """What a combination has for a name."""
    return name if name else None
