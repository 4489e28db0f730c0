"""Dicts and sets whose keys are instances of classes with `__eq__` and `__hash__` of their own, written as scripts.

In: nothing. Out: functions that inference calls where a kernel would compare keys. Holds: a key is hashed once, then
compared with those of equal hash, the kept one on the left; hashes that entries keep are not asked again, as in
CPython 3.11. `key_hash`, `same_key` and `is_kept` stand for what a key's type says.
"""
# ruff: noqa: SIM113, SIM201 - parameters take the types of the call; classes may define == alone

from __future__ import annotations

from .containers import operator

UNKNOWN = -2  # what `probe` gives where the entries came from outside and have no hashes of scripts yet


def key_hash(key):
    """The hash of a key."""


def same_key(a, b):
    """Whether two keys of equal hash are one."""


def is_kept(a, b):
    """Whether two keys are the same object, or numbers with the same bits."""


for _function in (key_hash, same_key, is_kept):
    _function.__tsm_special__ = _function.__name__  # type: ignore[union-attr]


@operator("prelude.probe")
def probe(items, hashed, after):
    """The place of the first entry with a hash, or of the next one after a place; -1 at the end."""


@operator("prelude.hashes")
def hashes(items):
    """The hashes of all entries."""


@operator("prelude.rehash")
def rehash(items, hashes):
    """Gives the entries their hashes."""


@operator("prelude.key_at")
def key_at(items, place):
    """The key of the entry at a place."""


@operator("prelude.value_at")
def value_at(items, place):
    """The value of the entry at a place."""


@operator("prelude.append_entry")
def append_entry(items, hashed, key, value):
    """Adds an entry whose key is not there; sets have no value."""


@operator("prelude.store_at")
def store_at(items, place, value):
    """Replaces a value."""


@operator("prelude.remove_at")
def remove_at(items, place):
    """Removes an entry."""


@operator("prelude.move_at")
def move_at(items, place, last):
    """Moves an entry to one end."""


@operator("prelude.combined_hash")
def combined_hash(hashes):
    """The hash of a tuple whose items have these."""


def hash_of_items(items):
    parts: list[int] = []
    for item in items:
        parts.append(key_hash(item))
    return combined_hash(parts)


# Searching


def place_of_hash(items, key, hashed):
    """The place of a key, -1 if it is not there."""
    place = probe(items, hashed, -1)
    if place == -2:
        parts: list[int] = []
        for each in items:
            parts.append(key_hash(each))
        rehash(items, parts)
        place = probe(items, hashed, -1)
    while place >= 0:
        kept, length = key_at(items, place), len(items)
        is_same = same_key(kept, key)
        if len(items) != length or not is_kept(key_at(items, place), kept):
            place = probe(items, hashed, -1)  # comparing changed the entries: again from the first
        elif is_same:
            return place
        else:
            place = probe(items, hashed, place)
    return -1


def place_of(items, key):
    return place_of_hash(items, key, key_hash(key))


def place_to_pop(items, key):
    return place_of(items, key) if items else -1  # an empty dict does not hash its key


def contains(items, key):
    return place_of(items, key) >= 0


def known_hashes(items):
    if len(items) > 0 and probe(items, 0, -1) == -2:
        parts: list[int] = []
        for each in items:
            parts.append(key_hash(each))
        rehash(items, parts)
    return hashes(items)


# Dicts


def set_with_hash(items, key, value, hashed):
    place = place_of_hash(items, key, hashed)
    if place >= 0:
        store_at(items, place, value)
    else:
        append_entry(items, hashed, key, value)


def set_item(items, key, value):
    set_with_hash(items, key, value, key_hash(key))


def get(items, key):
    place = place_of(items, key)
    if place < 0:
        return None
    return value_at(items, place)


def get_default(items, key, default):
    place = place_of(items, key)
    return value_at(items, place) if place >= 0 else default


def set_default(items, key, default):
    hashed = key_hash(key)
    place = place_of_hash(items, key, hashed)
    if place >= 0:
        return value_at(items, place)
    append_entry(items, hashed, key, default)
    return default


def pop_at(items, place):
    value = value_at(items, place)
    remove_at(items, place)
    return value


def pop_default(items, key, default):
    place = place_to_pop(items, key)
    return pop_at(items, place) if place >= 0 else default


def update(items, other):
    if items is not other:
        parts = known_hashes(other)
        i = 0
        for key, value in other.items():
            set_with_hash(items, key, value, parts[i])
            i += 1


def united(a, b):
    result = a.copy()
    update(result, b)
    return result


def fill_keys(items, keys, value):
    for key in keys:
        set_item(items, key, value)
    return items


# Sets


def add_with_hash(items, key, hashed):
    if place_of_hash(items, key, hashed) < 0:
        append_entry(items, hashed, key)


def add(items, key):
    add_with_hash(items, key, key_hash(key))


def discard(items, key):
    place = place_of(items, key)
    if place >= 0:
        remove_at(items, place)


def add_list(items, keys):
    for key in keys:
        add(items, key)
    return items


def set_update(items, other):
    if items is not other:
        parts = known_hashes(other)
        i = 0
        for key in other:
            add_with_hash(items, key, parts[i])
            i += 1


def set_or(a, b):
    result = a.copy()
    set_update(result, b)
    return result


def add_where(result, items, other, is_in):
    """Adds the elements of one set of which `is_in` tells whether they are in another."""
    parts = known_hashes(items)
    i = 0
    for key in items:
        if (place_of_hash(other, key, parts[i]) >= 0) == is_in:
            add_with_hash(result, key, parts[i])
        i += 1
    return result


def empty(items):
    """A new empty set of the same type."""
    result = items.copy()
    result.clear()
    return result


def set_and(a, b):
    """Of two equal elements that of the smaller set stays, as in CPython."""
    if len(b) > len(a):
        return add_where(empty(a), a, b, True)
    return add_where(empty(a), b, a, True)


def set_sub(a, b):
    return add_where(empty(a), a, b, False)


def set_xor(a, b):
    return add_where(add_where(empty(a), a, b, False), b, a, False)


def become(items, other):
    items.clear()
    set_update(items, other)


def and_update(items, other):
    become(items, set_and(items, other))


def sub_update(items, other):
    become(items, set_sub(items, other))


def xor_update(items, other):
    become(items, set_xor(items, other))


def all_in(items, other):
    parts = known_hashes(items)
    i = 0
    for key in items:
        if place_of_hash(other, key, parts[i]) < 0:
            return False
        i += 1
    return True


def is_disjoint(a, b):
    if len(b) > len(a):
        return not any_in(a, b)
    return not any_in(b, a)


def any_in(a, b):
    parts = known_hashes(a)
    i = 0
    for key in a:
        if place_of_hash(b, key, parts[i]) >= 0:
            return True
        i += 1
    return False


def set_le(a, b):
    return len(a) <= len(b) and all_in(a, b)


def set_lt(a, b):
    return len(a) < len(b) and all_in(a, b)


def set_ge(a, b):
    return set_le(b, a)


def set_gt(a, b):
    return set_lt(b, a)


def sets_equal(a, b):
    return len(a) == len(b) and all_in(a, b)


def dicts_equal(a, b):
    if len(a) != len(b):
        return False
    parts = known_hashes(a)
    i = 0
    for key, value in a.items():
        place = place_of_hash(b, key, parts[i])
        if place < 0 or not value == value_at(b, place):
            return False
        i += 1
    return True
