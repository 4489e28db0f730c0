"""Lowering of typed expressions: each becomes nodes in the current block and one value.

In: typed expressions. Out: SSA values. Holds: operands are lowered from left to right; an expression that never yields
ends its block and raises Ended.
"""

from __future__ import annotations

from collections.abc import Callable

from ...ir.graph import Node, Value
from ...ir.types import BOOL, EXCEPTION, NONE, Type
from ..core import typed
from ..core.placeholders import settled
from ..core.typed import ERROR, NEVER, Carried
from ..objects.class_state import STATE
from .function import Ended, LoweringBase, Slot, declare


class ExpressionLowering(LoweringBase):
    """One method a class of typed expression: `lower_Const`."""

    def lower(self, node: typed.Expr) -> Value:
        """The value of an expression. Raises Ended if there is none."""
        if node.type == ERROR:
            raise AssertionError(f"an error at {node.span} was not reported")
        method: Callable[[typed.Expr], Value] = getattr(self, f"lower_{type(node).__name__}")
        with self.builder.at(self.location(node.span)):
            return method(node)

    def statements(self, body: list[typed.Stmt]) -> None:
        raise NotImplementedError

    def lower_Const(self, node: typed.Const) -> Value:
        return self.builder.const(node.value, settled(node.type))

    def lower_Read(self, node: typed.Read) -> Value:
        slot = self.slots[node.name]
        if node.is_checked:
            self.check_bound(slot, *node.unbound_error)
        return self.recast(self.unwrap(slot), node.type)

    def check_bound(self, slot: Slot, error: str, text: str) -> None:
        assert slot.value is not None and slot.is_maybe
        is_none = self.builder.node("is_type", [slot.value], [BOOL], type=NONE).result
        node = self.builder.node("if", [is_none])
        fail, go_on = self.builder.add_block(node), self.builder.add_block(node)
        with self.builder.inside(fail):
            self.throw(error, self.builder.const(text))
        with self.builder.inside(go_on):
            self.builder.end("yield")

    def throw(self, name: str, message: Value) -> None:
        exception = self.builder.op("exception.new", [self.builder.const(name), message], EXCEPTION)
        self.builder.end("raise", [exception])

    def lower_ReadTemp(self, node: typed.ReadTemp) -> Value:
        return self.recast(self.temps[node.temp], node.type)

    def lower_Let(self, node: typed.Let) -> Value:
        self.temps[node.temp] = self.lower(node.value)
        return self.lower(node.body)

    def lower_Operate(self, node: typed.Operate) -> Value:
        operands = [self.lower(operand) for operand in node.operands]
        kinds = [settled(kind) for kind in node.result_types]
        made = self.builder.node(node.row.full_name, operands, kinds)
        if len(made.results) == 1:
            return made.result
        if not made.results:
            return self.builder.const(None)
        return self.builder.op("tuple", made.results, settled(node.type))

    def lower_Recast(self, node: typed.Recast) -> Value:
        return self.recast(self.lower(node.value), node.type)

    def lower_Invoke(self, node: typed.Invoke) -> Value:
        operands = [self.lower(operand) for operand in node.operands]
        value = self.builder.call(declare(self.session, node.callee), operands)
        if node.callee.generator is None and settled(node.callee.result) == NEVER:
            self.builder.end("unreachable")
            raise Ended
        return value

    def lower_CallGraph(self, node: typed.CallGraph) -> Value:
        return self.builder.call(node.function, [self.lower(operand) for operand in node.operands])

    def lower_MakeTuple(self, node: typed.MakeTuple) -> Value:
        items = [self.lower(item) for item in node.items]
        return self.builder.op("tuple", items, settled(node.type))

    def lower_TupleItem(self, node: typed.TupleItem) -> Value:
        whole = self.lower(node.value)
        return self.builder.node("tuple_get", [whole], [settled(node.type)], index=node.index).result

    def lower_MakeList(self, node: typed.MakeList) -> Value:
        kind = settled(node.type)
        return self.builder.op("list", [self.lower(item) for item in node.items], kind)

    def lower_Outside(self, node: typed.Outside) -> Value:
        block = self.builder.block
        before = len(block.nodes)
        value = self.lower(node.value)
        self.session.outside[value] = node.shown
        self.session.copying.update(block.nodes[before:])
        return value

    def lower_MakeSet(self, node: typed.MakeSet) -> Value:
        kind = settled(node.type)
        return self.builder.op("set", [self.lower(item) for item in node.items], kind)

    def lower_MakeDict(self, node: typed.MakeDict) -> Value:
        kind = settled(node.type)
        return self.builder.op("dict", [self.lower(item) for item in node.items], kind)

    def lower_MakeObject(self, node: typed.MakeObject) -> Value:
        return self.builder.op("new", [], settled(node.type))

    def lower_ClassObject(self, node: typed.ClassObject) -> Value:
        readers = self.session.class_readers
        if self.function not in readers:
            readers[self.function] = Value(node.type, self.function.body, 0, STATE)
        return readers[self.function]

    def lower_GetAttribute(self, node: typed.GetAttribute) -> Value:
        owner = self.lower(node.value)
        return self.builder.node("get_attr", [owner], [settled(node.type)], name=node.name).result

    def lower_IsType(self, node: typed.IsType) -> Value:
        value = self.lower(node.value)
        return self.builder.node("is_type", [value], [BOOL], type=settled(node.arm)).result

    def lower_Raise(self, node: typed.Raise) -> Value:
        self.throw(node.name, self.lower(node.message))
        raise Ended

    def lower_Throw(self, node: typed.Throw) -> Value:
        self.builder.end("raise", [self.lower(node.value)])
        raise Ended

    def lower_Choose(self, node: typed.Choose) -> Value:
        condition = self.lower(node.condition)
        kind = settled(node.type)
        results = [] if kind == NEVER else [kind]
        made = self.builder.node("if", [condition], [*results, *map(self.carried_type, node.merges)])
        for arm in (node.then, node.otherwise):
            self.arm(made, arm, results, node.merges)
        self.end_if_closed(made)
        self.land(node.merges, made.results[len(results) :])
        if not results:
            self.builder.end("unreachable")
            raise Ended
        return made.result

    def arm(self, owner: Node, value: typed.Expr, results: list[Type], merges: list[Carried]) -> None:
        """One side of a choice, in a block of its own."""
        slots, temps = dict(self.slots), dict(self.temps)
        with self.builder.inside(self.builder.add_block(owner)):
            try:
                result = self.lower(value)
                self.builder.end("yield", [result, *(self.carry(item) for item in merges)])
            except Ended:
                pass
        self.slots, self.temps = slots, temps

    def end_if_closed(self, made: Node) -> None:
        """`unreachable` behind a node that none of its blocks leaves by a yield."""
        if not self.yields(made):
            self.builder.end("unreachable")
            raise Ended

    def yields(self, made: Node) -> bool:
        return any(block.nodes and block.nodes[-1].op == "yield" for block in made.blocks)

    def lower_Do(self, node: typed.Do) -> Value:
        self.statements(node.body)
        return self.lower(node.value)

    def lower_Inside(self, node: typed.Inside) -> Value:
        self.bodies.append((node.name, self.location(node.span)))
        try:
            self.statements(node.body)
        finally:
            self.bodies.pop()
        return self.lower(node.value)


