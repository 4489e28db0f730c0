"""Functions, parameters, recursion, None and Optional, constants from outside."""

# ruff: noqa: RET505, RET503, SIM103
from __future__ import annotations

from typing import Dict, List, Optional, Tuple, Union  # noqa: UP035 - the old spellings are accepted too

from language_rows import of_row
from oracle import program

SCALE = 3
NAMES = ("a", "b", "c")
PI = 3.25
FLAG = True
NOTHING = None


def helper(a: int, b: int = 10, *, c: int = 100) -> int:
    return a + b * 2 + c * 3


def untyped(a, b=2):
    return a * b


def even(n: int) -> bool:
    return True if n == 0 else odd(n - 1)


def odd(n: int) -> bool:
    return False if n == 0 else even(n - 1)


def append_to(v: list[int], x: int) -> list[int]:
    v.append(x)
    return v


of_row("calls")


@program("positional, keyword and default arguments", (1,))
def call_styles(n: int) -> list[int]:
    return [helper(n), helper(n, 5), helper(n, c=1), helper(b=1, a=n), helper(n, 2, c=3)]


of_row("unannotated")


@program("an unannotated callee takes the types of each call", (3, 2.5))
def specialised(n: int, x: float) -> tuple[int, float, str]:
    return untyped(n), untyped(x, 4.0), untyped("ab", n)


of_row("functions as values")


@program("recursion", (10,), (1,))
def factorial(n: int) -> int:
    return 1 if n <= 1 else n * factorial(n - 1)


@program("recursion without a result annotation", (12,))
def fib(n: int):
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)


@program("mutual recursion", (10,), (7,))
def parity(n: int) -> bool:
    return even(n)


of_row("calls")


@program("a callee mutates its argument", ([1],))
def through_callee(v: list[int]) -> int:
    w = append_to(v, 5)
    append_to(w, 6)
    return len(v)


@program("defaults of several kinds", (1,))
def default_kinds(a: int, b: float = 2.0, c: str = "x", d: Optional[int] = None, e: bool = True) -> str:
    return str(a) + str(b) + c + str(d) + str(e)


of_row("unannotated")


@program("unannotated parameters take the type of their default", (5,))
def from_default(n=1, x=2.5, s="q"):
    return str(n + 1) + str(x) + s


of_row("functions as values")


@program("global constants", (2,))
def use_globals(n: int) -> tuple[int, str, float, bool]:
    return n * SCALE, NAMES[1], PI / 2, FLAG


@program("iteration over a global tuple", (1,))
def over_global(n: int) -> str:
    out = ""
    for name in NAMES:
        out += name * n
    return out


of_row("pruned branches")


@program("is None decides a branch", (None,), (5,))
def optional_param(x: Optional[int]) -> int:
    if x is None:
        return -1
    return x + 1


of_row("refinement")


@program("is not None with and", (None,), (0,), (7,))
def optional_and(x: Optional[int]) -> bool:
    return x is not None and x > 3


@program("or with is None", (None,), (2,))
def optional_or(x: Optional[int]) -> bool:
    return x is None or x % 2 == 0


@program("refinement after an early raise", (None,), (4,))
def require(x: Optional[int]) -> int:
    if x is None:
        raise ValueError("x is missing")
    return x * 2


@program("refinement by assert", (None,), (4,))
def asserted_some(x: Optional[int]) -> int:
    assert x is not None
    return x


@program("refinement by assignment of a default", (None,), (4,))
def fill_default(x: Optional[int] = None) -> int:
    if x is None:
        x = 10
    return x + 1


@program("refinement in a ternary", (None,), (4.5,))
def ternary_some(x: Optional[float]) -> float:
    return x * 2 if x is not None else 0.0


@program("refinement after continue in a loop", ([1, None, 2],))
def skip_none(v: list[Optional[int]]) -> int:
    total = 0
    for x in v:
        if x is None:
            continue
        total += x
    return total


@program("truth of an optional int and of an optional list", (None, None), (0, [1]), (3, []))
def optional_truth(x: Optional[int], v: Optional[list[int]]) -> int:
    n = 0
    if x:
        n += x
    if v:
        n += len(v) * 100
    return n


@program("an optional result", (5,), (-5,))
def maybe(n: int) -> Optional[str]:
    if n > 0:
        return "yes"
    return None


@program("falling off the end of an optional result", (5,), (-5,))
def maybe_falls(n: int) -> Optional[int]:
    if n > 0:
        return n


@program("an optional variable set in a loop", ([1, 5, 9], 5), ([1], 5))
def last_match(v: list[int], x: int) -> Optional[int]:
    found: Optional[int] = None
    for i, y in enumerate(v):
        if y == x:
            found = i
    return found


@program("x == None and x != None", (None,), (1,))
def equals_none(x: Optional[int]) -> tuple[bool, bool]:
    return x == None, x != None  # noqa: E711


@program("a call with None", (1,))
def pass_none(n: int) -> int:
    return optional_param(None) + optional_param(n)


of_row("annotations")


@program("old typing spellings", ([1], {"a": 2}, (3, 4)))
def old_spellings(a: List[int], b: Dict[str, int], c: Tuple[int, int]) -> int:  # noqa: UP006
    return a[0] + b["a"] + c[0] * c[1]


@program("unions with the bar", (3,), (None,))
def bar_union(x: int | None) -> int:
    return 0 if x is None else x


of_row("refinement")


@program("isinstance narrows a union", (3,), ("abc",))
def union_param(x: Union[int, str]) -> int:
    if isinstance(x, int):
        return x + 1
    return len(x)


@program("isinstance with a tuple of types", (3,), ("abc",), (2.5,))
def union_three(x: Union[int, str, float]) -> str:
    if isinstance(x, (int, float)):
        return "number " + str(x)
    return x


of_row("annotations")


@program("tuple parameter and result", ((1, 2.5),))
def tuple_param(t: tuple[int, float]) -> tuple[float, int]:
    return t[1], t[0]


of_row("calls")


@program("nested call in arguments", (2,))
def nested_calls(n: int) -> int:
    return helper(helper(n, 1), helper(1, n, c=n))


of_row("functions as values")


@program("a variable shadows a function's name", (1,))
def shadow(helper: int) -> int:
    return helper + 1


of_row("annotations")


@program("string annotations", (1, "a"))
def string_annotations(n: "int", s: "Optional[str]") -> "str":
    return str(n) + (s if s is not None else "")


@program("type comments", (1, 2.0))
def type_comment(a, b):
    # type: (int, float) -> float
    return a + b


of_row("functions as values")


@program("deep recursion raises RecursionError", (100000,))
def too_deep(n: int) -> int:
    return 0 if n == 0 else 1 + too_deep(n - 1)


of_row("calls")


@program("several results through a tuple in a loop", (5,))
def minmax_loop(n: int) -> tuple[int, int]:
    low, high = 100, -100
    for i in range(n):
        low, high = clip(low, high, i * i - 3)
    return low, high


def clip(low: int, high: int, x: int) -> tuple[int, int]:
    return min(low, x), max(high, x)


of_row("unannotated")


@program("argument conversion int to float in a callee", (3,))
def convert_argument(n: int) -> float:
    return half(n) + half(True)


def half(x: float) -> float:
    return x / 2


@program("argument count in a call from Python", (1, 2, 3), ())
def two_params(a: int, b: int) -> int:
    return a - b
