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
            for target in each.targets if isinstance(each, syntax.Assign) else ():
                if isinstance(target, syntax.Name):
                    self.given.setdefault(target.id, []).append(each.value)  # type: ignore[attr-defined]

    def is_one(self) -> bool:
        args = self.args
        if args.defaults or args.kwonlyargs or args.kwarg or args.posonlyargs or bool(args.args) == bool(args.vararg):
            return False
        allowed = (syntax.Assign, syntax.If, syntax.Return)
        statements = [each for each in self.nodes if isinstance(each, syntax.Statement)]
        if not all(isinstance(each, allowed) or is_text(each) or self.is_attempt(each) for each in statements):
            return False
        uses = sum(isinstance(each, syntax.Name) and each.id == self.table for each in self.nodes)
        calls = [each for each in self.nodes if isinstance(each, syntax.Call) and not self.is_look(each)]
        is_plain = uses == sum(map(self.is_use, self.nodes)) and len(calls) > 0 and all(map(self.is_call, calls))
        return uses > 0 and is_plain and all(map(self.is_given, self.returned())) and self.is_asked_by_key()

    def returned(self) -> list[syntax.Return]:
        return [each for each in self.nodes if isinstance(each, syntax.Return)]

    def is_given(self, node: syntax.Return) -> bool:
        """Whether it gives a result: what `table.get(key)` found only where that is not None."""
        if not isinstance(node.value, syntax.Name) or not any(map(self.is_look, self.given.get(node.value.id, []))):
            return self.is_result(node.value)
        name, (found, *others) = node.value.id, self.given[node.value.id]
        conditions = [each for each in self.nodes if isinstance(each, syntax.If)]
        asked = [each for each in conditions if is_none_test(each.test, name) is not None]
        if not self.is_look(found) or len(asked) != 1 or not all(map(self.is_result, others)):
            return False
        is_none = is_none_test(asked[0].test, name)
        inside = [part for each in asked[0].body for part in syntax.walk(each)]
        if not is_none:
            return not others and any(part is node for part in inside)
        return len(others) == 1 and not asked[0].orelse and any(
            isinstance(each, syntax.Assign) and each.value is others[0] for each in asked[0].body)

    def is_asked_by_key(self) -> bool:
        """Whether the only conditions are that the key is there, or is not, or what was found for it is None."""
        return all(isinstance(each.test, syntax.Compare) and (self.is_use(each.test) or any(
            is_none_test(each.test, name) is not None and any(map(self.is_look, values))
            for name, values in self.given.items())) for each in self.nodes if isinstance(each, syntax.If))

    def is_attempt(self, node: syntax.Node) -> bool:
        """`try: return table[key]`, with one handler of KeyError."""
        if not isinstance(node, syntax.Try) or len(node.handlers) != 1 or node.orelse or node.finalbody:
            return False
        handled = node.handlers[0].type
        first = node.body[0] if len(node.body) == 1 else None
        return isinstance(handled, syntax.Name) and handled.id == "KeyError" and isinstance(first, syntax.Return) and (
            first.value is not None and self.is_use(first.value))

    def is_look(self, node: syntax.Node) -> bool:
        """`table.get(key)`."""
        if not isinstance(node, syntax.Call) or not isinstance(node.func, syntax.Attribute) or node.func.attr != "get":
            return False
        is_one = len(node.args) == 1 and not node.keywords
        return is_one and self.is_table(node.func.value) and self.is_key(node.args[0])

    def is_use(self, node: syntax.Node) -> bool:
        """`key in table`, `table[key]`, `table[key] = result`, `table.get(key)`: one mention of the dict."""
        if self.is_look(node):
            return True
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


def is_none_test(node: syntax.Node, name: str) -> bool | None:
    """True for `name is None`, False for `name is not None`, None for all else."""
    if not isinstance(node, syntax.Compare) or len(node.ops) != 1 or node.ops[0] not in ("is", "is not"):
        return None
    other = node.comparators[0]
    if getattr(node.left, "id", "") != name or not isinstance(other, syntax.Constant) or other.value is not None:
        return None
    return node.ops[0] == "is"


def is_text(node: syntax.Node) -> bool:
    return isinstance(node, syntax.Expr) and isinstance(node.value, syntax.Constant)
