"""Types that say more than an annotation: a Counter where a dict is declared, a list of ints where one of floats is.

In: the declared type, and that of the value. Out: the declared type with what the value has there. Holds: Python has
the value as it is, so nothing is converted; what is done with it is checked against its own type.
"""

from __future__ import annotations

from ...binding.result_classes import result_classes
from ...ir.types import (
    ANY,
    BOOL,
    FLOAT,
    INT,
    DictType,
    EnumType,
    ListType,
    NamedTupleType,
    OptionalType,
    SetType,
    TupleType,
    Type,
    arms_of,
    has_arm,
    map_members,
    optional,
    union,
)
from ..core.conversions import convert
from ..core.placeholders import has_placeholder, resolve, unify
from ..core.typed import Expr
from .type_facts import dict_class


def refined(declared: Type, actual: Type) -> Type | None:
    """The declared type with subclasses of dict, and tuples for lists, where the value has them; None if it has none or
    is no such value."""
    found = _refined(resolve(declared), resolve(actual), True)
    return None if found == resolve(declared) else found


def with_tuples(declared: Type, actual: Type) -> Type | None:
    """The declared type with tuples for lists where the value has them; None if it has none or is no such value."""
    found = _refined(resolve(declared), resolve(actual), False)
    return None if found == resolve(declared) else found


def with_members(declared: Type, actual: Type) -> Type | None:
    """The declared type with members of an IntEnum, or of a StrEnum, where ints or texts are declared and the value has
    them; None if it has none or is no such value."""
    declared, actual = resolve(declared), resolve(actual)
    if declared == actual or has_placeholder(actual):
        return None
    if isinstance(declared, TupleType) and isinstance(actual, TupleType) and not actual.is_variadic:
        wanted = declared.elements * len(actual.elements) if declared.is_variadic else declared.elements
        if len(wanted) != len(actual.elements):
            return None
        found = [with_members(*pair) for pair in zip(wanted, actual.elements)]
        return None if found == [None] * len(found) else TupleType(tuple(
            new or old for new, old in zip(found, wanted)))
    if isinstance(actual, (ListType, DictType, SetType, TupleType)):
        is_same = type(declared) is type(actual) and getattr(declared, "name", "") == getattr(actual, "name", "")
        pairs = list(zip(declared.members, actual.members)) if is_same else []
        is_member = [resolve(a) != resolve(b) for a, b in pairs]
        takes_members = all(not differs or with_members(a, b) for differs, (a, b) in zip(is_member, pairs))
        return actual if any(is_member) and takes_members else None
    kinds = arms_of(actual)
    wanted = arms_of(declared)
    members = [kind for kind in kinds if isinstance(kind, EnumType) and kind.is_value and kind.value_type in wanted]
    is_new = any(kind not in wanted for kind in members)
    return union(*wanted, *members) if is_new and all(kind in (*wanted, *members) for kind in kinds) else None


def argument_type(declared: Type, value: Expr) -> Type:
    """What a parameter is declared as for one call: its annotation, or the type of a container that an argument is."""
    hint = with_tuples(declared, value.type)
    if hint is None and convert(value, declared) is None:
        hint = narrower(declared, value.type)
        if hint is None and with_members(declared, value.type) is not None:
            hint = resolve(value.type)
    return hint or declared


def narrower(declared: Type, actual: Type) -> Type | None:
    """The type of a container that an argument is, where a wider one is declared: of subclasses of dict, of elements of
    some of the kinds that the declared ones may have. None if it is no such value."""
    declared, actual = resolve(declared), resolve(actual)
    if not isinstance(actual, (ListType, DictType, SetType, TupleType)) or has_placeholder(actual):
        return None
    return actual if any(_takes(arm, actual) for arm in arms_of(declared)) else None


def _takes(declared: Type, actual: Type) -> bool:
    declared, actual = resolve(declared), resolve(actual)
    if declared in (actual, ANY) or has_arm(declared, actual) or (declared == FLOAT and actual in (BOOL, INT)):
        return True
    if isinstance(declared, DictType) and isinstance(actual, DictType):
        is_same = declared.name in ("dict", actual.name, dict_class(actual))
        return is_same and _takes(declared.key, actual.key) and _takes(declared.value, actual.value)
    if isinstance(declared, TupleType) and isinstance(actual, TupleType):
        wanted = declared.elements * len(actual.elements) if declared.is_variadic else declared.elements
        is_open = actual.is_variadic and not declared.is_variadic
        return not is_open and len(wanted) == len(actual.elements) and all(map(_takes, wanted, actual.elements))
    if isinstance(declared, ListType) and isinstance(actual, ListType) and declared.name == actual.name:
        return _takes(declared.element, actual.element)
    if isinstance(declared, SetType) and isinstance(actual, SetType):
        return _takes(declared.element, actual.element)
    kinds = arms_of(actual)
    if len(kinds) > 1:
        return all(_takes(declared, kind) for kind in kinds)
    return len(arms_of(declared)) > 1 and any(_takes(arm, actual) for arm in arms_of(declared))


def _refined(declared: Type, actual: Type, has_classes: bool) -> Type | None:
    if isinstance(declared, DictType) and isinstance(actual, DictType) and dict_class(actual):
        is_wider = has_classes and declared.name in ("dict", dict_class(actual))
        is_same = unify(declared.key, actual.key) and unify(declared.value, actual.value)
        return resolve(actual) if is_wider and is_same else None
    if isinstance(declared, ListType) and isinstance(actual, TupleType) and declared.name == "list":
        element = resolve(declared.element)
        is_same = bool(actual.elements) and all(resolve(each) == element for each in actual.elements)
        return actual if is_same else None
    if isinstance(declared, NamedTupleType) and isinstance(actual, NamedTupleType) and declared.name == actual.name:
        return actual  # the fields of a `namedtuple` are of the types of what they are given
    if isinstance(declared, TupleType) and isinstance(actual, NamedTupleType) and actual.name in result_classes():
        wanted = declared.elements * len(actual.members) if declared.is_variadic else declared.elements
        return actual if wanted == actual.members else None
    if isinstance(declared, OptionalType):
        inner = _refined(declared.inner, actual.inner if isinstance(actual, OptionalType) else actual, has_classes)
        return None if inner is None else optional(inner)
    if type(declared) is not type(actual) or len(declared.members) != len(actual.members) or not declared.members:
        return declared if declared == actual or not actual.members else None
    if isinstance(declared, DictType) and declared.name != getattr(actual, "name", ""):
        return None
    parts = [_refined(resolve(a), resolve(b), has_classes) for a, b in zip(declared.members, actual.members)]
    following = iter(parts)
    return None if None in parts else map_members(declared, lambda _: next(following))  # type: ignore[arg-type, return-value]
