"""What a node or a call may do: write, raise, print, draw random numbers, run forever.

In: the traits and alias marks of operators, the graphs of functions. Out: `Effects` of nodes, for passes.
Holds: a function's summary is a fixpoint over recursion, and never claims less than the function may do.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from .graph import Function, Node, Program, Value, walk
from .operators import OPERATORS
from .spelling import reachable_states
from .state import ObjectState
from .types import ClassType, DictType, ListType, SetType, TensorType, Type, unrefined


@dataclass(frozen=True, slots=True)
class Effects:
    """`writes` are positions of operands (of a function: of parameters) whose memory, or memory reachable from
    them, may be written. `reads` says whether anything that can change is read."""

    writes: frozenset[int] = frozenset()
    reads: bool = False
    io: bool = False
    random: bool = False
    raises: bool = False
    diverges: bool = False

    def __or__(self, other: Effects) -> Effects:
        return Effects(
            self.writes | other.writes,
            self.reads or other.reads,
            self.io or other.io,
            self.random or other.random,
            self.raises or other.raises,
            self.diverges or other.diverges,
        )

    @property
    def is_none_but_raising(self) -> bool:
        """Whether running it changes nothing and ends; it may read, and it may raise."""
        return not (self.writes or self.io or self.random or self.diverges)


NO_EFFECTS = Effects()
_RAISES = Effects(raises=True)
_READS = Effects(reads=True)
_STRUCTURAL = {
    "raise": _RAISES,
    "narrow": _RAISES,
    "get_attr": Effects(reads=True, raises=True),
    "set_attr": Effects(writes=frozenset((0,))),
    "cell_get": Effects(reads=True, raises=True),
    "cell_set": Effects(writes=frozenset((0,))),
    "loop": Effects(diverges=True),
}


@cache
def operator_effects(name: str) -> Effects:
    """Effects of an operator's row."""
    operator = OPERATORS[name]
    params, traits = operator.schema.params, operator.traits
    writes = frozenset(index for index, param in enumerate(params) if param.is_written)
    reads = any(reads_operand(name, index, param.type) for index, param in enumerate(params))
    return Effects(writes, reads, "IO" in traits, "RANDOM" in traits, "RAISES" in traits)


@cache
def _effects_of(op: str) -> Effects:
    """Effects of nodes that need no look at their operands."""
    found = _STRUCTURAL.get(op)
    if found is not None:
        return found
    return operator_effects(op) if op in OPERATORS else NO_EFFECTS


def _union(effects: Iterable[Effects]) -> Effects:
    """Effects of things that run one after the other."""
    return functools.reduce(Effects.__or__, effects, NO_EFFECTS)


def reads_operand(name: str, position: int, kind: Type) -> bool:
    """Whether an operator reads memory of an operand that can change. META rows read no more of a tensor than dtype
    and shape, which cannot; of a list they do."""
    operator = OPERATORS.get(name)
    if operator is not None and "META" in operator.traits and isinstance(unrefined(kind), TensorType):
        return False
    return kind.is_mutable


def makes_new_value(node: Node) -> bool:
    """Whether the node makes a new mutable value: two runs of it give two things that can be told apart."""
    if node.op in ("list", "dict", "set", "new", "cell"):
        return True
    operator = OPERATORS.get(node.op)
    return operator is not None and any(result.type.is_mutable for result in node.results)


def is_deep_write(node: Node) -> bool:
    """Whether the node may write what the operands it writes lead to, as a call may."""
    operator = OPERATORS.get(node.op)
    return operator is not None and "DEEP" in operator.traits


def is_filled(cell: Value) -> bool:
    """Whether the cell is seen to be made with a content: reading it cannot raise."""
    return cell.node is not None and cell.node.op == "cell" and bool(cell.node.operands)


class Summaries:
    """Effects of the functions and nodes of a program."""

    def __init__(self, program: Program) -> None:
        self.functions: dict[Function, Effects] = dict.fromkeys(program.functions, NO_EFFECTS)
        self.unset: set[tuple[ClassType, str]] = set(_maybe_unset(program))
        self.reachable: dict[Type, frozenset[Type]] = {}  # mutable types that values of a type reach, as they are asked
        bodies = {function: list(function.walk()) for function in program.functions}
        self.new_classes = {node.result.type for nodes in bodies.values() for node in nodes if node.op == "new"}
        calls = {function: _called_by(nodes) for function, nodes in bodies.items()}
        recursive = _recursive(calls)  # they may run for ever, and raise RecursionError
        self.functions.update(dict.fromkeys(recursive, Effects(raises=True, diverges=True)))
        order, pending = _callees_first(calls), True
        while pending:
            pending = False
            for function in order:
                effects = self.functions[function] | self._of_function(function, bodies[function])
                pending |= bool(recursive) and effects != self.functions[function]
                self.functions[function] = effects

    def of(self, node: Node) -> Effects:
        """Effects of a node by itself, without those of its blocks."""
        if node.op == "call":
            return self.functions.get(node.attrs["function"], _ANYTHING)
        if node.op == "get_attr" and self.is_always_set(node.operands[0].type, node.attrs["name"]):
            return _READS
        if node.op == "cell_get" and is_filled(node.operands[0]):
            return _READS
        return _effects_of(node.op)

    def within(self, node: Node) -> Effects:
        """Effects of a node and of what its blocks hold; `writes` then only says whether there are any."""
        found = {id(own): own for block in node.blocks for own in map(self.of, walk(block))}
        return _union((self.of(node), *found.values()))

    def is_always_set(self, kind: Type, name: str) -> bool:
        """Attributes are never unset: one that the initial state sets is there, unless instances are made later, by
        the program or, as only those of modules cannot be, by the host."""
        if not isinstance(kind, ClassType) or not kind.is_module:
            return False
        return kind not in self.new_classes and (kind, name) not in self.unset

    def _of_function(self, function: Function, nodes: list[Node]) -> Effects:
        roots = _ParamRoots(function, nodes, self.functions)
        found: dict[int, Effects] = {}
        written: set[int] = set()
        for node in nodes:
            own = self.of(node)
            found[id(own)] = own
            for position in own.writes:
                if position < len(node.operands):
                    written |= roots.of(node.operands[position])
        return dataclasses.replace(_union(found.values()), writes=frozenset(written))


_ANYTHING = Effects(frozenset(range(64)), True, True, True, True, True)


def _called_by(nodes: Iterable[Node]) -> list[Function]:
    """The functions that these nodes call."""
    return list(dict.fromkeys(node.attrs["function"] for node in nodes if node.op == "call"))


def _calls(program: Program) -> dict[Function, list[Function]]:
    return {function: _called_by(function.walk()) for function in program.functions}


def callees_first(program: Program) -> list[Function]:
    """The functions, each behind those it calls but for recursion."""
    return _callees_first(_calls(program))


def _callees_first(calls: dict[Function, list[Function]]) -> list[Function]:
    order: dict[Function, None] = {}
    started: set[Function] = set()
    stack = [(function, False) for function in reversed(calls)]
    while stack:
        function, is_done = stack.pop()
        if is_done:
            order[function] = None
        elif function not in started:
            started.add(function)
            stack.append((function, True))
            stack += [(callee, False) for callee in calls[function]]
    return list(order)


def called_functions(function: Function) -> set[Function]:
    """All functions that a run of `function` may enter, itself if it is recursive."""
    found: set[Function] = set()
    pending = [function]
    while pending:
        for callee in _called_by(pending.pop().walk()):
            if callee not in found:
                found.add(callee)
                pending.append(callee)
    return found


def recursive_functions(program: Program) -> set[Function]:
    """Those that may enter themselves again."""
    return _recursive(_calls(program))


def _recursive(calls: dict[Function, list[Function]]) -> set[Function]:
    place = {function: number for number, function in enumerate(_callees_first(calls))}
    if all(place[callee] < place[function] for function, called in calls.items() for callee in called):
        return set()
    found: set[Function] = set()
    for function in calls:
        reached: set[Function] = set()
        pending = list(calls[function])
        while pending:
            callee = pending.pop()
            if callee not in reached:
                reached.add(callee)
                pending += calls[callee]
        if function in reached:
            found.add(function)
    return found


def _maybe_unset(program: Program) -> Iterator[tuple[ClassType, str]]:
    for state in reachable_states(program.root):
        if isinstance(state, ObjectState):
            for name in state.type.attributes.keys() - state.attributes.keys():
                yield state.type, name


class _ParamRoots:
    """From which parameters the memory of each value may come: a value belongs to those it was computed from."""

    def __init__(self, function: Function, nodes: list[Node], summaries: dict[Function, Effects]) -> None:
        self.summaries = summaries
        params = [(param, index) for index, param in enumerate(function.body.params) if param.type.is_mutable]
        self.roots: dict[Value, frozenset[int]] = {param: frozenset((index,)) for param, index in params}
        for node in nodes:  # what is caught may hold whatever was given to what raised it
            if node.op == "try":
                self.roots[node.blocks[1].params[0]] = frozenset(index for _, index in params)
        while params and self._pass(nodes):
            pass

    def of(self, value: Value) -> frozenset[int]:
        return self.roots.get(value, _NO_ROOTS)

    def _add(self, value: Value, roots: frozenset[int]) -> bool:
        if not value.type.is_mutable or roots <= self.of(value):
            return False
        self.roots[value] = self.of(value) | roots
        return True

    def _pass(self, nodes: list[Node]) -> bool:
        """One walk; whether it found anything for what was looked at before. What is stored into a value makes that
        value reach the roots of what was stored, which is what a later write through it may then hit."""
        known, changed = self.roots, False
        for node in nodes:
            found = {known[operand] for operand in node.operands if operand in known}
            if not found:
                continue
            roots = found.pop() if len(found) == 1 else _NO_ROOTS.union(*found)
            for target in _targets(node):
                self._add(target, roots)
            for target in self._earlier_targets(node):
                changed |= self._add(target, roots)
        return changed

    def _earlier_targets(self, node: Node) -> list[Value]:
        """What the node's operands may get into, of values that nodes before it may have used."""
        if node.op == "continue":
            return list(node.attrs["target"].blocks[0].params)
        if node.op == "call":
            writes = self.summaries.get(node.attrs["function"], _ANYTHING).writes
            return [operand for position, operand in enumerate(node.operands) if position in writes]
        return node.operands[:1] if node.op in ("cell_set", "set_attr") or _stores(node) else []


_NO_ROOTS = frozenset[int]()


def _targets(node: Node) -> list[Value]:
    """What the node's operands may get into, of values that only nodes after it use."""
    if node.op in ("loop", "fused"):
        return [*node.results, *node.blocks[0].params]
    if node.op == "break":
        return list(node.attrs["target"].results)
    if node.op == "yield" and node.block is not None and isinstance(node.block.owner, Node):
        return node.block.owner.results
    return node.results


def _stores(node: Node) -> bool:
    """Whether a mutating operator may keep a reference to an operand inside a container."""
    operator = OPERATORS.get(node.op)
    if operator is None or "MUTATES" not in operator.traits or not node.operands:
        return False
    return isinstance(node.operands[0].type, (ListType, DictType, SetType))
