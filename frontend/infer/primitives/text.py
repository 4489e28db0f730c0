"""Inference of text made of values: f-strings, format(), str.format, str % values.

In: literals with fields, and the values for them. Out: rows that format one value each, joined.
Holds: the fields of a literal are known at compile time; all arguments are evaluated before the first is formatted,
except in f-strings, where each field is evaluated and formatted in turn.
"""

from __future__ import annotations

import _string  # type: ignore[import-not-found]
from collections.abc import Sequence
from functools import reduce

from ....ir.operators import Operator
from ....ir.types import BYTES, INT, STR, TENSOR, DictType, EnumType, ListType, TupleType, Type, arms_of
from ...core.conversions import once_all, operate, to_any
from ...core.matcher import describe
from ...core.placeholders import resolve
from ...core.typed import ERROR, Const, Expr, MakeList, MakeTuple, Static, after, boolean, is_silent
from ...parser import syntax
from ...prelude import tensor_texts as prelude
from ..base import InferenceBase
from ..functions.spreads import TABLE
from ..parts import Named
from ..type_facts import any_of, tuple_items
from .percent_format import Conversion, MalformedFormat, conversions

CONVERSIONS = {"s": "str.any", "r": "repr.any", "a": "ascii.any"}
NUMBER_LETTERS = {**dict.fromkeys("eEfFgG", "float.Tensor"), **dict.fromkeys("diu", "int.Tensor")}
MAX_NESTING = 2


class _Raises(Exception):
    """A field of str.format that raises when its turn comes: (class, text)."""


class TextInference(InferenceBase):
    """Formatting."""

    def joined(self, node: syntax.Node, parts: Sequence[Expr]) -> Expr:
        if is_silent(*parts):
            return self.silent(node.span, parts)
        if not parts:
            return Const(STR, node.span, "")
        if len(parts) <= 2:
            return reduce(lambda a, b: operate("add.str", a, b), parts)
        return operate("str.join", Const(STR, node.span, ""), MakeList(ListType(STR), node.span, list(parts)))

    # f-strings and format()

    def _JoinedStr(self, node: syntax.JoinedStr, want: Type | None) -> Expr:
        parts: list[Expr] = []
        for item in node.values:
            parts.append(self.formatted(item) if isinstance(item, syntax.FormattedValue) else self.expr(item))
            if self.env is None:
                break
        return self.joined(node, parts)

    def formatted(self, node: syntax.FormattedValue) -> Expr:
        value = self.expr(node.value)
        if not isinstance(value, Static) or not self.has_text(value):
            value = self.valued(value)
        if node.format_spec is None:
            value = self.converted_text(value, node.conversion)
            return value if node.conversion else self.formatted_as(node, value, Const(STR, node.span, ""))
        if is_silent(value):
            return value
        spec = self.expr(node.format_spec)
        if is_silent(spec):
            return self.silent(node.span, [value, spec])
        return once_all([value, spec], lambda held: self.formatted_as(
            node, self.converted_text(held[0], node.conversion), held[1]))

    def converted_text(self, value: Expr, conversion: str | None) -> Expr:
        return value if conversion is None else self.text_of(value, CONVERSIONS[conversion])

    def formatted_as(self, node: syntax.Node, value: Expr, spec: Expr) -> Expr:
        """format(value, spec)."""
        is_plain = isinstance(spec, Const) and spec.value == ""
        if isinstance(value, Static) and not is_plain:
            return self.error(node, f"{value.denotation.describe()} cannot be formatted in scripts")
        if is_silent(value, spec):
            return self.silent(node.span, [value, spec])
        if resolve(value.type) == TENSOR:
            return self.by_prelude(node, prelude.formatted, [value, spec])
        if any(arm == TENSOR or self.has_format(arm) for arm in arms_of(resolve(value.type))):
            return once_all([value, spec], lambda held: self.each_arm(
                held[0], lambda arm: self.formatted_arm(node, arm, held[1])))
        if is_plain:
            return self.text_of(value)
        if self.says_text("str.any", value.type) and not isinstance(resolve(value.type), EnumType):
            text = f"a format specification for {describe(value)} is not supported"
            return self.error(node, text, "write !s before it")
        value = self.shown(value)
        if isinstance(resolve(value.type), EnumType):
            value = self.text_of(value)
        return operate("format.any", to_any(value), spec)

    def has_format(self, kind: Type) -> bool:
        """Whether the class of a value says how it is formatted."""
        return self.speaks(("__format__",), kind) and self.defines(kind, "__format__")

    def formatted_arm(self, node: syntax.Node, value: Expr, spec: Expr) -> Expr:
        """format() of a value whose class, of those that it may have, is known."""
        if self.has_format(value.type):
            text = self.call_member(node.span, value, "__format__", [spec])
            return self.coerce(text, STR, "the result of __format__")
        return self.formatted_as(node, value, spec)

    def _call_format(self, node: syntax.Call, want: Type | None) -> Expr:
        if not self.takes(node, 1, 2):
            return self.wrong(node)
        value = self.expr(node.args[0])
        if len(node.args) == 1:
            return self.formatted_as(node, value, Const(STR, node.span, ""))
        spec = self.value(node.args[1])
        if not is_silent(spec) and resolve(spec.type) != STR:
            return self.error(node.args[1], f"format() argument 2 must be str, not {describe(spec)}")
        return self.formatted_as(node, value, spec)

    def _call_ascii(self, node: syntax.Call, want: Type | None) -> Expr:
        return self.text_of(self.expr(node.args[0]), "ascii.any") if self.takes(node, 1, 1) else self.wrong(node)

    # str.format

    def call_str_format(self, node: syntax.Call, receiver: Expr) -> Expr:
        with self.collect() as before:
            is_table = not node.args and len(node.keywords) == 1 and node.keywords[0].arg is None
            text = self.expr_or(
                lambda: self.filled_in(node, receiver), lambda: self.call_format_map(node, receiver)
            ) if is_table else self.filled_in(node, receiver)
        return after(before, text)

    def filled_in(self, node: syntax.Call, receiver: Expr) -> Expr:
        positional: list[Expr] = []
        row: Expr | None = None
        for place, argument in enumerate(node.args):
            if not isinstance(argument, syntax.Starred):
                positional.append(self.value(argument))
                continue
            items = self.rest_items(argument)
            if items is None:
                return self.wrong(node)
            if isinstance(items, Expr):
                row = items
                if positional or place + 1 < len(node.args):
                    return self.error(node, "'*' of a list stands alone in str.format()", "format(*[first, *rest])")
                break
            positional.extend(items)
        named = self.format_names(node)
        if named is None:
            return Const(ERROR, node.span, None)
        if row is None and any(name == TABLE for name, _ in named):
            return self.format_with_table(node, receiver, positional, named)
        if row is not None:
            return self.format_row(node, receiver, row, named)
        values = [*positional, *(value for _, value in named)]
        if is_silent(*values):
            return self.silent(node.span, values)
        count = len(positional)

        if not isinstance(receiver, Const):
            return once_all([receiver, *values], lambda held: self.format_at_run_time(
                node, held[0], held[1 : count + 1], list(zip((name for name, _ in named), held[count + 1 :]))))

        def use(held: list[Expr]) -> Expr:
            names = dict(zip((name for name, _ in named), held[count:]))
            return _Fields(self, node, held[:count], names).text(receiver.value, MAX_NESTING)

        return once_all(values, use)

    def format_names(self, node: syntax.Call) -> Named | None:
        """Keyword arguments of str.format, also those that `**` stands for; None after reporting."""
        if not any(keyword.arg is None for keyword in node.keywords):
            return self.keywords(node)
        found: Named = []
        for keyword in node.keywords:
            given = self.double_starred_items(keyword.value) if keyword.arg is None else [
                (keyword.arg, self.hold(self.value(keyword.value)))]
            if given is None:
                return None
            found.extend(given)
        return found

    # text.startswith((a, b))

    def any_affix(self, node: syntax.Call, spelling: str, values: list[Expr], rows: Sequence[Operator]) -> Expr:
        """Whether one of the texts of a tuple fits."""

        def use(held: list[Expr]) -> Expr:
            kind = resolve(held[1].type)
            assert isinstance(kind, TupleType)
            parts = tuple_items(held[1], kind)
            tests = [self.operate(node, spelling, [held[0], part, *held[2:]], (), rows) for part in parts]
            if is_silent(*tests):
                return self.silent(node.span, tests)
            return any_of(tests) if tests else boolean(node.span, False)

        return once_all(values, use)

    # str % values

    def percent(self, node: syntax.Node, left: Expr, right: Expr) -> Expr:
        kind = resolve(right.type)
        pieces = conversions(left.value) if isinstance(left, Const) else []
        is_regular = isinstance(left, Const) and not any(
            isinstance(piece, MalformedFormat) or (piece.key is not None and not isinstance(kind, DictType))
            for piece in pieces if not isinstance(piece, str)
        )
        if isinstance(kind, TupleType) and kind.is_variadic:
            return once_all([left, right], lambda held: self.percent_at_run_time(node, held[0], held[1]))
        if not is_regular and not (isinstance(left, Const) and self.hides_method(kind)):
            return once_all([left, right], lambda held: self.percent_at_run_time(node, held[0], held[1]))
        given = right.items if isinstance(right, MakeTuple) else [right]

        def use(held: list[Expr]) -> Expr:
            if isinstance(right, MakeTuple) or not isinstance(kind, TupleType):
                return self.filled(node, pieces, list(held), held[0] if isinstance(kind, DictType) else None)
            return self.filled(node, pieces, tuple_items(held[0], kind), None)

        return once_all(given, use)

    def filled(
        self, node: syntax.Node, pieces: Sequence[str | Conversion | MalformedFormat], values: list[Expr],
        owner: Expr | None,
    ) -> Expr:
        """The pieces with the values in them; `owner` is the dict of named ones."""
        is_container = len(values) == 1 and (
            isinstance(resolve(values[0].type), (DictType, ListType)) or resolve(values[0].type) == BYTES)
        parts: list[Expr] = []
        for piece in pieces:
            if isinstance(piece, str):
                parts.append(Const(STR, node.span, piece))
                continue
            if isinstance(piece, MalformedFormat):
                parts.append(self.raise_error(node.span, "ValueError", str(piece)))
                return self.joined(node, parts)
            parts.append(self.conversion(node, piece, values, owner))
            if is_silent(parts[-1]):
                return self.joined(node, parts)
        if values and not is_container:
            text = "not all arguments converted during string formatting"
            parts.append(self.raise_error(node.span, "TypeError", text))
        return self.joined(node, parts)

    def conversion(self, node: syntax.Node, piece: Conversion, values: list[Expr], owner: Expr | None) -> Expr:
        """One conversion; takes its values off the list."""
        needed = piece.stars + 1
        if piece.key is not None and owner is None:
            return self.raise_error(node.span, "TypeError", "format requires a mapping")
        if piece.key is not None and owner is not None:
            value = self.operate(node, "_[_]", [owner, Const(STR, node.span, piece.key)])
            values.clear()
        elif len(values) < needed:
            return self.raise_error(node.span, "TypeError", "not enough arguments for format string")
        else:
            stars, value = values[: piece.stars], values[piece.stars]
            del values[:needed]
            for star in stars:
                if str(resolve(star.type)) not in ("int", "bool"):
                    return self.raise_error(node.span, "TypeError", "* wants int")
            texts = [self.text_of(self.coerce(star, INT, "a width")) for star in stars]
            return self.converted_value(node, piece, value, texts)
        return self.converted_value(node, piece, value, [])

    def converted_value(self, node: syntax.Node, piece: Conversion, value: Expr, stars: list[Expr]) -> Expr:
        if is_silent(value):
            return value
        letter = piece.letter
        if letter in CONVERSIONS:
            value, letter = self.text_of(value, CONVERSIONS[letter]), "s"
            if piece.is_plain:
                return value
        if resolve(value.type) == TENSOR and letter in NUMBER_LETTERS:
            value = operate(NUMBER_LETTERS[letter], value)
        if self.has_instances(value.type):
            return self.error(node, f"%{letter} of {describe(value)} is not supported", "write %s")
        spec: Expr = Const(STR, node.span, piece.parts[0] + ("" if stars else letter))
        for i, star in enumerate(stars):
            tail = piece.parts[i + 1] + (letter if i + 1 == len(stars) else "")
            spec = operate("add.str", operate("add.str", spec, star), Const(STR, node.span, tail))
        return operate("percent.any", to_any(self.plain(value)), spec)


class _Fields:
    """The fields of one str.format."""

    def __init__(
        self, inference: TextInference, node: syntax.Call, positional: list[Expr], named: dict[str, Expr]
    ) -> None:
        self.inference = inference
        self.node = node
        self.positional = positional
        self.named = named
        self.next_number = 0
        self.is_manual: bool | None = None

    def text(self, template: str, depth: int) -> Expr:
        parts: list[Expr] = []
        try:
            if depth <= 0:
                raise _Raises("ValueError", "Max string recursion exceeded")
            fields = _string.formatter_parser(template)
            while True:
                try:
                    literal, name, spec, conversion = next(fields)
                except StopIteration:
                    break
                except ValueError as error:
                    raise _Raises("ValueError", str(error)) from None
                if literal:
                    parts.append(Const(STR, self.node.span, literal))
                if name is not None:
                    parts.append(self.field(name, spec, conversion, depth))
        except _Raises as raised:
            name, what = raised.args
            if name == "KeyError":
                parts.append(self.inference.raise_key(self.node.span, Const(STR, self.node.span, what)))
            else:
                parts.append(self.inference.raise_error(self.node.span, name, what))
        return self.inference.joined(self.node, parts)

    def field(self, name: str, spec: str, conversion: str | None, depth: int) -> Expr:
        value = self.lookup(name)
        if conversion is not None:
            if conversion not in CONVERSIONS:
                raise _Raises("ValueError", f"Unknown conversion specifier {conversion}"
                              if conversion.isascii() and conversion > " "
                              else f"Unknown conversion specifier \\x{ord(conversion):x}")
            value = self.inference.text_of(value, CONVERSIONS[conversion])
        if is_silent(value):
            return value
        if not spec:
            return self.inference.formatted_as(self.node, value, Const(STR, self.node.span, ""))
        made = self.text(spec, depth - 1) if "{" in spec or "}" in spec else Const(STR, self.node.span, spec)
        return self.inference.formatted_as(self.node, value, made)

    def lookup(self, name: str) -> Expr:
        try:
            first, rest = _string.formatter_field_name_split(name)
            steps = list(rest)
        except ValueError as error:
            raise _Raises("ValueError", str(error)) from None
        value = self.argument(first)
        for is_attribute, key in steps:
            if is_silent(value):
                return value
            if is_attribute:
                value = self.inference.attribute(self.node, value, key, None)
                if isinstance(value, Static):
                    return self.inference.error(self.node, f"attribute '{key}' cannot be formatted in scripts")
                continue
            index = syntax.Constant(self.node.span, key)
            subscript = syntax.Subscript(self.node.span, self.node, index)
            constant = self.inference.expr(index)
            value = self.inference.get_item(subscript, value, constant)
        return value

    def argument(self, first: int | str) -> Expr:
        if first == "":
            if self.is_manual:
                raise _Raises(
                    "ValueError", "cannot switch from manual field specification to automatic field numbering"
                )
            self.is_manual, first = False, self.next_number
            self.next_number += 1
        elif isinstance(first, int):
            if self.is_manual is False:
                raise _Raises(
                    "ValueError", "cannot switch from automatic field numbering to manual field specification"
                )
            self.is_manual = True
        if isinstance(first, str):
            if first not in self.named:
                raise _Raises("KeyError", first)
            return self.named[first]
        if first >= len(self.positional):
            raise _Raises("IndexError", f"Replacement index {first} out of range for positional args tuple")
        return self.positional[first]
