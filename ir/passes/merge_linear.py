"""merge_linear: linear layers of one input, with constant weights, become one layer and views of its result.

So a product with queries', keys' and values' weights reads its input once. Done where nobody can tell a view from a
tensor of its own: all users read elements or make further views; and only for layers none of which waits for another
product with what an earlier one gave, as results of later layers of the network would only fill the caches meanwhile.
On request only (tsm.freeze), because a program that shares its weights with the host cannot join them.

before:
    fn f(%x : Tensor) -> Tensor {
      %none : Optional[Tensor] = const None
      %a : Tensor = const tensor 0
      %q : Tensor = linear(%x, %a, %none)
      %b : Tensor = const tensor 1
      %k : Tensor = linear(%x, %b, %none)
      %y : Tensor = mul.Tensor(%q, %k)
      return %y
    }

    method f = f(x)

    tensor 0 : float32 (1, 1) strides (1, 1) offset 0 in storage 0
    tensor 1 : float32 (1, 1) strides (1, 1) offset 0 in storage 1

    storage 0 = hex "0000803f"
    storage 1 = hex "00000040"
after:
    fn f(%x : Tensor) -> Tensor {
      %none : Optional[Tensor] = const None
      %a : Tensor = const tensor 0
      %0 : Tensor = const tensor 1
      %1 : Optional[Tensor] = const None
      %2 : Tensor = linear(%x, %0, %1)
      %3 : int = const -1
      %4 : int = const 0
      %5 : int = const 1
      %q : Tensor = narrow.Tensor(%2, %3, %4, %5)
      %6 : int = const -1
      %7 : int = const 1
      %8 : int = const 1
      %k : Tensor = narrow.Tensor(%2, %6, %7, %8)
      %b : Tensor = const tensor 2
      %y : Tensor = mul.Tensor(%q, %k)
      return %y
    }

    method f = f(x)

    tensor 0 : float32 (1, 1) strides (1, 1) offset 0 in storage 0
    tensor 1 : float32 (2, 1) strides (1, 1) offset 0 in storage 1
    tensor 2 : float32 (1, 1) strides (1, 1) offset 0 in storage 2

    storage 0 = hex "0000803f"
    storage 1 = hex "0000803f00000040"
    storage 2 = hex "00000040"
"""

from __future__ import annotations

from itertools import chain
from typing import Any as PyAny

from ..alias import Aliases
from ..effects import Summaries
from ..graph import Block, Function, Node, Program, Value, walk
from ..knobs import Budget
from ..operators import OPERATORS
from ..signature import constant_of
from ..state import TensorState
from ..tensors import can_read, state_of, tensor_of
from ..types import INT, TENSOR, OptionalType, TensorType, Type

# Views whose elements do not depend on how their argument lies in memory. `view` is none: it may be refused.
_LAYOUT = frozenset(("stride", "is_contiguous"))
_PRODUCTS = frozenset(("linear", "matmul", "conv1d", "conv2d", "scaled_dot_product_attention"))
_VIEWS = frozenset(
    ("reshape", "transpose", "permute", "select.int", "unsqueeze", "squeeze", "expand", "narrow.Tensor",
     "contiguous")
)


def merge_linear(program: Program, budget: Budget) -> None:
    """Merges in all blocks."""
    summaries = Summaries(program)
    for function in program.functions:
        for group in chain.from_iterable(map(_near, _groups(function))):
            aliases = Aliases(function, summaries)
            kept = [node for node in group[1:] if not aliases.may_be_written_between(node.operands[0], group[0], node)]
            if kept and budget.take():
                _merge([group[0], *kept])


def _groups(function: Function) -> list[list[Node]]:
    """Layers of one input, dtype and kind of bias, in one block, in their order."""
    found: dict[PyAny, list[Node]] = {}
    for node in function.walk():
        if node.op != "linear" or not _is_mergeable(node):
            continue
        weight, bias = _weights(node)
        key = node.operands[0], node.block, weight.dtype, weight.shape[1], bias is None
        found.setdefault(key, []).append(node)
    return [group for group in found.values() if len(group) > 1]


def _near(group: list[Node]) -> list[list[Node]]:
    """The group cut before each layer that comes after a product with what those before it gave."""
    block = group[0].block
    assert block is not None
    start = block.nodes.index(group[0])
    members, found = set(group), [[group[0]]]
    given: set[Value] = set(group[0].results)
    has_product = False
    for node in block.nodes[start + 1 : block.nodes.index(group[-1]) + 1]:
        if node in members:
            if has_product:
                found.append([])
                given, has_product = set(), False
            found[-1].append(node)
            given.update(node.results)
            continue
        inside = [node, *(inner for owned in node.blocks for inner in walk(owned))]
        read = {operand for inner in inside for operand in inner.operands}
        if read & given:
            has_product = has_product or any(inner.op in _PRODUCTS for inner in inside)
            given.update(value for inner in inside for value in inner.results)
            operators = [OPERATORS[inner.op] for inner in inside if inner.op in OPERATORS]
            if any("MUTATES" in operator.traits for operator in operators):
                given.update(value for value in read if value.type.is_mutable)
    return [near for near in found if len(near) > 1]


def _is_mergeable(node: Node) -> bool:
    weight, bias = _weights(node)
    if not can_read(weight) or len(weight.shape) != 2 or 0 in weight.shape:
        return False
    is_fit = bias is None or (can_read(bias) and bias.dtype == weight.dtype and bias.shape == weight.shape[:1])
    return is_fit and is_layout_free(node.result)


def _weights(node: Node) -> tuple[PyAny, PyAny]:
    found: list[PyAny] = [..., None]
    for index, operand in enumerate(node.operands[1:3]):
        try:
            found[index] = constant_of(operand)
        except LookupError:
            found[index] = ...
    return found[0], found[1]


def is_layout_free(value: Value) -> bool:
    """Whether every user only reads elements, itself or through views: none asks how they lie in memory."""
    return all(_reads_elements(node) for node in value.uses)


def _reads_elements(node: Node) -> bool:
    operator = OPERATORS.get(node.op)
    if operator is None or "MUTATES" in operator.traits:
        return False
    if node.op in _VIEWS:
        return is_layout_free(node.result)
    if not any(result.type.is_mutable for result in node.results):
        return operator.name not in _LAYOUT
    return "FRESH" in operator.traits and all(isinstance(result.type, TensorType) for result in node.results)


def _merge(nodes: list[Node]) -> None:
    first = nodes[0]
    states = [_weights(node) for node in nodes]
    weight = _joined([weight for weight, _ in states])
    bias = None if states[0][1] is None else _joined([bias for _, bias in states])
    block = first.block
    assert block is not None
    operands = [first.operands[0], _const(first, TENSOR, weight), _const(first, OptionalType(TENSOR), bias)]
    whole = block.insert_before(first, Node("linear", operands, (TENSOR,), {}, first.location)).result
    start = 0
    for node, (part, _) in zip(nodes, states):
        bounds = [_const(first, INT, number, node) for number in (-1, start, part.shape[0])]
        view = block.insert_before(first, Node("narrow.Tensor", [whole, *bounds], (TENSOR,), {}, node.location)).result
        view.name = node.result.name
        node.result.replace_uses(view)
        start += part.shape[0]
    for node in nodes:
        node.remove()


def _joined(states: list[TensorState]) -> TensorState:
    from ...binding import functions

    return state_of(functions.namespace("tsm.")["cat"]([tensor_of(state) for state in states], 0))


def _const(anchor: Node, kind: Type, value: PyAny, source: Node | None = None) -> Value:
    block: Block | None = anchor.block
    assert block is not None
    made = Node("const", (), (kind,), {"value": value}, (source or anchor).location)
    return block.insert_before(anchor, made).result
