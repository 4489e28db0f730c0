"""fuse: puts pointwise tensor operators that feed each other into one `fused` node, after a product that feeds them.

A fused node owns the operators it replaced, in their order, and means running them; the runtime does them at once, tile
by tile, where it can. Operators move down to the last one of their group: past what they do not depend on, never past
a write to what they read, and past other effects only if facts show that they cannot raise.

before:
    fn f(%x : Tensor, %w : Tensor, %b : Tensor) -> Tensor {
      %h : Tensor = matmul(%x, %w)
      %s : Tensor = add.Tensor(%h, %b)
      %t : Tensor = tanh(%s)
      %u : Tensor = mul.Tensor(%t, %t)
      return %u
    }
after:
    fn f(%x : Tensor, %w : Tensor, %b : Tensor) -> Tensor {
      %u : Tensor = fused (%x.1 = %x, %w.1 = %w, %b.1 = %b) {
        %h : Tensor = matmul(%x.1, %w.1)
        %s : Tensor = add.Tensor(%h, %b.1)
        %t : Tensor = tanh(%s)
        %u.1 : Tensor = mul.Tensor(%t, %t)
        yield (%u.1)
      }
      return %u
    }
"""

from __future__ import annotations

from ..alias import Aliases
from ..effects import Summaries
from ..graph import Block, Function, Node, Program, Value, walk
from ..knobs import Budget
from ..signature import constant_of
from ..types import TensorType
from ..verify import can_be_fused

MAX_OPERATORS = 48
MAX_INPUTS = 28
MAX_RESULTS = 6
MAX_DISTANCE = 300  # nodes that a group is moved down at most, so that time stays linear

# Operators with a row in the runtime's tables (simd/pointwise.h), by what may raise in them.
_FLOAT_FUNCTIONS = frozenset(
    ("exp", "expm1", "log", "log1p", "log2", "sqrt", "rsqrt", "reciprocal", "sin", "cos", "tanh", "erf", "sigmoid")
)  # take every dtype, give floats
_TESTS = frozenset(("logical_not", "isnan", "isinf", "isfinite"))  # take every dtype, give bools
_FOR_FLOATS = frozenset(
    ("neg.Tensor", "abs.Tensor", "sign", "square", "floor", "ceil", "round.Tensor", "trunc", "relu", "silu", "gelu",
     "leaky_relu", "elu", "softplus", "hardtanh", "hardsigmoid", "hardswish")
)  # refuse some dtypes that are not floats  # fmt: skip
_ARITHMETIC = frozenset(
    f"{name}.{kinds}"
    for name in ("add", "sub", "mul", "div", "pow")
    for kinds in ("Tensor", "TensorScalar", "ScalarTensor")
)
_COMPARISONS = frozenset(
    f"{name}.{kinds}" for name in ("eq", "ne", "lt", "le", "gt", "ge") for kinds in ("Tensor", "TensorScalar")
)
_OTHERS = frozenset(
    ("maximum", "minimum", "clamp", "where", "where.TensorScalar", "where.ScalarTensor", "masked_fill")
)
_POINTWISE = _FLOAT_FUNCTIONS | _TESTS | _FOR_FLOATS | _ARITHMETIC | _COMPARISONS | _OTHERS
_PRODUCERS = frozenset(("linear", "matmul", "conv1d", "conv2d"))


def fuse(program: Program, budget: Budget) -> None:
    """Fuses in all blocks of all functions."""
    summaries = Summaries(program)
    for function in program.functions:
        blocks = {node.block for node in function.walk() if node.op in _POINTWISE}
        if blocks:
            facts = Facts(function)
            aliases = Aliases(function, summaries)
            for block in sorted((b for b in blocks if b is not None), key=facts.order.__getitem__):
                if not (isinstance(block.owner, Node) and block.owner.op == "fused"):
                    _BlockFuser(block, summaries, aliases, facts).run(budget)


class Facts:
    """What is known of a function's tensors without running it: which are floats, which have the same shape."""

    def __init__(self, function: Function) -> None:
        self.floats: set[Value] = set()
        self.shapes: dict[Value, Value] = {}  # a value that has the same shape
        self.order: dict[Block, int] = {}
        for node in function.walk():
            if node.block is not None:
                self.order.setdefault(node.block, len(self.order))
            if node.op in _POINTWISE:
                self.learn(node)

    def learn(self, node: Node) -> None:
        tensors = _tensors(node)
        is_arithmetic = node.op in _ARITHMETIC | _FOR_FLOATS
        if node.op in _FLOAT_FUNCTIONS or (is_arithmetic and any(value in self.floats for value in tensors)):
            self.floats.add(node.result)
        if self.agree(tensors):
            self.shapes[node.result] = self.shape(tensors[0])

    def shape(self, value: Value) -> Value:
        return self.shapes.get(value, value)

    def agree(self, values: list[Value]) -> bool:
        """Whether all have the same shape."""
        return len({self.shape(value) for value in values}) == 1

    def may_raise(self, node: Node) -> bool:
        """False if the operator cannot raise for any operands that have what is known of them."""
        tensors = _tensors(node)
        if node.op in _FLOAT_FUNCTIONS or node.op in _TESTS:
            return False
        if node.op not in _POINTWISE or not any(value in self.floats for value in tensors) or not self.agree(tensors):
            return True
        if node.op in _FOR_FLOATS:
            return len(node.operands) > 1
        are_numbers = all(_is_number(value) for value in node.operands if value not in tensors)
        return not (node.op in _ARITHMETIC and are_numbers and all(value in self.floats for value in tensors))


def _tensors(node: Node) -> list[Value]:
    return [operand for operand in node.operands if isinstance(operand.type, TensorType)]


def _is_number(value: Value) -> bool:
    """Whether it is a constant int or float, not a bool."""
    try:
        return type(constant_of(value)) in (int, float)
    except LookupError:
        return False


class _Group:
    """Operators that become one node, at the place of the last of them."""

    def __init__(self, node: Node, position: int, may_raise: bool, producer: Node | None = None) -> None:
        self.members: dict[Node, int] = {node: position}
        self.producer = producer
        self.last = position
        self.may_raise = may_raise

    @property
    def first_pointwise(self) -> int:
        return min((p for node, p in self.members.items() if node is not self.producer), default=self.last + 1)

    def inputs(self) -> list[Value]:
        operands = (operand for node in self.ordered() for operand in node.operands)
        return [operand for operand in dict.fromkeys(operands) if operand.node not in self.members]

    def results(self) -> list[Value]:
        """What is used outside."""
        return [n.result for n in self.ordered() if any(user not in self.members for user in n.result.uses)]

    def ordered(self) -> list[Node]:
        return sorted(self.members, key=self.members.__getitem__)

    def absorb(self, other: _Group) -> None:
        self.members.update(other.members)
        self.producer = self.producer or other.producer
        self.last = max(self.last, other.last)
        self.may_raise = self.may_raise or other.may_raise


class _BlockFuser:
    def __init__(self, block: Block, summaries: Summaries, aliases: Aliases, facts: Facts) -> None:
        self.block = block
        self.nodes = list(block.nodes)
        self.summaries = summaries
        self.aliases = aliases
        self.facts = facts
        self.group_of: dict[Node, _Group] = {}
        self.effects: dict[Node, bool] = {}

    def run(self, budget: Budget) -> None:
        for position, node in enumerate(self.nodes):
            if self.is_pointwise(node):
                self.place(node, position)
            elif node.op in _PRODUCERS and can_be_fused(node, is_first=True):
                self.group_of[node] = _Group(node, position, True, producer=node)
        for group in dict.fromkeys(self.group_of.values()):
            self.release_producer(group)
            if len(group.members) > 1 and len(group.results()) <= MAX_RESULTS and budget.take():
                self.replace(group)

    def is_pointwise(self, node: Node) -> bool:
        if node.op not in _POINTWISE or not can_be_fused(node, is_first=False):
            return False
        has_alpha = node.op.startswith(("add.", "sub.")) and len(node.operands) > 2
        return not has_alpha

    # Groups

    def place(self, node: Node, position: int) -> None:
        """Makes a group of the node and joins to it those of its operands, the nearest first."""
        group = _Group(node, position, self.facts.may_raise(node))
        makers = dict.fromkeys(operand.node for operand in node.operands if operand.node is not None)
        near = dict.fromkeys(self.group_of[maker] for maker in makers if maker in self.group_of)
        for other in sorted(near, key=lambda g: g.last, reverse=True):
            if self.can_join(group, other, position):
                group.absorb(other)
        for member in group.members:
            self.group_of[member] = group

    def can_join(self, group: _Group, other: _Group, position: int) -> bool:
        if len(group.members) + len(other.members) > MAX_OPERATORS or position - other.last > MAX_DISTANCE:
            return False
        if not self.keeps_order(group, other):
            return False
        reads = other.inputs()
        if len({*group.inputs(), *reads}) > MAX_INPUTS:
            return False
        between = self.nodes[other.last + 1 : position]
        return all(node in group.members or self.may_pass(other, reads, node) for node in between)

    def keeps_order(self, group: _Group, other: _Group) -> bool:
        """A producer comes first in its block; two do not fit."""
        if group.producer and other.producer:
            return False
        if other.producer:
            return group.first_pointwise > other.members[other.producer]
        return not group.producer or other.first_pointwise > group.members[group.producer]

    def may_pass(self, group: _Group, reads: list[Value], node: Node) -> bool:
        """Whether the group, which reads these, may move down past the node."""
        inside = [node, *(inner for block in node.blocks for inner in walk(block))]
        if any(operand.node in group.members for inner in inside for operand in inner.operands):
            return False
        if group.may_raise and self.has_effect(node):
            return False
        return not any(self.aliases.may_write(node, value) for value in reads)

    def has_effect(self, node: Node) -> bool:
        """Whether it shows if the node runs before or after something that raises."""
        if node.op in _POINTWISE:
            return self.facts.may_raise(node)
        if node not in self.effects:
            effects = self.summaries.within(node)
            leaves = any(inner.is_terminator and inner.op != "yield" for b in node.blocks for inner in walk(b))
            self.effects[node] = effects.raises or leaves or not effects.is_none_but_raising
        return self.effects[node]

    def release_producer(self, group: _Group) -> None:
        """A producer whose result others use too stays where it is."""
        if group.producer is not None and group.producer.result in group.results():
            del group.members[group.producer]
            group.producer = None

    # Nodes

    def replace(self, group: _Group) -> None:
        """Moves the members into the block of a new node that stands where the last of them stood."""
        inputs, results, members = group.inputs(), group.results(), group.ordered()
        last = members[-1]
        fused = Node("fused", inputs, [value.type for value in results], {}, last.location)
        self.block.insert_before(last, fused)
        self.block.nodes = [node for node in self.block.nodes if node not in group.members]
        for old, new in zip(results, fused.results):
            new.name = old.name
            for user in dict.fromkeys(old.uses):
                for index, operand in enumerate(user.operands):
                    if operand is old and user not in group.members:
                        user.set_operand(index, new)
        body = fused.add_block(Block())
        params = {value: body.add_param(value.type, value.name) for value in inputs}
        for member in members:
            for index, operand in enumerate(member.operands):
                if operand in params:
                    member.set_operand(index, params[operand])
            body.append(member)
        body.append(Node("yield", results, location=last.location))
