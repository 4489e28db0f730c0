"""Inference of `bytes % values`: the format as text, byte for character, filled as a str and made bytes again.

In: a constant format and values. Out: operator rows. Holds: what CPython 3.11 takes where bytes are formatted, and its
errors: %s and %b take bytes only, %r means %a, names in brackets are bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ....ir.types import BOOL, BYTES, INT, STR, DictType, ListType, TupleType
from ...core.conversions import once_all, operate
from ...core.placeholders import resolve
from ...core.typed import Const, Expr, MakeTuple, is_silent
from ...parser import syntax
from ...prelude import formatting as prelude
from ..base import InferenceBase
from ..operand_errors import class_name
from ..type_facts import tuple_items
from .bytes import CODECS, HANDLERS
from .percent_format import LETTERS, Conversion, MalformedFormat, conversions

STRICT_LATIN = CODECS["iso8859-1"], HANDLERS["strict"]
LETTERS_OF_TEXT = {"b": "s", "r": "a"}
Piece = str | Conversion | MalformedFormat


class PercentBytesInference(InferenceBase):
    """bytes % values."""

    def percent_of_bytes(self, node: syntax.Node, left: Expr, right: Expr) -> Expr:
        kind = resolve(right.type)
        if not isinstance(left, Const) or isinstance(kind, TupleType) and kind.is_variadic:
            return self.error(node, "% on bytes needs a constant format, and values whose number is known",
                              "format a str, and encode it")
        pieces = conversions(left.value.decode("latin-1"), LETTERS + "b")
        given = right.items if isinstance(right, MakeTuple) else [right]

        def use(held: list[Expr]) -> Expr:
            is_whole = not isinstance(right, MakeTuple) and isinstance(kind, TupleType)
            values = tuple_items(held[0], kind) if is_whole and isinstance(kind, TupleType) else list(held)
            return self.filled_bytes(node, pieces, values, held[0] if isinstance(kind, DictType) else None)

        return once_all(given, use)

    def filled_bytes(self, node: syntax.Node, pieces: Sequence[Piece], values: list[Expr], owner: Expr | None) -> Expr:
        """The pieces with the values in them; `owner` is the dict of named ones."""
        is_container = len(values) == 1 and isinstance(resolve(values[0].type), (DictType, ListType))
        parts: list[Expr] = []
        for piece in pieces:
            if isinstance(piece, str):
                parts.append(Const(STR, node.span, piece))
            elif isinstance(piece, MalformedFormat):
                parts.append(self.raise_error(node.span, "ValueError", str(piece)))
            else:
                parts.append(self.conversion_in_bytes(node, piece, values, owner))
            if is_silent(parts[-1]):
                return self.joined(node, parts)
        if values and not is_container:
            text = "not all arguments converted during bytes formatting"
            parts.append(self.raise_error(node.span, "TypeError", text))
        whole = self.joined(node, parts)
        return whole if is_silent(whole) else operate("str.encode", whole, *self.latin(node))

    def conversion_in_bytes(
        self, node: syntax.Node, piece: Conversion, values: list[Expr], owner: Expr | None
    ) -> Expr:
        if piece.key is not None and owner is not None:
            values[:] = [self.operate(node, "_[_]", [owner, Const(BYTES, node.span, piece.key.encode("latin-1"))])]
            piece = replace(piece, key=None)
        if piece.key is None and len(values) > piece.stars:
            value = self.byte_value(node, piece.letter, values[piece.stars])
            if is_silent(value):
                return value
            values[piece.stars] = value
        letter = LETTERS_OF_TEXT.get(piece.letter, piece.letter)
        return self.conversion(node, replace(piece, letter=letter), values, None)

    def byte_value(self, node: syntax.Node, letter: str, value: Expr) -> Expr:
        """A value as the format of a str takes it, or CPython's error."""
        kind = resolve(value.type)
        if is_silent(value) or letter not in "sbc":
            return value
        if letter == "c" and kind in (INT, BOOL):
            return self.by_prelude(node, prelude.byte_text, [self.coerce(value, INT, "a byte")])
        if kind == BYTES:
            shown = operate("bytes.decode", value, *self.latin(node))
            return shown if letter != "c" else self.by_prelude(node, prelude.single_byte, [shown])
        if letter == "c":
            text = "%c requires an integer in range(256) or a single byte"
            return self.raise_error(node.span, "TypeError", text)
        name = class_name(value.type)
        if name is None:
            return self.error(value, f"%{letter} in bytes takes bytes, not {kind}")
        return self.raise_error(node.span, "TypeError", "%b requires a bytes-like object, or an object that implements "
                                f"__bytes__, not '{name}'")

    def latin(self, node: syntax.Node) -> list[Const]:
        return [Const(INT, node.span, code) for code in STRICT_LATIN]

