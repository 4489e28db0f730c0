"""Source text to the tokens that grammar.lark declares, with Python's layout rules.

In: text with "\n" line ends. Out: Lark tokens with absolute lines and columns, _NEWLINE, _INDENT and _DEDENT included,
and the type comments. Holds: brackets are balanced and indentation is consistent, or a ScriptSyntaxError was raised;
the soft keywords `match` and `case`, and the parenthesised `with`, have token types of their own.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NoReturn

from lark import Token

from ..diagnostics import Diagnostic, ScriptSyntaxError, Span
from .string_ends import PREFIX, QUOTE, literal_end

MAX_BRACKETS = 200
MAX_INDENTS = 100
TAB_SIZE = 8
OPENING = {"(": ")", "[": "]", "{": "}"}
AFTER_NUMBER = {"and", "or", "in", "is", "if", "else", "for", "not"}

_DIGITS = r"[0-9](?:_?[0-9])*"
_EXPONENT = rf"[eE][-+]?{_DIGITS}"
_POINT = rf"(?:{_DIGITS}\.(?:{_DIGITS})?|\.{_DIGITS})(?:{_EXPONENT})?"
_NUMBER = (
    r"0[xX](?:_?[0-9a-fA-F])+|0[oO](?:_?[0-7])+|0[bB](?:_?[01])+"
    rf"|(?:{_POINT}|{_DIGITS}{_EXPONENT}|{_DIGITS})[jJ]|{_POINT}|{_DIGITS}{_EXPONENT}|{_DIGITS}"
)
_OPERATORS = (
    r"\*\*=|//=|>>=|<<=|\.\.\.|!=|->|:=|\*\*|//|<<|>>|<=|>=|==|\+=|-=|\*=|/=|%=|&=|\|=|\^=|@="
    r"|[-+*/%@&|^~<>()\[\]{},:;.=]"
)
_TOKEN = re.compile(
    rf"(?P<space>[ \t\f]+)|(?P<continuation>\\\n)|(?P<comment>\#[^\n]*)|(?P<newline>\n)"
    rf"|(?P<number>{_NUMBER})|(?P<string>{PREFIX}(?P<quote>{QUOTE}))|(?P<name>(?:[^\W\d]|[^\x00-\x7f])(?:\w|[^\x00-\x7f])*)"
    rf"|(?P<operator>{_OPERATORS})"
)
_INDENT = re.compile(r"[ \t\f]*")
_TYPE_COMMENT = re.compile(r"#\s*type:(?!\s*ignore(?!\w))\s*(.*?)\s*$")


@dataclass(frozen=True)
class Source:
    """A piece of a file: its text and where in the file it begins (first line from 1, columns before it from 0)."""

    text: str
    file: str
    first_line: int = 1
    column_offset: int = 0
    outer: Source | None = None  # what an expression of an f-string was cut from

    def line_text(self, line: int) -> str | None:
        """The file's line number `line`, with spaces in place of what precedes the piece; None outside of it."""
        if self.outer is not None:
            return self.outer.line_text(line)
        lines = self.text.split("\n")
        index = line - self.first_line
        if not 0 <= index < len(lines):
            return None
        return " " * (self.column_offset if index == 0 else 0) + lines[index]

    def fail(self, span: Span, message: str, hint: str | None = None) -> NoReturn:
        """Raise the one diagnostic as a ScriptSyntaxError."""
        raise ScriptSyntaxError([Diagnostic(span, message, hint, source=self.line_text(span.line))])


@dataclass
class TypeComment:
    line: int
    column: int
    text: str
    is_alone: bool


@dataclass
class TokenStream:
    tokens: list[Token] = field(default_factory=list)
    type_comments: list[TypeComment] = field(default_factory=list)


class Tokenizer:
    """One pass over a Source.

    `spelling` maps keywords and operators to the grammar's terminal names. `is_expression`: the text stands inside
    brackets, so line ends mean nothing. `is_block`: the text may be indented as a whole, and ends with its first
    statement (decorators belong to it); what follows is not looked at.
    """

    def __init__(
        self, source: Source, spelling: Mapping[str, str], is_expression: bool = False, is_block: bool = False
    ) -> None:
        self.source = source
        self.text = source.text
        self.spelling = spelling
        self.is_expression = is_expression
        self.is_block = is_block
        self.stream = TokenStream()
        self.position = 0
        self.line = source.first_line
        self.line_start = -source.column_offset
        self.brackets: list[Token] = []
        self.indents: list[tuple[int, int]] = [(0, 0)]
        self.match_levels: list[int] = []
        self.line_first = 0  # index of the first token of the logical line

    def run(self) -> TokenStream:
        if "\0" in self.text:
            self.position = self.text.index("\0")
            self._fail_here("source code cannot contain null bytes")
        if self.is_expression:
            while self.position < len(self.text):
                self._scan_token()
        else:
            while self._scan_logical_line():
                pass
            self._close_blocks()
        if self.brackets:
            opening = self.brackets[-1]
            self._fail_at(opening, f"'{opening}' was never closed")
        self._mark_grouped_with()
        return self.stream

    # Lines and indentation

    def _scan_logical_line(self) -> bool:
        """Scan up to and including the next _NEWLINE; whether there may be more."""
        if not self._skip_blank_lines():
            return False
        if not self._indent():
            return False
        self.line_first = len(self.stream.tokens)
        while self.position < len(self.text):
            if self._scan_token():
                break
        self._end_logical_line()
        return self.position < len(self.text)

    def _skip_blank_lines(self) -> bool:
        while self.position < len(self.text):
            start = self.position
            found = _INDENT.match(self.text, start)
            assert found is not None
            at = found.end()
            following = self.text[at : at + 1]
            if following == "#":
                end = self.text.find("\n", at)
                end = len(self.text) if end < 0 else end
                self._note_type_comment(at, self.text[at:end], is_alone=True)
                at, following = end, "\n"
            if following not in ("\n", ""):
                return True
            self.position = min(at + 1, len(self.text))
            if following and at < len(self.text):
                self._next_line()
        return False

    def _indent(self) -> bool:
        """Emit _INDENT and _DEDENT for the line that begins here; false if the block of `is_block` ended before it."""
        found = _INDENT.match(self.text, self.position)
        assert found is not None
        column = tabless = 0
        for char in found.group():
            if char == "\f":
                column = tabless = 0
            elif char == "\t":
                column, tabless = (column // TAB_SIZE + 1) * TAB_SIZE, tabless + 1
            else:
                column, tabless = column + 1, tabless + 1
        if not self.stream.tokens and self.is_block:
            self.indents = [(column, tabless)]
        if self.is_block and column <= self.indents[0][0] and self._is_block_complete():
            return False
        self.position = found.end()
        self._check_tabs(column, tabless)
        if column > self.indents[-1][0]:
            self._open_block(column, tabless)
        while column < self.indents[-1][0] and len(self.indents) > 1:
            self._close_block()
        if column != self.indents[-1][0]:
            self._fail_here("unindent does not match any outer indentation level")
        return True

    def _is_block_complete(self) -> bool:
        tokens = self.stream.tokens
        return bool(tokens) and tokens[self.line_first].type not in ("AT", "_INDENT")

    def _check_tabs(self, column: int, tabless: int) -> None:
        enclosing = [level for level in self.indents if level[0] <= column]
        if not enclosing:
            return
        outer_column, outer_tabless = enclosing[-1]
        agrees = outer_tabless == tabless if column == outer_column else outer_tabless < tabless
        if not agrees:
            self._fail_here("inconsistent use of tabs and spaces in indentation", "indent with spaces only")

    def _open_block(self, column: int, tabless: int) -> None:
        tokens = self.stream.tokens
        if not tokens:
            self._fail_here("unexpected indent")
        if len(self.indents) > MAX_INDENTS:
            self._fail_here("too many levels of indentation")
        if tokens[self.line_first].type == "_MATCH":
            self.match_levels.append(len(self.indents))
        self.indents.append((column, tabless))
        self._emit("_INDENT", "")

    def _close_block(self) -> None:
        self.indents.pop()
        if self.match_levels and self.match_levels[-1] == len(self.indents):
            self.match_levels.pop()
        self._emit("_DEDENT", "")

    def _close_blocks(self) -> None:
        while len(self.indents) > 1:
            self._close_block()

    def _end_logical_line(self) -> None:
        """Emit the _NEWLINE that a last line without line end lacks, and find the soft keywords of the line."""
        tokens = self.stream.tokens
        if self.brackets or len(tokens) == self.line_first:
            return
        if tokens[-1].type != "_NEWLINE":
            self._emit("_NEWLINE", "")
        first, rest = tokens[self.line_first], tokens[self.line_first + 1 : -1]
        if first.type != "NAME" or not rest:
            return
        if first == "match" and rest[-1].type == "COLON" and len(rest) > 1:
            first.type = "_MATCH"
        elif first == "case" and self.match_levels and self.match_levels[-1] == len(self.indents) - 1:
            first.type = "_CASE"

    # Tokens

    def _scan_token(self) -> bool:
        """Scan one token; whether it ended the logical line."""
        found = _TOKEN.match(self.text, self.position)
        if found is None:
            self._fail_unknown_character()
        kind = found.lastgroup
        text = found.group()
        if kind == "newline":
            return self._end_line()
        if kind == "quote" or kind == "string":
            self._scan_string(found.group("string"), found.group("quote"))
        elif kind == "continuation":
            self.position = found.end()
            self._next_line()
            if self.position == len(self.text) and not self.is_expression:
                self._fail_here("unexpected end of file after the line continuation '\\'")
        elif kind == "name":
            self._scan_name(text)
        elif kind == "number":
            self._scan_number(text)
        elif kind == "operator":
            self._scan_operator(text)
        else:
            if kind == "comment":
                self._note_type_comment(self.position, text, is_alone=False)
            self.position = found.end()
        return False

    def _end_line(self) -> bool:
        ends_statement = not self.brackets and not self.is_expression
        if ends_statement:
            self._emit("_NEWLINE", "")
        self.position += 1
        self._next_line()
        return ends_statement

    def _scan_name(self, text: str) -> None:
        name = text if text.isascii() else unicodedata.normalize("NFKC", text)
        if not name.isidentifier():
            offset = next((i for i in range(1, len(text) + 1) if not text[:i].isidentifier()), 1)
            self.position += offset - 1
            self._fail_unknown_character()
        self._emit(self.spelling.get(text, "NAME"), name, len(text))

    def _scan_number(self, text: str) -> None:
        end = self.position + len(text)
        tail = re.compile(r"\w*").match(self.text, end)
        assert tail is not None
        if tail.group() and not any(tail.group().startswith(word) for word in AFTER_NUMBER):
            self._fail_number(text, tail.group())
        if (text.isdigit() and text[0] == "0" and text.strip("0")) or re.fullmatch(r"0[0_]*[1-9_][0-9_]*", text):
            self._fail_here(
                "leading zeros in decimal integer literals are not permitted",
                "write 0o for an octal number",
                len(text),
            )
        self._emit("NUMBER", text)

    def _fail_number(self, text: str, tail: str) -> NoReturn:
        kinds = {"x": "hexadecimal", "o": "octal", "b": "binary"}
        letter = (text + tail)[1:2].lower() if text[0] == "0" else ""
        self._fail_here(f"invalid {kinds.get(letter, 'decimal')} literal", None, len(text + tail))

    def _scan_string(self, opening: str, quote: str) -> None:
        start = self.position
        end = literal_end(self.text, start)
        if end is None:
            kind = "triple-quoted string" if len(quote) == 3 else "string"
            line_end = self.text.find("\n", start)
            width = len(opening) if len(quote) == 3 else (len(self.text) if line_end < 0 else line_end) - start
            self._fail_here(f"unterminated {kind} literal", f"close it with {quote}", width)
        self._emit("STRING", self.text[start:end])

    def _scan_operator(self, text: str) -> None:
        token = self._emit(self.spelling[text], text)
        if text in OPENING:
            if len(self.brackets) >= MAX_BRACKETS:
                self._fail_at(token, "too many nested parentheses")
            self.brackets.append(token)
        elif text in ")]}":
            if not self.brackets:
                self._fail_at(token, f"unmatched '{text}'")
            opening = self.brackets.pop()
            if OPENING[opening] != text:
                where = f" on line {opening.line}" if opening.line != token.line else ""
                message = f"closing parenthesis '{text}' does not match opening parenthesis '{opening}'{where}"
                self._fail_at(token, message)

    def _emit(self, kind: str, value: str, width: int | None = None) -> Token:
        start = self.position
        line, column = self.line, start - self.line_start + 1
        end = start + (len(value) if width is None else width)
        if kind == "STRING":
            newlines = value.count("\n")
            if newlines:
                self.line += newlines
                self.line_start = start + value.rindex("\n") + 1
        token = Token(kind, value, start, line, column, self.line, end - self.line_start + 1, end)
        self.stream.tokens.append(token)
        self.position = end
        return token

    def _next_line(self) -> None:
        self.line += 1
        self.line_start = self.position

    def _note_type_comment(self, start: int, text: str, is_alone: bool) -> None:
        found = _TYPE_COMMENT.match(text)
        if found is not None and found.group(1):
            column = start - self.line_start + 1
            self.stream.type_comments.append(TypeComment(self.line, column, found.group(1), is_alone))

    # `with (a as b, c as d):`

    def _mark_grouped_with(self) -> None:
        tokens = self.stream.tokens
        for index, token in enumerate(tokens[:-1]):
            if token.type == "WITH" and tokens[index + 1].type == "LPAR" and self._groups_items(index + 1):
                token.type = "_WITH_GROUPED"

    def _groups_items(self, opening: int) -> bool:
        """Whether the bracket at `opening` holds an `as` of its own and stands directly before ':'."""
        depth, has_as = 0, False
        tokens = self.stream.tokens
        for index in range(opening, len(tokens)):
            kind = tokens[index].type
            if kind in ("LPAR", "LSQB", "LBRACE"):
                depth += 1
            elif kind in ("RPAR", "RSQB", "RBRACE"):
                depth -= 1
                if depth == 0:
                    return has_as and index + 1 < len(tokens) and tokens[index + 1].type == "COLON"
            elif kind == "AS" and depth == 1:
                has_as = True
        return False

    # Errors

    def _fail_unknown_character(self) -> NoReturn:
        char = self.text[self.position]
        if self.text[self.position :] == "\\":
            self._fail_here("unexpected end of file after the line continuation '\\'")
        if char == "\\":
            self._fail_here("unexpected character after the line continuation '\\'")
        if char.isascii() and char.isprintable():
            self._fail_here(f"unexpected character '{char}'")
        shown = f" '{char}'" if char.isprintable() else ""
        self._fail_here(f"invalid character{shown} (U+{ord(char):04X})")

    def _fail_here(self, message: str, hint: str | None = None, width: int = 1) -> NoReturn:
        column = self.position - self.line_start + 1
        self.source.fail(Span(self.source.file, self.line, column, self.line, column + width), message, hint)

    def _fail_at(self, token: Token, message: str, hint: str | None = None) -> NoReturn:
        self.source.fail(token_span(self.source.file, token), message, hint)


def token_span(file: str, token: Token) -> Span:
    assert token.line is not None and token.column is not None
    assert token.end_line is not None and token.end_column is not None
    return Span(file, token.line, token.column, token.end_line, token.end_column)
