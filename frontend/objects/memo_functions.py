"""Functions outside scripts that a decorator of the program wrapped with a dict of their results.

In: the function that the decorator made, with its syntax. Out: the function whose results it keeps.
Holds: all that is done with the dict is to look for, take and put what the wrapped function gives for the arguments of
the call, under a key that is made of all of them; so a call cannot tell whether its result was there before.
"""

from __future__ import annotations

import inspect
from types import FunctionType
from typing import Any as PyAny

from ..parser import syntax
from .function_source import FunctionSource


def memoized(function: PyAny, source: FunctionSource) -> PyAny:
    """The function whose results a function keeps in a dict of its closure; None if it is no such function."""
    cells = bound_cells(function) if inspect.isfunction(function) else {}
    dicts = [name for name, value in cells.items() if type(value) is dict]
    wrapped = [name for name, value in cells.items() if inspect.isfunction(value)]
    if len(cells) != 2 or len(dicts) != 1 or len(wrapped) != 1:
        return None
    return cells[wrapped[0]] if Memo(source.node, dicts[0], wrapped[0]).is_one() else None


def bound_cells(function: FunctionType) -> dict[str, PyAny]:
    """The variables around a function that have a value by now."""
    found: dict[str, PyAny] = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
        try:
            found[name] = cell.cell_contents
        except ValueError:  # it is assigned later
            continue
    return found


class Memo:
    """What a wrapper's body does with the dict and the function that it has from around it."""

    def __init__(self, node: syntax.FunctionDef, table: str, wrapped: str) -> None:
        self.args = node.args
        self.table, self.wrapped = table, wrapped
        self.nodes = [inner for each in node.body for inner in syntax.walk(each)]
        self.given: dict[str, list[syntax.Node]] = {}
        for each in self.nodes:
            if isinstance(each, syntax.Assign) and len(each.targets) == 1 and isinstance(each.targets[0], syntax.Name):
                self.given.setdefault(each.targets[0].id, []).append(each.value)

    def is_one(self) -> bool:
        args = self.args
        if args.defaults or args.kwonlyargs or args.kwarg or args.posonlyargs or bool(args.args) == bool(args.vararg):
            return False
        allowed = (syntax.Assign, syntax.If, syntax.Return)
        statements = [each for each in self.nodes if isinstance(each, syntax.Statement)]
        if not all(isinstance(each, allowed) or is_text(each) for each in statements):
            return False
        uses = sum(isinstance(each, syntax.Name) and each.id == self.table for each in self.nodes)
        calls = [each for each in self.nodes if isinstance(each, syntax.Call)]
        return uses > 0 and uses == sum(map(self.is_use, self.nodes)) and all(map(self.is_call, calls)) and (
            all(map(self.is_result, self.returned())) and self.is_asked_by_key())

    def returned(self) -> list[syntax.Expression | None]:
        return [each.value for each in self.nodes if isinstance(each, syntax.Return)]

    def is_asked_by_key(self) -> bool:
        """Whether the only conditions are that the key is there, or is not."""
        return all(isinstance(each.test, syntax.Compare) and self.is_use(each.test) for each in self.nodes if (
            isinstance(each, syntax.If)))

    def is_use(self, node: syntax.Node) -> bool:
        """`key in table`, `table[key]`, `table[key] = result`: one mention of the dict."""
        if isinstance(node, syntax.Compare):
            return len(node.ops) == 1 and node.ops[0] in ("in", "not in") and self.is_key(node.left) and (
                self.is_table(node.comparators[0]))
        if isinstance(node, syntax.Subscript) and self.is_table(node.value):
            return self.is_key(node.slice) and all(
                self.is_result(each.value) for each in self.nodes if isinstance(each, syntax.Assign) and (
                    node in each.targets))
        return False

    def is_table(self, node: syntax.Node) -> bool:
        return isinstance(node, syntax.Name) and node.id == self.table

    def once(self, node: syntax.Node | None) -> syntax.Node | None:
        """The value of a variable that is assigned once."""
        values = self.given.get(node.id, []) if isinstance(node, syntax.Name) else []
        return values[0] if len(values) == 1 else node

    def is_key(self, node: syntax.Node) -> bool:
        """Whether it stands for all arguments: `n`, `(a, b)`, `args`."""
        value = self.once(node)
        names = [each.arg for each in self.args.args]
        if isinstance(value, syntax.Tuple):
            return bool(names) and [getattr(each, "id", "") for each in value.elts] == names
        if not isinstance(value, syntax.Name):
            return False
        return value.id == self.args.vararg.arg if self.args.vararg is not None else [value.id] == names

    def is_call(self, node: syntax.Call) -> bool:
        """Whether it calls the wrapped function with the arguments as they came."""
        if not isinstance(node.func, syntax.Name) or node.func.id != self.wrapped or node.keywords:
            return False
        if self.args.vararg is not None:
            only = node.args[0] if len(node.args) == 1 else None
            return isinstance(only, syntax.Starred) and getattr(only.value, "id", "") == self.args.vararg.arg
        return [getattr(each, "id", "") for each in node.args] == [each.arg for each in self.args.args]

    def is_result(self, node: syntax.Node | None) -> bool:
        value = self.once(node)
        if isinstance(value, syntax.Call):
            return self.is_call(value)
        return isinstance(value, syntax.Subscript) and self.is_table(value.value) and self.is_key(value.slice)


def is_text(node: syntax.Node) -> bool:
    return isinstance(node, syntax.Expr) and isinstance(node.value, syntax.Constant)
