"""Inference of bytes, and of what str and bytes do that no row says by itself: codecs, tables, integers as one byte.

In: calls of `bytes()` and of methods. Out: operator rows, calls of the prelude.
Holds: the encoding and the error handler are known at compile time, since only some are there at run time.
"""

from __future__ import annotations

import codecs

from ....ir.operators import Operator, spelled
from ....ir.types import BOOL, BYTES, INT, NONE, STR, DictType, ListType, Type, arms_of
from ...core.conversions import once_all, operate
from ...core.denotations import OperatorDenotation
from ...core.matcher import describe
from ...core.placeholders import resolve
from ...core.typed import ERROR, Const, Expr, is_silent
from ...parser import syntax
from ...prelude import containers as prelude
from ..base import InferenceBase
from ..operand_errors import class_name

CODECS = {"utf-8": 0, "ascii": 1, "iso8859-1": 2}
HANDLERS = {"strict": 0, "ignore": 1, "replace": 2, "backslashreplace": 3, "xmlcharrefreplace": 4}
FILLED = (".center", ".ljust", ".rjust")
SEARCHED = (".find", ".rfind", ".index", ".rindex", ".count")
BY_METHOD: dict[Type, tuple[str, ...]] = {
    STR: ("format", "format_map", "encode", "translate", "maketrans"),
    BYTES: ("decode", "translate", "maketrans", "fromhex"),
}


class BytesInference(InferenceBase):
    """bytes, and methods of str beside it."""

    # bytes()

    def _call_bytes(self, node: syntax.Call, want: Type | None) -> Expr:
        if not self.takes(node, 0, 3, ("encoding", "errors")):
            return self.wrong(node)
        if len(node.args) > 1 or node.keywords:
            if not node.args:
                return self.error(node, "encoding or errors without a string argument")
            return self.encoded(node, self.value(node.args[0]), node.args[1:])
        if not node.args:
            return Const(BYTES, node.span, b"")
        argument = node.args[0]
        if self.is_lazy(argument):
            return self.bytes_of_list(node, self.list_from(argument))
        value = self.expr(argument)
        kind = resolve(value.type)
        if kind == STR:
            return self.error(node, "string argument without an encoding", "write text.encode()")
        if kind == BYTES or is_silent(value):
            return value
        if kind in (INT, BOOL):
            return operate("bytes.zeros", self.coerce(value, INT, "the length"))
        return self.bytes_of_list(node, self.list_of(argument, value))

    def bytes_of_list(self, node: syntax.Node, values: Expr) -> Expr:
        if is_silent(values):
            return values
        if resolve(values.type) != ListType(INT):
            return self.error(node, f"bytes are made of ints, not of {describe(values)}")
        return operate("bytes.list", values)

    # Codecs

    def encoded(self, node: syntax.Call, text: Expr, options: list[syntax.Expression]) -> Expr:
        """text.encode(encoding, errors)."""
        if not is_silent(text) and resolve(text.type) != STR:
            return self.error(node, f"encoding without a string argument: {describe(text)}")
        return self.coded(node, "str.encode", text, options)

    def decoded(self, node: syntax.Call, data: Expr, options: list[syntax.Expression]) -> Expr:
        if not is_silent(data) and resolve(data.type) != BYTES:
            name = class_name(data.type)
            found = "" if name == "str" else f"decoding to str: need a bytes-like object, {name} found"
            raised = ("TypeError", name and (found or "decoding str is not supported"))
            return self.wrong_or_left(node, raised, f"decoding to str needs bytes, not {describe(data)}", None, [data])
        return self.coded(node, "bytes.decode", data, options)

    def coded(self, node: syntax.Call, row: str, value: Expr, options: list[syntax.Expression]) -> Expr:
        if is_silent(value):
            return value
        if len(options) > 2:
            return self.error(node, f"{row.partition('.')[2]}() takes at most 2 arguments ({len(options)} given)")
        given: dict[str, syntax.Expression] = dict(zip(("encoding", "errors"), options))
        for keyword in node.keywords:
            if keyword.arg not in ("encoding", "errors") or keyword.arg in given:
                return self.error(keyword, f"'{keyword.arg}' is not a parameter here, or given twice")
            given[keyword.arg] = keyword.value
        names = {name: self.option(given.get(name), name, other) for name, other in
                 (("encoding", "utf-8"), ("errors", "strict"))}
        if None in names.values():
            return self.wrong(node)
        try:
            codec = CODECS.get(codecs.lookup(str(names["encoding"])).name)
        except (LookupError, ValueError):
            codec = None
        if codec is None:
            text = f"the encoding '{names['encoding']}' is not supported"
            return self.error(given["encoding"], text, "use 'utf-8', 'ascii' or 'latin-1'")
        handler = HANDLERS.get(str(names["errors"]))
        if handler is None or (handler == HANDLERS["xmlcharrefreplace"] and row == "bytes.decode"):
            text = f"the error handler '{names['errors']}' is not supported"
            return self.error(given["errors"], text, "use 'strict', 'ignore', 'replace' or 'backslashreplace'")
        return operate(row, value, Const(INT, node.span, codec), Const(INT, node.span, handler))

    def option(self, node: syntax.Expression | None, name: str, otherwise: str) -> str | None:
        """A constant text; None after reporting."""
        if node is None:
            return otherwise
        value = self.expr(node)
        if isinstance(value, Const) and value.type == STR:
            return str(value.value)
        if value.type != ERROR:
            self.error(node, f"'{name}' must be a constant str", "write \"utf-8\"" if name == "encoding" else None)
        return None

    # Methods

    def is_text_method(self, kind: Type, name: str) -> bool:
        """Whether a method of str or bytes is inferred here, or in text formatting, rather than by a row."""
        return name in BY_METHOD.get(kind, ())

    def call_text_method(self, node: syntax.Call, denotation: OperatorDenotation) -> Expr | None:
        """A method of str or bytes that needs more than a row; None for all others."""
        receiver, spelling = denotation.receiver, denotation.spelling
        kind = resolve(receiver.type) if receiver is not None else NONE
        if receiver is None or kind not in (STR, BYTES):
            return None
        if spelling == ".format":
            return self.call_str_format(node, receiver)
        if spelling == ".format_map":
            return self.call_format_map(node, receiver)
        if spelling == ".encode":
            return self.encoded(node, receiver, node.args)
        if spelling == ".decode":
            return self.decoded(node, receiver, node.args)
        if spelling in (".maketrans", ".fromhex"):
            return self.call_builtin(node, f"{kind}{spelling}", None)
        if spelling == ".translate":
            return self.translated(node, kind, receiver)
        if kind == BYTES and spelling in FILLED and len(node.args) == 1:
            values = [receiver, self.value(node.args[0]), Const(BYTES, node.span, b" ")]
            return self.operate(node, spelling, values, (), self.rows_of(spelling, kind))
        if kind == BYTES and spelling in SEARCHED and node.args and not isinstance(node.args[0], syntax.Starred):
            values = [receiver, *(self.value(argument) for argument in node.args)]
            return once_all(values, lambda held: self.operate(
                node, spelling, [held[0], self.as_bytes(held[1]), *held[2:]], (), self.rows_of(spelling, kind)))
        return None

    def rows_of(self, spelling: str, kind: Type) -> tuple[Operator, ...]:
        return tuple(row for row in spelled(spelling) if row.schema.params[0].type == kind)

    def _call_ord(self, node: syntax.Call, want: Type | None) -> Expr:
        """ord(), which takes one byte as well."""
        values, named = [self.value(argument) for argument in node.args], self.keywords(node)
        if len(values) == 1 and not named and resolve(values[0].type) == BYTES:
            return self.by_prelude(node, prelude.ord_of_byte, values)
        return self.operate(node, "ord()", values, named)

    def as_bytes(self, value: Expr) -> Expr:
        """An int that is looked for in bytes, as the one byte that it means."""
        if resolve(value.type) not in (INT, BOOL):
            return value
        return operate("bytes.byte", self.coerce(value, INT, "a byte"))

    # Tables

    def translated(self, node: syntax.Call, kind: Type, receiver: Expr) -> Expr:
        values = [self.value(argument) for argument in node.args]
        values += [self.value(keyword.value) for keyword in node.keywords]
        if is_silent(receiver, *values):
            return self.silent(node.span, [receiver, *values])
        if kind == BYTES:
            kinds = [resolve(value.type) for value in values]
            if not node.args or kinds[0] not in (BYTES, NONE) or kinds[1:] not in ([], [BYTES]):
                return self.error(node, "bytes.translate() takes a table of 256 bytes, or None, and bytes to delete")
            delete = values[1] if len(values) == 2 else Const(BYTES, node.span, b"")
            if kinds[0] == NONE:
                values[0] = Const(BYTES, node.span, bytes(range(256)))
            return self.by_prelude(node, prelude.bytes_translated, [receiver, values[0], delete])
        if len(values) != 1 or node.keywords:
            return self.error(node, f"str.translate() takes exactly one argument ({len(values)} given)")
        table = resolve(values[0].type)
        if not isinstance(table, DictType) or table.key != INT:
            return self.error(node, f"the table must be a dict of int, not {describe(values[0])}",
                              "make it with str.maketrans(...)")
        return self.by_prelude(node, prelude.translated, [receiver, values[0]])

    def _call_str_maketrans(self, node: syntax.Call, want: Type | None) -> Expr:
        if not self.takes(node, 1, 3):
            return self.wrong(node)
        values = [self.value(argument) for argument in node.args]
        if is_silent(*values):
            return self.silent(node.span, values)
        kinds = [resolve(value.type) for value in values]
        if len(values) == 1:
            if isinstance(kinds[0], DictType) and kinds[0].key == INT:
                return self.operate(node, "dict()", values)
            if isinstance(kinds[0], DictType) and kinds[0].key == STR:
                return self.by_prelude(node, prelude.table_of_texts, values)
            if isinstance(kinds[0], DictType) and set(arms_of(kinds[0].key)) == {INT, STR}:
                return self.by_prelude(node, prelude.table_of_keys, values)
            return self.error(node, f"maketrans() takes a dict with keys of one type, int or str, not {kinds[0]}")
        if any(kind != STR for kind in kinds):
            return self.error(node, "the arguments of maketrans() must be str")
        made = (prelude.table_of_pairs, prelude.table_with_gaps)[len(values) - 2]
        return self.by_prelude(node, made, values)

    def _call_bytes_maketrans(self, node: syntax.Call, want: Type | None) -> Expr:
        if not self.takes(node, 2, 2):
            return self.wrong(node)
        values = [self.value(argument) for argument in node.args]
        if not is_silent(*values) and any(resolve(value.type) != BYTES for value in values):
            return self.error(node, "the arguments of bytes.maketrans() must be bytes")
        return self.by_prelude(node, prelude.bytes_table, values) if not is_silent(*values) else self.silent(
            node.span, values)

    def _call_bytes_fromhex(self, node: syntax.Call, want: Type | None) -> Expr:
        if not self.takes(node, 1, 1):
            return self.wrong(node)
        text = self.value(node.args[0])
        if is_silent(text) or resolve(text.type) == STR:
            return text if is_silent(text) else operate("bytes.fromhex", text)
        return self.error(node, f"fromhex() argument must be str, not {describe(text)}")
