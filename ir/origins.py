"""Which of a program's own tensors a value may share memory with, and which of those may ever be written.

In: a program and the objects its values are known to be (specialise.py). Out: the storages that some run may write, or
hand out to the host, which may then write them. Holds: never claims less; flow-insensitive, across calls.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any as PyAny

from .effects import is_deep_write, operator_effects
from .graph import Node, Program, Value
from .operators import OPERATORS
from .specialise import Objects
from .spelling import reachable_states, state_contents
from .state import ObjectState, StorageState, TensorState
from .types import DictType, ListType, SetType, unrefined

Origins = frozenset[int]  # of storages, by identity
NONE: Origins = frozenset()


def storages_in(value: PyAny) -> Origins:
    """Storages of all tensors reachable from a described value."""
    found: set[int] = set()
    if isinstance(value, TensorState):
        found.add(id(value.storage))
    for state in reachable_states(value):
        found |= {id(item.storage) for item in _parts(state) if isinstance(item, TensorState)}
    if isinstance(value, tuple):
        found |= {id(item.storage) for item in _flat(value) if isinstance(item, TensorState)}
    return frozenset(found)


def _parts(state: PyAny) -> list[PyAny]:
    return [item for content in state_contents(state) for item in _flat(content)]


def _flat(value: PyAny) -> list[PyAny]:
    return [item for part in value for item in _flat(part)] if isinstance(value, tuple) else [value]


class WrittenStorages:
    """`storages`: identities of StorageStates that may be written. `is_silent` says which nodes that by their row may
    write never do."""

    def __init__(self, program: Program, objects: Objects, is_silent: Callable[[Node], bool]) -> None:
        self.program = program
        self.objects = objects
        self.is_silent = is_silent
        self.origins: dict[Value, Origins] = {}
        self.results: dict[PyAny, Origins] = {}  # of functions
        self.written: set[int] = set()
        self.classes: dict[PyAny, list[ObjectState]] = {}
        for state in reachable_states(program.root) if program.root is not None else ():
            if isinstance(state, ObjectState):
                self.classes.setdefault(state.type, []).append(state)
        self.changed = True
        while self.changed:
            self.changed = False
            for function in program.functions:
                for node in function.walk():
                    self._flow(node)
        entries = {method.function for method in program.methods.values()}
        for function in entries:
            self.written |= self.results.get(function, NONE)
        for function in program.functions:
            for node in function.walk():
                self._write(node)

    def may_write(self, storage: StorageState) -> bool:
        return id(storage) in self.written

    def _of(self, value: Value) -> Origins:
        return self.origins.get(value, NONE)

    def _all(self, values: list[Value]) -> Origins:
        return NONE.union(*map(self._of, values))

    def _add(self, value: Value, origins: Origins) -> None:
        if value.type.is_mutable and not origins <= self._of(value):
            self.origins[value] = self._of(value) | origins
            self.changed = True

    def _flow(self, node: Node) -> None:
        """What a node's results, and what it stores into, may share memory with."""
        op, origins = node.op, self._all(node.operands)
        targets = list(node.results)
        if op == "const":
            origins = storages_in(node.attrs["value"]) if isinstance(node.attrs["value"], TensorState) else NONE
        elif op == "get_attr":
            origins |= self._attribute(node)
        elif op in ("cell_set", "set_attr"):
            targets.append(node.operands[0])
        elif op in ("loop", "fused"):
            targets += node.blocks[0].params
        elif op == "break":
            targets += node.attrs["target"].results
        elif op == "continue":
            targets += node.attrs["target"].blocks[0].params
        elif op == "yield" and node.block is not None and isinstance(node.block.owner, Node):
            targets += node.block.owner.results
        elif op == "return":
            self._return(node, origins)
        elif op == "call":
            origins = self._call(node)
        elif op in OPERATORS:
            if "FRESH" in OPERATORS[op].traits:
                return
            if "MUTATES" in OPERATORS[op].traits and node.operands:
                targets.append(node.operands[0])
        if origins:
            for target in targets:
                self._add(target, origins)

    def _attribute(self, node: Node) -> Origins:
        name = node.attrs["name"]
        state = self.objects.known.get(node.operands[0])
        states = [state] if state is not None else self.classes.get(node.operands[0].type, [])
        return NONE.union(*(storages_in(item.attributes.get(name)) for item in states))

    def _return(self, node: Node, origins: Origins) -> None:
        assert node.block is not None
        function = node.block.function
        if not origins <= self.results.get(function, NONE):
            self.results[function] = self.results.get(function, NONE) | origins
            self.changed = True

    def _call(self, node: Node) -> Origins:
        callee = node.attrs["function"]
        for param, operand in zip(callee.body.params, node.operands):
            self._add(param, self._of(operand))
            self._add(operand, self._of(param))  # what the callee stored into an argument
        return self.results.get(callee, NONE)

    def _write(self, node: Node) -> None:
        if node.op == "set_attr":
            self.written |= self._of(node.operands[1])
        elif node.op in OPERATORS and not self.is_silent(node):
            for position in operator_effects(node.op).writes:
                if position < len(node.operands) and (_is_tensor(node.operands[position]) or is_deep_write(node)):
                    self.written |= self._of(node.operands[position])


def _is_tensor(value: Value) -> bool:
    return not isinstance(unrefined(value.type), (ListType, DictType, SetType))
