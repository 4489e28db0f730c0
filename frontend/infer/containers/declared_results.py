"""Results whose elements have other types than the annotation of the result says, but may go to these.

In: a `return`, its value and the declared type. Out: a new container with the elements at their declared types (D2,
D3); the value itself where it has that type, or where somebody else could see that it is another container now.
Holds: a container is only made anew if nobody but the function that ends here has it: its text shows that, or the types
of all that outlives it.
"""

from __future__ import annotations

from collections.abc import Sequence

from ....ir.types import (
    ANY,
    EXCEPTION,
    FLOAT,
    SCALAR,
    STR,
    TENSOR,
    ClassType,
    EnumType,
    FrozenSetType,
    NamedTupleType,
    OptionalType,
    Primitive,
    TensorType,
    TupleType,
    Type,
    UnionType,
    arms_of,
)
from ...core.conversions import NUMBERS, convert, is_tensor_or_number
from ...core.placeholders import has_placeholder, resolve
from ...core.typed import Expr, MakeDict, MakeList, MakeSet, MakeTuple, is_silent
from ...parser import syntax
from ...parser.ownership import are_distinct, is_new, is_owned
from ..base import InferenceBase
from ..joined_types import CONTAINERS, joined_container
from ..open_lengths import may_have_lengths
from ..operand_errors import is_denied

COMPOSED = (*CONTAINERS, FrozenSetType, TupleType, NamedTupleType, OptionalType, UnionType)
OPEN = (ANY, EXCEPTION)  # anything may be in these


class DeclaredResultInference(InferenceBase):
    """Containers at the types that results declare."""

    def as_result(
        self, node: syntax.Node | None, value: Expr, declared: Type, beside: Sequence[Type] = ()
    ) -> Expr:
        """A value at the type that the result declares, where it goes to that; `beside` it others are returned."""
        if node is None or is_silent(value) or convert(value, declared) is not None:
            return value
        wanted, source = resolve(declared), resolve(value.type)
        if isinstance(value, MakeTuple) and isinstance(node, syntax.Tuple):
            tuples = [arm for arm in arms_of(wanted) if isinstance(arm, TupleType)]
            return self.items_of_result(node, value, tuples[0]) if len(tuples) == 1 else value
        arms = [arm for arm in arms_of(wanted) if joined_container(source, arm) is not None]
        arm = next((arm for arm in arms if is_convertible(source, arm)), None)
        if arm is None and self.is_inferred(value) and not isinstance(value, (MakeList, MakeDict, MakeSet)):
            arm = next((arm for arm in arms if is_convertible(source, arm, True)), None)
        if arm is None:
            arm = next((arm for arm in arms if may_have_lengths(source, arm)), None)
        return self.remade(node, value, arm) if arm is not None and self.is_own(node, source, arm, beside) else value

    def items_of_result(self, node: syntax.Tuple, value: MakeTuple, wanted: TupleType) -> Expr:
        if len(node.elts) != len(value.items) or wanted.is_variadic or len(wanted.elements) != len(value.items):
            return value
        held = [each.id for each, item in zip(node.elts, value.items)
                if isinstance(each, syntax.Name) and isinstance(resolve(item.type), COMPOSED)]
        if not are_distinct(self.source.node, held):
            return value
        kinds = [resolve(item.type) for item in value.items]
        items = [self.item_of_result(*each, [*kinds[:i], *kinds[i + 1 :]])
                 for i, each in enumerate(zip(node.elts, value.items, wanted.elements))]
        return MakeTuple(TupleType(tuple(resolve(item.type) for item in items)), value.span, items)

    def item_of_result(self, node: syntax.Node, value: Expr, declared: Type, beside: Sequence[Type]) -> Expr:
        item = self.as_result(node, value, declared, beside)
        if is_silent(item):
            return item
        converted = convert(item, declared)
        return converted[0] if converted else self.at_declared(item, declared, "an item of the result") or item

    def is_own(self, node: syntax.Node, kind: Type, wanted: Type, beside: Sequence[Type]) -> bool:
        """Whether nobody has a container once the function has ended, but who gets its result."""
        is_nested = any(isinstance(resolve(each), CONTAINERS) for each in wanted.members)
        if is_new(node) if not isinstance(node, syntax.Name) else is_owned(self.source.node, node.id, is_nested):
            return True
        return not is_nested and self.is_out_of_reach(kind, beside)

    def is_out_of_reach(self, kind: Type, beside: Sequence[Type]) -> bool:
        """Whether no variable, attribute or cache that outlives the function can hold a container of a type."""
        spec = self.spec
        if self.returns or self.guards or self.frame.exit is not None or spec.outer is not None or spec.captured:
            return False
        if spec.generator is not None or any(each.source.is_cached for each in self.session.specialiser.known.values()):
            return False
        attributes = (held for info in self.session.classes.info.values() for held in info.type.attributes.values())
        outliving = (*spec.arguments, *attributes, *beside)
        return not any(isinstance(each, Type) and may_hold(each, kind) for each in outliving)


def may_hold(holder: Type, kind: Type, seen: tuple[Type, ...] = ()) -> bool:
    """Whether a value of one type may be, or have in it, a container of another."""
    holder = resolve(holder)
    if holder == kind or holder in OPEN or has_placeholder(holder):
        return True
    if isinstance(holder, ClassType):
        return holder not in seen and any(may_hold(each, kind, (*seen, holder)) for each in holder.attributes.values())
    if isinstance(holder, (Primitive, TensorType, EnumType)):
        return False
    return not isinstance(holder, COMPOSED) or any(may_hold(each, kind, seen) for each in holder.members)


def is_convertible(source: Type, target: Type, is_checked: bool = False) -> bool:
    """Whether the elements of one container go into another of its class, by conversions of numbers alone; if
    `is_checked`, some of them may turn out not to when the program runs."""
    source, target = resolve(source), resolve(target)
    if joined_container(source, target) is not None:
        return all(is_convertible(a, b, is_checked) for a, b in zip(source.members, target.members))
    if source == SCALAR and target in NUMBERS or is_checked and target == TENSOR and is_tensor_or_number(source):
        return True  # the conversion checks it
    goes = [any(goes_into(kind, arm) for arm in arms_of(target)) for kind in arms_of(source)]
    return all(goes) or is_checked and any(goes) and all(
        found or is_denied(kind, target) for found, kind in zip(goes, arms_of(source)))


def goes_into(kind: Type, wanted: Type) -> bool:
    """Whether an element of one type is one of the other, or becomes it by conversions of numbers."""
    if isinstance(kind, TupleType) and isinstance(wanted, TupleType) and not (kind.is_variadic or wanted.is_variadic):
        pairs = list(zip(kind.elements, wanted.elements))
        return len(kind.elements) == len(wanted.elements) and all(is_convertible(a, b) for a, b in pairs)
    if isinstance(kind, TupleType) and isinstance(wanted, TupleType) and wanted.is_variadic:
        return all(is_convertible(a, wanted.elements[0]) for a in kind.elements)
    is_checked = kind == ANY and wanted in (*NUMBERS, STR)  # by the conversion
    return wanted in (kind, ANY) or is_checked or (kind in NUMBERS and wanted == FLOAT)
