"""The exact text of syntax errors, and how diagnostics are collected and printed."""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from typing import Optional

import pytest

from tsm.frontend import program
from tsm.frontend.compilation.attempts import AttemptReporter
from tsm.frontend.diagnostics import MAX_DIAGNOSTICS, CompileError, Diagnostic, Reporter, ScriptSyntaxError, Span
from tsm.frontend.parser import parse

MESSAGES = [
    ("if x\n  y", 1, 5, "expected ':' after the if condition"),
    ("while True\n  pass", 1, 11, "expected ':' after the while condition"),
    ("def f()\n  pass", 1, 8, "expected ':' after the function's header"),
    ("with open(x) as f\n  pass", 1, 18, "expected ':' after the with statement's items"),
    ("lambda x y: 3", 1, 10, "expected ':' after the lambda's parameters"),
    ("if x = 3:\n  y", 1, 6, "'=' cannot be used in the if condition"),
    ("f(1, 2\ny = 3", 1, 2, "'(' was never closed"),
    ("x = (1, 2]", 1, 10, "closing parenthesis ']' does not match opening parenthesis '('"),
    ("x)", 1, 2, "unmatched ')'"),
    ("def f():\npass", 2, 1, "expected an indented block after the function definition on line 1"),
    ("x\n  y = 1", 2, 3, "unexpected indent"),
    ("  x = 1", 1, 3, "unexpected indent"),
    ("if x:\n\ty\n        z", 3, 9, "inconsistent use of tabs and spaces in indentation"),
    ("if x:\n    y\n  z", 3, 3, "unindent does not match any outer indentation level"),
    ("x = 'abc", 1, 5, "unterminated string literal"),
    ("x = '''abc\n", 1, 5, "unterminated triple-quoted string literal"),
    ("for x y:\n  pass", 1, 7, "expected 'in' after the for loop's target"),
    ("try:\n  x\ny", 3, 1, "expected an 'except' or 'finally' block"),
    ("else:\n  x", 1, 1, "'else' without a matching if, for, while or try"),
    ("try:\n  x\nexcept A, B:\n  y", 3, 9, "multiple exception types must be parenthesized"),
    ("print 'a'", 1, 7, "missing parentheses in call to 'print'"),
    ("x = 1 +", 1, 8, "expected an expression after '+'"),
    ("x = a b", 1, 7, "unexpected 'b' after the end of the statement"),
    ("f(a b)", 1, 5, "expected ',' or ')'"),
    ("f(x for x in y, 1)", 1, 15, "a generator expression must be parenthesized"),
    ("class if: pass", 1, 7, "'if' is a keyword and cannot be used as a name"),
    ("f(x=1, 2)", 1, 8, "positional argument follows keyword argument"),
    ("f(x=1, x=2)", 1, 8, "keyword argument repeated: x"),
    ("def f(a=1, b): pass", 1, 12, "non-default argument follows default argument"),
    ("def f(a, a): pass", 1, 10, "duplicate argument 'a' in function definition"),
    ("f() = 1", 1, 1, "cannot assign to a function call"),
    ("x = 1 if y", 1, 11, "expected 'else' after the condition of 'if' in an expression"),
    ("x = 012", 1, 5, "leading zeros in decimal integer literals are not permitted"),
    ("x = 1abc", 1, 5, "invalid decimal literal"),
    ("x = 5 $ 3", 1, 7, "unexpected character '$'"),
    ("x = f'{a b}'", 1, 10, "unexpected 'b' after the end of the expression"),
    ("x = f'{}'", 1, 7, "f-string: empty expression not allowed"),
    ("x = f'{a'", 1, 7, "f-string: expecting '}'"),
    ("return *a", 1, 8, "cannot use a starred expression here"),
    ("x = " + "-" * 300 + "1", 1, 204, "nested too deeply: more than 200 levels"),
    ("(" * 201, 1, 201, "too many nested parentheses"),
]


@pytest.mark.parametrize(("text", "line", "column", "message"), MESSAGES)
def test_a_syntax_error_is_explained_where_it_is(text: str, line: int, column: int, message: str) -> None:
    with pytest.raises(ScriptSyntaxError) as caught:
        parse.parse_source(text, "m.py")
    found = caught.value.diagnostics[0]
    assert (found.span.line, found.span.column, found.message) == (line, column, message)


def test_the_whole_text_of_an_error() -> None:
    with pytest.raises(CompileError) as caught:
        parse.parse_source("x = 1\nif\ty = 'é日':\n    pass\n", "m.py")
    assert str(caught.value) == (
        "m.py:2:6: error: '=' cannot be used in the if condition\n"
        "    if    y = 'é日':\n"
        "            ^\n"
        "hint: compare with '==', or assign with ':='"
    )


def test_the_underline_covers_the_span_and_wide_characters() -> None:
    shown = Diagnostic(Span("m.py", 1, 5, 1, 9), "bad", source="x = '日本'")
    assert str(shown) == "m.py:1:5: error: bad\n    x = '日本'\n        ^~~~~~"
    assert str(Diagnostic(Span("m.py", 1, 3, 2, 1), "bad", source="a bcd")).endswith("\n    a bcd\n      ^~~")
    assert str(Diagnostic(Span("<none>", 9, 1, 9, 2), "bad", "do", ((None, "why"),))) == (
        "<none>:9:1: error: bad\nhint: do\nnote: why"
    )


def test_a_reporter_sorts_caps_and_does_not_repeat() -> None:
    reporter = Reporter()
    reporter.raise_if_errors()
    for line in range(25, 0, -1):
        reporter.error(Span("m.py", line, 1, line, 2), "bad")
        reporter.error(Span("m.py", line, 1, line, 2), "bad")
    with pytest.raises(CompileError) as caught:
        reporter.raise_if_errors()
    assert [each.span.line for each in caught.value.diagnostics] == list(range(1, MAX_DIAGNOSTICS + 1))
    assert str(caught.value).endswith("\n\nand 5 more errors")
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_an_error_that_lasts_is_kept_when_its_round_is_taken_back() -> None:
    reporter, span = AttemptReporter(), Span("file", 1, 1, 1, 2)
    reporter.error(span, "before")
    mark = reporter.mark()
    reporter.lasting_error(span, "lasts")
    reporter.error(span, "tentative")
    reporter.rewind(mark)
    assert [each.message for each in reporter.diagnostics] == ["before", "lasts"]
    reporter.rewind(0)
    assert [each.message for each in reporter.diagnostics] == ["lasts"]


@dataclass
class Viewed:
    name: str
    pay: float
    view: Optional[memoryview] = None


class Holder:
    def __init__(self, items: list[Viewed]) -> None:
        self.items = items
        self.by = {each.name: each for each in items}

    def total(self) -> float:
        self.by["a"].pay += max(self.items, key=lambda each: each.pay).pay
        return sum(each.pay for each in self.items if each.pay > 1)


def held(x: float) -> float:
    return Holder([Viewed("a", x), Viewed("b", 2.0)]).total()


def test_an_error_of_a_class_is_reported_whenever_it_is_looked_at() -> None:
    with pytest.raises(CompileError, match="an annotation of 'Viewed': 'memoryview' is not a type") as caught:
        program.compile_function(held)
    assert "internal error" not in str(caught.value)
