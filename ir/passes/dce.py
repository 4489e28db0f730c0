"""dce: deletes what nobody needs.

Deleted are nodes without uses whose run changes nothing, ends, and cannot raise (outside of `try` also those that make
tensors from tensors, with their errors: the one listed difference); results and loop parameters that only feed
themselves; cells that nobody reads; code after nodes that never complete; functions that no method reaches.

before:
    fn f(%n : int, %x : Tensor) -> int {
      %y : Tensor = relu(%x)
      %zero : int = const 0
      %i : int, %waste : int = loop @l0 (%k = %zero, %w = %zero) {
        %one : int = const 1
        %next : int = add.int(%k, %one)
        %w2 : int = xor.int(%w, %k)
        %done : bool = ge.int(%next, %n)
        if (%done) {
          break @l0 (%next, %w2)
        } else {
          continue @l0 (%next, %w2)
        }
        unreachable
      }
      return %i
    }
after:
    fn f(%n : int, %x : Tensor) -> int {
      %zero : int = const 0
      %i : int = loop @l0 (%k = %zero) {
        %one : int = const 1
        %next : int = add.int(%k, %one)
        %done : bool = ge.int(%next, %n)
        if (%done) {
          break @l0 (%next)
        } else {
          continue @l0 (%next)
        }
        unreachable
      }
      return %i
    }
"""

from __future__ import annotations

from ..control import BRANCHING, completes, cut_after, drop_params, drop_results, is_inside_try
from ..effects import Summaries, called_functions
from ..graph import Block, Function, Node, Program, Value
from ..knobs import Budget
from ..operators import OPERATORS
from ..types import TensorType


def dce(program: Program, budget: Budget) -> None:
    """Deletes in all functions, and functions that cannot be called."""
    remove_uncalled(program, budget)
    summaries = Summaries(program)
    watched = _called_in_try(program)
    for function in program.functions:
        _cut_unreachable(function.body, budget)
        _Liveness(function, summaries, function in watched).sweep(budget)


def _called_in_try(program: Program) -> set[Function]:
    """Functions whose errors a handler of a caller may see."""
    found: set[Function] = set()
    for function in program.functions:
        for node in function.walk():
            if node.op == "call" and node.attrs["function"] not in found and is_inside_try(node):
                found |= {node.attrs["function"], *called_functions(node.attrs["function"])}
    return found


def remove_uncalled(program: Program, budget: Budget) -> None:
    """Deletes the functions that no method reaches; all are kept where there are no methods."""
    if not program.methods or not budget.take():
        return
    kept = {method.function for method in program.methods.values()}
    for function in list(kept):
        kept |= called_functions(function)
    program.functions = [function for function in program.functions if function in kept]


def _cut_unreachable(block: Block, budget: Budget) -> None:
    for node in list(block.nodes):
        for inner in node.blocks:
            _cut_unreachable(inner, budget)
        last = block.nodes[-1]
        if node.op in BRANCHING and not completes(node):
            if (block.nodes[-2:] != [node, last] or last.op != "unreachable") and budget.take():
                cut_after(node)
                block.append(Node("unreachable", location=node.location))
            return


class _Liveness:
    """Marks what is needed, starting from nodes that must run; what is left unmarked goes."""

    def __init__(self, function: Function, summaries: Summaries, is_watched: bool = False) -> None:
        self.function = function
        self.summaries = summaries
        self.is_watched = is_watched
        self.nodes: set[Node] = set()
        self.values: set[Value] = set()
        self.pending: list[Value] = []
        self.exits: dict[Node, list[Node]] = {}  # of each control node the terminators that pass its results
        self.continues: dict[Node, list[Node]] = {}
        self.essential: dict[Node, bool] = {}
        self.acting: dict[Node, bool] = {}
        self.left: dict[Node, frozenset[Node | None]] = {}
        for node in function.walk():
            if node.op == "yield" and node.block is not None and isinstance(node.block.owner, Node):
                self.exits.setdefault(node.block.owner, []).append(node)
            elif node.op == "break":
                self.exits.setdefault(node.attrs["target"], []).append(node)
            elif node.op == "continue":
                self.continues.setdefault(node.attrs["target"], []).append(node)
        self.mark_block(function.body)
        while self.pending:
            self.mark_sources(self.pending.pop())

    # Predicates

    def is_essential(self, node: Node) -> bool:
        """Whether the node must run even if nobody uses its results."""
        if node not in self.essential:
            self.essential[node] = self.must_run(node)
        return self.essential[node]

    def must_run(self, node: Node) -> bool:
        if node.is_terminator:
            return True
        if node.op in BRANCHING:
            return self.may_diverge(node) or self.acts(node) or bool(self.leaves(node))
        if node.op == "cell_set" and is_private(node.operands[0]):
            return False  # until somebody reads the cell
        effects = self.summaries.of(node)
        if not effects.is_none_but_raising:
            return True
        return effects.raises and not self.may_lose_error(node)

    def may_diverge(self, node: Node) -> bool:
        return node in self.continues

    def acts(self, node: Node) -> bool:
        """Whether something inside a control node must run, wherever control goes after it."""
        if node not in self.acting:
            self.acting[node] = any(
                self.may_diverge(inner) or self.acts(inner) if inner.op in BRANCHING else self.is_essential(inner)
                for block in node.blocks
                for inner in block.nodes
                if not inner.is_terminator
            )
        return self.acting[node]

    def leaves(self, node: Node) -> frozenset[Node | None]:
        """Which nodes around a control node its terminators end, None for the function."""
        if node not in self.left:
            found: set[Node | None] = set()
            for inner in (inner for block in node.blocks for inner in block.nodes):
                if inner.op in BRANCHING:
                    found |= self.leaves(inner)
                elif inner.is_terminator and inner.op not in ("yield", "unreachable"):
                    found.add(inner.attrs.get("target"))
            self.left[node] = frozenset(found - {node})
        return self.left[node]

    def may_lose_error(self, node: Node) -> bool:
        """An unused tensor operator may vanish with its error, unless a handler would see the error."""
        operator = OPERATORS.get(node.op)
        if operator is None or self.is_watched or is_inside_try(node):
            return False
        return any(isinstance(result.type, TensorType) for result in node.results)

    # Marking

    def mark_block(self, block: Block) -> None:
        """What must run in a needed block. What a `yield`, `break` or `continue` passes on is not needed by itself."""
        for node in block.nodes:
            if node.op in ("return", "raise"):
                self.mark_values(node.operands)
            elif not node.is_terminator and self.is_essential(node):
                self.mark_node(node)

    def mark_node(self, node: Node) -> None:
        if node in self.nodes:
            return
        self.nodes.add(node)
        if node.op != "loop":
            self.mark_values(node.operands)
        for block in node.blocks:
            self.mark_block(block)
        if node.op == "cell_get":
            for user in node.operands[0].uses:
                if user.op == "cell_set" and user.operands[0] is node.operands[0]:
                    self.mark_node(user)
        if node.block is not None and isinstance(node.block.owner, Node):
            self.mark_node(node.block.owner)

    def mark_values(self, values: list[Value]) -> None:
        for value in values:
            if value not in self.values:
                self.values.add(value)
                self.pending.append(value)

    def mark_sources(self, value: Value) -> None:
        """A needed value needs its node, or what flows into it."""
        owner = value.owner
        if isinstance(owner, Node):
            self.mark_node(owner)
            self.mark_values([leaving.operands[value.index] for leaving in self.exits.get(owner, ())])
        elif isinstance(owner, Block) and isinstance(owner.owner, Node):
            around = owner.owner
            self.mark_node(around)
            if around.op == "loop":
                self.mark_values([around.operands[value.index]])
                self.mark_values([again.operands[value.index] for again in self.continues.get(around, ())])

    # Sweeping

    def sweep(self, budget: Budget) -> None:
        """Results and parameters first: what fed them is then without uses."""
        dead = [node for node in self.function.walk() if not node.is_terminator and node not in self.nodes]
        slots = [(node, *self.dead_slots(node)) for node in self.nodes if node.op in BRANCHING]
        if not (dead or any(results or params for _, results, params in slots)) or not budget.take():
            return
        for node, results, params in slots:
            if results:
                drop_results(node, results)
            if params:
                drop_params(node, params)
        for node in reversed(dead):
            node.remove()

    def dead_slots(self, node: Node) -> tuple[set[int], set[int]]:
        params = node.blocks[0].params if node.op == "loop" else []
        return (
            {index for index, result in enumerate(node.results) if result not in self.values},
            {index for index, param in enumerate(params) if param not in self.values},
        )


def is_private(cell: Value) -> bool:
    """Whether all that can reach the cell is seen here: it is read and written, and not passed on."""
    if cell.node is None or cell.node.op != "cell":
        return False
    return all(u.op == "cell_get" or (u.op == "cell_set" and u.operands[1] is not cell) for u in cell.uses)
