"""Appends nodes to a block: the one way the front ends and the text parser make IR.

In: operator names, values, types. Out: nodes in the current block, with the current location.
Holds: nothing is appended after a terminator; such code is unreachable and the builder drops it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any as PyAny

from .graph import Block, Function, Location, Node, Value
from .types import BOOL, BYTES, COMPLEX, DTYPE, FLOAT, INT, NONE, STR, DType, Type


def constant_type(value: PyAny) -> Type:
    """Type of a Python constant; TypeError for values that have no constant form of their own."""
    for python_type, kind in (
        (bool, BOOL), (DType, DTYPE), (int, INT), (float, FLOAT), (complex, COMPLEX), (str, STR), (bytes, BYTES),
    ):
        if isinstance(value, python_type):
            return kind
    if value is None:
        return NONE
    raise TypeError(f"a constant of type {type(value).__name__} needs an explicit type")


class Builder:
    """Builds into `block`, giving new nodes `location`."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self.block = function.body
        self.location: Location | None = function.location

    @property
    def is_open(self) -> bool:
        """False once the current block has its terminator: what follows cannot be reached."""
        return self.block.terminator is None

    def node(
        self, op: str, operands: Sequence[Value] = (), result_types: Sequence[Type] = (), **attrs: PyAny
    ) -> Node:
        node = Node(op, operands, result_types, attrs, self.location)
        if self.is_open:
            self.block.append(node)
        return node

    def op(self, op: str, operands: Sequence[Value], result: Type, name: str = "") -> Value:
        """A node with one result."""
        value = self.node(op, operands, (result,)).result
        value.name = name
        return value

    def const(self, value: PyAny, kind: Type | None = None) -> Value:
        return self.node("const", (), (kind or constant_type(value),), value=value).result

    def call(self, function: Function, operands: Sequence[Value]) -> Value:
        return self.node("call", operands, (function.result,), function=function).result

    def end(self, op: str, operands: Sequence[Value] = (), target: Node | None = None) -> None:
        """Ends the block with a terminator."""
        if target is None:
            self.node(op, operands)
        else:
            self.node(op, operands, target=target)

    def add_block(self, owner: Node, param_types: Sequence[Type] = ()) -> Block:
        return owner.add_block(Block(param_types))

    @contextmanager
    def inside(self, block: Block) -> Iterator[Block]:
        """Builds into another block for a while."""
        outer, self.block = self.block, block
        try:
            yield block
        finally:
            self.block = outer

    @contextmanager
    def at(self, location: Location | None) -> Iterator[None]:
        outer, self.location = self.location, location or self.location
        try:
            yield
        finally:
            self.location = outer
