"""What a node or a call may do: write, raise, print, draw random numbers, run forever.

In: the traits and alias marks of operators, the graphs of functions. Out: `Effects` of nodes, for passes.
Holds: a function's summary is a fixpoint over recursion, and never claims less than the function may do.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from .graph import Block, Function, Node, Program, Value, walk
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


def is_filled(cell: Value) -> bool:
    """Whether the cell is seen to be made with a content: reading it cannot raise."""
    return cell.node is not None and cell.node.op == "cell" and bool(cell.node.operands)


class Summaries:
    """Effects of the functions and nodes of a program."""

    def __init__(self, program: Program) -> None:
        self.functions: dict[Function, Effects] = dict.fromkeys(program.functions, NO_EFFECTS)
        self.unset: set[tuple[ClassType, str]] = set(_maybe_unset(program))
        self.reachable: dict[Type, frozenset[Type]] = {}  # mutable types that values of a type reach, as they are asked
        self.new_classes = {node.result.type for f in program.functions for node in f.walk() if node.op == "new"}
        has_recursion = self._mark_recursion(program)
        order, pending = callees_first(program), True
        while pending:
            pending = False
            for function in order:
                effects = self.functions[function] | self._of_function(function)
                pending |= has_recursion and effects != self.functions[function]
                self.functions[function] = effects

    def of(self, node: Node) -> Effects:
        """Effects of a node by itself, without those of its blocks."""
        if node.op == "call":
            return self.functions.get(node.attrs["function"], _ANYTHING)
        if node.op == "get_attr" and self.is_always_set(node.operands[0].type, node.attrs["name"]):
            return Effects(reads=True)
        if node.op == "cell_get" and is_filled(node.operands[0]):
            return Effects(reads=True)
        found = _STRUCTURAL.get(node.op)
        if found is not None:
            return found
        return operator_effects(node.op) if node.op in OPERATORS else NO_EFFECTS

    def within(self, node: Node) -> Effects:
        """Effects of a node and of what its blocks hold; `writes` then only says whether there are any."""
        effects = self.of(node)
        for block in node.blocks:
            for inner in walk(block):
                effects |= self.of(inner)
        return effects

    def is_always_set(self, kind: Type, name: str) -> bool:
        """Attributes are never unset: one that the initial state sets is there, unless instances are made later, by
        the program or, as only those of modules cannot be, by the host."""
        if not isinstance(kind, ClassType) or not kind.is_module:
            return False
        return kind not in self.new_classes and (kind, name) not in self.unset

    def _of_function(self, function: Function) -> Effects:
        effects = NO_EFFECTS
        roots = _ParamRoots(function, self.functions)
        for node in function.walk():
            own = self.of(node)
            written: set[int] = set()
            for position in own.writes:
                if position < len(node.operands):
                    written |= roots.of(node.operands[position])
            effects |= Effects(frozenset(written), own.reads, own.io, own.random, own.raises, own.diverges)
        return effects

    def _mark_recursion(self, program: Program) -> bool:
        """A function that may call itself may run for ever, and raise RecursionError. Whether there is one."""
        found = [function for function in program.functions if function in called_functions(function)]
        self.functions.update(dict.fromkeys(found, Effects(raises=True, diverges=True)))
        return bool(found)


_ANYTHING = Effects(frozenset(range(64)), True, True, True, True, True)


def callees_first(program: Program) -> list[Function]:
    """The functions, each behind those it calls but for recursion."""
    order: dict[Function, None] = {}
    started: set[Function] = set()
    stack = [(function, False) for function in reversed(program.functions)]
    while stack:
        function, is_done = stack.pop()
        if is_done:
            order[function] = None
        elif function not in started:
            started.add(function)
            stack.append((function, True))
            stack += [(node.attrs["function"], False) for node in function.walk() if node.op == "call"]
    return list(order)


def called_functions(function: Function) -> set[Function]:
    """All functions that a run of `function` may enter, itself if it is recursive."""
    found: set[Function] = set()
    pending = [function]
    while pending:
        for node in pending.pop().walk():
            callee = node.attrs.get("function")
            if isinstance(callee, Function) and callee not in found:
                found.add(callee)
                pending.append(callee)
    return found


def _maybe_unset(program: Program) -> Iterator[tuple[ClassType, str]]:
    for state in reachable_states(program.root):
        if isinstance(state, ObjectState):
            for name in state.type.attributes.keys() - state.attributes.keys():
                yield state.type, name


class _ParamRoots:
    """From which parameters the memory of each value may come: a value belongs to those it was computed from."""

    def __init__(self, function: Function, summaries: dict[Function, Effects]) -> None:
        self.summaries = summaries
        self.roots: dict[Value, frozenset[int]] = {}
        for index, param in enumerate(function.body.params):
            self.roots[param] = frozenset((index,)) if param.type.is_mutable else frozenset()
        changed = True
        while changed:
            changed = self._pass(function.body)

    def of(self, value: Value) -> frozenset[int]:
        return self.roots.get(value, frozenset())

    def _add(self, value: Value, roots: frozenset[int]) -> bool:
        if not value.type.is_mutable or roots <= self.of(value):
            return False
        self.roots[value] = self.of(value) | roots
        return True

    def _pass(self, body: Block) -> bool:
        """One walk; whether it found anything new. What is stored into a value makes that value reach the roots of
        what was stored, which is what a later write through it may then hit."""
        changed = False
        for node in walk(body):
            roots = frozenset[int]().union(*(self.of(operand) for operand in node.operands))
            targets = list(node.results)
            if node.op in ("cell_set", "set_attr") or _stores(node):
                targets.append(node.operands[0])
            if node.op == "call":
                writes = self.summaries.get(node.attrs["function"], _ANYTHING).writes
                targets += [operand for position, operand in enumerate(node.operands) if position in writes]
            if node.op in ("loop", "fused"):
                targets += node.blocks[0].params
            if node.op in ("break", "continue"):
                target = node.attrs["target"]
                targets += target.results if node.op == "break" else target.blocks[0].params
            if node.op == "yield" and node.block is not None and isinstance(node.block.owner, Node):
                targets += node.block.owner.results
            for target in targets:
                changed |= self._add(target, roots)
        return changed


def _stores(node: Node) -> bool:
    """Whether a mutating operator may keep a reference to an operand inside a container."""
    operator = OPERATORS.get(node.op)
    if operator is None or "MUTATES" not in operator.traits or not node.operands:
        return False
    return isinstance(node.operands[0].type, (ListType, DictType, SetType))
