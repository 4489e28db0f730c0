"""Placeholders: the unknown element types of `[]` and `{}`, solved by first use.

In: types met side by side. Out: `resolve` (the type with solutions put in), `unify` and `join`.
Holds: a placeholder is solved at most once, never with a type that contains itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from ...ir.types import (
    ANY,
    INT,
    DictType,
    ListType,
    Primitive,
    TupleType,
    Type,
    arms_of,
    holds_shapes,
    map_members,
    union,
)
from .typed import ERROR, NEVER


@dataclass(eq=False, slots=True)
class Placeholder(Type):
    """An element type that is not known yet."""

    solution: Type | None = None

    def spelled(self, of: Callable[[Type], str]) -> str:
        return "?" if self.solution is None else of(self.solution)


def resolve(kind: Type) -> Type:
    """`kind` with the solutions of its placeholders in their places."""
    if kind.__class__ is Primitive:
        return kind
    while isinstance(kind, Placeholder):
        if kind.solution is None:
            return kind
        kind = kind.solution
    members = kind.members
    if not members:
        return kind
    found = [resolve(member) for member in members]
    if all(new is old for new, old in zip(found, members)):
        return kind
    following = iter(found)
    return map_members(kind, lambda _: next(following))


def has_placeholder(kind: Type) -> bool:
    """Whether an element type in it is still unknown."""
    kind = resolve(kind)
    return isinstance(kind, Placeholder) or any(has_placeholder(member) for member in kind.members)


def unsolved(kind: Type) -> list[Placeholder]:
    """The placeholders in a type that are still unknown."""
    kind = resolve(kind)
    if isinstance(kind, Placeholder):
        return [kind]
    return [each for member in kind.members for each in unsolved(member)]


def settled(kind: Type) -> Type:
    """`kind` once nothing more will be learned: a container that nothing was put into has elements of type int."""
    kind = resolve(kind)
    if isinstance(kind, Placeholder):
        kind.solution = INT
    for member in kind.members:
        settled(member)
    return resolve(kind)


def leave_open(kind: Type) -> None:
    """Decides what a container holds that nothing is put into and nothing taken out of: whatever a host puts there,
    but keys and elements that are looked up are ints."""
    kind = resolve(kind)
    for place, member in enumerate(kind.members):
        member = resolve(member)
        if isinstance(member, Placeholder):
            is_value = isinstance(kind, ListType) or (isinstance(kind, DictType) and place == 1)
            member.solution = ANY if is_value else INT
        else:
            leave_open(member)


def unify(a: Type, b: Type) -> bool:
    """Makes two types equal by solving placeholders; False if they cannot be. A failure may leave some solved."""
    a, b = resolve(a), resolve(b)
    if a is b or a == b:
        return True
    if isinstance(b, Placeholder) and not isinstance(a, Placeholder):
        a, b = b, a
    if isinstance(a, Placeholder):
        if b in (ERROR, NEVER) or _occurs(a, b):
            return False
        a.solution = b
        return True
    if type(a) is not type(b) or len(a.members) != len(b.members):
        return False
    if isinstance(a, TupleType) and isinstance(b, TupleType) and a.is_variadic != b.is_variadic:
        return False
    if not (has_placeholder(a) or has_placeholder(b)):
        return False
    if isinstance(a, (DictType, ListType)) and isinstance(b, (DictType, ListType)) and a.name != b.name:
        return False
    return all(unify(x, y) for x, y in zip(a.members, b.members))


def _occurs(placeholder: Placeholder, kind: Type) -> bool:
    kind = resolve(kind)
    return kind is placeholder or any(_occurs(placeholder, member) for member in kind.members)


def join(*kinds: Type) -> Type:
    """The type of a value that is one of these: their union, after placeholders met their counterparts."""
    arms: list[Type] = []
    given = dict.fromkeys(map(resolve, _without_silent(kinds)))  # a container of constants gives thousands
    for new in dict.fromkeys(arm for kind in given for arm in arms_of(kind)):
        if not any(unify(new, arm) for arm in arms if has_placeholder(new) or has_placeholder(arm)):
            arms.append(new)
    if not arms:
        return kinds[0]
    whole = union(*map(resolve, arms))
    shapes = [arm for arm in arms_of(whole) if holds_shapes(arm)]
    is_plain = any(arm in shapes and not holds_shapes(arm) for kind in kinds for arm in arms_of(resolve(kind)))
    return without_shapes(whole) if is_plain else whole


def without_shapes(kind: Type) -> Type:
    """The type of what is a shape on some paths only: to its text it is a tuple."""
    members = map_members(kind, without_shapes)
    return TupleType(members.elements, True) if isinstance(members, TupleType) and members.is_shape else members


def _without_silent(kinds: Iterable[Type]) -> list[Type]:
    return [kind for kind in kinds if kind not in (ERROR, NEVER)]
