"""Element types of the containers that attributes of instances hold, where nothing declares them.

In: what goes into such containers, anywhere in the program. Out: wider types of attributes.
Holds: elements keep their own types; functions that read an attribute at a type that it outgrew are inferred anew.
"""

from __future__ import annotations

from collections.abc import Sequence

from ....ir.types import ClassType, DictType, ListType, SetType, Type, arms_of
from ...compilation.self_nesting import ended_growth
from ...core.placeholders import resolve
from ...objects.class_facts import mangled
from ...objects.class_info import ClassInfo
from ...objects.modules import ModuleInfo
from ...parser import syntax
from ..base import InferenceBase
from ..joined_types import joined_container, widened_at


class AttributeElementInference(InferenceBase):
    """Containers as attributes."""

    def learn_attribute_elements(
        self, info: ClassInfo | ModuleInfo, name: str, path: Sequence[int], taken: Type
    ) -> None:
        """A container that an attribute is, or holds at the end of a path, takes what one of type `taken` holds."""
        wide = widened_at(info.type.attributes[name], path, lambda kind: joined_container(kind, taken))
        if wide is not None and info.replace(name, ended_growth(wide, info.type.attributes[name])):
            self.session.specialiser.outdate()

    def wanted_of_attribute(self, target: syntax.Attribute, value: syntax.Node) -> Type | None:
        """The type that a value should have for an attribute of a variable, as a hint for literals. One that nothing
        declares holds its container with all that it was seen to hold, and that this value adds."""
        state = None
        if isinstance(target.value, syntax.Name) and self.env is not None:
            state = self.env.variables.get(self.local_name(target.value.id))
        if state is None or not isinstance(state.type, ClassType):
            return None
        info, name = self.session.classes.of(state.type), mangled(target.attr, self.source.owner)
        known = state.type.attributes.get(name)
        if info is None or known is None or name in info.declared:
            return known
        if not any(isinstance(arm, (ListType, DictType, SetType)) for arm in arms_of(resolve(known))):
            return None
        wide = joined_container(known, self.natural_type(value), is_deep=True)
        if wide is not None and info.replace(name, ended_growth(wide, known)):
            self.session.specialiser.outdate()
        return None if wide is None else info.type.attributes[name]
