"""The parser's front door: source text to a syntax tree.

In: text with its place in a file, or (see source.py) a function object. Out: Module or Expression with located nodes.
Holds: the outcome is a tree at most MAX_DEPTH deep or a ScriptSyntaxError, whatever the text; nothing recurses.
"""

from __future__ import annotations

import codecs
import re

from lark import UnexpectedToken

from ..diagnostics import Span
from . import syntax, tables
from .build import Builder
from .explain import explain
from .source import ParsedFunction, parse_function
from .tokens import Source, Tokenizer
from .type_comments import attach_type_comments

__all__ = ["MAX_DEPTH", "ParsedFunction", "decode_source", "parse_expression", "parse_function", "parse_source"]

MAX_DEPTH = 200
MAX_OPERANDS = 200  # of one `and`, `or` or chain of comparisons


def parse_source(text: str | bytes, filename: str, first_line: int = 1, column_offset: int = 0) -> syntax.Module:
    """The statements of `text`, which begins at `first_line` of the file, after `column_offset` columns.

    Bytes are decoded as Python does (byte order mark, coding comment). Raises ScriptSyntaxError.
    """
    source = Source(normalised(text, filename), filename, first_line, column_offset)
    return parse_statements(source)


def parse_expression(text: str, filename: str, first_line: int = 1, column_offset: int = 0) -> syntax.Expression:
    """One expression, in which line ends mean nothing, as inside brackets. Raises ScriptSyntaxError."""
    source = Source(normalised(text, filename), filename, first_line, column_offset)
    return _parse_expression(source)


def parse_statements(source: Source, is_block: bool = False) -> syntax.Module:
    """`is_block`: only the first statement, which may be indented. Raises ScriptSyntaxError."""
    module = _parse(source, "module", is_block)
    assert isinstance(module, syntax.Module)
    return module


def _parse_expression(source: Source) -> syntax.Expression:
    value = _parse(source, "expression")
    assert isinstance(value, syntax.Expression)
    return value


def _parse(source: Source, start: str, is_block: bool = False) -> syntax.Node:
    parser = tables.parser()
    stream = Tokenizer(source, parser.spelling, start == "expression", is_block).run()
    try:
        tree = parser.parse(stream.tokens, start)
    except UnexpectedToken as error:
        raise explain(error, source, stream.tokens, parser.spelling) from None

    def nested(text: str, line: int, offset: int) -> syntax.Expression:
        return _parse_expression(Source(text, source.file, line, offset, source))

    root: syntax.Node = Builder(source, nested).build(tree)
    _check_depth(root, source)
    if stream.type_comments:
        attach_type_comments(root, stream.type_comments)
    return root


def _check_depth(root: syntax.Node, source: Source) -> None:
    pending = [(root, 0)]
    while pending:
        node, depth = pending.pop()
        if depth > MAX_DEPTH:
            is_statement = isinstance(node, syntax.Statement)
            hint = "write a dict or a match, or a function" if is_statement else "name a part of it"
            source.fail(_first_line(node.span), f"nested too deeply: more than {MAX_DEPTH} levels", hint)
        count = len(node.values) if isinstance(node, syntax.BoolOp) else 0
        count = len(node.ops) if isinstance(node, syntax.Compare) else count
        if count > MAX_OPERANDS:
            text = f"too long: a condition or comparison of more than {MAX_OPERANDS} operands"
            source.fail(_first_line(node.span), text, "write any(...) or all(...), or name a part of it")
        pending.extend((child, depth + 1) for child in syntax.child_nodes(node))


def _first_line(span: Span) -> Span:
    """The first column of a long span: what is too deep or too long is not underlined whole."""
    return Span(span.file, span.line, span.column, span.line, span.column + 1)


def normalised(text: str | bytes, filename: str) -> str:
    """The text with "\\n" line ends and without byte order mark."""
    if isinstance(text, bytes):
        text = decode_source(text, filename)
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


_CODING = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")


def decode_source(data: bytes, filename: str) -> str:
    """Text of a source file: UTF-8, or what a coding comment in its first two lines names. Raises ScriptSyntaxError."""
    body = data.removeprefix(codecs.BOM_UTF8)
    encoding = "utf-8"
    for line in body.splitlines()[:2]:
        found = _CODING.match(line)
        if found:
            encoding = found.group(1).decode("ascii")
            break
        if not re.match(rb"^[ \t\f]*(?:#.*)?$", line):
            break
    try:
        return body.decode(encoding)
    except LookupError:
        _fail_decoding(filename, 1, f"unknown encoding: {encoding}")
    except UnicodeDecodeError as error:
        line_number = body.count(b"\n", 0, error.start) + 1
        _fail_decoding(filename, line_number, f"the source is no {encoding} text: byte 0x{body[error.start]:02x}")
    raise AssertionError("unreachable")


def _fail_decoding(filename: str, line: int, message: str) -> None:
    Source("", filename).fail(Span(filename, line, 1, line, 2), message)
