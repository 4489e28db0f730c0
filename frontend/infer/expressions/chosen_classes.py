"""Classes that are known only when the program runs: `isinstance(x, self.kind)`, `issubclass(t, kinds)`, `except kind`.

In: an expression whose value is one of several classes, or of tuples of classes, each a type of its own. Out: for each
the classes that it stands for, and the test that asks for those the value has.
Holds: an expression that is anything else is looked at and leaves nothing behind.
"""

from __future__ import annotations

import builtins
from collections.abc import Mapping

from ....ir.types import ANY, EXCEPTION, TupleType, Type, arms_of
from ...core.conversions import once_all
from ...core.denotations import BuiltinDenotation, ClassDenotation
from ...core.placeholders import resolve
from ...core.typed import Expr, Static, boolean, is_silent
from ...parser import syntax
from ...parser.syntax import Span
from ..base import InferenceBase
from ..parts import Outcome


class ChosenClassInference(InferenceBase):
    """Classes as values."""

    def classes_of_value(self, kind: Type) -> list[type] | None:
        """The class that a value is, or those in a tuple of classes; None if it is anything else."""
        if isinstance(kind, TupleType) and not kind.is_variadic:
            found: list[type] = []
            for element in kind.elements:
                inner = self.classes_of_value(resolve(element))
                if inner is None:
                    return None
                found += inner
            return found
        info = self.session.functions.of(kind)
        denotation = None if info is None else info.denotation
        python = denotation.python if isinstance(denotation, ClassDenotation) else (
            getattr(builtins, denotation.name, None) if isinstance(denotation, BuiltinDenotation) else None)
        return [python] if isinstance(python, type) else None

    def stored_classes(self, value: Expr) -> list[type]:
        """The classes that a value is, or a tuple of them holds, where its type tells; none where it does not."""
        found = [] if isinstance(value, Static) else self.classes_of_value(resolve(value.type)) or []
        if found:
            self.evaluate(value)
        return found

    def chosen_classes(self, node: syntax.Node) -> tuple[Expr, dict[Type, list[type]]] | None:
        """A value that is one of several classes or tuples of them, and the classes of each; None for all else."""
        if not isinstance(node, (syntax.Name, syntax.Subscript, syntax.Attribute)):
            return None
        mark, before, emitted = self.reporter.mark(), self.here.copy(), len(self.out)
        given = self.expr(node)
        arms = [] if isinstance(given, Static) or is_silent(given) else arms_of(resolve(given.type))
        known = {arm: found for arm in arms if (found := self.classes_of_value(arm)) is not None}
        if len(known) == len(arms) > 1:
            return given, known
        self.reporter.rewind(mark)
        self.env = before
        del self.out[emitted:]
        return None

    def is_of_chosen(self, span: Span, value: Expr, given: Expr, known: Mapping[Type, list[type]]) -> Expr:
        """Whether a value is an instance of the classes that `given` stands for."""

        def is_of(each: Expr, classes: list[type]) -> Expr:
            kind = resolve(each.type)
            if kind == EXCEPTION:
                return self.matches_any(each, classes, span)
            return boolean(span, any(self.is_instance_of(kind, python) for python in classes))

        return once_all([value, given], lambda held: self.each_arm(held[1], lambda arm: self.each_arm(
            held[0], lambda each: is_of(each, known[resolve(arm.type)]))))

    def isinstance_of_value(self, node: syntax.Call, value: Expr) -> Outcome | None:
        """isinstance() with a value that is one of several classes; None for all else."""
        if isinstance(value, Static) or is_silent(value) or ANY in arms_of(resolve(value.type)):
            return None
        chosen = self.chosen_classes(node.args[1])
        if chosen is None:
            return None
        return self.decided(self.is_of_chosen(node.span, value, *chosen), self.here, self.here.copy())
