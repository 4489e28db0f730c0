"""Inference of `range(*row)`, `slice(*row)`, `dict(**table)`, `d.update(**table)`, `map(f, *rows)`: builtins given rows
of any length, tables of any keys.

In: calls of builtins with stars. Out: the same calls with arguments of their own, behind CPython's checks.
Holds: all arguments are evaluated, in order, before the first check.
"""

from __future__ import annotations

from ....ir.types import INT, STR, DictType, ListType, Type, optional
from ...compilation.frames import MARK
from ...core.denotations import BuiltinDenotation, Denotation, OperatorDenotation
from ...core.placeholders import resolve
from ...core.typed import ERROR, Const, Expr, MakeList, after, is_silent
from ...parser import syntax
from ...prelude import calls as prelude
from ..base import InferenceBase
from .spreads import TABLE, is_spread

BOUNDS: dict[str, tuple[Type, object]] = {
    "range": (INT, prelude.range_bounds), "slice": (optional(INT), prelude.slice_bounds)}


class BuiltinSpreadInference(InferenceBase):
    """Spread arguments of builtins."""

    def bounds_apart(self, node: syntax.Call, name: str) -> syntax.Call | None:
        """`range(*row)`, `slice(*row)` with three arguments of their own; None after reporting."""
        kind, function = BOUNDS[name]
        row = self.expr(syntax.List(node.span, node.args), ListType(kind))
        if not is_silent(row):
            row = self.coerce(row, ListType(kind), f"the arguments of {name}()")
        if is_silent(row):
            self.evaluate(row)
            return None
        whole = MARK + self.hidden("bounds")
        self.store(whole, self.by_prelude(node, function, [row]))
        parts: list[syntax.Expression] = [
            syntax.Subscript(node.span, syntax.Name(node.span, whole), syntax.Constant(node.span, i)) for i in range(3)]
        return syntax.Call(node.span, node.func, parts, node.keywords)

    def call_bounds_spread(self, node: syntax.Call, denotation: Denotation) -> Expr | None:
        """`range(*row)`, `slice(*row)`; None for all others."""
        name = denotation.name if isinstance(denotation, BuiltinDenotation) else ""
        if name not in BOUNDS or node.keywords:
            return None
        with self.collect() as before:
            apart = self.bounds_apart(node, name)
            result = Const(ERROR, node.span, None) if apart is None else self.call_builtin(apart, name, None)
        return after(before, result)

    def call_dict_spread(self, node: syntax.Call, denotation: Denotation, want: Type | None) -> Expr | None:
        """`dict(items, key=1, **table)`, `d.update(items, key=1, **table)`; None for all others."""
        is_new = denotation == BuiltinDenotation("dict")
        receiver = denotation.receiver if isinstance(denotation, OperatorDenotation) else None
        is_update = isinstance(denotation, OperatorDenotation) and denotation.spelling == ".update" and (
            receiver is not None and isinstance(resolve(receiver.type), DictType))
        if not (is_new or is_update) or any(isinstance(each, syntax.Starred) for each in node.args):
            return None
        span = node.span
        with self.collect() as before:
            owner = syntax.Name(span, MARK + self.hidden("owner"))
            if receiver is not None:
                self.store(owner.id, receiver)
            else:
                self.store(owner.id, self.call_builtin(syntax.Call(span, node.func, node.args, []), "dict", want))
            given = [] if is_new else [self.hold(self.value(each)) for each in node.args]
            table = self.keywords_apart(node, "dict" if is_new else "dict.update")
            if table is None or self.env is None or is_silent(*given):
                return Const(ERROR, span, None)
            if is_new:
                return after(before, self.binary(node, "|", self.expr(owner), self.expr(table)))
            more: list[syntax.Expression] = [table]
            if given:
                first = syntax.Name(span, MARK + self.hidden("given"))
                self.store(first.id, given[0])
                more.insert(0, first)
            result: Expr = Const(ERROR, span, None)
            for each in more:
                result = self.expr(syntax.Call(span, syntax.Attribute(span, owner, "update"), [each], []))
                self.evaluate(result) if each is not more[-1] else None
        return after(before, result)

    def keywords_apart(self, node: syntax.Call, shown: str) -> syntax.Dict | None:
        """The keyword arguments as a display, behind the check that no name is there twice; None after reporting."""
        given = self.values_of(syntax.Call(node.span, node.func, [], node.keywords))
        if given is None:
            return None
        keys: list[syntax.Expression | None] = []
        values: list[syntax.Expression] = []
        seen: list[Expr] = []
        for name, value in given[1]:
            part = syntax.Name(node.span, MARK + self.hidden("keyword"))
            self.store(part.id, self.spread_of(value) if is_spread(value) else value)
            seen.append(MakeList(ListType(STR), node.span, [Const(STR, node.span, name)]) if name != TABLE else (
                self.list_of(node, self.expr(part))))
            keys.append(None if name == TABLE else syntax.Constant(node.span, name))
            values.append(part)
        names = self.keep(MakeList(ListType(STR), node.span, []))
        for each in seen:
            self.evaluate(self.by_prelude(node, prelude.check_names, [names, each, Const(STR, node.span, shown)]))
        return syntax.Dict(node.span, keys, values)

    def map_of_rows(self, node: syntax.Call) -> syntax.Call | None:
        """`map(f, a, *rows)` as a map with iterables of their own, or as a zip of all where their number is not known;
        None after reporting."""
        span = node.span
        parts: list[syntax.Expression] = []
        for each in node.args[1:]:
            items: list[Expr] | Expr | None = self.rest_items(each) if isinstance(each, syntax.Starred) else [
                self.hold(self.value(each))]
            if items is None or is_silent(*(items if isinstance(items, list) else [items])):
                return None
            for value in items if isinstance(items, list) else [items]:
                name = syntax.Name(span, MARK + self.hidden("rows"))
                self.store(name.id, value)
                parts.append(name if isinstance(items, list) else syntax.Starred(span, name))
        if not any(isinstance(part, syntax.Starred) for part in parts):
            return syntax.Call(span, node.func, [node.args[0], *parts], [])
        rows = syntax.Name(span, MARK + self.hidden("rows"))
        self.store(rows.id, self.expr(syntax.List(span, parts)))
        self.evaluate(self.by_prelude(node, prelude.check_rows, [self.expr(rows)]))
        return syntax.Call(span, self.builtin_name(span, "zip"), [syntax.Starred(span, rows)], [])
