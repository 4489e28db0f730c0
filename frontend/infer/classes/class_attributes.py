"""Inference of attributes of classes that the program assigns.

In: `C.x = v`, `cls.x += 1`, and reads of such attributes through a class or an instance. Out: reads and stores of the
hidden object that has them. Holds: a class without a value of its own for a name has that of the next class in the
order of resolution, until it is assigned.
"""

from __future__ import annotations

from collections.abc import Sequence

from ....ir.types import has_arm
from ...core.placeholders import join, resolve
from ...core.typed import NEVER, ClassObject, Expr, GetAttribute, SetAttribute, Static, is_silent
from ...objects.class_facts import find, is_script_class, mangled
from ...parser import syntax
from ..base import InferenceBase
from ..type_facts import converted_to

HINT = "keep it in an attribute of an instance, or return it"


class ClassAttributeInference(InferenceBase):
    """Attributes of classes."""

    def set_class_attribute(self, target: syntax.Attribute, python: type, value: Expr) -> bool:
        """`C.x = v`; False where the attribute is none that can be assigned."""
        name, state = mangled(target.attr, self.source.owner), self.session.class_state
        found = find(python, name)
        is_method = found is not None and hasattr(found[1], "__get__")
        if not is_script_class(python) or is_method or name.startswith("__") or self.session.has_module:
            return False
        if self.is_of_instances(python, name):
            self.error(target, f"'{name}' is an attribute of '{python.__name__}' and of its instances", HINT)
            return True
        if isinstance(value, Static):
            value = self.reify(value) or value
        if isinstance(value, Static):
            self.error(value, f"{value.denotation.describe()} cannot be stored in an attribute")
            return True
        place = state.place(python, name)
        if place is None:
            place = state.add(self.session.classes, python, name)
            self.session.specialiser.outdate()
        if is_silent(value):
            self.evaluate(value)
            return True
        if state.learn(place, value.type):
            self.session.specialiser.outdate()
        wanted = state.kind.attributes[place]
        fitted = self.coerce(value, wanted, f"attribute '{name}'")
        if not is_silent(fitted):
            self.emit(SetAttribute(target.span, ClassObject(state.kind, target.span), place, fitted))
            self.here.forget_attribute(name)
            path = self.path_of(target)
            if path is not None and has_arm(resolve(wanted), resolve(value.type)):
                self.here.paths[path] = resolve(value.type)
        return True

    def assigned_class_attribute(
        self, node: syntax.Node, order: Sequence[type], name: str
    ) -> Expr | None:
        """What the first of some classes that has it has as `C.x` now; None where none is assigned."""
        state = self.session.class_state
        order = [base for base in order if state.place(base, name) is not None or name in vars(base)]
        until = next((i for i, base in enumerate(order) if name in vars(base)), len(order)) + 1
        if not any(state.place(base, name) for base in order[:until]):
            return None
        path = self.path_of(node) if isinstance(node, syntax.Attribute) else None
        return self.looked_up_in(node, order[:until], name, path)

    def class_container(self, node: syntax.Node, python: type, value: object) -> Expr | None:
        """A list, dict or set that a class has: part of the state where the program changes it, as it will an empty
        one. None for all else, and where it is read as it is when the script is compiled."""
        if type(value) not in (list, dict, set) or not is_script_class(python) or self.session.has_module:
            return None
        state = self.session.class_state
        name = next(name for name, each in vars(python).items() if each is value)
        if value and (python, name) not in state.wanted or self.is_of_instances(python, name):
            shown = f"'{python.__qualname__}.{name}'"
            self.session.defaults.setdefault(id(value), shown)
            state.shown[shown] = python, name
            return None
        state.add(self.session.classes, python, name)
        self.session.specialiser.outdate()
        return self.assigned_class_attribute(node, [python], name)

    def is_of_instances(self, python: type, name: str) -> bool:
        """Whether instances of a class have an attribute of their own of this name."""
        classes = self.session.classes.info.values()
        return any(name in info.assigned for info in classes if issubclass(info.python, python))

    def looked_up_in(self, node: syntax.Node, order: Sequence[type], name: str, path: tuple[str, ...] | None) -> Expr:
        state, python = self.session.class_state, order[0]
        place = state.place(python, name)
        if place is None:
            return self.session.denote(vars(python)[name], node.span)
        kind = state.kind.attributes.get(place)
        if kind is None:
            return self.error(node, f"'{python.__name__}' has no attribute '{name}'")
        owner = ClassObject(state.kind, node.span)
        if name in vars(python):
            return self.known_at(GetAttribute(kind, node.span, owner, place), path)
        text = f"type object '{python.__name__}' has no attribute '{name}'"
        other = self.looked_up_in(node, order[1:], name, None) if order[1:] else self.raise_error(
            node.span, "AttributeError", text)
        if isinstance(other, Static):
            return self.error(node, f"{other.denotation.describe()} cannot be assigned in a subclass")
        whole = join(kind, other.type) if other.type != NEVER else kind
        return self.read_or(node, owner, place, whole, lambda value: converted_to(value, whole), (
            other if other.type == NEVER else converted_to(other, whole)))
