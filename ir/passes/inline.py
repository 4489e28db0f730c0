"""inline: replaces calls of small functions by their bodies.

A `return` becomes a `break` out of a `block`; locations keep the call they came through, so error stacks stay the same.
Recursive functions are not inlined, and callers and nesting grow to a limit only.

before:
    fn double(%x : int) -> int {
      %y : int = add.int(%x, %x)
      return %y
    }

    fn f(%a : int) -> int {
      %b : int = call double(%a)
      return %b
    }
after:
    fn double(%x : int) -> int {
      %y : int = add.int(%x, %x)
      return %y
    }

    fn f(%a : int) -> int {
      %b : int = block @b0 {
        %y : int = add.int(%a, %a)
        break @b0 (%y)
      }
      return %b
    }
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from ..clone import Cloner
from ..control import nesting, owners
from ..effects import callees_first, recursive_functions
from ..graph import Block, Function, Location, Node, Program
from ..knobs import Budget
from .dce import remove_uncalled

SMALL = 60  # nodes of a function that is inlined wherever it is called
LARGE = 500  # nodes of one that is called from a single place
CALLER_LIMIT = 10_000  # nodes a caller may grow to
NESTING_LIMIT = 100
CHAIN_LIMIT = 24  # calls that a location may have come through


def inline(program: Program, budget: Budget) -> None:
    """Inlines in all functions, callees first; deletes those that are not called any more."""
    calls = Counter(node.attrs["function"] for each in program.functions for node in each.walk() if node.op == "call")
    recursive = recursive_functions(program)
    chains = dict.fromkeys(program.functions, 0)  # calls that were inlined into each other in a function
    for function in callees_first(program):
        size = _size(function)
        for node in [node for node in function.walk() if node.op == "call"]:
            callee = node.attrs["function"]
            added = _size(callee)
            limit = LARGE if calls[callee] == 1 else SMALL
            is_small = added <= limit and size + added <= CALLER_LIMIT
            is_short = chains[callee] < CHAIN_LIMIT
            if callee not in recursive and is_small and is_short and _fits(node, callee) and budget.take():
                inline_call(node)
                size += added
                chains[function] = max(chains[function], chains[callee] + 1)
    remove_uncalled(program, budget)


def inline_call(call: Node) -> None:
    """Replaces one call by a `block` with a copy of the callee's body."""
    callee: Function = call.attrs["function"]
    outer = call.block
    assert outer is not None
    located: dict[int, Location] = {}  # by identity: equal chains are long to compare

    def relocate(location: Location | None) -> Location | None:
        """The location, reached through the call; callers that nodes share stay shared."""
        if location is None:
            return call.location
        if id(location) not in located:
            located[id(location)] = replace(location, inlined_at=relocate(location.inlined_at))
        return located[id(location)]

    body = Block()
    block = Node("block", (), [call.result.type], {}, call.location)
    block.add_block(body)
    cloner = Cloner(relocate=relocate)
    cloner.values.update(zip(callee.body.params, call.operands))
    cloner.block_into(callee.body, body)
    for original in callee.walk():
        if original.op == "return":
            leaving = cloner.nodes[original]
            leaving.op, leaving.attrs = "break", {"target": block}
    outer.insert_before(call, block)
    block.result.name = call.result.name
    call.result.replace_uses(block.result)
    call.remove()


def _size(function: Function) -> int:
    return sum(1 for _ in function.walk())


def _fits(call: Node, callee: Function) -> bool:
    assert call.block is not None
    return len(list(owners(call.block))) + 1 + nesting(callee.body) <= NESTING_LIMIT
