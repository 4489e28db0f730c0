"""Inference of formatting whose text is known at run time only.

In: str % values, str.format and str.format_map on such texts. Out: calls of the prelude, with the values as Any.
Holds: what would have to call a method of an instance, or know an enum's, is refused: only constant texts take those.
"""

from __future__ import annotations

from collections.abc import Sequence

from ....ir.types import (
    ANY,
    BOOL,
    BYTES,
    DEVICE,
    DTYPE,
    EXCEPTION,
    INT,
    STR,
    ClassType,
    DictType,
    EnumType,
    ListType,
    NamedTupleType,
    TensorType,
    TupleType,
    Type,
    arms_of,
)
from ...core.conversions import once_all, operate, to_any
from ...core.denotations import SpecialDenotation
from ...core.matcher import describe
from ...core.placeholders import has_placeholder, resolve, unify
from ...core.typed import Const, Expr, MakeDict, MakeList, Static, boolean, is_silent, none
from ...parser import syntax
from ...prelude import formatting as prelude_format
from ..base import InferenceBase
from ..parts import Named
from ..type_facts import tuple_items

MAPPINGS = (DictType, ListType)  # of what str % takes, those that CPython takes for mappings; bytes too


class RunTimeTextInference(InferenceBase):
    """Texts that are not constants."""

    def _special_percent_one(self, node: syntax.Call, denotation: SpecialDenotation) -> Expr:
        value, spec = (self.value(argument) for argument in node.args)
        return operate("percent.any", to_any(value), spec)

    def _special_item_of(self, node: syntax.Call, denotation: SpecialDenotation) -> Expr:
        owner, key = (self.value(argument) for argument in node.args)
        return operate("getitem.any", to_any(owner), to_any(key))

    def _special_class_name(self, node: syntax.Call, denotation: SpecialDenotation) -> Expr:
        return operate("class_name.any", to_any(self.value(node.args[0])))

    def refused_in_text(self, values: Sequence[Expr]) -> Expr | None:
        """A message about a value that only a constant text can format."""
        for value in values:
            if isinstance(value, Static):
                return self.error(value, f"{value.denotation.describe()} cannot be formatted in scripts")
            if self.hides_method(value.type):
                text = f"{describe(value)} cannot be formatted by a text known at run time only"
                return self.error(value, text, "pass str(x), or write the text as a constant")
        return None

    def hides_method(self, kind: Type) -> bool:
        kind = resolve(kind)
        return isinstance(kind, (ClassType, EnumType)) or any(map(self.hides_method, (*kind.members, *(
            arm for arm in arms_of(kind) if arm != kind))))

    def has_attributes(self, kind: Type) -> bool:
        """Whether values of a type are, or hold, what has attributes beyond those of numbers."""
        kind = resolve(kind)
        if isinstance(kind, (NamedTupleType, TensorType)) or kind in (EXCEPTION, DTYPE, DEVICE):
            return True
        return any(map(self.has_attributes, kind.members))

    def as_list(self, node: syntax.Node, values: Sequence[Expr]) -> Expr:
        return MakeList(ListType(ANY), node.span, [to_any(value) for value in values])

    def percent_at_run_time(self, node: syntax.Node, left: Expr, right: Expr) -> Expr:
        """str % values."""
        kind = resolve(right.type)
        refused = self.refused_in_text([right])
        if refused is not None:
            return refused
        is_mapping = isinstance(kind, MAPPINGS) or kind == BYTES
        if isinstance(kind, TupleType) and kind.is_variadic:
            values = self.by_prelude(node, prelude_format.any_values, [right])
        elif isinstance(kind, TupleType):
            values = self.as_list(node, tuple_items(right, kind))
        else:
            values = self.as_list(node, [right])
        table = to_any(right) if is_mapping else to_any(none(node.span))
        return self.by_prelude(node, prelude_format.percent_text, [left, values, table, boolean(node.span, is_mapping)])

    def format_at_run_time(
        self, node: syntax.Call, template: Expr, positional: Sequence[Expr], named: Sequence[tuple[str, Expr]]
    ) -> Expr:
        """str.format."""
        everything = [*positional, *(value for _, value in named)]
        refused = self.refused_in_text(everything)
        if refused is not None:
            return refused
        for value in everything:
            if self.has_attributes(value.type):
                text = f"the attributes of {describe(value)} are not known to a text known at run time only"
                return self.error(value, text, "write the text as a constant")
        parts: list[Expr] = []
        for name, value in named:
            parts += [Const(STR, node.span, name), to_any(value)]
        names = MakeDict(DictType(STR, ANY), node.span, parts)
        return self.formatted_by(node, template, self.as_list(node, positional), names, False)

    def format_row(self, node: syntax.Call, template: Expr, row: Expr, named: Named) -> Expr:
        """`text.format(*row)` of a list."""
        refused = self.refused_in_text([row, *(value for _, value in named)])
        if refused is not None:
            return refused
        if self.has_attributes(row.type):
            text = f"the attributes of the elements of {describe(row)} are not known to a text known at run time only"
            return self.error(row, text, "write the values out")
        template, row = self.hold(template), self.hold(row)
        parts: list[Expr] = []
        for name, value in named:
            parts += [Const(STR, node.span, name), to_any(value)]
        names = MakeDict(DictType(STR, ANY), node.span, parts)
        values = self.by_prelude(node, prelude_format.any_values, [row])
        return self.formatted_by(node, template, values, names, False)

    def format_with_table(self, node: syntax.Call, template: Expr, positional: Sequence[Expr], named: Named) -> Expr:
        """`text.format(a, **table)` of a dict."""
        if len(named) > 1:
            return self.error(node, "'**' of a dict stands alone in str.format()", "format(**{**table, 'name': value})")
        table = self.spread_of(named[0][1])
        values = [template, *positional, table]
        if is_silent(*values):
            return self.silent(node.span, values)
        refused = self.refused_in_text([*positional, table])
        if refused is not None:
            return refused
        for value in (*positional, table):
            if self.has_attributes(value.type):
                text = f"the attributes of {describe(value)} are not known to a text known at run time only"
                return self.error(value, text, "write the keyword arguments out")
        return once_all(values, lambda held: self.formatted_by(
            node, held[0], self.as_list(node, held[1:-1]), self.by_prelude(node, prelude_format.any_names, held[-1:]),
            False))

    def formatted_by(self, node: syntax.Call, template: Expr, values: Expr, names: Expr, is_map: bool) -> Expr:
        numbering = MakeList(ListType(INT), node.span, [Const(INT, node.span, 0), Const(INT, node.span, 0)])
        depth = Const(INT, node.span, 2)
        whole = [template, values, names, numbering, Const(BOOL, node.span, is_map), depth]
        return self.by_prelude(node, prelude_format.format_text, whole)

    def call_format_map(self, node: syntax.Call, template: Expr) -> Expr:
        """str.format_map(table), and str.format(**table)."""
        is_spread = not node.args and len(node.keywords) == 1 and node.keywords[0].arg is None
        given = [node.keywords[0].value] if is_spread else node.args
        if len(given) != 1 or isinstance(given[0], syntax.Starred):
            return self.error(node, f"str.format_map() takes exactly one argument ({len(node.args)} given)")
        table = self.value(given[0])
        kind = resolve(table.type)
        if is_silent(table):
            return table
        if isinstance(kind, DictType) and has_placeholder(kind.key):
            unify(kind.key, STR)
            kind = resolve(kind)
        if not isinstance(kind, DictType) or kind.key != STR:
            return self.error(given[0], f"format_map() takes a dict with str keys, not {describe(table)}")
        refused = self.refused_in_text([table])
        if refused is not None:
            return refused
        names = self.by_prelude(node, prelude_format.any_names, [table])
        return self.formatted_by(node, template, self.as_list(node, []), names, not is_spread)
