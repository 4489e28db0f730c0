"""Copies of programs, functions and blocks; types and state descriptions are shared.

In: graph. Out: graph with its own nodes and values; `Cloner.values` maps old values to new ones.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from .graph import Block, Function, Location, Method, Node, Program, Value


class Cloner:
    """Copies blocks. `relocate` gives the location of each copy, `functions` what calls then lead to."""

    def __init__(
        self,
        functions: dict[Function, Function] | None = None,
        relocate: Callable[[Location | None], Location | None] = lambda location: location,
    ) -> None:
        self.functions = functions or {}
        self.relocate = relocate
        self.values: dict[Value, Value] = {}
        self.nodes: dict[Node, Node] = {}

    def block_into(self, source: Block, target: Block) -> None:
        """Appends copies of the nodes of `source`, whose parameters `values` already maps."""
        for node in source.nodes:
            target.append(self.node(node))

    def node(self, source: Node) -> Node:
        operands = [self.values.get(operand, operand) for operand in source.operands]
        kinds = [result.type for result in source.results]
        copy = Node(source.op, operands, kinds, dict(source.attrs), self.relocate(source.location))
        self.nodes[source] = copy
        function, target = source.attrs.get("function"), source.attrs.get("target")
        if isinstance(function, Function):
            copy.attrs["function"] = self.functions.get(function, function)
        if isinstance(target, Node):
            copy.attrs["target"] = self.nodes.get(target, target)
        for block in source.blocks:
            inner = copy.add_block(Block())
            for param in block.params:
                self.values[param] = inner.add_param(param.type, param.name)
            self.block_into(block, inner)
        for old, new in zip(source.results, copy.results):
            new.name = old.name
            self.values[old] = new
        return copy


def clone_function(source: Function, target: Function, cloner: Cloner) -> None:
    """Fills `target`, which has the parameters, with a copy of the body of `source`."""
    cloner.values.update(zip(source.body.params, target.body.params))
    for old, new in zip(source.body.params, target.body.params):
        new.name, new.type = old.name, old.type
    cloner.block_into(source.body, target.body)


def clone_program(source: Program) -> Program:
    """A program whose graphs can be changed without changing the source's."""
    functions = {
        function: Function(
            function.name, [replace(param) for param in function.params], function.result, Block(), function.has_self,
            function.doc, function.location,
        )
        for function in source.functions
    }  # fmt: skip
    for old, new in functions.items():
        clone_function(old, new, Cloner(functions))
    methods = {}
    for name, method in source.methods.items():
        params = [replace(param) for param in method.params]
        methods[name] = Method(name, functions[method.function], params, method.mutates, method.doc, method.residents)
    return Program(
        list(functions.values()), methods, source.root, dict(source.metadata), dict(source.extra_files),
        dict(source.sources), dict(source.exceptions), hosts=dict(source.hosts),
    )  # fmt: skip
