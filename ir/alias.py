"""Which values may share memory, and what may write it: the one alias analysis of all passes.

In: a function and the program's effect summaries. Out: answers about its values.
Holds: every mutable value has a region, regions that may overlap are one (Steensgaard), and a region knows the region
of what its values contain. What comes from outside of the function is one region that contains itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from .effects import Summaries, is_deep_write
from .graph import Function, Node, Value, walk
from .operators import OPERATORS, Operator
from .types import ANY, EXCEPTION, ClassType, TensorType, TupleType, Type, unrefined


class _Region:
    __slots__ = ("contents", "parent")

    def __init__(self) -> None:
        self.parent: _Region | None = None
        self.contents: _Region | None = None

    def find(self) -> _Region:
        region = self
        while region.parent is not None:
            region = region.parent
        if region is not self:
            self.parent = region
        return region


class Aliases:
    """Aliases within one function."""

    def __init__(self, function: Function, summaries: Summaries) -> None:
        self.summaries = summaries
        self.outside = _Region()
        self.outside.contents = self.outside
        self.regions: dict[Value, _Region] = {}
        self.writers: list[Node] = []
        for param in function.body.params:
            self._same(param, self.outside)
        for node in function.walk():
            self._flow(node)
            if summaries.of(node).writes:
                self.writers.append(node)

    # Questions

    def may_alias(self, left: Value, right: Value) -> bool:
        """Whether the two may be, or may be views of, one piece of memory."""
        if not (left.type.is_mutable and right.type.is_mutable):
            return False
        return self._of(left) is self._of(right) and _meet(self._heads(left.type), self._heads(right.type))

    def may_write(self, node: Node, value: Value, attribute: str | None = None) -> bool:
        """Whether the node, or one in its blocks, may change what `value` holds or can reach; with `attribute`, only
        that attribute of the instance."""
        return self.may_be_written_by(self.writers_within(node), value, attribute)

    def writers_within(self, node: Node) -> list[Node]:
        """The node and those in its blocks that write anything."""
        return [inner for inner in _with_inner(node) if self.summaries.of(inner).writes]

    def may_be_written_by(self, writers: list[Node], value: Value, attribute: str | None = None) -> bool:
        """Whether one of these nodes may change what `value` holds or can reach, or that attribute of it."""
        return any(self._may_write(writer, value, attribute) for writer in writers)

    def may_be_written_between(self, value: Value, first: Node, last: Node) -> bool:
        """The same for all nodes after `first` and before `last`, which follows it in the same block."""
        assert first.block is not None and first.block is last.block
        nodes = first.block.nodes
        between = nodes[nodes.index(first) + 1 : nodes.index(last)]
        return any(self.may_write(node, value) for node in between)

    def is_never_written(self, value: Value) -> bool:
        """Whether nothing in the function may change what the value holds or can reach."""
        return not any(self._may_write(node, value, None) for node in self.writers)

    def _may_write(self, node: Node, value: Value, attribute: str | None) -> bool:
        if attribute is not None and node.op == "set_attr" and node.attrs["name"] != attribute:
            return False
        for position in self.summaries.of(node).writes:
            if position >= len(node.operands):
                continue
            written = node.operands[position]
            is_deep = node.op == "call" or is_deep_write(node)
            wrote = self._heads(written.type) if is_deep else _direct(written.type)
            read = self._heads(value.type) if attribute is None else _direct(value.type)
            if _meet(wrote, read) and self._reach(written, is_deep) & self._reach(value, attribute is None):
                return True
        return False

    def _heads(self, kind: Type) -> frozenset[Type]:
        """Mutable types of all that can be reached from a value of the type; found once for a pass."""
        found = self.summaries.reachable.get(kind)
        if found is None:
            found = self.summaries.reachable[kind] = _heads(kind)
        return found

    # Regions

    def _of(self, value: Value) -> _Region:
        region = self.regions.get(value)
        if region is None:
            region = self.regions[value] = _Region()
        return region.find()

    def _contents(self, region: _Region) -> _Region:
        region = region.find()
        if region.contents is None:
            region.contents = _Region()
        return region.contents.find()

    def _unify(self, left: _Region, right: _Region) -> None:
        pending = [(left, right)]
        while pending:
            left, right = (region.find() for region in pending.pop())
            if left is right:
                continue
            left.parent = right
            if left.contents is not None and right.contents is not None:
                pending.append((left.contents, right.contents))
            right.contents = right.contents or left.contents

    def _same(self, value: Value, region: _Region) -> None:
        if value.type.is_mutable:
            self._unify(self._of(value), region)

    def _hold(self, container: Value, value: Value) -> None:
        self._same(value, self._contents(self._of(container)))

    def _reach(self, value: Value, is_deep: bool) -> set[_Region]:
        region = self._of(value)
        found = {region}
        while is_deep and region.contents is not None and region.contents.find() not in found:
            region = region.contents.find()
            found.add(region)
        return found

    # Flow

    def _flow(self, node: Node) -> None:
        op, operands = node.op, node.operands
        if op in ("list", "dict", "set", "tuple", "cell"):
            for operand in operands:
                self._hold(node.result, operand)
        elif op in ("tuple_get", "get_attr", "cell_get"):
            self._hold(operands[0], node.result)
        elif op in ("set_attr", "cell_set"):
            self._hold(operands[0], operands[1])
        elif op in ("widen", "narrow"):
            if operands[0].type.is_mutable:
                self._same(node.result, self._of(operands[0]))
        elif op in ("call", "const", "raise"):
            for value in (*operands, *node.results):
                self._same(value, self.outside)
        elif op == "try":
            self._same(node.blocks[1].params[0], self.outside)
        elif op in ("loop", "fused"):
            self._flow_all(operands, node.blocks[0].params)
        elif op == "break":
            self._flow_all(operands, node.attrs["target"].results)
        elif op == "continue":
            self._flow_all(operands, node.attrs["target"].blocks[0].params)
        elif op == "yield" and node.block is not None and isinstance(node.block.owner, Node):
            self._flow_all(operands, node.block.owner.results)
        elif op in OPERATORS:
            self._flow_operator(node, OPERATORS[op])

    def _flow_all(self, sources: list[Value], targets: list[Value]) -> None:
        for source, target in zip(sources, targets):
            if source.type.is_mutable:
                self._same(target, self._of(source))

    def _flow_operator(self, node: Node, operator: Operator) -> None:
        schema = operator.schema
        mutable = [operand for operand in node.operands if operand.type.is_mutable]
        for result, alias in zip(node.results, schema.result_aliases):
            if not result.type.is_mutable or "FRESH" in operator.traits:
                continue
            pairs = zip(node.operands, schema.params)
            marked = [value for value, param in pairs if alias and param.alias == alias]
            for operand in marked:
                is_list = not isinstance(result.type, type(operand.type))
                target = self._contents(self._of(result)) if is_list else self._of(result)
                self._same(operand, target)
            for operand in mutable if not marked else ():  # it may hold, or be, what they contain
                self._unify(self._contents(self._of(operand)), self._contents(self._of(result)))
                self._unify(self._contents(self._of(operand)), self._of(result))
        if "MUTATES" in operator.traits and mutable and not isinstance(mutable[0].type, TensorType):
            for operand in mutable[1:]:
                self._hold(mutable[0], operand)
                self._unify(self._contents(self._of(mutable[0])), self._contents(self._of(operand)))
        if "DEEP" in operator.traits:  # what it is given may come to hold anything else that it is given
            for operand in mutable:
                held = self._contents(self._of(operand))
                self._unify(held, self._contents(held))


def _with_inner(node: Node) -> Iterator[Node]:
    yield node
    for block in node.blocks:
        yield from walk(block)


def _meet(left: frozenset[Type], right: frozenset[Type]) -> bool:
    return not (_ANYTHING.isdisjoint(left) and _ANYTHING.isdisjoint(right)) or not left.isdisjoint(right)


_ANYTHING = frozenset((ANY, EXCEPTION))  # what values of these types hold may be of any type


@cache
def _direct(kind: Type) -> frozenset[Type]:
    """Mutable types that a value of the type may itself be."""
    kind = unrefined(kind)
    if isinstance(kind, TupleType) or (kind.members and kind.is_mutable and type(kind).__name__ in _UNIONS):
        return frozenset[Type]().union(*(_direct(member) for member in kind.members))
    return frozenset((kind,)) if kind.is_mutable else frozenset()


_UNIONS = ("OptionalType", "UnionType", "NamedTupleType")


def _heads(kind: Type) -> frozenset[Type]:
    """Mutable types of all that can be reached from a value of the type."""
    found: set[Type] = set()
    pending, seen = [kind], {kind}
    while pending:
        current = pending.pop()
        found |= _direct(current)
        members = current.attributes.values() if isinstance(current, ClassType) else current.members
        for member in members:
            if member not in seen:
                seen.add(member)
                pending.append(member)
    return frozenset(found)
