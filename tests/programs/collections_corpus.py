"""Lists, dicts, sets and tuples in each other: slices, aliases, changes while iterated, equality, order."""

from __future__ import annotations

import math
from collections import OrderedDict
from typing import Optional, Union

from language_rows import of_row
from oracle import program

of_row("list methods")


@program("slices with steps and ends beyond the list", ([0, 1, 2, 3, 4, 5],), ([],), ([9],))
def stepped(v: list[int]) -> list[list[int]]:
    return [v[::2], v[1::2], v[::-1], v[4:0:-2], v[-2:], v[:-100], v[100:], v[-100:100:3], v[2:2]]


@program("slice bounds from variables, None among them", ([1, 2, 3], 1, None), ([1, 2, 3], None, -1), ([], 0, 5))
def optional_bounds(v: list[int], a: Optional[int], b: Optional[int]) -> list[int]:
    return v[a:b] + v[b:a]


@program("a step of zero raises", ([1, 2], 0), ([1, 2], -1))
def zero_step(v: list[int], step: int) -> list[int]:
    return v[::step]


@program("insert at every kind of place", ([1, 2], 0), ([1, 2], -1), ([1, 2], 100), ([1, 2], -100), ([], 3))
def inserting(v: list[int], i: int) -> list[int]:
    v.insert(i, 9)
    return v


@program("pop from the front, the middle, behind, and outside", ([1, 2, 3], 0), ([1, 2, 3], -2), ([1], 5), ([], 0))
def popping(v: list[int], i: int) -> tuple[int, list[int]]:
    first = v.pop(i)
    return first, v


@program("index with bounds", ([1, 2, 1, 3], 1, 1, 9), ([1, 2], 2, -1, 2), ([1], 1, 1, 2))
def index_bounds(v: list[int], x: int, a: int, b: int) -> int:
    return v.index(x, a, b)


@program("remove the first equal item of floats, then of lists", ([1.0, 2.0, 1.0], [[1], [2], [1]]), ([], []))
def removing(a: list[float], b: list[list[int]]) -> int:
    a.remove(1.0)
    b.remove([1])
    return len(a) * 10 + b.count([1])


@program("extend by every iterable", ([1], (2, 3)), ([], (0, 0)))
def extending(v: list[int], t: tuple[int, int]) -> list[int]:
    v.extend(t)
    v.extend(range(2))
    v.extend({7: 1, 8: 2})
    v.extend(x * x for x in t)
    v += [1]
    return v


@program("a list of lists sorted by its items, stable", ([[2, 1], [1, 9], [2, 0], [1]],), ([],))
def sort_lists(v: list[list[int]]) -> list[list[int]]:
    v.sort()
    return sorted(v, key=lambda x: len(x))


@program("sorting by two keys in two passes", ([("b", 1), ("a", 1), ("c", 0)],), ([],))
def two_passes(v: list[tuple[str, int]]) -> list[tuple[str, int]]:
    v.sort(key=lambda p: p[0], reverse=True)
    v.sort(key=lambda p: p[1])
    return v


@program("equality and order of lists of different lengths and kinds", ([1, 2], [1, 2, 0]), ([2], [1, 5]), ([], []))
def ordering(a: list[int], b: list[int]) -> list[bool]:
    return [a == b, a != b, a < b, a <= b, a > b, [1.0, 2.0] == a, [a] == [b], [a, b] < [b, a]]


@program("NaN in lists never matches", ([1.0, 2.0],))
def nan_lists(v: list[float]) -> list[bool]:
    v.append(math.nan)
    w = [1.0, 2.0, float("nan")]
    return [v == w, 1.0 in v, v[:2] == w[:2], v != w, v.count(2.0) == 1]


@program("rotation by slices and by item assignment", ([1, 2, 3, 4], 1), ([1, 2], -1), ([], 2))
def rotated(v: list[int], k: int) -> list[int]:
    w = v[k:] + v[:k]
    for i in range(len(v) // 2):
        v[i], v[-1 - i] = v[-1 - i], v[i]
    return w


@program("transposing by index and by zip with a star", ([[1, 2, 3], [4, 5, 6]],), ([[1]],))
def transposed(rows: list[list[int]]) -> list[list[int]]:
    return [[r[j] for r in rows] for j in range(len(rows[0]))]


@program("a matrix rotated in place through four-way swaps", ([[1, 2], [3, 4]],), ([[1, 2, 3], [4, 5, 6], [7, 8, 9]],))
def turned(m: list[list[int]]) -> None:
    n = len(m)
    for i in range(n // 2):
        for j in range(i, n - 1 - i):
            m[i][j], m[j][-1 - i], m[-1 - i][-1 - j], m[-1 - j][i] = m[-1 - j][i], m[i][j], m[j][-1 - i], m[-1 - i][-1 - j]


@program("the same row three times against three rows", (2,))
def shared_rows(n: int) -> tuple[list[list[int]], list[list[int]]]:
    shared = [[0] * n] * 3
    separate = [[0] * n for _ in range(3)]
    shared[0][0] = 1
    separate[0][0] = 1
    return shared, separate


@program("a copy is shallow: inner lists are shared", ([[1], [2]],))
def shallow(v: list[list[int]]) -> tuple[list[list[int]], list[list[int]], list[list[int]]]:
    a, b, c = v[:], v.copy(), list(v)
    a.append([3])
    b[0].append(9)
    c[1] = [7]
    return a, b, c


@program("an alias taken before an augmented addition and before a plain one", ([1],))
def alias_plus(v: list[int]) -> tuple[list[int], list[int]]:
    w = v
    w += [2]
    u = w
    w = w + [3]
    u.append(4)
    return w, u


@program("a list passed down and replaced there stays as it was", ([1, 2],))
def not_replaced(v: list[int]) -> list[int]:
    replacing(v)
    return v


def replacing(v: list[int]) -> None:
    v.append(0)
    v = [9, 9]
    v.append(1)


@program("del of slices with steps, of everything", ([0, 1, 2, 3, 4, 5],), ([],))
def deleting(v: list[int]) -> list[int]:
    del v[::2]
    w = v[:]
    del v[:]
    v.append(len(w))
    del w[-1:]
    return w


@program("an extended slice assigned with the wrong length", ([1, 2, 3, 4], [9]), ([1, 2, 3, 4], [8, 9]))
def wrong_length(v: list[int], w: list[int]) -> list[int]:
    v[::2] = w
    return v


@program("a slice assigned from itself reversed", ([1, 2, 3],), ([],))
def self_assigned(v: list[int]) -> list[int]:
    v[:] = v[::-1]
    v[1:1] = v
    return v


@program("lists of optionals filtered and counted", ([1, None, 3],), ([None],), ([],))
def optionals(v: list[Optional[int]]) -> tuple[int, list[int], int]:
    kept = [x for x in v if x is not None]
    return v.count(None), kept, sum(kept)


@program("a list of unions sorted out by type", ([1, "a", 2.5, 3],), ([],))
def sorted_out(v: list[Union[int, str, float]]) -> dict[str, int]:
    counts = {"int": 0, "str": 0, "float": 0, "bool": 0}
    for x in v:
        if isinstance(x, bool):
            counts["bool"] += 1
        elif isinstance(x, int):
            counts["int"] += 1
        elif isinstance(x, str):
            counts["str"] += len(x)
        else:
            counts["float"] += 1
    return counts


@program("membership of lists in lists and of tuples in lists", ([[1, 2], [3]], [(1, "a")]), ([], []))
def contained(a: list[list[int]], b: list[tuple[int, str]]) -> list[bool]:
    return [[3] in a, [1] not in a, (1, "a") in b, (1, "b") in b]


@program("unique items in their first order, by a list and by a dict", ([3, 1, 3, 2, 1],), ([],))
def unique(v: list[int]) -> tuple[list[int], list[int]]:
    seen: list[int] = []
    for x in v:
        if x not in seen:
            seen.append(x)
    return seen, list(dict.fromkeys(v))


@program("chunks, pairs and every other by slices in zip", ([1, 2, 3, 4, 5],), ([1],))
def paired(v: list[int]) -> list[tuple[int, int]]:
    return list(zip(v[::2], v[1::2])) + [(a, b) for a, b in zip(v, v[1:]) if b > a]


@program("nested lists three deep changed through one path", (2,))
def cube(n: int) -> list[list[list[int]]]:
    c = [[[i + j + k for k in range(n)] for j in range(n)] for i in range(n)]
    c[0][1][0] += 10
    c[1][0].append(c[0][1].pop())
    c[1] = c[1] * 2
    return c


@program("clear and refill of an argument", ([1, 2],), ([],))
def refilled(v: list[int]) -> int:
    n = len(v)
    v.clear()
    v.extend([n] * (n + 1))
    return n


@program("a negative index assigned, beyond raises after a change", ([1, 2], -1), ([1, 2], -3))
def negative_store(v: list[int], i: int) -> None:
    v[0] = 7
    v[i] = v[i] * 2 if -len(v) <= i else 0


of_row("tuples")


@program("swaps, rotations and nested unpacking of tuples", ((1, (2, 3)), 4), ((0, (0, 0)), 0))
def nested(t: tuple[int, tuple[int, int]], x: int) -> tuple[int, int, int]:
    a, (b, c) = t
    a, b, c = c, a, b
    (a, b), c = (x, a), b
    return a, b, c


@program("tuples in lists in tuples, changed inside", (([1], 2),))
def list_inside(t: tuple[list[int], int]) -> tuple[list[int], int]:
    t[0].append(t[1])
    u = (t[0], len(t[0]))
    u[0][0] = 0
    return u


@program("tuple times int, plus, slices, in, count, index", ((1, 2, 1),), ((0, 0, 0),))
def tuple_work(t: tuple[int, int, int]) -> tuple[int, int, bool, tuple[int, ...], tuple[int, ...]]:
    return t.count(1), t.index(t[2]), 2 in t, t[::-1], t[1:] + (5,) * 2


@program("the singleton, the empty tuple, and truth", (0,), (1,))
def small(n: int) -> list[bool]:
    one = (n,)
    none = ()
    return [bool(one), bool(none), one == (n,), len(none) == 0, not none, one > none]


@program("comparison of tuples of several kinds, and min of them", ((1, "b"), (1, "a")), ((2, ""), (1, "z")))
def tuple_order(a: tuple[int, str], b: tuple[int, str]) -> tuple[bool, bool, tuple[int, str], tuple[int, str]]:
    return a < b, a == b, min(a, b), max([a, b, (0, "m")])


@program("a tuple of any length: loop, index, len, sum", ((1, 2, 3),), ((),))
def any_length(t: tuple[int, ...]) -> tuple[int, int, list[int]]:
    total = 0
    for x in t:
        total = total * 10 + x
    return total, sum(t) + len(t), list(t[1:])


@program("tuples from lists, comprehensions and text", ([1, 2],), ([],))
def made_tuples(v: list[int]) -> tuple[tuple[int, ...], tuple[int, ...], tuple[str, ...]]:
    return tuple(v), tuple(x * 2 for x in v), tuple("ab")


@program("a tuple of functions' results keeps evaluation order", ([],))
def traced(log: list[str]) -> tuple[int, int]:
    return (note(log, "a"), note(log, "b"))[::-1][0], note(log, "c")


def note(log: list[str], name: str) -> int:
    log.append(name)
    return len(log)


of_row("dict methods")


@program("get, setdefault and pop with and without default", ({"a": 1}, "a"), ({}, "b"))
def lookups(d: dict[str, int], k: str) -> list[int]:
    out = [d.get(k, -1), d.setdefault(k, 5), d.setdefault(k, 6), d.pop(k), d.pop(k, -2)]
    return out


@program("get without default is optional", ({"a": 0}, "a"), ({"a": 0}, "b"))
def optional_get(d: dict[str, int], k: str) -> str:
    v = d.get(k)
    return "none" if v is None else f"some {v}"


@program("a dict of dicts of lists, filled by setdefault chains", ([("x", "a", 1), ("x", "b", 2), ("y", "a", 3), ("x", "a", 4)],), ([],))
def nested_dicts(rows: list[tuple[str, str, int]]) -> dict[str, dict[str, list[int]]]:
    out: dict[str, dict[str, list[int]]] = {}
    for a, b, n in rows:
        out.setdefault(a, {}).setdefault(b, []).append(n)
    return out


@program("inversion of a dict, last key wins", ({"a": 1, "b": 2, "c": 1},), ({},))
def inverted(d: dict[str, int]) -> dict[int, str]:
    return {v: k for k, v in d.items()}


@program("items changed while their values are lists", ({"a": [1], "b": []},))
def grow_values(d: dict[str, list[int]]) -> int:
    for k, v in d.items():
        v.append(len(k))
    for v in d.values():
        v *= 2
    return sum(len(v) for v in d.values())


@program("deleting while iterating over a list of the keys", ({"a": 1, "b": 0, "c": 0},), ({},))
def cleaned(d: dict[str, int]) -> dict[str, int]:
    for k in list(d.keys()):
        if not d[k]:
            del d[k]
    return d


@program("insertion order survives overwriting, not deletion", ({"a": 1, "b": 2},))
def insertion(d: dict[str, int]) -> list[str]:
    d["c"] = 3
    d["a"] = 9
    del d["b"]
    d["b"] = 4
    return [f"{k}{v}" for k, v in d.items()]


@program("keys of int, float and bool that are equal", (1, 1.0), (0, 2.5))
def mixed_keys(i: int, x: float) -> dict[float, str]:
    d: dict[float, str] = {}
    d[x] = "x"
    d[float(i)] = "i"
    d[True] = d.get(1.0, "none") + "!"
    return d


@program("equality of nested dicts in any order", ({"a": [1], "b": [2]}, {"b": [2], "a": [1]}), ({}, {"a": []}))
def same(a: dict[str, list[int]], b: dict[str, list[int]]) -> list[bool]:
    return [a == b, a != b, list(a) == list(b), [a] == [b], len(a) == len(b)]


@program("update from pairs, keywords, dict and zip", ({"a": 0},), ({},))
def updated(d: dict[str, int]) -> dict[str, int]:
    d.update({"a": 1, "z": 26})
    d.update([("b", 2)])
    d.update(zip(["c", "d"], [3, 4]))
    d.update(a=5)
    return d


@program("views are live: len and iteration after a change", ({"a": 1},))
def live(d: dict[str, int]) -> tuple[int, list[str], list[int]]:
    keys, values = d.keys(), d.values()
    d["b"] = 2
    return len(keys), list(keys), sorted(values)


@program("popitem drains from the end until KeyError", ({1: "a", 2: "b"},), ({},))
def drained(d: dict[int, str]) -> str:
    out = ""
    try:
        while True:
            k, v = d.popitem()
            out += v * k
    except KeyError as e:
        out += "|" + str(e)
    return out


@program("a memo dict keyed by pairs", (5, 3), (0, 0), (2, 2))
def paths(n: int, m: int) -> int:
    memo: dict[tuple[int, int], int] = {}

    def walk(i: int, j: int) -> int:
        if i == 0 or j == 0:
            return 1
        if (i, j) not in memo:
            memo[i, j] = walk(i - 1, j) + walk(i, j - 1)
        return memo[i, j]

    return walk(n, m) + len(memo)


@program("the largest value's key and sorted items", ({"a": 3, "b": 7, "c": 7},), ({"z": 0},))
def ranking(d: dict[str, int]) -> tuple[str, list[tuple[str, int]]]:
    return max(d, key=lambda k: d[k]), sorted(d.items(), key=lambda kv: kv[1])


@program("merging with sums of both", ({"a": 1, "b": 2}, {"b": 3, "c": 4}), ({}, {}))
def summed(a: dict[str, int], b: dict[str, int]) -> dict[str, int]:
    return {k: a.get(k, 0) + b.get(k, 0) for k in a | b}


@program("an OrderedDict moved about", (["a", "b", "c"],), (["a"],), ([],))
def ordered(keys: list[str]) -> list[str]:
    d: OrderedDict[str, int] = OrderedDict()
    for i, k in enumerate(keys):
        d[k] = i
    d.move_to_end("a")
    d.popitem(last=False)
    return list(d)


@program("a key that is missing raises with its repr", ({"a": 1}, "b"), ({}, "it's"))
def missing_key(d: dict[str, int], k: str) -> int:
    value = d[k]
    return value + len(d)


@program("del of a missing int key", ({1: 1}, 1), ({1: 1}, 2))
def missing_del(d: dict[int, int], k: int) -> int:
    del d[k]
    return len(d)


@program("a dict comprehension over a dict's items with a filter", ({"w.a": 1, "w.b": 2, "v.a": 3}, "w."), ({}, ""))
def stripped(d: dict[str, int], prefix: str) -> dict[str, int]:
    return {k[len(prefix) :]: v for k, v in d.items() if k.startswith(prefix)}


@program("keys() and set algebra through set()", ({"a": 1, "b": 2}, {"b": 1, "c": 2}), ({}, {"x": 0}))
def key_sets(a: dict[str, int], b: dict[str, int]) -> list[list[str]]:
    return [sorted(set(a) & set(b)), sorted(set(a) - set(b)), sorted(set(a.keys()) | set(b.keys()))]


@program("keys() combined directly as sets", ({"a": 1, "b": 2}, {"b": 1}), ({}, {}))
def view_sets(a: dict[str, int], b: dict[str, int]) -> list[str]:
    return sorted(a.keys() & b.keys()) + sorted(a.keys() - b.keys())


@program("reversed dicts and the last key", ({"a": 1, "b": 2},), ({},))
def backwards(d: dict[str, int]) -> list[str]:
    return list(reversed(d)) + [k for k, _ in reversed(d.items())]


of_row("mutated while iterated")


@program("appending while iterating until a limit", ([1, 2],), ([],))
def growing(v: list[int]) -> int:
    seen = 0
    for x in v:
        seen += x
        if len(v) < 6:
            v.append(x + 1)
    return seen


@program("removing while iterating skips the next", ([1, 1, 2, 3, 3],), ([1],))
def skipping(v: list[int]) -> list[int]:
    for x in v:
        if x % 2:
            v.remove(x)
    return v


@program("inserting in front while iterating sees one item again and again", ([5],))
def again(v: list[int]) -> list[int]:
    for x in v:
        if len(v) > 4:
            break
        v.insert(0, x + 1)
    return v


@program("enumerate and reversed over a list that changes", ([1, 2, 3],))
def odd_views(v: list[int]) -> list[tuple[int, int]]:
    out: list[tuple[int, int]] = []
    for i, x in enumerate(v):
        if i == 0:
            v.append(10)
        out.append((i, x))
    for x in reversed(v):
        if x == 3:
            v.pop(0)
        out.append((-1, x))
    return out


@program("zip of a list with itself while it shrinks", ([1, 2, 3, 4],))
def self_zip(v: list[int]) -> list[int]:
    out: list[int] = []
    for a, b in zip(v, v):
        out.append(a * b)
        v.pop()
    return out


@program("a dict gains a key in the last round, and in the first", ({"a": 1}, "a"), ({"a": 1, "b": 2}, "a"))
def dict_grows(d: dict[str, int], when: str) -> list[str]:
    seen: list[str] = []
    for k in d:
        seen.append(k)
        if k == when:
            d[k + k] = 0
    return seen


@program("a dict loses and gains one: equal size goes on", ({"a": 1, "b": 2},))
def dict_values_replaced(d: dict[str, int]) -> int:
    total = 0
    for k in d:
        d[k] += 10
        total += d[k]
    return total


@program("items() of a dict cleared inside", ({"a": 1},), ({"a": 1, "b": 2},))
def dict_cleared(d: dict[str, int]) -> int:
    n = 0
    for _, v in d.items():
        n += v
        d.clear()
    return n


@program("a comprehension over a list that its condition changes", ([1, 2, 3, 4],))
def changing_condition(v: list[int]) -> list[int]:
    return [x for x in v if x % 2 == 0 or v.pop() < 0]


@program("a set that loses an element while iterated", ({1},), (set(),))
def set_shrinks(s: set[int]) -> int:
    n = 0
    for x in s:
        n += x
        s.discard(x)
    return n


@program("slices are copies: the loop over v[:] may change v", ([1, 2, 3],))
def over_copy(v: list[int]) -> list[int]:
    for x in v[:]:
        if x != 2:
            v.remove(x)
    return v


of_row("sets")


@program("sets of characters compared and combined", ("hello", "world"), ("", "a"))
def char_sets(a: str, b: str) -> tuple[list[str], list[str], bool]:
    x, y = set(a), set(b)
    return sorted(x & y), sorted(x ^ y), x.isdisjoint(y)


@program("dedup with a set while keeping order", ([3, 1, 3, 2, 1],), ([],))
def dedup(v: list[int]) -> list[int]:
    seen: set[int] = set()
    return [x for x in v if not (x in seen or seen.add(x))]


@program("sets of tuples as a grid", ([(0, 0), (0, 1), (1, 1)],), ([],))
def alive(cells: list[tuple[int, int]]) -> list[tuple[int, int]]:
    grid = set(cells)
    counts: dict[tuple[int, int], int] = {}
    for x, y in grid:
        for dx in (-1, 0, 1):
            for dy in (-1, 0, 1):
                if dx or dy:
                    at = (x + dx, y + dy)
                    counts[at] = counts.get(at, 0) + 1
    return sorted(c for c, n in counts.items() if n == 3 or n == 2 and c in grid)


@program("frozenset: made, compared, in", ([1, 2, 2],), ([],))
def frozen(v: list[int]) -> tuple[int, bool, bool]:
    f = frozenset(v)
    return len(f), 1 in f, f == frozenset([2, 1])


@program("subset chains and equality of sets", ({1}, {1, 2}), (set(), {0}), ({3}, {3}))
def subsets(a: set[int], b: set[int]) -> list[bool]:
    return [a < b, a <= b <= a | b, a.issubset(b), b.issuperset(a), a == b, a != b, {1} in [a, b]]


@program("removing what is not there", ({1, 2}, 2), ({1}, 5))
def absent(s: set[int], x: int) -> set[int]:
    s.discard(x + 100)
    s.remove(x)
    return s


@program("set comprehension with a condition on two sets", ({1, 2, 3}, {2, 3, 4}), (set(), {1}))
def products(a: set[int], b: set[int]) -> list[int]:
    return sorted({x * y for x in a for y in b if x != y})


@program("augmented set operators act in place", ({1, 2}, {2, 3}), (set(), set()))
def in_place(a: set[int], b: set[int]) -> set[int]:
    c = a
    c |= b
    c -= {1}
    c ^= {9}
    c &= {2, 3, 9}
    return a


@program("symmetric methods that change", ({1, 2}, {2, 3}),)
def changing(a: set[int], b: set[int]) -> set[int]:
    a.intersection_update(b)
    a.symmetric_difference_update({3, 4})
    a.update([7], {8})
    return a


of_row("comprehensions")


@program("conditions before and after, nested ternaries", ([1, -2, 3],), ([],))
def conditional(v: list[int]) -> list[str]:
    return ["pos" if x > 0 else "zero" if x == 0 else "neg" for x in v if x != 3]


@program("a comprehension in the iterable of another", (4,), (0,))
def inner(n: int) -> list[int]:
    return [x + 1 for x in [y * y for y in range(n) if y % 2] if x > 1]


@program("three generators with dependent ranges", (5,), (1,))
def triples(n: int) -> list[tuple[int, int, int]]:
    return [(a, b, c) for a in range(1, n) for b in range(a, n) for c in range(b, n + 1) if a * a + b * b == c * c]


@program("unpacking targets in comprehensions, starred ones too", ([(1, [2, 3]), (4, [])],), ([],))
def unpacked(v: list[tuple[int, list[int]]]) -> list[int]:
    return [a + len(b) for a, b in v] + [sum(rest) for _, rest in v] + [x for _, (*rest,) in v for x in rest]


@program("any and all over conditions of two lists", ([1, 2], [2, 3]), ([], [1]))
def quantifiers(a: list[int], b: list[int]) -> list[bool]:
    return [any(x in b for x in a), all(x < y for x, y in zip(a, b)), not any(x > 5 for x in a + b)]


@program("a dict of comprehensions of comprehensions", (3,), (0,))
def grids(n: int) -> dict[int, list[list[int]]]:
    return {k: [[i * k + j for j in range(k)] for i in range(k)] for k in range(n) if k != 1}


@program("the comprehension's variable hides one outside", (3,))
def hiding(x: int) -> tuple[int, list[int], int]:
    v = [x for x in range(x)]
    return x, v, sum(x for x in v)


@program("effects in a comprehension happen in order", ([],))
def effects(log: list[str]) -> list[int]:
    return [note(log, f"v{i}") for i in range(3) if note(log, f"c{i}") % 4]
