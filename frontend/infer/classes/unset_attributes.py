"""Inference of attributes that an instance may not have yet: `hasattr(x, "y")` and `getattr(x, "y", z)` where the
constructor does not assign it for sure.

In: instances, names of attributes of their types. Out: reads behind a handler of AttributeError. Holds: what `__init__`
assigns for sure is there, but for `__init__` itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ....ir.types import BOOL, Type
from ...compilation.frames import MARK
from ...core.placeholders import join, resolve
from ...core.typed import NEVER, Const, Do, Expr, GetAttribute, boolean, is_silent
from ...objects.class_facts import find
from ...objects.own_attributes import own_attributes
from ...parser import syntax
from ..base import InferenceBase
from ..type_facts import converted_to


class UnsetAttributeInference(InferenceBase):
    """Attributes that may be missing."""

    def may_lack(self, kind: Type, name: str) -> bool:
        """Whether instances of a class may be without an attribute that the type has."""
        info = self.class_info(kind)
        if info is None or name not in info.type.attributes or name in info.initial:
            return False
        if find(info.python, name) is not None:
            return False
        is_being_made = self.source.name == "__init__" and self.source.owner is not None and (
            issubclass(info.python, self.source.owner))
        return is_being_made or name not in (own_attributes(info.python, self.session.classes.method) or ())

    def is_set(self, node: syntax.Node, owner: Expr, name: str) -> Expr:
        """hasattr() of such an attribute."""
        return self.read_or(node, owner, name, BOOL, lambda _: boolean(node.span, True), boolean(node.span, False))

    def set_or(self, node: syntax.Node, owner: Expr, name: str, other: Expr) -> Expr:
        """getattr() of such an attribute, with a default that is held."""
        kind = resolve(self.kind_of_attribute(owner, name))
        whole = join(kind, resolve(other.type))
        return self.read_or(node, owner, name, whole, lambda value: converted_to(value, whole),
                            converted_to(other, whole))

    def is_set_now(self, node: syntax.Node, owner: Expr, name: str) -> Expr:
        """hasattr() of an attribute that instances may have."""
        return self.is_set(node, owner, name) if self.may_lack(owner.type, name) else boolean(node.span, True)

    def attribute_now(self, node: syntax.Node, owner: Expr, name: str, others: Sequence[Expr]) -> Expr:
        """getattr() of one, with a default or without."""
        if others and self.may_lack(owner.type, name):
            return self.set_or(node, owner, name, others[0])
        return self.attribute(node, owner, name, None)

    def kind_of_attribute(self, owner: Expr, name: str) -> Type:
        info = self.class_info(owner.type)
        assert info is not None
        return info.type.attributes[name]

    def read_or(
        self, node: syntax.Node, owner: Expr, name: str, kind: Type, use: Callable[[Expr], Expr], other: Expr
    ) -> Expr:
        result, read = f"{MARK}{self.hidden('asked')}", f"{MARK}{self.hidden('read')}"
        with self.collect() as statements:
            held = self.hold(owner)

            def ask() -> None:
                self.store(read, GetAttribute(self.kind_of_attribute(owner, name), node.span, held, name))
                self.store(result, use(self.read_variable(read, node.span)))

            self.protect(node.span, None, ask, lambda _caught: self.store(result, other))
            if self.env is None:
                return Do(NEVER, node.span, statements, Const(NEVER, node.span, None))
            value = self.read_variable(result, node.span)
            self.drop([result, read])
        return value if is_silent(value) else Do(resolve(kind), node.span, statements, value)
