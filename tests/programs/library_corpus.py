"""itertools, operator, functools; methods of builtin types as functions; slices as values; `*` in calls of builtins."""

# ruff: noqa
from __future__ import annotations

import functools
import itertools
import operator
import types
from collections import Counter
from dataclasses import dataclass, field, fields, is_dataclass
from functools import partial, reduce
from itertools import accumulate, chain, combinations, count, groupby, islice, pairwise, permutations, product
from operator import attrgetter, itemgetter, methodcaller, mul
from typing import Callable, NamedTuple, Optional

from language_rows import of_row
from oracle import T, program

import tsm
from tsm import Tensor

of_row("functions as values")


@program("methods of str as keys and in map and filter", (["b", "A", " c "],), ([],))
def unbound(v: list[str]) -> tuple[list[str], list[str], list[str], bool]:
    return sorted(v, key=str.lower), list(map(str.strip, v)), list(filter(str.isalpha, v)), all(map(str.islower, v))


@program("a method of a builtin type in a variable, a dict and a call", (["x", "y"],))
def unbound_stored(v: list[str]) -> list[str]:
    f = str.upper
    table: dict[str, Callable[[str], str]] = {"up": str.upper, "title": str.title}
    rows = [["a"], ["b"]]
    list.append(rows[0], "c")
    return [f(v[0]), table["title"]("abc"), str.join("-", v), *rows[0]]


@program("operator's functions, called and passed", (7, 2), (-7, 2), (7, 0))
def operators(a: int, b: int) -> list[int]:
    out = [operator.add(a, b), operator.sub(a, b), operator.mul(a, b), operator.neg(a), operator.xor(a, b)]
    out.append(reduce(mul, [a, b, 3]))
    out.append(operator.floordiv(a, b))
    return out + list(map(operator.add, [a, b], [1, 2]))


@program("a table of operators", ("3 4 + 2 *",), ("1 2 -",), ("1 0 /",))
def rpn(text: str) -> float:
    table = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}
    stack: list[float] = []
    for word in text.split():
        if word in table:
            b, a = stack.pop(), stack.pop()
            stack.append(table[word](a, b))
        else:
            stack.append(float(word))
    return stack.pop()


@program("comparisons and containers by operator", ([1, 2], 2), ([], 1))
def tests_by_operator(v: list[int], x: int) -> list[bool]:
    return [operator.contains(v, x), operator.lt(len(v), x), operator.eq(v, [x]), operator.not_(v), operator.truth(v)]


@program("itemgetter as a key and called", ([("b", 2), ("a", 2), ("c", 1)],), ([],))
def by_item(v: list[tuple[str, int]]) -> list[str]:
    out = [name for name, _ in sorted(v, key=itemgetter(1, 0))]
    counts = dict(v)
    out += [name for name, _ in sorted(counts.items(), key=operator.itemgetter(1), reverse=True)]
    return out + [str(itemgetter(0)(pair)) for pair in v]


class Item:
    def __init__(self, name: str, size: int) -> None:
        self.name = name
        self.size = size


@program("attrgetter and methodcaller", (["bb", "A"],))
def by_attribute(names: list[str]) -> str:
    items = [Item(name, len(name)) for name in names]
    largest = max(items, key=attrgetter("size"))
    low = sorted(names, key=methodcaller("lower"))
    fields = [attrgetter("name", "size")(item) for item in items]
    return f"{largest.name} {low} {fields} {list(map(methodcaller('replace', 'b', 'c'), names))}"


@program("reduce with and without a first value", ([3, 1, 2],), ([],))
def reduced(v: list[int]) -> list[int]:
    first = reduce(lambda a, b: a * 10 + b, v, 5)
    return [first, functools.reduce(max, v)]


@program("cmp_to_key in sorted and list.sort", (["3", "30", "34", "5", "9"],), ([],))
def compared(v: list[str]) -> str:
    asked: list[str] = []

    def larger_first(a: str, b: str) -> int:
        asked.append(a + b)
        return -1 if a + b > b + a else 1

    w = sorted(v, key=functools.cmp_to_key(lambda a, b: len(a) - len(b)), reverse=True)
    v.sort(key=functools.cmp_to_key(larger_first))
    return f"{''.join(v)} {w} {asked}"


@program("partial of a builtin, and keywords given again", (3,))
def partials(n: int) -> int:
    def mixed(a: int, b: int = 1, *, c: int = 0) -> int:
        return a + 10 * b + 100 * c

    power, held = partial(pow, 2), partial(mixed, 1, c=2)
    return power(n) + held() + held(4, c=5) + held(b=n)


@program("the largest and the order of a dict's keys by its values", ({"a": 2, "b": 5, "c": 1},), ({"x": 1},))
def by_value(d: dict[str, int]) -> tuple[str, str, list[str]]:
    return max(d, key=d.get), min(d.keys(), key=d.get), sorted(d, key=d.get, reverse=True)


@program("bound special methods as functions", ({"a": 2, "b": 1}, [3, 1, 2]), ({"a": 1}, [0]))
def special_methods(d: dict[str, int], v: list[int]) -> str:
    order = sorted(range(len(v)), key=v.__getitem__)
    try:
        return f"{max(d, key=d.__getitem__)} {order} {v.__len__()} {list(map(d.__getitem__, ['a', 'b']))}"
    except KeyError as error:
        return repr(error)


@program("operator's in-place functions, index, countOf and indexOf", ([1, 2, 1], 2), ([], 0))
def in_place_by_operator(v: list[int], n: int) -> str:
    total = operator.iadd(n, 3)
    longer = operator.iadd(v, [n])
    try:
        return f"{total} {v} {longer is v} {operator.countOf(v, 1)} {operator.index(n)} {operator.indexOf(v, 9)}"
    except ValueError as error:
        return f"{error} {operator.ior(5, n)} {operator.ifloordiv(7, 2)} {operator.indexOf(v, n)}"


of_row("generators")


@program("chain of lists, tuples, ranges and generators", ([1, 2], 3), ([], 0))
def chained(v: list[int], n: int) -> list[int]:
    return [*chain(v, (4, 5), range(n), (x * x for x in v)), *chain.from_iterable([v, [n]]), *chain(*[v, v])]


@program("chain that is kept and asked in parts", ([1, 2], [3]))
def chain_in_parts(a: list[int], b: list[int]) -> list[int]:
    both = chain(a, b)
    first = next(both)
    a.append(9)
    return [first, *both]


@program("product, with several types and repeat", ([1, 2], "ab"), ([], "x"))
def products(v: list[int], s: str) -> str:
    return f"{list(product(v, s))} {list(product(range(2), repeat=2))} {[a * b for a, b in product(v, v) if a < b]}"


@program("permutations and combinations of a constant length", ([3, 1, 2],), ([1],), ([],))
def selections(v: list[int]) -> str:
    return f"{list(permutations(v, 2))} {list(combinations(v, 2))} {list(itertools.combinations_with_replacement(v, 2))}"


@program("permutations and combinations of a length known at run time", ([1, 2, 3], 2), ([1, 2], 3), ([], 0), ([1], -1))
def selections_of(v: list[int], r: int) -> str:
    every = list(permutations(v))
    return f"{every} {list(permutations(v, r))} {list(combinations(v, r))} {list(itertools.combinations_with_replacement(v, r))}"


@program("accumulate with a function and a first value", ([1, 2, 3],), ([],))
def accumulated(v: list[int]) -> list[int]:
    return [*accumulate(v), *accumulate(v, max), *accumulate(v, lambda a, b: a * b, initial=2)]


@program("islice of lists and endless generators", ([1, 2, 3, 4, 5], 3), ([], 0), ([1, 2], -1))
def sliced(v: list[int], n: int) -> list[int]:
    return [*islice(v, n), *islice(v, 1, None, 2), *islice(count(10, 5), 1, 3), *islice(v, 3, 2)]


@program("islice leaves the rest of an iterator", ([1, 2, 3, 4, 5],))
def sliced_rest(v: list[int]) -> list[list[int]]:
    it = iter(v)
    return [list(islice(it, 2)), list(islice(it, 0)), list(islice(it, 1, 2)), list(it)]


@program("zip_longest with fill values", ([1, 2, 3], "a"), ([], "xy"), ([], ""))
def longest(v: list[int], s: str) -> str:
    return f"{list(itertools.zip_longest(v, s))} {list(itertools.zip_longest(v, v[1:], fillvalue=-1))}"


@program("repeat, count and cycle beside others", ("abc",), ("",))
def endless(s: str) -> str:
    labels = [f"{n}{c}" for n, c in zip(count(1), s)]
    turns = [a + b for a, b in zip(s, itertools.cycle("xy"))]
    return f"{labels} {turns} {list(itertools.repeat(s, 2))} {list(map(pow, [2, 3], itertools.repeat(2)))}"


@program("groupby, its groups as lists", ([1, 1, 2, 1],), ([],))
def grouped(v: list[int]) -> str:
    runs = [(k, len(list(g))) for k, g in groupby(v)]
    odd = {k: [x * 10 for x in g] for k, g in itertools.groupby(sorted(v), key=lambda x: x % 2 == 1)}
    return f"{runs} {odd}"


@program("a group that is asked too late is empty", ([1, 1, 2, 2],))
def late_groups(v: list[int]) -> list[int]:
    groups = [g for _, g in groupby(v)]
    return [len(list(g)) for g in groups]


@program("takewhile, dropwhile, filterfalse, compress, starmap and pairwise", ([1, 2, 5, 1],), ([],))
def others(v: list[int]) -> list[int]:
    small = lambda x: x < 3
    out = [*itertools.takewhile(small, v), 0, *itertools.dropwhile(small, v), 0, *itertools.filterfalse(small, v), 0]
    out += [*itertools.compress(v, [1, 0, 1]), 0, *itertools.starmap(operator.add, zip(v, v)), 0]
    return out + [b - a for a, b in pairwise(v)]


@program("tee: two iterators of one source", ([1, 2, 3],), ([],))
def teed(v: list[int]) -> list[int]:
    source = (x * x for x in v)
    a, b = itertools.tee(source)
    next(b, None)
    return [y - x for x, y in zip(a, b)]


of_row("more assignment")


@program("slices in variables", ([1, 2, 3, 4, 5], "abcde"), ([], ""))
def held_slices(v: list[int], s: str) -> str:
    every_other, last = slice(None, None, 2), slice(-2, None)
    part = v[every_other]
    v[last] = [0]
    del v[slice(0, 1)]
    return f"{part} {v} {s[last]} {(1, 'x', 2.0)[slice(1, 3)]} {str(last)} {repr(every_other)}"


@program("start, stop, step and indices of a slice", (5,), (0,), (-1,))
def slice_parts(n: int) -> list[tuple[int, int, int]]:
    s = slice(1, None, 2)
    assert s.stop is None
    return [s.indices(s.start + 9), slice(None, None, -1).indices(4), slice(-3, n).indices(n)]


@program("a slice passed to functions, of lists and tensors", (T([[1.0, 2.0], [3.0, 4.0]]),))
def passed_slices(x: Tensor) -> Tensor:
    def part(t: Tensor, s: slice) -> Tensor:
        return t[s, s]

    first = slice(1)
    x[first] *= 10
    return part(x, first) + x[:, slice(1, 2)]


class Grid:
    def __init__(self, cells: list[int]) -> None:
        self.cells = cells

    def __getitem__(self, key):
        if isinstance(key, slice):
            return sum(self.cells[key])
        return self.cells[key]


@program("an instance that is indexed by slices and ints", ([1, 2, 3],))
def indexed_by_slice(v: list[int]) -> list[int]:
    grid = Grid(v)
    return [grid[1], grid[1:], grid[slice(0, 2)], grid[::2]]


of_row("calls")


@program("print of the items of a list", ([1, 2, 3],), ([],))
def printed(v: list[int]) -> int:
    print(*v)
    print("items", *v, sep="-", end=".\n")
    print(*"ab", 2.5, None, sep="")
    return len(v)


@program("`*` and `**` in calls of builtins", ((3, 1),), ((0, 5),))
def spread_builtins(pair: tuple[int, int]) -> list[int]:
    options = dict(reverse=True)
    return [max(*pair), min(7, *pair), *range(*pair, -1), *sorted(pair, **{"reverse": True}), len(options)]


of_row("dict methods")


@program("get and pop with a default of another type", ({"a": 1},), ({},))
def other_defaults(d: dict[str, int]) -> str:
    first = d.get("a", "none")
    second = d.pop("a", None)
    d.pop("b", None)
    third = d.pop("a", ())
    return f"{first} {second} {third} {len(d)}"


@program("get and pop of lists and Optional values", ({"a": [1]}, {"x": None}))
def container_defaults(d: dict[str, list[int]], e: dict[str, Optional[int]]) -> str:
    taken = d.pop("b", [7])
    kept = d.get("a", None)
    if kept is not None:
        kept.append(2)
    return f"{taken} {d.pop('a', 0)} {e.pop('x', 5)} {e.get('y', 'text')}"


of_row("builtins")


@program("isinstance of ranges, slices, classes and functions", (3,))
def statics(n: int) -> list[bool]:
    r, f = range(n), lambda: n
    return [isinstance(r, range), isinstance(r, list), isinstance(int, type), isinstance(f, types.FunctionType),
            isinstance(slice(n), slice), isinstance(f, int), isinstance(r, object)]


of_row("annotations")


@dataclass
class Tree:
    value: int
    kids: list["Tree"] = field(default_factory=list)
    named: dict[str, "Tree"] = field(default_factory=dict)
    parent: Optional["Tree"] = None

    def total(self) -> int:
        return self.value + sum(kid.total() for kid in self.kids)


class Pair(NamedTuple):
    items: list["Tree"]
    other: "Optional[Tree]" = None


@program("strings nested in annotations of classes", (3,))
def nested_strings(n: int) -> str:
    root = Tree(n, [Tree(2, [Tree(1)])])
    root.named["x"] = Tree(9)
    pair = Pair([root])
    rows: list["int"] = [pair.items[0].total()]
    return f"{rows} {root.named['x']} {pair.other}"


@dataclass
class Sizes:
    width: int
    height: int = field(default=2, repr=False)
    depth: float = field(default=0.5, compare=False)

    def volume(self) -> float:
        total = 1.0
        for each in fields(self):
            total *= getattr(self, each.name)
        return total


@program("the fields of a dataclass", (3,), (0,))
def data_fields(n: int) -> str:
    s = Sizes(n)
    shown = ", ".join(f"{f.name}={getattr(s, f.name)}" for f in fields(s) if f.repr)
    return f"{s.volume()} {shown} {[f.name for f in fields(Sizes) if f.compare]} {is_dataclass(s)} {is_dataclass(n)}"


@program("slices made in an index are evaluated where they stand", (1,))
def slice_in_place(n: int) -> str:
    def shown(k: int) -> int:
        print(k)
        return k

    cuts = [slice(n, None)]
    return f"{shown(1)} {'abcdef'[slice(shown(2), shown(3))]} {shown(4)} {[1, 2][cuts[shown(0)]]} {shown(5)}"


class Field:
    def __init__(self, name: str, part: slice):
        self.name, self.part = name, part

    def of(self, line: str) -> str:
        return line[self.part].strip()


def halves(n: int):
    return slice(0, n // 2), slice(n // 2, n)


@program("slices in attributes, tuples, dicts and lists, of one of several variables", ("abcdef ", [1, 2, 3]), ("", []))
def kept_slices(line: str, v: list[int]) -> str:
    fields = [Field("a", slice(0, 3)), Field("b", slice(3, None))]
    columns = {"x": slice(1), "y": slice(None, None, -1)}
    front, back = halves(len(v))
    chosen = front if line else slice(-1, None)
    kinds = [v[k] if isinstance(k, int) else sum(v[k]) for k in (0, slice(1, 3)) if v]
    parts = [v[part] for part in (front, back, chosen)]
    return f"{[f.of(line) for f in fields]} {fields[0].part == slice(0, 3)} {fields[1].part} {parts} {kinds} " + str(
        {name: v[part] for name, part in columns.items()})


class Words:
    def __init__(self, lines: list[str], least: int = 1):
        counts = Counter(word for line in lines for word in self.split(line))
        self.kept = [word for word, count in sorted(counts.items()) if count >= least]

    @staticmethod
    def split(line: str) -> list[str]:
        return line.lower().split()


@program("a constructor that counts what its own method gives, one by one", (["b a", "A c"], 2), (["x"], 1), ([], 1))
def counted_words(lines: list[str], least: int) -> list[str]:
    return Words(lines, least).kept
