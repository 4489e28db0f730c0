"""Frozensets: made, read, combined with sets, as keys and elements, kept in state and outside the function."""

# ruff: noqa
from __future__ import annotations

import enum
from typing import Any, FrozenSet, Optional, Union

import tsm
from language_rows import of_row
from oracle import program
from tsm import nn

of_row("sets")


@program("frozensets: made of everything", ([3, 1, 3], "abca", {1: "x"}), ([], "", {}))
def made(xs: list[int], s: str, d: dict[int, str]) -> list[int]:
    a = frozenset(xs)
    b = frozenset(s)
    c = frozenset(d)
    e = frozenset(x * x for x in xs)
    f = frozenset(map(abs, xs))
    g = frozenset({1, 2})
    h = frozenset((1, 2, 2))
    i: frozenset[int] = frozenset()
    j = frozenset(range(4))
    return [len(a), len(b), len(c), len(e), len(f), len(g), len(h), len(i), len(j), len(frozenset(a))]


@program("frozensets: operators keep the type of the left side", ([1, 2, 3], {2, 9}), ([], set()))
def operators(xs: list[int], t: set[int]) -> tuple[frozenset[int], set[int], frozenset[int], frozenset[int], list[str]]:
    f = frozenset(xs)
    a, b, c, d = f | t, t | f, f & t, f - t
    b.add(100)
    kinds = [type(f | t).__name__, type(t | f).__name__, type(f ^ f).__name__, type(t - f).__name__]
    return a ^ frozenset([1]), b, c, d, kinds


@program("frozensets: a set is sought among them as one", ({1}, [1]), ({1}, [2]), (set(), []))
def sought(s: set[int], xs: list[int]) -> tuple[bool, bool, list[str]]:
    f = frozenset(xs)
    made = "".join(str(x) for x in f)
    return s in {f}, s in frozenset([f, frozenset([9])]), sorted({f: made}[frozenset(xs)])


@program("frozensets: views and builtins", (frozenset(["a"]), {"a": 1}), (frozenset(), {}))
def views(f: frozenset[str], d: dict[str, int]) -> tuple[list[str], bool, dict[str, int], list[tuple[int, str]], list[str]]:
    kinds = [type(f | d.keys()).__name__, type(d.keys() & f).__name__, type(f).__name__]
    return kinds, f == d.keys() and type(f) is frozenset, dict.fromkeys(f, 0), list(enumerate(f)), sorted(f, key=len)


@program("frozensets: in lists, found and ordered", ([frozenset([3, 4]), frozenset([2])],))
def in_lists(fs: list[frozenset[int]]) -> tuple[int, int, bool, list[frozenset[int]], bool]:
    two = frozenset([2])
    in_order = sorted(fs, key=lambda f: (len(f), sorted(f)))
    return fs.index(two), fs.count(two), fs == [{3, 4}, {2}], in_order, (two, 1) < (frozenset([2, 3]), 0)


@program("frozensets: compared with sets", ({1}, {1, 2}), (set(), set()), ({3}, {1}))
def compared(a: set[int], b: set[int]) -> list[bool]:
    x, y = frozenset(a), frozenset(b)
    return [x == y, x == a, b == y, x != b, x < y, x <= b, a > y, b >= x, [x] == [a], (x, 1) == (a, 1), x in [b, a]]


@program("frozensets: methods", ({1, 2}, [2, 5]), (set(), []))
def with_methods(a: set[int], xs: list[int]) -> tuple[frozenset[int], list[bool]]:
    f = frozenset(a)
    g = f.union(xs, {7}).difference([2]).symmetric_difference({5, 8})
    h = g.intersection(range(9)).copy()
    return h, [f.issubset(xs), h.issuperset(f), f.isdisjoint({2}), f.union() == f, h == g]


@program("frozensets: texts", ([],), ([4],))
def texts(xs: list[int]) -> list[str]:
    f = frozenset(xs)
    return [str(f), repr(f), f"{f}|{f!r:>20}", "%s" % f, str([f, f]), str({f: 1}), "{}".format((f,))]


@program("frozensets: hash is the one of CPython", ([1, 2, 3],), ([],), ([-1, 2**40],))
def hashed(xs: list[int]) -> list[int]:
    f = frozenset(xs)
    return [hash(f), hash(frozenset([f])), hash((f, 1)), hash(frozenset([0.5, 2.5])), hash(frozenset([(1, 2)]))]


@program("frozensets: keys of dicts", ([[1, 2], [2, 1], [3]],), ([],))
def keys(groups: list[list[int]]) -> dict[frozenset[int], int]:
    counts: dict[frozenset[int], int] = {}
    for group in groups:
        key = frozenset(group)
        counts[key] = counts.get(key, 0) + 1
    assert frozenset([77]) not in counts
    return counts


@program("frozensets: missing key", ({frozenset([1]): 2},), ({},))
def missing(d: dict[frozenset[int], int]) -> int:
    return d[frozenset([1, 1])] + d[frozenset([5])]


@program("frozensets: states of a search", (4,), (1,))
def search(n: int) -> tuple[int, int]:
    seen: set[frozenset[int]] = set()
    frontier = [frozenset([0])]
    while frontier:
        state = frontier.pop()
        if state in seen:
            continue
        seen.add(state)
        for i in range(n):
            frontier.append(state ^ {i})
    return len(seen), max(len(s) for s in seen)


@program("frozensets: iterated and consumed", ([2, 4],), ([9],))
def consumed(xs: list[int]) -> tuple[list[int], int, int, int, bool, bool]:
    f = frozenset(xs)
    t = 0
    for x in f:
        t += x
    doubled = sorted([2 * x for x in f] + list(f) + [*f] + sorted(f, reverse=True))
    return doubled, t, sum(f), min(f) + max(f), any(x > 3 for x in f), all(f)


@program("frozensets: unpacked", (frozenset([3]),), (frozenset(),), (frozenset([1, 2]),))
def unpacked(f: frozenset[int]) -> tuple[int, list[int]]:
    (a,) = f
    [b, *c] = {a}
    return b, c


@program("frozensets: |= makes a new one, a set grows in place", ({1}, frozenset([2])))
def augmented(s: set[int], f: frozenset[int]) -> tuple[frozenset[int], set[int]]:
    g, t = f, s
    g |= s
    t |= g
    t -= f
    g &= t
    return g, s


@program("frozensets: truth and empty", (frozenset([0]),), (frozenset(),))
def truth(f: frozenset[int]) -> str:
    if not f:
        return "empty"
    return "some" if f and not frozenset(range(0)) else "?"


@program("frozensets: told apart from sets", (frozenset([1]),), ({1},), (5,))
def apart(x: Union[set[int], frozenset[int], int]) -> str:
    if isinstance(x, frozenset):
        return "frozen " + str(sum(x))
    if isinstance(x, set):
        x.add(4)
        return "set"
    return str(x)


@program("frozensets: Optional and typing's spelling", (None,), (frozenset(["a"]),))
def optional(x: Optional[FrozenSet[str]] = None) -> int:
    return -1 if x is None else len(x)


class Color(enum.Enum):
    RED = 1
    BLUE = 2


@program("frozensets: of enum members", (frozenset([Color.RED]), {Color.BLUE}), (frozenset(), set()))
def members(f: frozenset[Color], s: set[Color]) -> tuple[list[bool], frozenset[Color]]:
    return [Color.RED in f, Color.BLUE in s, f == s], f | s | {Color.RED}


@program("frozensets: inside tuples, lists and dicts across the boundary", ((frozenset([1]), [frozenset(["b"])]), {"k": frozenset([(1, 2.5)])}))
def inside(t: tuple[frozenset[int], list[frozenset[str]]], d: dict[str, frozenset[tuple[int, float]]]) -> tuple[
    frozenset[int], list[frozenset[str]], dict[str, frozenset[tuple[int, float]]]
]:
    t[1].append(frozenset("xy"))
    d["new"] = d["k"] | {(0, 1.0)}
    return t[0] | {5}, t[1], d


@program("frozensets: of floats", (frozenset([1.5]),), (frozenset(),))
def floats(f: frozenset[float]) -> list[float]:
    g: frozenset[float] = frozenset({1.0, 2.0})
    return sorted(f | g)


STOP = frozenset(("a", "the"))
NOTHING: frozenset[str] = frozenset()


@program("frozensets: outside the function", ("the cat",), ("a",))
def outside(text: str) -> tuple[list[str], frozenset[str], int]:
    words = [w for w in text.split() if w not in STOP]
    kept = STOP
    return words, kept, len(kept | NOTHING) if words else len(STOP)


def chosen(x: int, allowed: frozenset[int] = frozenset([1, 2])) -> bool:
    return x in allowed


@program("frozensets: default of a helper", (1,), (7,))
def defaults(x: int) -> tuple[bool, bool]:
    return chosen(x), chosen(x, frozenset())


class Graph:
    def __init__(self, edges: list[tuple[int, int]]) -> None:
        self.edges = frozenset(frozenset(e) for e in edges)

    def has(self, a: int, b: int) -> bool:
        return frozenset((a, b)) in self.edges


@program("frozensets: attributes of instances", ([(1, 2), (2, 1), (3, 4)], 2, 1), ([], 0, 0))
def attributes(edges: list[tuple[int, int]], a: int, b: int) -> tuple[bool, int]:
    g = Graph(edges)
    return g.has(a, b), len(g.edges)


@program("frozensets: attributes of modules", (2,), (9,))
class Filter(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.allowed = frozenset([2, 3])
        self.nested = {"a": frozenset(["x"]), "b": frozenset(["y", "z"])}
        self.last: Optional[frozenset[int]] = None

    def forward(self, x: int) -> tuple[bool, frozenset[int], int]:
        last = self.last
        self.last = self.allowed if last is None else last | {x}
        self.nested["c"] = frozenset([str(x)])
        return x in self.allowed, self.allowed - {x}, len(self.nested["c"] | self.nested["b"])


@program("frozensets: Any", (1,), (0,))
def anything(n: int) -> tuple[bool, str]:
    x: Any = frozenset([n])
    y: Any = {n}
    return x == y, str(x) + type(x).__name__


@program("frozensets: of None, texts and bytes", ("é",))
def kinds(s: str) -> list[int]:
    return [len(frozenset([None, None])), len(frozenset([s, s + s])), len(frozenset([b"a", b"b"])), len(frozenset([True, False]))]


@program("frozensets: caught KeyError shows it", (1,))
def caught(n: int) -> str:
    d = {frozenset([n]): 1}
    try:
        return str(d[frozenset([n + 1])])
    except KeyError as e:
        return f"{e} {e.args}"
