"""Where Python classes are defined.

In: a class. Out: the place of its class statement; the first line of its file, or an unknown file, where that cannot be
told. Holds: a file is parsed once for all its classes.
"""

from __future__ import annotations

import ast
import inspect
import linecache
from functools import lru_cache

from ..parser.syntax import Span


def span_of(python: type) -> Span:
    """Where a class is defined: at its first decorator, if it has one."""
    try:
        file = inspect.getsourcefile(python)
    except (OSError, TypeError):
        file = None
    if file is None:
        return Span("<unknown>", 1, 1, 1, 2)
    line = getattr(python, "__firstlineno__", None)  # since Python 3.13
    if line is None:
        line = _lines_of_classes("".join(linecache.getlines(file))).get(python.__qualname__, 1)
    return Span(file, line, 1, line, 2)


@lru_cache(maxsize=16)
def _lines_of_classes(text: str) -> dict[str, int]:
    """First lines by qualified name; of several statements with one name, the last."""
    found: dict[str, int] = {}
    try:
        module = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return found
    pending: list[tuple[ast.AST, str]] = [(module, "")]
    while pending:
        node, around = pending.pop()
        if isinstance(node, ast.ClassDef):
            name = around + node.name
            first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
            found[name] = max(found.get(name, 1), first)
            around = f"{name}."
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            around = f"{around}{node.name}.<locals>."
        if not isinstance(node, ast.expr):
            pending += [(each, around) for each in ast.iter_child_nodes(node)]
    return found
