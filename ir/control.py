"""Structured control flow: where a node's results come from, whether it completes, and local surgery.

In: graphs that satisfy the verifier. Out: answers, and graphs that still do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from .graph import Block, Function, Node, walk

BRANCHING = frozenset(("if", "loop", "block", "try", "fused"))


def exits(node: Node) -> list[Node]:
    """The terminators whose operands become the results of a control node."""
    found = []
    for block in node.blocks:
        if node.op != "loop" and block.nodes and block.nodes[-1].op == "yield":
            found.append(block.nodes[-1])
        if node.op in ("loop", "block"):
            found += [inner for inner in walk(block) if inner.op == "break" and inner.attrs["target"] is node]
    return found


def continues(loop: Node) -> list[Node]:
    """The terminators that run a loop's block again."""
    return [inner for inner in walk(loop.blocks[0]) if inner.op == "continue" and inner.attrs["target"] is loop]


def completes(node: Node) -> bool:
    """Whether control may reach what follows the node."""
    return node.op not in BRANCHING or bool(exits(node))


def owners(block: Block) -> Iterator[Node]:
    """The control nodes around a block, innermost first."""
    owner = block.owner
    while isinstance(owner, Node):
        yield owner
        assert owner.block is not None
        owner = owner.block.owner


def is_inside_try(node: Node) -> bool:
    """Whether an exception of the node may be caught in its own function."""
    inner = node.block
    while inner is not None and isinstance(inner.owner, Node):
        if inner.owner.op == "try" and inner is inner.owner.blocks[0]:
            return True
        inner = inner.owner.block
    return False


def rewrite_each(function: Function, rewrite: Callable[[Node], bool]) -> bool:
    """Gives `rewrite` each node but those of `fused` nodes, whose blocks are closed, and those that it took away with
    a block around them; whether it changed any."""
    changed = False
    open_blocks: dict[Block, bool] = {}
    for node in function.walk():
        block = node.block
        if block is None:
            continue
        if block not in open_blocks:
            open_blocks[block] = _is_open(block, function)
        if open_blocks[block] and rewrite(node):
            changed = True
            open_blocks.clear()
    return changed


def _is_open(block: Block, function: Function) -> bool:
    around: Block | None = block
    while around is not None and isinstance(around.owner, Node):
        if around.owner.op == "fused":
            return False
        around = around.owner.block
    return around is function.body


def cut_after(node: Node) -> None:
    """Removes what follows the node in its block, which control does not reach."""
    assert node.block is not None
    nodes = node.block.nodes
    for dead in reversed(nodes[nodes.index(node) + 1 :]):
        dead.remove()


def unwrap(node: Node, block: Block) -> None:
    """Replaces a control node by one of its blocks, which runs exactly once and ends in the node's only exit or leaves
    further out; its parameters must have no uses left."""
    outer, last = node.block, block.nodes[-1]
    assert outer is not None
    is_exit = last.op == "yield" or last.attrs.get("target") is node
    if is_exit:
        for result, value in zip(node.results, last.operands):
            if result.name and not value.name and value.node is not None:
                value.name = result.name
            result.replace_uses(value)
        last.remove()
    else:
        cut_after(node)
    moved, block.nodes = block.nodes, []
    position = outer.nodes.index(node)
    outer.nodes[position:position] = moved
    for inner in moved:
        inner.block = outer
    node.remove()


def nesting(block: Block) -> int:
    """How many levels of blocks are inside."""
    inner = [nesting(b) for node in block.nodes for b in node.blocks]
    return 1 + max(inner, default=0)


def drop_results(node: Node, dead: set[int]) -> None:
    """Removes results without uses, and the operands of exits that fed them."""
    for leaving in exits(node):
        leaving.set_operands([v for index, v in enumerate(leaving.operands) if index not in dead])
    node.results = [result for index, result in enumerate(node.results) if index not in dead]
    for index, result in enumerate(node.results):
        result.index = index


def drop_params(loop: Node, dead: set[int]) -> None:
    """Removes parameters of a loop that only `continue`s to it use, with initial values and next ones."""
    body = loop.blocks[0]
    for again in continues(loop):
        again.set_operands([v for index, v in enumerate(again.operands) if index not in dead])
    loop.set_operands([v for index, v in enumerate(loop.operands) if index not in dead])
    body.params = [param for index, param in enumerate(body.params) if index not in dead]
    for index, param in enumerate(body.params):
        param.index = index
