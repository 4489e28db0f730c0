"""canonicalize: rewrites nodes to simpler ones with the same meaning, by a table of patterns.

Every pattern is exact: integers may be simplified, floats only where no bit can differ, nothing is reassociated, and a
node that may raise still raises. Constants go to the right; operands that equal their defaults are left out; loop
parameters and results that never change, and blocks with a single exit at their end, go away.

before:
    fn f(%x : int, %y : float, %c : bool) -> int {
      %zero : int = const 0
      %a : int = add.int(%zero, %x)
      %n : bool = not.bool(%c)
      %r : int = block @b0 {
        if (%n) {
          yield
        } else {
          yield
        }
        break @b0 (%a)
      }
      return %r
    }
after:
    fn f(%x : int, %y : float, %c : bool) -> int {
      %zero : int = const 0
      %n : bool = not.bool(%c)
      if (%c) {
        yield
      } else {
        yield
      }
      return %x
    }
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from functools import cached_property
from typing import Any as PyAny

from ..alias import Aliases
from ..control import continues, drop_params, drop_results, exits, rewrite_each, unwrap
from ..effects import Summaries
from ..graph import Block, Function, Node, Program, Value
from ..knobs import Budget
from ..operators import OPERATORS
from ..signature import constant_of, needed_operands
from .cse import is_only_read

Replacement = Value | tuple[str, list[Value]] | None
Pattern = Callable[["_Context", Node], Replacement]


class _Context:
    """What a pattern may ask about its function."""

    def __init__(self, function: Function, summaries: Summaries) -> None:
        self.function = function
        self.summaries = summaries

    @cached_property
    def aliases(self) -> Aliases:
        """Found when the first pattern asks."""
        return Aliases(self.function, self.summaries)


def canonicalize(program: Program, budget: Budget) -> None:
    """Rewrites in all functions until no pattern fits."""
    summaries = Summaries(program)
    for function in program.functions:
        while _rewrite_once(function, _Context(function, summaries), budget):
            pass


def _rewrite_once(function: Function, context: _Context, budget: Budget) -> bool:
    return rewrite_each(function, lambda node: _rewrite(node, context, budget))


def _rewrite(node: Node, context: _Context, budget: Budget) -> bool:
    structural = _STRUCTURAL.get(node.op)
    if structural is not None:
        return structural(node, budget)
    if node.op not in OPERATORS:
        return False
    if _order_operands(node, budget) or _drop_defaults(node, budget):
        return True
    for pattern in _PATTERNS.get(node.op, ()):
        replacement = pattern(context, node)
        if replacement is not None and budget.take():
            _replace(node, replacement)
            return True
    return False


def _replace(node: Node, replacement: Value | tuple[str, list[Value]]) -> None:
    """A value takes the node's place where it cannot raise any more; else the node becomes another operator."""
    if isinstance(replacement, Value):
        node.result.replace_uses(replacement)
        node.remove()
    else:
        node.op = replacement[0]
        node.set_operands(replacement[1])


def _order_operands(node: Node, budget: Budget) -> bool:
    """Puts the constant of a commuting pair on the right."""
    if "COMMUTES" not in OPERATORS[node.op].traits or not _is_constant(node.operands[0]):
        return False
    if _is_constant(node.operands[1]) or node.operands[0].type != node.operands[1].type or not budget.take():
        return False
    first, second, *rest = node.operands
    node.set_operands([second, first, *rest])
    return True


def _drop_defaults(node: Node, budget: Budget) -> bool:
    count = needed_operands(OPERATORS[node.op], node)
    if count == len(node.operands) or not budget.take():
        return False
    node.set_operands(node.operands[:count])
    return True


# Patterns


def _is_constant(value: Value) -> bool:
    return value.node is not None and value.node.op == "const"


def _is(value: Value, constant: PyAny) -> bool:
    try:
        found = constant_of(value)
    except LookupError:
        return False
    if isinstance(constant, float) and isinstance(found, float):
        return struct.pack("<d", found) == struct.pack("<d", constant)
    return type(found) is type(constant) and bool(found == constant)


def _made_by(value: Value, op: str) -> Node | None:
    return value.node if value.node is not None and value.node.op == op else None


def _operand(context: _Context, node: Node) -> Replacement:
    """f(x) -> x"""
    return node.operands[0]


def _right_is(constant: PyAny) -> Pattern:
    def pattern(context: _Context, node: Node) -> Replacement:
        """f(x, constant) -> x"""
        return node.operands[0] if _is(node.operands[1], constant) else None

    return pattern


def _absorbed(constant: PyAny) -> Pattern:
    def pattern(context: _Context, node: Node) -> Replacement:
        """f(x, constant) -> constant"""
        return node.operands[1] if _is(node.operands[1], constant) else None

    return pattern


def _twice(context: _Context, node: Node) -> Replacement:
    """f(f(x)) -> x; the inner node stays for what it may raise"""
    inner = _made_by(node.operands[0], node.op)
    return inner.operands[0] if inner is not None else None


def _negated(context: _Context, node: Node) -> Replacement:
    """not (a < b) -> a >= b, for types without NaN; not (a == b) -> a != b"""
    inner = node.operands[0].node
    opposite = None if inner is None else _OPPOSITES.get(inner.op)
    return None if inner is None or opposite is None else (opposite, list(inner.operands))


def _mirrored(op: str) -> Pattern:
    def pattern(context: _Context, node: Node) -> Replacement:
        """constant < x -> x > constant"""
        left, right = node.operands
        return (op, [right, left]) if _is_constant(left) and not _is_constant(right) else None

    return pattern


def _reshaped(context: _Context, node: Node) -> Replacement:
    """reshape(reshape(x, a), b) -> reshape(x, b), where nobody can see which of them is a copy: the result is only
    read, and x is not written. The inner one stays for what it may raise."""
    inner = _made_by(node.operands[0], node.op)
    if inner is None or not is_only_read(node.result) or not context.aliases.is_never_written(inner.operands[0]):
        return None
    return node.op, [inner.operands[0], node.operands[1]]


_COMPARED = ("int", "str")
_ORDERS = (("lt", "ge"), ("ge", "lt"), ("gt", "le"), ("le", "gt"))
_OPPOSITES = {f"{a}.{t}": f"{b}.{t}" for t in _COMPARED for a, b in _ORDERS}
_OPPOSITES |= {
    f"{a}.{t}": f"{b}.{t}" for t in ("bool", "int", "float", "str", "dtype") for a, b in (("eq", "ne"), ("ne", "eq"))
}
_PATTERNS: dict[str, tuple[Pattern, ...]] = {
    "add.int": (_right_is(0),),
    "sub.int": (_right_is(0),),
    "mul.int": (_right_is(1), _absorbed(0)),
    "floordiv.int": (_right_is(1),),
    "lshift.int": (_right_is(0),),
    "rshift.int": (_right_is(0),),
    "or.int": (_right_is(0),),
    "xor.int": (_right_is(0),),
    "and.int": (_right_is(-1), _absorbed(0)),
    "and.bool": (_right_is(True), _absorbed(False)),
    "or.bool": (_right_is(False), _absorbed(True)),
    "xor.bool": (_right_is(False),),
    "sub.float": (_right_is(0.0),),
    "mul.float": (_right_is(1.0),),
    "truediv.float": (_right_is(1.0),),
    "neg.int": (_twice,),
    "neg.float": (_twice,),
    "invert.int": (_twice,),
    "not.bool": (_twice, _negated),
    "pos.int": (_operand,),
    "pos.float": (_operand,),
    "int.int": (_operand,),
    "float.float": (_operand,),
    "bool.bool": (_operand,),
    "round.int": (_operand,),
    "math.floor.int": (_operand,),
    "reshape": (_reshaped,),
    "view": (_reshaped,),
    **{
        f"{a}.{t}": (_mirrored(f"{b}.{t}"),)
        for t in _COMPARED
        for a, b in (("lt", "gt"), ("gt", "lt"), ("le", "ge"), ("ge", "le"))
    },
}


# Control flow


def _rewrite_block(node: Node, budget: Budget) -> bool:
    """A block whose only exit is its end is no block; results that are one value from outside are that value."""
    body = node.blocks[0]
    leaving = exits(node)
    if leaving == [body.nodes[-1]] and budget.take():
        unwrap(node, body)
        return True
    return _replace_known_results(node, leaving, budget)


def _rewrite_if(node: Node, budget: Budget) -> bool:
    """if (not c) A else B -> if (c) B else A; c ? True : False -> c."""
    negation = _made_by(node.operands[0], "not.bool")
    if negation is not None and budget.take():
        node.set_operand(0, negation.operands[0])
        node.blocks.reverse()
        return True
    for index, result in enumerate(node.results):
        arms = [block.nodes[-1] for block in node.blocks]
        if result.uses and all(arm.op == "yield" for arm in arms):
            left, right = (arm.operands[index] for arm in arms)
            if _is(left, True) and _is(right, False) and budget.take():
                result.replace_uses(node.operands[0])
                return True
    return _replace_known_results(node, exits(node), budget)


def _rewrite_loop(node: Node, budget: Budget) -> bool:
    """A parameter that every `continue` passes on unchanged is its initial value."""
    again = continues(node)
    for index, param in enumerate(node.blocks[0].params):
        initial = node.operands[index]
        if all(c.operands[index] in (param, initial) for c in again) and initial.type == param.type and budget.take():
            for c in again:
                c.set_operand(index, initial)
            param.replace_uses(initial)
            drop_params(node, {index})
            return True
    return _replace_known_results(node, exits(node), budget)


def _replace_known_results(node: Node, leaving: list[Node], budget: Budget) -> bool:
    for index, result in enumerate(node.results):
        values = {id(exit.operands[index]): exit.operands[index] for exit in leaving}
        if len(values) != 1:
            continue
        value = next(iter(values.values()))
        if _is_defined_outside(value, node) and value.type == result.type and budget.take():
            result.replace_uses(value)
            drop_results(node, {index})
            return True
    return False


def _is_defined_outside(value: Value, node: Node) -> bool:
    block: PyAny = value.owner.block if isinstance(value.owner, Node) else value.owner
    if isinstance(value.owner, Function):
        return True
    while isinstance(block, Block):
        if block.owner is node:
            return False
        block = block.owner.block if isinstance(block.owner, Node) else None
    return True


_STRUCTURAL: dict[str, Callable[[Node, Budget], bool]] = {
    "block": _rewrite_block,
    "if": _rewrite_if,
    "loop": _rewrite_loop,
    "try": lambda node, budget: _replace_known_results(node, exits(node), budget),
}
