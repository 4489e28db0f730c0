"""Our syntax trees and CPython's in one comparable text form, one node per line, with positions."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from tsm.frontend.parser import syntax

OPERATORS = {
    "Add": "+", "Sub": "-", "Mult": "*", "MatMult": "@", "Div": "/", "FloorDiv": "//", "Mod": "%", "Pow": "**",
    "LShift": "<<", "RShift": ">>", "BitAnd": "&", "BitOr": "|", "BitXor": "^", "And": "and", "Or": "or", "Not": "not",
    "UAdd": "+", "USub": "-", "Invert": "~", "Eq": "==", "NotEq": "!=", "Lt": "<", "LtE": "<=", "Gt": ">",
    "GtE": ">=", "Is": "is", "IsNot": "is not", "In": "in", "NotIn": "not in",
}  # fmt: skip
CONVERSIONS = {-1: None, 115: "s", 114: "r", 97: "a"}
# CPython gives no positions to these, or (inside f-strings, before 3.12) wrong ones.
UNPLACED = {"Module", "arguments", "comprehension", "withitem", "match_case", "FormattedValue", "JoinedStr"}


def type_comments(root: syntax.Node | ast.AST) -> list[tuple[str, str]]:
    """Every type comment with the kind of node that has it, sorted."""
    nodes = syntax.walk(root) if isinstance(root, syntax.Node) else ast.walk(root)
    found = [(type(node).__name__, getattr(node, "type_comment", None)) for node in nodes]
    return sorted((name, text) for name, text in found if text is not None)


def dump_ours(root: syntax.Node) -> str:
    return "\n".join(_lines(root, _ours, 0, ""))


def dump_theirs(root: ast.AST, data: bytes | str) -> str:
    text = data if isinstance(data, bytes) else data.encode()
    lines = text.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")

    def theirs(node: ast.AST) -> tuple[str, tuple[int, ...], list[tuple[str, Any]]]:
        name = type(node).__name__
        fields: list[tuple[str, Any]] = []
        for field in node._fields:
            if field in ("ctx", "type_ignores"):
                continue
            value = getattr(node, field, None)
            if field == "type_params" and not value:  # since 3.12; files that use them are not compared
                continue
            if name == "JoinedStr":  # 3.12 has empty pieces in format specifications
                value = [item for item in value if not (isinstance(item, ast.Constant) and item.value == "")]
            if name == "FormattedValue" and field == "conversion":
                value = CONVERSIONS[value]
            if name == "AnnAssign" and field == "simple":
                value = bool(value)
            if name == "comprehension" and field == "is_async":
                value = bool(value)
            if isinstance(value, (ast.operator, ast.boolop, ast.unaryop)):
                value = OPERATORS[type(value).__name__]
            if field == "ops":
                value = [OPERATORS[type(op).__name__] for op in value]
            fields.append((field, value))
        if name in UNPLACED or not hasattr(node, "lineno"):
            return name, (), fields
        column = len(lines[node.lineno - 1][: node.col_offset].decode("utf-8", "replace")) + 1
        end = len(lines[node.end_lineno - 1][: node.end_col_offset].decode("utf-8", "replace")) + 1
        return name, (node.lineno, column, node.end_lineno, end), fields

    return "\n".join(_lines(root, theirs, 0, ""))


def _ours(node: syntax.Node) -> tuple[str, tuple[int, ...], list[tuple[str, Any]]]:
    name = type(node).__name__
    span = () if name in UNPLACED else tuple(node.span)[1:]
    return name, span, [(field, getattr(node, field)) for field in syntax.FIELDS[type(node)]]


def _lines(node: Any, describe: Any, depth: int, label: str, in_string: bool = False) -> Iterator[str]:
    if isinstance(node, list):
        yield f"{' ' * depth}{label}:"
        for item in node:
            yield from _lines(item, describe, depth + 1, "-", in_string)
    elif isinstance(node, (ast.AST, syntax.Node)):
        name, span, fields = describe(node)
        in_string = in_string or name == "JoinedStr"
        yield f"{' ' * depth}{label} {name} {'' if in_string else span}"
        for field, value in fields:
            yield from _lines(value, describe, depth + 1, field, in_string)
    else:
        yield f"{' ' * depth}{label} {type(node).__name__} {node!r}"
