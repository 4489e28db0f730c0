"""Text beyond ASCII, and the methods of str that tables and templates drive."""
# ruff: noqa: ANN001, ANN201, ANN202, F501, F502, F506, F507, F509, UP031, UP032

from __future__ import annotations

import sys
from collections import Counter, OrderedDict

from language_rows import of_row
from oracle import program

of_row("unicode")

WORDS = ("", "straße", "ΌΔΟΣ ΣΑΣ", "ǆ ŉ ﬁne İstanbul", "дім Ⅷ ²³½", "日本語 ٣٤", "Ａｂｃ ￼\u2028x", "ʰa 'tis o'clock")


@program("case of text beyond ASCII", *((word,) for word in WORDS))
def cases(s: str) -> list[str]:
    return [s.upper(), s.lower(), s.title(), s.capitalize(), s.swapcase(), s.casefold(), s.upper().lower()]


@program("classes of text beyond ASCII", *((word,) for word in WORDS), ("½",), ("Ⅷ",), ("٣",), ("ªº",), ("\u00a0\u2003",))
def classes(s: str) -> tuple[bool, bool, bool, bool, bool, bool, bool, bool, bool, bool, bool]:
    return (
        s.isalpha(), s.isalnum(), s.isdecimal(), s.isdigit(), s.isnumeric(), s.isspace(), s.isupper(), s.islower(),
        s.istitle(), s.isidentifier(), s.isprintable(),
    )


@program("white space and lines beyond ASCII", ("\u2003a\u00a0b\u3000",), ("a\x85b\u2029c\x1cd",), ("\x1f x",), ("",))
def spaces(s: str) -> tuple[str, list[str], list[str], list[str]]:
    return s.strip(), s.split(), s.rsplit(None, 1), s.splitlines(True)


@program("digits of other scripts as numbers", ("٣٤",), ("  १२\u3000",), ("²",), ("1٠_0",), ("3.५",), ("\x1c1",), ("x",))
def numerals(s: str) -> float:
    try:
        return int(s) + int(s, 8) / 100
    except ValueError as error:
        print(error)
    return float(s)


@program("repr of what cannot be printed", ("a\u200b\ue000\U000e0001\U0001f600\x7f\xad",), ("'é\"",), ("\u0378",))
def shown(s: str) -> tuple[str, str, list[str]]:
    return repr(s), ascii(s), [c for c in s if not c.isprintable()]


of_row("str methods")


@program("translate by a table of texts", ("hello world", {"h": "J", "o": "", "l": "LL"}), ("", {}), ("ab", {"ab": "x"}))
def by_texts(s: str, table: dict[str, str]) -> str:
    return s.translate(str.maketrans(table))


@program("translate by pairs, with deletions", ("banana", "an", "éx", "b"), ("", "", "", ""), ("abc", "ab", "x", "c"))
def by_pairs(s: str, old: str, new: str, gone: str) -> tuple[str, str, int]:
    plain = str.maketrans(old, new)
    both = str.maketrans(old, new, gone)
    return s.translate(plain), s.translate(both), len(both)


@program("translate by code points", ("abc", {97: 98, 98: 0x1F600}), ("a", {97: -1}), ("aé", {233: 0x110000}), ("z", {}))
def by_codes(s: str, table: dict[int, int]) -> str:
    return s.translate(table)


@program("a table made in the script", ("a-b_c",), ("",))
def own_table(s: str) -> list[str]:
    table: dict[int, str | int | None] = {ord("-"): " ", ord("_"): None, ord("c"): 0x263A}
    return s.translate(table).split()


of_row("formatting")

FORMATS = ("{} {} {}", "{0:>8.2f}|{1!r:^9}|{n:05d}", "{2[1]} {d[a]}", "{2[9]}", "{d[zz]}", "{m}", "{9}", "{} {0}", "{0} {}", "{", "}}",
           "{{x}}", "{0!x}", "{0:{n}.{n}f}", "{0.real} {n.imag}", "{n.foo}", "{0:{1:{n}}}", "{1[0]}{1[x]}", "{!r}{!s:>4}{!a}", "{0")


@program("str.format of a text known at run time", *((text, 2.5, "hé", [1, 2], 3, {"a": 7}) for text in FORMATS))
def by_template(text: str, x: float, s: str, xs: list[int], n: int, d: dict[str, int]) -> str:
    return text.format(x, s, xs, n=n, d=d)


@program("str.format_map", ("{a} {b:>4}", {"a": 1, "b": 2}), ("{c}", {"a": 1}), ("{}", {}), ("{0}", {"0": 5}), ("{a:{b}}", {"a": 7, "b": 4}))
def by_map(text: str, table: dict[str, int]) -> tuple[str, str]:
    return text.format_map(table), "<{a!r}>".format_map(table)


PERCENTS = ("%d %.1f %s", "%5d|%-8.3e|%r", "%c%c", "%d", "%d %f %s %s", "%", "%q", "%(a)s", "%*d %s", "%%", "%0%", "%.*f %s", "%x %g %a", "%ld%5%")


@program("% of a text known at run time", *((text, 65, 2.5, "hé") for text in PERCENTS))
def by_percent(text: str, n: int, x: float, s: str) -> str:
    return text % (n, x, s)


@program("% of a run-time text with one value, a dict, a list", *((text, {"a": 1, "b": 2}, 7) for text in ("%(a)d %(b)5d", "%s", "%(c)s", "%(a", "x", "%d", "%(a)d %d")))
def by_names(text: str, table: dict[str, int], n: int) -> list[str]:
    found: list[str] = []
    for place in range(3):
        try:
            found.append(text % table if place == 0 else text % n if place == 1 else text % [n])
        except (TypeError, KeyError, ValueError) as error:
            found.append(f"{type(error).__name__}: {error}")
    return found


@program("constant % formats that fail when they are reached", (3, "a"), (0, "b"))
def failing(n: int, s: str) -> list[str]:
    found: list[str] = []
    for i in range(5):
        try:
            if i == 0:
                found.append("%d %q" % (n, s))
            elif i == 1:
                found.append("%s %(key)s" % (n, s))
            elif i == 2:
                found.append("%0%" % ())
            elif i == 3:
                found.append("%.2f %" % (n,))
            else:
                found.append("%s" % b"%" + "x" % [s])
        except (TypeError, ValueError) as error:
            found.append(str(error))
    return found


@program("format() with a specification known at run time", (1234.5, 42, "text", ">12,.2f"), (0.1, 255, "é", "_x"), (1.0, 3, "s", "*^9"),
         (2.0, 1, "", ",,d"), (-0.0, -7, "ab", "+08"), (1e9, 10**12, "q", ",_"))
def specified(x: float, n: int, s: str, spec: str) -> list[str]:
    found: list[str] = []
    for place in range(3):
        try:
            found.append(format(x, spec) if place == 0 else format(n, spec) if place == 1 else f"{s:{spec}}")
        except ValueError as error:
            found.append(str(error))
    return found


class Shown:
    def __init__(self, x: int) -> None:
        self.x = x

    def __repr__(self) -> str:
        return f"Shown({self.x})"


@program("texts of views of dicts of every class", ({"a": 1, "b": 2},), ({},))
def views(d: dict[str, int]) -> list[str]:
    ordered, counted = OrderedDict(d), Counter(d)
    out = [str(d.keys()), repr(d.values()), f"{d.items()}", f"{d.keys()!r:>30}", f"{ordered.keys()} {ordered.items()}"]
    print(d.keys(), counted.values(), {1: Shown(2)}.items(), {"a": [1.5, None]}.values())
    keys = d.keys()
    d["new"] = 5
    print(keys, f"{keys=}", file=None)
    return [*out, str(keys)]


@program("texts of classes", (1, "a"))
def class_texts(n: int, s: str) -> list[str]:
    def check(x, kind):
        if not isinstance(x, kind):
            raise TypeError(f"expected {kind}, got {type(x)}")
        return str(kind)

    print(type(n), type(s), int, type(1.5), file=sys.stdout)
    out = [str(type(n)), f"{type(s)}", repr(int), str(ValueError), f"{type(n)!r:>20}", f"{type([n])}", check(n, int)]
    try:
        check(s, int)
    except TypeError as e:
        out.append(str(e))
    return out

