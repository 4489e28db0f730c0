"""Which rows of LANGUAGE.md a random program has.

In: the text of a program; idioms mark their rows in its first line. Out: names of rows (tests/language_rows.py).
Holds: what the generator writes everywhere is found in the syntax tree, by what a row is about.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any

EXITS = (ast.Break, ast.Continue, ast.Return)
COMPREHENSIONS = (ast.ListComp, ast.DictComp, ast.SetComp)
Test = Callable[[Any], bool]


def always(node: ast.AST) -> bool:
    return True


def calls(*names: str) -> Test:
    def test(node: ast.Call) -> bool:
        called = node.func
        return (called.id if isinstance(called, ast.Name) else getattr(called, "attr", "")) in names

    return test


def has_exit(node: ast.AST) -> bool:
    return any(isinstance(inner, EXITS) for inner in ast.walk(node))


def is_narrowing(node: Any) -> bool:
    """`x is None` or isinstance, as what decides a branch."""
    tests = node.values if isinstance(node, ast.BoolOp) else [node.test]
    return any(
        isinstance(each, ast.Compare) and "None" in ast.unparse(each) or isinstance(each, ast.Call) and calls("isinstance")(each)
        for each in tests
    )


LOOPS = (ast.For, ast.While)
BRANCHES = (ast.If, ast.IfExp, ast.While, ast.Assert, ast.BoolOp)
# For each row: the classes of the nodes to look at, and what one of them must be.
TESTS: dict[str, tuple[tuple[type[ast.AST], ...], Test]] = {
    "assignment": ((ast.AugAssign, ast.Assign), lambda n: isinstance(n, ast.AugAssign) or isinstance(n.targets[0], ast.Tuple)),
    "loops": (LOOPS, has_exit),
    "loop else": (LOOPS, lambda n: bool(n.orelse)),
    "raise": ((ast.Raise, ast.Assert, ast.Delete), always),
    "try": ((ast.Try,), always),
    "functions in functions": ((ast.Lambda, ast.Nonlocal), always),
    "operators": ((ast.Compare, ast.BinOp), always),
    "python answers": ((ast.BinOp,), lambda n: isinstance(n.op, (ast.FloorDiv, ast.Mod, ast.Pow, ast.Div))),
    "comprehensions": (COMPREHENSIONS, always),
    "formatting": ((ast.FormattedValue,), always),
    "builtins": ((ast.Call,), calls("max", "min", "sorted", "sum", "any", "all", "divmod", "abs", "round", "enumerate", "zip")),
    "str methods": ((ast.Call,), calls("strip", "split", "join", "replace", "upper", "find", "startswith")),
    "list methods": ((ast.Call,), calls("append", "insert", "extend", "sort", "reverse", "remove")),
    "dict methods": ((ast.Call,), calls("get", "setdefault", "items", "update", "keys", "values")),
    "identity": ((ast.Compare,), lambda n: isinstance(n.ops[0], (ast.Is, ast.IsNot)) and "None" not in ast.unparse(n)),
    "tuples": ((ast.Tuple,), lambda n: isinstance(n.ctx, ast.Load) and len(n.elts) > 1),
    "refinement": (BRANCHES, is_narrowing),
    "scalars": ((ast.Constant,), lambda n: isinstance(n.value, (float, bool))),
    "match": ((ast.Match,), always),
    "generators": ((ast.GeneratorExp, ast.Yield), always),
}  # fmt: skip
BY_CLASS: dict[type, list[tuple[str, Test]]] = {}
for _row, (_classes, _test) in TESTS.items():
    for _class in _classes:
        BY_CLASS.setdefault(_class, []).append((_row, _test))


def rows_of(text: str) -> set[str]:
    """The rows of one program."""
    first = text.partition("\n")[0]
    found = set(first.removeprefix("# rows: ").split(", ")) - {""} if first.startswith("# rows: ") else set()
    for node in body_of(text):
        found |= {row for row, test in BY_CLASS.get(type(node), ()) if row not in found and test(node)}
    return found


def body_of(text: str) -> Iterator[ast.AST]:
    """The nodes of the functions: not of what is declared, nor of the calls."""
    for statement in ast.parse(text).body:
        if isinstance(statement, ast.FunctionDef) or isinstance(statement, ast.ClassDef) and statement.name == "Model":
            yield from ast.walk(statement)
