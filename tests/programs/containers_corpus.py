"""Lists, tuples, dicts and strings: their methods, their aliasing, and how they cross into Python and back."""

# ruff: noqa: C416, PERF402, PERF401, C400, PIE810
from __future__ import annotations

from typing import Optional

from language_rows import of_row
from oracle import program

ONE = [1, 2, 3]
NESTED = [[1], [2]]
SHARED = [[1], [2]]


of_row("list methods")


@program("list literal, index, negative index, out of range", (0,), (-1,), (3,), (-4,))
def list_index(i: int) -> int:
    values = [10, 20, 30]
    return values[i]


@program("list item assignment is seen by the caller", ([1, 2, 3], 1), ([1], 5))
def set_item(values: list[int], i: int) -> None:
    values[i] = 99


@program("append, extend, insert, pop", ([1, 2],), ([],))
def grow(values: list[int]) -> int:
    values.append(5)
    values.extend([6, 7])
    values.insert(1, 8)
    values.insert(-100, 9)
    return values.pop() + values.pop(0)


@program("remove, index, count raise or find", ([1, 2, 1],), ([3],))
def find(values: list[int]) -> int:
    n = values.count(1) * 10 + values.index(1)
    values.remove(1)
    return n


@program("reverse, sort, clear", ([3, 1, 2],))
def arrange(values: list[int]) -> list[int]:
    copy = values.copy()
    copy.sort()
    values.reverse()
    return copy + values


of_row("builtins")


@program("sort in reverse and sorted() of strings", (["b", "a", "c"],))
def order_strings(values: list[str]) -> list[str]:
    values.sort(reverse=True)
    return sorted(values)


of_row("list methods")


@program("list slices of every kind", ([0, 1, 2, 3, 4], 1, 4), ([0, 1], -5, 9), ([], 0, 1))
def slices(v: list[int], a: int, b: int) -> list[list[int]]:
    return [v[a:b], v[:b], v[a:], v[::2], v[::-1], v[-2:], v[b:a:-1]]


of_row("more assignment")


@program("slice assignment grows and shrinks", ([0, 1, 2, 3],))
def slice_assign(v: list[int]) -> None:
    v[1:3] = [7, 8, 9]
    v[:1] = []


@program("del of an item and of a slice", ([0, 1, 2, 3, 4],))
def delete(v: list[int]) -> None:
    del v[0]
    del v[1:3]


of_row("list methods")


@program("concatenation and repetition make new lists", ([1], [2, 3]))
def concat(a: list[int], b: list[int]) -> list[int]:
    c = a + b
    c.append(0)
    return c * 2 + [4] * -1


of_row("assignment")


@program("augmented += extends in place", ([1], [2]))
def in_place_add(a: list[int], b: list[int]) -> list[int]:
    c = a
    c += b
    return c


of_row("list methods")


@program("membership in lists", ([1, 2], 2), ([], 2))
def member(v: list[int], x: int) -> tuple[bool, bool]:
    return x in v, x not in v


of_row("assignment")


@program("equality and order of lists", ([1, 2], [1, 3]), ([1], [1]), ([1, 2], [1]))
def compare_lists(a: list[int], b: list[int]) -> tuple[bool, bool, bool]:
    return a == b, a < b, a != b


of_row("list methods")


@program("two names for one argument list", (ONE, ONE))
def aliased(a: list[int], b: list[int]) -> int:
    a.append(4)
    return len(b)


@program("returning an argument returns the same list", (ONE,))
def same_list(a: list[int]) -> list[int]:
    a.append(1)
    return a


@program("inner lists keep their identity", (NESTED,))
def inner(v: list[list[int]]) -> list[int]:
    v[0].append(9)
    return v[1]


@program("one inner list twice", ([SHARED, SHARED],))
def shared_inner(v: list[list[list[int]]]) -> int:
    v[0][0].append(5)
    return len(v[1][0])


of_row("assignment")


@program("swap of list items", ([1, 2, 3], 0, 2))
def swap(v: list[int], i: int, j: int) -> None:
    v[i], v[j] = v[j], v[i]


@program("augmented assignment to a list item evaluates the index once", ([1, 2, 3],))
def item_augmented(v: list[int]) -> None:
    v[noisy(1)] += 10


def noisy(i: int) -> int:
    print("index", i)
    return i


of_row("mutated while iterated")


@program("a list that grows while it is iterated", ([1, 2, 3],))
def growing(v: list[int]) -> int:
    for x in v:
        if len(v) < 6:
            v.append(x * 10)
    return len(v)


@program("a list that shrinks while it is iterated", ([1, 2, 3, 4],))
def shrinking(v: list[int]) -> int:
    seen = 0
    for _ in v:
        seen += 1
        v.pop()
    return seen


of_row("list methods")


@program("list of lists built in a loop, then changed through one", (3,))
def matrix(n: int) -> list[list[int]]:
    rows = [[0] * n for _ in range(n)]
    rows[0][0] = 1
    return rows


@program("repetition repeats references", (2,))
def repeated(n: int) -> list[list[int]]:
    rows = [[0] * n] * n
    rows[0][0] = 1
    return rows


of_row("comprehensions")


@program("comprehension with a condition", ([1, 2, 3, 4],))
def even_squares(v: list[int]) -> list[int]:
    return [x * x for x in v if x % 2 == 0]


@program("comprehension with two generators", (3,))
def pairs(n: int) -> list[tuple[int, int]]:
    return [(i, j) for i in range(n) for j in range(i)]


@program("nested comprehension", (3,))
def table(n: int) -> list[list[int]]:
    return [[i * j for j in range(n)] for i in range(n)]


@program("comprehension variable does not leak", (5,))
def no_leak(x: int) -> int:
    values = [x for x in range(3)]
    return x + len(values)


@program("dict comprehension", (["a", "bb"],))
def lengths(words: list[str]) -> dict[str, int]:
    return {word: len(word) for word in words}


@program("dict comprehension with a condition over items", ({"a": 1, "b": 2},))
def large_items(d: dict[str, int]) -> dict[str, int]:
    return {k: v * 2 for k, v in d.items() if v > 1}


of_row("builtins")


@program("enumerate", (["x", "y"],))
def numbered(words: list[str]) -> list[str]:
    out: list[str] = []
    for i, word in enumerate(words):
        out.append(str(i) + word)
    return out


@program("enumerate with a start", ([5, 6],))
def numbered_from(v: list[int]) -> int:
    total = 0
    for i, x in enumerate(v, 10):
        total += i * x
    return total


@program("zip stops at the shorter", ([1, 2, 3], ["a", "b"]))
def zipped(a: list[int], b: list[str]) -> list[str]:
    out: list[str] = []
    for n, s in zip(a, b):
        out.append(s * n)
    return out


@program("zip of three", ([1], [2], [3]))
def zip_three(a: list[int], b: list[int], c: list[int]) -> int:
    total = 0
    for x, y, z in zip(a, b, c):
        total += x * y * z
    return total


@program("enumerate of zip", ([1, 2], [3, 4]))
def enumerate_zip(a: list[int], b: list[int]) -> int:
    total = 0
    for i, (x, y) in enumerate(zip(a, b)):
        total += i * (x + y)
    return total


@program("reversed", ([1, 2, 3],))
def backwards(v: list[int]) -> list[int]:
    out = [0]
    for x in reversed(v):
        out.append(x)
    return out


@program("sum, min, max of a list, empty raises", ([3, 1, 2],), ([],))
def aggregates(v: list[int]) -> tuple[int, int, int]:
    return sum(v), min(v), max(v)


@program("sum of floats keeps float", ([0.1, 0.2],), ([],))
def sum_floats(v: list[float]) -> float:
    return sum(v, 0.0)


@program("any and all over a list of bools", ([True, False],), ([],))
def any_all(v: list[bool]) -> tuple[bool, bool]:
    return any(v), all(v)


of_row("identity")


@program("any over a generator is lazy", ([1, 0],), ([0, 1],))
def lazy_any(v: list[int]) -> bool:
    return any(10 // x > 1 for x in v)


of_row("assignment")


@program("tuple packing, unpacking, nesting", (1, 2))
def tuples(a: int, b: int) -> tuple[int, tuple[int, int]]:
    t = (a, (b, a + b))
    x, (y, z) = t
    return x + y, (z, t[1][0])


@program("starred unpacking of a list", ([1, 2, 3, 4],), ([1],), ([],))
def starred(v: list[int]) -> tuple[int, list[int]]:
    first, *rest = v
    return first, rest


@program("starred in the middle", ([1, 2, 3, 4],), ([1, 2],))
def starred_middle(v: list[int]) -> list[int]:
    a, *b, c = v
    return [a, c] + b


@program("unpacking a list of the wrong length", ([1, 2],), ([1],), ([1, 2, 3],))
def unpack_two(v: list[int]) -> int:
    a, b = v
    return a * 10 + b


@program("chained assignment to several targets", (1,))
def chained(n: int) -> list[int]:
    v = [0, 0]
    a = v[0] = b = v[1] = n
    return v + [a, b]


@program("assignment order of targets", ([0, 0], 1))
def target_order(v: list[int], i: int) -> int:
    i, v[i] = 0, 7
    return i


of_row("list methods")


@program("tuple equality and comparison", (1, 2), (2, 1))
def compare_tuples(a: int, b: int) -> tuple[bool, bool]:
    return (a, b) == (b, a), (a, "x") < (b, "y")


@program("tuple indexing with a negative constant and len", (1, 2))
def tuple_index(a: int, b: int) -> int:
    t = (a, b, a)
    return t[-1] + len(t) + t[1]


@program("iteration over a tuple of one type", (1,))
def over_tuple(n: int) -> int:
    total = 0
    for x in (n, 2, 3):
        total += x
    return total


@program("iteration over a tuple of several types", (1,))
def mixed_tuple(n: int) -> str:
    out = ""
    for x in (n, "b", 2.5):
        out += str(x)
    return out


@program("membership in a tuple", (2,), (5,))
def in_tuple(n: int) -> bool:
    return n in (1, 2, 3)


@program("tuple concatenation of known lengths", (1,))
def tuple_add(n: int) -> tuple[int, str, int]:
    return (n, "a") + (2,)


of_row("builtins")


@program("list of tuples, sorted", ([(2, "b"), (1, "z"), (2, "a")],))
def sort_pairs(v: list[tuple[int, str]]) -> list[tuple[int, str]]:
    return sorted(v)


of_row("dict methods")


@program("dict get, set, missing key", ({"a": 1}, "a"), ({"a": 1}, "b"))
def dict_get(d: dict[str, int], key: str) -> int:
    return d[key]


@program("dict item assignment is seen by the caller in order", ({"a": 1},))
def dict_set(d: dict[str, int]) -> None:
    d["b"] = 2
    d["a"] = 3


@program("dict.get with and without default", ({"a": 1}, "a"), ({}, "a"))
def dict_default(d: dict[str, int], key: str) -> Optional[int]:
    if d.get(key, -1) < 0:
        return d.get(key)
    return d.get(key, 0)


@program("dict pop, setdefault, del, clear", ({"a": 1, "b": 2},), ({},))
def dict_remove(d: dict[str, int]) -> int:
    d.setdefault("c", 5)
    n = d.pop("a", 100)
    del d["b"]
    return n


@program("dict update and copy", ({"a": 1}, {"a": 2, "b": 3}))
def dict_update(d: dict[str, int], e: dict[str, int]) -> dict[str, int]:
    c = d.copy()
    d.update(e)
    return c


@program("iteration over a dict, its values and its items", ({"a": 1, "b": 2},), ({},))
def dict_loops(d: dict[str, int]) -> str:
    out = ""
    for key in d:
        out += key
    for value in d.values():
        out += str(value)
    for key, value in d.items():
        out += key + str(value)
    for key in d.keys():
        out += key
    return out


of_row("mutated while iterated")


@program("a dict resized while iterated raises", ({"a": 1, "b": 2},))
def dict_resized(d: dict[str, int]) -> int:
    for key in d:
        d[key + "x"] = 1
    return len(d)


@program("a dict's values replaced while iterated", ({"a": 1, "b": 2},))
def dict_replaced(d: dict[str, int]) -> None:
    for key in d:
        d[key] = d[key] * 10


of_row("list methods")


@program("dict with int and with tuple keys", (2,))
def dict_keys(n: int) -> int:
    d = {1: "a", n: "b"}
    e = {(1, 2): 5, (n, n): 6}
    return len(d) * 100 + e[(2, 2)] * 10 + e[(1, 2)]


of_row("dict methods")


@program("dict of lists", (["a", "b", "a"],))
def grouped(words: list[str]) -> dict[str, list[int]]:
    out: dict[str, list[int]] = {}
    for i, word in enumerate(words):
        if word not in out:
            out[word] = []
        out[word].append(i)
    return out


of_row("assignment")


@program("counting with augmented assignment on a dict item", ("hello",))
def histogram(text: str) -> dict[str, int]:
    counts: dict[str, int] = {}
    for c in text:
        counts[c] = counts.get(c, 0) + 1
    counts["l"] += 5
    return counts


of_row("dict methods")


@program("dict equality ignores order", ({"a": 1, "b": 2}, {"b": 2, "a": 1}))
def dict_equal(a: dict[str, int], b: dict[str, int]) -> bool:
    return a == b


@program("list() and len() of dict parts", ({"a": 1, "b": 2},))
def dict_lists(d: dict[str, int]) -> tuple[list[str], list[int], int]:
    return list(d.keys()), list(d.values()), len(d)


of_row("annotations")


@program("empty list takes its type from first use", (3,))
def empty_list(n: int) -> list[int]:
    out = []
    for i in range(n):
        out.append(i)
    return out


of_row("dict methods")


@program("empty dict takes its type from first use", ("ab",))
def empty_dict(text: str) -> dict[str, int]:
    out = {}
    for c in text:
        out[c] = ord(c)
    return out


of_row("annotations")


@program("int elements in a list of floats", (1,))
def promoted_display(n: int) -> list[float]:
    v: list[float] = [n, 2.5]
    v.append(3)
    return [x / 2 for x in v]


of_row("str methods")


@program("strings: concatenation, repetition, length, index", ("héllo", 1), ("", 0), ("ab", -3))
def text_basics(s: str, i: int) -> str:
    return s + "!" * 3 + str(len(s)) + s[i]


@program("string slices by code point", ("añ€😀b",))
def text_slices(s: str) -> list[str]:
    return [s[1:3], s[::-1], s[-2:], s[:0], s[3]]


@program("string methods", ("  Ab cA  ",))
def text_methods(s: str) -> list[str]:
    return [s.strip(), s.lstrip(), s.rstrip(), s.upper(), s.lower(), s.replace("A", "xy"), s.strip(" A")]


@program("string search", ("banana", "an"), ("banana", "x"), ("", ""))
def text_search(s: str, t: str) -> tuple[int, int, bool, bool, bool]:
    return s.find(t), s.count(t), s.startswith(t), s.endswith(t), t in s


@program("split and join", ("a,b,,c", ","), ("abc", ","))
def split_join(s: str, sep: str) -> str:
    parts = s.split(sep)
    return "|".join(parts) + str(len(parts))


of_row("list methods")


@program("split on white space and with a limit", (" a  b c ",))
def split_space(s: str) -> list[list[str]]:
    return [s.split(), s.split(" ", 1), s.split(None, 1)]


of_row("str methods")


@program("tabs as wide as a C int holds, and wider", ("a\tb", 4), ("a\tb", -5), ("a", 2**31 - 1), ("a\tb", 2**31), ("", -(2**31) - 1))
def wide_tabs(text: str, size: int) -> str:
    return text.expandtabs(size)


@program("more of a text than can be counted", (0,), (2**62,), (2**63 - 1,), torch=False)
def too_often(n: int) -> tuple[list[str], list[str]]:
    found: list[str] = []
    for text, data in (("aé", b"ab"), ("日本語", b"abc")):
        try:
            found.append(text * n)
        except OverflowError as error:
            found.append(str(error))
        try:
            found.append(str(data * n))
        except OverflowError as error:
            found.append(str(error))
    return found, [("" * n), str(b"" * n)]


@program("string comparison", ("abc", "abd"), ("a", "a"), ("", "a"))
def text_compare(a: str, b: str) -> tuple[bool, bool, bool, bool]:
    return a < b, a == b, a >= b, a != b


@program("iteration over a string", ("aé😀",))
def characters(s: str) -> list[str]:
    out: list[str] = []
    for c in s:
        out.append(c + c)
    return out


of_row("builtins")


@program("ord and chr", ("é",), ("ab",))
def code_points(s: str) -> str:
    return chr(ord(s) + 1)


@program("int and float parsed from text", ("12", " 2.5e3 "), ("x", "1"), ("1", "y"), ("-0", "inf"))
def parse_numbers(a: str, b: str) -> float:
    return int(a) + float(b)


of_row("list methods")


@program("str of numbers, lists, tuples, None", (1.0, 10**15), (1e16, -1), (0.1, 0), (float("nan"), 5))
def to_text(x: float, n: int) -> str:
    return str(x) + str(n) + str([x, 1e-5]) + str((n,)) + str(None) + str(True) + str(["it's", 'q"'])


of_row("python answers")


@program("repr of text", ("tab\t'q' \\ é",))
def to_repr(s: str) -> str:
    return repr(s) + repr([s])


of_row("str methods")


@program("f-strings without a format", (3, "x"))
def formatted(n: int, s: str) -> str:
    return f"{n}-{s!r}-{n + 1}{{}}"


of_row("list methods")


@program("text built in a loop", (5,))
def build_text(n: int) -> str:
    s = ""
    for i in range(n):
        s = s + str(i) + ","
    return s


@program("list() of a string and tuple() of a list", ("abc", [1, 2]))
def conversions(s: str, v: list[int]) -> tuple[list[str], int]:
    t = tuple(v)
    return list(s), len(t)


of_row("operators")


@program("bool of containers in conditions", ([], {}, ""), ([0], {"a": 1}, "x"))
def container_truth(v: list[int], d: dict[str, int], s: str) -> int:
    n = 0
    if v:
        n += 1
    if not d:
        n += 10
    while s:
        s = s[1:]
        n += 100
    return n


@program("or gives the first true container", ([], [1]), ([2], [1]))
def container_or(a: list[int], b: list[int]) -> list[int]:
    return a or b


of_row("identity")


@program("is on lists is identity", (ONE, ONE), ([1], [1]))
def list_identity(a: list[int], b: list[int]) -> tuple[bool, bool]:
    return a is b, a == b


of_row("list methods")


@program("two names of one list inside a tuple", (1,))
def tuple_of_aliases(n: int) -> tuple[list[int], list[int]]:
    v = [n]
    t = (v, v)
    t[0].append(2)
    return t


of_row("dict methods")


@program("a list inside a dict inside a list is written back", ([{"a": [1]}],))
def deep_mutation(v: list[dict[str, list[int]]]) -> None:
    v[0]["a"].append(2)
    v[0]["b"] = [3]
    v.append({})


of_row("list methods")


@program("mutation before an exception is kept", ([1], 0))
def mutate_then_raise(v: list[int], n: int) -> int:
    v.append(2)
    return 1 // n


@program("list extended by itself", ([1, 2],))
def self_extend(v: list[int]) -> None:
    v.extend(v)
    v[1:2] = v


of_row("builtins")


@program("range as a list", (4,))
def range_list(n: int) -> list[int]:
    return list(range(n)) + [x for x in range(n, 0, -2)]


@program("sorted floats and stability of equal keys", ([2.5, -1.0, 2.5, 0.0, -0.0],))
def sort_floats(v: list[float]) -> list[float]:
    return sorted(v)


of_row("list methods")


@program("list of bool: storage and text", ([True, False],))
def bool_list(v: list[bool]) -> str:
    v.append(not v[0])
    return str(v)


of_row("annotations")


@program("list of optional ints", ([1, None, 3],))
def optional_items(v: list[Optional[int]]) -> int:
    total = 0
    for x in v:
        if x is not None:
            total += x
    v.append(None)
    return total


of_row("list methods")


@program("list index with a bool", ([1, 2],))
def bool_index(v: list[int]) -> int:
    return v[True]


of_row("assignment")


@program("a chained assignment evaluates its value once", ([0],))
def chained_once(v: list[int]) -> int:
    a = v[noisy(0)] = b = noisy(5)
    c = d = [a + b]
    c.append(noisy(1))
    return a + b + len(d)


def last(items: list[int]) -> int:
    return items.pop()


def last_entry(table: dict[str, int]) -> int:
    return table.pop(list(table)[-1])


@program("displays with stars copy what they take at once", ([1, 2, 3],), ([4, 5],))
def starred_displays(items: list[int]) -> tuple[list[int], list[int], bool, tuple[int, ...]]:
    whole = [*items, last(items), *items]
    copied = [*items]
    copied.append(9)
    again = [*items]
    return whole, copied, again is items, (0, *items, *copied, last(copied))


@program("displays with stars of several types", ([1, 2], {"a": 1}), ([], {}))
def starred_mixtures(items: list[int], table: dict[str, int]) -> tuple[str, str, str, float, list[Optional[int]]]:
    floats: list[float] = [0.5, *items, *range(2)]
    some: list[Optional[int]] = [None, *items]
    return str([len(items), *table, *items]), str({**table, "b": "c"}), str((*items, "x", *table)), sum(floats), some


@program("displays with ** copy what they take at once", ({"a": 1, "b": 2},), ({"q": 5},))
def merged_displays(table: dict[str, int]) -> tuple[dict[str, int], dict[str, int], bool]:
    whole = {"z": 0, **table, "last": last_entry(table), **table}
    again = {**table}
    return whole, table, again is table


@program("a list grows item by item", ([1],), ([],))
def grow_by_items(items: list[int]) -> tuple[list[int], list[str], list[Optional[int]]]:
    items.extend(len(items) for _ in range(3))
    try:
        items.extend(6 // n for n in [3, 2, 0, 1])
    except ZeroDivisionError:
        items += (7, 8)
    items += range(2)
    items += {5: "five"}
    items += (2 * n for n in items[:2])
    words = ["a"]
    words += "bc"
    words.extend(map(str, items[:2]))
    some: list[Optional[int]] = [None]
    some.extend(items)
    some += items[:1]
    return items, words, some


@program("a starred tuple is unpacked", ([1, 2, 3],), ([],))
def unpack_starred(items: list[int]) -> tuple[int, list[int], str]:
    first, *rest = len(items), *items
    try:
        a, b, c = 0, *items
        return first, rest, str(a + b + c)
    except ValueError as error:
        return first, rest, str(error)


@program("a dict of no pairs", ("a",), ("b",))
def no_pairs(key: str) -> dict[str, int]:
    made: dict[str, int] = dict([])
    again = dict(())
    made[key] = 1
    again[key] = made
    return made | again[key]
