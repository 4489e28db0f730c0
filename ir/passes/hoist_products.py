"""hoist_products: a loop over the rows of a tensor that multiplies each by one weight multiplies all at once before it.

So the weight is read once and not in every turn. A condition in front of the loop holds only where the product cannot
raise, gives the same elements and stays small; elsewhere the loop multiplies row by row as it did. Elements may differ
in their last bits, as those of a product of many rows differ from those of one row.

before:
    fn f(%x : Tensor, %w : Tensor, %h : Tensor) -> Tensor {
      %zero : int = const 0
      %one : int = const 1
      %n : int = size.dim(%x, %zero)
      %y : Tensor = loop @l0 (%t = %zero, %s = %h) {
        %more : bool = lt.int(%t, %n)
        if (%more) {
          yield
        } else {
          break @l0 (%s)
        }
        %next : int = add.int(%t, %one)
        %row : Tensor = select.int(%x, %zero, %t)
        %u : Tensor = matmul(%row, %w)
        %v : Tensor = add.Tensor(%u, %s)
        continue @l0 (%next, %v)
      }
      return %y
    }
after:
    fn f(%x : Tensor, %w : Tensor, %h : Tensor) -> Tensor {
      %zero : int = const 0
      %one : int = const 1
      %n : int = size.dim(%x, %zero)
      %0 : int = const 1
      %1 : bool = gt.int(%n, %0)
      %2 : int = dim(%x)
      %3 : int = const 1
      %4 : bool = gt.int(%2, %3)
      %5 : bool = and.bool(%1, %4)
      %6 : int = dim(%w)
      %7 : int = const 2
      %8 : bool = eq.int(%6, %7)
      %9 : bool = and.bool(%5, %8)
      %10 : dtype = dtype(%x)
      %11 : dtype = const float32
      %12 : bool = eq.dtype(%10, %11)
      %13 : bool = and.bool(%9, %12)
      %14 : int = numel(%x)
      %15 : int = const 67108864
      %16 : bool = lt.int(%14, %15)
      %17 : bool = and.bool(%13, %16)
      %18 : dtype = dtype(%w)
      %19 : dtype = const float32
      %20 : bool = eq.dtype(%18, %19)
      %21 : bool = and.bool(%17, %20)
      %22 : int = numel(%w)
      %23 : int = const 67108864
      %24 : bool = lt.int(%22, %23)
      %25 : bool = and.bool(%21, %24)
      %26 : bool = if (%25) {
        %27 : int = const -1
        %28 : int = size.dim(%x, %27)
        %29 : int = const 0
        %30 : int = size.dim(%w, %29)
        %31 : bool = eq.int(%28, %30)
        %32 : int = const 0
        %33 : int = size.dim(%x, %32)
        %34 : bool = eq.int(%33, %n)
        %35 : bool = and.bool(%34, %31)
        yield (%35)
      } else {
        %36 : bool = const False
        yield (%36)
      }
      %37 : bool = if (%26) {
        %38 : int = const 1
        %39 : int = size.dim(%w, %38)
        %40 : int = numel(%x)
        %41 : int = mul.int(%40, %39)
        %42 : int = const -1
        %43 : int = size.dim(%x, %42)
        %44 : int = const 4194304
        %45 : int = mul.int(%43, %44)
        %46 : bool = lt.int(%41, %45)
        yield (%46)
      } else {
        %47 : bool = const False
        yield (%47)
      }
      %48 : Tensor = if (%37) {
        %49 : Tensor = matmul(%x, %w)
        yield (%49)
      } else {
        yield (%x)
      }
      %y : Tensor = loop @l0 (%t = %zero, %s = %h) {
        %more : bool = lt.int(%t, %n)
        if (%more) {
          yield
        } else {
          break @l0 (%s)
        }
        %next : int = add.int(%t, %one)
        %u : Tensor = if (%37) {
          %50 : int = const 0
          %51 : Tensor = select.int(%48, %50, %t)
          yield (%51)
        } else {
          %52 : Tensor = select.int(%x, %zero, %t)
          %53 : Tensor = matmul(%52, %w)
          yield (%53)
        }
        %v : Tensor = add.Tensor(%u, %s)
        continue @l0 (%next, %v)
      }
      return %y
    }
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..alias import Aliases
from ..control import continues, exits
from ..effects import Summaries
from ..graph import Block, Node, Program, Value, walk
from ..knobs import Budget
from ..signature import constant_of
from ..state import TensorState
from ..types import BOOL, DTYPE, INT, TENSOR, DType, TensorType, Type
from .cse import is_only_read

MAX_RESULT = 1 << 22  # elements of the joint product, which the loop as it was written never held at once
MAX_OPERAND = 1 << 26


def hoist_products(program: Program, budget: Budget) -> None:
    """Looks at the loops of all functions."""
    summaries = Summaries(program)
    for function in program.functions:
        loops = [node for node in function.walk() if node.op == "loop"]
        if any(node.op in ("matmul", "linear") for loop in loops for node in loop.blocks[0].nodes):
            for loop in loops:
                _hoist_from(loop, Aliases(function, summaries), budget)


@dataclass
class _Count:
    """A loop that runs for counter = 0, 1, ... below `limit`, and has no other way out but an exception."""

    counter: Value
    limit: Value


def _hoist_from(loop: Node, aliases: Aliases, budget: Budget) -> None:
    count = _count_of(loop)
    if count is None:
        return
    body = loop.blocks[0]
    inside = {value for node in walk(body) for value in _defined(node)} | set(body.params)
    for node in list(body.nodes):
        rows = _rows_of(node, count, inside)
        if rows is None or not is_only_read(node.result):
            continue
        operands = (rows, *(operand for operand in node.operands[1:] if operand.node is None or operand not in inside))
        if not any(aliases.may_write(loop, operand) for operand in operands) and budget.take():
            _hoist(node, loop, rows, count)


def _defined(node: Node) -> list[Value]:
    return [*node.results, *(param for block in node.blocks for param in block.params)]


def _count_of(loop: Node) -> _Count | None:
    """How a loop counts; None for one that may leave early or counts otherwise."""
    body = loop.blocks[0]
    if len(body.nodes) < 2:
        return None
    test, branch = body.nodes[:2]
    if test.op != "lt.int" or branch.op != "if" or branch.operands[0] is not test.result:
        return None
    first, second = (block.nodes for block in branch.blocks)
    if first[0].op != "yield" or second[0].op != "break" or exits(loop) != [second[0]]:
        return None
    if any(node.op == "return" or (node.op in ("break", "continue") and _leaves(node, loop)) for node in walk(body)):
        return None
    counter, limit = test.operands
    if counter not in body.params or limit in body.params or (limit.node is not None and limit.node.block is body):
        return None
    nexts = [again.operands[counter.index].node for again in continues(loop)]
    if not _is_constant(loop.operands[counter.index], 0) or not all(_adds_one(node, counter) for node in nexts):
        return None
    return _Count(counter, limit)


def _leaves(node: Node, loop: Node) -> bool:
    """Whether a jump goes past the loop."""
    target = node.attrs["target"]
    return target is not loop and target not in walk(loop.blocks[0])


def _adds_one(node: Node | None, counter: Value) -> bool:
    is_sum = node is not None and node.op == "add.int" and node.operands[0] is counter
    return is_sum and node is not None and _is_constant(node.operands[1], 1)


def _is_constant(value: Value, wanted: int) -> bool:
    try:
        found = constant_of(value)
    except LookupError:
        return False
    return type(found) is int and found == wanted


def _rows_of(node: Node, count: _Count, inside: set[Value]) -> Value | None:
    """The tensor whose row number `counter` the product multiplies by a weight from outside of the loop."""
    if node.op not in ("matmul", "linear") or node.operands[1] in inside or not _has_plain_bias(node):
        return None
    row = node.operands[0].node
    if row is None or node.operands[0] not in inside:
        return None
    if row.op == "select.int" and _is_constant(row.operands[1], 0) and row.operands[2] is count.counter:
        rows = row.operands[0]
    elif row.op in ("getitem.list", "getitem.tuple") and row.operands[1] is count.counter:
        made = row.operands[0].node
        if made is not None and made.op == "tuple.list":
            made = made.operands[0].node
        if made is None or made.op != "unbind" or not all(_is_constant(dim, 0) for dim in made.operands[1:]):
            return None
        if any(user.op not in ("getitem.list", "len.list", "tuple.list") for user in made.result.uses):
            return None
        rows = made.operands[0]
    else:
        return None
    are_tensors = isinstance(rows.type, TensorType) and isinstance(node.operands[1].type, TensorType)
    return rows if are_tensors and rows not in inside else None


def _has_plain_bias(node: Node) -> bool:
    """Whether a linear layer has no bias, or a constant one that is added to every row alike."""
    if node.op == "matmul" or len(node.operands) < 3:
        return True
    try:
        bias = constant_of(node.operands[2])
    except LookupError:
        return False
    weight = _constant_tensor(node.operands[1])
    if not isinstance(bias, TensorState):
        return bias is None
    return weight is not None and bias.dtype == DType.float32 and bias.shape == weight.shape[:1]


def _constant_tensor(value: Value) -> TensorState | None:
    try:
        found = constant_of(value)
    except LookupError:
        return None
    return found if isinstance(found, TensorState) else None


def _hoist(node: Node, loop: Node, rows: Value, count: _Count) -> None:
    assert loop.block is not None and node.block is not None
    before = _Writer(loop.block, loop, node)
    holds = _condition(before, node, rows, count.limit)
    joint = before.choose(
        holds,
        lambda inner: inner.op(node.op, (rows, *(inner.copied(v) for v in node.operands[1:])), TENSOR),
        lambda inner: rows,
        TENSOR,
    )
    row = node.operands[0].node
    assert row is not None
    block = node.block
    is_row_last = len(row.result.uses) == 1 and block.nodes.index(row) + 1 == block.nodes.index(node)
    here = _Writer(block, node, node)

    def one(inner: _Writer) -> Value:
        given = inner.op(row.op, row.operands, TENSOR) if is_row_last else row.result
        return inner.op(node.op, (given, *node.operands[1:]), TENSOR)

    chosen = here.choose(
        holds, lambda inner: inner.op("select.int", (joint, inner.const(0), count.counter), TENSOR), one, TENSOR
    )
    chosen.name = node.result.name
    node.result.replace_uses(chosen)
    node.remove()
    if is_row_last:
        row.remove()


def _condition(writer: _Writer, node: Node, rows: Value, limit: Value) -> Value:
    """Whether the joint product gives, without an error, what the loop's products give, and is small. In three steps:
    sizes can be asked for where the ranks are right, and multiplied where they are small."""
    weight = node.operands[1]
    depth, width = (0, 1) if node.op == "matmul" else (1, 0)

    def has_shapes(inner: _Writer) -> Value:
        last = inner.op("size.dim", (rows, inner.const(-1)), INT)
        fits = inner.op("eq.int", (last, inner.op("size.dim", (weight, inner.const(depth)), INT)), BOOL)
        count = inner.op("size.dim", (rows, inner.const(0)), INT)
        return inner.both(inner.op("eq.int", (count, limit), BOOL), fits)

    def is_small(inner: _Writer) -> Value:
        columns = inner.op("size.dim", (weight, inner.const(width)), INT)
        result = inner.op("mul.int", (inner.op("numel", (rows,), INT), columns), INT)
        last = inner.op("size.dim", (rows, inner.const(-1)), INT)
        return inner.op("lt.int", (result, inner.op("mul.int", (last, inner.const(MAX_RESULT)), INT)), BOOL)

    holds = writer.op("gt.int", (limit, writer.const(1)), BOOL)
    holds = writer.both(holds, writer.op("gt.int", (writer.op("dim", (rows,), INT), writer.const(1)), BOOL))
    holds = writer.both(holds, writer.op("eq.int", (writer.op("dim", (weight,), INT), writer.const(2)), BOOL))
    for operand in (rows, weight):
        holds = writer.both(holds, writer.is_float32(operand))
        size = writer.op("numel", (operand,), INT)
        holds = writer.both(holds, writer.op("lt.int", (size, writer.const(MAX_OPERAND)), BOOL))
    for test in (has_shapes, is_small):
        holds = writer.choose(holds, test, lambda inner: inner.const(False), BOOL)
    return holds


class _Writer:
    """Puts nodes before an anchor, or at the end of a block, with the location of the product."""

    def __init__(self, block: Block, anchor: Node | None, product: Node) -> None:
        self.block = block
        self.anchor = anchor
        self.product = product

    def node(self, op: str, operands: Sequence[Value], kinds: Sequence[Type], **attrs: object) -> Node:
        made = Node(op, operands, kinds, attrs, self.product.location)
        return self.block.append(made) if self.anchor is None else self.block.insert_before(self.anchor, made)

    def op(self, op: str, operands: Sequence[Value], kind: Type) -> Value:
        return self.node(op, operands, (kind,)).result

    def const(self, value: int | DType) -> Value:
        kind = BOOL if isinstance(value, bool) else DTYPE if isinstance(value, DType) else INT
        return self.node("const", (), (kind,), value=value).result

    def both(self, first: Value, second: Value) -> Value:
        return self.op("and.bool", (first, second), BOOL)

    def is_float32(self, tensor: Value) -> Value:
        return self.op("eq.dtype", (self.op("dtype", (tensor,), DTYPE), self.const(DType.float32)), BOOL)

    def copied(self, value: Value) -> Value:
        """The value, or a copy of a constant that may be made behind this place."""
        node = value.node
        is_constant = node is not None and node.op == "const"
        return self.node("const", (), (value.type,), **node.attrs).result if node and is_constant else value

    def choose(
        self, condition: Value, then: Callable[[_Writer], Value], otherwise: Callable[[_Writer], Value], kind: Type
    ) -> Value:
        branch = self.node("if", (condition,), (kind,))
        for make in (then, otherwise):
            inner = _Writer(branch.add_block(Block()), None, self.product)
            inner.node("yield", (make(inner),), ())
        return branch.result
