"""Inference of operators whose methods may give NotImplemented: the operand that is asked next says what they mean.

In: what asks each operand, in Python's order. Out: the first answer. Holds: a method that gives NotImplemented for the
types of its operands is known not to answer; one that gives it on some paths only gives an instance of a class of its
own there, which callers test; where nobody answers, CPython's TypeError is raised.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from ....ir.types import NONE, Type, arms_of, union
from ...compilation.specialise import Again
from ...core.placeholders import resolve
from ...core.typed import NOT_IMPLEMENTED, Const, Do, Evaluate, Expr, Invoke, Let, Return, Stmt, is_silent
from ...parser import syntax
from ..base import InferenceBase
from ..operand_errors import class_name, classes_error

Question = Callable[[], "Expr | None"]  # None: the operand has no such method


class DeclinedInference(InferenceBase):
    """NotImplemented."""

    def in_turn(
        self, questions: Sequence[Question], otherwise: Callable[[bool], Expr], is_late: bool = False
    ) -> Expr:
        """The first answer. `otherwise` tells what there is without one; its argument is `is_late`: whether that shows
        at run time only."""
        before: list[Stmt] = []
        for place, question in enumerate(questions):
            found = question()
            if found is None:
                continue
            if self.is_declined(found):
                before += declining(found)
                continue
            if self.may_decline(found):
                rest = partial(self.in_turn, questions[place + 1 :], otherwise, True)
                found = self.unless_declined(found, lambda one: one, rest)
            return after_declined(before, found)
        return after_declined(before, otherwise(is_late))

    def unless_declined(
        self, found: Expr, use: Callable[[Expr], Expr], otherwise: Callable[[], Expr] | None = None
    ) -> Expr:
        """`use` of an answer that is one; NotImplemented is left as it is, or is `otherwise`."""

        def one(answer: Expr) -> Expr:
            if resolve(answer.type) != self.session.declined:
                return use(answer)
            return answer if otherwise is None else otherwise()

        return self.each_arm(found, one) if self.may_decline(found) else use(found)

    def may_decline(self, found: Expr) -> bool:
        """Whether an answer is NotImplemented on some paths."""
        return not is_silent(found) and self.session.declined in arms_of(resolve(found.type))

    def is_declined(self, value: Expr) -> bool:
        """Whether a call gives NotImplemented: the other operand is asked instead."""
        if resolve(value.type) == self.session.declined:
            return True
        while isinstance(value, Let):
            value = value.body
        return value.type == NOT_IMPLEMENTED or (
            isinstance(value, Invoke) and value.callee.result == NOT_IMPLEMENTED)

    def declines_on_some_paths(self) -> None:
        """A method that turned out to give NotImplemented and something else: it is inferred anew with values of both
        kinds."""
        self.spec.may_decline = True
        if self.spec.declared is not None:
            self.spec.declare(union(self.spec.declared, self.session.declined))
        raise Again(self.spec)

    def unanswered(self, node: syntax.Node, op: str, left: Expr, right: Expr) -> Expr | None:
        """CPython's TypeError for an operator that no operand knows; None where a class has no name."""
        a, b = self.shown_class(left.type), self.shown_class(right.type)
        if a is None or b is None or op == "%" and a == "str":
            return None
        text: str | None = f"'{op}' not supported between instances of '{a}' and '{b}'"
        if op not in ("<", "<=", ">", ">="):
            text = classes_error(op, a, b, isinstance(node, syntax.AugAssign))
        return None if text is None else self.raise_error(node.span, "TypeError", text)

    def shown_class(self, kind: Type) -> str | None:
        python = self.session.classes.python_of(kind)
        return python.__name__ if python is not None else class_name(kind)


def declining(value: Expr) -> list[Stmt]:
    """What a call that gives NotImplemented does before; nothing where it only returns."""
    call = value
    while isinstance(call, Let):
        call = call.body
    if not isinstance(call, Invoke) or call.callee.result != NOT_IMPLEMENTED:
        return [Evaluate(value.span, value)]
    if all(isinstance(step, Return) and isinstance(step.value, Const) for step in call.callee.body):
        return []
    call.type = NONE
    outer = value
    while isinstance(outer, Let):
        outer.type = NONE
        outer = outer.body
    return [Evaluate(value.span, value)]


def after_declined(before: list[Stmt], found: Expr) -> Expr:
    return Do(found.type, found.span, before, found) if before and not is_silent(found) else found
