"""Lowering of typed statements: control flow to structured blocks with explicit terminators.

In: typed statements. Out: nodes, blocks and terminators. Holds: the variables that a merge carries are its results, and
every path to it yields them in the merge's types; code behind a terminator is dropped.
"""

from __future__ import annotations

from collections.abc import Callable

from ...ir.graph import Node, Value
from ...ir.types import EXCEPTION, CellType
from ..compilation.frames import shown_name
from ..core import typed
from ..core.placeholders import settled
from ..core.typed import Carried
from .expressions import ExpressionLowering
from .function import Ended, Slot


class FunctionLowering(ExpressionLowering):
    """One method a class of typed statement: `lower_Branch`."""

    def run(self) -> None:
        for name, value in zip(self.spec.names, self.function.body.params):
            self.slots[name] = Slot(value, value.type)
        try:
            self.statements(self.spec.body)
        except Ended:
            pass
        if self.builder.is_open:
            self.builder.end("unreachable")

    def statements(self, body: list[typed.Stmt]) -> None:
        for statement in body:
            method: Callable[[typed.Stmt], None] = getattr(self, f"lower_{type(statement).__name__}")
            with self.builder.at(self.location(statement.span)):
                method(statement)

    def block(self, owner: Node, body: list[typed.Stmt], merges: list[Carried]) -> None:
        """Statements in a block of their own that yields the merged variables."""
        slots, temps = dict(self.slots), dict(self.temps)
        with self.builder.inside(self.builder.add_block(owner)):
            try:
                self.statements(body)
                self.builder.end("yield", [self.carry(item) for item in merges])
            except Ended:
                pass
        self.slots, self.temps = slots, temps

    def lower_Evaluate(self, node: typed.Evaluate) -> None:
        self.lower(node.value)

    def lower_Store(self, node: typed.Store) -> None:
        value = self.lower(node.value)
        if not value.name:
            value.name = shown_name(node.name)
        self.slots[node.name] = Slot(value, value.type)
        self.keep(node.name)

    def lower_Unbind(self, node: typed.Unbind) -> None:
        self.slots.pop(node.name, None)
        self.keep(node.name)

    def keep(self, name: str) -> None:
        """Shows handlers around this point what a variable is now."""
        for cells in self.cells:
            if name in cells:
                cell, item = cells[name]
                if item.is_maybe or name in self.slots:  # else nobody reads it any more
                    self.builder.node("cell_set", [cell, self.carry(item)])

    def lower_Try(self, node: typed.Try) -> None:
        cells: dict[str, tuple[Value, Carried]] = {}
        for item in node.cells:
            cells[item.name] = self.builder.op("cell", [self.carry(item)], CellType(self.carried_type(item))), item
        made = self.builder.node("try", [], list(map(self.carried_type, node.merges)))
        self.cells.append(cells)
        self.block(made, node.body, node.merges)
        self.cells.pop()
        slots, temps = dict(self.slots), dict(self.temps)
        handler = self.builder.add_block(made, [EXCEPTION])
        with self.builder.inside(handler):
            for name, (cell, item) in cells.items():
                value = self.builder.op("cell_get", [cell], self.carried_type(item))
                self.slots[name] = Slot(value, settled(item.type), item.is_maybe)
            self.slots[node.caught] = Slot(handler.params[0], EXCEPTION)
            try:
                self.statements(node.handler)
                self.builder.end("yield", [self.carry(item) for item in node.merges])
            except Ended:
                pass
        self.slots, self.temps = slots, temps
        self.end_if_closed(made)
        self.land(node.merges, made.results)

    def lower_Around(self, node: typed.Around) -> None:
        self.bodies.append(self.bodies[-2] if len(self.bodies) > 1 else (self.spec.name, None))
        try:
            self.statements(node.body)
        finally:
            self.bodies.pop()

    def lower_SetAttribute(self, node: typed.SetAttribute) -> None:
        owner = self.lower(node.object)
        value = self.lower(node.value)
        self.builder.node("set_attr", [owner, value], name=node.name)

    def lower_Branch(self, node: typed.Branch) -> None:
        condition = self.lower(node.condition)
        made = self.builder.node("if", [condition], list(map(self.carried_type, node.merges)))
        self.block(made, node.then, node.merges)
        self.block(made, node.otherwise, node.merges)
        self.end_if_closed(made)
        self.land(node.merges, made.results)

    def lower_Loop(self, node: typed.Loop) -> None:
        initial = [self.carry(item) for item in node.carried]
        kinds = list(map(self.carried_type, node.carried))
        made = self.builder.node("loop", initial, list(map(self.carried_type, node.merges)))
        self.targets[node] = made
        slots, temps = dict(self.slots), dict(self.temps)
        block = self.builder.add_block(made, kinds)
        with self.builder.inside(block):
            self.land(node.carried, block.params)
            try:
                self.statements(node.body)
                self.builder.end("unreachable")
            except Ended:
                pass
        self.slots, self.temps = slots, temps
        if not self.is_left(made):
            self.builder.end("unreachable")
            raise Ended
        self.land(node.merges, made.results)

    def lower_Once(self, node: typed.Once) -> None:
        made = self.builder.node("block", [], list(map(self.carried_type, node.merges)))
        self.targets[node] = made
        self.block(made, node.body, node.merges)
        if not self.is_left(made) and not self.yields(made):
            self.builder.end("unreachable")
            raise Ended
        self.land(node.merges, made.results)

    def is_left(self, made: Node) -> bool:
        """Whether a break goes to it."""
        pending = list(made.blocks)
        while pending:
            for inner in pending.pop().nodes:
                if inner.op == "break" and inner.attrs["target"] is made:
                    return True
                pending.extend(inner.blocks)
        return False

    def lower_Leave(self, node: typed.Leave) -> None:
        target = node.target
        items = target.carried if node.is_again and isinstance(target, typed.Loop) else target.merges
        values = [self.carry(item) for item in items]
        self.builder.end("continue" if node.is_again else "break", values, self.targets[target])
        raise Ended

    def lower_Return(self, node: typed.Return) -> None:
        value = self.recast(self.lower(node.value), settled(self.function.result))
        self.builder.end("return", [value])
        raise Ended
