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
      %2 : bool = if (%1) {
        %3 : int = dim(%x)
        %4 : int = const 1
        %5 : bool = gt.int(%3, %4)
        yield (%5)
      } else {
        %6 : bool = const False
        yield (%6)
      }
      %7 : bool = if (%2) {
        %8 : int = dim(%w)
        %9 : int = const 2
        %10 : bool = eq.int(%8, %9)
        yield (%10)
      } else {
        %11 : bool = const False
        yield (%11)
      }
      %12 : bool = if (%7) {
        %13 : dtype = dtype(%x)
        %14 : dtype = const float32
        %15 : bool = eq.dtype(%13, %14)
        yield (%15)
      } else {
        %16 : bool = const False
        yield (%16)
      }
      %17 : bool = if (%12) {
        %18 : dtype = dtype(%w)
        %19 : dtype = const float32
        %20 : bool = eq.dtype(%18, %19)
        yield (%20)
      } else {
        %21 : bool = const False
        yield (%21)
      }
      %22 : bool = if (%17) {
        %23 : int = numel(%x)
        %24 : int = const 67108864
        %25 : bool = lt.int(%23, %24)
        yield (%25)
      } else {
        %26 : bool = const False
        yield (%26)
      }
      %27 : bool = if (%22) {
        %28 : int = numel(%w)
        %29 : int = const 67108864
        %30 : bool = lt.int(%28, %29)
        yield (%30)
      } else {
        %31 : bool = const False
        yield (%31)
      }
      %32 : bool = if (%27) {
        %33 : int = const 0
        %34 : int = size.dim(%x, %33)
        %35 : bool = eq.int(%34, %n)
        yield (%35)
      } else {
        %36 : bool = const False
        yield (%36)
      }
      %37 : bool = if (%32) {
        %38 : int = const -1
        %39 : int = size.dim(%x, %38)
        %40 : int = const 0
        %41 : int = size.dim(%w, %40)
        %42 : bool = eq.int(%39, %41)
        yield (%42)
      } else {
        %43 : bool = const False
        yield (%43)
      }
      %44 : bool = if (%37) {
        %45 : int = const 1
        %46 : int = size.dim(%w, %45)
        %47 : int = numel(%x)
        %48 : int = mul.int(%47, %46)
        %49 : int = const -1
        %50 : int = size.dim(%x, %49)
        %51 : int = const 4194304
        %52 : int = mul.int(%50, %51)
        %53 : bool = lt.int(%48, %52)
        yield (%53)
      } else {
        %54 : bool = const False
        yield (%54)
      }
      %55 : Tensor = if (%44) {
        %56 : Tensor = matmul(%x, %w)
        yield (%56)
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
        %u : Tensor = if (%44) {
          %57 : int = const 0
          %58 : Tensor = select.int(%55, %57, %t)
          yield (%58)
        } else {
          %59 : Tensor = select.int(%x, %zero, %t)
          %60 : Tensor = matmul(%59, %w)
          yield (%60)
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
    elif row.op == "getitem.list" and row.operands[1] is count.counter:
        made = row.operands[0].node
        if made is None or made.op != "unbind" or not all(_is_constant(dim, 0) for dim in made.operands[1:]):
            return None
        if any(user.op not in ("getitem.list", "len.list") for user in made.result.uses):
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
    """Whether the joint product gives, without an error, what the loop's products give, and is small."""
    weight = node.operands[1]
    depth, width = (0, 1) if node.op == "matmul" else (1, 0)

    def has_shapes(inner: _Writer) -> Value:
        last = inner.op("size.dim", (rows, inner.const(-1)), INT)
        return inner.op("eq.int", (last, inner.op("size.dim", (weight, inner.const(depth)), INT)), BOOL)

    def has_rows(inner: _Writer) -> Value:
        return inner.op("eq.int", (inner.op("size.dim", (rows, inner.const(0)), INT), limit), BOOL)

    def is_small(inner: _Writer) -> Value:
        columns = inner.op("size.dim", (weight, inner.const(width)), INT)
        result = inner.op("mul.int", (inner.op("numel", (rows,), INT), columns), INT)
        last = inner.op("size.dim", (rows, inner.const(-1)), INT)
        return inner.op("lt.int", (result, inner.op("mul.int", (last, inner.const(MAX_RESULT)), INT)), BOOL)

    tests: list[Callable[[_Writer], Value]] = [
        lambda inner: inner.op("gt.int", (inner.op("dim", (rows,), INT), inner.const(1)), BOOL),
        lambda inner: inner.op("eq.int", (inner.op("dim", (weight,), INT), inner.const(2)), BOOL),
        lambda inner: inner.is_float32(rows),
        lambda inner: inner.is_float32(weight),
        lambda inner: inner.op("lt.int", (inner.op("numel", (rows,), INT), inner.const(MAX_OPERAND)), BOOL),
        lambda inner: inner.op("lt.int", (inner.op("numel", (weight,), INT), inner.const(MAX_OPERAND)), BOOL),
        has_rows, has_shapes, is_small,
    ]  # fmt: skip
    holds = writer.op("gt.int", (limit, writer.const(1)), BOOL)
    for test in tests:
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
