"""Makes a program that shows a difference smaller, as long as it shows the same one.

In: source text with `CALLS`, and a test whether a text still shows the difference. Out: text from which no statement,
call, or part of an expression can be left out by one step. Holds: a candidate is always valid Python syntax.
"""

from __future__ import annotations

import ast
import copy
import time
from collections.abc import Callable, Iterator

BLOCKS = ("body", "orelse", "finalbody")
KEPT = ("main", "Model")


def shrink(text: str, shows: Callable[[str], bool], seconds: float = 90) -> str:
    """Greedy: takes the first smaller program that still shows the difference, from the top again, until none does."""
    end = time.monotonic() + seconds
    best = ast.parse(text)
    changed = True
    while changed and time.monotonic() < end:
        changed = False
        number = 0
        while time.monotonic() < end:
            candidate = nth_candidate(best, number)
            if candidate is None:
                break
            if is_smaller(candidate, best) and shows(ast.unparse(candidate)):
                best, changed = candidate, True
            else:
                number += 1
    return ast.unparse(best)


def is_smaller(new: ast.AST, old: ast.AST) -> bool:
    return len(ast.unparse(new)) < len(ast.unparse(old))


def nth_candidate(tree: ast.Module, number: int) -> ast.Module | None:
    """A copy of the tree with its nth simplification done; None past the last."""
    new = copy.deepcopy(tree)
    for place, edit in enumerate(edits(new)):
        if place == number:
            edit()
            return ast.fix_missing_locations(new)
    return None


def edits(tree: ast.Module) -> Iterator[Callable[[], object]]:
    """Larger ones first: statements, then blocks in place of their owner, then expressions."""
    nodes = list(ast.walk(tree))
    for node in nodes:
        for field in BLOCKS if not isinstance(node, ast.Lambda) else ():
            statements = getattr(node, field, None)
            if isinstance(statements, list):
                yield from block_edits(node, field, statements)
    for node in nodes:
        yield from expression_edits(node)


def block_edits(owner: ast.AST, field: str, statements: list[ast.stmt]) -> Iterator[Callable[[], object]]:
    if isinstance(owner, ast.Module):
        for statement in [s for s in statements if isinstance(s, ast.FunctionDef | ast.ClassDef) and s.name not in KEPT]:
            yield lambda statement=statement: statements.remove(statement)
        return
    if isinstance(owner, ast.FunctionDef) and owner.name == "__init__":
        return
    if field in ("orelse", "finalbody") and statements:
        yield lambda: statements.clear()
    for index in range(len(statements) - 1, -1, -1):
        statement = statements[index]
        if len(statements) > 1 or field != "body":
            yield lambda index=index: statements.pop(index)
        else:
            yield lambda: statements.__setitem__(0, ast.Pass())
        for inner in BLOCKS:
            nested = getattr(statement, inner, None)
            if isinstance(nested, list) and nested and not isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
                yield lambda index=index, nested=nested: statements.__setitem__(slice(index, index + 1), nested)


def expression_edits(node: ast.AST) -> Iterator[Callable[[], object]]:
    """An expression becomes one of its parts, or a small constant; a list of parts loses one."""
    if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.arguments, ast.arg, ast.ImportFrom)):
        return
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "func", "format_spec"):
            continue
        if isinstance(value, ast.expr) and not isinstance(getattr(value, "ctx", None), (ast.Store, ast.Del)):
            for part in parts(value):
                yield lambda field=field, part=part: setattr(node, field, part)
        elif isinstance(value, list) and value and isinstance(value[0], ast.expr):
            for index, item in enumerate(value):
                if isinstance(node, (ast.List, ast.Tuple, ast.JoinedStr)) and len(value) > 1:
                    yield lambda value=value, index=index: value.pop(index)
                for part in parts(item) if not isinstance(node, ast.JoinedStr) else ():
                    yield lambda value=value, index=index, part=part: value.__setitem__(index, part)
        elif isinstance(node, ast.comprehension) and field == "ifs" and value:
            yield lambda value=value: value.clear()


def parts(value: ast.expr) -> Iterator[ast.expr]:
    if isinstance(value, ast.Name | ast.Constant):
        return
    for child in ast.iter_child_nodes(value):
        if isinstance(child, ast.expr) and isinstance(getattr(child, "ctx", ast.Load()), ast.Load):
            yield child
    for constant in (True, 0, "", None):
        yield ast.Constant(constant)
    yield ast.List([], ast.Load())
