"""OrderedDict, Counter and defaultdict: made, changed, compared, printed, walked over, passed in and out."""

# ruff: noqa
from __future__ import annotations

import collections
import typing
from collections import Counter, OrderedDict, defaultdict
from dataclasses import dataclass
from typing import Any, DefaultDict, Dict, List, Optional, Tuple, Union

import tsm
from language_rows import of_row
from oracle import program
from tsm import nn

of_row("dict methods")


@program("ordered: made of everything", (["b", "a"], {"x": 1, "y": 2}), ([], {}))
def ordered_made(keys: list[str], d: dict[str, int]) -> list[str]:
    a = OrderedDict([(k, 1) for k in keys])
    b = OrderedDict(d)
    c = OrderedDict(one=1, two=2)
    e = OrderedDict((k, len(k)) for k in keys)
    f = OrderedDict(d, z=9)
    g = OrderedDict(zip(keys, range(9)))
    h = OrderedDict({"lit": 1.5})
    i: OrderedDict[str, float] = OrderedDict()
    i["half"] = 0.5
    j: collections.OrderedDict[int, str] = collections.OrderedDict({1: "a"})
    k = OrderedDict([("p", 1), ("q", 2)])
    return [repr(x) for x in (a, b, c, e, f, g)] + [repr(h), repr(i), str(j), f"{k}", repr(OrderedDict(b))]


@program("ordered: moved to either end", (["a", "b", "c", "d"], "b", True), (["a", "b", "c"], "c", False), (["a"], "a", True), (["x", "y"], "y", True), ([], "q", True), (["a"], "q", False))
def ordered_moved(keys: list[str], key: str, last: bool) -> tuple[list[str], OrderedDict[str, int]]:
    d: OrderedDict[str, int] = OrderedDict()
    for i, k in enumerate(keys):
        d[k] = i
    d.move_to_end(key, last)
    d.move_to_end(key, last=not last)
    d.move_to_end(key)
    if len(keys) > 1:
        d.move_to_end(keys[1], last=False)
    return list(d), d


@program("ordered: a cache of the least recently used", (2, [1, 2, 1, 3, 2, 2, 4, 1]), (1, [1, 1, 2]), (3, []))
def least_recently_used(size: int, asked: list[int]) -> tuple[list[str], int]:
    cache: OrderedDict[int, str] = OrderedDict()
    log: list[str] = []
    for x in asked:
        if x in cache:
            cache.move_to_end(x)
            log.append("hit " + cache[x])
            continue
        cache[x] = "v" + str(x)
        if len(cache) > size:
            old, value = cache.popitem(last=False)
            log.append("drop " + str(old) + value)
    return log, len(cache)


@program("ordered: items popped from both ends", (OrderedDict(a=1, b=2, c=3), 5), (OrderedDict(a=1), 1), (OrderedDict(), 1))
def ordered_popped(d: OrderedDict[str, int], times: int) -> list[tuple[str, int]]:
    found: list[tuple[str, int]] = []
    for i in range(times):
        try:
            found.append(d.popitem() if i % 2 else d.popitem(False))
        except KeyError as error:
            found.append((str(error), len(d)))
    d["new"] = times
    return found


@program("ordered: equality looks at the order among themselves only", ([1, 2, 3], [1, 2, 3]), ([1, 2], [2, 1]), ([], []), ([1], [1, 2]))
def ordered_equal(a: list[int], b: list[int]) -> list[bool]:
    x = OrderedDict((k, k * k) for k in a)
    y = OrderedDict((k, k * k) for k in b)
    p, q = dict(x), dict(y)
    return [x == y, x != y, p == q, x == q, p == y, [x] == [y], {1: x} == {1: y}, (x, 1) == (q, 1)]


@program("ordered: changes while a loop runs", (["a"], "b"), (["a", "b"], "c"), (["a", "b", "c"], "a"), ([], "z"))
def ordered_changed(keys: list[str], key: str) -> list[str]:
    d = OrderedDict((k, 1) for k in keys)
    seen: list[str] = []
    try:
        for k in d:
            seen.append(k)
            d[key] = 2
    except RuntimeError as error:
        seen.append(str(error))
    try:
        for k, v in d.items():
            seen.append(k + str(v))
            d.move_to_end(keys[0])
    except RuntimeError as error:
        seen.append(str(error))
    try:
        for k in reversed(d):
            seen.append(k)
            d.pop(k, None)
    except RuntimeError as error:
        seen.append(str(error))
    for v in d.values():
        d[next(iter(d))] = v + 1
    return seen + [repr(d)]


@program("ordered: reversed with its views", (OrderedDict(a=1, b=2, c=3),), (OrderedDict(),))
def ordered_reversed(d: OrderedDict[str, int]) -> tuple[list[str], list[int], list[tuple[str, int]], list[str]]:
    keys = list(reversed(d))
    d.move_to_end("a") if "a" in d else None
    return keys, list(reversed(d.values())), [p for p in reversed(d.items())], sorted(d.keys() | {"zz"})


@program("ordered: methods of dicts", (OrderedDict(a=1, b=2),), (OrderedDict(),))
def ordered_methods(d: OrderedDict[str, int]) -> tuple[OrderedDict[str, int], list[int], str, bool]:
    found = [d.setdefault("a", 7), d.setdefault("n", default=8), d.pop("b", 9), d.pop("q", default=10), d.get("a", 0)]
    e = d.copy()
    e["late"] = 1
    d.update({"u": 1}, v=2)
    del d["n"]
    e |= {"w": 3}
    both = d | e
    other = {"p": 0} | d
    d.clear()
    return both, found, repr(other), e == d and type(other) is OrderedDict


@program("ordered: what it is", (OrderedDict(a=1), {"a": 1}))
def ordered_kinds(d: OrderedDict[str, int], p: dict[str, int]) -> list[Any]:
    x: Optional[OrderedDict[str, int]] = d if len(p) else None
    u: Union[OrderedDict[str, int], dict[str, int]] = d if len(p) else p
    answers = [isinstance(d, dict), isinstance(p, OrderedDict), isinstance(d, (list, OrderedDict)), type(d) is dict]
    answers += [type(d) == OrderedDict, x is not None and x is d, isinstance(u, OrderedDict), d is not p]
    return [type(d).__name__, d.__class__.__name__, answers, bool(d), dict(d), list(d.items())]


@program("ordered: nested, and inside of itself", (2,), (0,))
def ordered_nested(n: int) -> tuple[str, str]:
    d = OrderedDict((i, OrderedDict((j, [j]) for j in range(i))) for i in range(n))
    loop: OrderedDict[str, Any] = OrderedDict(x=1)
    held: list[Any] = [loop]
    loop["me"] = held
    return repr(d), repr({"in": loop})


@dataclass
class Spot:
    x: int


@program("ordered: of instances, whose own == and texts count", ([1, 2], [1, 2]), ([1, 2], [2, 1]))
def ordered_instances(a: list[int], b: list[int]) -> tuple[bool, bool, str]:
    x = OrderedDict((k, Spot(k)) for k in a)
    y = OrderedDict((k, Spot(k)) for k in b)
    return x == y, dict(x) == y, repr(x) + repr(OrderedDict([(1, [Spot(2)])]))


@program("ordered: unpacked, joined and copied", (OrderedDict(b=1, a=2),))
def ordered_spread(d: OrderedDict[str, int]) -> tuple[dict[str, int], list[str], dict[str, int], list[tuple[int, str]]]:
    first, *rest = d
    return {**d, "c": 3}, [first, *rest, *d], {k: v for k, v in d.items() if v > 1}, sorted((v, k) for k, v in d.items())




@program("counter: words counted", (["b", "a", "b", "c", "a", "b"],), ([],), (["x"],))
def counted(words: list[str]) -> tuple[list[tuple[str, int]], list[tuple[str, int]], int, int, str, Counter[str]]:
    c = Counter(words)
    missing = c["nothing"] + c["b"]
    return c.most_common(), c.most_common(2), missing, len(c), repr(c), c


@program("counter: made of everything", ("abracadabra", {"a": 3, "b": -1}), ("", {}))
def counters_made(s: str, d: dict[str, int]) -> list[str]:
    a, b, c, e = Counter(s), Counter(d), Counter(x=2, y=1), Counter(ch for ch in s if ch > "a")
    f: Counter[str] = Counter()
    f["k"] += 2
    g = collections.Counter(range(3))
    h = Counter({"p": 1}, q=2)
    i = Counter(map(len, s.split("a")))
    return [repr(a), repr(b), repr(c), repr(e), repr(f), str(g), f"{h}", repr(i), repr(Counter(a)), repr(Counter(None))]


@program("counter: update and subtract", (["a", "b"], {"a": 5}), ([], {}))
def counter_updates(words: list[str], more: dict[str, int]) -> tuple[Counter[str], list[int], int]:
    c = Counter(words)
    c.update(words)
    c.update(more)
    c.update(z=3)
    c.subtract("ab")
    c.subtract(Counter(b=2), z=1)
    c.update()
    del c["never there"]
    return c, list(c.values()), c.total()


@program("counter: arithmetic keeps what is positive", ([1, 1, 2, 3], [1, 2, 2, 5]), ([], [1]), ([4], [4]))
def counter_arithmetic(a: list[int], b: list[int]) -> list[str]:
    x, y = Counter(a), Counter(b)
    y[9] = -2
    x[7] = 0
    found = [repr(x + y), repr(x - y), repr(x | y), repr(x & y)]
    z = x.copy()
    z += y
    w = Counter(a)
    w -= y
    p = Counter(a)
    p |= y
    q = Counter(a)
    same = q
    q &= y
    return found + [repr(z), repr(w), repr(p), repr(q), str(same is q), repr(x)]


@program("counter: compared, a missing key being 0", ([1, 1, 2], [1, 2, 1]), ([1], [1, 2]), ([], []))
def counters_compared(a: list[int], b: list[int]) -> list[bool]:
    x, y = Counter(a), Counter(b)
    x[50] = 0
    return [x == y, x != y, x <= y, x < y, x >= y, x > y, dict(x) == y, [x] == [y], x == {1: 2, 2: 1}]


@program("counter: elements and consumers", ({"a": 2, "b": 0, "c": -1, "d": 3},), ({},))
def counter_elements(d: dict[str, int]) -> tuple[list[str], str, list[str], int, list[str]]:
    c = Counter(d)
    found = sorted(c.elements())
    return found, "".join(c.elements()), [k.upper() for k in c.elements()], sum(c.values()), sorted(c, key=lambda k: (-c[k], k))


@program("counter: most_common with bounds", ([5, 5, 1, 1, 2], 1), ([5, 1], 0), ([5, 1], -3), ([], 2), ([3, 3], 10))
def counter_bounds(xs: list[int], n: int) -> list[tuple[int, int]]:
    c = Counter(xs)
    top = c.most_common(n)
    for value, count in c.most_common(None):
        top.append((value, count))
    return top


@program("counter: its items and the errors of dicts", (["a"],), ([],))
def counter_items(xs: list[str]) -> list[str]:
    c = Counter(xs)
    found = [str(isinstance(c, dict)), type(c).__name__, str("a" in c), str(c.get("q")), str(c.pop("q", 4))]
    try:
        c.pop("gone")
    except KeyError as error:
        found.append(repr(error))
    try:
        for k in c:
            c[k + "!"] = 1
    except RuntimeError as error:
        found.append(str(error))
    c.clear()
    try:
        c.popitem()
    except KeyError as error:
        found.append(str(error))
    return found + [repr(c), str(bool(c)), str(c.setdefault("n", 3))]


@program("counter: in containers", (["ab", "b", ""],), ([],))
def counters_held(words: list[str]) -> tuple[dict[str, Counter[str]], str, int]:
    by_word = {w: Counter(w) for w in words}
    total: Counter[str] = Counter()
    for c in by_word.values():
        total += c
    held = [total, Counter("a")]
    return by_word, repr(held), max((v for v in total.values()), default=0)


def histogram(values, bins: int):
    return Counter(v * bins // 100 for v in values)


@program("counter: from an unannotated helper", ([1, 50, 99, 51],), ([],))
def counter_helper(values: list[int]) -> tuple[Counter[int], int]:
    h = histogram(values, 4)
    return h, h[2]


@program("counter: taken and changed", (Counter(a=2, b=1),), (Counter(),))
def counter_taken(c: Counter[str]) -> int:
    c["a"] += 10
    c.update(["n", "n"])
    return c["a"] - c["other"]


@program("default: lists by key", (["ant", "bee", "ape"],), ([],))
def grouped(words: list[str]) -> tuple[defaultdict[str, list[str]], str, list[str], bool]:
    d = defaultdict(list)
    for w in words:
        d[w[0]].append(w)
    touched = d["q"]
    touched.append("late")
    return d, repr(d), sorted(d), "zzz" in d


@program("default: every builtin factory", (["a", "b", "a"],), ([],))
def factories(keys: list[str]) -> list[str]:
    a, b, c = defaultdict(int), defaultdict(float), defaultdict(str)
    e, f, g = defaultdict(set), defaultdict(dict), defaultdict(bool)
    h: defaultdict[str, Counter[str]] = defaultdict(Counter)
    i = defaultdict(tuple)
    j = collections.defaultdict(OrderedDict)
    for n, k in enumerate(keys):
        a[k] += 1
        b[k] += 0.5
        c[k] += k
        e[k].add(n)
        f[k][n] = k
        g[k] = not g[k]
        h[k][k] += 1
        len(i[k])
        j[k][k] = n
    return [repr(a), repr(b), repr(c), repr(e), repr(f), repr(g), repr(h), repr(i), repr(j), repr(complex(a["new"], b["new"]))]


@program("default: a function makes the values", (["x", "y", "x"],), ([],))
def made_by_function(keys: list[str]) -> tuple[dict[str, int], dict[str, list[int]], list[tuple[str, dict[str, int]]]]:
    d = defaultdict(lambda: 5)
    pairs = defaultdict(lambda: [0, 0])
    deep = defaultdict(lambda: defaultdict(int))
    for i, k in enumerate(keys):
        d[k] -= i
        pairs[k][i % 2] += 1
        deep[k][k * 2] += i
    return dict(d), dict(pairs), [(k, dict(v)) for k, v in deep.items()]


def fresh() -> list[str]:
    print("fresh")
    return ["start"]


@program("default: what the function does is seen, once a missing key", (["x", "y", "x"],), ([],))
def function_effects(keys: list[str]) -> list[tuple[str, list[str]]]:
    d: defaultdict[str, list[str]] = defaultdict(fresh)
    for k in keys:
        d[k].append(k)
    print(d.get("q"), "q" in d, d.pop("x", ["none"]))
    return list(d.items())


def failing() -> int:
    raise ValueError("no value")


@program("default: a function that raises leaves nothing", ("a",))
def function_raises(key: str) -> tuple[int, str]:
    d = defaultdict(failing)
    try:
        d[key] += 1
    except ValueError as error:
        return len(d), str(error)
    return -1, ""


@program("default: with entries to begin with", ({"a": [1]}, "b"), ({}, "a"))
def begun(d: dict[str, list[int]], key: str) -> tuple[DefaultDict[str, list[int]], int, str]:
    e = defaultdict(list, d)
    e[key].append(7)
    f = defaultdict(int, [("x", 1)], y=2)
    f["z"] += f["x"] + f["w"]
    return e, len(d), repr(f)


@program("default: taken and changed", (defaultdict(list, {"a": [1]}), "b"), (defaultdict(list), "a"))
def default_taken(d: defaultdict[str, list[int]], key: str) -> int:
    d[key].append(len(d))
    return len(d["looked"])


@program("default: methods and operators of dicts", (["a", "b"],), ([],))
def default_methods(keys: list[str]) -> tuple[str, str, str, bool, bool]:
    d = defaultdict(int)
    for k in keys:
        d[k] += len(keys)
    e = d.copy()
    e["new"] += 1
    both = d | {"p": 1}
    both["made"]
    other = {"q": 2} | d
    d |= {"r": 3}
    d.update(s=4)
    return repr(e), repr(both), repr(other), d == dict(d), isinstance(both, defaultdict)


@program("default: an edge list made a graph", ([(1, 2), (2, 3), (1, 3)], 1), ([], 4))
def connected(edges: list[tuple[int, int]], start: int) -> tuple[list[int], dict[int, set[int]]]:
    g: defaultdict[int, set[int]] = defaultdict(set)
    for a, b in edges:
        g[a].add(b)
        g[b].add(a)
    seen, todo = [start], [start]
    while todo:
        for n in sorted(g[todo.pop(0)]):
            if n not in seen:
                seen.append(n)
                todo.append(n)
    return seen, dict(g)


@program("default: a loop that makes keys", (["a", "b"],), ([],))
def grows(keys: list[str]) -> list[str]:
    d = defaultdict(int, {k: 1 for k in keys})
    log: list[str] = []
    try:
        for k in d:
            log.append(k + str(d[k + "!"]))
    except RuntimeError as error:
        log.append(str(error))
    return log


class Tally:
    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.where: defaultdict[str, list[int]] = defaultdict(list)

    def add(self, word: str, line: int) -> None:
        self.counts[word] += 1
        self.where[word].append(line)


@program("default: attributes of an instance", ("a b a", 2), ("", 0))
def tallied(text: str, lines: int) -> tuple[Counter[str], defaultdict[str, list[int]]]:
    t = Tally()
    for i in range(lines):
        for w in text.split():
            t.add(w, i)
    return t.counts, t.where


@program("default: of instances with texts of their own", ([1, 2],), ([],))
def default_instances(xs: list[int]) -> str:
    d = defaultdict(list)
    for x in xs:
        d[x % 2].append(Spot(x))
    return repr(d)


@program("ordered: fromkeys", (["b", "a", "b"], 3), ([], 0))
def ordered_fromkeys(keys: list[str], n: int) -> tuple[OrderedDict[str, int], list[str], bool]:
    d = OrderedDict.fromkeys(keys, n)
    e = collections.OrderedDict.fromkeys(keys)
    return d, list(e), all(v is None for v in e.values())


@program("counter: plus and minus of one", ({"a": 2, "b": -3, "c": 0},), ({},))
def counter_signs(d: dict[str, int]) -> tuple[Counter[str], Counter[str], list[int]]:
    c = Counter(d)
    return +c, -c, [c[k] for k in "abcd"]


@program("counter: given where a dict is declared", (["a", "b", "a"], 1), ([], 0))
def declared_dict(words: list[str], least: int) -> Dict[str, int]:
    c = Counter(words)
    for k in list(c):
        if c[k] < least:
            del c[k]
    return c


def indexed(words: List[str]) -> Tuple[Dict[str, List[int]], Optional[Dict[int, int]]]:
    where: Dict[str, List[int]] = defaultdict(list)
    for i, w in enumerate(words):
        where[w].append(i)
    return where, Counter(map(len, words))


@program("default: declared as dicts in a helper's result", (["a", "bb", "a"],), ([],))
def declared_helper(words: list[str]) -> tuple[int, list[int], str]:
    where, sizes = indexed(words)
    return len(where["new"]), where["a"], repr(sizes) + repr(where)


@program("the key of the largest value by the dict's own get", ({"a": 1, "b": 3, "c": 3}, ["a"]), ({"x": 0}, ["x", "q"]), ({}, []), ({"k": 2}, ["q"]), ({"k": 2, "l": 3}, ["l", "q", "k"]))
def by_get(d: dict[str, int], keys: list[str]) -> tuple[str, str, str]:
    first = max(d, key=d.get) if d else ""
    last = min(d, key=d.get, default="none")
    return first, last, max(keys, key=d.get, default="no key")


@program("a dict emptied by its own loop and filled by update", (2, 2), (3, 3), (6, 6), (12, 12), (3, 2), (5, 6))
def refilled(n: int, m: int) -> list[str]:
    log: list[str] = []
    for way in range(3):
        d = {"a" + str(i): i for i in range(n)}
        e = {"b" + str(i): i for i in range(m)}
        try:
            for k in d:
                log.append(k)
                if len(log) > 40:
                    break
                if way == 0:
                    d.clear()
                for x in list(d):
                    del d[x]
                if way == 2:
                    for x, y in e.items():
                        d[x] = y
                else:
                    d.update(e)
        except RuntimeError as error:
            log.append(str(error))
    return log


@program("a key taken out, or something of another type", ({"a": 1}, "a"), ({"a": 1}, "b"))
def taken_or_else(d: dict[str, int], key: str) -> tuple[int, str, bool]:
    d.pop("zz", None)
    found = d.pop(key, None)
    text = d.pop(key, "gone")
    return len(d), repr(text), found is None


@program("dict classes kept by a module", ("in", 2), ("out", 0), ("in", 1), torch=False)
class Layered(nn.Module):
    seen: DefaultDict[str, List[int]]
    plain: Dict[str, int]

    def __init__(self) -> None:
        super().__init__()
        self.sizes = OrderedDict([("in", 2), ("out", 3)])
        self.counts = Counter(["in"])
        self.seen = defaultdict(list)
        self.plain = OrderedDict(one=1)

    def forward(self, key: str, n: int) -> Tuple[List[str], int, List[int], str, str]:
        self.sizes.move_to_end(key)
        self.counts[key] += n
        self.seen[key].append(n)
        self.plain.move_to_end("one")
        return list(self.sizes), self.counts["never"] + self.counts.total(), list(self.seen["in"]), repr(self.plain), repr(self.seen)


def no_scores():
    nothing = lambda: (0.0, 0.0)
    return defaultdict(nothing)


@program("keys that grow from round to round: prefixes of a beam", ([[0.5, 0.5], [0.25, 0.75], [0.5, 0.5]], 3), ([], 1))
def prefixes(probs: list[list[float]], width: int):
    beam = [(tuple(), (1.0, 0.0))]
    for row in probs:
        found = no_scores()
        for s, p in enumerate(row):
            for prefix, (blank, other) in beam:
                last = prefix[-1] if prefix else None
                grown = prefix if s == 0 or s == last else prefix + (s,)
                at_blank, at_other = found[grown]
                if s == 0:
                    found[grown] = (at_blank + p * (blank + other), at_other)
                else:
                    found[grown] = (at_blank, at_other + p * (blank + other))
        beam = sorted(found.items(), key=lambda item: (-sum(item[1]), item[0]))[:width]
    return beam, len(beam[0][0])


@program("keys of several types that reading adds", ([1, 2, 1],), ([],))
def counted_kinds(xs: list[int]):
    counts, lists = Counter(), defaultdict(list)
    for x in xs:
        counts[x] += 1
        counts[str(x)] += 2
        counts[x, x] += 1
        lists[x].append(1)
        lists["all"].append(x)
    return counts, lists, lists[None]


@program("classes of collections called by their names in typing, and with their types written out", (3,))
def named_in_typing(n: int) -> str:
    first, second = typing.OrderedDict(), DefaultDict(int)
    first["a"] = second["x"] = n
    third = collections.OrderedDict[str, int]([("q", n)])
    fourth = collections.defaultdict[str, list[int]](list)
    fourth["x"].append(n)
    row = collections.deque[int](maxlen=2)
    row.extend(range(n))
    return f"{first} {second} {typing.Counter('aab')} {third} {fourth} {row} {typing.Deque([n])} {DefaultDict[str, int](int)}"


class Totals:
    def __init__(self):
        self.of = defaultdict(int)

    def add(self, key, value) -> None:
        self.of[key] += value

    def clear(self) -> None:
        self.of = defaultdict(int)


@program("a defaultdict that takes values which its factory does not make", ([("a", 1), ("b", 2)],), ([],))
def summed(pairs: list[tuple[str, int]]) -> str:
    counts, texts, totals = defaultdict(int), defaultdict(str), Totals()
    for key, number in pairs:
        counts[key] += number
        counts[key] += number / 2
        totals.add(key, number)
        totals.add(number, 0.5)
    counts[None] -= 1
    counts.update({"late": 2.5})
    texts["none"] = None
    shown = f"{dict(totals.of)} {totals.of['other']}"
    totals.clear()
    return f"{dict(counts)} {counts['new']} {dict(texts)} {texts['x']!r} {shown} {dict(totals.of)}"
