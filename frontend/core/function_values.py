"""Functions as run-time values: a class type for each function that some program stores, with what it captured.

In: denotations of functions and the types of what they capture. Out: class types whose instances are those functions,
and cells, which hold a variable that a stored function shares with the function around it.
Holds: a call of a stored function is a choice over the class types that its value may have; no value is made up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...ir.types import ClassType, DictType, ListType, SetType, TupleType, Type, arms_of, union
from .denotations import (
    ArmsDenotation,
    BuiltinDenotation,
    ClassDenotation,
    ClosureDenotation,
    Denotation,
    FunctionDenotation,
    GeneratorDenotation,
    GraphDenotation,
    MethodDenotation,
    OperatorDenotation,
)
from .generator_values import GeneratorInfo, GeneratorUses
from .placeholders import join, resolve, settled

if TYPE_CHECKING:
    from ..compilation.specialise import Specialisation
    from ..objects.function_source import FunctionSource

CONTENT = "content"  # the attribute of a cell
RECEIVER = "receiver"  # the attribute of a bound method


def function_name(denotation: Denotation) -> str:
    """`f.__name__` of what a denotation denotes."""
    if isinstance(denotation, (FunctionDenotation, ClosureDenotation, MethodDenotation)):
        return denotation.source.name
    if isinstance(denotation, OperatorDenotation):
        return denotation.spelling.rpartition(".")[2]
    if isinstance(denotation, BuiltinDenotation | ArmsDenotation | GraphDenotation):
        return denotation.name.rpartition(".")[2]
    return str(getattr(getattr(denotation, "python", None), "__name__", "function"))


def holds_more(kind: Type, other: Type) -> bool:
    """Whether a container's type is another's with more element types: what was learned of the same variable."""
    kind, other = resolve(kind), resolve(other)
    if type(kind) is not type(other) or not isinstance(kind, (ListType, DictType, SetType)):
        return False
    pairs = list(zip(kind.members, other.members))
    return kind != other and all(set(arms_of(old)) <= set(arms_of(new)) for new, old in pairs)


MOST_NESTED = 2  # functions of one definition that captured each other and have classes of their own


class WantsIdentities(Exception):
    """Functions made in functions are compared: each definition has to leave what tells its functions apart."""


class FunctionClass(ClassType):
    """The class of a function, or of the generators that a specialisation of one makes."""


def holds_function(kind: Type) -> bool:
    """Whether a value of the type may be a function, or a container of functions."""
    kind = resolve(kind)
    return isinstance(kind, FunctionClass) or any(map(holds_function, kind.members))


@dataclass(eq=False)
class Captured:
    """A variable that a stored function uses. `key` names it in all rounds of inference; `is_cell`: the attribute is
    the cell that holds it."""

    key: object
    full: str
    attribute: str
    type: Type
    is_cell: bool


@dataclass(eq=False)
class FunctionInfo:
    """`identity` tells definitions apart; `statics` are captured things that are known when compiling, by the full
    name of their variable."""

    identity: object
    denotation: Denotation
    type: ClassType
    captured: list[Captured]
    statics: dict[str, Denotation]

    @property
    def is_single(self) -> bool:
        """Whether there is one such function in a program, so that two values of the type are the same one."""
        if isinstance(self.denotation, FunctionDenotation):
            return self.denotation.source.definition is None
        return isinstance(self.denotation, (BuiltinDenotation, ClassDenotation))

    @property
    def identity_attribute(self) -> str | None:
        """Where a function that was made in a function keeps what tells it from others of the same definition."""
        mark = getattr(getattr(self.denotation, "source", None), "identity", None)
        outer = getattr(self.denotation, "outer", None)
        if mark is None or outer is None:
            return None
        full = mark.variable(outer)
        return next((each.attribute for each in self.captured if each.full == full), None)

    @property
    def is_bound(self) -> bool:
        """Whether it is a method of an object, and equal to another of the same object."""
        is_method = isinstance(self.denotation, (MethodDenotation, OperatorDenotation))
        return is_method and RECEIVER in (*self.type.attributes, *self.statics)


class FunctionValues:
    """The registry of one compilation."""

    def __init__(self) -> None:
        self.info: dict[ClassType, FunctionInfo] = {}
        self.widened: dict[tuple[int, str], Type] = {}  # what displays of functions have to hold
        self.has_grown = False
        self.generators: dict[ClassType, GeneratorInfo] = {}
        self.uses: dict[FunctionSource, GeneratorUses] = {}  # of generators, in all rounds of inference
        self.have_identities = False  # functions made in functions are told apart
        self.identity_type = ClassType("identity of a function", {})
        self._cells: list[ClassType] = []
        self._names: dict[str, int] = {}

    def cell(self, content: Type) -> ClassType:
        """The class of cells whose content has a type."""
        for kind in self._cells:
            if resolve(kind.attributes[CONTENT]) == resolve(content):
                return kind
        made = ClassType(self._unique(f"cell of {content}"), {CONTENT: content})
        self._cells.append(made)
        return made

    def function(
        self, denotation: Denotation, identity: object, captured: list[Captured], statics: dict[str, Denotation]
    ) -> FunctionInfo:
        """The class of a function that captured these things. A closure's class is one for all types that its variables
        have in the rounds of inference; `has_grown` says that this one changed it."""
        for known in self.info.values():
            if self._is_same(known, identity, captured, statics):
                self._learn(known, captured)
                return known
        around = self._around_itself(denotation, captured, statics)
        if around is not None:
            self._learn(around, captured)
            return around
        attributes = {each.attribute: each.type for each in captured}
        kind = FunctionClass(
            self._unique(f"function '{function_name(denotation)}'"), attributes, possible_key=0, hashes_itself=True)
        made = self.info[kind] = FunctionInfo(identity, denotation, kind, captured, statics)
        return made

    def _around_itself(
        self, denotation: Denotation, captured: list[Captured], statics: dict[str, Denotation]
    ) -> FunctionInfo | None:
        """The class of functions of this definition among those that one of them captured, which captured others: as
        where each round of a loop wraps what the last one made. One class is for all of them."""
        if not isinstance(denotation, ClosureDenotation):
            return None
        found: list[FunctionInfo] = []
        pending, seen = [each.type for each in captured], set[Type]()
        while pending:
            for arm in arms_of(resolve(pending.pop())):
                known = self.info.get(arm) if isinstance(arm, ClassType) else None
                if known is None or arm in seen:
                    continue
                seen.add(arm)
                pending += [each.type for each in known.captured]
                is_same = isinstance(known.denotation, ClosureDenotation) and (
                    known.denotation.source is denotation.source) and [
                        each.attribute for each in known.captured] == [each.attribute for each in captured]
                if is_same and list(known.statics.values()) == list(statics.values()):
                    found.append(known)
        return found[0] if len(found) > MOST_NESTED else None

    def add_generator(self, spec: Specialisation) -> None:
        """A class for the generators that a specialisation of a generator function makes."""
        kind = FunctionClass(self._unique(f"generator '{spec.source.name}'"))
        uses = self.uses.setdefault(spec.source, GeneratorUses())
        spec.generator = self.generators[kind] = GeneratorInfo(spec, kind, uses)
        self.info[kind] = FunctionInfo(spec, GeneratorDenotation(spec), kind, [], {})

    def generator(self, kind: Type) -> GeneratorInfo | None:
        """What is known of the class of a generator; None for all other types."""
        kind = resolve(kind)
        return self.generators.get(kind) if isinstance(kind, ClassType) else None

    def is_generator(self, kind: Type) -> bool:
        """Whether every value of the type is a generator."""
        return bool(self.generators) and all(self.generator(arm) is not None for arm in arms_of(resolve(kind)))

    def _learn(self, known: FunctionInfo, captured: list[Captured]) -> None:
        for old, new in zip(known.captured, captured):
            if resolve(old.type) == resolve(new.type):
                continue
            is_new = old.is_cell or holds_more(new.type, old.type)
            kind = new.type if is_new else self.merged(old.type, new.type) or join(old.type, new.type)
            if old.is_cell or resolve(kind) != resolve(old.type):
                old.type = known.type.attributes[old.attribute] = kind
                self.has_grown = True

    def widen_captured(self, outer: object, full: str, kind: Type) -> None:
        """A container that functions defined in a frame captured holds more than was known."""
        for known in self.info.values():
            for each in known.captured:
                if each.full == full and getattr(known.denotation, "outer", None) is outer and not each.is_cell:
                    each.type = known.type.attributes[each.attribute] = kind

    def _is_same(
        self, known: FunctionInfo, identity: object, captured: list[Captured], statics: dict[str, Denotation]
    ) -> bool:
        if known.identity != identity or len(known.captured) != len(captured):
            return False
        if list(known.statics.values()) != list(statics.values()):
            return False
        is_closure = isinstance(known.denotation, ClosureDenotation)
        return all(
            a.key == b.key and a.is_cell == b.is_cell and (is_closure or resolve(a.type) == resolve(b.type))
            for a, b in zip(known.captured, captured)
        )

    def _unique(self, name: str) -> str:
        count = self._names.get(name, 0)
        self._names[name] = count + 1
        return f"{name}.{count}" if count else name

    def finish(self) -> None:
        """Settles the types of what was captured."""
        for kind in (*self._cells, *self.info):
            for name, member in kind.attributes.items():
                kind.attributes[name] = settled(member)

    # Questions

    def of(self, kind: Type) -> FunctionInfo | None:
        """What is known of a function's class; None for all other types."""
        kind = resolve(kind)
        return self.info.get(kind) if isinstance(kind, ClassType) else None

    def is_function(self, kind: Type) -> bool:
        """Whether every value of the type is a function."""
        return all(self.of(arm) is not None for arm in arms_of(resolve(kind)))

    def may_be_function(self, kind: Type) -> bool:
        return any(self.of(arm) is not None for arm in arms_of(resolve(kind)))

    def merged(self, a: Type, b: Type) -> Type | None:
        """One type for two that differ by functions only; None if they differ otherwise."""
        a, b = resolve(a), resolve(b)
        if a == b:
            return a
        if isinstance(a, TupleType) and isinstance(b, TupleType):
            if a.is_variadic or b.is_variadic or len(a.elements) != len(b.elements):
                return None
            members = [self.merged(x, y) for x, y in zip(a.elements, b.elements)]
            found = [member for member in members if member is not None]
            return TupleType(tuple(found)) if len(found) == len(members) else None
        if isinstance(a, ListType) and isinstance(b, ListType) and a.name == b.name:
            element = self.merged(a.element, b.element)
            return None if element is None else ListType(element, a.name)
        if isinstance(a, DictType) and isinstance(b, DictType) and (a.key, a.name) == (b.key, b.name):
            value = self.merged(a.value, b.value)
            return None if value is None else DictType(a.key, value, a.name)
        return union(a, b) if self.may_be_function(a) and self.may_be_function(b) else None

    def merged_all(self, kinds: Sequence[Type]) -> Type | None:
        """One type for several that differ by functions only; None if there is none."""
        if not self.info or not kinds or not any(map(self.is_held, kinds)):
            return None
        whole: Type | None = resolve(kinds[0])
        for kind in kinds[1:]:
            whole = None if whole is None else self.merged(whole, kind)
        return whole

    def is_held(self, kind: Type) -> bool:
        """Whether a value of the type may be a function, or hold one in a container or attribute."""
        return self._is_held(kind, set())

    def _is_held(self, kind: Type, seen: set[ClassType]) -> bool:
        kind = resolve(kind)
        if isinstance(kind, ClassType):
            if kind in seen:
                return False
            seen.add(kind)
            return kind in self.info or any(self._is_held(each, seen) for each in kind.attributes.values())
        return any(self._is_held(member, seen) for member in kind.members)
