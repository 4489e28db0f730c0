"""The words of a listing, and the small things every part of the grammar is made of.

In: a text. Out: tokens one after another, names, numbers, quoted texts, lists; ParseError names line and column of what
is wrong. Holds: white space is free, and comments are, except those that are locations: `attach` gives them to the node
whose line they end.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import NoReturn, TypeVar

from .graph import Location, Node

MAX_NESTING = 200
T = TypeVar("T")


class ParseError(ValueError):
    """A listing that breaks the grammar; `line` and `column` count from 1."""

    def __init__(self, message: str, line: int, column: int) -> None:
        super().__init__(f"line {line}, column {column}: {message}")
        self.line = line
        self.column = column


_STRING = r'"(?:[^"\\\n]|\\.)*"'
_TOKEN = re.compile(
    rf"""(?P<space>[ \t\r]+) | (?P<line>\n) | (?P<comment>\#[^\n]*)
    | (?P<value>%(?:{_STRING}|\w+)(?:\.\d+)?) | (?P<label>@\w+) | (?P<string>{_STRING})
    | (?P<number>-?(?:\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|inf\b))
    | (?P<name>[^\W\d]\w*(?:\.\w+)*(?:~\d+)?) | (?P<sign>->|\.\.\.|[-=:;,(){{}}\[\]!*?])""",
    re.VERBOSE,
)
_LOCATION = re.compile(
    rf"({_STRING}|[^\s\":]+):(\d+):(\d+)(?:-(?:(\d+):)?(\d+))?(?: in ({_STRING}|[^\s\"]+))?(?: < |$)"
)


def parse_location(text: str) -> Location | None:
    """The location that a comment spells, or None if it is just a comment."""
    links = []
    position = 0
    while position < len(text):
        match = _LOCATION.match(text, position)
        if match is None:
            return None
        links.append(match.groups())
        position = match.end()
    location: Location | None = None
    for file, line, column, end_line, end_column, function in reversed(links):
        file = json.loads(file) if file.startswith('"') else file
        function = json.loads(function) if function and function.startswith('"') else function or ""
        ends = (0, 0) if end_column is None else (int(end_line or line), int(end_column))
        location = Location(file, int(line), int(column), *ends, function, location)
    return location


class Token:
    __slots__ = ("kind", "position", "text")

    def __init__(self, kind: str, text: str, position: int) -> None:
        self.kind, self.text, self.position = kind, text, position


class TokenParser:
    """Reads tokens; each further class of the parser adds a part of the grammar."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = self.scan()
        self.index = 0
        self.begun: Node | None = None  # the node that a location comment belongs to
        self.depth = 0

    def scan(self) -> list[Token]:
        tokens = []
        position = 0
        while position < len(self.text):
            match = _TOKEN.match(self.text, position)
            if match is None:
                self.fail_at(position, f"unexpected {self.text[position]!r}")
            kind = match.lastgroup or ""
            if kind == "comment":
                tokens.append(Token(kind, match.group()[1:].strip(), position))
            elif kind not in ("space", "line"):
                tokens.append(Token(kind, match.group(), position))
            position = match.end()
        tokens.append(Token("end", "end of text", position))
        return tokens

    def fail_at(self, position: int, message: str) -> NoReturn:
        line = self.text.count("\n", 0, position) + 1
        column = position - (self.text.rfind("\n", 0, position) + 1) + 1
        raise ParseError(message, line, column)

    def fail(self, message: str, token: Token | None = None) -> NoReturn:
        self.fail_at((token or self.next).position, message)

    @property
    def next(self) -> Token:
        while self.tokens[self.index].kind == "comment":
            self.attach(self.tokens[self.index].text)
            self.index += 1
        return self.tokens[self.index]

    def attach(self, comment: str) -> None:
        if self.begun is None:
            return
        location = parse_location(comment)
        if location is not None:
            self.begun.location = location
            self.begun = None

    def peek(self, text: str) -> bool:
        token = self.next
        return token.text == text and token.kind in ("sign", "name", "number")

    def take(self, text: str) -> bool:
        if not self.peek(text):
            return False
        self.index += 1
        return True

    def expect(self, text: str) -> None:
        if not self.take(text):
            self.fail(f"expected {text!r}, found {self.next.text!r}")

    def token(self, kind: str, what: str) -> Token:
        token = self.next
        if token.kind != kind:
            self.fail(f"expected {what}, found {token.text!r}")
        self.index += 1
        return token

    def string(self) -> str:
        token = self.token("string", "a text in quotes")
        try:
            text: str = json.loads(token.text)
            text.encode()
        except ValueError:
            self.fail("a malformed text", token)
        return text

    def strings(self) -> list[str]:
        texts = [self.string()]
        while self.next.kind == "string":
            texts.append(self.string())
        return texts

    def integer(self) -> int:
        token = self.token("number", "an integer")
        if not re.fullmatch(r"-?\d{1,20}", token.text):
            self.fail("expected an integer of 64 bits", token)
        return int(token.text)

    def count(self) -> int:
        token = self.next
        number = self.integer()
        if not 0 <= number < 2**63:
            self.fail("expected a count", token)
        return number

    def name(self) -> str:
        """A name as it is, or quoted."""
        if self.next.kind == "string":
            return self.string()
        if self.peek("inf"):
            self.index += 1
            return "inf"
        return self.token("name", "a name").text

    def spelled(self, names: Callable[[str], str] | None = None) -> tuple[str, str]:
        """A declared name: its spelling, and the real name that may follow it."""
        spelling = "inf" if self.take("inf") else self.token("name", "a name").text
        return spelling, self.string() if self.take("=") else spelling

    def items(self, item: Callable[[], T], end: str, separator: str = ",") -> list[T]:
        """Items up to and including `end`."""
        found: list[T] = []
        while not self.take(end):
            if found and not self.take(separator) and separator == ",":
                self.fail(f"expected ',' or {end!r}, found {self.next.text!r}")
            found.append(item())
        return found

    def nested(self, item: Callable[[], T]) -> T:
        self.depth += 1
        if self.depth > MAX_NESTING:
            self.fail(f"nested more than {MAX_NESTING} deep")
        found = item()
        self.depth -= 1
        return found
