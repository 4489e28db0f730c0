"""Deques: both ends, limits, rotation, iteration, equality, texts, passed in and out."""

# ruff: noqa
from __future__ import annotations

import collections
import copy
from collections import deque
from dataclasses import dataclass
from typing import Any, Deque, List, Optional, Tuple, Union

import tsm
from language_rows import of_row
from oracle import program

of_row("list methods")


@program("deques: made of everything", ([3, 1], "ab"), ([], ""))
def deques_made(xs: list[int], s: str) -> list[str]:
    a, b, c = deque(xs), deque(s), deque(range(3))
    d: deque[float] = deque()
    d.append(0.5)
    e = collections.deque([1, 2, 3, 4], 2)
    f = deque(x * x for x in xs)
    g = deque({"k": 1, "l": 2}, maxlen=5)
    h: Deque[Tuple[int, str]] = deque(maxlen=None)
    h.append((1, "x"))
    i = deque(map(str, xs))
    j = deque(deque(xs, maxlen=1))
    k = deque(iterable=(1, 2), maxlen=0)
    m = deque()
    m.appendleft("first")
    return [repr(a), repr(b), str(c), f"{d}", repr(e), repr(f), repr(g), repr(h), repr(i), repr(j), repr(k), repr(m)]


@program("deques: a search level by level", ({1: [2, 3], 2: [4], 3: [4], 4: [1]}, 1), ({1: []}, 1))
def breadth_first(graph: dict[int, list[int]], start: int) -> list[tuple[int, int]]:
    queue = deque([(start, 0)])
    seen = {start}
    found: list[tuple[int, int]] = []
    while queue:
        node, depth = queue.popleft()
        found.append((node, depth))
        for other in graph[node]:
            if other not in seen:
                seen.add(other)
                queue.append((other, depth + 1))
    return found


@program("deques: both ends", (["a", "b", "c"], 5), ([], 2), (["x"], 1))
def deque_ends(xs: list[str], times: int) -> tuple[list[str], deque[str]]:
    d = deque(xs)
    log: list[str] = []
    for i in range(times):
        try:
            log.append(d.pop() if i % 2 else d.popleft())
        except IndexError as error:
            log.append(str(error))
    d.appendleft("left")
    d.append("right")
    d.extendleft(["p", "q"])
    d.extend("yz")
    return log, d


@program("deques: a limit drops from the other end", ([1, 2, 3, 4, 5], 3), ([1], 3), ([1, 2], 0), ([7, 8, 9], 1))
def deque_limit(xs: list[int], most: int) -> tuple[list[str], Optional[int], deque[int]]:
    d = deque(xs, most)
    log = [repr(d)]
    d.append(10)
    log.append(repr(d))
    d.appendleft(20)
    log.append(repr(d))
    d.extend(xs)
    log.append(repr(d))
    d.extendleft(xs)
    d += [30, 31]
    log.append(repr(d))
    try:
        d.insert(1, 99)
    except IndexError as error:
        log.append(str(error))
    return log, d.maxlen, d


@program("deques: a negative limit", ([1], -1), ([1], 2))
def negative_limit(xs: list[int], most: int) -> deque[int]:
    return deque(xs, maxlen=most)


@program("deques: the mean of a window", ([1.0, 2.0, 6.0, 3.5], 2), ([], 3))
def moving_mean(xs: list[float], size: int) -> list[float]:
    window: deque[float] = deque(maxlen=size)
    means: list[float] = []
    for x in xs:
        window.append(x)
        means.append(sum(window) / len(window))
    return means + [max(window, default=0.0), len(window) * 1.0]


@program("deques: rotated", ([1, 2, 3, 4, 5], 2), ([1, 2, 3, 4, 5], -7), ([1], 3), ([], 1), ([1, 2, 3, 4], 6), ([1, 2], 0))
def rotated(xs: list[int], n: int) -> tuple[deque[int], list[int], deque[int]]:
    d = deque(xs)
    d.rotate(n)
    e = d.copy()
    e.rotate()
    e.reverse()
    return d, list(d), e


@program("deques: items by their place", ([1, 2, 3], 1), ([1, 2, 3], -1), ([1, 2, 3], 3), ([], 0), ([4, 4], -3))
def deque_items(xs: list[int], i: int) -> list[str]:
    d = deque(xs)
    log: list[str] = []
    for step in range(3):
        try:
            if step == 0:
                log.append(str(d[i]))
            elif step == 1:
                d[i] = 50
                d[i] += 5
            else:
                del d[i]
        except IndexError as error:
            log.append(str(error))
    return log + [repr(d), str(len(d)), str(bool(d))]


@program("deques: inserted, sought, counted, removed", ([1, 2, 3, 2], 2, 1), ([1, 2, 3, 2], 9, -1), ([5], 5, 7), ([], 1, 0), ([1, 2, 3], 2, -9))
def deque_search(xs: list[int], x: int, at: int) -> list[str]:
    d = deque(xs)
    d.insert(at, 77)
    log = [repr(d), str(d.count(x)), str(x in d), str(77 not in d)]
    for start in (0, 2, -2):
        try:
            log.append(str(d.index(x, start)))
        except ValueError as error:
            log.append(str(error))
    try:
        d.remove(x)
    except ValueError as error:
        log.append(str(error))
    return log + [repr(d), str(d.index(77))]


@program("deques: changed while a loop runs", ([1, 2, 3], 0), ([1, 2, 3], 1), ([1], 2), ([1, 2], 3), ([], 4), ([1, 2], 5), ([1, 2], 6))
def deque_changed(xs: list[int], way: int) -> list[str]:
    d = deque(xs)
    log: list[str] = []
    try:
        for x in d:
            log.append(str(x))
            if way == 0:
                d.append(x)
            elif way == 1:
                d[0] = 9
            elif way == 2:
                d.pop()
            elif way == 3:
                d.rotate(1)
            elif way == 5:
                d.reverse()
            elif way == 6:
                d.appendleft(d.pop())
    except RuntimeError as error:
        log.append(str(error))
    try:
        for x in reversed(d):
            log.append(str(x))
            if way > 3:
                d.clear()
    except RuntimeError as error:
        log.append(str(error))
    return log


@program("deques: equal among themselves, and ordered", ([1, 2], [1, 2]), ([1, 2], [1, 3]), ([], [0]))
def deques_compared(a: list[int], b: list[int]) -> list[bool]:
    d, e = deque(a), deque(b, maxlen=9)
    return [d == e, d != e, d < e, d >= e, d == a, a != d, [d] == [e], list(d) == a, (d, 1) == (e, 1), d is d]


@program("deques: joined and repeated", ([1, 2], 3), ([1, 2], 0), ([], 2), ([1, 2], -1))
def deques_joined(xs: list[int], n: int) -> list[str]:
    d, e = deque(xs, maxlen=3), deque([9, 8])
    both = d + e
    same = e
    e += d
    e += (7, 7)
    times = e * n
    other = n * d
    d *= n
    return [repr(both), repr(e), str(same is e), repr(times), repr(other), repr(d), str(both.maxlen), str(times.maxlen)]


@program("deques: extended by themselves", ([1, 2],), ([],))
def deque_by_itself(xs: list[int]) -> tuple[deque[int], deque[int]]:
    d = deque(xs)
    d.extend(d)
    e = d.copy()
    e.extendleft(e)
    d += d
    return d, e


@program("deques: what it is", ([1],))
def deque_kinds(xs: list[int]) -> list[Any]:
    d = deque(xs)
    u: Union[deque[int], list[int]] = d if xs else xs
    answers = [isinstance(d, deque), isinstance(d, list), isinstance(xs, deque), isinstance(u, deque), type(d) is deque]
    return [type(d).__name__, answers, d.maxlen is None, sorted(d, reverse=True), tuple(d), set(d), "".join(deque("ab"))]


@program("deques: unpacked and copied", (deque([1, 2, 3], maxlen=4),), (deque([5]),))
def deque_spread(d: deque[int]) -> tuple[list[int], list[int], deque[int], deque[int], int]:
    first, *rest = d
    e, f = copy.copy(d), copy.deepcopy(d)
    e.append(7)
    f.extend([8, 9])
    d.appendleft(0)
    return [first, *rest], [*d, *rest], e, f, sum(d)


@program("deques: inside of others, and of themselves", (2,), (0,))
def deques_nested(n: int) -> tuple[list[deque[int]], str, str]:
    many = [deque(range(i), maxlen=i + 1) for i in range(n)]
    table = {i: deque([i]) for i in range(n)}
    loop: deque[Any] = deque()
    held: list[Any] = [1]
    loop.append(held)
    return many, repr(table), repr(loop)


@dataclass
class Job:
    name: str


class Queue:
    def __init__(self, most: int) -> None:
        self.jobs: deque[Job] = deque(maxlen=most)
        self.done = 0

    def put(self, name: str) -> None:
        self.jobs.append(Job(name))

    def run(self) -> str:
        self.done += 1
        return self.jobs.popleft().name if self.jobs else "idle"


@program("deques: of instances, in an instance", (["a", "b", "c"], 2), ([], 1))
def queued(names: list[str], most: int) -> tuple[list[str], str, bool, int]:
    q = Queue(most)
    for name in names:
        q.put(name)
    text = repr(q.jobs)
    known = Job("c") in q.jobs
    return [q.run() for _ in range(3)], text, known, q.done


@program("deques: passed on, changed for the caller", (deque(["a"], maxlen=2), deque([1])), (deque([]), deque([])))
def deque_taken(d: deque[str], e: Deque[int]) -> int:
    def add(q: deque[str], text: str) -> None:
        q.append(text)
        q.appendleft(text * 2)

    add(d, "z")
    e.extend([4, 5])
    return len(d) + e.popleft()


@program("deques: a long queue stays quick", (3000,))
def long_queue(n: int) -> tuple[int, int]:
    d: deque[int] = deque(range(n))
    total = 0
    for i in range(3 * n):
        total += d.popleft()
        d.append(i)
        if i % 3 == 0:
            d.appendleft(d.pop())
    return total, len(d)


@program("deques: a list's first item taken again and again", (200,), (3,))
def list_as_queue(n: int) -> tuple[list[int], list[str]]:
    xs = list(range(n))
    names = [str(x) for x in xs]
    out: list[int] = []
    while len(xs) > 2:
        out.append(xs.pop(0))
        if out[-1] % 5 == 1:
            xs.append(-out[-1])
            xs.insert(0, 1000)
            xs.pop(0)
        names.pop(0)
        names += ["n"]
    xs.extend(out[:3])
    return xs + sorted(out)[:5], names[:4]


@program("deques: matched as sequences", ([1, 2],), ([1],), ([],), ([7, 8, 9],))
def deque_matched(xs: list[int]) -> tuple[int, int]:
    first = -1
    match deque(xs):
        case []:
            first = 0
        case [a, b]:
            first = a * 10 + b
        case [7, _, last]:
            first = last
    second = -1
    match (deque(xs), 1):
        case ([one], n):
            second = one + n
    return first, second


@program("a deque takes the items of tuples and texts of another type", (2,), (0,))
def padded(n: int) -> str:
    window = deque(maxlen=4)
    for i in range(n):
        window.append(i)
    window += (None,) * 2
    letters = deque([n])
    letters.extendleft("ab")
    letters.extend({2.5: "x"})
    return f"{window} {letters}"
