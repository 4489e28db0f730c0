"""Functions of heapq, written as scripts.

In: nothing. Out: functions that stand for those of Python's library where a script names them.
Holds: items move as CPython 3.11 moves them and are compared in its order, so equal ones come out as there.
"""

from __future__ import annotations

import heapq

from .operators import stands_for


def sift_down(heap, start, at):
    """Moves the item at a place towards the root, until its parent is no greater."""
    item = heap[at]
    while at > start:
        parent_at = (at - 1) >> 1
        parent = heap[parent_at]
        if not (item < parent):
            break
        heap[at] = parent
        at = parent_at
    heap[at] = item


def sift_up(heap, at):
    """Moves smaller children up until a leaf is free, and the item from there to its place."""
    end, start = len(heap), at
    item = heap[at]
    child = 2 * at + 1
    while child < end:
        right = child + 1
        if right < end and not (heap[child] < heap[right]):
            child = right
        heap[at] = heap[child]
        at = child
        child = 2 * at + 1
    heap[at] = item
    sift_down(heap, start, at)


@stands_for(heapq.heappush)
def heappush(heap, item, /):
    heap.append(item)
    sift_down(heap, 0, len(heap) - 1)


@stands_for(heapq.heappop)
def heappop(heap, /):
    if not heap:
        raise IndexError("index out of range")
    last = heap.pop()
    if not heap:
        return last
    least = heap[0]
    heap[0] = last
    sift_up(heap, 0)
    return least


@stands_for(heapq.heapreplace)
def heapreplace(heap, item, /):
    if not heap:
        raise IndexError("index out of range")
    least = heap[0]
    heap[0] = item
    sift_up(heap, 0)
    return least


@stands_for(heapq.heappushpop)
def heappushpop(heap, item, /):
    if heap and heap[0] < item:
        least = heap[0]
        heap[0] = item
        sift_up(heap, 0)
        return least
    return item


@stands_for(heapq.heapify)
def heapify(heap, /):
    for at in range(len(heap) // 2 - 1, -1, -1):
        sift_up(heap, at)


@stands_for(heapq.nsmallest)
def nsmallest(n, iterable, key=None):
    return sorted(iterable)[:max(n, 0)] if key is None else sorted(iterable, key=key)[:max(n, 0)]


@stands_for(heapq.nlargest)
def nlargest(n, iterable, key=None):
    return sorted(iterable, reverse=True)[:max(n, 0)] if key is None else (
        sorted(iterable, key=key, reverse=True)[:max(n, 0)]
    )


def merged(iterables, key=None, reverse=False):
    """`merge(*iterables)`"""
    items = [iter(each) for each in iterables]
    heads, keys, places = [], [], []
    for place, it in enumerate(items):
        for item in it:
            heads.append(item)
            keys.append(item if key is None else key(item))
            places.append(place)
            break
    while heads:
        first = 0
        for i in range(1, len(heads)):
            if keys[first] < keys[i] if reverse else keys[i] < keys[first]:
                first = i
        yield heads[first]
        for item in items[places[first]]:
            heads[first] = item
            keys[first] = item if key is None else key(item)
            break
        else:
            del heads[first], keys[first], places[first]
