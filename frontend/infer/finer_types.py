"""Types that say more than an annotation: a Counter where a dict is declared, a shape where a list of ints is.

In: the declared type, and that of the value. Out: the declared type with what the value has there. Holds: Python has
the value as it is, so nothing is converted; what is done with it is checked against its own type.
"""

from __future__ import annotations

from ...ir.types import DictType, ListType, OptionalType, TupleType, Type, map_members, optional
from ..core.placeholders import resolve, unify
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


def _refined(declared: Type, actual: Type, has_classes: bool) -> Type | None:
    if isinstance(declared, DictType) and isinstance(actual, DictType) and dict_class(actual):
        is_wider = has_classes and declared.name in ("dict", dict_class(actual))
        is_same = unify(declared.key, actual.key) and unify(declared.value, actual.value)
        return resolve(actual) if is_wider and is_same else None
    if isinstance(declared, ListType) and isinstance(actual, TupleType) and declared.name == "list":
        element = resolve(declared.element)
        is_same = bool(actual.elements) and all(resolve(each) == element for each in actual.elements)
        return actual if is_same else None
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
