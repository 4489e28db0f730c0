"""Yields in the middle of expressions.

In: a typed expression with a Suspend in it. Out: statements up to it, and an expression without it.
Holds: operands that stand before the yield are evaluated before it, into variables, which last while the generator
waits. What has a yield in a part that is not always evaluated stays as it is.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any as PyAny

from ..core import typed
from ..core.typed import NEVER, Const, Expr, Read, Stmt
from ..core.typed_parts import has_yield

ORDERED: dict[type, tuple[str, ...]] = {  # expressions that evaluate all of these parts first, in this order
    typed.Operate: ("operands",), typed.Invoke: ("operands",), typed.MakeTuple: ("items",), typed.MakeList: ("items",),
    typed.MakeSet: ("items",), typed.MakeDict: ("items",), typed.Recast: ("value",), typed.TupleItem: ("value",),
    typed.GetAttribute: ("value",), typed.IsType: ("value",), typed.Throw: ("value",), typed.Raise: ("message",),
    typed.Choose: ("condition",), typed.Let: ("value",),
}


class Lifting:
    """Of the expressions of one body."""

    def __init__(self) -> None:
        self.count = 0

    def lifted(self, value: Expr) -> tuple[list[Stmt], Expr]:
        if not has_yield(value):
            return [], value
        if type(value) is typed.Do:
            steps, rest = self.lifted(value.value)
            return [*value.body, *steps], rest
        parts = [(name, getattr(value, name)) for name in ORDERED.get(type(value), ())]
        operands = [one for _, part in parts for one in (part if isinstance(part, list) else [part])]
        last = max((i for i, one in enumerate(operands) if has_yield(one)), default=-1)
        if any(one.type == NEVER or isinstance(one, typed.Static) for one in operands[:last]):
            return [], value
        steps, held = self.up_to(operands, last)
        changed: dict[str, PyAny] = {}
        for name, part in parts:
            size = len(part) if isinstance(part, list) else 1
            changed[name] = held[:size] if isinstance(part, list) else held[0]
            held = held[size:]
        return steps, replace(value, **changed)

    def up_to(self, operands: list[Expr], last: int) -> tuple[list[Stmt], list[Expr]]:
        """What is evaluated up to the last operand with a yield, and the operands."""
        made: list[Stmt] = []
        held: list[Expr] = []
        for i, one in enumerate(operands):
            steps, one = self.lifted(one)
            made += steps
            if i < last and not isinstance(one, Const):
                self.count += 1
                name = f".lifted{self.count}"
                made.append(typed.Store(one.span, name, one))
                one = Read(one.type, one.span, name)
            held.append(one)
        return made, held
