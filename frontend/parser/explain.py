"""What a human needs to hear about a token the parser cannot use.

In: Lark's UnexpectedToken, with the parser's stack and the tokens it would accept. Out: a ScriptSyntaxError.
Holds: rules are tried in order, most specific first; the last one always answers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from lark import Token, UnexpectedToken

from ..diagnostics import Diagnostic, ScriptSyntaxError, Span
from .tokens import OPENING, Source, token_span

HEADERS = {
    "IF": "the if condition",
    "ELIF": "the elif condition",
    "ELSE": "'else'",
    "WHILE": "the while condition",
    "FOR": "the for loop's iterable",
    "WITH": "the with statement's items",
    "_WITH_GROUPED": "the with statement's items",
    "DEF": "the function's header",
    "CLASS": "the class's header",
    "TRY": "'try'",
    "EXCEPT": "'except'",
    "FINALLY": "'finally'",
    "LAMBDA": "the lambda's parameters",
    "_MATCH": "the match subject",
    "_CASE": "the case pattern",
}
ORPHANS = {"ELSE": "if, for, while or try", "ELIF": "if", "EXCEPT": "try", "FINALLY": "try"}
BLOCKS = {"DEF": "function definition", "CLASS": "class definition"}
Answer = tuple[str, str | None]


class Failure:
    """The parser's situation at the offending token."""

    def __init__(self, error: UnexpectedToken, tokens: list[Token], spelling: Mapping[str, str]) -> None:
        self.token = error.token
        self.expected = error.accepts or error.expected
        index = next((i for i, token in enumerate(tokens) if token is error.token), len(tokens))
        self.before = next((t for t in reversed(tokens[:index]) if t.type not in ("_INDENT", "_DEDENT")), None)
        self.keywords = {name for text, name in spelling.items() if text.isidentifier()}
        layout = ("_NEWLINE", "_INDENT", "_DEDENT", "ASYNC")
        self.line_starts = {id(t) for i, t in enumerate(tokens) if i == 0 or tokens[i - 1].type in layout}
        self.header: Token | None = None
        self.is_header_open = False
        self.bracket: Token | None = None
        parser = error.interactive_parser.parser_state
        self._find_context([value for value in parser.value_stack if isinstance(value, Token)])

    def _find_context(self, stack: list[Token]) -> None:
        """The innermost header without its ':' and the bracket opened in it."""
        colons = 0
        closed = 0
        for token in reversed(stack):
            if token.type == "COLON":
                colons += 1
            elif token in (")", "]", "}"):
                closed += 1
            elif token in OPENING and closed:
                closed -= 1
            elif token in OPENING and self.bracket is None:
                self.bracket = token
                return
            elif token.type in HEADERS and (id(token) in self.line_starts or token.type == "LAMBDA"):
                self.header = token
                self.is_header_open = colons == 0
                return

    @property
    def is_line_end(self) -> bool:
        return self.token.type in ("_NEWLINE", "$END", "_DEDENT", "_INDENT")

    @property
    def wants_operand(self) -> bool:
        return {"NAME", "NUMBER", "LPAR"} <= set(self.expected)


def _unexpected_indent(failure: Failure) -> Answer | None:
    return ("unexpected indent", None) if failure.token.type == "_INDENT" else None


def _missing_block(failure: Failure) -> Answer | None:
    header = failure.header
    if header is None or "_INDENT" not in failure.expected:
        return None
    what = BLOCKS.get(header.type, f"'{header}'")
    return f"expected an indented block after the {what} on line {header.line}", "write `pass` for an empty block"


def _missing_colon(failure: Failure) -> Answer | None:
    header = failure.header
    if header is None or failure.bracket is not None or not failure.is_header_open or "COLON" not in failure.expected:
        return None
    if failure.token.type == "EQUAL" and header.type in ("IF", "ELIF", "WHILE"):
        return f"'=' cannot be used in {HEADERS[header.type]}", "compare with '==', or assign with ':='"
    if failure.token.type == "COMMA" and header.type == "EXCEPT":
        return "multiple exception types must be parenthesized", "write `except (A, B):`"
    return f"expected ':' after {HEADERS[header.type]}", None


def _missing_in(failure: Failure) -> Answer | None:
    if "IN" in failure.expected and failure.header is not None and failure.header.type == "FOR":
        if failure.is_header_open and failure.bracket is None and "COLON" not in failure.expected:
            return "expected 'in' after the for loop's target", None
    return None


def _missing_else(failure: Failure) -> Answer | None:
    if "ELSE" in failure.expected and "_NEWLINE" not in failure.expected and "COLON" not in failure.expected:
        return "expected 'else' after the condition of 'if' in an expression", None
    return None


def _orphan(failure: Failure) -> Answer | None:
    kind = failure.token.type
    at_start = failure.before is None or failure.before.type == "_NEWLINE"
    if kind in ORPHANS and at_start and "EXCEPT" not in failure.expected:
        return f"'{failure.token}' without a matching {ORPHANS[kind]}", None
    return None


def _missing_handler(failure: Failure) -> Answer | None:
    if {"EXCEPT", "FINALLY"} <= set(failure.expected) and "NAME" not in failure.expected:
        return "expected an 'except' or 'finally' block", None
    return None


def _keyword_as_name(failure: Failure) -> Answer | None:
    before = failure.before.type if failure.before is not None else ""
    named = before in ("DEF", "CLASS", "IMPORT", "AS", "DOT", "GLOBAL", "NONLOCAL", "FOR")
    if failure.token.type in failure.keywords and "NAME" in failure.expected and (named or not failure.wants_operand):
        return f"'{failure.token}' is a keyword and cannot be used as a name", None
    return None


def _bare_generator(failure: Failure) -> Answer | None:
    if failure.bracket is not None and failure.token.type == "COMMA" and {"FOR", "RPAR"} <= set(failure.expected):
        return "a generator expression must be parenthesized", "write `f((x for x in y), z)`"
    return None


def _missing_comma(failure: Failure) -> Answer | None:
    bracket = failure.bracket
    if bracket is None or not {"RPAR", "RSQB", "RBRACE"} & set(failure.expected) or failure.wants_operand:
        return None
    if failure.token.type == "EQUAL":
        return "'=' cannot be used here", "compare with '=='"
    if failure.token.type == "FOR":
        return "a generator expression must be parenthesized", "write `f((x for x in y), z)`"
    return f"expected ',' or '{OPENING[bracket]}'", None


def _missing_operand(failure: Failure) -> Answer | None:
    if not failure.wants_operand or failure.before is None or failure.before.type in ("_NEWLINE", "SEMICOLON"):
        return None
    if failure.is_line_end or failure.token in (")", "]", "}", ":", ",", "="):
        return f"expected an expression after '{failure.before}'", None
    if failure.token.type in failure.keywords:
        return f"expected an expression after '{failure.before}', found the keyword '{failure.token}'", None
    return None


def _old_print(failure: Failure) -> Answer | None:
    if failure.before is not None and failure.before in ("print", "exec") and "_NEWLINE" in failure.expected:
        return f"missing parentheses in call to '{failure.before}'", f"write {failure.before}(...)"
    return None


def _unexpected(failure: Failure) -> Answer:
    if failure.is_line_end:
        wanted = {"NAME": "a name", "LPAR": "'('", "IMPORT": "'import'", "EQUAL": "'='", "COLON": "':'"}
        for kind, text in wanted.items():
            if kind in failure.expected:
                return f"expected {text} before the end of the line", None
        return "unexpected end of the line", None
    if "$END" in failure.expected and "SEMICOLON" not in failure.expected:
        return f"unexpected '{failure.token}' after the end of the expression", None
    if "_NEWLINE" in failure.expected:
        return f"unexpected '{failure.token}' after the end of the statement", None
    return f"unexpected '{failure.token}'", None


RULES: tuple[Callable[[Failure], Answer | None], ...] = (
    _unexpected_indent, _missing_block, _missing_handler, _missing_colon, _missing_in, _orphan, _missing_else,
    _keyword_as_name, _missing_operand, _bare_generator, _missing_comma, _old_print,
)  # fmt: skip


def explain(
    error: UnexpectedToken, source: Source, tokens: list[Token], spelling: Mapping[str, str]
) -> ScriptSyntaxError:
    """The error to raise in place of Lark's."""
    failure = Failure(error, tokens, spelling)
    message, hint = next((answer for rule in RULES if (answer := rule(failure)) is not None), _unexpected(failure))
    span = _where(failure, source, is_after=failure.is_line_end)
    return ScriptSyntaxError([Diagnostic(span, message, hint, source=source.line_text(span.line))])


def _where(failure: Failure, source: Source, is_after: bool) -> Span:
    """The offending token; at a line's end, the place behind the last token of the line."""
    if not is_after and failure.token.line is not None:
        return token_span(source.file, failure.token)
    if failure.token.type == "_INDENT":
        span = token_span(source.file, failure.token)
        return span._replace(end_column=span.column + 1)
    if failure.before is None:
        first, column = source.first_line, source.column_offset + 1
        return Span(source.file, first, column, first, column + 1)
    span = token_span(source.file, failure.before)
    if failure.before.type == "_NEWLINE":
        if failure.token.line is not None and failure.token.type not in ("$END", "_DEDENT"):
            return token_span(source.file, failure.token)
        return span._replace(end_column=span.column + 1, end_line=span.line)
    return Span(source.file, span.end_line, span.end_column, span.end_line, span.end_column + 1)
