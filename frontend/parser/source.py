"""From a function object to its parsed source.

In: a Python function whose text `linecache` can find (files, IPython cells, registered text). Out: ParsedFunction.
Holds: positions are those of the original file; a function whose text is missing or was edited since is refused.
"""

from __future__ import annotations

import ast
import inspect
import linecache
import types
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NoReturn

from ..diagnostics import Diagnostic, Reporter, SourceError, Span
from . import syntax
from .code_match import is_compiled_from
from .tokens import Source


@dataclass(frozen=True)
class ParsedFunction:
    """`node` is a FunctionDef also for a lambda: "<lambda>", which returns the body. `text` is the whole file."""

    node: syntax.FunctionDef
    file: str
    text: str


def parse_function(
    function: Callable[..., Any], reporter: Reporter | None = None, follow_wrapped: bool = False
) -> ParsedFunction:
    """Find and parse the source of a function, method or lambda.

    `follow_wrapped` goes on to what decorators wrapped (`__wrapped__`). Raises SourceError or ScriptSyntaxError (both
    CompileError). `reporter` is the compilation's; what it holds is not raised here.
    """
    from .parse import normalised, parse_statements

    code = _code_of(function, follow_wrapped)
    linecache.checkcache(code.co_filename)
    lines = linecache.getlines(code.co_filename, getattr(function, "__globals__", None))
    if not lines:
        _refuse_missing(code)
    text = normalised("".join(lines), code.co_filename)
    if code.co_firstlineno > text.count("\n") + 1:
        _refuse_edited(code)
    if is_compiled_from(text, code) is False:
        _refuse_edited(code)
    if code.co_name == "<lambda>":
        return ParsedFunction(_parse_lambda(code, text), code.co_filename, text)
    rest = text.split("\n", code.co_firstlineno - 1)[-1]
    source = Source(rest, code.co_filename, code.co_firstlineno)
    if not _begins_definition(rest):
        _refuse_edited(code)
    node = parse_statements(source, is_block=True).body[0]
    if isinstance(node, syntax.AsyncFunctionDef):
        source.fail(node.span, "'async def' is not supported", "write a plain function")
    if not isinstance(node, syntax.FunctionDef) or not _matches(node, code):
        _refuse_edited(code)
    return ParsedFunction(node, code.co_filename, text)


def _code_of(function: Any, follow_wrapped: bool) -> types.CodeType:
    if follow_wrapped:
        function = inspect.unwrap(function)
    function = getattr(function, "__func__", function)
    code = getattr(function, "__code__", None)
    if not isinstance(code, types.CodeType):
        name = getattr(function, "__name__", type(function).__name__)
        span = Span("<unknown>", 1, 1, 1, 1)
        message = f"'{name}' has no Python source: it is a {type(function).__name__}"
        raise SourceError([Diagnostic(span, message, "script a function written in Python")])
    return code


def _refuse(code: types.CodeType, message: str, hint: str) -> NoReturn:
    line = code.co_firstlineno
    raise SourceError([Diagnostic(Span(code.co_filename, line, 1, line, 2), message, hint)])


def _refuse_missing(code: types.CodeType) -> NoReturn:
    hint = 'define it in a file, or pass its text: tsm.script("def f(x: int) -> int: ...")'
    _refuse(code, f"the source text of '{code.co_name}' is not available", hint)


def _refuse_edited(code: types.CodeType) -> NoReturn:
    if code.co_filename == "<string>":  # every `exec` uses this name; since Python 3.13 the text of `python -c` has it
        _refuse_missing(code)
    message = f"the source text of '{code.co_name}' is not what was compiled: it was edited since it was imported"
    _refuse(code, message, "import the module again")


def _begins_definition(text: str) -> bool:
    first = text.lstrip(" \t\f")
    return first.startswith(("def ", "def\t", "def\\", "async", "@", "def\f"))


def _parse_lambda(code: types.CodeType, text: str) -> syntax.FunctionDef:
    """The lambda of this code object: of several on a line, the one that its instructions lie in."""
    from .parse import parse_expression

    try:
        module = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        _refuse_edited(code)
    lines = text.split("\n")
    found = []
    for place in ast.walk(module):
        if isinstance(place, ast.Lambda) and place.lineno == code.co_firstlineno and _holds(place, code):
            span = _columns(place, lines, code.co_filename)
            piece = "\n".join(lines[span.line - 1 : span.end_line])
            excess = len(lines[span.end_line - 1]) - (span.end_column - 1)
            piece = piece[span.column - 1 : len(piece) - excess]
            node = parse_expression(piece, code.co_filename, span.line, span.column - 1)
            if isinstance(node, syntax.Lambda) and _matches(_as_function(node), code):
                found.append((piece, node))
    if not found:
        _refuse_edited(code)
    if len({piece for piece, _ in found}) > 1:
        hint = "put each lambda on a line of its own"
        _refuse(code, "several lambdas on this line look like the one to compile", hint)
    return _as_function(found[0][1])


def _holds(place: ast.Lambda, code: types.CodeType) -> bool:
    """Whether the code's instructions lie in the lambda's body."""
    if not hasattr(code, "co_positions"):  # Python 3.10
        return _compiles_to(place, code)
    positions: Iterable[Any] = code.co_positions()
    body = place.body
    for line, end_line, column, end_column in positions:
        if None in (line, end_line, column, end_column) or (column == 0 and end_column == 0):
            continue
        start, end = (body.lineno, body.col_offset), (body.end_lineno, body.end_col_offset)
        if (line, column) < start or (end_line, end_column) > end:
            return False
    return True


def _compiles_to(place: ast.Lambda, code: types.CodeType) -> bool:
    """Whether the lambda, compiled by itself, gives this code, as far as that does not hang on what surrounds it."""
    outer = compile(ast.Expression(place), code.co_filename, "eval")
    alone = [const for const in outer.co_consts if isinstance(const, types.CodeType)][-1]
    return _surface(alone) == _surface(code) and (bool(code.co_freevars) or alone.co_code == code.co_code)


def _surface(code: types.CodeType) -> tuple[list[str], set[str]]:
    """Constants and names of a code object; a closure's names are globals where it stands alone."""
    constants = [repr(const) for const in code.co_consts if not isinstance(const, types.CodeType)]
    constants = [text for text in constants if not text.endswith(">'")]  # nor the names of nested functions
    return constants, {name for name in (*code.co_names, *code.co_freevars) if not name.startswith("_")}


def _columns(place: ast.Lambda, lines: list[str], file: str) -> Span:
    """CPython counts columns in UTF-8 bytes; we count code points."""
    assert place.end_lineno is not None and place.end_col_offset is not None

    def column(line: int, offset: int) -> int:
        return len(lines[line - 1].encode()[:offset].decode(errors="ignore")) + 1

    start, end = column(place.lineno, place.col_offset), column(place.end_lineno, place.end_col_offset)
    return Span(file, place.lineno, start, place.end_lineno, end)


def _as_function(node: syntax.Lambda) -> syntax.FunctionDef:
    return syntax.FunctionDef(node.span, "<lambda>", node.args, [syntax.Return(node.body.span, node.body)], [])


def _matches(node: syntax.FunctionDef, code: types.CodeType) -> bool:
    """Whether the node can be what the code was compiled from: name, parameters, local names and constants."""
    if node.name != code.co_name or [each.arg for each in node.args.all] != _parameters(code, node):
        return False
    names, constants, computes = _mentioned(node)
    if any(name.startswith("@py") for name in (*code.co_varnames, *code.co_names)):
        return True  # rewritten by pytest: its names and constants are not the source's
    own = [name for name in (*code.co_varnames, *code.co_cellvars) if not name.startswith((".", "_"))]
    if not names.issuperset(own):
        return False
    return computes or all(value in constants for value in _leaves(code.co_consts))


def _parameters(code: types.CodeType, node: syntax.FunctionDef) -> list[str]:
    """The code's parameter names, as written: private ones are mangled in the code of methods."""
    count = code.co_argcount + code.co_kwonlyargcount
    count += bool(code.co_flags & inspect.CO_VARARGS) + bool(code.co_flags & inspect.CO_VARKEYWORDS)
    names = list(code.co_varnames[:count])
    written = [each.arg for each in node.args.all]
    if len(names) != len(written):
        return names
    return [
        w if w.startswith("__") and n.startswith("_") and n.endswith(w) else n
        for n, w in zip(names, written, strict=True)
    ]


def _mentioned(node: syntax.FunctionDef) -> tuple[set[str], list[object], bool]:
    """Names and constants of a function, and whether the compiler may have computed further constants."""
    names: set[str] = set()
    constants: list[object] = []
    computes = False
    for each in syntax.walk(node):
        if isinstance(each, syntax.Constant):
            constants.append(each.value)
        elif isinstance(each, syntax.Import | syntax.ImportFrom):
            constants.append(getattr(each, "level", 0))  # import pushes its level
        elif isinstance(each, syntax.BinOp | syntax.UnaryOp | syntax.Subscript | syntax.JoinedStr | syntax.Match):
            computes = True
        for field in syntax.FIELDS[type(each)]:
            value = getattr(each, field)
            if isinstance(value, str):
                names.update(value.split("."))
            elif isinstance(value, list):
                names.update(item for item in value if isinstance(item, str))
    return names, constants, computes


def _leaves(constants: tuple[object, ...]) -> Iterator[object]:
    """Numbers and words among the constants; names of keywords and nested functions are not telling."""
    for value in constants:
        if type(value) in (int, float, complex, bytes):
            yield value


