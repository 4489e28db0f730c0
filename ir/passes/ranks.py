"""ranks: dim(x) of a tensor whose number of dimensions is certain is a constant, so that checks of it go away.

before:
    fn f(%x : Tensor, %w : Tensor) -> int {
      %y : Tensor = conv2d(%x, %w)
      %z : Tensor = relu(%y)
      %n : int = dim(%z)
      return %n
    }
after:
    fn f(%x : Tensor, %w : Tensor) -> int {
      %y : Tensor = conv2d(%x, %w)
      %z : Tensor = relu(%y)
      %n : int = const 4
      return %n
    }
"""

from __future__ import annotations

from ..graph import Node, Program, Value
from ..knobs import Budget
from ..operators import OPERATORS
from ..signature import constant_of
from ..state import TensorState
from ..types import TensorType

_FIXED = {"conv1d": 3, "conv2d": 4}
_SAME = (
    "linear", "batch_norm", "layer_norm", "max_pool2d", "avg_pool2d", "adaptive_avg_pool2d", "dropout", "transpose",
)
DEPTH = 200


def ranks(program: Program, budget: Budget) -> None:
    """Folds in all functions."""
    for function in program.functions:
        for node in function.walk():
            rank = rank_of(node.operands[0]) if node.op == "dim" else None
            if rank is not None and budget.take():
                node.op, node.attrs = "const", {"value": rank}
                node.set_operands(())


def rank_of(value: Value, depth: int = DEPTH) -> int | None:
    """The number of dimensions a tensor has in every run, None if that is not known."""
    if isinstance(value.type, TensorType) and value.type.shape is not None:
        return len(value.type.shape)
    node = value.node
    if node is None or not depth:
        return None
    if node.op == "const":
        return len(node.attrs["value"].shape) if isinstance(node.attrs["value"], TensorState) else None
    if node.op in _FIXED:
        return _FIXED[node.op]
    if node.op in ("reshape", "view"):
        sizes = node.operands[1].node
        return len(sizes.operands) if sizes is not None and sizes.op == "list" else None
    if node.op == "flatten":
        return _rank_of_flatten(node)
    if node.op in _SAME or _is_unary(node):
        return rank_of(node.operands[0], depth - 1)
    return None


def _rank_of_flatten(node: Node) -> int | None:
    """flatten(x, n) leaves n dimensions and the flat one."""
    try:
        first = constant_of(node.operands[1]) if len(node.operands) > 1 else 0
        last = constant_of(node.operands[2]) if len(node.operands) > 2 else -1
    except LookupError:
        return None
    return first + 1 if last == -1 and first >= 0 else None


def _is_unary(node: Node) -> bool:
    """One tensor in, one tensor of the same shape out."""
    operator = OPERATORS.get(node.op)
    if operator is None or "POINTWISE" not in operator.traits or len(node.results) != 1:
        return False
    first, *others = node.operands
    return isinstance(first.type, TensorType) and not any(other.type.is_mutable for other in others)
