"""Iterators of builtins that are kept as values, written as generator functions.

In: nothing. Out: a script for each number of arguments. Holds: each gives what the builtin gives, one item at a time.
"""
# ruff: noqa: UP028 - one item at a time

from __future__ import annotations

from .containers import zip_column


def numbers(start, stop, step):
    yield from range(start, stop, step)


def same_size(size, now):
    if size != now:
        raise RuntimeError("dictionary changed size during iteration")


def keys_of(table, size):
    same_size(size, len(table))
    yield from table.keys()


def values_of(table, size):
    same_size(size, len(table))
    yield from table.values()


def items_of(table, size):
    same_size(size, len(table))
    yield from table.items()


def elements_of(elements, size):
    if size != len(elements):
        raise RuntimeError("Set changed size during iteration")
    yield from elements


VIEWS = {"keys": keys_of, "values": values_of, "items": items_of}


def iterator(iterable):
    for item in iterable:
        yield item


def enumerated(iterable, start=0):
    yield from enumerate(iterable, start)


def backwards(sequence):
    yield from reversed(sequence)


def filtered(function, iterable):
    for item in iterable:
        if item if function is None else function(item):
            yield item


def mapped(function, iterable):
    for item in iterable:
        yield function(item)


def mapped_pairs(function, first, second):
    for a, b in zip(first, second):
        yield function(a, b)


def zipped(first):
    for item in first:
        yield (item,)


def zipped_pairs(first, second):
    yield from zip(first, second)


def zipped_triples(first, second, third):
    yield from zip(first, second, third)


def columns_of_sequences(rows):
    i = 0
    while (column := zip_column(rows, i)) is not None:
        yield column
        i += 1


def columns_of_iterators(rows):
    while rows:
        column = []
        for row in rows:
            for item in row:
                column.append(item)
                break
            else:
                return
        yield tuple(column)


ITERATORS = {
    ("iter", 1): iterator, ("enumerate", 1): enumerated, ("enumerate", 2): enumerated, ("reversed", 1): backwards,
    ("filter", 2): filtered, ("map", 2): mapped, ("map", 3): mapped_pairs, ("zip", 1): zipped,
    ("zip", 2): zipped_pairs, ("zip", 3): zipped_triples,
}


def iterator_script(name: str, count: int) -> object:
    """The generator function that a call of a builtin with so many arguments stands for; None if there is none."""
    return ITERATORS.get((name, count))


def reversed_items(items, length):
    """`reversed` of an instance with `__len__` and `__getitem__`."""
    i = length - 1
    while i >= 0:
        try:
            item = items[i]
        except (IndexError, StopIteration):
            return
        yield item
        i -= 1
