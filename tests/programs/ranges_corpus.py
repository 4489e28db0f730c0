"""Ranges that containers, attributes and variables of several values hold; bare list, dict and set as annotations."""

# ruff: noqa
from __future__ import annotations

from language_rows import of_row
from oracle import program

of_row("loops")

@program("ranges: index, count and membership", (12,), (6,))
def searched(n: int) -> tuple[int, int, int, bool]:
    r = range(2, n, 3)
    return r.index(5), r.count(5), r.count(4), 8 in r

@program("ranges: index of what is not there", (5, 2), (5, 9))
def not_there(n: int, i: int) -> str:
    try:
        return str(range(0, n, 2).index(i))
    except ValueError as e:
        return str(e)

@program("ranges: one of two, chosen by a condition", (True, 3), (False, 3))
def chosen(forward: bool, n: int) -> list[int]:
    order = range(n) if forward else range(n - 1, -1, -1)
    return [i * i for i in order]

@program("ranges: bound anew in a branch and in a loop", (2,), (5,))
def anew(n: int) -> list[int]:
    r = range(n)
    if n > 3:
        r = range(n, 0, -1)
    out = list(r)
    while r:
        out.append(r[0])
        r = r[1:]
    return out

@program("ranges: kept in lists, dicts and tuples", (7, 3), (2, 5))
def kept(n: int, size: int) -> tuple[list[list[int]], int, list[str]]:
    blocks = [range(i, min(i + size, n)) for i in range(0, n, size)]
    table = {"low": range(n), "high": range(n, n + 2)}
    pairs = [(r, len(r)) for r in blocks]
    return [list(b) for b in blocks], sum(table["high"]) + pairs[0][1], [f"{k}: {r}" for k, r in table.items()]

class Window:
    def __init__(self, n: int):
        self.span = range(n, 2 * n)

    def rest(self):
        return self.span[1:]

def indices(xs: list[str]) -> range:
    return range(len(xs))

def longest(*spans: range) -> range:
    return max(spans, key=len)

@program("ranges: attributes, annotated results and arguments", (["a", "b"], 3), ([], 2))
def passed(xs: list[str], n: int) -> tuple[str, list[int], int, int]:
    w = Window(n)
    return "".join(xs[i] for i in indices(xs)), list(w.rest()), longest(range(n), w.span, range(1)).start, w.span.step

STEPS = range(2, 9, 3)

@program("ranges: a global one, equality, hash and text", (0,), (4,))
def global_one(n: int) -> tuple[bool, bool, bool, bool, str, int]:
    known = [range(n), STEPS]
    same = hash(range(0, n, 2)) == hash(range(0, n + n % 2, 2))
    return range(0) == known[0], STEPS in known, range(2) != [0, 1], same, repr(known), STEPS[-1]

@program("ranges: one of a range and a list", (1,), (4,))
def range_or_list(n: int) -> tuple[int, bool]:
    xs = range(n) if n > 2 else [5, 6]
    total = 0
    for x in xs:
        total += x
    return total, isinstance(xs, range)

def prefixes(n: int):
    for i in range(n):
        yield range(i), (j for j in range(i + 1, n))

@program("generators: of ranges and of generators", (4,), (0,))
def of_generators(n: int) -> list[int]:
    out = []
    for r, rest in prefixes(n):
        out.append(len(r) * 10 + sum(rest))
    return out

of_row("assignment")

@program("assignment: a bare list takes what it gets", (3,), (0,))
def bare_list(n: int) -> list:
    out: list = []
    for i in range(n):
        out.append(i)
    out.append([i for i in out])
    out += ["end", 2.5]
    return out

@program("assignment: bare dict and set annotations", (2,))
def bare_others(n: int):
    seen: set = set()
    table: dict = {}
    seen.add(n)
    seen.add("n")
    table[n] = len(seen)
    table["all"] = sorted(map(str, seen))
    return table

of_row("list methods")

@program("ranges: a row that was a range before it was a list", ("kitten", "sitting"), ("a", ""), ("", "abc"))
def rows_of_distances(a: str, b: str) -> tuple[int, int]:
    previous = None
    current = range(len(b) + 1)
    for i, x in enumerate(a, 1):
        previous, current = current, [i] + [0] * len(b)
        for j in range(1, len(b) + 1):
            current[j] = min(previous[j] + 1, current[j - 1] + 1, previous[j - 1] + (x != b[j - 1]))
    return current[-1], len(current)

class Ring:
    def __init__(self, n: int):
        self.items = [0] * n
    def __getitem__(self, i: int) -> int:
        return self.items[i % len(self.items)]
    def __setitem__(self, i: int, value: int) -> None:
        self.items[i % len(self.items)] = value

@program("items of an instance or of a list", (5, True), (5, False))
def ring_or_list(n: int, flag: bool) -> int:
    a = Ring(3) if flag else [1, 2, 3, 4]
    a[1] = n
    a[0] += 2
    return (a[1] + a[2]) * 10 + a[0]
