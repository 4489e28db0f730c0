"""Text as people handle it: parsing, cleaning, formatting, code points."""

from __future__ import annotations

import math
from typing import Optional, Union

from language_rows import of_row
from oracle import program

of_row("str methods")


@program("key=value pairs of a line, spaces around them", ("a=1; b = two;;c",), ("",))
def pairs(line: str) -> dict[str, str]:
    out: dict[str, str] = {}
    for part in line.split(";"):
        part = part.strip()
        if not part:
            continue
        key, sep, value = part.partition("=")
        out[key.rstrip()] = value.lstrip() if sep else "true"
    return out


@program("comma-separated fields with quotes, by a small automaton", ('a,"b,c",d',), ('"x""y"',), (",",), ('"open',))
def csv_fields(line: str) -> list[str]:
    fields: list[str] = []
    current = ""
    quoted = False
    i = 0
    while i < len(line):
        c = line[i]
        if quoted:
            if c == '"' and line[i + 1 : i + 2] == '"':
                current += c
                i += 1
            elif c == '"':
                quoted = False
            else:
                current += c
        elif c == '"':
            quoted = True
        elif c == ",":
            fields.append(current)
            current = ""
        else:
            current += c
        i += 1
    if quoted:
        raise ValueError("unterminated quote")
    return fields + [current]


@program("a dotted version compared as numbers", ("1.10.0", "1.9"), ("2", "2.0"), ("1.x", "1"))
def newer(a: str, b: str) -> bool:
    return [int(p) for p in a.split(".")] > [int(p) for p in b.split(".")]


@program("a caesar shift of letters only", ("Hello, World!", 3), ("xyz", 30), ("", 1))
def caesar(text: str, k: int) -> str:
    out = []
    for c in text:
        if "a" <= c <= "z":
            out.append(chr((ord(c) - ord("a") + k) % 26 + ord("a")))
        elif c.isupper():
            out.append(chr((ord(c) - 65 + k) % 26 + 65))
        else:
            out.append(c)
    return "".join(out)


@program("palindromes with everything but letters left out", ("A man, a plan",), ("No lemon, no melon",), ("",))
def palindrome(text: str) -> bool:
    cleaned = "".join([c.lower() for c in text if c.isalnum()])
    return cleaned == cleaned[::-1]


@program("balanced brackets with a stack and a dict of partners", ("([]{})",), ("(]",), ("((",), ("",))
def balanced(text: str) -> bool:
    partner = {")": "(", "]": "[", "}": "{"}
    stack: list[str] = []
    for c in text:
        if c in partner.values():
            stack.append(c)
        elif c in partner:
            if not stack or stack.pop() != partner[c]:
                return False
    return not stack


@program("words in title case except small ones", ("the lord of the rings",), ("OF",), ("",))
def titled(text: str) -> str:
    small = ("of", "the", "a")
    words = text.lower().split()
    return " ".join(w if w in small and i > 0 else w.capitalize() for i, w in enumerate(words))


@program("snake case to camel case and back", ("one_two_three",), ("_x",), ("",))
def camel(name: str) -> tuple[str, str]:
    head, *tail = name.split("_")
    joined = head + "".join(t.title() for t in tail)
    back = ""
    for c in joined:
        back += "_" + c.lower() if c.isupper() else c
    return joined, back


@program("an indented outline to a nested path list", ("a\n  b\n    c\n  d\ne",), ("",))
def outline(text: str) -> list[str]:
    path: list[str] = []
    out: list[str] = []
    for line in text.splitlines():
        depth = (len(line) - len(line.lstrip())) // 2
        del path[depth:]
        path.append(line.strip())
        out.append("/".join(path))
    return out


@program("wrapping words to a width", ("the quick brown fox jumps", 10), ("loooooooong", 4), ("", 5))
def wrapped(text: str, width: int) -> list[str]:
    lines: list[str] = []
    line = ""
    for word in text.split():
        if line and len(line) + 1 + len(word) > width:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    if line:
        lines.append(line)
    return lines


@program("tabs expanded and columns justified", ("a\tbb\nccc\td", 6), ("x", 3))
def columns(text: str, width: int) -> str:
    rows = [line.expandtabs(4).split() for line in text.split("\n")]
    return "\n".join("|".join(cell.ljust(width, ".") for cell in r) for r in rows)


@program("counting overlapping and separate occurrences", ("aaaa", "aa"), ("banana", "ana"), ("x", "y"))
def occurrences(text: str, part: str) -> tuple[int, int]:
    overlapping = sum(1 for i in range(len(text)) if text.startswith(part, i))
    return text.count(part), overlapping


@program("replace with a limit, and of the empty text", ("a-b-c", 1), ("abc", -1), ("", 2))
def replacing(text: str, n: int) -> tuple[str, str]:
    return text.replace("-", "+", n), text.replace("", ".", n)


@program("strip of sets of characters at either end", ("xxhixyx", "xy"), ("   ", " "), ("", "a"))
def stripping(text: str, chars: str) -> list[str]:
    return [text.strip(chars), text.lstrip(chars), text.rstrip(chars), text.strip()]


@program("split by text, by white space, with limits from both ends", ("a b  c d", 2), ("", 1), ("abc", 0))
def splitting(text: str, n: int) -> list[list[str]]:
    return [text.split(" "), text.split(), text.split(" ", n), text.rsplit(" ", n), text.rsplit(maxsplit=n)]


@program("an empty separator raises", ("abc", ""), ("abc", "b"))
def separator(text: str, sep: str) -> list[str]:
    return text.split(sep)


@program("lines kept with their ends", ("a\nb\r\nc",), ("\n\n",), ("",))
def kept_ends(text: str) -> list[str]:
    return text.splitlines(True) + text.splitlines(keepends=False)


@program("prefix and suffix removed once only", ("testtest.py", "test", ".py"), ("abc", "x", "c"))
def affix_once(name: str, before: str, after: str) -> str:
    return name.removeprefix(before).removesuffix(after).removesuffix(after)


@program("startswith with a tuple and bounds", ("module.weight", 7), ("weight", 0), ("", 0))
def starts(name: str, at: int) -> tuple[bool, bool, bool]:
    return name.startswith(("weight", "bias"), at), name.endswith(("weight", ""), at), name.startswith("")


@program("translate by str.maketrans with a dict", ("hello",))
def translated(text: str) -> str:
    return text.translate(str.maketrans({"l": "L", "o": None}))


@program("zfill, center, ljust of signed and long texts", ("-42", 6), ("+1", 4), ("long text", 3))
def filled(text: str, width: int) -> list[str]:
    return [text.zfill(width), text.center(width, "*"), text.ljust(width) + "|", text.rjust(width, "0")]


@program("questions about characters", ("abc1",), ("  ",), ("",), ("ABC",), ("١",), ("½",))
def questions(text: str) -> list[bool]:
    return [
        text.isalpha(), text.isdigit(), text.isalnum(), text.isspace(), text.islower(), text.isupper(), text.istitle(),
        text.isidentifier(), text.isdecimal(), text.isnumeric(), text.isprintable(), text.isascii(),
    ]


@program("find with negative bounds and index that raises", ("hello", "l"), ("hello", "z"), ("", ""))
def finding(text: str, part: str) -> tuple[int, int, int, int]:
    return text.find(part, -3), text.find(part, 1, -2), text.rfind(part), text.index(part, 0, 4)


@program("join of many kinds of iterables", (["a", "b"], {"k": 1, "m": 2}), ([], {}))
def joins(items: list[str], table: dict[str, int]) -> str:
    return "-".join(items) + ".".join(table) + ",".join("xyz") + "".join(tuple(items)) + "+".join(str(v) for v in table.values())


@program("join of one that is not a text is caught when compiled or raises nothing", (["a"],))
def join_own(items: list[str]) -> str:
    items.append("|".join(items))
    return items[-1].join(items)


@program("text multiplied by negative and zero", ("ab", -1), ("ab", 0), ("ab", 3))
def repeated(text: str, n: int) -> str:
    return text * n + n * "-" + (text * 2)[:n]


@program("slices of text with every sign of step", ("abcdef",), ("a",), ("",))
def text_slices(text: str) -> list[str]:
    return [text[::2], text[::-2], text[-3:], text[:-3], text[4:1:-1], text[10:], text[-100:2], text[1:-1:3]]


@program("text index out of range", ("abc", 3), ("abc", -3), ("", 0))
def text_index(text: str, i: int) -> str:
    return text[i] + text[-1:]


@program("min, max, sorted, reversed and set of a text", ("banana",), ("z",))
def letters(text: str) -> tuple[str, str, list[str], str, int]:
    return min(text), max(text), sorted(text), "".join(reversed(text)), len(set(text))


@program("a text walked with enumerate and zip of itself", ("aabba",), ("",))
def edges(text: str) -> list[int]:
    return [i for i, (a, b) in enumerate(zip(text, text[1:])) if a != b]


@program("text comparison by code point, and in chains", ("a", "B", "ab"), ("é", "z", "é"))
def compared(a: str, b: str, c: str) -> list[bool]:
    return [a < b, a <= c, a < b < c, a == c != b, "" < a, a in c, c not in a]


@program("numbers parsed with signs, spaces, underscores", (" 12 ",), ("-1_000",), ("+7",), ("1__0",), ("",), ("0x1",))
def parse_int(text: str) -> int:
    return int(text) * 10 + len(text)


@program("floats parsed: exponents, specials, failures", ("1e3",), (" -.5 ",), ("inf",), ("NaN",), ("1_0.0",), ("1e",), ("--1",))
def parse_float(text: str) -> float:
    x = float(text)
    return x / 2 if x == x else -1.0


@program("parse what looks like a number, else keep the text", ("1", "2.5"), ("x", "-3"), ("", "1e2"))
def typed(a: str, b: str) -> list[Union[int, float, str]]:
    out: list[Union[int, float, str]] = []
    for t in (a, b):
        try:
            out.append(int(t))
        except ValueError:
            try:
                out.append(float(t))
            except ValueError:
                out.append(t)
    return out


@program("a hexadecimal colour to three ints", ("#ff8000",), ("00ff",), ("#zzzzzz",))
def colour(text: str) -> tuple[int, int, int]:
    digits = text.lstrip("#")
    if len(digits) != 6:
        raise ValueError(f"bad colour {text!r}")
    r, g, b = (int(digits[i : i + 2], 16) for i in (0, 2, 4))
    return r, g, b


@program("binary, octal and hexadecimal digits by divmod", (255, 2), (0, 8), (-31, 16))
def in_base(n: int, base: int) -> str:
    if n == 0:
        return "0"
    digits = ""
    m = abs(n)
    while m:
        m, d = divmod(m, base)
        digits = "0123456789abcdef"[d] + digits
    return "-" + digits if n < 0 else digits


@program("roman numerals from a tuple of pairs", (1994,), (3,), (0,))
def roman(n: int) -> str:
    out = ""
    for value, letter in ((1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")):
        count, n = divmod(n, value)
        out += letter * count
    return out


@program("a json-like printer of nested data", ({"a": [1, 2], "b": []},), ({},))
def dumped(data: dict[str, list[int]]) -> str:
    parts = [f'"{k}": [{", ".join(str(v) for v in vs)}]' for k, vs in data.items()]
    return "{" + ", ".join(parts) + "}"


@program("a flat json list of ints parsed by hand", ("[1, -22,3 ]",), ("[]",), ("[1",), ("1]",))
def parsed_list(text: str) -> list[int]:
    if not (text.startswith("[") and text.endswith("]")):
        raise ValueError("not a list: " + repr(text))
    inner = text[1:-1].strip()
    return [int(p) for p in inner.split(",")] if inner else []


@program("command line options into a dict of optionals", (["--size", "3", "--fast", "-v"],), ([],), (["--size"],))
def options(args: list[str]) -> dict[str, Optional[str]]:
    out: dict[str, Optional[str]] = {}
    i = 0
    while i < len(args):
        a = args[i]
        if not a.startswith("--"):
            i += 1
            continue
        name = a[2:]
        if i + 1 < len(args) and not args[i + 1].startswith("-"):
            out[name] = args[i + 1]
            i += 2
        else:
            out[name] = None
            i += 1
    return out


@program("a glob with * and ? matched by recursion", ("a*c?", "abbcd"), ("*", ""), ("?", ""), ("a*b", "acd"))
def glob(pattern: str, text: str) -> bool:
    if not pattern:
        return not text
    if pattern[0] == "*":
        return glob(pattern[1:], text) or (text != "" and glob(pattern, text[1:]))
    return text != "" and pattern[0] in ("?", text[0]) and glob(pattern[1:], text[1:])


@program("tokens of an expression with their kinds", ("x1 = 3.5*(y+2)",), ("",), ("a $ b",))
def lexed(text: str) -> list[tuple[str, str]]:
    tokens: list[tuple[str, str]] = []
    i = 0
    while i < len(text):
        c = text[i]
        j = i + 1
        if c.isspace():
            i += 1
            continue
        if c.isalpha() or c == "_":
            while j < len(text) and (text[j].isalnum() or text[j] == "_"):
                j += 1
            kind = "name"
        elif c.isdigit():
            while j < len(text) and (text[j].isdigit() or text[j] == "."):
                j += 1
            kind = "number"
        elif c in "+-*/=()":
            kind = "op"
        else:
            raise SyntaxError(f"unexpected {c!r} at column {i}")
        tokens.append((kind, text[i:j]))
        i = j
    return tokens


@program("shunting-yard to postfix, then evaluated", (["3", "+", "4", "*", "2"],), (["(", "1", "-", "5", ")", "*", "2"],), (["7"],))
def postfix(tokens: list[str]) -> tuple[str, int]:
    rank = {"+": 1, "-": 1, "*": 2}
    out: list[str] = []
    ops: list[str] = []
    for t in tokens:
        if t in rank:
            while ops and ops[-1] != "(" and rank[ops[-1]] >= rank[t]:
                out.append(ops.pop())
            ops.append(t)
        elif t == "(":
            ops.append(t)
        elif t == ")":
            while ops[-1] != "(":
                out.append(ops.pop())
            ops.pop()
        else:
            out.append(t)
    while ops:
        out.append(ops.pop())
    stack: list[int] = []
    for t in out:
        if t in rank:
            b, a = stack.pop(), stack.pop()
            stack.append(a + b if t == "+" else a - b if t == "-" else a * b)
        else:
            stack.append(int(t))
    return " ".join(out), stack[0]


of_row("unicode")


@program("code points beyond ASCII: len, index, slices, reversal", ("naïve 日本 🎈",), ("é",))
def beyond(text: str) -> tuple[int, str, str, list[int]]:
    return len(text), text[-1], text[::-1], [ord(c) for c in text]


@program("searching and splitting with wide characters", ("a→b→c", "→"), ("🎈🎈", "🎈"))
def wide_search(text: str, sep: str) -> tuple[int, list[str], str, bool]:
    return text.find(sep), text.split(sep), text.replace(sep, "->"), sep in text


@program("case of letters beyond ASCII", ("Straße ÀÉ",), ("ǆ",), ("ΣΑΣ",))
def wide_case(text: str) -> list[str]:
    return [text.upper(), text.lower(), text.casefold(), text.title(), text.swapcase()]


@program("repr and ascii of wide and control characters", ("é\n\t\x00",), ("'\"\\",), ("日\u200b",))
def wide_repr(text: str) -> tuple[str, str]:
    return repr(text), ascii(text)


@program("chr out of range, ord of two characters", (65,), (0x1F388,), (-1,), (0x110000,))
def chr_edges(n: int) -> str:
    return chr(n) + chr(0xE9)


@program("widths count code points", ("日本",), ("🎈",), ("",))
def wide_pad(text: str) -> str:
    return f"{text:>4}|{text:*^5}|{text:.1}|{text!r:<6}|" + text.center(4) + "|"


@program("characters counted in a dict keyed by character", ("ababé日é",), ("",))
def histogram(text: str) -> dict[str, int]:
    counts: dict[str, int] = {}
    for c in text:
        counts[c] = counts.get(c, 0) + 1
    return dict(sorted(counts.items(), key=lambda kv: (-kv[1], kv[0])))


@program("white space of every kind is split and stripped", ("a\u00a0b\u2003c \x1f",), ("\u3000",))
def wide_space(text: str) -> tuple[list[str], str]:
    return text.split(), text.strip()


of_row("formatting")


@program("floats with widths, signs and grouping", (1234.5678,), (-0.0,), (1e-7,), (math.inf,))
def float_specs(x: float) -> list[str]:
    return [f"{x:.2f}", f"{x:10.3e}", f"{x:+.1f}", f"{x:,.2f}", f"{x:g}", f"{x:08.2f}", f"{x:<12}|", f"{x: .0f}", f"{x:.3g}"]


@program("ints in every base with prefixes and padding", (255,), (-8,), (0,))
def int_specs(n: int) -> list[str]:
    return [f"{n:b}", f"{n:#o}", f"{n:x}", f"{n:#X}", f"{n:08b}", f"{n:+d}", f"{n:_}", f"{n:>6}", f"{n:^6}|", f"{n:=+6}", f"{n:e}"]


@program("a bool, None and a list inside an f-string", (True,), (False,))
def odd_values(b: bool) -> str:
    return f"{b} {b:d} {None} {[b, None]} {(b,)} {{'k': {b}}} {b!s:>6}"


@program("nested fields: width, precision and fill from variables", (3.14159, 10, 2), (0.5, 3, 0))
def nested_fields(x: float, width: int, digits: int) -> str:
    fill = "*"
    return f"{x:{fill}>{width}.{digits}f}|{x:{width}}|{'ab':{fill}^{width}}"


@program("expressions in fields: calls, indexing, ternaries, dicts", ([1, 2], {"k": 3}), ([5], {"k": 0}))
def rich_fields(xs: list[int], d: dict[str, int]) -> str:
    return f"{len(xs)}/{xs[-1]:03d} {d['k'] if d['k'] else 'none'} {sum(x * x for x in xs)} {'yes' if xs else 'no'!r} {xs=}"


@program("the = form keeps its spaces", (3,))
def equals_form(n: int) -> str:
    return f"{n = } {n * 2=:>5} {n=!r}"


@program("str.format: automatic and named fields, attributes of text", (2, "x"), (-1, ""))
def formats(n: int, s: str) -> str:
    return "{}-{}".format(n, s) + "{1}{0}{1!r}".format(n, s) + "{name:>{w}}".format(name=s, w=4) + "{:%}".format(n / 4)


@program("percent with a dict and with tuples", ("ann", 3, 2.5), ("", -1, 0.0))
def percents(name: str, n: int, x: float) -> str:
    return "%(who)s has %(n)d" % {"who": name, "n": n} + " %5.1f%% %s %r %x" % (x, name, name, n & 255)


@program("a percent format of one value that is no tuple", (7,), (-7,))
def percent_one(n: int) -> str:
    return "%05d" % n + "%s" % [n, n] + "%-4d|" % n + "% d" % n


@program("progress lines with ratios and bars", (3, 10), (0, 4), (4, 4))
def progress(done: int, total: int) -> str:
    share = done / total
    bar = "#" * int(share * 10)
    return f"[{bar:<10}] {share:6.1%} {done:>{len(str(total))}}/{total}"


@program("a table whose widths are computed from its cells", ([["a", "bb"], ["ccc", ""]],), ([["x"]],))
def table(rows: list[list[str]]) -> list[str]:
    widths = [max(len(r[i]) for r in rows) for i in range(len(rows[0]))]
    return [" | ".join(f"{cell:<{w}}" for cell, w in zip(r, widths)) for r in rows]


@program("seconds as hours, minutes and seconds", (3661.5,), (59.9,), (0.0,))
def clock(t: float) -> str:
    h, rest = divmod(int(t), 3600)
    m, s = divmod(rest, 60)
    return f"{h:02d}:{m:02d}:{s:02d}.{int(t * 10) % 10}"


@program("byte sizes with binary prefixes", (1536,), (10,), (5 * 2**30,))
def human(n: int) -> str:
    size = float(n)
    for unit in ("B", "KiB", "MiB"):
        if size < 1024:
            return f"{size:.1f} {unit}" if unit != "B" else f"{n} B"
        size /= 1024
    return f"{size:.1f} GiB"


@program("format() with a computed specification", (12.5, ">10.1f"), (3.0, "e"), (1.0, "q"))
def computed_spec(x: float, spec: str) -> str:
    return format(x, spec) + "{:{}}".format(1, "03d")


@program("joined implicit literals and raw text", (1,))
def literals(n: int) -> str:
    return "a" "b" f"{n}" r"\n" '\x41\u00e9\N{BULLET}' """tri
ple"""


@program("text of nested containers with quotes inside", ("it's",), ('"',), ("both'\"",))
def quoted(s: str) -> str:
    return str([s, (s,), {s: s}]) + f"{ {s} }" + repr((s, None, 1.0))
