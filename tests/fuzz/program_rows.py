"""Which rows of LANGUAGE.md a random program has.

In: the text of a program; idioms mark their rows in its first line. Out: names of rows (tests/language_rows.py).
Holds: what the generator writes everywhere is found in the syntax tree, by what a row is about.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

EXITS = (ast.Break, ast.Continue, ast.Return)
COMPREHENSIONS = (ast.ListComp, ast.DictComp, ast.SetComp)
Test = Callable[[ast.AST], bool]


def calls(*names: str) -> Test:
    def test(node: ast.AST) -> bool:
        if not isinstance(node, ast.Call):
            return False
        called = node.func
        return (called.id if isinstance(called, ast.Name) else getattr(called, "attr", "")) in names

    return test


def has_exit(node: ast.AST) -> bool:
    return isinstance(node, (ast.For, ast.While)) and any(isinstance(inner, EXITS) for inner in ast.walk(node))


def is_narrowing(node: ast.AST) -> bool:
    """`x is None` or isinstance, as what decides a branch."""
    if not isinstance(node, (ast.If, ast.IfExp, ast.While, ast.Assert, ast.BoolOp)):
        return False
    tests = node.values if isinstance(node, ast.BoolOp) else [node.test]
    return any(isinstance(each, ast.Compare) and "None" in ast.unparse(each) or calls("isinstance")(each) for each in tests)


TESTS: dict[str, Test] = {
    "assignment": lambda n: isinstance(n, ast.AugAssign) or isinstance(n, ast.Assign) and isinstance(n.targets[0], ast.Tuple),
    "loops": has_exit,
    "loop else": lambda n: isinstance(n, (ast.For, ast.While)) and bool(n.orelse),
    "raise": lambda n: isinstance(n, (ast.Raise, ast.Assert, ast.Delete)),
    "try": lambda n: isinstance(n, ast.Try),
    "functions in functions": lambda n: isinstance(n, (ast.Lambda, ast.Nonlocal)),
    "operators": lambda n: isinstance(n, (ast.Compare, ast.BinOp)),
    "python answers": lambda n: isinstance(n, ast.BinOp) and isinstance(n.op, (ast.FloorDiv, ast.Mod, ast.Pow, ast.Div)),
    "comprehensions": lambda n: isinstance(n, COMPREHENSIONS),
    "formatting": lambda n: isinstance(n, ast.FormattedValue),
    "builtins": calls("max", "min", "sorted", "sum", "any", "all", "divmod", "abs", "round", "enumerate", "zip"),
    "str methods": calls("strip", "split", "join", "replace", "upper", "find", "startswith"),
    "list methods": calls("append", "insert", "extend", "sort", "reverse", "remove"),
    "dict methods": calls("get", "setdefault", "items", "update", "keys", "values"),
    "identity": lambda n: isinstance(n, ast.Compare) and isinstance(n.ops[0], (ast.Is, ast.IsNot)) and "None" not in ast.unparse(n),
    "tuples": lambda n: isinstance(n, ast.Tuple) and isinstance(n.ctx, ast.Load) and len(n.elts) > 1,
    "refinement": is_narrowing,
    "scalars": lambda n: isinstance(n, ast.Constant) and isinstance(n.value, (float, bool)),
    "match": lambda n: isinstance(n, ast.Match),
    "generators": lambda n: isinstance(n, (ast.GeneratorExp, ast.Yield)),
}  # fmt: skip


def rows_of(text: str) -> set[str]:
    """The rows of one program."""
    first = text.partition("\n")[0]
    found = set(first.removeprefix("# rows: ").split(", ")) - {""} if first.startswith("# rows: ") else set()
    for node in body_of(text):
        found |= {row for row, test in TESTS.items() if row not in found and test(node)}
    return found


def body_of(text: str) -> Iterator[ast.AST]:
    """The nodes of the functions: not of what is declared, nor of the calls."""
    for statement in ast.parse(text).body:
        if isinstance(statement, ast.FunctionDef) or isinstance(statement, ast.ClassDef) and statement.name == "Model":
            yield from ast.walk(statement)
