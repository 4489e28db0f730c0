"""Containers whose element types nothing declares: they hold whatever the function puts into them, each as it is."""
# ruff: noqa: ANN001, ANN201, ANN202

from __future__ import annotations

import heapq
from collections import Counter, OrderedDict, defaultdict, deque
from math import inf
from typing import Dict, List, NamedTuple, Optional, Sequence

from language_rows import of_row
from oracle import program

of_row("numbers meet")


@program("distances begin as inf and get ints and floats", (4, [(0, 1, 1.5), (1, 2, 2.0), (0, 2, 5.0)]), (1, []))
def shortest(n: int, edges: list[tuple[int, int, float]]):
    graph = {}
    for u, v, w in edges:
        graph.setdefault(u, []).append((v, w))
    dist = [inf] * n
    dist[0] = 0
    heap = [(0, 0)]
    while heap:
        d, u = heapq.heappop(heap)
        if d > dist[u]:
            continue
        for v, w in graph.get(u, []):
            if d + w < dist[v]:
                dist[v] = d + w
                heapq.heappush(heap, (d + w, v))
    return dist, str(dist)


@program("a dict of None, ints and floats", ({"a": [1, 2], "b": [], "c": [7]},), ({},))
def scored(scores: dict[str, list[int]]):
    result = {}
    for name, values in scores.items():
        if not values:
            result[name] = None
        elif len(values) == 1:
            result[name] = values[0]
        else:
            result[name] = sum(values) / len(values)
    return result, sorted((v, k) for k, v in result.items() if v is not None)


@program("an operand stack of ints that becomes one of floats too", (["3", "4", "+", "2", "/"],), (["1", "0", "/"],), (["+"],), ([],))
def calculated(tokens: list[str]):
    stack = []
    for t in tokens:
        if t in "+/":
            b, a = stack.pop(), stack.pop()
            stack.append(a + b if t == "+" else a / b)
        else:
            stack.append(int(t))
    return stack[0]


@program("a grid of None that is filled by rows and by items", (2, 3, [(0, 0, "a"), (1, 2, "b")]), (0, 0, []), (1, 1, [(2, 0, "x")]))
def filled(h: int, w: int, cells: list[tuple[int, int, str]]):
    grid = [[None] * w for _ in range(h)]
    for r, c, text in cells:
        grid[r][c] = text
    for i, row in enumerate(grid):
        for j in range(w):
            if row[j] is None:
                row[j] = i * 10 + j
    return grid


@program("two rows that change places while one gets floats", (3,), (0,))
def swapped(n: int):
    before, after = [0] * (n + 1), [0] * (n + 1)
    for i in range(1, n + 1):
        after[i] = before[i - 1] + 0.5 * i
        before, after = after, before
    return before, after


@program("one name for another list of other elements in each round", (2,), (0,))
def renewed(n: int):
    last = [0] * n
    for _ in range(2):
        now = [0.5] * n
        for i in range(n):
            now[i] += last[i]
        last = now
    return last


@program("lists chosen by a condition take what is put into the choice", ([-1.5, 2.0],), ([],))
def chosen(xs: list[float]):
    low, high, tags = [0], [1], {}
    for x in xs:
        (low if x < 0 else high).append(x)
        tags[x] = "negative" if x < 0 else 1
    return low, high, tags, type(low[0]).__name__


def put(items, x):
    items.append(x)
    return len(items)


@program("a helper puts floats and None into a list of ints", (2,), (3,))
def helped(n: int):
    a, b = [1], [1.5]
    print(put(a, n / 2), put(b, n), put(a, None))
    return a, b


@program("nested functions put several types into what is around them", (2,), (0,))
def shared(n: int):
    memo, out = {0: 0}, []

    def half(k):
        if k not in memo:
            memo[k] = half(k - 1) + k / 2
        return memo[k]

    def note(x):
        out.append(x)

    note(1)
    note("a")
    note(half(n))
    return out, memo


@program("an exception half way leaves what was put in before it", ([1, 2],), ([1, 0],), ([1, 2, 3, 4],))
def interrupted(xs: list[int]):
    out = [None] * 3
    try:
        for i, x in enumerate(xs):
            out[i] = 10 / x
    except ZeroDivisionError:
        out[0] = "zero"
    return out


@program("an alias is the same list after it took other elements", (2,), (1,))
def aliased(n: int):
    a = [0] * n
    b = a
    a[0] = 0.5
    b.append(True)
    print(a is b, type(a[-1]).__name__)
    return a, b


@program("sets and deques take elements of other types", ([1.5, 0.0],), ([],))
def gathered(xs: list[float]):
    seen, queue = {0}, deque([0])
    for x in xs:
        seen.add(x)
        queue.appendleft(x)
    more = {1, 2}
    more |= {0.5}
    more.update([None])
    return len(seen), sorted(seen), len(more), queue


@program("a result declared as floats has the ints of the container that ends with its function", ([3, 1],), ([],))
def declared(xs: list[int]) -> list[float]:
    means = []
    for x in xs:
        means.append(x / 2 if x > 2 else float(x))
    print(means)
    return means


of_row("abstract types")


def norm(v: List[float]) -> float:
    return sum(x * x for x in v) ** 0.5


def listed(d: Dict[str, Optional[int]]) -> List[str]:
    return [f"{k}={v}" for k, v in d.items()]


def longest(texts: Sequence[Optional[str]]) -> int:
    return max((len(t) for t in texts if t is not None), default=-1)


@program("containers of narrower elements where wider ones are declared", ([3, 4], ["a", "bcd"]), ([], []))
def narrower(a: List[int], b: List[str]):
    where = defaultdict(int)
    for t in b:
        where[t] += 1
    return norm(a), longest(b), listed(Counter("abca")), listed(OrderedDict(x=1)), listed(where), listed(dict.fromkeys(b))


@program("a parameter with the default None may be None, whatever it is declared as", (None,), ([1],), ())
def defaulted(xs: List[int] = None) -> int:
    return -1 if xs is None else len(xs)


of_row("whole programs")


@program("a table of ints declared as rows of floats that only its function has", (2, 3), (0, 1))
def table(n: int, m: int) -> List[List[float]]:
    grid = [[0] * m for _ in range(n)]
    for i in range(n):
        for j in range(m):
            grid[i][j] = grid[i - 1][j] + 0.5 if i else j / 2
    if n > 1:
        print(grid[0] == grid[1], sum(grid[0]))
    return grid


@program("elements are read before the first append", ([(1, 3), (2, 6), (8, 10)],), ([],), ([(5, 5), (0, 9)],))
def merged_spans(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    merged = []
    for low, high in sorted(spans):
        if merged and low <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], high))
        else:
            merged.append((low, high))
    return merged


@program("a nested function reads what it fills later", ([1, 2, -1],), ([-1, 1],), ([],))
def filled_within(xs: list[int]) -> str:
    groups = {}
    last = []

    def put(x: int) -> None:
        if last and last[-1].startswith("p"):
            groups[last[-1]].append(x)
        else:
            last.append("plus" if x > 0 else "minus")
            groups.setdefault(last[-1], []).append(x)

    for x in xs:
        put(x)
    return f"{groups} {last}"


class Runs:
    def __init__(self):
        self.rows = []

    def add(self, key: str, value: int) -> None:
        if self.rows and self.rows[-1][0] == key:
            self.rows[-1][1].append(value)
        else:
            self.rows.append((key, [value]))


@program("a method reads the elements that it appends later", ([("a", 1), ("a", 2), ("b", 3)],), ([],))
def runs(pairs: list[tuple[str, int]]) -> str:
    made = Runs()
    for key, value in pairs:
        made.add(key, value)
    return str(made.rows)


@program("read first, and then filled with several kinds of numbers", ([1, 3, 4, 5],), ([],))
def halved_after(xs: list[int]) -> str:
    out = []
    for x in xs:
        if out and out[-1] > 2:
            out.append(x / 2)
        else:
            out.append(x)
    return str(out)


class Reading(NamedTuple):
    value: float
    unit: str


@program("comprehensions over tuples of several types, and such tuples as lists and sets", ((1, "q"), 2), ((0, ""), 7))
def of_every_kind(pair: tuple[int, str], n: int) -> str:
    reading = Reading(1.5, "m")
    table = {key: value for key, value in (("a", n), ("b", "x"), ("c", None))}
    lengths = [len(x) if isinstance(x, str) else x for x in ("abc", n, 2.5)]
    nested = [y for x in pair for y in (x, None)]
    marks = {x for x in pair if x}
    return f"{list(pair)} {list(reading)} {tuple(x for x in reading)} {table} {lengths} {nested} {len(marks)} {tuple(reading)}"


@program("tuples in pairs in a list grow by one item each", ([1, 3, 4], [15, 20, 30], 4), ([], [], 2), ([5], [1], 3))
def knapsack(weights: list[int], values: list[int], room: int) -> tuple[int, list[int]]:
    best = [(0, ())] * (room + 1)
    for i, (weight, value) in enumerate(zip(weights, values)):
        for c in range(room, weight - 1, -1):
            known, items = best[c - weight]
            if known + value > best[c][0]:
                best[c] = (known + value, items + (i,))
    return best[room][0], list(best[room][1])


class Pile:
    def __init__(self, items=()):
        self.items = list(items)

    def push(self, *more):
        self.items.extend(more)
        return self

    def top(self, default=None):
        return self.items[-1] if self.items else default


@program("one class of containers of numbers, letters and nothing", ([1, 2], "xy"), ([], ""))
def piles(xs: list[int], s: str) -> list[str]:
    numbers, letters, nothing = Pile(xs).push(7, 8), Pile(s), Pile()
    tuples = Pile((1.5, "t")).push(None)
    return [str(numbers.items), str(letters.items), str(nothing.items), str(tuples.items), str(numbers.top()),
            str(letters.top("none")), str(nothing.top())]
