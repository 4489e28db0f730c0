"""Types that grow around themselves: what a recursive function or a loop builds of what it built before.

In: a type found in one round of a fixpoint, and that of the round before. Out: a type that ends: `tuple[int, ...]` for
tuples that get longer, `Union[int, list[Any]]` for an int or a list of such values. Holds: it takes every value that
the growing types described, as what it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from ...ir.types import ANY, DictType, ListType, TupleType, Type, arms_of, has_arm, map_members, union
from ..core.placeholders import resolve

CONTAINERS = (ListType, DictType, TupleType)
DEEP = 4  # containers in each other, from where what a container learns is taken to grow without end
MANY = 4  # lengths of tuples at one place of a container, from where they are taken to grow without end
FIRST_ROUND = 2  # in which a type that still grows is taken to grow without end


def nesting(kind: Type) -> int:
    """How deep containers stand in each other in a type."""
    kind = resolve(kind)
    inside = max(map(nesting, kind.members), default=0)
    return inside + isinstance(kind, CONTAINERS)


def longest(kind: Type) -> int:
    """How long the longest tuple in a type is."""
    kind = resolve(kind)
    inside = max(map(longest, kind.members), default=0)
    return max(inside, len(kind.elements)) if isinstance(kind, TupleType) and not kind.is_variadic else inside


def nests(found: Type, before: Type) -> bool:
    return nesting(found) > nesting(before) > 1


def lengthens(found: Type, before: Type) -> bool:
    return longest(found) > longest(before) > 1


def ended(found: Type, before: Type, turn: int) -> Type | None:
    """A type that ends, where one is that of the round before around itself, or has longer tuples; None elsewhere."""
    if turn < FIRST_ROUND or not (nests(found, before) or lengthens(found, before)):
        return None
    return folded(found) if nests(found, before) else stretched(found, before)


def ended_argument(kind: Type, before: Sequence[object]) -> Type | None:
    """The same of the argument of a function that calls itself; `before` are those of the calls that run."""
    known = [each for each in before if isinstance(each, Type)][-FIRST_ROUND - 1 :]
    if len(known) <= FIRST_ROUND:
        return None
    steps = list(zip([*known[1:], kind], known))
    if all(lengthens(*step) for step in steps[1:]):
        return stretched(kind)
    return ANY if all(nests(*step) for step in steps[1:]) else None


def is_within(found: Type, end: Type) -> bool:
    """Whether a type that was ended takes all values of one that was found with it."""
    return covers(end, found) or union(end, *arms_of(stretched(found, end))) == end or covers(end, folded(found))


def ended_growth(wide: Type, known: Type) -> Type:
    """The same of a container that learns what it holds, some of which is made of itself."""
    if lengthens(wide, known) and most_lengths(wide) >= MANY:
        return stretched(wide, known)
    return folded(wide) if nesting(wide) > nesting(known) >= DEEP else wide


def most_lengths(kind: Type) -> int:
    """The most lengths that tuples at one place of a type have."""
    alike = [arms for arms in by_class(kind) if isinstance(arms[0], TupleType)]
    here = max((len({len(arm.members) for arm in arms}) for arms in alike), default=0)
    return max(here, *map(most_lengths, (member for arm in arms_of(resolve(kind)) for member in arm.members)), 0)


def stretched(kind: Type, before: Type | None = None) -> Type:
    """The type with tuples of any length: of those, where it is known, that do not have one length before and now."""
    arms: list[Type] = []
    known = {} if before is None else {marked(alike[0]): alike for alike in by_class(before)}
    for alike in by_class(kind):
        others = known.get(marked(alike[0]), [])
        is_tuple = isinstance(alike[0], TupleType)
        if is_tuple and (not others or len({shape(arm) for arm in (*alike, *others)}) > 1):
            elements = [element for arm in alike for element in arm.members]
            arms.append(TupleType((stretched(union(*elements)),), True) if elements else alike[0])
        elif alike[0].members:
            columns = [union(*column) for column in zip(*(arm.members for arm in alike))]
            old = [union(*column) for column in zip(*(arm.members for arm in others))]
            parts = iter([stretched(*both) for both in zip_longest(columns, old)])
            arms.append(map_members(alike[0], lambda _, parts=parts: next(parts)))  # type: ignore[misc]
        else:
            arms.append(alike[0])
    return union(*arms)


def shape(kind: Type) -> tuple[bool, int]:
    """Whether a tuple has any length, and its length."""
    assert isinstance(kind, TupleType)
    return kind.is_variadic, len(kind.elements)


def marked(arm: Type) -> object:
    """What arms of one class of containers have in common."""
    return (type(arm), getattr(arm, "name", "")) if isinstance(arm, CONTAINERS) else arm


def by_class(kind: Type) -> list[list[Type]]:
    """The arms of a type, those together that are of one class of containers."""
    found: dict[object, list[Type]] = {}
    for arm in arms_of(resolve(kind)):
        found.setdefault(marked(arm), []).append(arm)
    return list(found.values())


def covers(wide: Type, kind: Type) -> bool:
    """Whether a type that was ended takes all values of another."""
    return all(arm in arms_of(wide) or has_arm(wide, arm) for arm in arms_of(kind))


def folded(kind: Type) -> Type:
    """The type with Any for what its containers nest."""
    arms: list[Type] = []
    tuples: dict[int, list[TupleType]] = {}
    for arm in arms_of(resolve(kind)):
        if isinstance(arm, TupleType) and not arm.is_variadic:
            tuples.setdefault(len(arm.elements), []).append(arm)
        else:
            arms.append(folded_arm(arm))
    for alike in tuples.values():
        columns = [union(*column) for column in zip(*(arm.elements for arm in alike))]
        arms.append(TupleType(tuple(ANY if nesting(column) else column for column in columns)))
    return union(*arms)


def folded_arm(kind: Type) -> Type:
    if not isinstance(kind, CONTAINERS):
        return kind
    members = iter([
        ANY if nesting(member) and not (isinstance(kind, DictType) and place == 0) else member
        for place, member in enumerate(kind.members)
    ])
    return map_members(kind, lambda _: next(members))
