"""What a call may leave shared between its caller and the module, each of which holds an object of its own.

In: a program with its initial state. Out: marks of entry points that keep arguments in the module's state, return state
or put it into arguments: what the caller has of them follows (binding/shared.py). Holds: never claims less sharing than
a run may make; objects are told apart by where they are made and by type, and calls are not told apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ...binding.call_forms import SHARES, maker_name
from ...ir.graph import Function, Location, Method, Node, Program, Value
from ...ir.operators import OPERATORS
from ...ir.types import ANY, CellType, ClassType, DictType, ListType, SetType, TupleType, Type, VarType, unrefined
from ..parser.syntax import Span

_CONTAINERS = (ListType, DictType, SetType)
_CONTENT = ""  # the field of what a container holds


@dataclass(eq=False, slots=True)
class Thing:
    """Objects of one type from one place. `fields` are its attributes, or what it contains."""

    type: Type
    param: str = ""  # the entry point's parameter that it came with
    fields: dict[str, set[Thing]] = field(default_factory=dict)

    @property
    def is_shared_by_value(self) -> bool:
        """Whether Python and the program would each have their own. A module's wrapper is by reference."""
        return not (isinstance(self.type, ClassType) and self.type.is_module)

    def contents(self) -> Iterator[Thing]:
        for things in self.fields.values():
            yield from things


Things = frozenset[Thing]
NOTHING: Things = frozenset()


def holds_things(kind: Type) -> bool:
    """Whether a value of the type is, or contains, a container or an instance that is no module."""
    if isinstance(kind, ClassType):
        return not kind.is_module
    return kind == ANY or isinstance(kind, _CONTAINERS) or any(map(holds_things, kind.members))


def note_sharing(program: Program) -> None:
    """Marks the entry points that may leave something shared."""
    kept = program.root is not None and any(map(holds_things, _attribute_types(program.root.type)))
    entries = [method for method in program.methods.values() if method.function.has_self]
    if kept and any(holds_things(kind) for method in entries for kind in _crossing(method)):
        flow = Flow(program, entries)
        assert flow.state is not None
        state = reachable((flow.state,))
        for method in entries:
            if _shares(flow, method, state):
                method.residents |= {SHARES}


def _crossing(method: Method) -> Iterator[Type]:
    yield method.function.result
    yield from (param.type for param in method.params)


def _attribute_types(root: ClassType) -> Iterator[Type]:
    """Types of the attributes of a module and its submodules."""
    seen, pending = {root}, [root]
    while pending:
        for kind in pending.pop().attributes.values():
            yield kind
            for part in (kind, *kind.members):
                if isinstance(part, ClassType) and part.is_module and part not in seen:
                    seen.add(part)
                    pending.append(part)


def reachable(things: Iterable[Thing]) -> set[Thing]:
    found = set(things)
    pending = list(found)
    while pending:
        for thing in pending.pop().contents():
            if thing not in found:
                found.add(thing)
                pending.append(thing)
    return found


def _meets(thing: Thing, kind: Type) -> bool:
    """Whether the thing may be, or be a part of, a value of the type that is no container itself."""
    if kind == ANY or thing.type == ANY:
        return True
    if isinstance(kind, CellType):
        return isinstance(thing.type, CellType)
    if isinstance(kind, (*_CONTAINERS, ClassType)):
        return type(kind) is type(thing.type) and (isinstance(kind, ClassType) or unrefined(kind) == thing.type)
    return any(_meets(thing, member) for member in kind.members)


class Flow:
    """Which things each value may be, to a fixpoint over the whole program."""

    def __init__(self, program: Program, entries: list[Method]) -> None:
        self.values: dict[Value, Things] = {}
        self.results: dict[Function, Things] = {}
        self.made: dict[tuple[object, Type], Thing] = {}
        self.program = program
        self.defaults: list[tuple[Value, Function]] = []  # parameters, and what gives the default
        self.state: Thing | None = None
        if program.root is not None:
            self.state = self.made[None, program.root.type] = Thing(program.root.type)
            self.described(None, program.root.type)
        self.changed = True
        for method in entries:
            params = method.function.body.params
            if method.function.has_self and self.state is not None:
                self._add(params[0], (self.state,))
            for param, value in zip(method.params, params[method.function.has_self :]):
                self._add(value, self.described((method.name, param.name), param.type, param.name))
                maker = program.methods.get(maker_name(method.name, param.name))
                if maker is not None:
                    self.defaults.append((value, maker.function))
        while self.changed:
            self.changed = False
            for value, function in self.defaults:
                self._add(value, self.results.get(function, NOTHING))
            for function in program.functions:
                for node in function.walk():
                    self._flow(node)

    def of(self, value: Value) -> Things:
        return self.values.get(value, NOTHING)

    # Things

    def described(self, place: object, kind: Type, param: str = "") -> Things:
        """What a value of the type may be that comes from outside, or is there at the start: one thing a type."""
        if isinstance(kind, _CONTAINERS) or kind == ANY or isinstance(kind, ClassType):
            return frozenset((self._described(place, unrefined(kind), param),))
        return NOTHING.union(*(self.described(place, member, param) for member in kind.members))

    def _described(self, place: object, kind: Type, param: str) -> Thing:
        known = self.made.get((place, kind))
        if known is None:
            known = self.made[place, kind] = Thing(kind, param)
        if not known.fields:
            if kind == ANY:
                known.fields[_CONTENT] = {known}
            elif isinstance(kind, ClassType):
                known.fields.update({name: set() for name in kind.attributes})
                for name, member in kind.attributes.items():
                    known.fields[name] |= self.described(place, member, param)
            else:
                known.fields[_CONTENT] = set()
                known.fields[_CONTENT] |= NOTHING.union(*(self.described(place, m, param) for m in kind.members))
        return known

    def _new(self, node: Node, index: int = 0) -> Thing:
        """The things that a node makes for one of its results."""
        key = (node, index), unrefined(node.results[index].type)
        if key not in self.made:
            self.made[key] = Thing(key[1])
        return self.made[key]

    def _add(self, value: Value, things: Iterable[Thing]) -> None:
        kept = frozenset(thing for thing in things if _meets(thing, value.type) or not thing.is_shared_by_value)
        if not kept <= self.of(value):
            self.values[value] = self.of(value) | kept
            self.changed = True

    def _store(self, holders: Things, name: str, things: Things) -> None:
        for holder in holders:
            held = holder.fields.setdefault(name, set())
            if not things <= held:
                held |= things
                self.changed = True

    def _load(self, holders: Things, name: str) -> Things:
        found: set[Thing] = set()
        for holder in holders:
            found |= holder.fields.get(name, holder.fields.get(_CONTENT, set()))
        return frozenset(found)

    # Nodes

    def _flow(self, node: Node) -> None:
        op, operands = node.op, node.operands
        if op in ("list", "dict", "set", "cell"):
            self._store(frozenset((self._new(node),)), _CONTENT, NOTHING.union(*map(self.of, operands)))
            self._add(node.result, (self._new(node),))
        elif op == "new":
            self._add(node.result, (self._new(node),))
        elif op == "get_attr":
            self._add(node.result, self._load(self.of(operands[0]), node.attrs["name"]))
        elif op == "set_attr":
            self._store(self.of(operands[0]), node.attrs["name"], self.of(operands[1]))
        elif op == "cell_get":
            self._add(node.result, self._load(self.of(operands[0]), _CONTENT))
        elif op == "cell_set":
            self._store(self.of(operands[0]), _CONTENT, self.of(operands[1]))
        elif op in ("tuple", "tuple_get", "widen", "narrow"):
            self._add(node.result, NOTHING.union(*map(self.of, operands)))
        elif op == "call":
            self._call(node)
        elif op in OPERATORS:
            self._operate(node)
        else:
            self._branch(node)

    def _branch(self, node: Node) -> None:
        op, targets = node.op, list[Value]()
        if op in ("loop", "fused"):
            targets = node.blocks[0].params
        elif op == "break":
            targets = node.attrs["target"].results
        elif op == "continue":
            targets = node.attrs["target"].blocks[0].params
        elif op == "yield" and node.block is not None and isinstance(node.block.owner, Node):
            targets = node.block.owner.results
        elif op == "return" and node.operands:
            assert node.block is not None
            function, things = node.block.function, self.of(node.operands[0])
            if not things <= self.results.get(function, NOTHING):
                self.results[function] = self.results.get(function, NOTHING) | things
                self.changed = True
        elif not node.blocks:
            for result in node.results:
                self._add(result, NOTHING.union(*map(self.of, node.operands)))
        for source, target in zip(node.operands, targets):
            self._add(target, self.of(source))

    def _call(self, node: Node) -> None:
        callee = node.attrs["function"]
        for param, operand in zip(callee.body.params, node.operands):
            self._add(param, self.of(operand))
        for result in node.results:
            self._add(result, self.results.get(callee, NOTHING))

    def _operate(self, node: Node) -> None:
        """By the schema: what stands for a type variable in a parameter may stand for it in a result, and in what the
        operator writes."""
        if is_deep_copy(node):
            for use in node.result.uses:
                self._add(node.result, self.described((node, 0), use.result.type if use.op == "narrow" else ANY))
            return
        row = OPERATORS[node.op]
        schema, params = row.schema, list(zip(row.schema.params, node.operands))
        bound = NOTHING.union(*(self._bound(param.type, self.of(operand)) for param, operand in params))
        if "DEEP" in row.traits:
            bound = frozenset(thing for thing in self._mixed(bound) if _meets(thing, node.result.type))
        for param, operand in params:
            if param.is_written and isinstance(param.type, _CONTAINERS):
                self._store(self.of(operand), _CONTENT, bound)
        for index, (result, kind) in enumerate(zip(node.results, schema.results)):
            alias = schema.result_aliases[index]
            if alias:
                marked = [self.of(operand) for param, operand in params if param.alias == alias]
                self._add(result, NOTHING.union(*marked))
            elif isinstance(kind, _CONTAINERS):
                self._store(frozenset((self._new(node, index),)), _CONTENT, bound)
                self._add(result, (self._new(node, index),))
            else:
                self._add(result, bound)

    def _mixed(self, things: Things) -> Things:
        """What things lead to, each of which may now hold any other that fits: a function of the host had them."""
        found = frozenset(reachable(things))
        for holder in found:
            kind = holder.type
            if isinstance(kind, ClassType):
                for name, member in kind.attributes.items():
                    self._store(frozenset((holder,)), name, frozenset(t for t in found if _meets(t, member)))
            else:
                kept = frozenset(t for t in found if kind == ANY or any(_meets(t, m) for m in kind.members))
                self._store(frozenset((holder,)), _CONTENT, kept)
        return found

    def _bound(self, kind: Type, things: Things) -> Things:
        if isinstance(kind, _CONTAINERS):
            return NOTHING.union(*(thing.contents() for thing in things))
        return things if isinstance(kind, (VarType, TupleType)) or kind == ANY or kind.members else NOTHING


def is_deep_copy(node: Node) -> bool:
    """Whether it makes everything anew that its operand leads to."""
    flag = node.operands[1].node if node.op == "copy.any" else None
    return flag is not None and flag.op == "const" and flag.attrs["value"] is True


def _shares(flow: Flow, method: Method, state: set[Thing]) -> bool:
    """Whether the state may hold what came with an argument, an argument what is in the state, or the result."""
    for param in method.params:
        if param.name not in method.residents:
            given = reachable(flow.described((method.name, param.name), param.type))
            if any(thing.is_shared_by_value for thing in given & state):
                return True
    if "return" in method.residents:
        return False
    result = reachable(flow.results.get(method.function, NOTHING))
    return any(thing.is_shared_by_value for thing in result & state)


def span_of(place: Location | None) -> Span:
    if place is None:
        return Span("<unknown>", 1, 1, 1, 1)
    end_line, end_column = place.end_line or place.line, place.end_column or place.column
    return Span(place.file, place.line, place.column, end_line, end_column)
