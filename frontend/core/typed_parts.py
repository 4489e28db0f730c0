"""Walking typed trees: the statements and expressions in a node.

In: nodes of a typed tree. Out: their parts, in the order of their fields. Holds: what a jump leads to is no part of it.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any as PyAny

from . import typed
from .typed import Expr, Stmt


def parts_of(node: PyAny) -> list[PyAny]:
    """The statements, expressions and merges directly in a node of the tree."""
    found: list[PyAny] = []
    if isinstance(node, typed.Leave):
        return found
    for each in fields(node):
        value = getattr(node, each.name)
        if isinstance(value, (Expr, Stmt, typed.Carried)):
            found.append(value)
        elif isinstance(value, list):
            found += [item for item in value if isinstance(item, (Expr, Stmt, typed.Carried))]
    return found


def everything_in(root: PyAny) -> list[PyAny]:
    found, pending = [], [root]
    while pending:
        node = pending.pop()
        found.append(node)
        if not isinstance(node, (typed.Static, typed.Carried)):
            pending += parts_of(node)
    return found


def has_yield(root: PyAny) -> bool:
    return any(isinstance(node, typed.Suspend) for node in everything_in(root))


def lists_of(node: PyAny) -> list[list[Stmt]]:
    """The lists of statements directly in a statement."""
    names = ("body", "then", "otherwise", "handler")
    return [getattr(node, name) for name in names if isinstance(getattr(node, name, None), list)]


def lists_in(node: PyAny) -> list[list[Stmt]]:
    """The same, with those of the `Do`s that its expressions begin with."""
    found = lists_of(node)
    for value in expressions_in(node):
        while isinstance(value, typed.Do):
            found.append(value.body)
            value = value.value
    return found


def expressions_in(node: PyAny) -> list[Expr]:
    return [each for each in parts_of(node) if isinstance(each, Expr)]
