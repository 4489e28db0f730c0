"""Attributes that only some of the classes have which a value may be of: there Python finds out when it gets to them.

In: a value with such arms (None is one), and the attribute that is asked for. Out: the value without those arms, behind
a test that raises Python's AttributeError. Holds: this is for instances of script classes, whose links their own code
keeps in order, and for variables and attributes that nothing annotates; what is annotated as Optional is tested first.
"""

from __future__ import annotations

from ....ir.types import BOOL, NONE, Type, arms_of, union
from ...core.conversions import narrowed, once, remove_none
from ...core.exception_types import is_exception
from ...core.placeholders import has_placeholder, resolve
from ...core.typed import ERROR, NEVER, Choose, Expr, GetAttribute, IsType, Read, after
from ...parser import syntax
from ...parser.syntax import Span
from ..base import InferenceBase
from ..type_facts import is_class_like


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
        text = f"'NoneType' object has no attribute '{name}'"
        return self.narrowed_behind(node, self.unless_none(owner, "AttributeError", text, node.span), rest)

    def unless_none(self, value: Expr, error: str, text: str, span: Span | None = None) -> Expr:
        """The value if it is not None; else an error."""
        rest, at = remove_none(resolve(value.type)), span or value.span

        def test(whole: Expr) -> Expr:
            absent = self.raise_error(at, error, text)
            return Choose(rest, at, IsType(BOOL, at, whole, NONE), absent, narrowed(whole, rest), [])

        return once(value, test)

    def attribute_behind(
        self, node: syntax.Node, tested: Expr, name: str, path: tuple[str, ...] | None
    ) -> Expr:
        """The attribute of what a test lets through, which runs also where the class alone says what it is."""
        with self.collect() as before:
            found = self.attribute(node, self.hold(tested), name, path)
        return after(before, found)

    def arms_without(self, owner: Expr, name: str) -> list[Type]:
        """The arms whose instances have no such attribute, where others have it."""
        arms = arms_of(resolve(owner.type))
        if len(arms) < 2 or not all(map(is_class_like, arms)):
            return []
        lacking = [arm for arm in arms if not self.may_have(arm, name)]
        return lacking if len(lacking) < len(arms) else []

    def arms_or_none_without(self, owner: Expr, name: str) -> list[Type]:
        """The same, with None, whatever the others are."""
        arms = arms_of(resolve(owner.type))
        if NONE not in arms or len(arms) < 2 or hasattr(None, name):
            return self.arms_without(owner, name)
        return [arm for arm in arms if arm == NONE or is_class_like(arm) and not self.may_have(arm, name)]

    def may_have(self, kind: Type, name: str) -> bool:
        """Whether instances of a class have an attribute, or it is not known yet."""
        info = self.class_info(kind)
        python = self.session.classes.python_of(kind)
        if info is None or python is None:
            return python is None or hasattr(python, name) or name in ("name", "value")
        is_known = name in info.type.attributes or name in info.assigned or name in info.declared
        return is_known or hasattr(python, name) or is_exception(kind)

    def having(self, node: syntax.Node, owner: Expr, name: str, lacking: list[Type]) -> Expr:
        """The value if its class has an attribute; else an AttributeError."""
        rest = union(*(arm for arm in arms_of(resolve(owner.type)) if arm not in lacking))

        def test(whole: Expr) -> Expr:
            found = narrowed(whole, rest)
            for arm in lacking:
                shown = getattr(self.session.classes.python_of(arm), "__name__", str(arm))
                absent = self.raise_error(
                    node.span, "AttributeError", f"'{shown}' object has no attribute '{name}'")
                found = Choose(rest, node.span, IsType(BOOL, node.span, whole, arm), absent, found, [])
            return found

        return self.narrowed_behind(node, once(owner, test), rest)

    def narrowed_behind(self, node: syntax.Node, found: Expr, rest: Type) -> Expr:
        """The attribute's owner is known to be of other classes from here on."""
        if isinstance(node, syntax.Attribute) and self.env is not None:
            self.narrow_path(self.here, node.value, rest)
        return found
