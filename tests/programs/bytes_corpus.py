"""bytes: items, methods, codecs, and their way through containers, closures, exceptions and the boundary."""
# ruff: noqa: ANN001, ANN201, ANN202

from __future__ import annotations

from typing import Any, Optional, Union

from language_rows import of_row
from oracle import program

of_row("bytes")

MAGIC = b"\x89TSM\r\n"


@program("bytes: items, slices, loops", (b"",), (b"abc\xff\0",), (b"\x80" * 40,))
def items(data: bytes) -> tuple[int, list[int], bytes, bytes, bool]:
    total = 0
    for i, byte in enumerate(data):
        total += byte * i
    return total, [b for b in data if b > 97], data[1:-1], data[::-2], len(data) > 2 and data[0] == data[-1]


@program("bytes: an index out of range", (b"ab", 1), (b"ab", 2), (b"", -1), (b"ab", -2))
def item(data: bytes, at: int) -> tuple[int, int]:
    return data[at], -data[at - 1]


@program("bytes: + * in comparison", (b"ab", b"b", 2), (b"", b"", -1), (b"\xff", b"\xfe", 300), (b"a", b"ab", 97))
def algebra(a: bytes, b: bytes, n: int) -> tuple[bytes, bytes, bool, bool, bool, bool, bool]:
    return a + b, a * n, b in a, a < b, a >= b, a == b, n in a


@program("bytes: keys of dicts, elements of sets, sorting", ([b"b", b"a", b"b", b""],), ([],))
def counted(words: list[bytes]) -> tuple[dict[bytes, int], list[bytes], bool, dict[tuple[bytes, int], bytes]]:
    table: dict[bytes, int] = {}
    for word in words:
        table[word] = table.get(word, 0) + 1
    pairs = {(word, i): word * i for i, word in enumerate(words)}
    return table, sorted(set(words), reverse=True), b"a" in table, pairs


@program("bytes made of ints", ([1, 255, 0], 3), ([256], 1), ([], 0), ([-1], 2), ([5], -1))
def made(values: list[int], n: int) -> tuple[bytes, bytes, bytes, bytes]:
    return bytes(values), bytes(v % 256 for v in values), bytes(range(n)), bytes(n)


@program("bytes: hex and fromhex", ("00ff 10", "-", 2), ("abc", ":", 1), ("", "", 1), ("6é", ":", 3), ("0102030405", ":", -2))
def hexadecimal(text: str, sep: str, group: int) -> tuple[bytes, str, str]:
    data = bytes.fromhex(text)
    return data, data.hex(), data.hex(sep, group)


@program("bytes: search by bytes and by int", (b"abcabc", b"bc", 97), (b"", b"", 1), (b"aaa", b"a", 300), (b"xyz", b"q", 121))
def searched(data: bytes, part: bytes, byte: int) -> list[int]:
    found = [data.find(part), data.rfind(part), data.count(part), data.find(part, 2), data.find(part, -3, -1)]
    found += [data.find(byte), data.rfind(byte, 1), data.count(byte)]
    found.append(data.index(part))
    return found


@program("bytes: methods that cut", (b"  a, b,,c \n", b","), (b"", b" "), (b"a\r\nb\rc", b"\r"), (b"x", b""))
def cut(data: bytes, sep: bytes) -> None:
    print(data.strip(), data.lstrip(b" a"), data.rstrip(sep), data.split(), data.splitlines(), data.splitlines(True))
    print(data.removeprefix(sep), data.removesuffix(b"\n"), data.replace(sep, b"<>"), data.replace(b"a", b"", 1))
    print(data.split(sep), data.rsplit(sep, 1), data.partition(sep), data.rpartition(sep), sep.join(data.split(sep)))


@program("bytes: methods that shape and ask", (b"hello World 12",), (b"",), (b"\xe9A\t-5",), (b"ABC",), (b"-7",))
def shaped(data: bytes) -> None:
    print(data.upper(), data.lower(), data.title(), data.capitalize(), data.swapcase(), data.expandtabs(4))
    print(data.center(20), data.center(19, b"*"), data.ljust(8), data.rjust(3, b"."), data.zfill(6))
    print(data.isascii(), data.isalpha(), data.isalnum(), data.isdigit(), data.isspace(), data.isupper(), data.islower())
    print(data.istitle(), data.startswith(b"h"), data.endswith((b"12", b"C")), data.startswith((b"x", b"A"), 1))


@program("decode: the error has Python's arguments", (b"abc",), (b"a\xff",), (b"\xe6\x97",), (b"\xc3(",), (b"\xed\xa0\x80",))
def decoded(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        print(error, error.args)
    except ValueError:
        print("never")
    return data.decode("utf-8", "replace") + data.decode(errors="ignore") + str(data, "ascii", "backslashreplace")


@program("decode and encode that raise", (b"ok", "ok"), (b"\x80", "ok"), (b"a", "\xe9"), (b"", "日本é"), (b"\xff", "𝄞"))
def strict(data: bytes, text: str) -> tuple[str, bytes, str]:
    return data.decode("ascii"), text.encode("Latin-1"), data.decode("latin1")


@program("encode: error handlers", ("a\xe9日𝄞",), ("",), ("plain",))
def encoded(text: str) -> list[bytes]:
    return [
        text.encode(), text.encode("ascii", "ignore"), text.encode("ascii", "replace"), bytes(text, "utf8"),
        text.encode(encoding="latin-1", errors="backslashreplace"), text.encode("us-ascii", "xmlcharrefreplace"),
    ]


@program("bytes in Optional and Union", (b"x", None), (None, "text"), (b"", b"y"), (b"q", 3))
def united(a: Optional[bytes], b: Union[bytes, str, int, None]) -> tuple[bytes, bool]:
    data = a if a is not None else MAGIC
    if isinstance(b, bytes):
        data += b
    elif isinstance(b, str):
        data += b.encode()
    elif b:
        data *= b
    return data, bool(data)


@program("bytes: text, format, hash, truth", (b"it's \"x\"\\\n",), (b"",), (b"'",))
def shown(data: bytes) -> tuple[str, str, bool]:
    print(data, [data], f"{data}|{data!r:>12}", "%s %r" % (data, data), str(data), "{}".format(data))
    return repr(data), ascii(data), (hash(data) == hash(bytes(list(data)))) == bool(data or b"x")


@program("bytes.translate and bytes.maketrans", (b"hello", b"el", b"ip"), (b"", b"", b""), (b"a", b"ab", b"c"))
def translated(data: bytes, old: bytes, new: bytes) -> tuple[bytes, bytes, bytes]:
    table = bytes.maketrans(old, new)
    return data.translate(table), data.translate(None, b"l"), data.translate(table, delete=old[:1])


@program("bytes in a state machine over UTF-8", (b"a\xc3\xa9\xe6\x97\xa5",), (b"\xff",), (b"",))
def widths(data: bytes) -> list[int]:
    found: list[int] = []
    at = 0
    while at < len(data):
        lead = data[at]
        width = 1 if lead < 0x80 else 2 if lead >> 5 == 6 else 3 if lead >> 4 == 14 else 0
        if not width:
            raise ValueError(f"bad byte {lead:#x} at {at}")
        found.append(width)
        at += width
    return found


@program("bytes unpacked, in a tuple, min, max, sum", (b"abc",), (b"zyxw",), (b"ab",))
def unpacked(data: bytes) -> tuple[int, list[int], int, int, int, list[int], tuple[bytes, int]]:
    first, second, *rest = data
    return first, rest, min(data), max(data), sum(data), sorted(data), (data[second % 2 :], second)


@program("bytes: merging pairs as a tokenizer does", (b"aaabdaaabac", 3), (b"", 2), (b"ab", 5))
def merged(data: bytes, rounds: int) -> list[bytes]:
    parts = [bytes([b]) for b in data]
    for _ in range(rounds):
        counts: dict[tuple[bytes, bytes], int] = {}
        for pair in zip(parts, parts[1:]):
            counts[pair] = counts.get(pair, 0) + 1
        if not counts:
            break
        best = max(counts, key=lambda pair: (counts[pair], pair))
        made: list[bytes] = []
        i = 0
        while i < len(parts):
            if i + 1 < len(parts) and (parts[i], parts[i + 1]) == best:
                made.append(parts[i] + parts[i + 1])
                i += 2
            else:
                made.append(parts[i])
                i += 1
        parts = made
    return parts


@program("bytes % values", (7, b"ab\xff", 2.5), (-300, b"", 0.0))
def percent_bytes(n: int, data: bytes, x: float) -> list[bytes]:
    named = b"%(k)s %(k)r" % {b"k": data}
    return [b"%d|%5d|%-5d|%05d|%x" % (n, n, n, n, n), b"%s %b|%4s|%.1s" % (data, data, data, data), b"%.2f %%" % x,
            b"%a %c%c" % ("\xe9", 65, b"z"), b"%*d" % (4, n), b"<%s>" % data, named]


@program("what bytes % refuses", (b"ab", 300), (b"", -1))
def percent_bytes_wrong(data: bytes, n: int) -> list[str]:
    out: list[str] = []
    for step in range(9):
        try:
            if step == 0:
                out.append(str(b"%s" % "x"))
            elif step == 1:
                out.append(str(b"%d" % data))
            elif step == 2:
                out.append(str(b"%d %d" % (n,)))
            elif step == 3:
                out.append(str(b"%d" % (n, n)))
            elif step == 4:
                out.append(str(b"%c" % n))
            elif step == 5:
                out.append(str(b"%c" % data))
            elif step == 6:
                out.append(str(b"abc" % data))
            elif step == 7:
                out.append(str(b"%q" % n))
            else:
                out.append(str(b"%(a)s" % n))
        except (TypeError, ValueError, OverflowError) as error:
            out.append(f"{type(error).__name__} {error}")
    return out


@program("bytearray: filled, indexed, sliced, joined", ("hello",), ("né",), ("",))
def filled_bytearray(s: str) -> list[str]:
    b = bytearray()
    b += s.encode()
    b.append(33)
    b.extend([65, 66])
    b[0] = 90
    b[1:2] = b"xyz"
    total = 0
    for x in b:
        total += x
    joined = b + b"!!"
    del b[1]
    return [joined.decode("utf-8", "replace"), str(total), str(b[-1]), repr(b[:2]), str(b"z" in b), str(120 in b), str(len(joined)),
            str(bytes(b)), str(joined == b"as"), str(b == b[:]), str(bool(bytearray())), b.hex(), f"{b}", str(b"ab" + b),
            str(max(b)), str(sorted(b)), str(int.from_bytes(b[:2], "big")), type(b).__name__, str(b > b"a"), str(b * 2)]


class BitWriter:
    def __init__(self):
        self.buffer = bytearray()
        self.count = 0

    def write(self, value: int, bits: int) -> None:
        for i in range(bits):
            if self.count % 8 == 0:
                self.buffer.append(0)
            self.buffer[-1] |= ((value >> i) & 1) << (self.count % 8)
            self.count += 1


@program("bytearray: bits packed, numbers of variable length", ([1, 2, 30],), ([],))
def packed_bits(values: list[int]) -> tuple[bytes, bytes]:
    writer, lengths = BitWriter(), bytearray()
    for value in values:
        writer.write(value, 5)
        value *= 300
        while value > 127:
            lengths.append(value & 127 | 128)
            value >>= 7
        lengths.append(value)
    return bytes(writer.buffer), bytes(lengths)


@program("bytearray: what it cannot do, and what it is", (3,), (0,))
def bytearray_corners(n: int) -> list[str]:
    b = bytearray(n)
    out: list[str] = []
    for step in range(10):
        try:
            if step == 0:
                b.append(300)
            elif step == 9:
                out.append(str(300 in b))
            elif step == 1:
                b[99] = -1
            elif step == 2:
                b[99] = 1
            elif step == 3:
                out.append(str(b.pop()))
            elif step == 4:
                b.remove(7)
            elif step == 5:
                bytearray(n - 5)
            elif step == 6:
                out.append(str(hash(b)))
            elif step == 7:
                b.extend([1, 256])
            else:
                out.append(str(b[50]))
        except (ValueError, IndexError, TypeError) as error:
            out.append(f"{type(error).__name__} {error}")
    held: list[Any] = [b, 1]
    first = held[0]
    c = bytearray("ab", "utf-8")
    c.reverse()
    c.insert(1, 99)
    d = c.copy()
    d.clear()
    if isinstance(first, bytearray):
        first.append(5)
    out += [repr(b), repr(c), str(len(d)), str(isinstance(b, (bytes, bytearray))), str(c.find(b"c")), str(c.startswith(b"b")),
            str(bytearray.fromhex("00ff")), str(c.count(b"a")), str(c != b), str(b"".join([b"x", bytes(c)]))]
    return out
