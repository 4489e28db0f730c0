"""fold_bn: a batch_norm that uses constant running statistics goes into the convolution or linear layer before it.

The new weights are computed in float64 by running operators and rounded once. On request only (tsm.freeze): results
differ from the unfolded ones by rounding.

before:
    fn f(%x : Tensor) -> Tensor {
      %w : Tensor = const tensor 0
      %none : Optional[Tensor] = const None
      %y : Tensor = conv1d(%x, %w, %none)
      %mean : Optional[Tensor] = const tensor 1
      %var : Optional[Tensor] = const tensor 2
      %z : Tensor = batch_norm(%y, %mean, %var)
      return %z
    }

    method f = f(x)

    tensor 0 : float32 (1, 1, 1) strides (1, 1, 1) offset 0 in storage 0
    tensor 1 : float32 (1) strides (1) offset 0 in storage 1
    tensor 2 : float32 (1) strides (1) offset 0 in storage 2

    storage 0 = hex "00000040"
    storage 1 = hex "0000803f"
    storage 2 = hex "00008040"
after:
    fn f(%x : Tensor) -> Tensor {
      %w : Tensor = const tensor 0
      %none : Optional[Tensor] = const None
      %0 : Tensor = const tensor 1
      %1 : Optional[Tensor] = const tensor 2
      %z : Tensor = conv1d(%x, %0, %1)
      %mean : Optional[Tensor] = const tensor 3
      %var : Optional[Tensor] = const tensor 4
      return %z
    }

    method f = f(x)

    tensor 0 : float32 (1, 1, 1) strides (1, 1, 1) offset 0 in storage 0
    tensor 1 : float32 (1, 1, 1) strides (1, 1, 1) offset 0 in storage 1
    tensor 2 : float32 (1) strides (1) offset 0 in storage 2
    tensor 3 : float32 (1) strides (1) offset 0 in storage 3
    tensor 4 : float32 (1) strides (1) offset 0 in storage 4

    storage 0 = hex "00000040"
    storage 1 = hex "ebff7f3f"
    storage 2 = hex "ebffffbe"
    storage 3 = hex "0000803f"
    storage 4 = hex "00008040"
"""

from __future__ import annotations

from typing import Any as PyAny

from ..graph import Node, Program, Value
from ..knobs import Budget
from ..operators import OPERATORS
from ..signature import constant_of
from ..state import TensorState
from ..tensors import can_read, state_of, tensor_of
from ..types import TENSOR, DType, OptionalType
from .ranks import rank_of

LAYERS = ("conv1d", "conv2d", "linear")
MEAN, VARIANCE, WEIGHT, BIAS, TRAINING, EPS = 1, 2, 3, 4, 5, 7  # operands of batch_norm


def fold_bn(program: Program, budget: Budget) -> None:
    """Folds in all functions."""
    for function in program.functions:
        for node in list(function.walk()):
            layer = node.operands[0].node if node.op == "batch_norm" else None
            if layer is not None and layer.op in LAYERS:
                _fold(node, layer, budget)


def uses_running_statistics(node: Node) -> bool:
    """Whether it is a batch_norm that certainly writes nothing."""
    return node.op == "batch_norm" and _constant(node, TRAINING, False) is False


def _fold(norm: Node, layer: Node, budget: Budget) -> None:
    weight, bias = _constant(layer, 1, ...), _constant(layer, 2, None)
    statistics = [_constant(norm, position, None) for position in (MEAN, VARIANCE, WEIGHT, BIAS)]
    eps = _constant(norm, EPS, 1e-5)
    if not (uses_running_statistics(norm) and _is_folded_alone(layer.result, norm)):
        return
    if not isinstance(eps, float) or not _fits(weight, [bias, *statistics]) or None in statistics[:2]:
        return
    if layer.op == "linear" and rank_of(layer.result) != 2 or not budget.take():
        return
    new_weight, new_bias = _folded(weight, bias, statistics, eps)
    operands = [layer.operands[0], _insert(layer, new_weight, TENSOR), _insert(layer, new_bias, OptionalType(TENSOR))]
    layer.set_operands([*operands, *layer.operands[3:]])
    layer.result.name = norm.result.name or layer.result.name
    norm.result.replace_uses(layer.result)
    norm.remove()


def _is_folded_alone(value: Value, norm: Node) -> bool:
    """Whether nobody but the norm sees the elements: others may ask for the shape."""
    return all(user is norm or "META" in _traits(user) and not user.result.type.is_mutable for user in value.uses) and \
        value.uses.count(norm) == 1


def _traits(node: Node) -> frozenset[str]:
    operator = OPERATORS.get(node.op)
    return operator.traits if operator is not None else frozenset()


def _constant(node: Node, position: int, default: PyAny) -> PyAny:
    """A constant operand, the default for one left out, ... for one that is not constant."""
    if position >= len(node.operands):
        return default
    try:
        return constant_of(node.operands[position])
    except LookupError:
        return ...


def _fits(weight: PyAny, others: list[PyAny]) -> bool:
    """Whether all are float tensors of one dtype, with an element for each output channel."""
    if not can_read(weight) or weight.dtype not in (DType.float32, DType.float64) or not weight.shape:
        return False
    return all(
        item is None or (can_read(item) and item.dtype == weight.dtype and item.shape == weight.shape[:1])
        for item in others
    )


def _folded(weight: TensorState, bias: PyAny, statistics: list[PyAny], eps: float) -> tuple[TensorState, TensorState]:
    dtype = tensor_of(weight).dtype
    wide: list[PyAny] = [None if item is None else tensor_of(item).double() for item in statistics]
    mean, variance, scale, shift = wide
    factor = (variance + eps).rsqrt() if scale is None else scale * (variance + eps).rsqrt()
    before = -mean if bias is None else tensor_of(bias).double() - mean
    after = before * factor if shift is None else before * factor + shift
    rows = factor.reshape([-1] + [1] * (len(weight.shape) - 1))
    return state_of((tensor_of(weight).double() * rows).to(dtype)), state_of(after.to(dtype))


def _insert(anchor: Node, value: TensorState, kind: PyAny) -> Value:
    assert anchor.block is not None
    return anchor.block.insert_before(anchor, Node("const", (), (kind,), {"value": value}, anchor.location)).result
