"""Inference of attributes that an instance may not have, yet or any more: `hasattr(x, "y")` and `getattr(x, "y", z)`
where the constructor does not assign it for sure, `del x.y`.

In: instances, names of attributes of their types. Out: reads behind a handler of AttributeError, deletions. Holds: what
`__init__` assigns for sure and nothing deletes is there, but for `__init__` itself.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence

from ....ir.types import BOOL, NONE, STR, ClassType, Type
from ...compilation.frames import MARK
from ...core.conversions import to_any
from ...core.exception_types import ExceptionClass
from ...core.matcher import describe
from ...core.placeholders import join, resolve
from ...core.typed import NEVER, Const, Do, Expr, GetAttribute, Static, boolean, is_silent, none
from ...objects.class_facts import find, is_frozen, mangled
from ...objects.class_info import ClassInfo
from ...objects.own_attributes import own_attributes
from ...parser import syntax
from ...prelude.attributes import delete
from ..base import InferenceBase
from ..type_facts import converted_to

NONE_INSTEAD = "assign None and declare it Optional"


class UnsetAttributeInference(InferenceBase):
    """Attributes that may be missing."""

    def may_lack(self, kind: Type, name: str) -> bool:
        """Whether instances of a class may be without an attribute that the type has."""
        info = self.class_info(kind)
        if info is None or name not in info.type.attributes or name in info.initial:
            return False  # its class has a value for it
        if name in info.deleted:
            return True
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
        kind = resolve(owner.type)
        assert isinstance(kind, ClassType)
        return kind.attributes[name]

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

    def own_or_initial(self, node: syntax.Node, owner: Expr, info: ClassInfo, name: str) -> Expr:
        """An attribute that the class has a value for where the instance has none, or none any more."""
        other = self.opened(self.session.denote(info.initial[name], node.span))
        kind = info.type.attributes[name]
        if is_silent(owner) or isinstance(other, Static):
            return self.silent(node.span, [owner])
        return self.read_or(node, owner, name, kind, lambda value: value, converted_to(other, kind))

    # Deletion

    def _call_delattr(self, node: syntax.Call, want: Type | None) -> Expr:
        found = self.named_attribute(node, 2)
        if found is None:
            return self.wrong(node)
        owner, name = found
        if not isinstance(name, str):
            return self.unknown_name(node)
        with self.collect() as before:
            self.take_attribute(node, owner, name)
        return Do(NEVER if self.env is None else NONE, node.span, before, none(node.span))

    def take_attribute(self, node: syntax.Node, owner: Expr, name: str) -> None:
        """`del x.name` of an instance."""
        if is_silent(owner):
            self.evaluate(owner)
            return
        info = None if isinstance(owner, Static) else self.class_info(owner.type)
        if info is None or isinstance(info.type, ExceptionClass):
            what = owner.denotation.describe() if isinstance(owner, Static) else describe(owner)
            self.error(node, f"attributes of {what} cannot be deleted in scripts", NONE_INSTEAD)
            return
        name, python = mangled(name, self.source.owner), info.python
        found = find(python, name)
        if found is not None and isinstance(found[1], property):
            self.delete_property(node, owner, found[0], found[1])
            return
        if is_frozen(python) and not self.runs_for_sure(node):
            self.evaluate(owner)
            self.frozen_field(node.span, name, "delete")
            return
        if found is not None and isinstance(found[1], functools.cached_property):
            with self.collect():
                self.attribute(node, owner, name, None)
        is_kept = name in info.initial and not self.is_closed(info)  # a host's instance does not say whose value it is
        if is_frozen(python) or is_kept or name in info.key_fields or name not in info.type.attributes:
            is_there = name in info.type.attributes
            text = f"attribute '{name}' of '{python.__name__}' cannot be deleted in scripts"
            self.error(node, text if is_there else f"'{python.__name__}' has no attribute '{name}'",
                       NONE_INSTEAD if is_there else None)
            return
        if name not in info.deleted:
            info.deleted.add(name)
            self.session.specialiser.outdate()
        text = name if not python.__dictoffset__ else f"'{python.__name__}' object has no attribute '{name}'"
        self.evaluate(self.by_prelude(node, delete, [
            to_any(owner), Const(STR, node.span, name), Const(STR, node.span, text)]))
        if self.env is not None:
            self.here.forget_attribute(name)

    def delete_property(self, node: syntax.Node, owner: Expr, base: type, found: property) -> None:
        """`del x.name` of a property: what its deleter does."""
        if found.fdel is not None:
            self.evaluate(self.invoke_source(node.span, self.session.source(found.fdel, base), [owner], []))
            return
        name = getattr(found.fget, "__name__", "")
        if self.runs_for_sure(node):
            self.error(node, f"property '{name}' has no deleter")
            return
        self.evaluate(owner)
        python = self.session.classes.python_of(owner.type)
        text = f"property '{name}' of '{getattr(python, '__name__', base.__name__)}' object has no deleter"
        self.evaluate(self.raise_error(node.span, "AttributeError", text))
