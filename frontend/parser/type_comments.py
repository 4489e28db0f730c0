"""`# type:` comments, put on the nodes they belong to as CPython's `type_comments=True` does.

In: a tree and the comments the tokenizer saw. Out: the nodes' `type_comment`. Holds: other comments are ignored.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..diagnostics import Span
from . import syntax
from .tokens import TypeComment

_HEADED = (syntax.For, syntax.AsyncFor, syntax.With, syntax.AsyncWith)


def attach_type_comments(root: syntax.Node, comments: Sequence[TypeComment]) -> None:
    """Set `type_comment` of assignments, loops, `with`, functions and parameters below `root`."""
    by_line = {comment.line: comment for comment in comments}
    for node in syntax.walk(root):
        if isinstance(node, syntax.Assign):
            node.type_comment = _after(by_line, node.span)
        elif isinstance(node, _HEADED):
            node.type_comment = _in_header(comments, _header_end(node), node.body[0].span.line)
        elif isinstance(node, syntax.FunctionDef | syntax.AsyncFunctionDef):
            _attach_to_parameters(node.args.all, by_line)
            last = max(node.args.span.end_line, node.span.line)
            last = node.returns.span.end_line if node.returns is not None else last
            node.type_comment = _in_header(comments, last, node.body[0].span.line)


def _after(by_line: dict[int, TypeComment], span: Span) -> str | None:
    comment = by_line.get(span.end_line)
    return comment.text if comment is not None and comment.column >= span.end_column else None


def _header_end(node: syntax.Node) -> int:
    if isinstance(node, syntax.For | syntax.AsyncFor):
        return node.iter.span.end_line
    assert isinstance(node, syntax.With | syntax.AsyncWith)
    return node.items[-1].span.end_line


def _in_header(comments: Iterable[TypeComment], first: int, body: int) -> str | None:
    """The comment between the header's last line and its body; that of a one-line body is the body's."""
    parameters_end = [c for c in comments if first <= c.line < body]
    return parameters_end[-1].text if parameters_end else None


def _attach_to_parameters(parameters: Sequence[syntax.arg], by_line: dict[int, TypeComment]) -> None:
    """A parameter's comment is on its last line, if no later parameter begins there."""
    for index, parameter in enumerate(parameters):
        line = parameter.span.end_line
        later = parameters[index + 1 :]
        if line in by_line and not by_line[line].text.startswith("(") and all(p.span.line != line for p in later):
            parameter.type_comment = _after(by_line, parameter.span)
