"""Assignments to attributes of instances, and the types that attributes take from them.

In: attribute targets and typed values. Out: stores, calls of setters. Holds: an attribute without an annotation has
the type of all values that the program assigns to it; where one makes it wider, what was read before is inferred anew.
"""

from __future__ import annotations

from ....ir.types import ANY, BOOL, NONE, ClassType, Type, arms_of, has_arm
from ...core.exception_types import ExceptionClass
from ...core.placeholders import has_placeholder, resolve
from ...core.typed import (
    ERROR,
    NEVER,
    STATIC,
    Const,
    Do,
    Expr,
    GetAttribute,
    IsType,
    MakeDict,
    MakeList,
    Recast,
    SetAttribute,
    Static,
    is_silent,
    none,
)
from ...objects.class_facts import find, is_frozen, mangled
from ...objects.class_info import ClassInfo
from ...objects.exception_classes import UNWRITTEN
from ...parser import syntax
from ..base import InferenceBase
from ..finer_types import refined, with_members


class AttributeInference(InferenceBase):
    """Targets `x.name`."""

    is_thawed: bool = False  # whether frozen dataclasses take an assignment now: that of object.__setattr__

    def set_instance_attribute(self, target: syntax.Attribute, owner: Expr, info: ClassInfo, value: Expr) -> None:
        name = mangled(target.attr, self.source.owner)
        found = find(info.python, name)
        if isinstance(info.type, ExceptionClass) and name in UNWRITTEN:
            self.error(target, f"'{name}' of an exception cannot be assigned in scripts")
            return
        if found is not None and isinstance(found[1], property):
            self.set_property(target, owner, found[0], found[1], value)
            return
        if is_frozen(info.python) and not self.source.is_generated and not self.is_thawed:
            if self.runs_for_sure(target):
                self.error(target, f"cannot assign to field '{name}': '{info.python.__name__}' is frozen",
                           f"make a new one: dataclasses.replace(x, {name}=...)")
                return
            self.evaluate(owner)
            self.evaluate(value)
            self.frozen_field(target.span, name)
            return
        if isinstance(value, Static) and (made := self.reify(value)) is not None:
            value = made
        if info.is_open:
            declared = info.declared.get(name)
            finer = None if declared is None else refined(declared, value.type) or with_members(declared, value.type)
            if finer is not None:
                info.declared[name] = info.type.attributes[name] = finer
            info.learn(name, value.type)
        elif name in info.assigned and name not in info.declared:
            self.learn_attribute(info, name, value.type)
        if name not in info.type.attributes and self.session.classes.give_attribute(info, name, value.type):
            self.session.specialiser.outdate()
        wanted = info.type.attributes.get(name)
        if wanted is None and name in info.broken:
            self.evaluate(Const(ERROR, target.span, None))
            return
        if wanted is None and self.here.logs and self.is_closed(info):  # in a try
            self.evaluate(self.no_attribute(target, owner, info, name))
            return
        if wanted is None:
            self.error(target, f"'{info.python.__name__}' has no attribute '{name}'", "assign it in __init__ first")
            return
        if isinstance(value, Static):
            self.error(value, f"{value.denotation.describe()} cannot be stored in an attribute")
            return
        fitted = self.fitted(target, info, name, value, wanted)
        if is_silent(fitted):
            return
        self.emit(SetAttribute(target.span, owner, name, fitted))
        self.here.forget_attribute(name)
        path = self.path_of(target)
        if path is not None and has_arm(resolve(wanted), resolve(value.type)):
            self.here.paths[path] = resolve(value.type)

    def set_by_name(self, node: syntax.Call, is_thawed: bool = False) -> Expr:
        """`setattr(x, name, value)`, and the same of `object`."""
        with self.collect() as statements:
            owner, name = self.hold(self.expr(node.args[0])), self.expr(node.args[1])
            value = self.hold(self.expr(node.args[2]))
            if is_silent(owner, value):
                return self.silent(node.span, [owner, value])
            known = self.known_name(node, name)
            outer, self.is_thawed = self.is_thawed, is_thawed
            if isinstance(known, str):
                self.set_attribute(syntax.Attribute(node.span, node.args[0], known), owner, value)
            elif known is not None:
                self.computed_setattr(node, owner, known, value)
            self.is_thawed = outer
        if self.env is None:
            return Do(NEVER, node.span, statements, Const(NEVER, node.span, None))
        return Do(NONE, node.span, statements, none(node.span))

    def is_closed(self, info: ClassInfo) -> bool:
        """Whether no instance of a class can have attributes that the program does not know of."""
        if not info.python.__dictoffset__:
            return True
        if self.session.hosts.functions:
            return False
        entry = self.session.specialiser.stack[0].arguments if self.session.specialiser.stack else ()
        seen: set[Type] = set()
        pending = [kind for kind in entry if isinstance(kind, Type)]
        while pending:
            kind = resolve(pending.pop())
            if kind not in seen:
                seen.add(kind)
                pending += kind.attributes.values() if isinstance(kind, ClassType) else kind.members
        return ANY not in seen and info.type not in seen

    def no_attribute(self, node: syntax.Node, owner: Expr, info: ClassInfo, name: str) -> Expr:
        """What Python raises for an attribute that no instance has; the class is looked at anew once one has."""
        info.missed.add(name)
        text = f"'{info.python.__name__}' object has no attribute '{name}'"
        return self.then(owner, self.raise_error(node.span, "AttributeError", text))

    def learn_attribute(self, info: ClassInfo, name: str, kind: Type) -> None:
        """An attribute that nothing declares comes to hold a value of another type."""
        kind = resolve(kind)
        if kind not in (ERROR, NEVER, STATIC) and info.grow(name, kind):
            self.session.specialiser.outdate()

    def fitted(self, target: syntax.Attribute, info: ClassInfo, name: str, value: Expr, wanted: Type) -> Expr:
        """The value at the attribute's type: numbers convert only where the attribute is declared (D3)."""
        if name not in info.declared and not info.is_open:
            source, kind = resolve(value.type), resolve(wanted)
            is_display = isinstance(value, (MakeList, MakeDict)) and not value.items
            if source != kind and not has_arm(kind, source) and not has_placeholder(source) and not is_display:
                if not has_placeholder(kind):
                    text = f"the types that attribute '{name}' is assigned grow without end"
                    return self.error(target, text, f"declare it in __init__: self.{name}: ... = ...")
        return self.coerce(value, wanted, f"attribute '{name}'")

    def is_declared_attribute(self, value: GetAttribute) -> bool:
        """Whether an annotation says what an attribute holds."""
        kind = resolve(value.value.type)
        info, module = self.session.classes.of(kind), self.module_info(kind)
        if info is not None:
            return value.name in info.declared
        return module is None or value.name in module.annotated

    def set_property(self, target: syntax.Attribute, owner: Expr, base: type, found: property, value: Expr) -> None:
        if found.fset is None and not self.runs_for_sure(target):
            self.evaluate(owner)
            self.evaluate(value)
            python = self.session.classes.python_of(owner.type)
            owner_name = (base if python is None else python).__qualname__
            text = f"property '{target.attr}' of '{owner_name}' object has no setter"
            self.evaluate(self.raise_error(target.span, "AttributeError", text))
            return
        if found.fset is None:
            self.error(target, f"property '{target.attr}' has no setter")
            return
        source = self.session.classes.property_source(found, base, is_setter=True)
        self.evaluate(self.invoke_source(target.span, source, [owner, value], []))

    def set_arms_attribute(self, target: syntax.Attribute, owner: Expr, value: Expr) -> None:
        """Assignment to an attribute of a value that may be of several classes."""
        owner, value = self.hold(owner), self.hold(value)
        arms = list(arms_of(resolve(owner.type)))

        def choose() -> None:
            arm = arms.pop(0)
            one = Recast(arm, owner.span, owner)
            if not arms:
                self.set_attribute(target, one, value)
                return
            test = IsType(BOOL, target.span, owner, arm)
            here = self.here
            self.branch(target.span, test, here, here.copy(), None,
                        lambda: self.set_attribute(target, one, value), choose)

        choose()
        if self.env is not None:
            self.here.forget_attribute(target.attr)
