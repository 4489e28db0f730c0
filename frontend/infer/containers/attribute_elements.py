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
from ..type_facts import dict_class
from .dict_classes import IMMUTABLE
from .element_types import of_class


class AttributeElementInference(InferenceBase):
    """Containers as attributes."""

    def learn_attribute_elements(
        self, info: ClassInfo | ModuleInfo, name: str, path: Sequence[int], taken: Type
    ) -> None:
        """A container that an attribute is, or holds at the end of a path, takes what one of type `taken` holds."""
        known = info.type.attributes[name]

        def widen(kind: Type) -> Type | None:
            kind = self.with_factory(kind, taken)
            return joined_container(kind, of_class(taken, kind))

        wide = widened_at(known, path, widen)
        if wide is not None and info.replace(name, ended_growth(wide, known)):
            self.session.specialiser.outdate()

    def with_factory(self, kind: Type, other: Type) -> Type:
        """The type of a defaultdict of a builtin class, as one that names the script which makes its values, where
        the values of the other are of more types."""
        kind = resolve(kind)
        if not (isinstance(kind, DictType) and kind.name == "defaultdict" and resolve(kind.value) in IMMUTABLE):
            return kind
        python = type(IMMUTABLE[resolve(kind.value)])
        name = self.session.factories.name_of(self.session.maker(python))
        is_wider = isinstance(other, DictType) and dict_class(other) == "defaultdict" and (
            other.name == name or other.name == "defaultdict" and resolve(other.value) != resolve(kind.value))
        return DictType(kind.key, kind.value, name) if is_wider else kind

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
        wide = joined_container(known, self.with_factory(self.natural_type(value), known), is_deep=True)
        if wide is not None and info.replace(name, ended_growth(wide, known)):
            self.session.specialiser.outdate()
        return None if wide is None else info.type.attributes[name]
