"""Types of containers that hold what several containers, or their users, put into them.

In: types of containers. Out: a type that holds the elements of all as they are, or None where they are no containers of
one class. Holds: no element is converted: other elements become arms of a union.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...ir.types import ANY, DictType, ListType, SetType, TupleType, Type, arms_of, map_members, union
from ..core.placeholders import Placeholder, has_placeholder, resolve
from ..core.typed import NEVER

CONTAINERS = (ListType, DictType, SetType)


def widened_at(kind: Type, path: Sequence[int], widen: Callable[[Type], Type | None]) -> Type | None:
    """A type with the container at the end of a path in it widened; None if there is none."""
    kind = resolve(kind)
    arms = arms_of(kind)
    if len(arms) > 1:
        parts = [widened_at(arm, path, widen) for arm in arms]
        if all(part is None for part in parts):
            return None
        return union(*(arm if part is None else part for arm, part in zip(arms, parts)))
    if not path:
        return widen(kind)
    if not isinstance(kind, CONTAINERS) or path[0] >= len(kind.members):
        return None
    inner = widened_at(kind.members[path[0]], path[1:], widen)
    if inner is None:
        return None
    members = iter([inner if place == path[0] else member for place, member in enumerate(kind.members)])
    return map_members(kind, lambda _: next(members))


def joined_container(kind: Type, other: Type, is_deep: bool = False) -> Type | None:
    """A container type for what two of one class hold; None if they are of different classes. `is_deep`: containers in
    them are joined as well."""
    kind, other = resolve(kind), resolve(other)
    if type(kind) is not type(other) or not isinstance(kind, CONTAINERS):
        return None
    if getattr(kind, "name", "") != getattr(other, "name", ""):
        return None
    members = iter([joined(a, b, is_deep) for a, b in zip(kind.members, other.members)])
    return map_members(kind, lambda _: next(members))


def joined(a: Type, b: Type, is_deep: bool = False) -> Type:
    """The type of elements that are of one of two types: tuples of one length item by item."""
    a, b = resolve(a), resolve(b)
    if a == b or isinstance(b, Placeholder):
        return a
    if isinstance(a, Placeholder):
        return b
    arms = list(arms_of(a))
    for new in (arm for arm in arms_of(b) if arm not in arms):
        for place, arm in enumerate(arms):
            if (both := joined_arm(arm, new, is_deep)) is not None:
                arms[place] = both
                break
        else:
            arms.append(new)
    return union(*arms)


def joined_arm(a: Type, b: Type, is_deep: bool) -> Type | None:
    if a == b:
        return a
    if isinstance(a, TupleType) and isinstance(b, TupleType) and type(a) is type(b):
        if not (a.is_variadic or b.is_variadic) and len(a.elements) == len(b.elements):
            return TupleType(tuple(joined(x, y, is_deep) for x, y in zip(a.elements, b.elements)))
        for wide, other in ((a, b), (b, a)):
            if wide.is_variadic and all(covers(wide.elements[0], each) for each in other.elements):
                return wide
    if is_deep or has_placeholder(a) or has_placeholder(b):
        return joined_container(a, b, is_deep)
    return None


def asked_of(result: Type, wanted: Type) -> Type | None:
    """The result that a caller asks for: wider in the elements of its containers than the one that there is."""
    result, wanted = resolve(result), resolve(wanted)
    if result == NEVER or has_placeholder(result) or not holds_containers(result) or not covers(wanted, result):
        return None
    wide = joined(result, wanted, is_deep=True)
    return None if wide == result or has_placeholder(wide) else wide


def holds_containers(kind: Type) -> bool:
    return isinstance(kind, CONTAINERS) or isinstance(kind, TupleType) and any(map(holds_containers, kind.members))


def covers(wide: Type, kind: Type) -> bool:
    """Whether each element of one type is one of the other as it is."""
    wide, kind = resolve(wide), resolve(kind)
    if wide in (kind, ANY) or isinstance(wide, Placeholder):
        return True
    if isinstance(kind, TupleType) and isinstance(wide, TupleType) and wide.is_variadic != kind.is_variadic:
        return wide.is_variadic and all(covers(wide.elements[0], each) for each in kind.elements)
    if isinstance(kind, (*CONTAINERS, TupleType)) and type(kind) is type(wide):
        is_same = getattr(kind, "name", "") == getattr(wide, "name", "") and len(kind.members) == len(wide.members)
        return is_same and all(map(covers, wide.members, kind.members))
    arms = arms_of(wide)
    return len(arms) > 1 and all(any(covers(arm, each) for arm in arms) for each in arms_of(kind))


def inner_containers(kind: Type) -> list[Type]:
    """The types of the containers that are elements of a container, or values of a dict."""
    kind = resolve(kind)
    return [arm for arm in arms_of(resolve(kind.members[-1])) if isinstance(arm, CONTAINERS)] if (
        isinstance(kind, CONTAINERS)) else []


def inner_container(owner: Type, kind: Type) -> Type | None:
    """The one of these that a container of another type would have to have to be an element."""
    kind, arms = resolve(kind), inner_containers(owner)
    found = [arm for arm in arms if covers(arm, kind)]
    return found[0] if len(found) == 1 and kind not in arms and not has_placeholder(kind) else None
