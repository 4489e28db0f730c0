"""Inference of conditions: not, and, or, ternaries, with what is known on each side.

In: condition expressions. Out: a bool or the deciding operand, and the environments of both outcomes.
Holds: `condition` evaluates once; an operand is looked at only where those before it allow it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ....ir.types import BOOL, NONE, DictType, ListType, OptionalType, SetType, TupleType, Type, UnionType, arms_of
from ...core.conversions import convert, narrowed, remove_none
from ...core.placeholders import join, resolve
from ...core.typed import (
    ERROR,
    NEVER,
    Choose,
    Const,
    Do,
    Evaluate,
    Expr,
    Let,
    ReadTemp,
    Temp,
    after,
    boolean,
    is_silent,
)
from ...parser import syntax
from ...parser.syntax import Span
from ..base import InferenceBase
from ..environment import Environment, after_choice, merge
from ..parts import Outcome
from ..type_facts import always_true, converted_to


class ConditionInference(InferenceBase):
    """Conditions."""

    def condition(self, node: syntax.Node) -> Outcome:
        """A condition as a bool, and what is known where it is true and where it is false (None: it cannot be)."""
        if node in self.guarded:
            self.guarded[node]()
        if isinstance(node, syntax.UnaryOp) and node.op == "not":
            value, true, false = self.condition(node.operand)
            return self.negate(value, node.span), false, true
        if isinstance(node, syntax.BoolOp):
            return self.short_circuit(node.op, node.values, node.span)
        narrowing = self.narrowing(node)
        if narrowing is None:
            value = self.truth(self.expr(node))
            if self.env is None or value.type == NEVER:
                return value, None, None
            return self.decided(value, self.here, self.here.copy())
        return narrowing

    def decided(self, value: Expr, true: Environment | None, false: Environment | None) -> Outcome:
        """Takes away the outcome that a constant excludes."""
        if isinstance(value, Const) and value.type == BOOL:
            return (value, true, None) if value.value else (value, None, false)
        inner = value.value if isinstance(value, Do) else None
        if isinstance(inner, Const) and inner.type == BOOL:
            return (value, true, None) if inner.value else (value, None, false)
        return value, true, false

    def short_circuit(self, op: str, nodes: Sequence[syntax.Node], span: Span) -> Outcome:
        """a and b and ...: conditions from left to right, each where the ones before allow it."""
        entry = self.here.copy()
        value, true, false = self.condition(nodes[0])
        for node in nodes[1:]:
            value, true, false = self.and_then(op, value, true, false, node, entry)
        return value, true, false

    def and_then(
        self, op: str, left: Expr, true: Environment | None, false: Environment | None, node: syntax.Node,
        entry: Environment,
    ) -> Outcome:
        is_and = op == "and"
        start, other = (true, false) if is_and else (false, true)
        if start is None:
            return left, true, false
        self.env = start
        entry = start.copy() if other is None else entry
        right, right_true, right_false = self.condition(node)
        if other is None:
            return (self.then(left, right), right_true, right_false)
        joined, carried = merge([other, right_true, right_false], None, entry)
        short = boolean(left.span, not is_and)
        value: Expr
        if is_silent(left):
            value = left
        elif is_and:
            value = Choose(BOOL, left.span, left, right, short, carried)
        else:
            value = Choose(BOOL, left.span, left, short, right, carried)
        right_true = after_choice(right_true, joined, carried)
        right_false = after_choice(right_false, joined, carried)
        other = after_choice(other, joined, carried)
        assert joined is not None
        if is_and:
            return value, right_true, merge([other, right_false], None, joined)[0]
        return value, merge([other, right_true], None, joined)[0], right_false

    def then(self, first: Expr, second: Expr) -> Expr:
        """Evaluates both, for the second's value."""
        if isinstance(first, Const):
            return second
        return after([Evaluate(first.span, first)], second)

    def _BoolOp(self, node: syntax.BoolOp, want: Type | None) -> Expr:
        return self.operand_of(node.op, node.values, node.span, want)

    def operand_of(self, op: str, nodes: Sequence[syntax.Node], span: Span, want: Type | None) -> Expr:
        """`a and b` as a value: the operand that decides, at the union of what the operands can be then."""
        if len(nodes) == 1:
            return self.value(nodes[0], want)
        entry, emitted = self.here.copy(), len(self.out)
        left = self.value(nodes[0], want)
        if op == "or" and isinstance(ands := nodes[0], syntax.BoolOp) and resolve(left.type) != BOOL:
            left = self.true_or_none(ands, left, want, entry, emitted)
        if is_silent(left):
            return left
        kind = resolve(left.type)
        if kind == BOOL:
            return self.bool_operand(op, nodes, span, want, left, entry)
        if kind == NONE:
            return left if op == "and" else self.then(left, self.operand_of(op, nodes[1:], span, want))
        temp = Temp()
        read = ReadTemp(kind, left.span, temp)
        test = self.truth(read)
        if isinstance(test, Const):
            is_left = bool(test.value) != (op == "and")
            return left if is_left else self.then(left, self.operand_of(op, nodes[1:], span, want))
        kept = remove_none(kind) if op == "or" else kind
        if op == "and" and isinstance(kind, OptionalType) and always_true(kind.inner):
            kept = NONE
        true, false = self.both(nodes[0], remove_none(kind) if NONE in arms_of(kind) else kind, kind)
        start, other = (true, false) if op == "and" else (false, true)
        self.env = start
        right = self.operand_of(op, nodes[1:], span, want)
        self.env, carried = merge([other, self.env if right.type != NEVER else None], None, entry)
        if right.type == ERROR:
            return right
        whole = join(kept, resolve(right.type))
        first, second = convert(narrowed(read, kept), whole), convert(right, whole)
        assert first is not None and second is not None
        arms = (second[0], first[0]) if op == "and" else (first[0], second[0])
        return Let(whole, span, temp, left, Choose(whole, span, test, arms[0], arms[1], carried))

    def true_or_none(
        self, node: syntax.BoolOp, left: Expr, want: Type | None, before: Environment, emitted: int
    ) -> Expr:
        """`a and b` of `a and b or c`, where a false operand is not the result: `b if a else None`."""
        if node.op != "and" or any(isinstance(inner, syntax.NamedExpr) for inner in syntax.walk(node)):
            return left
        self.env = before.copy()
        del self.out[emitted:]
        test = node.values[0] if len(node.values) == 2 else syntax.BoolOp(node.span, "and", node.values[:-1])
        return self._IfExp(syntax.IfExp(node.span, test, node.values[-1], syntax.Constant(node.span, None)), want)

    def bool_operand(
        self, op: str, nodes: Sequence[syntax.Node], span: Span, want: Type | None, left: Expr, before: Environment
    ) -> Expr:
        """A bool on the left: known on each side, so refinement by conditions works as in `if`."""
        entry = self.here.copy()
        test, true, false = self.reconsider(nodes[0], left, before)
        start, other = (true, false) if op == "and" else (false, true)
        if start is None:
            return left
        self.env = start
        right = self.operand_of(op, nodes[1:], span, want)
        if other is None:
            return self.then(test, right)
        self.env, carried = merge([other, self.env if right.type != NEVER else None], None, entry)
        if right.type == ERROR:
            return right
        whole = join(BOOL, resolve(right.type))
        decided, second = convert(boolean(span, op == "or"), whole), convert(right, whole)
        assert decided is not None and second is not None
        arms = (second[0], decided[0]) if op == "and" else (decided[0], second[0])
        return Choose(whole, span, test, arms[0], arms[1], carried)

    def reconsider(self, node: syntax.Node, left: Expr, before: Environment) -> Outcome:
        """The condition form of an operand whose value form is known to be a bool. It stands in the place of that form,
        and is inferred from what was known `before`: what that form has read is not yet known to be bound."""
        if not isinstance(node, (syntax.Compare, syntax.Call, syntax.UnaryOp, syntax.BoolOp)):
            return self.decided(left, self.here, self.here.copy())
        if any(isinstance(inner, syntax.NamedExpr) for inner in syntax.walk(node)):
            return self.decided(left, self.here, self.here.copy())
        self.env = before.copy()
        return self.condition(node)

    def _IfExp(self, node: syntax.IfExp, want: Type | None) -> Expr:
        if self.chooses_range(node):
            return self.stored_choice(node)
        return self.ternary(node, want, self.expr, self.value)

    def ternary(
        self, node: syntax.IfExp, want: Type | None, decided: Callable[[syntax.Node, Type | None], Expr],
        value_of: Callable[[syntax.Node, Type | None], Expr],
    ) -> Expr:
        """A ternary whose arms are inferred by `value_of`; by `decided`, if the types leave only one of them."""
        entry = self.here.copy()
        test, true, false = self.condition(node.test)
        if true is None and false is None:
            return Const(ERROR, node.span, None) if test.type == ERROR else test
        if true is None or false is None:
            self.env = true if false is None else false
            return self.then(test, decided(node.body if false is None else node.orelse, want))
        self.env = true
        first = value_of(node.body, want)
        after_first = self.env if first.type != NEVER else None
        self.env = false
        second = value_of(node.orelse, want)
        after_second = self.env if second.type != NEVER else None
        self.env, carried = merge([after_first, after_second], None, entry)
        if ERROR in (first.type, second.type, test.type):
            self.env = self.env or entry
            return Const(ERROR, node.span, None)
        kind = join(first.type, second.type)
        if isinstance(want, (TupleType, ListType, DictType, SetType)) and isinstance(kind, UnionType):
            wanted = [convert(arm, want) for arm in (first, second)]
            kind = kind if None in wanted else want  # displays of both arms take the type of what they are for
        arms = [arm if arm.type == NEVER else converted_to(arm, kind) for arm in (first, second)]
        return Choose(kind, node.span, test, arms[0], arms[1], carried)
