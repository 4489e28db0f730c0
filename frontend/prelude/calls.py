"""Calls: the checks of those with `*row` and `**table`, and those of slices of a Sequential, written as scripts.

In: nothing. Out: functions that inference calls. Holds: each check raises CPython 3.11's TypeError, for the key that
CPython would name.
"""

from __future__ import annotations

from typing import Optional


def check_repeated(given, names: list[str], shown: str) -> None:
    """A keyword argument that is written out and in the table."""
    for key in given:
        if key in names:
            raise TypeError(f"{shown} got multiple values for keyword argument '{key}'")


def check_keywords(given, names: list[str], shown: str, bound: list[str], unnamed: list[str]) -> None:
    """A key that is no parameter, one that a positional argument has, or that of a positional-only parameter."""
    for key in given:
        if key in bound:
            raise TypeError(f"{shown} got multiple values for argument '{key}'")
        if key not in names:
            wrong = ", ".join(name for name in unnamed if name in given)
            if wrong:
                raise TypeError(f"{shown} got some positional-only arguments passed as keyword arguments: '{wrong}'")
            raise TypeError(f"{shown} got an unexpected keyword argument '{key}'")


def check_bound(given, names: list[str], shown: str) -> None:
    """A key that a positional argument has, where `**kwargs` catches the others."""
    for key in given:
        if key in names:
            raise TypeError(f"{shown} got multiple values for argument '{key}'")


def others(given, names: list[str]):
    """What `**kwargs` catches: the entries that no parameter takes."""
    return {key: value for key, value in given.items() if key not in names}


def check_missing(given, names: list[str], shown: str, word: str) -> None:
    """Parameters without a default that are not in the table."""
    gone = [f"'{name}'" for name in names if name not in given]
    if gone:
        text = " and ".join(gone) if len(gone) < 3 else ", ".join(gone[:-1]) + f", and {gone[-1]}"
        raise TypeError(f"{shown} missing {len(gone)} required {word} argument{'s' if len(gone) > 1 else ''}: {text}")


def check_names(seen: list[str], more: list[str], shown: str) -> None:
    """Names of keyword arguments, none of which may be there already."""
    for name in more:
        if name in seen:
            raise TypeError(f"{shown}() got multiple values for keyword argument '{name}'")
        seen.append(name)


def check_rows(rows) -> None:
    """The iterables of map."""
    if not rows:
        raise TypeError("map() must have at least two arguments.")


def check_bounds(count: int, name: str) -> None:
    if count < 1:
        raise TypeError(f"{name} expected at least 1 argument, got {count}")
    if count > 3:
        raise TypeError(f"{name} expected at most 3 arguments, got {count}")


def range_bounds(row: list[int]) -> tuple[int, int, int]:
    """What the arguments of range mean."""
    count = len(row)
    check_bounds(count, "range")
    if count == 1:
        return 0, row[0], 1
    return row[0], row[1], row[2] if count == 3 else 1


def slice_bounds(row: list[Optional[int]]) -> tuple[Optional[int], Optional[int], Optional[int]]:  # noqa: UP045
    """What the arguments of slice mean."""
    count = len(row)
    check_bounds(count, "slice")
    if count == 1:
        return None, row[0], None
    return row[0], row[1], row[2] if count == 3 else None


def applied(modules, input):
    """What a Sequential of the modules gives."""
    for module in modules:
        input = module(input)
    return input
