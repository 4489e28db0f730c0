"""Names and methods that are not there: what the message says, and which one it takes to be meant.

In: a name that nothing defines, or a value and the name of a method that its type has not. Out: the error, reported.
Holds: what is proposed would be found there.
"""

from __future__ import annotations

import builtins

from ....ir.operators import spelled
from ....ir.types import DictType, FrozenSetType, arms_of
from ...core.placeholders import resolve
from ...core.typed import Expr
from ...diagnostics import suggestion
from ...parser import syntax
from ..base import InferenceBase
from ..containers.sets import FROZEN_METHODS
from ..hints import arm_hint, method_hint
from ..type_facts import VIEWS, all_methods, is_receiver


class MissingNameInference(InferenceBase):
    """Messages about what is not there."""

    def undefined_name(self, node: syntax.Name) -> Expr:
        outside = getattr(self.source.python, "__globals__", ())
        known = [*self.here.variables, *self.source.locals, *outside, *dir(builtins)]
        hint = self.own_attribute_hint(node.id) or suggestion(node.id, map(str, known))
        return self.error(node, f"name '{node.id}' is not defined", hint)

    def own_attribute_hint(self, name: str) -> str | None:
        """A hint "did you mean 'self.x'?" in a method of an object that has `x`."""
        first = self.source.params[0].arg if self.source.owner is not None and self.source.params else None
        state = self.here.variables.get(first) if first is not None else None
        info = self.class_info(state.type) if state is not None else None
        if info is None or not (name in info.type.attributes or hasattr(info.python, name)):
            return None
        return f"did you mean '{first}.{name}'?"

    def missing_method(self, node: syntax.Node, owner: Expr, name: str) -> Expr:
        """Of a value of one of Python's own types, or of several types."""
        kind = resolve(owner.type)
        having = [arm for arm in arms_of(kind) if any(
            is_receiver(row.schema.params[0].type, arm) for row in spelled(f".{name}"))]
        known = [*FROZEN_METHODS] if isinstance(kind, FrozenSetType) else [
            spelling[1:].rstrip(":") for spelling in all_methods() if any(
                is_receiver(row.schema.params[0].type, kind) for row in spelled(spelling)
            )
        ]
        known += VIEWS if isinstance(kind, DictType) else []
        hint = arm_hint(owner, having[0]) if having else method_hint(kind, name, known)
        return self.error(node, f"'{kind}' has no attribute '{name}' in scripts", hint)
