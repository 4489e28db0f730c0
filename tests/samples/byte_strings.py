"""Samples of bytes: what it shares with str, and what is its own."""

from __future__ import annotations

import copy
import itertools
import operator
from typing import Any

from .sample import Failure, Plain, plain
from .text import BOUNDS, SLICES, contains, sliced

WORDS = (b"", b"a", b"ab", b"aab", b"a\0b", b"\xff\xc3\xa9", b"aaaa", b"A", b" ", b"Abc dEF", b"12", b"\x1c\x85", b"\t\n x\r\n")
PAIRS = tuple(itertools.product(WORDS, repeat=2))
BAD = (b"", b"abc", b"\xc3\xa9", b"\xe6\x97\xa5", b"\xf0\x9d\x84\x9e", b"a\xffb", b"\xe6\x97", b"\xed\xa0\x80", b"\xf4\x90", b"\xc3(")
TEXTS = ("", "abc", "\xe9a", "日本é", "𝄞x\xe9\xe9", "a\u1234")
CODECS = ("utf-8", "ascii", "latin-1")
HANDLERS = ("strict", "ignore", "replace", "backslashreplace", "xmlcharrefreplace")
HUGE = b"xy" * 100_000


def decoded(data: bytes, codec: int, errors: int) -> str:
    """Without a program there is no exception object, so only the nearest class that takes one text is left."""
    try:
        return data.decode(CODECS[codec], HANDLERS[errors])
    except UnicodeError as error:
        raise ValueError(str(error)) from None


def encoded(text: str, codec: int, errors: int) -> bytes:
    try:
        return text.encode(CODECS[codec], HANDLERS[errors])
    except UnicodeError as error:
        raise ValueError(str(error)) from None


def one_byte(value: int) -> bytes:
    if not 0 <= value < 256:
        raise ValueError("byte must be in range(0, 256)")
    return bytes([value])


def zeros(count: int) -> bytes:
    return bytes(count)


def from_list(values: list[int]) -> bytes:
    return bytes(values)


PLAIN: dict[str, list[Plain]] = {
    "len.bytes": [plain(len, *((word,) for word in (*WORDS, HUGE)))],
    "add.bytes": [plain(operator.add, *PAIRS, (HUGE, HUGE))],
    "mul.bytes": [plain(operator.mul, *itertools.product(WORDS, (0, 1, 3, -1, -(2**63))), (b"", 2**63 - 1))],
    "contains.bytes": [plain(contains, *PAIRS, (HUGE, b"yx"), (HUGE, b"xx"))],
    "getitem.bytes": [plain(operator.getitem, *itertools.product((b"", b"abc", HUGE), (0, 2, 3, -1, -4, 10**18)))],
    "getslice.bytes": [plain(sliced, *((b"abcdef", *s) for s in SLICES[::5]), (b"abc",), (b"abc", 0, 3, 0))],
    "bytes.list": [plain(from_list, ([],), ([0, 255, 7],), ([256],), ([1, -1],))],
    "bytes.byte": [plain(one_byte, (0,), (255,), (256,), (-1,))],
    "bytes.zeros": [plain(zeros, (0,), (5,), (-1,))],
    "list.from_bytes": [plain(list, *((word,) for word in WORDS))],
    "bytes.hex": [plain(bytes.hex, *((word,) for word in WORDS))],
    "bytes.hex.sep": [
        plain(bytes.hex, *itertools.product((b"", b"a", b"abcdefg"), ("-", ":", "", "ab", "é"), (1, 2, 0, -3, 99, -(2**31))))
    ],
    "bytes.fromhex": [plain(bytes.fromhex, *((t,) for t in ("", "00ff", " 61 62\t", "6", "6 1", "zz", "é1", "61é", "\x1c61")))],
    "bytes.decode": [plain(decoded, *itertools.product(BAD, range(3), range(4)))],
    "str.encode": [plain(encoded, *itertools.product(TEXTS, range(3), range(5)))],
    "bytes.join": [plain(bytes.join, *itertools.product((b"", b","), ([], [b"a"], [b"a", b"", b"c"])))],
    "bytes.split": [plain(bytes.split, *itertools.product((b"", b" a  b ", b"a,b,,c", b"\x1ca\x85b\x0b"), (None, b",", b" "), (-1, 0, 1, 9))), plain(bytes.split, (b"a", b""))],
    "bytes.rsplit": [plain(bytes.rsplit, *itertools.product((b"", b" a  b ", b"a,b,,c"), (None, b",", b" "), (-1, 0, 1, 9))), plain(bytes.rsplit, (b"a", b""))],
    "bytes.replace": [plain(bytes.replace, *itertools.product((b"", b"aaa", b"abab"), (b"", b"a", b"ab", b"z"), (b"", b"XY"), (-1, 0, 1, 2)))],
    "bytes.partition": [plain(bytes.partition, *itertools.product((b"", b"a,b,c"), (b",", b"", b"x")))],
    "bytes.rpartition": [plain(bytes.rpartition, *itertools.product((b"", b"a,b,c"), (b",", b"", b"x")))],
    "bytes.splitlines": [plain(bytes.splitlines, *itertools.product((b"", b"a\nb\r\nc\rd", b"\n", b"a\x0bb\x85\x1c"), (False, True)))],
    "bytes.zfill": [plain(bytes.zfill, *itertools.product((b"", b"1", b"-1", b"+x"), (0, 3, -1)))],
    "bytes.expandtabs": [plain(bytes.expandtabs, *itertools.product((b"", b"a\tb", b"\ta\n\tb"), (8, 1, 0, -1)))],
}
for _name in ("strip", "lstrip", "rstrip"):
    PLAIN[f"bytes.{_name}"] = [plain(getattr(bytes, _name), *itertools.product((*WORDS, b"xxaxx"), (None, b"", b"x", b" a")))]
for _name in ("find", "rfind", "count", "index", "rindex", "startswith", "endswith"):
    PLAIN[f"bytes.{_name}"] = [
        plain(getattr(bytes, _name), *itertools.product((b"", b"abab", b"a\xffb"), (b"", b"a", b"b", b"ab"), BOUNDS[::2], BOUNDS[::3]))
    ]
for _name in ("removeprefix", "removesuffix"):
    PLAIN[f"bytes.{_name}"] = [plain(getattr(bytes, _name), *PAIRS)]
for _name in ("center", "ljust", "rjust"):
    PLAIN[f"bytes.{_name}"] = [plain(getattr(bytes, _name), *itertools.product((b"", b"ab"), (0, 3, 6, -1), (b" ", b"\xff", b"", b"xy")))]
for _name in ("upper", "lower", "capitalize", "title", "swapcase", "isascii", "isalpha", "isalnum", "isdigit", "isspace",
              "isupper", "islower", "istitle"):
    PLAIN[f"bytes.{_name}"] = [plain(getattr(bytes, _name), *((word,) for word in (*WORDS, b"Hello World", b"ABC1", b"x\xe9Y")))]

VALUES: tuple[Any, ...] = (None, True, 3, 1.5, "héy", b"ab", [1, "a"], (2.5, None), {"a": 1, 2: [3]}, {1}, [], 2j)
PLAIN["getitem.any"] = [plain(operator.getitem, *itertools.product(VALUES[4:9], (0, 1, -1, 5)), ("héy", "a"), (b"ab", "a"), ([1], "a"), ((1,), "a"), ({"a": 1}, "a"), (None, 0), (3, "a"), (1.5, 0), (True, 0))]
COPIED = ([[1], [2]], {"a": [1]}, {1}, (1, [2]), "a", 5, None)
PLAIN["copy.any"] = [
    plain(lambda value, deep: copy.deepcopy(value) if deep else copy.copy(value),
          *((value, deep) for value in COPIED for deep in (True, False)))
]
PLAIN["is_tuple.any"] = [plain(lambda value: isinstance(value, tuple), *((value,) for value in VALUES))]
PLAIN["len.any"] = [plain(len, *((value,) for value in (*VALUES, (), "", frozenset((1,)))))]
PLAIN["list.from_any"] = [plain(lambda value: list(value), *((value,) for value in (*VALUES, (), "", "aé€", frozenset((1,)))))]
PLAIN["attribute.unset"] = [plain(lambda value, name: False, *((value, "x") for value in VALUES))]  # of no instance
PLAIN["class_name.any"] = [plain(lambda value: type(value).__name__, *((value,) for value in VALUES))]


def refused(value: Any, *rest: Any) -> None:
    """A row that is called by itself gives its results no types."""
    raise TypeError(f"cannot open '{type(value).__name__}' object")


PLAIN["open.list"] = [plain(refused, ([1],), ("a",), (None,))]
PLAIN["open.dict"] = [plain(refused, ({1: 2}, 1), ([1], 1), (3, "a"))]
PLAIN["append.open"] = [plain(refused, ([1], 1, [None, 1]), ("a", 2, ["a", 1]))]
PLAIN["is_open.list"] = [plain(lambda value: type(value) is list, *((value,) for value in VALUES))]
PLAIN["is_open.dict"] = [plain(lambda value: type(value) is dict, *((value,) for value in VALUES))]
PLAIN["member_index.any"] = [plain(lambda value: -1, *((value,) for value in VALUES))]

ERRORS: dict[str, list[Failure]] = {
    "mul.bytes": [Failure((b"ab", 2**62), "OverflowError", "repeated bytes are too long", only_ours=True)],
    "bytes.zeros": [Failure((2**40,), "MemoryError", "", only_ours=True)],
}
