"""licm: computes once, before a loop, what every turn of it computes anew (loop-invariant code motion).

Moved are nodes whose operands come from outside, that cannot raise and change nothing, and whose result cannot be
told from one made in each turn; attributes that the loop cannot write are read once. Numbers stay, as they cost nothing
where they are used, unless something that moves needs them.

before:
    fn f(%x : Tensor, %w : Tensor, %n : int) -> Tensor {
      %zero : int = const 0
      %y : Tensor = loop @l0 (%i = %zero, %h = %x) {
        %two : float = const 2.0
        %s : Scalar = widen(%two)
        %t : Tensor = tanh(%w)
        %u : Tensor = mul.Tensor(%h, %t)
        %v : Tensor = mul.TensorScalar(%u, %s)
        %one : int = const 1
        %next : int = add.int(%i, %one)
        %done : bool = ge.int(%next, %n)
        if (%done) {
          break @l0 (%v)
        } else {
          continue @l0 (%next, %v)
        }
        unreachable
      }
      return %y
    }
after:
    fn f(%x : Tensor, %w : Tensor, %n : int) -> Tensor {
      %zero : int = const 0
      %two : float = const 2.0
      %s : Scalar = widen(%two)
      %t : Tensor = tanh(%w)
      %y : Tensor = loop @l0 (%i = %zero, %h = %x) {
        %u : Tensor = mul.Tensor(%h, %t)
        %v : Tensor = mul.TensorScalar(%u, %s)
        %one : int = const 1
        %next : int = add.int(%i, %one)
        %done : bool = ge.int(%next, %n)
        if (%done) {
          break @l0 (%v)
        } else {
          continue @l0 (%next, %v)
        }
        unreachable
      }
      return %y
    }
"""

from __future__ import annotations

from ..alias import Aliases
from ..effects import Summaries, makes_new_value, reads_operand
from ..graph import Function, Node, Program, Value, walk
from ..knobs import Budget
from ..operators import OPERATORS
from ..types import BOOL, FLOAT, INT
from .cse import is_only_read
from .fuse import Facts

_STRUCTURAL = frozenset(("const", "widen", "tuple", "tuple_get", "is_type", "get_attr"))


def licm(program: Program, budget: Budget) -> None:
    """Moves out of the loops of all functions, inner loops first."""
    summaries = Summaries(program)
    for function in program.functions:
        loops = [node for node in function.walk() if node.op == "loop"]
        if not loops:
            continue
        mover = _Mover(function, summaries, budget)
        for loop in reversed(loops):
            mover.empty(loop)


class _Mover:
    def __init__(self, function: Function, summaries: Summaries, budget: Budget) -> None:
        self.summaries = summaries
        self.aliases = Aliases(function, summaries)
        self.facts = Facts(function)
        self.budget = budget

    def empty(self, loop: Node) -> None:
        """Moves what can be moved out of one loop, in the order it stands there."""
        body = loop.blocks[0]
        inside: set[Value] = set(body.params)
        for node in walk(body):
            inside.update(node.results)
            for block in node.blocks:
                inside.update(block.params)
        for node in list(body.nodes):
            if _is_number(node) or not self.is_invariant(node, inside) or not self.can_move(node, loop):
                continue
            numbers = [operand.node for operand in node.operands if operand in inside and operand.node is not None]
            if self.budget.take():
                for moved in dict.fromkeys((*numbers, node)):
                    _move(moved, loop)
                    inside.difference_update(moved.results)

    def is_invariant(self, node: Node, inside: set[Value]) -> bool:
        return all(operand not in inside or _is_number(operand.node) for operand in node.operands)

    def can_move(self, node: Node, loop: Node) -> bool:
        if node.blocks or node.is_terminator or not node.results:
            return False
        if node.op == "get_attr":
            return self.can_move_attribute(node, loop)
        if node.op in _STRUCTURAL:
            return not any(result.type.is_mutable and node.op == "tuple" for result in node.results)
        operator = OPERATORS.get(node.op)
        if operator is None or not operator.is_pure or ("RAISES" in operator.traits and self.facts.may_raise(node)):
            return False
        if makes_new_value(node) and not all(map(is_only_read, node.results)):
            return False
        reads = [v for i, v in enumerate(node.operands) if reads_operand(node.op, i, v.type)]
        return not any(self.aliases.may_write(loop, value) for value in reads)

    def can_move_attribute(self, node: Node, loop: Node) -> bool:
        instance, name = node.operands[0], node.attrs["name"]
        if not self.summaries.is_always_set(instance.type, name):
            return False
        return not self.aliases.may_write(loop, instance, name)


def _is_number(node: Node | None) -> bool:
    return node is not None and node.op == "const" and node.result.type in (INT, FLOAT, BOOL)


def _move(node: Node, loop: Node) -> None:
    assert node.block is not None and loop.block is not None
    node.block.nodes.remove(node)
    loop.block.insert_before(loop, node)
