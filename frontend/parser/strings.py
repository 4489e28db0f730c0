"""String literals: from the tokens of one (implicitly concatenated) string to a Constant or JoinedStr.

In: STRING tokens as written. Out: nodes; the expressions of f-strings are parsed by the caller's `parse_expression`.
Holds: escapes mean what CPython's do; f-strings are split before escapes are decoded, as CPython 3.11 does.
"""

from __future__ import annotations

import codecs
import re
import warnings
from collections.abc import Callable
from typing import NoReturn

from lark import Token

from ..diagnostics import Span
from . import syntax
from .string_ends import NAME, OPENING, literal_end
from .tokens import Source

_LITERAL = re.compile(r"([a-zA-Z]*)('''|\"\"\"|'|\")(.*)\2\Z", re.S)
_ESCAPE = re.compile(
    r"\\(?:(?P<line>\n)|(?P<octal>[0-7]{1,3})|x(?P<x>[0-9a-fA-F]{2})|u(?P<u>[0-9a-fA-F]{4})|U(?P<U>[0-9a-fA-F]{8})"
    r"|N\{(?P<N>[^}]*)\}|(?P<bad>[xuUN])|(?P<other>.))",
    re.S,
)
_SIMPLE = {"\\": "\\", "'": "'", '"': '"', "a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_BAD = {"x": r"\xXX", "u": r"\uXXXX", "U": r"\UXXXXXXXX", "N": r"\N{name}"}
MAX_FORMAT_NESTING = 2

# Parses one expression of an f-string: text, its first line, the number of columns before it.
ParseExpression = Callable[[str, int, int], syntax.Expression]


def build_string(
    source: Source, tokens: list[Token], span: Span, parse_expression: ParseExpression
) -> syntax.Expression:
    """The value of adjacent literals. Raises ScriptSyntaxError."""
    parts = [_Literal(source, token, parse_expression) for token in tokens]
    if len({part.is_bytes for part in parts}) > 1:
        source.fail(span, "cannot mix bytes and non-bytes literals")
    if parts[0].is_bytes:
        return syntax.Constant(span, b"".join(part.decoded_bytes() for part in parts))
    kind = "u" if parts[0].prefix in ("u", "U") else None
    if not any(part.is_format for part in parts):
        return syntax.Constant(span, "".join(part.decoded() for part in parts), kind)
    return syntax.JoinedStr(span, _merged([value for part in parts for value in part.values(span)], kind))


def _merged(values: list[syntax.Expression], kind: str | None = None) -> list[syntax.Expression]:
    """Adjacent constants as one, empty ones left out."""
    merged: list[syntax.Expression] = []
    for value in values:
        last = merged[-1] if merged else None
        if isinstance(value, syntax.Constant) and isinstance(last, syntax.Constant):
            merged[-1] = syntax.Constant(last.span, f"{last.value}{value.value}", last.kind)
        elif not (isinstance(value, syntax.Constant) and value.value == ""):
            merged.append(value)
    if kind and merged and isinstance(merged[0], syntax.Constant):
        merged[0].kind = kind
    return merged


class _Literal:
    """One literal of a concatenation."""

    def __init__(self, source: Source, token: Token, parse_expression: ParseExpression) -> None:
        found = _LITERAL.match(token)
        assert found is not None
        self.source = source
        self.token = token
        self.parse_expression = parse_expression
        self.prefix, self.quote, self.content = found.groups()
        letters = self.prefix.lower()
        self.is_raw = "r" in letters
        self.is_bytes = "b" in letters
        self.is_format = "f" in letters
        self.offset = found.start(3)

    def fail(self, start: int, end: int, message: str, hint: str | None = None) -> NoReturn:
        """Refuse content[start:end]."""
        line, column = self.where(start)
        end_line, end_column = self.where(max(end, start + 1))
        self.source.fail(Span(self.source.file, line, column, end_line, end_column), message, hint)

    def where(self, index: int) -> tuple[int, int]:
        """Line and column of content[index]."""
        assert self.token.line is not None and self.token.column is not None
        before = self.token[: self.offset + index]
        newlines = before.count("\n")
        if newlines:
            return self.token.line + newlines, len(before) - before.rindex("\n")
        return self.token.line, self.token.column + len(before)

    def decoded(self) -> str:
        return self.decode(0, len(self.content))

    def decode(self, start: int, end: int) -> str:
        text = self.content[start:end]
        if self.is_raw or "\\" not in text:
            return text

        def replaced(found: re.Match[str]) -> str:
            kind = found.lastgroup
            assert kind is not None
            value = found.group(kind)
            at = start + found.start()
            if kind == "line":
                return ""
            if kind == "octal":
                return chr(int(value, 8))
            if kind in ("x", "u", "U"):
                if int(value, 16) > 0x10FFFF:
                    self.fail(at, at + len(found.group()), "illegal Unicode character in an escape")
                return chr(int(value, 16))
            if kind == "N":
                return self._named(value, at, len(found.group()))
            if kind == "bad":
                self.fail(at, at + 2, f"truncated escape, expected {_BAD[value]}", "write \\\\ for a backslash")
            return _SIMPLE.get(value, found.group())

        return _ESCAPE.sub(replaced, text)

    def _named(self, name: str, at: int, width: int) -> str:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                return codecs.decode(f"\\N{{{name}}}".encode("ascii"), "unicode_escape")
            except ValueError:
                self.fail(at, at + width, f"unknown Unicode character name '{name}'")

    def decoded_bytes(self) -> bytes:
        for index, char in enumerate(self.content):
            if not char.isascii():
                self.fail(index, index + 1, "bytes can only contain ASCII literal characters", "use \\x escapes")
        raw = self.content.encode("ascii")
        if self.is_raw:
            return raw
        found = re.search(r"(?<!\\)(?:\\\\)*(\\x(?![0-9a-fA-F]{2}))", self.content)
        if found is not None:
            at = found.start(1)
            self.fail(at, at + 2, r"truncated escape, expected \xXX", "write \\\\ for a backslash")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return codecs.escape_decode(raw)[0]

    def values(self, span: Span) -> list[syntax.Expression]:
        """The pieces of this literal; `span` is that of the whole concatenation, as CPython's."""
        if not self.is_format:
            return [syntax.Constant(span, self.decoded())]
        values, end = self._pieces(0, 0, span)
        if end < len(self.content):
            self.fail(end, end + 1, "f-string: single '}' is not allowed", "write '}}' for a brace")
        return values

    def _pieces(self, start: int, nesting: int, span: Span) -> tuple[list[syntax.Expression], int]:
        """Text and fields from `start` to the end, or, inside a format specification, to its '}'."""
        values: list[syntax.Expression] = []
        at = start
        while at < len(self.content):
            char = self.content[at]
            if char not in "{}":
                at = self._text_end(at)
                values.append(syntax.Constant(span, self.decode(start, at)))
            elif nesting == 0 and self.content[at : at + 2] == char * 2:
                values.append(syntax.Constant(span, char))
                at += 2
            elif char == "}":
                break
            else:
                field, at = self._field(at, nesting, span)
                values.extend(field)
            start = at
        return _merged(values), at

    def _text_end(self, at: int) -> int:
        """Where literal text from `at` ends: at a brace that is not part of `\\N{...}`."""
        while at < len(self.content) and self.content[at] not in "{}":
            if self.content[at] == "\\" and not self.is_raw:
                named = re.compile(r"\\N\{[^{}]*\}").match(self.content, at)
                following = self.content[at + 1 : at + 2]
                at = named.end() if named else at + (1 if following in ("{", "}") else 2)
            else:
                at += 1
        return min(at, len(self.content))

    def _field(self, opening: int, nesting: int, span: Span) -> tuple[list[syntax.Expression], int]:
        """`{expression = !conversion : format}` at `opening`; the nodes, and the index after it."""
        if nesting >= MAX_FORMAT_NESTING:
            self.fail(opening, opening + 1, "f-string: expressions nested too deeply")
        start = opening + 1
        at = self._expression_end(start, opening)
        text = self.content[start:at]
        if not text.strip():
            self.fail(opening, at + 1, "f-string: empty expression not allowed", "write '{{' for a brace")
        value = self.parse_expression(text, *self._origin(start))
        is_debug = self.content[at : at + 1] == "="
        if is_debug:
            at += 1
            while self.content[at : at + 1].isspace():
                at += 1
        shown = self.content[start:at]
        conversion: str | None = None
        if self.content[at : at + 1] == "!":
            conversion = self.content[at + 1 : at + 2]
            if conversion not in ("s", "r", "a") or self.content[at + 2 : at + 3] not in ("}", ":", ""):
                self.fail(at, at + 2, "f-string: invalid conversion character", "use one of !s, !r and !a")
            at += 2
        format_spec: syntax.JoinedStr | None = None
        if self.content[at : at + 1] == ":":
            pieces, at = self._pieces(at + 1, nesting + 1, span)
            format_spec = syntax.JoinedStr(span, pieces)
        if self.content[at : at + 1] != "}":
            self.fail(opening, opening + 1, "f-string: expecting '}'")
        if is_debug and conversion is None and format_spec is None:
            conversion = "r"
        field = syntax.FormattedValue(span, value, conversion, format_spec)
        return ([syntax.Constant(span, shown), field] if is_debug else [field]), at + 1

    def _origin(self, start: int) -> tuple[int, int]:
        line, column = self.where(start)
        return line, column - 1

    def _expression_end(self, at: int, opening: int) -> int:
        """The index of what ends the expression: '}', ':', a '!' that is no '!=', or the '=' of `{x=}`."""
        closers: list[str] = []
        while at < len(self.content):
            char = self.content[at]
            if OPENING.match(self.content, at) is not None:
                end = literal_end(self.content, at)
                if end is None:
                    break
                at = end
                continue
            if char == "\\":
                self.fail(at, at + 1, "f-string expression part cannot include a backslash", "compute it before")
            elif char == "#":
                self.fail(at, at + 1, "f-string expression part cannot include '#'")
            elif char in "([{":
                closers.append({"(": ")", "[": "]", "{": "}"}[char])
            elif closers and char in ")]}":
                if closers.pop() != char:
                    self.fail(at, at + 1, f"f-string: unmatched '{char}'")
            elif char in ")]":
                self.fail(at, at + 1, f"f-string: unmatched '{char}'")
            elif not closers and self._ends_expression(at, char):
                return at
            elif not closers and char in "=!<>" and self.content[at + 1 : at + 2] == "=":
                at += 1
            name = NAME.match(self.content, at)
            at = at + 1 if name is None else name.end()
        self.fail(opening, opening + 1, "f-string: expecting '}'")

    def _ends_expression(self, at: int, char: str) -> bool:
        if char in "}:":
            return True
        return char in "!=" and self.content[at + 1 : at + 2] != "="


def number_value(text: str) -> int | float | complex:
    """The value of a NUMBER token; ints of any size."""
    digits = text.replace("_", "").lower()
    if digits.startswith(("0x", "0o", "0b")):
        return int(digits, 0)
    if digits.endswith("j"):
        return complex(0.0, float(digits[:-1]))
    if digits.isdecimal():
        return _decimal_int(digits)
    return float(digits)


def _decimal_int(digits: str) -> int:
    """int(digits), also past the interpreter's limit on the length of decimal text."""
    if len(digits) <= 640:
        return int(digits)
    middle = len(digits) // 2
    scale: int = 10 ** (len(digits) - middle)
    return _decimal_int(digits[:middle]) * scale + _decimal_int(digits[middle:])
