"""Programs whose functions call themselves and give what their own results are made of: caches, closures, functions.

In: nothing. Out: programs with arguments, compared with CPython when the tests run.
Holds: each would be refused, or answered wrongly, if a result that recursion assumes were taken for the last one.
"""
# ruff: noqa: ANN001, ANN201, ANN202, E731 - written as users write it

from __future__ import annotations

import heapq
from functools import lru_cache

from language_rows import of_row
from oracle import program

of_row("functions in functions")


@program("a cached function that loops over the list of its own call", ("abc",), ("",))
def orders_of_letters(text: str) -> list[str]:
    @lru_cache(None)
    def orders(rest):
        if not rest:
            return [""]
        return [first + tail for first in rest for tail in orders(rest.replace(first, "", 1))]

    return orders(text)


@program("a cached function that gives a number with a tuple that grows", ([(2, 3), (3, 4), (4, 5)], 5), ([], 1))
def best_load(items: list[tuple[int, int]], capacity: int) -> tuple[int, list[int]]:
    @lru_cache(maxsize=None)
    def best(i, left):
        if i == len(items):
            return 0, ()
        value, chosen = best(i + 1, left)
        weight, worth = items[i]
        if weight <= left:
            more, others = best(i + 1, left - weight)
            if more + worth > value:
                return more + worth, (i,) + others
        return value, chosen

    value, chosen = best(0, capacity)
    return value, list(chosen)


@program("a memo that holds None or a list, and a base case that gives an empty list", (11,), (1,), (0,))
def fewest_coins(amount: int) -> list[int]:
    memo = {}

    def fewest(left):
        if left in memo:
            return memo[left]
        if left < 0:
            return None
        if left == 0:
            return []
        best = None
        for coin in (3, 5):
            rest = fewest(left - coin)
            if rest is not None:
                tried = [coin] + rest
                if best is None or len(tried) < len(best):
                    best = tried
        memo[left] = best
        return best

    return (fewest(amount) or [-1]) + sorted(memo)


@program("a nested function that returns itself", (3,), (0,))
def chained_adds(n: int) -> list[int]:
    total, log = 0, []

    def add(value=None):
        nonlocal total
        if value is None:
            return total
        total += value
        log.append(value)
        return add

    total = add(1)(2)(n)()
    return [total, *log]


@program("nested functions that return each other, before and after their definitions", ('a<b x=">">c',), ("<",))
def without_tags(text: str) -> tuple[str, bool]:
    out = []

    def outside(char):
        if char == "<":
            return tag
        out.append(char)
        return outside

    def tag(char):
        if char == ">":
            return outside
        return quoted if char == '"' else tag

    def quoted(char):
        return tag if char == '"' else quoted

    state = outside
    for char in text:
        state = state(char)
    return "".join(out), state is outside


of_row("functions as values")


def compiled(tree):
    if isinstance(tree, (int, float)):
        return lambda names: tree
    if isinstance(tree, str):
        return lambda names: names[tree]
    op, left, right = tree
    first, second = compiled(left), compiled(right)
    if op == "+":
        return lambda names: first(names) + second(names)
    return lambda names: first(names) * second(names)


def raised_by(n: int):
    if n <= 0:
        return lambda x: x
    inner = raised_by(n - 1)

    def outer(x):
        return inner(x) + n

    return outer


@program("functions that call themselves and return functions over what that gave", (3,), (0,))
def functions_of_trees(n: int) -> list[int]:
    tree = compiled(("+", 1, ("*", "x", 2)))
    return [tree({"x": n}), tree({"x": 10}), raised_by(n)(100)]


def increased(x: int) -> int:
    return x + 1


def doubled(x: int) -> int:
    return x * 2


@program("heaps and sorted lists of tuples with functions, whose order never asks them or fails there", (5,), (-1,))
def by_priority(x: int) -> list[str]:
    heap = []
    for item in ((3, increased), (1, doubled), (2, increased)):
        heapq.heappush(heap, item)
    out = []
    while heap:
        level, function = heapq.heappop(heap)
        x = function(x)
        out.append(f"{level} {x}")
    jobs = [(2, lambda: "later"), (1, lambda: "soon")]
    jobs.sort()
    out += [job() for _, job in jobs]
    out.append(f"{(x, doubled) == (x, doubled)} {(1, doubled) in [(1, increased), (1, doubled)]}")
    try:
        heapq.heappush(jobs, (0, jobs[0][1]))
        heapq.heappush(jobs, (0, lambda: "never"))
    except TypeError as error:
        out.append(str(error))
    return out


of_row("dict methods")


@program("dict(), update(), ** and views of a dict of one of several types", (True,), (False,))
def mixed_tables(is_first: bool) -> list[str]:
    table = {"ab": 1} if is_first else {"bc": "x", "d": "y"}
    pairs = {("p", 1): 2} if is_first else [(("q", 2), 3)]
    out = {"zz": 0.5}
    out.update(table)
    joined = {}
    joined.update(pairs)
    lines = [f"{dict(table)} {out} {joined} { {**table, 'k': None} }"]
    for key, value in table.items():
        lines.append(f"{key}={value}")
    lines.append(f"{list(reversed(table.items()))} {table.keys() == {'ab'}} {1 in table.values()} {len(table.values())}")
    return lines


def merged(first, second):
    out = dict(first)
    for key, value in second.items():
        if key in out and isinstance(out[key], dict) and isinstance(value, dict):
            out[key] = merged(out[key], value)
        else:
            out[key] = value
    return out


@program("settings merged into settings, at any depth", (3,), (0,))
def merged_settings(n: int) -> str:
    base = {"a": 1, "b": {"c": n, "d": {"e": [1, 2]}}}
    over = {"b": {"c": "x", "d": {"f": None}}, "g": 2.5}
    return f"{merged(base, over)} {base}"


@program("a list display of lists of two types that takes a dict afterwards", ({"a": 1, "b": 2},), ({},))
def parts_of_table(table: dict[str, int]) -> str:
    out = [sorted(table.keys()), sorted(table.items())]
    out.append(table)
    out.append(dict(zip(table.values(), table)))
    return repr(out)
