"""The edges of what the machine does in one instruction: loop tests, counters, conditions, texts that grow in place."""

# ruff: noqa: B007, RET503, SIM102, SIM103, SIM108, SIM110, SIM114, PLR1714
from __future__ import annotations

from language_rows import of_row
from oracle import program

LARGEST = 9223372036854775807


of_row("loops")


@program("a while loop whose test fails at once and later", (0,), (1,), (5,), (-3,))
def tested_twice(n: int) -> tuple[int, int]:
    turns = 0
    while n > 1:
        n -= 2
        turns += 1
    return n, turns


@program("a loop test that reads a list's length while the loop changes it", ([1, 2, 3, 4],), ([],), ([7],))
def shrinking(v: list[int]) -> int:
    i = 0
    while i < len(v) - 1:
        v.pop()
        i += 1
    return i


@program("a counter used after the loop, and one step past it", (0,), (3,))
def counter_after(n: int) -> list[int]:
    seen = [-1]
    i = -1
    for i in range(n):
        seen.append(i + 1)
    seen.append(i)
    return seen


@program("continue in a counted loop, from two places", (9,), (0,))
def skipping(n: int) -> list[int]:
    kept: list[int] = []
    for i in range(n):
        if i % 3 == 0:
            continue
        if i == 7:
            continue
        kept.append(i)
    return kept


@program("two names that swap with the counter", (1,), (6,))
def rotating(n: int) -> list[int]:
    a, b = 0, 100
    seen: list[int] = []
    for i in range(n):
        a, b = b, i
        seen.append(a)
    return [*seen, a, b]


of_row("overflow")


@program("counting up to the largest int", (LARGEST - 3, LARGEST), (LARGEST, LARGEST))
def up_to_largest(start: int, stop: int) -> int:
    turns = 0
    for i in range(start, stop):
        turns += 1
    return turns


of_row("loops")


@program("a while condition of several parts, each with its effect", ([3, 1, 4, 1, 5], 4), ([], 0), ([9, 9], 9))
def several_parts(v: list[int], limit: int) -> int:
    i = 0
    while i < len(v) and v[i] != limit and (v[i] < 4 or i == 0):
        i += 1
    return i


@program("or and not in a condition, with a value kept too", (0, 1), (2, 0), (3, 3))
def kept_condition(a: int, b: int) -> tuple[bool, int]:
    either = a > 2 or not b
    r = 0
    if either:
        r = 1
    if not (a and b):
        r += 10
    return either, r


of_row("python answers")


@program("a float is not less and not greater than nan", (0.0, 0.0), (1.0, 2.0), (float("nan"), 1.0))
def against_nan(a: float, b: float) -> list[bool]:
    out: list[bool] = []
    if a < b:
        out.append(True)
    else:
        out.append(False)
    out.append(True if a >= b else False)
    out.append(True if not a <= b else False)
    while a > b:
        a -= 1.0
    if a == b or a != a:
        out.append(True)
    return out


of_row("str methods")


@program("a text that grows while another name holds it", ("ab",), ("",))
def shared_text(start: str) -> list[str]:
    s = start + "."
    kept: list[str] = []
    for i in range(4):
        t = s
        s += str(i)
        kept.append(t)
        s += t
    kept.append(s)
    return kept


@program("a text added to itself", ("a",), ("é",))
def doubled(s: str) -> tuple[str, int, str]:
    t = s + s
    t += t
    t = t + t
    return t, len(t), t[-1]


@program("a growing text as key, length and index between", (5,))
def growing_key(n: int) -> tuple[dict[str, int], str]:
    found: dict[str, int] = {}
    s = "ü"
    for i in range(n):
        s += "é" * 40
        found[s] = len(s)
        if s in found:
            found[s[-1] + str(i)] = found[s]
    return found, s[41]


@program("a growing text in a tuple and an f-string", (3, 1.5))
def text_pieces(n: int, x: float) -> list[str]:
    out: list[str] = []
    s = ""
    for i in range(n):
        s += f"{i}{x}{i == 1}{s}"
        out.append(f"{s}|{-i}")
    return out


of_row("overflow")


@program("the smallest int as text", (-9223372036854775808,), (0,), (-1,))
def extreme_text(n: int) -> str:
    return "<" + str(n) + ">" + f"{n}{n}"


of_row("dict methods")


@program("a missing key of each kind", (1, "a"), (2, "b"))
def missing(i: int, s: str) -> int:
    numbers = {1: 10}
    names = {"a": 20}
    return names[s] * numbers.get(i, 3) + numbers[i]


of_row("str methods")


@program("a dict whose values are texts, lists and floats", ("a",), ("zz",))
def value_kinds(key: str) -> tuple[str, list[int], float, bool]:
    texts = {"a": "x"}
    lists = {"a": [1]}
    floats = {"a": 0.5}
    flags = {"a": True}
    texts[key] = texts.get(key, "none") + key
    lists["a"] = lists.get(key, [9])
    lists["a"].append(2)
    floats[key] = floats.get(key, 2.0) * 2.0
    return texts[key], lists["a"], floats[key], flags.get(key, False)


of_row("loops")


@program("an index error inside a loop whose test reads the same list", ([1, 2, 3], 5), ([1], 0))
def runs_over(v: list[int], stop: int) -> int:
    total = 0
    i = -len(v)
    while i < stop:
        total += v[i]
        i += 1
    return total


of_row("mutated while iterated")


@program("a list appended to itself's elements while counted", ([1, 2],))
def grows_while_counted(v: list[int]) -> list[int]:
    for x in v:
        if len(v) < 9:
            v.append(x + v[0])
    return v


@program("bits tested in branches, alone, joined, as loop tests and beside other uses", (0,), (1,), (2,), (6,), (9,),
         (-1,), (-2,), (64,), (LARGEST,), (-LARGEST - 1,))
def bits(n: int) -> tuple[list[str], int, int]:
    found: list[str] = []
    if n % 2 == 0:
        found.append("even")
    if n % 2 != 0:
        found.append("odd")
    if n % 2 == 1:
        found.append("one")
    if n & 1 != 1:
        found.append("not one")
    if n & 6:
        found.append("some of 6")
    if not n & 6:
        found.append("none of 6")
    if n & 6 == 1:
        found.append("never")
    if n % 8 == 1:
        found.append("one of 8")
    if 0 == n & -2:
        found.append("0 or 1")
    if n & 1 and n & 8 != 0:
        found.append("1 and 8")
    if n & 2 == 0 or 1 & n == 1:
        found.append("no 2, or 1")
    low = n % 4
    if low == 0:
        found.append("low" + str(low))
    halvings = 0
    while n % 2 == 0 and n != 0:
        n //= 2
        halvings += 1
    while n & 1:
        n >>= 1
        if n == -1:
            break
    return found, halvings, n
