"""The language of `str % values`: a literal as text and conversions.

In: the literal. Out: its pieces in order. Holds: what CPython refuses in it is the last piece, with CPython's text.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...parser import syntax

FLAGS = "-+ #0"
LETTERS = "diouxXeEfFgGcrsa"


class MalformedFormat(Exception):
    """ValueError in Python, with this text."""


@dataclass(frozen=True, slots=True)
class Conversion:
    """`parts` are flags, width and precision, cut where a `*` stands."""

    key: str | None
    parts: tuple[str, ...]
    letter: str

    @property
    def stars(self) -> int:
        return len(self.parts) - 1

    @property
    def is_plain(self) -> bool:
        """Whether the value's text is all there is."""
        return self.parts == ("",)


def conversions(text: str, letters: str = LETTERS) -> list[str | Conversion | MalformedFormat]:
    """The pieces of a format, up to what is malformed; `%%` is text."""
    pieces: list[str | Conversion | MalformedFormat] = []
    at = 0
    while at < len(text):
        found = text.find("%", at)
        end = len(text) if found < 0 else found
        if end > at:
            pieces.append(text[at:end])
        if found < 0:
            break
        try:
            piece, at = _Scanner(text, found + 1, letters).conversion()
        except MalformedFormat as error:
            pieces.append(error)
            break
        pieces.append(piece)
    return pieces


class _Scanner:
    def __init__(self, text: str, at: int, letters: str) -> None:
        self.text = text
        self.letters = letters
        self.at = at
        self.parts = [""]

    @property
    def char(self) -> str:
        return self.text[self.at : self.at + 1]

    def conversion(self) -> tuple[str | Conversion, int]:
        if self.char == "%":
            return "%", self.at + 1
        key = self.key() if self.char == "(" else None
        self.take(FLAGS)
        self.number()
        if self.char == ".":
            self.take(".", 1)
            self.number()
        if self.char and self.char in "hlL":
            self.at += 1
        letter = self.char
        if not letter:
            raise MalformedFormat("incomplete format")
        self.at += 1
        if letter not in self.letters:
            shown = letter if "\x1f" < letter < "\x7f" else "?"
            raise MalformedFormat(
                f"unsupported format character '{shown}' (0x{ord(letter):x}) at index {self.at - 1}"
            )
        return Conversion(key, tuple(self.parts), letter), self.at

    def key(self) -> str:
        """`(name)`, with brackets inside it in pairs."""
        start, depth = self.at + 1, 1
        self.at = start
        while depth:
            if not self.char:
                raise MalformedFormat("incomplete format key")
            depth += (self.char == "(") - (self.char == ")")
            self.at += 1
        return self.text[start : self.at - 1]

    def take(self, allowed: str, most: int = 1000) -> None:
        while self.char and self.char in allowed and most:
            self.parts[-1] += self.char
            self.at += 1
            most -= 1

    def number(self) -> None:
        if self.char == "*":
            self.at += 1
            self.parts.append("")
        else:
            self.take("0123456789", 100)


def as_joined_string(node: syntax.BinOp) -> syntax.JoinedStr | None:
    """`"%s: %r" % (a, b)` as the f-string that CPython 3.11 makes of it, where each text comes before the next value.

    Only of a literal with nothing but %s, %r and %a, and a display of as many values.
    """
    if not (isinstance(node.left, syntax.Constant) and isinstance(node.right, syntax.Tuple)):
        return None
    pieces = conversions(node.left.value) if isinstance(node.left.value, str) else [MalformedFormat()]
    fields = [piece for piece in pieces if not isinstance(piece, str)]
    values = node.right.elts
    if len(fields) != len(values) or not all(map(_is_simple, fields)):
        return None
    if any(isinstance(value, syntax.Starred) for value in values):
        return None
    rest = iter(values)
    return syntax.JoinedStr(node.span, [
        _field(piece, next(rest)) if isinstance(piece, Conversion) else syntax.Constant(node.left.span, piece)
        for piece in pieces
    ])


def _is_simple(piece: Conversion | MalformedFormat) -> bool:
    return isinstance(piece, Conversion) and piece.key is None and piece.stars == 0 and piece.letter in "sra"


def _field(piece: Conversion, value: syntax.Expression) -> syntax.FormattedValue:
    options = piece.parts[0]
    width = options.lstrip(FLAGS)
    flags = options[: len(options) - len(width)]
    align = ">" if width and width[0] != "." and "-" not in flags else ""
    spec = syntax.JoinedStr(value.span, [syntax.Constant(value.span, align + width)]) if width else None
    return syntax.FormattedValue(value.span, value, piece.letter, spec)
