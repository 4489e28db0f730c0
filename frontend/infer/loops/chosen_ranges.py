"""Ternaries whose arms are ranges: `range(n) if forward else range(n - 1, -1, -1)`.

In: the ternary. Out: one range, whose start, stop and step the condition chooses. Holds: an arm that is `reversed` of a
range is the range backwards only where it is iterated at once, since an iterator is used up.
"""

from __future__ import annotations

from collections.abc import Sequence

from ....ir.types import INT, NONE, TupleType, Type
from ...core.conversions import operate
from ...core.denotations import RangeDenotation
from ...core.placeholders import resolve
from ...core.typed import ERROR, STATIC, Const, Expr, MakeTuple, Static, after
from ...parser import syntax
from ...prelude import ranges as prelude
from ..base import InferenceBase
from ..iteration import NotIterable
from ..type_facts import tuple_items

PARTS = TupleType((INT, INT, INT))


class ChosenRangeInference(InferenceBase):
    """Ranges that conditions choose."""

    def chooses_range(self, node: syntax.Node, is_once: bool = False) -> bool:
        """Whether every arm of a ternary is a range; `is_once`, where a `reversed` one is as good."""
        return isinstance(node, syntax.IfExp) and all(
            self.chooses_range(arm, is_once) or self.range_call(arm, is_once) is not None
            for arm in (node.body, node.orelse))

    def range_call(self, node: syntax.Node, is_once: bool) -> syntax.Call | None:
        """The call of range that an arm is, or reverses."""
        if not isinstance(node, syntax.Call) or not isinstance(node.func, syntax.Name) or node.keywords:
            return None
        if self.is_builtin(node.func, "range"):
            is_plain = not any(isinstance(argument, syntax.Starred) for argument in node.args)
            return node if is_plain and 1 <= len(node.args) <= 3 else None
        if is_once and len(node.args) == 1 and self.is_builtin(node.func, "reversed"):
            return self.range_call(node.args[0], False)
        return None

    def chosen_by_if(self, node: syntax.If) -> syntax.Assign | None:
        """`if c: r = range(a)`, `else: r = range(b)`: the assignment of the ternary that says the same."""
        target, value = _sole_assignment(node.body)
        other, otherwise = _sole_assignment(node.orelse)
        if len(node.orelse) == 1 and isinstance(node.orelse[0], syntax.If):
            inner = self.chosen_by_if(node.orelse[0])
            other, otherwise = _sole_assignment([inner] if inner is not None else [])
        if target is None or other is None or value is None or otherwise is None or target.id != other.id:
            return None
        ternary = syntax.IfExp(node.span, node.test, value, otherwise)
        return syntax.Assign(node.span, [target], ternary) if self.chooses_range(ternary) else None

    def stored_choice(self, node: syntax.IfExp) -> Expr:
        """The range, in variables of the function."""
        with self.collect() as before:
            self.storing += 1
            try:
                whole = self.keep(self.ternary(node, PARTS, self.range_of_arm, self.range_of_arm))
            finally:
                self.storing -= 1
        if resolve(whole.type) != PARTS:
            return after(before, whole)
        start, stop, step = tuple_items(whole, PARTS)
        return Static(STATIC, node.span, RangeDenotation((start, stop, step), next(self._counter)), before)

    def range_of_arm(self, node: syntax.Node, want: Type | None) -> Expr:
        """start, stop and step of an arm."""
        if isinstance(node, syntax.IfExp):
            return self.ternary(node, want, self.range_of_arm, self.range_of_arm)
        call = self.range_call(node, True)
        assert call is not None
        with self.collect() as before:
            try:
                parts: Sequence[Expr] = self.range_parts(call)
            except NotIterable:
                return Const(ERROR, node.span, None)
            self.evaluate(operate("range_length", *parts))
            found: Expr = MakeTuple(PARTS, node.span, list(parts))
            if call is not node:
                none = Const(NONE, node.span, None)
                found = self.by_prelude(node, prelude.range_slice, [*parts, none, none, Const(INT, node.span, -1)])
        return after(before, found)


def _sole_assignment(body: Sequence[syntax.Node]) -> tuple[syntax.Name | None, syntax.Expression | None]:
    """The name and the value, where a suite is nothing but one assignment."""
    only = body[0] if len(body) == 1 else None
    if isinstance(only, syntax.Assign) and len(only.targets) == 1 and isinstance(only.targets[0], syntax.Name):
        return only.targets[0], only.value
    return None, None
