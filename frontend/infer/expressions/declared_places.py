"""Values of inferred unions where a type is declared: which type a value has shows when the program runs.

In: a value and the declared type. Out: the value at that type, with a TypeError for what the annotation denies (D2);
None where the message of compilation stands: no type of the union fits, or an annotation says that it is a union.
Holds: a container is never taken for one of other elements.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ....ir.operators import Operator
from ....ir.types import (
    ANY,
    BOOL,
    FLOAT,
    INT,
    SCALAR,
    TENSOR,
    ListType,
    OptionalType,
    TupleType,
    Type,
    UnionType,
    arms_of,
)
from ...compilation.specialise import Again
from ...core.conversions import convert, operate
from ...core.placeholders import has_placeholder, resolve
from ...core.typed import (
    NEVER,
    Choose,
    Do,
    Expr,
    GetAttribute,
    Let,
    MakeDict,
    MakeList,
    MakeSet,
    MakeTuple,
    Operate,
    Read,
    ReadTemp,
    Recast,
    Temp,
    TupleItem,
)
from ...parser import syntax
from ..base import InferenceBase
from ..containers.declared_results import is_convertible
from ..joined_types import CONTAINERS, joined_container
from ..open_lengths import may_have_lengths
from ..operand_errors import is_denied
from ..type_facts import converted_to

NUMBERS = (BOOL, INT, FLOAT)
DISPLAYS = (MakeList, MakeSet, MakeDict, MakeTuple)
ITEMS = frozenset((  # rows that give one
    "getitem", "dict.setdefault", "dict.get", "dict.pop", "list.pop", "dict.value_at",
))


class DeclaredPlaceInference(InferenceBase):
    """Results, arguments, attributes and variables that an annotation describes."""

    def is_declared(self, owner: Expr) -> bool:
        """Whether a container's type comes from an annotation: of a variable, an attribute, what holds it."""
        if isinstance(owner, Read):
            origin = self.origin_of(owner)
            return owner.name in self.declared or (origin is not None and self.is_declared(origin))
        if isinstance(owner, TupleItem):
            whole: Expr | None = owner.value
            while isinstance(whole, Read) and whole.name.startswith("."):  # these are given a value once
                whole = self.origin_of(whole)
            return self.is_declared(whole.items[owner.index] if isinstance(whole, MakeTuple) else owner.value)
        if isinstance(owner, Operate) and owner.row.name in ITEMS:
            return self.is_declared(owner.operands[0])
        if isinstance(owner, ReadTemp):
            return owner.temp.value is not None and self.is_declared(owner.temp.value)
        if isinstance(owner, Let):
            return self.is_declared(owner.body)
        if isinstance(owner, Choose):
            return all(arm.type == NEVER or self.is_declared(arm) for arm in (owner.then, owner.otherwise))
        return isinstance(owner, GetAttribute) and self.is_declared_attribute(owner)

    def origin_of(self, value: Read) -> Expr | None:
        """What a variable was given."""
        state = self.here.variables.get(value.name)
        stored = None if state is None else self.stored_values.get(state.definition)
        return self.origins.get(value.name) or stored

    def declare_by_use(self, value: Expr, wanted: Type) -> None:
        """A variable whose container has elements of type Any, or numbers out of tensors, is handed, among the
        statements that made it, to where a type is declared: it is of that type from its start."""
        if not isinstance(value, Read) or not assigns(self.suite, value.name):
            return
        name, spec = value.name, self.spec
        is_free = name not in self.declared and name not in spec.by_use and name not in spec.given_names
        kind = next((arm for arm in arms_of(wanted) if tells(arm, value.type)), None)
        if is_free and kind is not None and name not in spec.captured:
            spec.by_use[name] = kind
            raise Again(spec)

    def declare_by_declared_list(self, owner: Expr, value: Expr) -> None:
        """The same for what is put into a list of such containers."""
        kind = resolve(owner.type)
        if isinstance(kind, ListType) and isinstance(value, Read) and self.is_declared(owner):
            if convert(value, kind.element) is None:
                self.declare_by_use(value, resolve(kind.element))

    def at_declared(self, value: Expr, kind: Type, what: str) -> Expr | None:
        """Chosen at run time."""
        source, wanted = resolve(value.type), resolve(kind)
        if isinstance(value, Operate) and source == ListType(TENSOR) and wanted == TupleType((TENSOR,), True):
            return operate("tuple.list", value, result=wanted)  # Python has a tuple there
        if (displayed := self.displayed_at(value, wanted, what)) is not None:
            return displayed
        if (measured := self.at_length(value, wanted, what)) is not None:
            return measured
        if (anew := self.made_at(value, wanted)) is not None:
            return anew
        if isinstance(source, TupleType) and isinstance(wanted, TupleType):
            is_open = source.is_variadic and wanted.is_variadic
            return self.tuple_at(value, wanted) if is_open and is_convertible(source, wanted) else None
        if not isinstance(source, (OptionalType, UnionType)) or not self.are_inferred_unions([value]):
            return None
        each_arm = [ReadTemp(resolve(arm), value.span, Temp()) for arm in arms_of(source)]
        fits = [convert(one, kind) is not None or isinstance(one.type, TupleType) and any(
            may_have_lengths(one.type, arm) for arm in arms_of(wanted)) for one in each_arm]
        if not any(fits) or not all(fit or is_denied(arm, wanted) for fit, arm in zip(fits, arms_of(source))):
            return None

        def use(one: Expr) -> Expr:
            converted = convert(one, kind)
            if converted is not None:
                return converted[0]
            if (measured := self.at_length(one, wanted, what)) is not None:
                return measured
            return self.raise_error(value.span, "TypeError", f"{what} must be {wanted}, got {resolve(one.type)}")

        return self.each_arm(value, use)

    def made_at(self, value: Expr, wanted: Type) -> Expr | None:
        """A container that an operator makes, such as a slice or a copy: nobody else has it, so each element goes where
        it goes (D3)."""
        source, made = resolve(value.type), innermost(value)
        if isinstance(made, Read) and made.name in self.held_once:
            made = innermost(self.origins[made.name])
        if not isinstance(made, DISPLAYS) and not (isinstance(made, Operate) and makes_container(made.row)):
            return None
        alike = [arm for arm in arms_of(wanted) if joined_container(arm, source) is not None]
        if len(alike) != 1 or any(has_placeholder(kind) for kind in (source, alike[0])):
            return None
        items = [ReadTemp(resolve(kind), value.span, Temp()) for kind in source.members]
        if any(convert(item, kind) is None for item, kind in zip(items, alike[0].members)):
            return None
        return converted_to(self.remade(syntax.Node(value.span), value, alike[0]), wanted)

    def made_for(self, owner: Expr, value: Expr) -> Expr:
        """The same for what goes into a container whose annotation says what it holds."""
        kind = resolve(owner.type)
        if not isinstance(kind, CONTAINERS) or has_placeholder(kind) or not self.is_declared(owner):
            return value
        element = kind.members[-1]
        return value if convert(value, element) is not None else self.made_at(value, element) or value

    def displayed_at(self, value: Expr, wanted: Type, what: str) -> Expr | None:
        """A display, with each item where it goes; a choice of two."""
        if isinstance(value, Choose):
            arms = [unwidened(value.then), unwidened(value.otherwise)]
            if not all(isinstance(arm, (*DISPLAYS, Choose)) for arm in arms):
                return None
            then, otherwise = (self.item_at(arm, wanted, what) for arm in arms)
            return None if then is None or otherwise is None else replace(
                value, type=wanted, then=then, otherwise=otherwise)
        if not isinstance(value, DISPLAYS):
            return None
        alike = [arm for arm in arms_of(wanted) if type(arm) is type(resolve(value.type))]
        if len(alike) != 1 or getattr(alike[0], "name", "") != getattr(resolve(value.type), "name", ""):
            return None
        kinds = alike[0].members * (len(value.items) if not isinstance(alike[0], TupleType) else 1)
        if isinstance(alike[0], TupleType) and (alike[0].is_variadic or len(kinds) != len(value.items)):
            return None
        found = [self.item_at(item, kind, what) for item, kind in zip(value.items, kinds)]
        items = [item for item in found if item is not None]
        return converted_to(replace(value, type=alike[0], items=items), wanted) if len(items) == len(found) else None

    def item_at(self, item: Expr, wanted: Type, what: str) -> Expr | None:
        item = unwidened(item)
        converted = convert(item, wanted)
        return converted[0] if converted is not None else self.at_declared(item, wanted, what)

    def tuple_at(self, value: Expr, wanted: TupleType) -> Expr:
        """A tuple of any length made anew of numbers of the declared kind (D3)."""
        items = self.operate(value.span, "list()", [value])
        made = self.widened_list(syntax.Node(value.span), [(True, items)], ListType(wanted.elements[0]))
        return self.operate(value.span, "tuple()", [made])


def unwidened(value: Expr) -> Expr:
    """A value at its own type, where it was given the type of several."""
    is_wide = isinstance(value, Recast) and len(arms_of(resolve(value.type))) > len(arms_of(resolve(value.value.type)))
    return value.value if isinstance(value, Recast) and is_wide else value


def innermost(value: Expr) -> Expr:
    """What gives the value, without what runs before it."""
    while isinstance(value, (Do, Let)):
        value = value.value if isinstance(value, Do) else value.body
    return value


def makes_container(row: Operator) -> bool:
    """Whether the result is a new list, dict or set, which shares nothing but its elements."""
    is_shared = any(row.schema.result_aliases) or not row.traits.isdisjoint(("MUTATES", "VIEW"))
    return not is_shared and all(isinstance(each, CONTAINERS) for each in row.schema.results)


def assigns(suite: Sequence[syntax.Node], name: str) -> bool:
    """Whether one of these statements gives a variable its value."""
    return any(isinstance(target, syntax.Name) and target.id == name
               for each in suite if isinstance(each, syntax.Assign) for target in each.targets)


def tells(declared: Type, source: Type) -> bool:
    """Whether a declared container says more than a type with elements of type Any, or those of tensors, and nothing
    else."""
    declared, source = resolve(declared), resolve(source)
    if source == declared or isinstance(source, TupleType) and may_have_lengths(source, declared):
        return True
    if not isinstance(source, CONTAINERS) or type(declared) is not type(source):
        return False
    if getattr(declared, "name", "") != getattr(source, "name", ""):
        return False
    return all(each == ANY or (each == SCALAR and wanted in NUMBERS) or tells(wanted, each)
               for wanted, each in zip(declared.members, source.members))
