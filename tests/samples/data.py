"""Samples of sets, of formatting, and of the methods of dict, str, int and math that came with them."""

from __future__ import annotations

import itertools
import math
from typing import Any

from .sample import Failure, Plain, plain

# ---- Sets: of small ints, whose repr does not depend on hashes

SETS: tuple[set[int], ...] = (set(), {1}, {1, 2, 3}, {2, 3, 4}, {5})
SET_PAIRS = tuple(itertools.product(SETS, repeat=2))
ITEMS = tuple(itertools.product(SETS, (1, 5, 9)))


def changed(method: str) -> Any:
    """A method of set by name, as a function."""
    return lambda self, *others: getattr(self, method)(*others)


def next_position(self: Any, position: int, length: int) -> int:
    """What set.next gives for a set without holes."""
    if len(self) != length:
        raise RuntimeError("Set changed size during iteration")
    return position if position < len(self) else -1


SET_ROWS: dict[str, list[Plain]] = {
    "len.set": [plain(len, *((s,) for s in SETS))],
    "contains.set": [plain(lambda self, item: item in self, *ITEMS, ({(1, 2)}, ([3], 4)))],
    "set.add": [plain(changed("add"), *ITEMS, ({(1, 2)}, ([3], 4)))],
    "set.remove": [plain(changed("remove"), *ITEMS, ({(1, 2)}, (3, 4)))],
    "set.discard": [plain(changed("discard"), *ITEMS, ({(1, 2)}, ([3], 4)))],
    "set.pop": [plain(changed("pop"), (set(),), ({1},), ({1, 2, 3},))],
    "set.clear": [plain(changed("clear"), *((s,) for s in SETS))],
    "set.copy": [plain(changed("copy"), *((s,) for s in SETS))],
    "set.from_list": [plain(set, ([],), ([1, 2, 1],), ([3] * 50,), ([1.0, 2.5],), ([True],), ([(1, 2)],))],
    "frozenset.of_set": [plain(frozenset, *((s,) for s in SETS))],
    "set.of_frozenset": [plain(lambda self: self, *((frozenset(s),) for s in SETS))],
    "list.from_set": [plain(list, *((s,) for s in SETS))],
    "or.set": [plain(lambda a, b: a | b, *SET_PAIRS)],
    "and.set": [plain(lambda a, b: a & b, *SET_PAIRS)],
    "sub.set": [plain(lambda a, b: a - b, *SET_PAIRS)],
    "xor.set": [plain(lambda a, b: a ^ b, *SET_PAIRS)],
    "set.update": [plain(changed("update"), *SET_PAIRS)],
    "set.intersection_update": [plain(changed("intersection_update"), *SET_PAIRS)],
    "set.difference_update": [plain(changed("difference_update"), *SET_PAIRS)],
    "set.symmetric_difference_update": [plain(changed("symmetric_difference_update"), *SET_PAIRS)],
    "set.isdisjoint": [plain(changed("isdisjoint"), *SET_PAIRS)],
    "le.set": [plain(lambda a, b: a <= b, *SET_PAIRS)],
    "lt.set": [plain(lambda a, b: a < b, *SET_PAIRS)],
    "ge.set": [plain(lambda a, b: a >= b, *SET_PAIRS)],
    "gt.set": [plain(lambda a, b: a > b, *SET_PAIRS)],
    "set.next": [plain(next_position, (set(), 0, 0), ({1, 2}, 0, 2), ({1, 2}, 1, 2), ({1, 2}, 2, 2), ({1}, 0, 2))],
    "set.item_at": [plain(lambda self, position: list(self)[position], ({1, 2, 3}, 0), ({1, 2, 3}, 2))],
}

# ---- Dicts

DICTS: tuple[dict[str, int], ...] = ({}, {"a": 1}, {"b": 2, "a": 3}, {"c": 4})
DICT_ROWS: dict[str, list[Plain]] = {
    "dict.popitem": [plain(dict.popitem, *((d,) for d in DICTS))],
    "dict.fromkeys": [
        plain(dict.fromkeys, ([], 1), ([1, 2, 1], 5), (["a", "b"], None), (["a"], 2.5), ([1.5, 2.5], "x"))
    ],
    "or.dict": [plain(lambda a, b: a | b, *itertools.product(DICTS, repeat=2))],
}

# ---- Formatting

INTS = (0, 1, -1, 65, 255, -1234567, 2**63 - 1, -(2**63))
FLOATS = (
    *(0.0, -0.0, 1.0, -1.5, 123.0, 1234567.891, 1e16, 1e22, 1e-5, 0.0001, 99.95, 999999.5, 5e-324),
    *(1.7976931348623157e308, math.inf, -math.inf, math.nan),
)
TEXTS = ("", "a", "héllo", "日本語x")
COMPLEX = (1j, 2 + 3j, complex(-0.0, -1), complex(1e16, math.nan), complex(0, -0.0))
VALUES: tuple[Any, ...] = (*INTS, *FLOATS, *TEXTS, *COMPLEX, True, False, None, [1], (1, 2))
SPECS = (
    *("", "5", "<5", ">5", "^6", "=6", "x<7", "é^9", "05", "+", "-", " ", "+09", "#", "z", "#x", "#o", "#b", "#X"),
    *("d", "x", "o", "b", "X", "c", "n", "e", "E", "f", "F", "g", "G", "%", "s", "q", "é", ",", "_", ",d", "_x", ",x"),
    *("09,", "012_d", ".3", ".0", ".2f", ".0f", ".3e", ".10g", ".3s", "+.1%", "z.1f", "#.0f", "#.3g", "10.2f", "020,.3f"),
    *("5.2d", "1.", "..", "xx5", ",_", "_,", ",s", "99999999999999999999", ".99999999999999999999", "<<", "0<5", "٣"),
)
PERCENTS = (
    *("d", "5d", "-5d", "05d", "+d", " d", ".3d", "08.3d", "#x", "#o", "x", "X", "o", "i", "u", "c", "5c", "-5c"),
    *("e", ".2E", "f", ".0f", "#.0f", "010.2f", "g", "#g", ".3G", "s", "5s", "-5s", ".2s", "05s", "10.1s", "-08.3d"),
)
FORMAT_ROWS: dict[str, list[Plain]] = {
    "format.any": [plain(format, *itertools.product(VALUES, SPECS))],
    "percent.any": [plain(lambda value, spec: f"%{spec}" % (value,), *itertools.product(VALUES, PERCENTS))],
    "ascii.any": [plain(ascii, *((v,) for v in (*VALUES, "\U0001f600\n", {"é": ["\x80"]})))],
    "hex.int": [plain(hex, *((i,) for i in INTS))],
    "oct.int": [plain(oct, *((i,) for i in INTS))],
    "bin.int": [plain(bin, *((i,) for i in INTS))],
}

# ---- str

WORDS = (
    *("", "a", "ab", "aab", "é", "日本語", "aXbXc", " a b ", "a\nb\r\nc\r", "\tx\ty", "12", "-5", "+", "ABC def", "aaa"),
    *("a,b,,c", "x\x1cy\u2028z", "a1", "_x", "1x", "Title Case", "UPPER", "٣"),
)
ASCII_WORDS = tuple(word for word in WORDS if word.isascii())
PARTS = ("", "a", "X", ",", "本", "aa", " ")
ENDS = ((None, None), (0, 2), (1, None), (-2, None), (None, -1), (5, 2), (99, None), (-99, 99), (2, 2))
RANGES = tuple((word, part, *ends) for word in WORDS[::3] for part in PARTS[:5] for ends in ENDS)


def method(name: str) -> Any:
    return getattr(str, name)


STR_ROWS: dict[str, list[Plain]] = {
    **{
        f"str.{name}": [plain(method(name), *RANGES)]
        for name in ("find", "rfind", "index", "rindex", "count", "startswith", "endswith")
    },
    **{
        f"str.{name}": [plain(method(name), *itertools.product(WORDS, PARTS))]
        for name in ("removeprefix", "removesuffix", "partition", "rpartition")
    },
    "str.rsplit": [plain(method("rsplit"), *itertools.product(WORDS, (None, *PARTS[:4]), (-1, 0, 1, 2)))],
    "str.splitlines": [plain(method("splitlines"), *itertools.product(WORDS, (False, True)))],
    **{
        f"str.{name}": [plain(method(name), *itertools.product(WORDS, (-1, 0, 3, 4, 8, 9), ("*", "é", "", "ab")))]
        for name in ("center", "ljust", "rjust")
    },
    "str.zfill": [plain(method("zfill"), *itertools.product(WORDS, (-1, 0, 3, 8)))],
    "str.expandtabs": [plain(method("expandtabs"), *itertools.product((*WORDS, "a\tb\n\tc"), (-1, 0, 1, 4, 8)))],
    **{
        f"str.{name}": [plain(method(name), *((word,) for word in ASCII_WORDS))]
        for name in (
            *("capitalize", "title", "swapcase", "casefold", "isalpha", "isalnum", "isdigit", "isnumeric", "isidentifier"),
            *("isupper", "islower", "istitle"),
        )
    },
    **{
        f"str.{name}": [plain(method(name), *((word,) for word in WORDS))]
        for name in ("isascii", "isdecimal", "isspace", "isprintable")
    },
}

# ---- Numbers

LITERALS = (
    *("0", "12", "ff", "FF", "0x1f", "0X_1f", "0b11", "0o17", "1_000", "1__0", "_1", "1_", "", "-", "+5", " 7 ", "-0xff"),
    *("012", "00", "zz", "9223372036854775807", "-9223372036854775808", "9", "0x", "0b2", "0_7", "\u20031 ", "é", "٣"),
)
WHOLES = (0, 1, -1, 2, 3, 7, 10, -5, 15, 25, -25, 12345, 2**62, -(2**62))
REALS = (0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.5, 1e300, -1e300, math.inf, -math.inf, math.nan, 5e-324, 170.0, 171.7, -3.0)
COUNTS = (-2, -1, 0, 1, 2, 5, 10, 20, 30, 60)


def is_close(a: float, b: float, rel_tol: float = 1e-09, abs_tol: float = 0.0) -> bool:
    return math.isclose(a, b, rel_tol=rel_tol, abs_tol=abs_tol)


def product(values: Any, start: Any = 1) -> Any:
    return math.prod(values, start=start)


def fits(function: Any, calls: Any) -> tuple[Any, ...]:
    """The calls whose results fit 64 bits (D1), or that raise."""
    kept = []
    for call in calls:
        try:
            if -(2**63) <= function(*call) < 2**63:
                kept.append(call)
        except ValueError:
            kept.append(call)
    return tuple(kept)


def ulps(name: str) -> int:
    return 0 if name in ("degrees", "radians", "ulp") else 20 if name in ("gamma", "lgamma") else 2


NUMBER_ROWS: dict[str, list[Plain]] = {
    "int.base": [plain(int, *fits(int, itertools.product(LITERALS, (0, 2, 10, 16, 36, 37, -1))))],
    "pow.mod": [plain(pow, *itertools.product(WHOLES[::2], WHOLES, WHOLES[:9]))],
    "round.int_digits": [plain(round, *fits(round, itertools.product(WHOLES, (-22, -19, -3, -2, -1, 0, 3))))],
    "int.bit_length": [plain(int.bit_length, *((i,) for i in INTS))],
    "int.bit_count": [plain(int.bit_count, *((i,) for i in INTS))],
    "float.is_integer": [plain(float.is_integer, *((x,) for x in REALS))],
    "math.lcm.int": [plain(math.lcm, *fits(math.lcm, itertools.product(WHOLES, repeat=2)))],
    "math.factorial.int": [plain(math.factorial, *fits(math.factorial, ((n,) for n in COUNTS)))],
    "math.perm.int": [plain(math.perm, *fits(math.perm, itertools.product(COUNTS, (None, *COUNTS))))],
    "math.comb.int": [plain(math.comb, *fits(math.comb, itertools.product(COUNTS, repeat=2)))],
    "math.isqrt.int": [plain(math.isqrt, *((i,) for i in (*WHOLES, 2**63 - 1, 99, 100)))],
    "math.prod.ints": [plain(product, ([],), ([2, 3],), ([], 5), ([0, 2**62, 4], 1), ([-1] * 9, 2))],
    "math.prod.floats": [plain(product, ([1.5, 2.0], 1.0), ([0.1] * 7, 2.0), ([math.inf, 0.0], 1.0))],
    **{
        f"math.{name}.float": [plain(getattr(math, name), *((x,) for x in REALS), ulps=ulps(name))]
        for name in ("erfc", "asinh", "acosh", "atanh", "lgamma", "gamma", "degrees", "radians", "ulp")
    },
    **{
        f"math.{name}.float": [plain(getattr(math, name, None), *((x,) for x in REALS), ulps=ulps(name))]
        for name in ("cbrt", "exp2")  # Python 3.10 lacks them; there the record alone is asked
    },
    "math.ldexp.float": [plain(math.ldexp, *itertools.product(REALS, (0, 5, -5, 2000, -2000, 2**40)))],
    "math.remainder.float": [plain(math.remainder, *itertools.product(REALS, repeat=2))],
    "math.nextafter.float": [plain(math.nextafter, *itertools.product(REALS, repeat=2))],
    "math.isclose.float": [
        plain(is_close, *itertools.product(REALS, REALS), (1.0, 1.1, -0.5, 0.0), (1.0, 1.1, 0.2, 0.0)),
    ],
    "math.modf.float": [plain(math.modf, *((x,) for x in REALS))],
    "math.frexp.float": [plain(math.frexp, *((x,) for x in REALS))],
}

PLAIN: dict[str, list[Plain]] = {**SET_ROWS, **DICT_ROWS, **FORMAT_ROWS, **STR_ROWS, **NUMBER_ROWS}
ERRORS: dict[str, list[Failure]] = {
    "round.int_digits": [Failure((2**63 - 1, -1), "OverflowError", "64 bits", only_ours=True)],
    "math.lcm.int": [Failure((2**62, 3), "OverflowError", "64 bits", only_ours=True)],
    "math.prod.ints": [Failure(([2**62, 4],), "OverflowError", "64 bits", only_ours=True)],
    "set.item_at": [Failure(({1}, 5), "RuntimeError", "changed during iteration", only_ours=True)],
}
"""D1, and positions that set.next did not give."""
