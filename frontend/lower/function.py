"""Lowering of typed trees to SSA: one graph function for each specialisation.

In: typed bodies. Out: `ir.graph.Function`s. Holds: nothing is inferred here; a variable is an SSA value, and one that
may be unbound is an Optional of it (or of a 1-tuple of it, where None is a value of its own).
"""

from __future__ import annotations

from collections.abc import Iterable

from ...ir.builder import Builder
from ...ir.graph import Function, Location, Node, Param, Value
from ...ir.types import ANY, BOOL, EXCEPTION, NONE, OptionalType, TupleType, Type, arms_of, has_arm, optional, union
from ..compilation.frames import shown_name
from ..compilation.session import Session
from ..compilation.specialise import Specialisation
from ..core.exception_types import PAYLOAD, ExceptionClass
from ..core.placeholders import settled
from ..core.typed import NEVER, NOT_IMPLEMENTED, Carried, Loop, Once, Temp
from ..own_files import portable_name
from ..parser.syntax import Span


class Ended(Exception):
    """The current block has its terminator: what follows in it is not lowered."""


class Slot:
    """A variable at one point. `value` is None while it is unbound; `is_maybe`: it is wrapped, and None if unbound."""

    __slots__ = ("is_maybe", "type", "value")

    def __init__(self, value: Value | None, kind: Type, is_maybe: bool = False) -> None:
        self.value = value
        self.type = kind
        self.is_maybe = is_maybe


def needs_tuple(kind: Type) -> bool:
    """Whether None is a value of the type, so that it cannot stand for unbound."""
    return kind == ANY or NONE in arms_of(kind)


def wrapped_type(kind: Type) -> Type:
    """The type of a variable of this type that may be unbound."""
    return OptionalType(TupleType((kind,))) if needs_tuple(kind) else optional(kind)


def located(span: Span, function: str, call: Location | None = None) -> Location:
    """The place in a function of the program, and of the call that it was put in place of."""
    file = portable_name(span.file)
    return Location(file, span.line, span.column, span.end_line, span.end_column, function, call)


class LoweringBase:
    """State of lowering one function."""

    def __init__(self, session: Session, spec: Specialisation, function: Function) -> None:
        self.session = session
        self.spec = spec
        self.function = function
        self.builder = Builder(function)
        self.slots: dict[str, Slot] = {}
        self.temps: dict[Temp, Value] = {}
        self.bodies: list[tuple[str, Location | None]] = []  # that this point lies in: function, where it was called
        self.targets: dict[Loop | Once, Node] = {}
        self.cells: list[dict[str, tuple[Value, Carried]]] = []  # of the `try` bodies around this point

    def location(self, span: Span) -> Location:
        return located(span, *(self.bodies[-1] if self.bodies else (self.spec.name, None)))

    # Types

    def recast(self, value: Value, kind: Type) -> Value:
        """The same value at another type that holds it."""
        kind, source = settled(kind), value.type
        if source == kind:
            return value
        if has_arm(kind, source):
            return self.builder.op("widen", [value], kind, value.name)
        if has_arm(source, kind) or source == ANY:
            return self.builder.op("narrow", [value], kind, value.name)
        instances = [arm for arm in arms_of(kind) if isinstance(arm, ExceptionClass)]
        if EXCEPTION in arms_of(source) and instances:
            parts = [self.recast(value, EXCEPTION), self.builder.const(PAYLOAD)]
            held = self.builder.op("exception.attribute", parts, ANY, value.name)
            return self.recast(self.recast(held, union(*instances)), kind)
        common = [arm for arm in arms_of(source) if arm in arms_of(kind)]
        if not common:
            raise AssertionError(f"no way from {source} to {kind}")
        return self.recast(self.recast(value, union(*common)), kind)

    # Variables that may be unbound

    def wrap(self, slot: Slot | None, kind: Type) -> Value:
        """A slot's value as one that may be unbound, of content type `kind`."""
        whole = wrapped_type(kind)
        if slot is None or slot.value is None:
            empty = self.builder.const(None)
            return self.recast(empty, whole)
        if slot.is_maybe:
            return self.rewrap(slot, kind)
        given = slot.value.type
        if kind != given and not has_arm(kind, given) and EXCEPTION not in arms_of(given):
            return self.wrap_fitting(slot, kind)
        value = self.recast(slot.value, kind)
        if needs_tuple(kind):
            value = self.builder.op("tuple", [value], TupleType((kind,)))
        return self.recast(value, whole)

    def wrap_fitting(self, slot: Slot, kind: Type) -> Value:
        """The same of a value whose type is wider: where it does not fit, nobody reads the variable again, and a value
        that is left over from before stands in it."""
        assert slot.value is not None
        common = [arm for arm in arms_of(kind) if has_arm(slot.value.type, arm)]
        return self.wrap_arms(slot.value, kind, common)

    def wrap_arms(self, value: Value, kind: Type, arms: list[Type]) -> Value:
        """The value where it has one of these types, else the mark of a variable that is unbound."""
        if not arms:
            return self.wrap(None, kind)
        fits = self.builder.node("is_type", [value], [BOOL], type=arms[0]).result
        node = self.builder.node("if", [fits], [wrapped_type(kind)])
        first, second = self.builder.add_block(node), self.builder.add_block(node)
        with self.builder.inside(first):
            self.builder.end("yield", [self.wrap(Slot(self.recast(value, arms[0]), kind), kind)])
        with self.builder.inside(second):
            self.builder.end("yield", [self.wrap_arms(value, kind, arms[1:])])
        return node.result

    def rewrap(self, slot: Slot, kind: Type) -> Value:
        """From one content type to another without looking whether it is unbound, where the representation allows."""
        assert slot.value is not None
        if slot.type == kind:
            return slot.value
        if not needs_tuple(slot.type) and not needs_tuple(kind) and has_arm(kind, slot.type):
            return self.recast(slot.value, wrapped_type(kind))
        whole = wrapped_type(kind)
        is_none = self.builder.node("is_type", [slot.value], [BOOL], type=NONE).result
        node = self.builder.node("if", [is_none], [whole])
        first, second = self.builder.add_block(node), self.builder.add_block(node)
        with self.builder.inside(first):
            self.builder.end("yield", [self.wrap(None, kind)])
        with self.builder.inside(second):
            content = Slot(self.unwrap(slot), slot.type)
            self.builder.end("yield", [self.wrap(content, kind)])
        return node.result

    def unwrap(self, slot: Slot) -> Value:
        """The content of a slot that is bound here."""
        assert slot.value is not None
        if not slot.is_maybe:
            return slot.value
        if needs_tuple(slot.type):
            inner = self.recast(slot.value, TupleType((slot.type,)))
            return self.builder.node("tuple_get", [inner], [slot.type], index=0).result
        return self.recast(slot.value, slot.type)

    def carry(self, item: Carried) -> Value:
        """A variable's value in the form that a merge has."""
        slot = self.slots.get(item.name)
        kind = settled(item.type)
        if item.is_maybe:
            return self.wrap(slot, kind)
        assert slot is not None and slot.value is not None, item.name
        return self.recast(self.unwrap(slot), kind)

    def carried_type(self, item: Carried) -> Type:
        kind = settled(item.type)
        return wrapped_type(kind) if item.is_maybe else kind

    def land(self, merges: list[Carried], values: list[Value]) -> None:
        """After a merge: its variables are its results."""
        for item, value in zip(merges, values):
            value.name = shown_name(item.name)
            self.slots[item.name] = Slot(value, settled(item.type), item.is_maybe)


def distinct(names: Iterable[str]) -> list[str]:
    """Names of parameters: captured variables may have names of others', or none."""
    found: dict[str, None] = {}
    for name in names:
        base, number = name or "captured", 0
        name = base
        while name in found:
            number += 1
            name = f"{base}.{number}"
        found[name] = None
    return list(found)


def declare(session: Session, spec: Specialisation) -> Function:
    """The graph function of a specialisation, without its body."""
    if spec.function is None:
        source = spec.source
        names = spec.names
        params = [Param(name, settled(kind)) for name, kind in zip(distinct(map(shown_name, names)), spec.types)]
        result = settled(spec.result) if spec.generator is None else BOOL
        span = source.node.span
        own = source.owner is not None and bool(source.params) and bool(names)
        has_self = own and names[0] == source.params[0].arg
        spec.function = Function(
            spec.name, params, NONE if result in (NEVER, NOT_IMPLEMENTED) else result, has_self=has_self,
            doc=source.doc,
            location=located(span, spec.name),
        )
    return spec.function


def lower_specialisation(session: Session, spec: Specialisation) -> Function:
    """Fills the graph function's body."""
    from .statements import FunctionLowering

    function = declare(session, spec)
    FunctionLowering(session, spec, function).run()
    return function
