"""What values of type Any do that are dicts, or are unpacked, written as scripts.

In: nothing. Out: functions that inference calls. Holds: each has CPython 3.11's meaning and errors, whatever the value
is.
"""

from __future__ import annotations

from typing import Any

from .containers import begins_text, ends_text, operator
from .formatting import class_name

DICTS = ("dict", "OrderedDict", "defaultdict", "Counter")
ITERABLES = (*DICTS, "list", "tuple", "set", "frozenset", "str", "bytes", "deque")


@operator("prelude.list_of_any")
def list_of_any(value):
    """What iterating over a container gives."""


@operator("prelude.item_of_any")
def item_of_any(value, key):
    """The item of a dict."""


@operator("repr()")
def plain_repr(value):
    """The text of a value that holds no instance with one of its own."""


@operator("str()")
def plain_str(value):
    """The same of str()."""


def repr_of(value: Any) -> str:
    name = class_name(value)
    if name not in ("list", "tuple", "dict"):
        return plain_repr(value)
    if not begins_text(value):
        return "[...]" if name == "list" else "(...)" if name == "tuple" else "{...}"
    parts: list[str] = []
    try:
        for each in list_of_any(value):
            parts.append(repr(each) + ": " + repr(item_of_any(value, each)) if name == "dict" else repr(each))
    finally:
        ends_text(value)
    inside = ", ".join(parts)
    if name == "tuple":
        return "(" + inside + (",)" if len(parts) == 1 else ")")
    return "[" + inside + "]" if name == "list" else "{" + inside + "}"


def str_of(value: Any) -> str:
    return repr_of(value) if class_name(value) in ("list", "tuple", "dict") else plain_str(value)


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


def need_iterable(value: Any, message: str) -> None:
    if class_name(value) not in ITERABLES and not isinstance(value, tuple):
        raise TypeError(message)


def unpacked(value: Any) -> list[Any]:
    need_iterable(value, f"cannot unpack non-iterable {class_name(value)} object")
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


def joined(separator: str, items):
    """separator.join(items) of a list that may hold other things than texts."""
    parts: list[str] = []
    for i, item in enumerate(items):
        if not isinstance(item, str):
            raise TypeError(f"sequence item {i}: expected str instance, {class_name(item)} found")
        parts.append(item)
    return separator.join(parts)


METHODS = {"append": ("list", "deque"), "extend": ("list", "deque"), "setdefault": DICTS, "update": (*DICTS, "set")}


def need_method(value: Any, method: str) -> None:
    name = class_name(value)
    if name not in METHODS[method]:
        raise AttributeError(f"'{name}' object has no attribute '{method}'")


def refuse_value(value: Any, item: Any) -> None:
    raise TypeError(f"a {class_name(value)} whose elements have one type cannot take this {class_name(item)}")


def refuse_item(value: Any, key: Any, item: Any) -> None:
    name = class_name(value)
    if name == "list":
        if not isinstance(key, int):
            raise TypeError(f"list indices must be integers or slices, not {class_name(key)}")
    elif name not in DICTS:
        raise TypeError(f"'{name}' object does not support item assignment")
    refuse_value(value, item)


def refuse_deletion(value: Any, key: Any) -> None:
    name = class_name(value)
    if name == "list" and not isinstance(key, int):
        raise TypeError(f"list indices must be integers or slices, not {class_name(key)}")
    if name in DICTS and key not in value:
        raise KeyError(key)
    if name == "list" or name in DICTS:
        raise TypeError(f"an item of a {name} whose elements have one type can be deleted where that is declared")
    verb = "doesn't" if name in ("str", "tuple", "set", "frozenset", "bytes") and isinstance(key, int) else "does not"
    raise TypeError(f"'{name}' object {verb} support item deletion")


def walked(value: Any):
    is_list = class_name(value) == "list"
    items = [item for item in value]  # noqa: C416
    at = 0
    while at < (len(value) if is_list else len(items)):
        yield value[at] if is_list else items[at]
        at += 1
        if not is_list and len(value) != len(items):
            raise RuntimeError("dictionary changed size during iteration")


def walked_items(value: Any):
    need_dict(value, "items")
    for key in walked(value):
        yield key, value[key]


def whole_of(value: Any) -> int:
    if isinstance(value, int):
        return int(value)
    raise TypeError(f"'{class_name(value)}' object cannot be interpreted as an integer")


def count_of(value: Any) -> int:
    if isinstance(value, int):
        return int(value)
    raise TypeError(f"can't multiply sequence by non-int of type '{class_name(value)}'")


def bound_of(value: Any) -> int | None:
    if value is None:
        return None
    if isinstance(value, int):
        return int(value)
    raise TypeError("slice indices must be integers or None or have an __index__ method")


def need_copy(value: Any) -> None:
    name = class_name(value)
    if name not in (*DICTS, "list", "set", "frozenset", "deque"):
        raise AttributeError(f"'{name}' object has no attribute 'copy'")


def refuse_method(value: Any, method: str, owners: str) -> None:
    name = class_name(value)
    if name in owners.split(",") or name in DICTS and "dict" in owners.split(","):
        raise TypeError(f"{method}() of a {name} whose elements have one type is called where that is declared")
    raise AttributeError(f"'{name}' object has no attribute '{method}'")


def refuse_attribute(value: Any, attribute: str, owners: str) -> None:
    name = class_name(value)
    if name in owners.split(","):
        raise TypeError(f"'{attribute}' of a {name} that is declared as Any: declare its type")
    raise AttributeError(f"'{name}' object has no attribute '{attribute}'")


def slice_of(value: Any, start: int | None, stop: int | None, step: int | None) -> Any:
    if isinstance(value, str):
        return value[start:stop:step]
    if isinstance(value, bytes):
        return value[start:stop:step]
    name = class_name(value)
    if name == "list":
        return [item for item in value][start:stop:step]  # noqa: C416
    if isinstance(value, tuple):
        return tuple([item for item in value][start:stop:step])  # noqa: C416
    if name in DICTS:
        raise TypeError("unhashable type: 'slice'")
    raise TypeError(f"'{name}' object is not subscriptable")


def table_of(value: Any) -> dict[Any, Any]:
    result: dict[Any, Any] = {}
    if class_name(value) in DICTS:
        for key in value:
            result[key] = value[key]
        return result
    need_iterable(value, f"'{class_name(value)}' object is not iterable")
    for i, pair in enumerate(unpacked(value)):
        need_iterable(pair, f"cannot convert dictionary update sequence element #{i} to a sequence")
        parts = unpacked(pair)
        if len(parts) != 2:
            raise ValueError(f"dictionary update sequence element #{i} has length {len(parts)}; 2 is required")
        result[parts[0]] = parts[1]
    return result


def keyed_by_texts(table: dict[Any, Any]) -> Any:
    texts: dict[str, Any] = {}
    for key, value in table.items():
        if not isinstance(key, str):
            return table
        texts[key] = value
    return texts


def mapping_of(value: Any) -> dict[Any, Any]:
    name = class_name(value)
    if name not in DICTS:
        raise TypeError(f"'{name}' object is not a mapping")
    return table_of(value)


def reversed_of(value: Any) -> list[Any]:
    name = class_name(value)
    if name in ("set", "frozenset") or (name not in ITERABLES and not isinstance(value, tuple)):
        raise TypeError(f"'{name}' object is not reversible")
    return [item for item in value][::-1]  # noqa: C416


def place_of(value: Any, name: str) -> int:
    if isinstance(value, int):
        return int(value)
    if name == "string":
        raise TypeError(f"string indices must be integers, not '{class_name(value)}'")
    raise TypeError(f"{name} indices must be integers or slices, not {class_name(value)}")


def item_of_member(items, key):
    """`items[key]`, where the keys are members of an IntEnum or its like, and the key what one is equal to."""
    for each in items:
        if each == key:
            return items[each]
    raise KeyError(key)


def item_of_member_or(items, key, default):
    """`items.get(key, default)`"""
    for each in items:
        if each == key:
            return items[each]
    return default


def item_of_member_if(items, key):
    """`items.get(key)`"""
    for each in items:
        if each == key:
            return items[each]
    return None


def remove_equal(xs, x: Any) -> None:
    for i, each in enumerate(xs):
        if each == x:
            del xs[i]
            return
    raise ValueError("list.remove(x): x not in list")
