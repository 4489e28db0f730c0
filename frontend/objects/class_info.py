"""What is known of one script class while a program is compiled.

In: assignments to attributes of its instances, in the order in which inference meets them. Out: `ClassInfo`.
Holds: the type of an attribute only ever becomes wider, and only where nothing declares it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any as PyAny

from ...ir.types import ClassType, Type
from ..core.placeholders import join, resolve
from ..core.typed import ERROR, NEVER

MAX_GROWTH = 8  # of one attribute's type


@dataclass(eq=False)
class ClassInfo:
    """`declared`: attributes with an annotation; their values convert to it (D3). `initial`: those that the class gives
    a value until an instance has its own. While `is_open`, assignments of __init__ add to the type's attributes; later
    ones add what they assign. `guessed`: attributes that rest on the types of parameters which nothing declares."""

    python: type
    type: ClassType
    arguments: tuple[Type, ...] = ()
    declared: dict[str, Type] = field(default_factory=dict)
    initial: dict[str, PyAny] = field(default_factory=dict)
    assigned: dict[str, None] = field(default_factory=dict)  # by its methods, __init__ and base classes first
    key_fields: tuple[str, ...] = ()  # those that make instances equal, where fields do; they come first
    guessed: set[str] = field(default_factory=set)
    missed: set[str] = field(default_factory=set)  # attributes that were asked for before they were known
    deleted: set[str] = field(default_factory=set)  # attributes that the program takes from instances
    broken: set[str] = field(default_factory=set)  # attributes that were assigned what has an error
    growth: dict[str, int] = field(default_factory=dict)  # how often an attribute's type became wider
    is_started: bool = False
    is_open: bool = False
    is_ready: bool = False

    def learn(self, name: str, kind: Type) -> None:
        """An assignment in __init__."""
        if name in self.declared or kind in (ERROR, NEVER):
            return
        known = self.type.attributes.get(name)
        self.type.attributes[name] = kind if known is None else join(known, kind)

    def grow(self, name: str, kind: Type) -> bool:
        """Any other assignment; whether what was inferred so far read the attribute at a type that no longer holds."""
        known = self.type.attributes.get(name)
        return self.replace(name, kind if known is None or name in self.guessed else join(known, kind))

    def replace(self, name: str, grown: Type) -> bool:
        """The same with the type that the attribute then has."""
        known = self.type.attributes.get(name)
        self.guessed.discard(name)
        if known is not None and resolve(grown) == resolve(known):
            return False
        self.growth[name] = self.growth.get(name, 0) + 1
        if self.growth[name] > MAX_GROWTH:
            return False
        self.type.attributes[name] = grown
        self.sort_attributes()
        return known is not None or name in self.missed

    def sort_attributes(self) -> None:
        """Into the order in which an instance gets them."""
        attributes = self.type.attributes
        known = dict(attributes)
        attributes.clear()
        attributes.update((name, known[name]) for name in (*self.key_fields, *self.assigned, *known) if name in known)
