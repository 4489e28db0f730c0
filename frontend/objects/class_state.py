"""Attributes of classes that a program assigns: `Node.count += 1`, `cls.limit = 3`; instances outside its functions
that it tells apart: `x is DEFAULT`.

In: what inference meets of both. Out: the type of one hidden object, which has them, and its initial state. Holds: the
object belongs to what is scripted, as a module's state does: it starts with what the classes say when the script is
compiled, and lives as long as the scripted function.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ...ir.state import ObjectState
from ...ir.types import NONE, ClassType, DictType, ListType, SetType, Type, optional
from ..core.placeholders import Placeholder, join, resolve
from ..core.typed import ERROR
from .class_facts import find, is_script_class, qualified
from .class_info import MAX_GROWTH, ClassInfo
from .class_places import span_of
from .modules import NotAttribute

if TYPE_CHECKING:
    from .classes import Classes

STATE = "__classes__"  # the hidden object, as a parameter and as an attribute of a module
INSTANCES = ""  # stands in `places` for the instances of a class


class WantsClassState(Exception):
    """Containers of classes turned out to be changed, or instances outside to be told apart: the program has to be
    compiled with a state that has them."""

    def __init__(self, places: frozenset[tuple[type, str]]) -> None:
        self.places = places


def initial_type(classes: Classes, value: object) -> Type:
    """The type of what a class has; of a container that tells nothing, one that learns what it holds."""
    try:
        return NONE if value is None else classes.session.modules.type_of(value)
    except NotAttribute:
        return _EMPTY[type(value)]() if type(value) in _EMPTY else NONE


def holds_functions(value: object) -> bool:
    """Whether a value is, or a container in it holds, what only scripts make values of."""
    if isinstance(value, dict):
        return any(map(holds_functions, (*value, *value.values())))
    if isinstance(value, (list, tuple, set, frozenset)):
        return any(map(holds_functions, value))
    return callable(value) and not is_script_class(type(value))


_EMPTY: dict[type, Callable[[], Type]] = {
    list: lambda: ListType(Placeholder()), dict: lambda: DictType(Placeholder(), Placeholder()),
    set: lambda: SetType(Placeholder()),
}


@dataclass(eq=False)
class ClassState:
    """`places`: the names of the assigned attributes in the hidden object."""

    kind: ClassType = field(default_factory=lambda: ClassType(STATE, is_module=True))
    places: dict[tuple[type, str], str] = field(default_factory=dict)
    declared: dict[str, Type] = field(default_factory=dict)
    growth: dict[str, int] = field(default_factory=dict)
    wanted: frozenset[tuple[type, str]] = frozenset()  # those that hold containers which the program changes
    shown: dict[str, tuple[type, str]] = field(default_factory=dict)  # other containers, by what messages call them
    copied: dict[Type, type] = field(default_factory=dict)  # classes of instances outside, of which it has copies
    objects: dict[str, object] = field(default_factory=dict)  # those that are one object each, by their names here

    @property
    def info(self) -> ClassInfo:
        """The attributes as those of an instance."""
        return ClassInfo(object, self.kind, declared=self.declared, growth=self.growth)

    def place(self, python: type, name: str) -> str | None:
        return self.places.get((python, name))

    def add(self, classes: Classes, python: type, name: str) -> str:
        """Makes an attribute of a class part of the state; its name there."""
        base = qualified(python)
        place = f"{base}.{name}"
        number = 1
        while place in self.places.values():
            place, number = f"{base}.{number}.{name}", number + 1
        self.places[python, name] = place
        declared = self._declared(classes, python, name)
        if declared is not None:
            self.declared[place] = self.kind.attributes[place] = declared
        elif name in vars(python):
            self.kind.attributes[place] = initial_type(classes, vars(python)[name])
        return place

    def place_of_object(self, classes: Classes, python: object) -> str | None:
        """The name here of an instance outside; None where it has to be copied."""
        can_be_state = hasattr(python, "__dict__") and not holds_functions(list(vars(python).values()))
        if not can_be_state or classes.session.has_module:
            return None
        if (type(python), INSTANCES) not in self.wanted:
            self.copied[classes.exact(type(python)).type] = type(python)
            return None
        place = next((place for place, each in self.objects.items() if each is python), None)
        if place is None:
            try:
                kind = classes.session.modules.type_of(python)
            except NotAttribute:
                return None
            place = f"outside.{len(self.objects)}"
            self.objects[place], self.kind.attributes[place] = python, kind
            classes.session.specialiser.outdate()
        return place

    def _declared(self, classes: Classes, python: type, name: str) -> Type | None:
        for base in python.__mro__:
            hint = inspect.get_annotations(base).get(name)
            if hint is not None:
                kind = classes.declared_type(base, hint)
                is_none = kind is not None and kind != ERROR and find(python, name) == (base, None)
                return optional(kind) if kind is not None and is_none else kind
        return None

    def learn(self, place: str, kind: Type) -> bool:
        """An assignment; whether the attribute has a wider type now."""
        known = self.kind.attributes.get(place)
        if place in self.declared or known is not None and resolve(join(known, kind)) == resolve(known):
            return False
        self.growth[place] = self.growth.get(place, 0) + 1
        if self.growth[place] > MAX_GROWTH:
            return False
        self.kind.attributes[place] = kind if known is None else join(known, kind)
        return True

    def initial(self, classes: Classes) -> ObjectState:
        """What the classes say when the script is compiled."""
        made = ObjectState(self.kind)
        for (python, name), place in self.places.items():
            value = vars(python).get(name)
            if name in vars(python) and holds_functions(value):
                text = f"'{python.__name__}.{name}' holds functions or classes when the script is compiled"
                classes.session.reporter.error(span_of(python), text, "empty it first: scripts cannot change such ones")
            elif name in vars(python):
                made.attributes[place] = classes.session.modules.value_state(value, self.kind.attributes[place])
        for place, value in self.objects.items():
            made.attributes[place] = classes.session.modules.value_state(value, self.kind.attributes[place])
        return made
