"""The LALR parser: built from grammar.lark, or loaded from the tables that the installation made.

In: grammar.lark, tables.bin beside it. Out: `parser()`, made once per process at first use.
Holds: tables.bin is used only if its digest of grammar and Lark matches; otherwise the parser is built in memory.
`python -m tsm.frontend.parser.tables` writes the file.
"""

from __future__ import annotations

import hashlib
import io
import threading
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import lark
from lark.lexer import Lexer, PatternStr, Token

from . import lalr

GRAMMAR = Path(__file__).with_name("grammar.lark")
TABLES = Path(__file__).with_name("tables.bin")


class TokenList(Lexer):
    """Lark's view of tokens.py: the parser's input is the list of tokens itself."""

    def __init__(self, lexer_conf: Any) -> None:
        pass

    def lex(self, lexer_state: Any, parser_state: Any = None) -> Iterator[Token]:
        return iter(lexer_state)


class Parser:
    """Lark's tables over token lists, with the spelling of every keyword and operator of the grammar."""

    def __init__(self, engine: lark.Lark) -> None:
        self.engine = engine

    @cached_property
    def loop(self) -> lalr.Engine:
        return lalr.Engine(self.engine.parser.parser._parse_table)

    @cached_property
    def spelling(self) -> dict[str, str]:
        """Keyword or operator -> terminal name."""
        return {t.pattern.value: t.name for t in self.engine.terminals if isinstance(t.pattern, PatternStr)}

    def parse(self, tokens: list[Token], start: str) -> lalr.Tree:
        """Raises lark.UnexpectedToken."""
        found = self.loop.parse(tokens, start)
        if found is None:
            self.engine.parse(tokens, start=start)  # fails at the same token, and knows what could have been there
            raise AssertionError("Lark parses what its own tables refuse")
        return found


def build() -> Parser:
    """A parser computed from the grammar: about half a second."""
    return Parser(
        lark.Lark(
            GRAMMAR.read_text("utf-8"),
            parser="lalr",
            lexer=TokenList,
            start=["module", "expression"],
        )
    )


def digest() -> bytes:
    """What tables must have been made from to be used: this grammar, this Lark, this module."""
    parts = (GRAMMAR.read_bytes(), lark.__version__.encode(), Path(__file__).read_bytes())
    return hashlib.sha256(b"\0".join(parts)).digest()


def write() -> Path:
    """Write tables.bin: the digest, then what Lark saves (its order varies with hash randomisation)."""
    saved = io.BytesIO()
    build().engine.save(saved)
    partial = TABLES.with_suffix(".partial")
    partial.write_bytes(digest() + saved.getvalue())
    partial.replace(TABLES)
    return TABLES


def load() -> Parser | None:
    """The parser of tables.bin; None if there is no such file, or one of another grammar or Lark."""
    try:
        data = TABLES.read_bytes()
    except OSError:
        return None
    expected = digest()
    if data[: len(expected)] != expected:
        return None
    return Parser(lark.Lark.load(io.BytesIO(data[len(expected) :])))


_lock = threading.Lock()
_parser: Parser | None = None


def parser() -> Parser:
    """The parser of this process."""
    global _parser
    with _lock:
        if _parser is None:
            _parser = load() or build()
        return _parser


if __name__ == "__main__":
    from tsm.frontend.parser import (
        tables,  # the saved tables name this module's classes, which must not be `__main__`'s
    )

    print(tables.write())
