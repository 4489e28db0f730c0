"""Writes src/base/unicode_tables.h: the facts of Unicode 14.0 that CPython 3.11's str knows.

In: the `unicodedata` and `str` of the Python that runs it, which must be 3.11. Out: C arrays, about 12 KB of them.
Holds: code points of one class form ranges, letters that alternate between upper and lower case one range too; a
character's case mapping is a distance shared by a run, or a short sequence of its own.
Usage: python3.11 runtime_c/make_unicode.py > runtime_c/src/base/unicode_tables.h
"""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Callable, Iterator, Sequence

LAST = 0x10FFFF
SURROGATES = range(0xD800, 0xE000)
FLAGS = ("ALPHA", "DECIMAL", "DIGIT", "NUMERIC", "LOWER", "UPPER", "TITLE", "CASED", "IGNORABLE", "START", "CONTINUE",
         "PRINTABLE", "SPACE", "EVEN_UPPER", "ODD_UPPER")
LOWER, UPPER, EVEN_UPPER, ODD_UPPER = (1 << FLAGS.index(name) for name in ("LOWER", "UPPER", "EVEN_UPPER", "ODD_UPPER"))
SIGMA = "\u03a3"  # its lower case is another one at the end of a word, where what is ignorable does not count


def facts(code: int) -> int:
    """The flags of a code point; a surrogate has none, since no str of ours holds one."""
    if code in SURROGATES:
        return 0
    c = chr(code)
    is_ignorable = (f"a{SIGMA}{c}").lower()[1] == "\u03c2" and (f"a{SIGMA}{c}a").lower()[1] == "\u03c3"
    is_cased = f"{c}a".title()[-1] == "a"
    answers = (
        c.isalpha(), c.isdecimal(), c.isdigit(), c.isnumeric(), c.islower(), c.isupper(),
        c.istitle() and not c.isupper(), is_cased, is_ignorable, c.isidentifier(), f"a{c}".isidentifier(),
        c.isprintable(), c.isspace(),
    )
    return sum(answer << bit for bit, answer in enumerate(answers))


def classes() -> list[int]:
    """The flags of all code points, pairs of upper and lower case under flags of their own."""
    found = [facts(code) for code in range(LAST + 1)]
    for code in range(0, LAST, 2):
        a, b = found[code], found[code + 1]
        if a ^ b == LOWER | UPPER:
            both = a & ~(LOWER | UPPER) | (EVEN_UPPER if a & UPPER else ODD_UPPER)
            found[code] = found[code + 1] = both
    return found


def mapped(change: Callable[[str], str], beyond: Callable[[int], str]) -> Iterator[tuple[int, str]]:
    """The code points that `change` takes elsewhere than `beyond`, which the table before it says."""
    for code in range(LAST + 1):
        if code not in SURROGATES and change(chr(code)) != beyond(code):
            yield code, change(chr(code))


def runs(pairs: Sequence[tuple[int, str]]) -> list[tuple[int, int, int, int]]:
    """(first, count, step, distance) of mappings to one character."""
    made: list[list[int]] = []
    for code, text in pairs:
        if len(text) > 1:
            continue
        distance = ord(text) - code
        if made and made[-1][3] == distance and made[-1][1] < 1000:
            first, count, step, _ = made[-1]
            gap = code - (first + (count - 1) * step)
            if gap == step or (count == 1 and gap == 2):
                made[-1][1:3] = [count + 1, gap]
                continue
        made.append([code, 1, 1, distance])
    return [(run[0], run[1], run[2], run[3]) for run in made]


def show(name: str, kind: str, items: Sequence[str]) -> None:
    print(f"static const {kind} {name}[{len(items)}] = {{")
    line = " "
    for item in items:
        if len(line) + len(item) + 2 > 120:
            print(line)
            line = " "
        line += f" {item},"
    print(line + "\n};\n")


def show_classes() -> None:
    found = classes()
    kinds = sorted(set(found))
    starts = [code for code in range(LAST + 1) if code == 0 or found[code] != found[code - 1] or code % 0x10000 == 0]
    print("/* Class i is the flags class_flags[i]; range i starts at range_starts[i] of its plane of 65,536 code"
          "\n * points, whose first range is plane_ranges[plane]. */")
    show("class_flags", "uint16_t", [hex(kind) for kind in kinds])
    planes = [next(i for i, code in enumerate(starts) if code >= plane << 16) for plane in range(17)]
    show("plane_ranges", "uint16_t", [str(i) for i in [*planes, len(starts)]])
    show("range_starts", "uint16_t", [str(code & 0xFFFF) for code in starts])
    show("range_classes", "uint8_t", [str(kinds.index(found[code])) for code in starts])


def show_mappings() -> None:
    upper = list(mapped(str.upper, chr))
    lower = list(mapped(str.lower, chr))
    title = list(mapped(str.title, lambda code: chr(code).upper()))
    fold = list(mapped(str.casefold, lambda code: chr(code).lower()))
    print("/* Runs of mappings to one character: the first code point, above it in the word the step (bit 21, 0 for"
          "\n * 1) and the count (from bit 22), and the distance. Title and fold hold what differs from upper and"
          "\n * lower. */")
    print("typedef struct case_run { uint32_t from; int32_t distance; } case_run;")
    for name, pairs in (("upper", upper), ("lower", lower), ("title", title), ("fold", fold)):
        items = [f"{{{first | (step - 1) << 21 | count << 22:#x}, {distance}}}"
                 for first, count, step, distance in runs(pairs)]
        show(f"{name}_runs", "case_run", items)
    print("/* Mappings to several characters: code point, length, characters. */")
    for name, pairs in (("upper", upper), ("lower", lower), ("title", title), ("fold", fold)):
        items = []
        for code, text in pairs:
            if len(text) > 1:
                items += [hex(code), str(len(text)), *(hex(ord(c)) for c in text)]
        if items:
            show(f"{name}_sequences", "uint16_t", items)


def main() -> None:
    if unicodedata.unidata_version != "14.0.0":
        sys.exit(f"this Python has Unicode {unicodedata.unidata_version}; the tables are those of CPython 3.11, 14.0.0")
    print("/* unicode_tables.h - facts about code points, Unicode 14.0.0; written by make_unicode.py. */\n")
    for bit, name in enumerate(FLAGS):
        if name.endswith("_UPPER"):
            print(f"#define {name} {1 << bit}u")
    print()
    show_classes()
    zeros = [code for code in range(LAST + 1) if unicodedata.decimal(chr(code), -1) == 0]
    assert all(unicodedata.decimal(chr(zero + i)) == i for zero in zeros for i in range(10))
    print("/* The zeros of the decimal digits of every script. */")
    show("zeros", "uint32_t", [hex(zero) for zero in zeros])
    show_mappings()


if __name__ == "__main__":
    main()
