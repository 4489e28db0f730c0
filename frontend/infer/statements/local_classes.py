"""Inference of class statements inside functions.

In: the statement. Out: a variable that denotes the class. Holds: a class is made once for all runs of the statement;
one that depends on what a run has in its variables is refused.
"""

from __future__ import annotations

from ...core.denotations import ClassDenotation
from ...core.typed import ERROR, STATIC, Const, Expr, Static
from ...objects.local_classes import NotLocal, local_class
from ...parser import syntax
from ..base import InferenceBase


class LocalClassInference(InferenceBase):
    """Classes in functions."""

    def _ClassDef(self, node: syntax.ClassDef) -> None:
        made = self.session.local_classes.get(node)
        value: Expr = Const(ERROR, node.span, None)
        try:
            if made is None:
                made = local_class(node, self.source, self.classes_around(), self.is_variable)
                self.session.local_classes[node] = made
                self.name_in_annotations(node.name, made)
            value = Static(STATIC, node.span, ClassDenotation(made))
        except NotLocal as problem:
            hint = "hand it to __init__, or define the class at module level"
            self.error(syntax.Span(*node.span[:3], node.span.line, node.span.column + 5), str(problem), hint)
        self.assign(syntax.Name(node.span, node.name), value)

    def name_in_annotations(self, name: str, made: type) -> None:
        """Annotations in the function may name the class."""
        outer = self.source.lookup
        self.source.lookup = lambda each: made if each == name else outer(each)

    def classes_around(self) -> dict[str, type]:
        """Classes that variables denote here."""
        found: dict[str, type] = {}
        for full, state in self.here.variables.items():
            python = getattr(state.static, "python", None)
            if isinstance(state.static, ClassDenotation) and isinstance(python, type):
                found[full.rpartition(".")[2]] = python
        return found

    def is_variable(self, name: str) -> bool:
        return self.find_name(name) is not None or name in self.source.locals
