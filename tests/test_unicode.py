"""What str knows of every code point, against the CPython that runs the tests; all of it where that has Unicode 14."""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Callable
from typing import Any

import pytest

import tsm

IS_14 = unicodedata.unidata_version == "14.0.0"
SURROGATES = range(0xD800, 0xE000)
CODES = [code for code in range(sys.maxunicode + 1) if code not in SURROGATES]
SURE = frozenset((0x1734,))  # no case-ignorable mark since Unicode 14


def questions(text: str) -> list[tuple[bool, bool, bool, bool, bool, bool, bool, bool, bool, bool, bool]]:
    return [
        (c.isalpha(), c.isalnum(), c.isdecimal(), c.isdigit(), c.isnumeric(), c.isspace(), c.isupper(), c.islower(),
         c.istitle(), c.isidentifier(), c.isprintable())
        for c in text
    ]


def cases(text: str) -> list[tuple[str, str, str, str, str, str]]:
    return [(c.upper(), c.lower(), c.title(), c.capitalize(), c.swapcase(), c.casefold()) for c in text]


def among_letters(text: str) -> list[tuple[str, str, bool, bool, bool, bool]]:
    found: list[tuple[str, str, bool, bool, bool, bool]] = []
    for c in text:
        word = "A\u03a3" + c + "b"
        found.append(((word + "\u03a3").lower(), word.title(), word.istitle(), word.isidentifier(), word.isupper(),
                      word.islower()))
    return found


def final_sigmas(text: str) -> list[tuple[str, str]]:
    return [(("a\u03a3" + c).lower(), ("a" + c + "\u03a3").lower()) for c in text]


def edges(text: str) -> list[tuple[str, int, int, str]]:
    found: list[tuple[str, int, int, str]] = []
    for c in text:
        padded = c + "x" + c
        found.append((padded.strip(), len(padded.split()), len(padded.splitlines()), repr(c)))
    return found


def numbers(text: str) -> list[tuple[int, float, int]]:
    found: list[tuple[int, float, int]] = []
    for c in text:
        try:
            found.append((int("1" + c), float(c + "2"), int(c + "f", 16)))
        except ValueError as error:
            found.append((-1, -1.0, len(str(error))))
    return found


def is_comparable(code: int) -> bool:
    """Whether the running Python and Unicode 14 have the same to say about a code point."""
    return IS_14 or (unicodedata.category(chr(code)) != "Cn" and code not in SURE)


@pytest.mark.parametrize("ask", [questions, cases, among_letters, final_sigmas, edges, numbers])
def test_all_code_points(ask: Callable[[str], list[Any]]) -> None:
    if float(unicodedata.unidata_version.rpartition(".")[0]) > 14:
        pytest.skip("this Python has a later Unicode, which says other things of some code points")
    scripted = tsm.script(ask)
    step = 1 << 16
    for at in range(0, len(CODES), step):
        codes = CODES[at : at + step]
        if ask is not questions and not any(unicodedata.category(chr(code))[0] in "LMNPSZ" for code in codes):
            codes = codes[:: step // 64]  # a plane without characters
        text = "".join(map(chr, codes))
        wanted, got = ask(text), scripted(text)
        wrong = [hex(code) for code, a, b in zip(codes, wanted, got) if a != b and is_comparable(code)]
        assert len(wanted) == len(got) and not wrong, (wrong[:10], len(wrong))
