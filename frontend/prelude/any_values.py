"""What values of type Any do that are dicts, or are unpacked, written as scripts.

In: nothing. Out: functions that inference calls. Holds: each has CPython 3.11's meaning and errors, whatever the value
is.
"""

from __future__ import annotations

from typing import Any

from .formatting import class_name

DICTS = ("dict", "OrderedDict", "defaultdict", "Counter")
ITERABLES = (*DICTS, "list", "tuple", "set", "frozenset", "str", "bytes", "deque")


def need_dict(value: Any, method: str) -> None:
    name = class_name(value)
    if name not in DICTS:
        raise AttributeError(f"'{name}' object has no attribute '{method}'")


def items_of(value: Any) -> list[tuple[Any, Any]]:
    need_dict(value, "items")
    return [(key, value[key]) for key in value]


def keys_of(value: Any) -> list[Any]:
    need_dict(value, "keys")
    return [key for key in value]  # noqa: C416 - a value of type Any has no list()


def values_of(value: Any) -> list[Any]:
    need_dict(value, "values")
    return [value[key] for key in value]


def get_of(value: Any, key: Any, default: Any) -> Any:
    need_dict(value, "get")
    if key in value:
        return value[key]
    return default


def unpacked(value: Any) -> list[Any]:
    name = class_name(value)
    if name not in ITERABLES and not isinstance(value, tuple):
        raise TypeError(f"cannot unpack non-iterable {name} object")
    return [item for item in value]  # noqa: C416


def as_list(value: Any) -> list[Any]:
    name = class_name(value)
    if name != "list":
        raise TypeError(f"expected list[Any], got {name}")
    return [item for item in value]  # noqa: C416


def as_dict(value: Any) -> dict[str, Any]:
    name = class_name(value)
    if name not in DICTS:
        raise TypeError(f"expected dict[str, Any], got {name}")
    result: dict[str, Any] = {}
    for key in value:
        result[key] = value[key]
    return result
