"""Attributes of values that may be None: there Python finds out when it gets to them.

In: a value with a None arm, and the attribute that is asked for. Out: the value without that arm, behind a test that
raises Python's AttributeError. Holds: this is for instances of script classes, whose links their own code keeps in
order, and for variables and attributes that nothing annotates; what is annotated as Optional is tested first.
"""

from __future__ import annotations

from ....ir.types import BOOL, NONE, arms_of
from ...core.conversions import narrowed, once, remove_none
from ...core.placeholders import has_placeholder, resolve
from ...core.typed import ERROR, NEVER, Choose, Expr, GetAttribute, IsType, Read
from ...parser import syntax
from ..base import InferenceBase
from ..classes.instances import is_class_like


class PresenceInference(InferenceBase):
    """What may be absent."""

    def is_tested_at_run_time(self, owner: Expr, name: str) -> bool:
        """Whether an attribute of a value that may be None is looked up as Python does it."""
        kind = resolve(owner.type)
        rest = remove_none(kind)
        if rest in (kind, NEVER, ERROR) or has_placeholder(rest) or hasattr(None, name):
            return False
        return all(map(is_class_like, arms_of(rest))) or self.is_unannotated(owner)

    def is_unannotated(self, value: Expr) -> bool:
        """Whether a value is that of a variable or attribute whose type nothing declares."""
        if isinstance(value, GetAttribute):
            return not self.is_declared_attribute(value)
        if not isinstance(value, Read) or value.name in self.declared:
            return False
        origin = self.origins.get(value.name)
        return origin is None or self.is_unannotated(origin)

    def present(self, node: syntax.Node, owner: Expr, name: str) -> Expr:
        """The value if it is not None; else an AttributeError. Behind it the variable or path is known not to be."""
        rest = remove_none(resolve(owner.type))

        def test(whole: Expr) -> Expr:
            absent = self.raise_error(node.span, "AttributeError", f"'NoneType' object has no attribute '{name}'")
            return Choose(rest, node.span, IsType(BOOL, node.span, whole, NONE), absent, narrowed(whole, rest), [])

        found = once(owner, test)
        if isinstance(node, syntax.Attribute) and self.env is not None:
            self.narrow_path(self.here, node.value, rest)
        return found
