"""Corners of Python that implementations get wrong without noticing: ties, order, equal keys of other types, text of odd values."""

from __future__ import annotations

import math
from enum import IntEnum
from typing import Dict, List, Optional, Tuple, Union

from language_rows import of_row
from oracle import T, program
from tsm import Tensor

of_row("python answers")


@program("ties in max and min give the first, also of mixed types", (1, 1.0), (0, -0.0))
def ties(a: int, b: float) -> List[str]:
    return [str(max(a, b)), str(max(b, a)), str(min(a, b)), str(min(b, a)), str(max(a, True)), str(max([b, a]))]


@program("sum of floats adds from the left, without compensation", ([0.1] * 10,), ([1e16, 1.0, -1e16],))
def naive_sum(v: List[float]) -> Tuple[float, float]:
    total = 0.0
    for x in v:
        total += x
    return sum(v), total


@program("signs of zero through arithmetic, abs, min, text and copysign", (0.0,), (-0.0,))
def zeros(x: float) -> List[str]:
    return [str(-x), str(abs(x)), str(x + 0), str(x * -1), str(min(0.0, x)), str(round(x)), f"{x:+.1f}", str(math.copysign(1, x)), str(0 - x)]


@program("constant powers: negative exponents, unary minus, right to left", (3,))
def constant_powers(n: int) -> Tuple[float, int, int, int, float]:
    return 2**-1, -(2**2), (-2) ** 2, 2**3**2, n**-2.0


@program("remainders of floats and of mixed signs", (7.5, -2), (-7.5, 2), (5.0, 3))
def float_remainders(x: float, n: int) -> Tuple[float, float, Tuple[float, float], float]:
    return x % n, x // n, divmod(x, n), math.fmod(x, n)


@program("ints rounded to tens and hundreds, ties to even", (15,), (25,), (-150,), (149,))
def tens(n: int) -> List[int]:
    return [round(n, -1), round(n, -2), round(n), round(n, 2)]


@program("overflow of floats gives inf, of powers an error", (1e308,), (2.0,))
def to_infinity(x: float) -> str:
    try:
        return f"{x * 10} {-x * 10} {x**2}"
    except OverflowError as e:
        return f"{e} {x * 10 - x * 10}"


@program("text of floats at the switch to exponents", (1e15,), (1e16,), (123456789012345680.0,), (0.0001,), (0.00001,), (1.5e-7,))
def switching(x: float) -> str:
    return f"{x} {x!r} {x:g} {x:.3g} {x:n} {-x}" if x > 1 else f"{x} {x:g} {x:.10f} {[x]}"


@program("bools in formats, arithmetic, text and indexing of text", (True,), (False,))
def bools(b: bool) -> List[str]:
    return [f"{b:5}", f"{b:d}", f"{b!s:>6}", "%d" % b, "%s" % b, "ab"[b], "x" * b, str(b + 1), str(-b), str(~b), str(b * 1.5)]


@program("None in formats", (None,), (3,))
def none_formats(n: Optional[int]) -> str:
    return f"{n} {n!r:>6}" + "%s" % n + "{}".format(n) + str([n, None])


@program("a format specification that None, a list and a text refuse", (0,), (1,), (2,), (3,))
def refused_formats(n: int) -> str:
    if n == 0:
        return f"{None:>5}"
    if n == 1:
        return f"{[n]:>5}"
    if n == 2:
        return f"{'text':d}"
    return f"{2.5:d}"


of_row("dict methods")


@program("equal keys of other types are one key; the first stays, the value changes", (1, 1.0))
def one_key(i: int, x: float) -> str:
    d = {i: "int", x: "float", True: "bool"}
    e = {0.0: "plus", -0.0: "minus"}  # noqa: F601
    return str(d) + str(e) + str(len({i, x, True})) + str(d.get(1.0))


@program("a dict written while its keys are copied, and re-inserted at the end", ({"a": 1, "b": 2, "c": 3},))
def to_end(d: Dict[str, int]) -> str:
    for k in list(d):
        if d[k] < 3:
            d[k] = d.pop(k) + 1
    return str(d)


@program("min, max, sorted, list and in of a dict see its keys", ({3: "a", 1: "b"},),)
def keys_only(d: Dict[int, str]) -> str:
    return f"{min(d)} {max(d)} {sorted(d)} {list(d)} {3 in d} {'a' in d.values()} {sum(d)}"


@program("one list under two keys", (1,))
def two_keys(n: int) -> Tuple[Dict[str, List[int]], bool]:
    shared = [n]
    d = {"a": shared, "b": shared}
    d["a"] += [2]
    d["b"].append(3)
    return d, d["a"] is d["b"]


@program("dict() and update() measure what they take for pairs", (["a=1", "b=2"],), (["a=1", "b"],), (["a=1=2"],), ([],))
def measured_pairs(lines: list[str]) -> list[str]:
    out = []
    rows = [line.split("=") for line in lines]
    table = {"z": "0"}
    for attempt in range(5):
        try:
            if attempt == 0:
                table = dict(line.split("=") for line in lines)
            elif attempt == 1:
                table.update(line.split("=", 1) for line in lines)
            elif attempt == 2:
                table = dict(rows, z="9")
            elif attempt == 3:
                table = dict(map(tuple, rows))
            else:
                table.update(["xy", "".join(lines)[:2]])
            out.append(str(table))
        except ValueError as e:
            out.append(f"{attempt}: {e}")
    try:
        out.append(str(dict([(1, 2, 3)])))
    except ValueError as e:
        out.append(str(e))
    try:
        out.append(str(dict([1, 2])))
    except TypeError as e:
        out.append(str(e))
    return out

of_row("list methods")


@program("count and index find equal values of other types", ([1, 2, 1],), ([0, 1, 0],))
def equal_others(v: List[int]) -> List[int]:
    return [v.count(True), v.index(True) if 1.0 in v else -1, int(2.0 in v), v.count(1)]


@program("sorting is stable, also reversed and with equal keys of other types", ([(1, "b"), (0, "x"), (1, "a")],))
def stable(v: List[Tuple[int, str]]) -> Tuple[List[str], List[str]]:
    return [s for _, s in sorted(v, key=lambda p: p[0])], [s for _, s in sorted(v, key=lambda p: p[0] == 1, reverse=True)]


@program("text of nested, empty and single containers", (1,))
def texts(n: int) -> str:
    empty: List[int] = []
    nothing: Dict[str, int] = {}
    return f"{empty} {nothing} {()} {(n,)} {[[]]} {[(n,)]} {[None, True, 1.0, 'a', b'b']} {set()!r} { {n} } {({},)}"


@program("a list that holds itself by a slice, by += and by extend", ([1, 2],))
def of_itself(v: List[int]) -> List[int]:
    v += v
    v.extend(v[:1])
    v[len(v) :] = v
    return v


@program("deleting by index in a loop that counts down", ([1, 2, 3, 4, 6],), ([],))
def count_down(v: List[int]) -> List[int]:
    for i in range(len(v) - 1, -1, -1):
        if v[i] % 2 == 0:
            del v[i]
    return v


of_row("assignment")


@program("an index assigned before it is used as a target", ([0, 0, 0],))
def index_first(v: List[int]) -> Tuple[int, List[int]]:
    i = 0
    i, v[i] = 1, 5
    i = v[i] = 2
    for i, v[i] in enumerate([7, 8]):
        pass
    return i, v


@program("one-element and bracketed targets, repeated names", ([4],))
def odd_targets(v: List[int]) -> Tuple[int, int, int]:
    (a,) = v
    [b, c] = a, a + 1
    a, a = b, c
    return a, b, c


@program("tuples and texts are rebound by +=, lists are not", ((1,), "a", [1]))
def rebound(t: Tuple[int, ...], s: str, v: List[int]) -> Tuple[Tuple[int, ...], str, List[int], bool]:
    t0, s0, v0 = t, s, v
    t += (2,)
    s += "b"
    v += [2]
    return t0 + t, s0 + s, v0, v0 is v


of_row("str methods")


@program("splits of empty and trailing pieces", ("a,b,",), ("",), (",",))
def pieces(s: str) -> str:
    return f"{s.split(',')} {s.split()} {s.split(',', 1)} {s.rsplit(',', 1)} {s.partition(',')} {s.rpartition(',')}"


@program("strip takes a set of characters, not a prefix", ("abcba",), ("",), ("xaby",))
def set_of_characters(s: str) -> List[str]:
    return [s.strip("ab"), s.lstrip("ba"), s.removeprefix("ab"), s.rstrip("y"), s.strip("")]


@program("searching for the empty text", ("abc",), ("",))
def empty_search(s: str) -> List[int]:
    return [s.find(""), s.rfind(""), s.count(""), s.find("", 2), s.find("", 9), s.index(""), int("" in s), int(s.startswith("", 3))]


@program("title, capitalize and swapcase with digits and apostrophes", ("they're 3rd bOYS",), ("",), ("x-ray ÉCOLE",))
def cases(s: str) -> List[str]:
    return [s.title(), s.capitalize(), s.swapcase(), s.upper().lower()]


@program("lines are ended by more than newlines", ("a\x0bb\x0cc\rd\x1ce\u2028f\n",), ("\r\n\n",))
def line_ends(s: str) -> Tuple[List[str], int]:
    return s.splitlines(), len(s.split("\n"))


@program("repr chooses its quotes and escapes", ("it's",), ('a"b',), ("'\"",), ("\x7f\t\\",), ("é\u200b\U0001f388",))
def quotes(s: str) -> str:
    return repr(s) + repr([s]) + f"{s!r}{s!a}"


@program("order of texts: case, prefixes, length", ("Z", "a"), ("a", "aa"), ("é", "f"))
def text_order(a: str, b: str) -> List[bool]:
    return [a < b, a <= b, a > b, [a, b] < [b], (a, 1) < (a, 2), max(a, b) == b]


of_row("builtins")


@program("any and all of nothing, of zeros, of empty containers", ([],), ([0, 0],), ([1],))
def of_nothing(v: List[int]) -> List[bool]:
    return [any(v), all(v), any([[], [0]]), all([""]), any(x for x in v), all(x < 1 for x in v), bool([0]), bool("")]


@program("range arithmetic: negative steps, empty ones, reversed, sums", (10, 0, -3), (0, 10, 4), (3, 3, 1))
def range_work(a: int, b: int, c: int) -> Tuple[List[int], int, List[int], int]:
    return list(range(a, b, c)), sum(range(a, b, c)), list(reversed(range(a, b, c))), len(range(a, b, c))


@program("zip of unequal lengths, of one, of a list and its tail", ([1, 2, 3], "ab"), ([], "x"))
def zips(v: List[int], s: str) -> str:
    return f"{list(zip(v, s))} {list(zip(v))} {list(zip(v, v[1:], v[2:]))} {dict(zip(s, v))}"


@program("int() of floats, texts with spaces and signs, other digits", ("\u0661\u0662",), (" -7\n",), ("+0",), ("1 2",))
def ints_of(s: str) -> Tuple[int, int]:
    return int(s), int(-2.9)


@program("enumerate and reversed together, negative starts", (["a", "b"],), ([],))
def starts(v: List[str]) -> List[Tuple[int, str]]:
    return list(enumerate(v, -1)) + list(enumerate(reversed(v), start=len(v)))


@program("isinstance of bools, ints and floats", (True, 1, 1.0))
def kinds(b: bool, i: int, x: float) -> List[bool]:
    return [isinstance(b, int), isinstance(i, bool), isinstance(x, int), isinstance(i, float), isinstance(b, (float, bool)), b is True]


@program("math at its corners", (-0.5,), (2.5,))
def corners(x: float) -> List[float]:
    return [math.floor(x) / 1, math.ceil(x) / 1, math.trunc(x) / 1, math.fmod(x, 1), math.pow(x, 0), math.hypot(x, 0), float(math.isclose(x, x)), math.fabs(x)]


of_row("match")


@program("1 matches 1.0 and True; a text is no sequence", (1,), (1.0,), (True,), ("ab",), (2,))
def loosely(x: Union[int, float, bool, str]) -> str:
    match x:
        case 1:
            return "one"
        case "ab":
            return "text"
        case int():
            return "int"
    return "none"


@program("the first case that fits wins, captures of failed cases stay unbound or bound as in Python", ([1, 2],), ([3],), ([],))
def first_fit(v: List[int]) -> str:
    match v:
        case [a, b] if a > b:
            return "down"
        case [a, *_]:
            return f"first {a}"
        case _:
            return "empty"


of_row("generators")


@program("a generator expression sees later changes of names, not of its first iterable", ([1, 2],))
def late_names(v: List[int]) -> List[int]:
    k = 10
    g = (x * k for x in v)
    k = 100
    v = [7]
    return list(g) + v


@program("a generator's body starts at the first item", ([],))
def starts_late(log: List[str]) -> List[str]:
    def items():
        log.append("started")
        yield 1

    g = items()
    log.append("made")
    for _ in g:
        log.append("item")
    return log


of_row("classes")


class Bag:
    shared = 0

    def __init__(self, items: List[int]) -> None:
        self.items = items

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Bag) and sorted(self.items) == sorted(other.items)

    def __len__(self) -> int:
        return len(self.items)

    def __getitem__(self, i: int) -> int:
        return self.items[i]

    def __iadd__(self, n: int) -> Bag:
        self.items.append(n)
        return self


@program("!= from __eq__, truth from __len__, += through __iadd__", ([1, 2], [2, 1]), ([], [1]))
def bags(a: List[int], b: List[int]) -> List[str]:
    x, y = Bag(a), Bag(b)
    same = x
    before = [str(x == y), str(x != y), str(bool(x)), str(not y)]
    x += 5
    return before + [str(same is x), str(len(same)), str(x[-1]), str(x == y), str(x in [y, same])]


@program("iteration by __getitem__ alone, until IndexError", ([3, 4],), ([],))
def old_iteration(v: List[int]) -> List[int]:
    return [x * 2 for x in Bag(v)] + [int(4 in Bag(v))]


class Low:
    def __init__(self, n: int) -> None:
        self.n = n

    def __lt__(self, other: Low) -> bool:
        print(f"{self.n}<{other.n}", end=" ")
        return self.n < other.n

    def __add__(self, other: Union[Low, int]) -> Low:
        return Low(self.n + (other.n if isinstance(other, Low) else other))

    def __radd__(self, other: int) -> Low:
        return Low(other * 100 + self.n)


@program("> is the other's <; sum() starts with __radd__", (1, 2), (2, 2))
def reflected(a: int, b: int) -> Tuple[bool, bool, int, int]:
    x, y = Low(a), Low(b)
    return x < y, x > y, (x + y + 3).n, (5 + x).n


class Chain:
    def __init__(self) -> None:
        self.log: List[str] = []

    def step(self, name: str) -> Chain:
        self.log.append(name)
        return self

    @property
    def size(self) -> int:
        self.log.append("size")
        return len(self.log)


@program("order of effects in a chain of calls, properties and arguments", (2,))
def chained(n: int) -> List[str]:
    c = Chain()
    c.step("a").step(str(c.size)).step(f"{c.size + n}")
    c.log[c.size - 1] += "!"
    return c.log


class Level(IntEnum):
    LOW = 1
    HIGH = 2


of_row("enums")


@program("IntEnum members in arithmetic, texts, comparison with ints and floats", (1,), (2,))
def level_work(n: int) -> str:
    a = Level(n)
    return f"{a + 1} {a == n} {a < 1.5} {a} {a!r} {a:>3} {[a]} {str(a)} {int(a)} {max(a, 0)} {-a} {a * 0.5} {a in (1, 5)}"


@program("IntEnum members in lists and dicts beside ints", (1,))
def level_containers(n: int) -> List[bool]:
    v = [Level.LOW, Level.HIGH]
    return [v[0] == n, Level(n) in v, v.index(Level.HIGH) == 1, {Level.LOW: 5}[Level(n)] == 5, v == [Level(1), Level(2)]]


of_row("tensor views")


@program("comparison of tensors with None, numbers and each other in conditions", (T([1.0]), T([2.0])))
def in_conditions(x: Tensor, y: Tensor) -> List[bool]:
    return [bool(x < y), bool(x == 1), x is y, x is not None, bool((x == x).all()), bool(x != y and y > 1)]


@program("a tensor found in a list by ==, its truth asked", (T([1.0]), T([2.0])))
def found_in(x: Tensor, y: Tensor) -> bool:
    return x in [y, x]


@program("shapes are tuples: compared with lists, indexed from behind, multiplied", (T([[1.0, 2.0, 3.0]]),))
def as_tuple(x: Tensor) -> str:
    return f"{x.shape == (1, 3)} {x.shape[-1]} {x.shape[::-1] == (3, 1)} {len(x.shape)} {x.shape + (4,) == (1, 3, 4)} {3 in x.shape}"


of_row("try")


@program("finally overrides what a return in try computed, and in a loop continues", (3,))
def overriding(n: int) -> Tuple[int, List[int]]:
    log: List[int] = []

    def once(k: int) -> int:
        for i in range(k):
            try:
                if i == 1:
                    return log[-1]
                log.append(i)
            finally:
                log.append(-i)
                if i == 1:
                    continue
        return 99

    return once(n), log


@program("an exception in an argument stops the call and the assignment", ([1],))
def stopped(v: List[int]) -> Tuple[int, List[int]]:
    x = 5
    try:
        x = added(v, v[9])
    except IndexError as e:
        v.append(len(str(e)))
    return x, v


def added(v: List[int], n: int) -> int:
    v.append(n)
    return n


@program("a handler's own exception replaces; else is not guarded", (0,), (1,), (2,))
def replaced_errors(n: int) -> str:
    try:
        try:
            if n == 0:
                raise KeyError("first")
        except KeyError:
            raise ValueError("second")
        else:
            if n == 1:
                raise KeyError("else")
    except (KeyError, ValueError) as e:
        return f"{type(e).__name__}: {e}"
    return "none"


of_row("match")


@program("a range matches patterns of sequences", (0,), (1,), (4,))
def match_range(n: int) -> list[str]:
    found = []
    for numbers in (range(n), range(n, 0, -1)):
        match numbers:
            case []:
                found.append("none")
            case [only]:
                found.append(f"one {only}")
            case [first, *rest, last]:
                found.append(f"{first} {rest} {last}")
    match range(n):
        case range() as whole:
            found.append(f"{len(whole)}")
    return found
