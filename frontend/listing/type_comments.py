"""Type comments and string annotations of Python's own syntax trees as annotations, which survive printing.

In: a function's `ast` tree parsed with type comments. Out: the same tree, annotated.
Holds: an annotation that is there stays.
"""

from __future__ import annotations

import ast

from ..objects.annotations import type_comment_parts


def annotate(tree: ast.FunctionDef) -> None:
    """Turns signature comments, parameters' comments and comments of assignments to a name into annotations."""
    every = [*tree.args.posonlyargs, *tree.args.args, *tree.args.kwonlyargs]
    for arg in every:
        if arg.type_comment is not None and arg.annotation is None:
            arg.annotation = _expression(arg.type_comment)
        arg.type_comment = None
    parts = type_comment_parts(tree.type_comment) if tree.type_comment is not None else None
    if parts is not None:
        texts, result = parts
        for arg, text in zip(every[len(every) - len(texts) :], texts):
            if arg.annotation is None:
                arg.annotation = _expression(text)
        tree.returns = tree.returns or (_expression(result) if result else None)
    tree.type_comment = None
    for part in ast.walk(tree.args):
        if isinstance(part, ast.arg):
            part.annotation = _opened(part.annotation)
    tree.returns = _opened(tree.returns)
    for node in ast.walk(tree):
        for name, block in ast.iter_fields(node):
            if isinstance(block, list) and name in ("body", "orelse", "finalbody"):
                block[:] = [_annotated(each) for each in block]


def _annotated(statement: ast.stmt) -> ast.stmt:
    if isinstance(statement, ast.AnnAssign):
        statement.annotation = _opened(statement.annotation) or statement.annotation
    if isinstance(statement, (ast.For, ast.With)):
        statement.type_comment = None
    if not isinstance(statement, ast.Assign) or statement.type_comment is None:
        return statement
    comment, statement.type_comment = statement.type_comment, None
    annotation = _expression(comment)
    if annotation is None or len(statement.targets) != 1 or not isinstance(statement.targets[0], ast.Name):
        return statement
    made = ast.AnnAssign(statement.targets[0], annotation, statement.value, 1)
    return ast.copy_location(made, statement)


def _opened(annotation: ast.expr | None) -> ast.expr | None:
    """An annotation written as a string, as the expression in it."""
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        return _expression(annotation.value) or annotation
    return annotation


def _expression(text: str) -> ast.expr | None:
    try:
        return ast.parse(text.strip(), mode="eval").body
    except SyntaxError:
        return None
