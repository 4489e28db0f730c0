"""What containers of instances do where a kernel would have to call back: written as scripts, specialised per type.

In: nothing. Out: functions that inference calls. Holds: each has CPython 3.11's meaning and order of calls;
elements are compared by == only (D6).
"""
# ruff: noqa: SIM110, SIM201 - parameters take the types of the call; classes may define == alone

from __future__ import annotations


def operator(spelling):
    """A function that is an operator of the table."""

    def mark(function):
        function.__tsm_spelling__ = spelling
        return function

    return mark


def identity(value):
    return value


def tensor_index(value):
    if value.is_floating_point() or value.numel() != 1:
        raise TypeError("only integer tensors of a single element can be converted to an index")
    return int(value)


def index_of_either(value):
    return value if isinstance(value, int) else tensor_index(value)


def tensor_float(value):
    if value.dim() > 0:
        raise TypeError(f"a tensor of {value.dim()} dimensions is no number")
    return float(value)


def tensor_scalar(value):
    if value.dim() > 0:
        raise TypeError(f"a tensor of {value.dim()} dimensions is no number")
    return value.item()


def found_in_tensor(item, tensor):
    return bool((tensor == item).any())


def number_index(value):
    if isinstance(value, int):
        return int(value)
    raise TypeError("'" + type(value).__name__ + "' object cannot be interpreted as an integer")


def checked_length(size):
    if size < 0:
        raise ValueError("__len__() should return >= 0")
    return size


def hash_of_int(value):
    return -2 if value == -1 else value


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


@operator("prelude.begins_text")
def begins_text(value):
    """Whether the text of a container or an instance is not being made already, as that of one inside itself is."""


@operator("prelude.ends_text")
def ends_text(value):
    """Ends what the last `begins_text` that was true began."""


@operator("prelude.taken")
def taken(items):
    """The elements of a list, which is left empty."""


@operator("prelude.restored")
def restored(items, content):
    """Moves content into a list; whether the list was changed since its elements were taken."""


def sort_by(items, key, reverse):
    """`list.sort(key=)`: the key function sees an empty list."""
    content = taken(items)
    try:
        ordered = sorted(content, key=key, reverse=reverse)
    except BaseException:
        restored(items, content)
        raise
    if restored(items, ordered):
        raise ValueError("list modified during sort")


def list_text(items):
    if not begins_text(items):
        return "[...]"
    parts: list[str] = []
    try:
        for item in items:
            parts.append(repr(item))
    finally:
        ends_text(items)
    return "[" + ", ".join(parts) + "]"


def tuple_text(items):
    if not begins_text(items):
        return "(...)"
    parts: list[str] = []
    try:
        for item in items:
            parts.append(repr(item))
    finally:
        ends_text(items)
    if len(items) == 1:
        return "(" + parts[0] + ",)"
    return "(" + ", ".join(parts) + ")"


def shape_text(shape):
    return "tsm.Size([" + ", ".join([str(extent) for extent in shape]) + "])"


def shape_numel(shape):
    count = 1
    for extent in shape:
        count *= extent
    return count


def concatenated(parts, start, tuples):
    for item in start:
        parts.append(item)
    for each in tuples:
        for item in each:
            parts.append(item)
    return tuple(parts)


def set_text(items):
    if not items:
        return "set()"
    return "{" + ", ".join([repr(item) for item in items]) + "}"


def frozenset_text(items):
    if not items:
        return "frozenset()"
    return "frozenset({" + ", ".join([repr(item) for item in items]) + "})"


def dict_text(items):
    if not begins_text(items):
        return "{...}"
    parts: list[str] = []
    try:
        for key, value in items.items():
            parts.append(repr(key) + ": " + repr(value))
    finally:
        ends_text(items)
    return "{" + ", ".join(parts) + "}"


def translated(text, table):
    parts: list[str] = []
    for c in text:
        code = ord(c)
        if code not in table:
            parts.append(c)
            continue
        new = table[code]
        if isinstance(new, int):
            if not 0 <= new < 0x110000:
                raise ValueError("character mapping must be in range(0x110000)")
            parts.append(chr(new))
        elif new is not None:
            parts.append(new)
    return "".join(parts)


def table_of_texts(pairs):
    table = {}
    for key, value in pairs.items():
        if len(key) != 1:
            raise ValueError("string keys in translate table must be of length 1")
        table[ord(key)] = value
    return table


def table_of_keys(pairs):
    """The same where some keys are code points."""
    table = {}
    for key, value in pairs.items():
        if isinstance(key, str):
            if len(key) != 1:
                raise ValueError("string keys in translate table must be of length 1")
            table[ord(key)] = value
        else:
            table[key] = value
    return table


def table_of_pairs(x, y):
    if len(x) != len(y):
        raise ValueError("the first two maketrans arguments must have equal length")
    table: dict[int, int] = {}
    for a, b in zip(x, y):
        table[ord(a)] = ord(b)
    return table


def table_with_gaps(x, y, z):
    if len(x) != len(y):
        raise ValueError("the first two maketrans arguments must have equal length")
    table: dict[int, int | None] = {}
    for a, b in zip(x, y):
        table[ord(a)] = ord(b)
    for c in z:
        table[ord(c)] = None
    return table


def ord_of_byte(data):
    if len(data) != 1:
        raise TypeError(f"ord() expected a character, but string of length {len(data)} found")
    return data[0]


def bytes_translated(data, table, delete):
    if len(table) != 256:
        raise ValueError("translation table must be 256 characters long")
    return bytes([table[byte] for byte in data if byte not in delete])


def bytes_table(old, new):
    if len(old) != len(new):
        raise ValueError("maketrans arguments must have same length")
    table = list(range(256))
    for a, b in zip(old, new):
        table[a] = b
    return bytes(table)


def place_of(items, item, start, stop):
    size = len(items)
    if start < 0:
        start = max(start + size, 0)
    if stop < 0:
        stop += size
    i = start
    while i < stop and i < len(items):
        if items[i] == item:
            return i
        i += 1
    raise ValueError(f"{item!r} is not in list")


def place_in_tuple(items, item, start, stop):
    size = len(items)
    if start < 0:
        start = max(start + size, 0)
    if stop < 0:
        stop += size
    for i, each in enumerate(items):
        if start <= i and i < stop and each == item:
            return i
    raise ValueError("tuple.index(x): x not in tuple")


def number_of(items, item):
    count = 0
    for each in items:
        if each == item:
            count += 1
    return count


def taken_out(items, item):
    i = 0
    while i < len(items):
        if items[i] == item:
            del items[i]
            return
        i += 1
    raise ValueError("list.remove(x): x not in list")


def sequences_less(a, b):
    for i in range(min(len(a), len(b))):
        if not a[i] == b[i]:
            return a[i] < b[i]
    return len(a) < len(b)


def sequences_less_equal(a, b):
    for i in range(min(len(a), len(b))):
        if not a[i] == b[i]:
            return a[i] <= b[i]
    return len(a) <= len(b)


def sequences_greater(a, b):
    for i in range(min(len(a), len(b))):
        if not a[i] == b[i]:
            return a[i] > b[i]
    return len(a) > len(b)


def sequences_greater_equal(a, b):
    for i in range(min(len(a), len(b))):
        if not a[i] == b[i]:
            return a[i] >= b[i]
    return len(a) >= len(b)


def tuples_less(a, b):
    for x, y in zip(a, b):
        if not x == y:
            return x < y
    return len(a) < len(b)


def tuples_less_equal(a, b):
    for x, y in zip(a, b):
        if not x == y:
            return x <= y
    return len(a) <= len(b)


def tuples_greater(a, b):
    for x, y in zip(a, b):
        if not x == y:
            return x > y
    return len(a) > len(b)


def tuples_greater_equal(a, b):
    for x, y in zip(a, b):
        if not x == y:
            return x >= y
    return len(a) >= len(b)


def zip_column(rows, place):
    column = []
    for row in rows:
        if place >= len(row):
            return None
        column.append(row[place])
    if not rows:
        return None
    return tuple(column)


def check_pair(item, place: int) -> None:
    """An item that dict() takes for a key and its value."""
    if len(item) != 2:
        raise ValueError(f"dictionary update sequence element #{place} has length {len(item)}; 2 is required")


def check_place(items, place: int) -> None:
    """Of `items[place] = x`, where the list cannot take x."""
    if not -len(items) <= place < len(items):
        raise IndexError("list assignment index out of range")


def check_owner(given, text: str) -> None:
    """`set.union(*sets)` of no sets."""
    if not given:
        raise TypeError(text)


def intersection_all(first, others):
    result = set(first)
    for each in others:
        result = result.intersection(each)
    return result


def difference_all(first, others):
    result = set(first)
    for each in others:
        result = result.difference(each)
    return result


def update_all(changed, others) -> None:
    for each in others:
        changed.update(each)


def difference_update_all(changed, others) -> None:
    for each in others:
        changed.difference_update(each)


def intersection_update_all(changed, others) -> None:
    changed.intersection_update(intersection_all(changed, others))


def of_either(made, a, b):
    """`a | b` in the empty set `made`: of two equal elements the first stays."""
    for x in a:
        made.add(x)
    for x in b:
        made.add(x)
    return made


def of_both(made, a, b):
    """`a & b`: the elements are those of the smaller set, and of the second of two that are as large."""
    if len(b) > len(a):
        for x in a:
            if x in b:
                made.add(x)
    else:
        for x in b:
            if x in a:
                made.add(x)
    return made


def of_first(made, a, b):
    """`a - b`."""
    for x in a:
        if x not in b:
            made.add(x)
    return made


def of_one(made, a, b):
    """`a ^ b`."""
    for x in a:
        if x not in b:
            made.add(x)
    for x in b:
        if x not in a:
            made.add(x)
    return made


def share_none(a, b):
    """`a.isdisjoint(b)`."""
    return not any(x in b for x in a)


def are_in(a, b, is_proper: bool):
    """`a <= b`, or `a < b` if `is_proper`."""
    return len(a) + is_proper <= len(b) and all(x in b for x in a)


def items_by_keys(owner):
    return {key: owner[key] for key in owner.keys()}  # noqa: SIM118 - a class of the user's
