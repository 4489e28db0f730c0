"""Where string literals end, also f-strings whose fields hold strings in the same quotes, as Python 3.12 has them.

In: a text and where a literal begins in it. Out: the index behind its closing quote; None where there is none.
Holds: a literal that Python 3.11 accepts ends where it does there; one without an end costs two passes over the text.
"""

from __future__ import annotations

import re

PREFIX = r"(?:[rR][bB]?|[bB][rR]?|[uU]|[fF][rR]?|[rR][fF])?"
QUOTE = r"(?:'''|\"\"\"|'|\")"
OPENING = re.compile(rf"(?P<prefix>{PREFIX})(?P<quote>{QUOTE})")
NAME = re.compile(r"\w+")
MAX_NESTING = 64  # of fields and literals in each other
_PLAIN_END = {
    "'": re.compile(r"(?:[^'\\\n]|\\.)*'", re.S),
    '"': re.compile(r'(?:[^"\\\n]|\\.)*"', re.S),
    "'''": re.compile(r"(?:[^'\\]|\\.|'(?!''))*'''", re.S),
    '"""': re.compile(r'(?:[^"\\]|\\.|"(?!""))*"""', re.S),
}
_TEXT = re.compile(r"[^\\{}'\"\n]+")
_NAMED = re.compile(r"\\N\{[^{}]*\}")


def literal_end(text: str, start: int, nesting: int = 0) -> int | None:
    """Behind the literal that begins at `start` with its prefix."""
    opening = OPENING.match(text, start)
    assert opening is not None
    prefix, quote = opening.group("prefix").lower(), opening.group("quote")
    if "f" in prefix:
        found = _format_end(text, opening.end(), quote, "r" in prefix, nesting)
        if found is not None or nesting:
            return found
    plain = _PLAIN_END[quote].match(text, opening.end())
    return None if plain is None else plain.end()


def _format_end(
    text: str, at: int, quote: str, is_raw: bool, nesting: int, is_specification: bool = False
) -> int | None:
    """Behind the closing quote, or behind the brace that closes the field with this specification."""
    while at < len(text):
        plain = _TEXT.match(text, at)
        if plain is not None:
            at = plain.end()
        elif text.startswith(quote, at):
            return None if is_specification else at + len(quote)
        elif text[at] == "\\" and text[at + 1 : at + 2] not in ("{", "}"):
            named = None if is_raw else _NAMED.match(text, at)
            at = at + 2 if named is None else named.end()
        elif text[at] == "\n" and len(quote) == 1:
            return None
        elif text[at] == "}" and is_specification:
            return at + 1
        elif text[at] == "{" and (is_specification or text[at + 1 : at + 2] != "{"):
            found = _field_end(text, at + 1, quote, is_raw, nesting + 1)
            if found is None:
                return None
            at = found
        else:
            at += 2 if text.startswith("{{", at) else 1
    return None


def _field_end(text: str, at: int, quote: str, is_raw: bool, nesting: int) -> int | None:
    """Behind the brace that closes a field."""
    open_brackets = 0
    while at < len(text) and nesting <= MAX_NESTING:
        char = text[at]
        if OPENING.match(text, at) is not None:
            found = literal_end(text, at, nesting)
            if found is None:
                return None
            at = found
            continue
        if char in ")]}":
            if not open_brackets:
                return at + 1 if char == "}" else None
            open_brackets -= 1
        elif char in "([{":
            open_brackets += 1
        elif char == ":" and not open_brackets:
            return _format_end(text, at + 1, quote, is_raw, nesting, True)
        elif char == "#":
            return None
        name = NAME.match(text, at)
        at = at + 1 if name is None else name.end()
    return None
