"""Functions made anew for the objects they are called with, so that attributes of modules become known values.

In: a program whose root is a module. Out: the same program with a copy of a function for every combination of known
objects, and `known`: which value is which ObjectState. Holds: only attributes that nothing sets are followed.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any as PyAny

from .clone import Cloner, clone_function
from .graph import Block, Function, Node, Program, Value
from .state import ObjectState

LIMIT = 20_000  # nodes that copies may add

Key = tuple[Function, tuple[int, ...]]


class Attributes:
    """Which attributes keep the value they start with: nothing in the program sets them, and no path preserves them."""

    def __init__(self, program: Program, preserved: frozenset[tuple[int, str]] = frozenset()) -> None:
        self.preserved = preserved
        self.set = {
            (node.operands[0].type, node.attrs["name"])
            for function in program.functions
            for node in function.walk()
            if node.op == "set_attr"
        }
        self.new = {node.result.type for function in program.functions for node in function.walk() if node.op == "new"}

    def is_fixed(self, state: ObjectState, name: str) -> bool:
        """Whether an instance of a module always has there what it has at the start."""
        if not state.type.is_module or state.type in self.new or (state.type, name) in self.set:
            return False
        return name in state.attributes and (id(state), name) not in self.preserved


class Objects:
    """Follows modules from the root through attributes and calls; the program's functions become the copies."""

    def __init__(self, program: Program, attributes: Attributes) -> None:
        self.attributes = attributes
        self.known: dict[Value, ObjectState] = {}
        self.made: dict[Key, Function] = {}
        self.names: set[str] = set()
        self.added = 0
        self.pending: list[Function] = []
        for method in program.methods.values():
            has_self = method.function.has_self and isinstance(program.root, ObjectState)
            method.function = self._function(method.function, [program.root] if has_self else [])
        while self.pending:
            self._follow(self.pending.pop())
        program.functions = list(self.made.values())

    def value_of(self, node: Node) -> tuple[bool, PyAny]:
        """Whether a get_attr is of a known object's fixed attribute, and what it gives."""
        state = self.known.get(node.operands[0])
        if state is None or not self.attributes.is_fixed(state, node.attrs["name"]):
            return False, None
        return True, state.attributes[node.attrs["name"]]

    def _follow(self, function: Function) -> None:
        for node in function.walk():
            if node.op == "get_attr":
                is_known, value = self.value_of(node)
                if is_known and isinstance(value, ObjectState):
                    self.known[node.result] = value
            elif node.op == "call":
                states = [self.known.get(operand) for operand in node.operands]
                node.attrs["function"] = self._function(node.attrs["function"], states)

    def _function(self, original: Function, states: list[ObjectState | None]) -> Function:
        """The copy of a function of the program as it was, for these objects; beyond the limit for any objects."""
        if self.added > LIMIT:
            states = []
        key = original, tuple(0 if state is None else id(state) for state in states)
        while key[1] and not key[1][-1]:
            key = original, key[1][:-1]
        if key not in self.made:
            self.made[key] = copy = self._copy(original)
            self.known.update({param: state for param, state in zip(copy.body.params, states) if state is not None})
            self.pending.append(copy)
        return self.made[key]

    def _copy(self, original: Function) -> Function:
        tries = (f"{original.name}.{number}" if number else original.name for number in range(len(self.names) + 1))
        name = next(name for name in tries if name not in self.names)
        self.names.add(name)
        made = Function(
            name, [replace(param) for param in original.params], original.result, Block(), original.has_self,
            original.doc, original.location,
        )  # fmt: skip
        clone_function(original, made, Cloner())
        self.added += sum(1 for _ in made.walk())
        return made
