"""Functions of itertools, written as scripts.

In: nothing. Out: generator functions that stand for those of Python's library where a script names them.
Holds: each has CPython 3.11's meaning, and asks iterators and functions in its order.
"""
# ruff: noqa: B007 - a loop that is left at once takes one item, and leaves it in its variable

from __future__ import annotations

from itertools import accumulate, compress, count, cycle, dropwhile, filterfalse, groupby, pairwise, starmap, takewhile

from .operators import stands_for


@stands_for(accumulate)
def accumulated(iterable, func=None, *, initial=None):
    items = iter(iterable)
    if initial is None:
        for total in items:
            break
        else:
            return
    else:
        total = initial
    yield total
    for item in items:
        total = total + item if func is None else func(total, item)
        yield total


@stands_for(compress)
def compressed(data, selectors):
    for item, is_selected in zip(data, selectors):
        if is_selected:
            yield item


@stands_for(count)
def counted(start=0, step=1):
    while True:
        yield start
        start += step


@stands_for(cycle)
def cycled(iterable, /):
    saved = []
    for item in iterable:
        yield item
        saved.append(item)
    while saved:
        for item in saved:
            yield item


@stands_for(dropwhile)
def dropped_while(predicate, iterable, /):
    is_dropping = True
    for item in iterable:
        if is_dropping and predicate(item):
            continue
        is_dropping = False
        yield item


@stands_for(filterfalse)
def filtered_false(function, iterable, /):
    for item in iterable:
        if not (item if function is None else function(item)):
            yield item


@stands_for(pairwise)
def by_pairs(iterable, /):
    items = iter(iterable)
    for before in items:
        break
    else:
        return
    for item in items:
        yield before, item
        before = item


@stands_for(starmap)
def star_mapped(function, iterable, /):
    for arguments in iterable:
        yield function(*arguments)


@stands_for(takewhile)
def taken_while(predicate, iterable, /):
    for item in iterable:
        if not predicate(item):
            break
        yield item


def called_until(function, sentinel):
    while True:
        try:
            item = function()
        except StopIteration:
            return
        if item == sentinel:
            return
        yield item


def repeated(item):
    while True:
        yield item


def repeated_times(object, times):
    for _ in range(times):
        yield object


def chained(iterable):
    for each in iterable:
        yield from each


@stands_for(groupby)
def grouped(iterable, key=None):
    items = iter(iterable)
    for value in items:
        break
    else:
        return
    current = value if key is None else key(value)
    goes_on = True
    number = 0

    def group(own_number, target):
        nonlocal value, current, goes_on
        while goes_on and number == own_number and current == target:
            yield value
            for value in items:
                break
            else:
                goes_on = False
                return
            current = value if key is None else key(value)

    while goes_on:
        number += 1
        target = current
        yield target, group(number, target)
        while goes_on and current == target:
            for value in items:
                break
            else:
                goes_on = False
                break
            current = value if key is None else key(value)


def first_items(iterable, stop):
    return items_between(iterable, 0, stop, 1)


def items_between(iterable, start, stop, step=1):
    if stop is not None and stop < 0:
        raise ValueError("Stop argument for islice() must be None or an integer: 0 <= x <= sys.maxsize.")
    first, by = 0, 1
    if start is not None:
        first = start
    if step is not None:
        by = step
    if first < 0:
        raise ValueError("Indices for islice() must be None or an integer: 0 <= x <= sys.maxsize.")
    if by < 1:
        raise ValueError("Step for islice() must be a positive integer or None.")
    if stop is None:
        return items_from(iterable, first, by)
    return items_until(iterable, first, stop, by)


def items_from(iterable, wanted, step):
    for at, item in enumerate(iterable):
        if at == wanted:
            wanted += step
            yield item


def items_until(iterable, wanted, stop, step):
    at = 0
    if at >= stop and at >= wanted:
        return
    for item in iterable:
        if at == wanted and at < stop:
            wanted = min(wanted + step, stop)
            yield item
        at += 1
        if at >= stop and at >= wanted:
            return


def longest(iterables, fillvalue=None):
    """`zip_longest(*iterables)`"""
    items = [iter(each) for each in iterables]
    goes_on = [True for _ in items]
    left = len(items)
    while left:
        column = []
        for i, it in enumerate(items):
            if goes_on[i]:
                for item in it:
                    column.append(item)
                    break
                else:
                    goes_on[i] = False
                    left -= 1
                    if not left:
                        return
                    column.append(fillvalue)
            else:
                column.append(fillvalue)
        yield tuple(column)


def products(iterables):
    """`product(*iterables)`"""
    pools = [tuple(each) for each in iterables]
    return products_of(pools)


def products_again(iterables, repeat):
    """`product(*iterables, repeat=repeat)`"""
    if repeat < 0:
        raise ValueError("repeat argument cannot be negative")
    pools = [tuple(each) for each in iterables]
    return products_of(pools * repeat)


def products_of(pools):
    places = [0 for _ in pools]
    for pool in pools:
        if not pool:
            return
    goes_on = True
    while goes_on:
        yield tuple([pool[place] for pool, place in zip(pools, places)])
        goes_on = False
        for i in reversed(range(len(places))):
            places[i] += 1
            if places[i] < len(pools[i]):
                goes_on = True
                break
            places[i] = 0


def permuted(pool, r=None):
    length = len(pool) if r is None else r
    if length < 0:
        raise ValueError("r must be non-negative")
    return permutations_of(pool, length)


def permutations_of(pool, r):
    size = len(pool)
    if r > size:
        return
    places = list(range(size))
    cycles = list(range(size, size - r, -1))
    yield tuple([pool[place] for place in places[:r]])
    while size:
        for i in reversed(range(r)):
            cycles[i] -= 1
            if cycles[i] == 0:
                places[i:] = places[i + 1 :] + places[i : i + 1]
                cycles[i] = size - i
            else:
                j = cycles[i]
                places[i], places[-j] = places[-j], places[i]
                yield tuple([pool[place] for place in places[:r]])
                break
        else:
            return


def combined(pool, r):
    if r < 0:
        raise ValueError("r must be non-negative")
    return combinations_of(pool, r)


def combinations_of(pool, r):
    size = len(pool)
    if r > size:
        return
    places = list(range(r))
    yield tuple([pool[place] for place in places])
    while True:
        for i in reversed(range(r)):
            if places[i] != i + size - r:
                break
        else:
            return
        places[i] += 1
        for j in range(i + 1, r):
            places[j] = places[j - 1] + 1
        yield tuple([pool[place] for place in places])


def combined_again(pool, r):
    if r < 0:
        raise ValueError("r must be non-negative")
    return repeated_combinations_of(pool, r)


def repeated_combinations_of(pool, r):
    size = len(pool)
    if not size and r:
        return
    places = [0] * r
    yield tuple([pool[place] for place in places])
    while True:
        for i in reversed(range(r)):
            if places[i] != size - 1:
                break
        else:
            return
        places[i:] = [places[i] + 1] * (r - i)
        yield tuple([pool[place] for place in places])
