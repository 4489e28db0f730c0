"""fold: computes at compile time what depends on constants only.

Pure operators are run by the library itself, so a folded value is the run-time value; whatever raises is declined, and
so are results that are mutable or large. Conditions, tuples and arms that are known are resolved.

before:
    fn f(%x : int) -> int {
      %a : int = const 2
      %b : int = const 3
      %t : bool = const True
      %r : int = if (%t) {
        %s : int = add.int(%a, %b)
        yield (%s)
      } else {
        yield (%x)
      }
      return %r
    }
after:
    fn f(%x : int) -> int {
      %a : int = const 2
      %b : int = const 3
      %t : bool = const True
      %s : int = const 5
      return %s
    }
"""

from __future__ import annotations

from typing import Any as PyAny

from ..control import rewrite_each, unwrap
from ..graph import Node, Program, Value
from ..knobs import Budget
from ..operators import OPERATORS, Operator
from ..signature import constant_of
from ..state import TensorState, fits, is_constant_type, natural_type
from ..types import ANY, NONE, SCALAR, OptionalType, TupleType, Type, UnionType, arms_of, has_arm, unrefined

MAX_TEXT = 1000  # bytes or characters of a folded text
MAX_COUNT = 1000  # largest int that an operator with a growing result is run on
MAX_ELEMENTS = 64


def fold(program: Program, budget: Budget) -> None:
    """Folds in all functions until nothing is left to fold."""
    for function in program.functions:
        while rewrite_each(function, lambda node: _fold_node(node, budget)):
            pass


def _fold_node(node: Node, budget: Budget) -> bool:
    if node.op == "if":
        return _fold_if(node, budget)
    if node.op == "tuple_get":
        return _fold_tuple_get(node, budget)
    if node.op == "is_type":
        return _fold_is_type(node, budget)
    if node.op == "narrow":
        return _fold_narrow(node, budget)
    if node.op == "widen":
        return _fold_widen(node, budget)
    operator = OPERATORS.get(node.op)
    return operator is not None and _fold_operator(node, operator, budget)


def _fold_if(node: Node, budget: Budget) -> bool:
    try:
        condition = constant_of(node.operands[0])
    except LookupError:
        return False
    if not budget.take():
        return False
    unwrap(node, node.blocks[0 if condition else 1])
    return True


def _fold_tuple_get(node: Node, budget: Budget) -> bool:
    source, index = node.operands[0].node, node.attrs["index"]
    if source is None or source.op not in ("tuple", "const") or not budget.take():
        return False
    if source.op == "const":
        return _become_constant(node, source.attrs["value"][index])
    return _become(node, source.operands[index])


def _fold_is_type(node: Node, budget: Budget) -> bool:
    """Decided where the operand was widened from a type all of whose arms are, or are not, the one asked for."""
    source = node.operands[0].node
    asked = unrefined(node.attrs["type"])
    if source is not None and source.op == "const" and isinstance(source.result.type, OptionalType):
        is_none, inner = source.attrs["value"] is None, unrefined(source.result.type.inner)
        return asked in (NONE, inner) and budget.take() and _become_constant(node, is_none == (asked == NONE))
    if source is None or source.op != "widen":
        return False
    arms = [unrefined(arm) for arm in arms_of(source.operands[0].type)]
    if ANY in arms or (asked in arms and len(arms) > 1) or not budget.take():
        return False
    return _become_constant(node, asked in arms)


def _fold_narrow(node: Node, budget: Budget) -> bool:
    source = node.operands[0].node
    if source is not None and source.op == "const" and isinstance(source.result.type, OptionalType):
        value, kind = source.attrs["value"], node.result.type
        return kind != NONE and fits(value, kind) and budget.take() and _become_constant(node, value)
    if source is None or source.op != "widen" or isinstance(node.result.type, TupleType):
        return False
    inner = source.operands[0]
    if unrefined(inner.type) != unrefined(node.result.type) or not budget.take():
        return False
    return _become(node, inner)


def _fold_widen(node: Node, budget: Budget) -> bool:
    """widen of widen is one; an Optional constant is a constant, where its type has any."""
    source = node.operands[0].node
    wide = node.result.type
    if source is not None and source.op == "widen" and has_arm(unrefined(wide), unrefined(source.operands[0].type)):
        if isinstance(source.result.type, TupleType) or not budget.take():
            return False
        node.set_operand(0, source.operands[0])
        return True
    is_constant = source is not None and source.op == "const"
    is_constant = is_constant and isinstance(wide, OptionalType) and is_constant_type(wide)
    if source is None or not is_constant or not budget.take():
        return False
    return _become_constant(node, source.attrs["value"])


def _fold_operator(node: Node, operator: Operator, budget: Budget) -> bool:
    """Runs a pure operator on constants. META on an Any looks at identity, which constants do not have."""
    params = operator.schema.params
    if not operator.is_pure or len(node.results) != 1 or "FACTORY" in operator.traits:
        return False
    if node.result.type.is_mutable or ("META" in operator.traits and any(param.type == ANY for param in params)):
        return False
    try:
        arguments = [constant_of(operand) for operand in node.operands]
    except LookupError:
        return False
    if any(map(_is_declined, arguments)) or not _is_bounded(arguments, node.result.type):
        return False
    try:
        from ...binding import dispatch

        value = dispatch.run(operator.full_name, arguments)
    except Exception:  # it raises at run time, where and when the program says
        return False
    if not _is_small(value) or not _is_wanted(value, node.result.type) or not budget.take():
        return False
    return _become_constant(node, value)


def _is_declined(argument: PyAny) -> bool:
    """Lists of constants are not run on: somebody may still write them. Tensors' bytes belong to the host."""
    return isinstance(argument, (list, TensorState)) or not _is_small(argument)


def _is_bounded(arguments: list[PyAny], result: Type) -> bool:
    """Whether an int among the arguments cannot make a text or tuple of that length."""
    grows = str(result) in ("str", "bytes") or isinstance(result, TupleType)
    return not grows or all(not isinstance(value, int) or abs(value) <= MAX_COUNT for value in arguments)


def _is_small(value: PyAny) -> bool:
    if isinstance(value, (str, bytes)):
        return len(value) <= MAX_TEXT
    if isinstance(value, tuple):
        return len(value) <= MAX_ELEMENTS and all(map(_is_small, value))
    return True


def _is_wanted(value: PyAny, kind: Type) -> bool:
    if kind == ANY or isinstance(kind, UnionType):
        return False
    try:
        natural_type(value)
    except TypeError:
        return False
    return fits(value, kind)


def _become(node: Node, value: Value) -> bool:
    """Makes all users of the node use a value that is already there."""
    if node.result.name and not value.name and value.node is not None:
        value.name = node.result.name
    node.result.replace_uses(value)
    node.remove()
    return True


def _become_constant(node: Node, value: PyAny) -> bool:
    """Puts a constant in the node's place; of a number of any kind, its own kind, widened."""
    assert node.block is not None
    kind = node.result.type
    if kind == SCALAR:
        kind = natural_type(value)
    constant = Node("const", (), (kind,), {"value": value}, node.location)
    node.block.insert_before(node, constant)
    if kind != node.result.type:
        node.op, node.attrs = "widen", {}
        node.set_operands([constant.result])
        return True
    return _become(node, constant.result)
