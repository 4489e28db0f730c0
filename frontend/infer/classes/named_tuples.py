"""Inference of what named tuples have of tuples: index, count, `_make`, and calls with `*`.

In: their calls. Out: calls of the methods of tuples, tuples made of the items of an iterable.
Holds: a named tuple of an iterable is made when its length has been checked, as CPython checks it.
"""

from __future__ import annotations

from typing import Any as PyAny

from ....ir.types import INT, STR, NamedTupleType, TupleType
from ...core.conversions import as_tuple, operate
from ...core.denotations import ClassDenotation, FieldsDenotation, OperatorDenotation
from ...core.placeholders import resolve
from ...core.typed import ERROR, STATIC, Const, Expr, MakeTuple, Static, after, is_silent
from ...objects.annotations import AnnotationError
from ...parser import syntax
from ...parser.syntax import Span
from ..base import InferenceBase
from ..iteration import NotIterable
from ..type_facts import tuple_items


class NamedTupleInference(InferenceBase):
    """Named tuples as tuples."""

    def call_tuple_method(self, node: syntax.Call, denotation: FieldsDenotation) -> Expr:
        """`p.index(x)`, `p.count(x)`."""
        return self.call_operator(node, OperatorDenotation(f".{denotation.name}", as_tuple(denotation.receiver)))

    def make_of_items(self, node: syntax.Call, denotation: FieldsDenotation) -> Expr:
        """`Point._make(items)`."""
        python: PyAny = denotation.receiver.denotation.python  # type: ignore[attr-defined]
        if len(node.args) != 1 or node.keywords or isinstance(node.args[0], syntax.Starred):
            return self.error(node, f"{python.__name__}._make() takes an iterable")
        try:
            kind = self.session.classes.kind_of(python)
        except AnnotationError as error:
            return self.error(node, str(error))
        assert isinstance(kind, NamedTupleType)
        if not getattr(python, "__annotations__", None):
            argument = node.args[0]
            parts = argument.elts if isinstance(argument, (syntax.List, syntax.Tuple)) else []
            if len(parts) == len(kind.fields) and not any(isinstance(part, syntax.Starred) for part in parts):
                return self.make_named_tuple(syntax.Call(node.span, node.func, parts, []), python)
            return self.make_of_one_type(node, python, kind)
        with self.collect() as before:
            try:
                items = self.items_of(node, kind, node.args[0])
            except NotIterable:
                return Const(ERROR, node.span, None)
            fitted = [self.coerce(item, member, f"field '{name}'") if not is_silent(item) else item
                      for item, (name, member) in zip(items, kind.fields)]
            if is_silent(*fitted):
                return after(before, self.silent(node.span, fitted))
        return after(before, MakeTuple(kind, node.span, fitted))

    def make_of_one_type(self, node: syntax.Call, python: type, kind: NamedTupleType) -> Expr:
        """The same where the class does not say the types of its fields: that of the items of the iterable."""
        with self.collect() as before:
            try:
                listed = self.list_from(node.args[0])
                if is_silent(listed):
                    self.end_with(node.span, [listed])
                listed = self.hold(listed)
                element = resolve(listed.type).members[0]
                kind = NamedTupleType(kind.name, tuple((name, element) for name, _ in kind.fields), kind.hashes_itself)
                items = self.items_listed(node, len(kind.fields), listed)
            except NotIterable:
                return Const(ERROR, node.span, None)
        self.session.classes.register(kind, python)
        return after(before, MakeTuple(kind, node.span, items))

    def items_of(self, node: syntax.Call, kind: NamedTupleType, argument: syntax.Expression) -> list[Expr]:
        """As many items as there are fields; TypeError for any other number."""
        wanted = len(kind.fields)
        value = None if self.is_lazy(argument) else self.valued(self.expr(argument))
        known = None if value is None else resolve(as_tuple(value).type)
        if value is not None and isinstance(known, TupleType) and not known.is_variadic:
            parts = tuple_items(self.hold(as_tuple(value)), known)
            if len(parts) != wanted:
                text = f"Expected {wanted} arguments, got {len(parts)}"
                return [self.raise_error(node.span, "TypeError", text)] * wanted
            return parts
        listed = self.list_from(argument) if value is None else self.list_of(argument, value)
        if is_silent(listed):
            self.end_with(node.span, [listed])
        return self.items_listed(node, wanted, self.hold(listed))

    def items_listed(self, node: syntax.Call, wanted: int, listed: Expr) -> list[Expr]:
        """So many items of a list; TypeError where it has any other number."""
        length = self.hold(self.operate(node, "len()", [listed]))
        test = operate("eq.int", length, Const(INT, node.span, wanted))

        def fail() -> None:
            begin = Const(STR, node.span, f"Expected {wanted} arguments, got ")
            self.evaluate(self.raise_error(node.span, "TypeError", operate("add.str", begin, self.text_of(length))))

        here = self.here
        self.branch(node.span, test, here, here.copy(), None, lambda: None, fail)
        return [self.operate(node, "_[_]", [listed, Const(INT, node.span, i)]) for i in range(wanted)]


def makes(python: type) -> FieldsDenotation:
    """`Point._make`."""
    return FieldsDenotation("_make", Static(STATIC, Span("", 1, 1, 1, 1), ClassDenotation(python)))
