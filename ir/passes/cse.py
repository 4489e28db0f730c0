"""cse: computes once what is computed twice.

A node is replaced by an equal one that dominates it, if nothing in between may write what both read, and if their
results cannot be told apart: new mutable values only where all users just read them. Constants are equal in kind and
bits. In a loop, what its body writes counts as written before it.

before:
    fn f(%x : int, %l : list[int]) -> int {
      %a : int = mul.int(%x, %x)
      %b : int = mul.int(%x, %x)
      %n : int = len.list(%l)
      list.append(%l, %a)
      %m : int = len.list(%l)
      %c : int = add.int(%b, %n)
      %d : int = add.int(%c, %m)
      return %d
    }
after:
    fn f(%x : int, %l : list[int]) -> int {
      %a : int = mul.int(%x, %x)
      %n : int = len.list(%l)
      list.append(%l, %a)
      %m : int = len.list(%l)
      %c : int = add.int(%a, %n)
      %d : int = add.int(%c, %m)
      return %d
    }
"""

from __future__ import annotations

import struct
from typing import Any as PyAny

from ..alias import Aliases
from ..effects import Summaries, makes_new_value, reads_operand
from ..graph import Block, Function, Node, Program, Value
from ..knobs import Budget
from ..operators import OPERATORS, Operator
from ..types import Type

_MERGED = frozenset(("const", "tuple", "tuple_get", "list", "get_attr", "widen", "narrow", "is_type"))


def cse(program: Program, budget: Budget) -> None:
    """Merges equal nodes in all functions."""
    summaries = Summaries(program)
    for function in program.functions:
        _Merger(function, summaries, budget).block(function.body)


def is_only_read(value: Value) -> bool:
    """Whether every user just reads the value: nobody writes it, keeps it, or returns it, or a view of it."""
    return all(_only_reads(node, value) for node in value.uses)


def _only_reads(node: Node, value: Value) -> bool:
    operator = OPERATORS.get(node.op)
    if operator is None or "MUTATES" in operator.traits:
        return False
    if not any(result.type.is_mutable for result in node.results):
        return "META" not in operator.traits or not _is_any(operator.schema.params[0].type)
    if "VIEW" in operator.traits:
        return all(map(is_only_read, node.results))
    return "FRESH" in operator.traits


def _is_any(kind: Type) -> bool:
    return str(kind) == "Any"


class _Merger:
    """`available` maps what a node computes to the node; entries end with the block they were made in."""

    def __init__(self, function: Function, summaries: Summaries, budget: Budget) -> None:
        self.summaries = summaries
        self.aliases = Aliases(function, summaries)
        self.budget = budget
        self.available: dict[PyAny, Node] = {}
        self.reading: dict[PyAny, Node] = {}  # those of them that read what may be written

    def block(self, block: Block) -> None:
        added: list[PyAny] = []
        for node in list(block.nodes):
            if node.op == "loop":
                self.forget(node)
            for inner in node.blocks if node.op != "fused" else ():
                self.block(inner)
            if node.op == "try":
                continue
            if self.summaries.of(node).writes:
                self.forget(node)
            elif self.can_be_merged(node):
                self.merge(node, added)
        for key in added:
            self.available.pop(key, None)
            self.reading.pop(key, None)

    def forget(self, node: Node) -> None:
        """Drops what reads memory that the node may write."""
        writers = self.aliases.writers_within(node) if self.reading else []
        for key, reader in list(self.reading.items()) if writers else ():
            attribute = reader.attrs["name"] if reader.op == "get_attr" else None
            if any(self.aliases.may_be_written_by(writers, operand, attribute) for operand in reader.operands):
                del self.available[key], self.reading[key]

    def can_be_merged(self, node: Node) -> bool:
        if not node.results or node.blocks:
            return False
        operator = OPERATORS.get(node.op)
        return operator.is_pure if isinstance(operator, Operator) else node.op in _MERGED

    def merge(self, node: Node, added: list[PyAny]) -> None:
        key = _key(node)
        earlier = self.available.get(key)
        if earlier is None:
            self.available[key] = node
            added.append(key)
            if any(reads_operand(node.op, i, operand.type) for i, operand in enumerate(node.operands)):
                self.reading[key] = node
        elif self.are_alike(earlier, node) and self.budget.take():
            for old, new in zip(node.results, earlier.results):
                old.replace_uses(new)
            node.remove()

    def are_alike(self, earlier: Node, node: Node) -> bool:
        if not makes_new_value(node):
            return True
        return all(map(is_only_read, (*earlier.results, *node.results)))


def _key(node: Node) -> PyAny:
    """Equal for nodes that compute the same."""
    attrs = tuple((name, _bits(value)) for name, value in node.attrs.items())
    operands = tuple(map(id, node.operands))
    operator = OPERATORS.get(node.op)
    if operator is not None and "COMMUTES" in operator.traits and node.operands[0].type == node.operands[1].type:
        operands = (*sorted(operands[:2]), *operands[2:])
    return node.op, operands, attrs, tuple(result.type for result in node.results)


def _bits(value: PyAny) -> PyAny:
    """A constant with its kind, so that 1, True and 1.0, or 0.0 and -0.0, differ and a NaN equals itself."""
    if isinstance(value, float):
        return float, struct.pack("<d", value)
    if isinstance(value, complex):
        return complex, _bits(value.real), _bits(value.imag)
    if isinstance(value, tuple):
        return tuple, tuple(map(_bits, value))
    return type(value), value
