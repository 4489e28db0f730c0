"""The program in memory: Program > Function > Block > Node > Value.

In: the front ends and the readers build it with `Builder`. Out: printer, verifier, passes and writer walk it.
Holds: every block ends in one END node; a Value knows its uses, so replacing and deleting are local operations.
A node's `op` is a structural node ("if") or an operator's full name ("add.Tensor", "relu").
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any as PyAny

from .types import Type


@dataclass(frozen=True, slots=True)
class Location:
    """A range of Python source. `inlined_at` is the call through which this code came here, outermost last."""

    file: str
    line: int
    column: int = 1
    end_line: int = 0
    end_column: int = 0
    function: str = ""
    inlined_at: Location | None = None

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


class Value:
    """One definition: a parameter of a function or block, or a result of a node."""

    __slots__ = ("index", "name", "owner", "type", "uses")

    def __init__(self, kind: Type, owner: Node | Block | Function, index: int, name: str = "") -> None:
        self.type = kind
        self.owner = owner
        self.index = index
        self.name = name  # the user's variable, "" for a temporary
        self.uses: list[Node] = []  # one entry an operand position

    @property
    def node(self) -> Node | None:
        """The node that computes it; None for a parameter."""
        return self.owner if isinstance(self.owner, Node) else None

    def replace_uses(self, other: Value) -> None:
        """Makes every user of this value use `other`."""
        for node in list(dict.fromkeys(self.uses)):
            for position, operand in enumerate(node.operands):
                if operand is self:
                    node.set_operand(position, other)

    def __repr__(self) -> str:
        return f"%{self.name or '?'}: {self.type}"


class Node:
    """One step. `attrs` holds what is not a value, by kind:

    const {"value": PyAny, typed by the result}   call {"function": Function}   get_attr, set_attr {"name": str}
    tuple_get {"index": int}   is_type {"type": Type}   break, continue {"target": Node}: the loop or block it leaves
    """

    __slots__ = ("attrs", "block", "blocks", "location", "op", "operands", "results")

    def __init__(
        self,
        op: str,
        operands: Sequence[Value] = (),
        result_types: Sequence[Type] = (),
        attrs: dict[str, PyAny] | None = None,
        location: Location | None = None,
    ) -> None:
        self.op = op
        self.operands: list[Value] = []
        self.results = [Value(kind, self, i) for i, kind in enumerate(result_types)]
        self.blocks: list[Block] = []
        self.attrs = attrs if attrs is not None else {}
        self.location = location
        self.block: Block | None = None
        for operand in operands:
            self.add_operand(operand)

    @property
    def result(self) -> Value:
        return self.results[0]

    @property
    def is_terminator(self) -> bool:
        return self.op in TERMINATORS

    def add_operand(self, value: Value) -> None:
        self.operands.append(value)
        value.uses.append(self)

    def set_operand(self, position: int, value: Value) -> None:
        self.operands[position].uses.remove(self)
        self.operands[position] = value
        value.uses.append(self)

    def set_operands(self, values: Sequence[Value]) -> None:
        for operand in self.operands:
            operand.uses.remove(self)
        self.operands = []
        for value in values:
            self.add_operand(value)

    def add_block(self, block: Block) -> Block:
        block.owner = self
        self.blocks.append(block)
        return block

    def remove(self) -> None:
        """Takes the node (and what its blocks hold) out of the graph. Its results must have no uses."""
        for block in self.blocks:
            for inner in reversed(list(block.nodes)):
                inner.remove()
        self.set_operands(())
        if self.block is not None:
            self.block.nodes.remove(self)
            self.block = None

    def __repr__(self) -> str:
        return f"<{self.op}({', '.join(map(repr, self.operands))})>"


class Block:
    """Nodes in order, the last a terminator. `owner` is the node that holds it, or the function."""

    __slots__ = ("nodes", "owner", "params")

    def __init__(self, param_types: Sequence[Type] = (), owner: Node | Function | None = None) -> None:
        self.params = [Value(kind, self, i) for i, kind in enumerate(param_types)]
        self.nodes: list[Node] = []
        self.owner = owner

    def add_param(self, kind: Type, name: str = "") -> Value:
        value = Value(kind, self, len(self.params), name)
        self.params.append(value)
        return value

    def append(self, node: Node) -> Node:
        node.block = self
        self.nodes.append(node)
        return node

    def insert_before(self, anchor: Node, node: Node) -> Node:
        node.block = self
        self.nodes.insert(self.nodes.index(anchor), node)
        return node

    @property
    def terminator(self) -> Node | None:
        return self.nodes[-1] if self.nodes and self.nodes[-1].is_terminator else None

    @property
    def function(self) -> Function:
        owner = self.owner
        while not isinstance(owner, Function):
            assert owner is not None and owner.block is not None
            owner = owner.block.owner
        return owner


@dataclass(slots=True)
class Param:
    """What a caller needs to know of a method's parameter. `default` is a Python value if `has_default`."""

    name: str
    type: Type
    has_default: bool = False
    default: PyAny = None
    is_keyword_only: bool = False


@dataclass(eq=False, slots=True)
class Function:
    """A function of the program. The body's parameters are the function's, self first if `has_self`."""

    name: str  # unique in its program: "forward", "Net.forward"
    params: list[Param]
    result: Type
    body: Block = field(default_factory=Block)
    has_self: bool = False
    doc: str = ""
    location: Location | None = None

    def __post_init__(self) -> None:
        self.body.owner = self
        if not self.body.params:
            for param in self.params:
                self.body.add_param(param.type, param.name)

    def walk(self) -> Iterator[Node]:
        """All nodes, a node before those of its blocks."""
        return walk(self.body)


@dataclass(slots=True)
class Method:
    """An entry point: `function` called with the root object first if it has a self."""

    name: str
    function: Function
    params: list[Param]  # without self
    mutates: frozenset[int] = frozenset()  # indices into params that a call may change
    doc: str = ""
    residents: frozenset[str] = frozenset()  # params, and "return", that both sides may keep; in files as metadata


@dataclass(slots=True)
class Program:
    """All that a file holds. `root` describes the initial state, see `ir.state`."""

    functions: list[Function] = field(default_factory=list)
    methods: dict[str, Method] = field(default_factory=dict)
    root: PyAny = None  # ir.state.ObjectState or None
    metadata: dict[str, str] = field(default_factory=dict)
    extra_files: dict[str, bytes] = field(default_factory=dict)
    sources: dict[str, str] = field(default_factory=dict)  # file name -> text
    exceptions: dict[str, type[BaseException]] = field(default_factory=dict)  # user classes by text; not in files
    classes: dict[str, type] = field(default_factory=dict)  # Python's, by name of the type; not in files
    hosts: dict[str, PyAny] = field(default_factory=dict)  # binding.hosts.HostFunction by name; not in files

    def function(self, name: str) -> Function:
        for function in self.functions:
            if function.name == name:
                return function
        raise KeyError(name)

    def copy(self) -> Program:
        """A program whose graphs can be changed without changing this one's; types and state are shared."""
        from .clone import clone_program

        return clone_program(self)


TERMINATORS = frozenset(("yield", "break", "continue", "return", "raise", "unreachable"))


def walk(block: Block) -> Iterator[Node]:
    """All nodes of a block and of the blocks inside it, in the order of the text; the current one may be removed."""
    around: list[Iterator[Node]] = []
    nodes = iter(block.nodes[:])
    while True:
        for node in nodes:
            yield node
            if node.blocks:
                around.append(nodes)
                around += [iter(inner.nodes[:]) for inner in reversed(node.blocks)]
                break
        if not around:
            return
        nodes = around.pop()
