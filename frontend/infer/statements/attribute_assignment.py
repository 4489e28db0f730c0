"""Inference of assignments to attributes: of instances, modules, classes and values held as Any.

In: a target, its owner and a value. Out: stores of attributes and calls of setters.
Holds: what a class does not have is refused, or raises where the program may be left to run.
"""

from __future__ import annotations

import builtins

from ....ir.types import ANY, NONE, ClassType, NamedTupleType, Type, arms_of
from ...core.conversions import has_arm
from ...core.denotations import (
    ClassDenotation,
)
from ...core.matcher import describe
from ...core.placeholders import has_placeholder, resolve
from ...core.typed import (
    ERROR,
    NEVER,
    STATIC,
    Expr,
    SetAttribute,
    Static,
    is_silent,
)
from ...objects.class_facts import mangled
from ...objects.modules import ModuleInfo
from ...parser import syntax
from ..base import InferenceBase
from ..expressions.union_members import attribute_error
from ..operand_errors import class_name


class AttributeAssignmentInference(InferenceBase):
    """Assignments to attributes."""

    def set_attribute(self, target: syntax.Attribute, owner: Expr, value: Expr) -> None:
        if is_silent(owner, value):
            described = self.class_info(owner.type)
            if described is not None and value.type == ERROR:
                described.broken.add(mangled(target.attr, self.source.owner))
            self.evaluate(self.silent(target.span, [owner, value]))
            return
        if self.is_tested_at_run_time(owner, target.attr):
            owner = self.hold(self.present(target, owner, target.attr))
        described = self.class_info(owner.type)
        if described is not None:
            self.set_instance_attribute(target, owner, described, value)
            return
        if self.has_instances(owner.type) and NONE not in arms_of(resolve(owner.type)):
            self.set_arms_attribute(target, owner, value)
            return
        kind = resolve(owner.type)
        if kind == ANY and self.set_member_of_any(target, owner, value):
            return
        if not isinstance(kind, ClassType):
            is_class = isinstance(owner, Static) and isinstance(owner.denotation, ClassDenotation)
            python = getattr(owner.denotation, "python", None) if is_class and isinstance(owner, Static) else None
            if isinstance(python, type) and self.set_class_attribute(target, python, value):
                return
            is_field = isinstance(kind, NamedTupleType) and target.attr in dict(kind.fields)
            shown = "can't set attribute" if is_field else unset_text(owner, target.attr)
            self.evaluate(self.wrong_or_left(
                target, ("AttributeError", shown), f"attribute '{target.attr}' of {describe(owner)} cannot be assigned",
                "keep it in an attribute of an instance, or return it" if is_class else None, [owner, value]))
            return
        name = mangled(target.attr, self.source.owner)
        info = self.module_info(kind)
        if info is not None and is_learned_type(value.type) and info.learn(name, resolve(value.type)):
            self.session.specialiser.start_again()
        wanted = kind.attributes.get(name)
        if wanted is None:
            if info is not None and self.set_module_property(target, owner, info, name, value):
                return
            if info is not None and name in info.constants:
                self.error(
                    target, f"'{name}' is a constant of '{kind}'",
                    "annotate the attribute in the class body, as in `" + name + ": Optional[Tensor]`",
                )
            elif info is not None and name in info.refused:
                self.error(target, f"'{name}': {info.refused[name]}")
            else:
                self.error(target, f"'{kind}' has no attribute '{name}'", "assign it in __init__ first")
            return
        if isinstance(wanted, ClassType) and wanted.is_module and resolve(value.type) != wanted:
            self.error(target, f"the submodule '{name}' can be replaced by one of the same structure only",
                       "keep both and choose: self.a(x) if first else self.b(x)")
            return
        converted = self.coerce(value, wanted, f"attribute '{name}'")
        if is_silent(converted):
            return
        self.emit(SetAttribute(target.span, owner, name, converted))
        self.here.forget_attribute(name)
        path = self.path_of(target)
        if path is not None and resolve(value.type) != wanted and resolve(value.type) != STATIC:
            if has_arm(wanted, resolve(value.type)):
                self.here.paths[path] = resolve(value.type)

    def set_module_property(
        self, target: syntax.Attribute, owner: Expr, info: ModuleInfo, name: str, value: Expr
    ) -> bool:
        """`self.n = value` where the module's class has a property of that name; False if it has none."""
        base = next((base for base in info.python.__mro__ if name in base.__dict__), None)
        found = base.__dict__[name] if base is not None else None
        if base is None or not isinstance(found, property):
            return False
        if found.fset is None:
            self.error(target, f"property '{name}' has no setter")
            return True
        self.evaluate(self.invoke_source(target.span, self.session.source(found.fset, base), [owner, value], []))
        return True


def unset_text(owner: Expr, name: str) -> str | None:
    """The AttributeError of an attribute that is set of a value of a built-in class without it."""
    kind = None if isinstance(owner, Static) else class_name(owner.type)
    if kind is None:
        return None
    python = type(None) if kind == "NoneType" else getattr(builtins, kind)
    return None if hasattr(python, name) else attribute_error(python, name)


def is_learned_type(kind: Type) -> bool:
    """Whether an attribute of a module that nothing declares may come to be of a type."""
    kind = resolve(kind)
    is_module = isinstance(kind, ClassType) and kind.is_module
    return kind not in (ERROR, NEVER, STATIC, ANY, NONE) and not is_module and not has_placeholder(kind)
