"""Samples of strings, printing and texts of values."""

from __future__ import annotations

import itertools
import operator
import sys
import warnings
from typing import Any

from .sample import Failure, Plain, plain

WORDS = ("", "a", "b", "ab", "aab", "abc", "é", "日本語", "a\0b", "𝄞x", "aaaa", "A", " ", "straße")
PAIRS = tuple(itertools.product(WORDS, repeat=2))
BOUNDS = (None, 0, 1, 2, -1, -2, 5, 9, -9, 2**63 - 1, -(2**63))
STEPS = (None, 1, 2, -1, -2, 7, -7, 2**63 - 1, -(2**63))
SLICES = tuple(itertools.product(BOUNDS, BOUNDS, STEPS))
HUGE = "xy" * 100_000
SPACED = ("", "   ", " a ", "\t\n x \r\x0b\x0c", "\u00a0x\u2003", "\x1cx\x1f", "xxaxx", "no", "\u200bx")
CHARS = (None, "", "x", "xa", " ", "éa")
LISTS: tuple[list[str], ...] = ([], ["a"], ["a", "b"], ["", "", ""], ["日", "𝄞", "e"], ["x"] * 1000)


def sliced(value: Any, start: int | None = None, stop: int | None = None, step: int | None = None) -> Any:
    return value[start:stop:step]


def contains(value: Any, item: Any) -> bool:
    return item in value



def warn(text: str) -> None:
    warnings.warn(text, UserWarning, stacklevel=1)


def no_host(name: str, args: list[object], results: list[object]) -> None:
    raise RuntimeError("only a program can call a function of its host")


def show_error(text: str) -> None:
    print(text, end="", file=sys.stderr)


def show(text: str) -> None:
    print(text, end="")


def bits_in_range(bits: int) -> float:
    """What a number without bits, or with too many, raises."""
    raise ValueError("a number has 1 to 53 random bits")


def in_range(count: int) -> int:
    """What randrange() raises."""
    raise ValueError("empty range for randrange()")


PLAIN: dict[str, list[Plain]] = {
    "len.str": [plain(len, *((word,) for word in (*WORDS, HUGE)))],
    "add.str": [plain(operator.add, *PAIRS, (HUGE, HUGE))],
    "mul.str": [
        plain(operator.mul, *itertools.product(WORDS, (0, 1, 2, 5, -1, -(2**63))), ("", 2**63 - 1), ("ab", 5000))
    ],
    "contains.str": [plain(contains, *PAIRS, (HUGE, "yx"), (HUGE, "xx"))],
    "getitem.str": [
        plain(
            operator.getitem, *itertools.product(("", "abc", "日𝄞e", HUGE), (0, 1, 2, 3, -1, -3, -4, 10**18, -(2**63)))
        )
    ],
    "getslice.str": [
        plain(
            sliced,
            *((word, *s) for word in ("", "abcdef", "日𝄞éx") for s in SLICES[::3]),
            ("abc",),
            ("abc", 1),
            ("abc", 0, 3, 0),
        )
    ],
    "str.upper": [plain(str.upper, *((w,) for w in ("", "abc", "aBc1", "AZ_09", "straße ŉ ǆ", HUGE)))],
    "str.lower": [plain(str.lower, *((w,) for w in ("", "ABC", "aBc1", "AZ_09", "ΑΣ İ ΣΑ", HUGE)))],
    "str.strip": [plain(str.strip, *itertools.product(SPACED, CHARS))],
    "str.lstrip": [plain(str.lstrip, *itertools.product(SPACED, CHARS))],
    "str.rstrip": [plain(str.rstrip, *itertools.product(SPACED, CHARS))],
    "str.split": [
        plain(
            str.split,
            *itertools.product(
                ("", " ", "a b", "  a  b ", "a,b,,c", "aXXbXX", "\u2003a\u00a0b"),
                (None, ",", "XX", " "),
                (-1, 0, 1, 2, 99, -5),
            ),
        ),
        plain(str.split, ("a b",), ("a", ""), ("", ""), (HUGE, "y")),
    ],
    "str.join": [plain(str.join, *itertools.product(("", ",", "日", "ab"), LISTS))],
    "str.replace": [
        plain(
            str.replace,
            *itertools.product(
                ("", "aaa", "abab", "日本"), ("", "a", "ab", "本", "zz"), ("", "X", "aa"), (-1, 0, 1, 2, -7, 2**63 - 1)
            ),
        ),
        plain(str.replace, (HUGE, "x", "abc"), ("abc", "b", "")),
    ],
    "ord": [plain(ord, *((w,) for w in ("a", "\0", "é", "日", "𝄞", "\U0010ffff", "", "ab", "日本")))],
    "chr": [
        plain(
            chr,
            *(
                (i,)
                for i in (
                    0,
                    65,
                    127,
                    128,
                    0x7FF,
                    0x800,
                    0xFFFF,
                    0x10000,
                    0x10FFFF,
                    0x110000,
                    -1,
                    2**31,
                    -(2**31) - 1,
                    2**63 - 1,
                )
            ),
        )
    ],
    "list.from_str": [plain(list, *((w,) for w in WORDS))],
    "print.str": [plain(show, *((w,) for w in (*WORDS, "line\n", HUGE)))],
    "text.begin.any": [plain(lambda value: True, (1,), ("a",), (None,))],
    "text.end.any": [plain(lambda value: None, (1,), ("a",))],
    "host.call.any": [plain(no_host, ("log", [], [0]))],
    "python_random.seed": [plain(lambda seed: None, (0,), (-7,))],
    "python_random.random": [plain(lambda bits: 0.5, (53,), (1,), ulps=1 << 62), plain(bits_in_range, (0,), (54,))],
    "python_random.below": [plain(lambda count: 0, (1,)), plain(in_range, (0,), (-3,))],
    "manual_seed": [plain(lambda seed: None, (0,), (7,))],
    "print.error": [plain(show_error, ("careful\n",), ("日本",))],
    "warn.str": [plain(warn, ("careful",), ("日本",))],
}
for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
    PLAIN[f"{_name}.str"] = [plain(getattr(operator, _name), *PAIRS)]

VALUES: tuple[Any, ...] = (
    None,
    True,
    0,
    -(2**63),
    1.0,
    -0.0,
    1e16,
    1e22,
    1.5e-5,
    0.1,
    5e-324,
    float("nan"),
    float("inf"),
    1 / 3,
    123456789.123,
    2j,
    -0j,
    complex(1.5, -2),
    complex("nan+infj"),
    "",
    "it's",
    'say "hi"',
    "both ' and \"",
    "\n\t\r\\\0\x7f",
    "é\u00a0\u200b\ufeff𝄞\U000e0001",
    b"",
    b"a'b\xff\n",
    [],
    [1, 2],
    [1.0, -0.0],
    [True],
    ["a", None],
    [[1], []],
    (),
    (1,),
    (1, "a"),
    {},
    {"a": 1, 2: [3.5]},
    {(1, 2): "x"},
)
PLAIN["str.any"] = [plain(str, *((value,) for value in VALUES))]
PLAIN["repr.any"] = [plain(repr, *((value,) for value in VALUES))]

TOO_LONG = 2**62
ERRORS: dict[str, list[Failure]] = {
    "mul.str": [
        Failure(("ab", TOO_LONG), "OverflowError", "repeated string is too long", only_ours=True),
        Failure(("ab", 2**63 - 1), "OverflowError", "repeated string is too long", only_ours=True),
    ],
    "chr": [Failure((0xD800,), "ValueError", "surrogate", only_ours=True)],
}
