"""Rejected programs: each message stands on the line that produces it, as `# error <column>: <message>`.

In: tests/rejected/*.py, every function of which is compiled by itself. A function without expectation must compile.
`pytest tests/test_compile_errors.py --accept` rewrites the expectations.
"""

from __future__ import annotations

import importlib.util
import inspect
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from language_rows import BY_KEY
from tsm.frontend import program
from tsm.frontend.diagnostics import CompileError

FOLDER = Path(__file__).parent / "rejected"
MARK = re.compile(r"  # error (\d+): (.*?)(?=  # error |$)")
ROW = re.compile(r'of_row\("(.*)"\)')
Message = tuple[int, int, str]  # line, column, text


def load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"rejected_{path.stem}", path)
    assert spec is not None and spec.loader is not None
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def functions(module: ModuleType) -> list[Any]:
    return [f for f in vars(module).values() if inspect.isfunction(f) and f.__module__ == module.__name__]


MODULES = {path: load(path) for path in sorted(FOLDER.glob("*.py"))}
CASES = [(path, function) for path, module in MODULES.items() for function in functions(module)]


def expected(path: Path, function: Any) -> set[Message]:
    lines, first = inspect.getsourcelines(function)
    return {
        (number, int(found.group(1)), found.group(2))
        for number, line in enumerate(lines, first)
        for found in MARK.finditer(line.rstrip("\n"))
    }


def row_of(path: Path, function: Any) -> str:
    """The row of the last `of_row(...)` above the function."""
    first = inspect.getsourcelines(function)[1]
    found = [ROW.match(line) for line in path.read_text().splitlines()[:first]]
    return next((each[1] for each in reversed(found) if each), "")


OF_FLAGS = ("wide_flags", "flag_and_int", "int_in_flag", "flags", "flags_without_members")


def messages(function: Any) -> set[Message]:
    try:
        program.compile_function(function)
    except CompileError as error:
        return {(d.span.line, d.span.column, d.message) for d in error.diagnostics}
    return set()


@pytest.mark.parametrize(("path", "function"), CASES, ids=lambda item: getattr(item, "stem", "") or item.__name__)
def test_rejected(path: Path, function: Any, accept: bool) -> None:
    if sys.version_info < (3, 11) and function.__name__ in OF_FLAGS:
        pytest.skip("flags are supported from 3.11 on")
    found = messages(function)
    assert not any("internal error" in text for _, _, text in found)
    if accept:
        rewrite(path, function, found)
        return
    assert found == expected(path, function)


def rewrite(path: Path, function: Any, found: set[Message]) -> None:
    lines = path.read_text().splitlines()
    source, first = inspect.getsourcelines(function)
    for number in range(first, first + len(source)):
        marks = "".join(f"  # error {column}: {text}" for line, column, text in sorted(found) if line == number)
        lines[number - 1] = MARK.sub("", lines[number - 1]) + marks
    path.write_text("\n".join(lines) + "\n")


def test_each_belongs_to_a_row() -> None:
    lost = [f"{path.stem}.{function.__name__}" for path, function in CASES if row_of(path, function) not in BY_KEY]
    assert not lost, f"write of_row(...) above {lost}"


def test_there_are_enough() -> None:
    texts = {text for path, function in CASES for _, _, text in expected(path, function)}
    assert len(texts) >= 60


def test_message_shows_line_caret_and_hint() -> None:
    function = next(f for path, f in CASES if f.__name__ == "misspelt")
    with pytest.raises(CompileError) as caught:
        program.compile_function(function)
    text = str(caught.value)
    assert re.search(r"names\.py:\d+:12: error: name 'valeu' is not defined", text)
    assert "^~~~~" in text and "hint: did you mean 'value'?" in text


def test_overloads_show_the_closest() -> None:
    text = """import tsm
def f(x: tsm.Tensor, s: str) -> tsm.Tensor:
    return tsm.where(x > 0, x, s)
"""
    with pytest.raises(CompileError) as caught:
        program.compile_source(text)
    (diagnostic,) = caught.value.diagnostics
    assert "tsm.where()" in diagnostic.message
    assert [text.rpartition(": ")[2] for _, text in diagnostic.notes] == [
        "argument 'other' must be Tensor, got str", "argument 'other' must be Scalar, got str",
        "annotated on line 2", "annotated on line 2",
    ]


def test_every_error_of_a_call_chain_is_reported_once() -> None:
    text = """def f(x: int) -> int:
    return g(x) + g(x) + nowhere

def g(x: int) -> int:
    return missing
"""
    with pytest.raises(CompileError) as caught:
        program.compile_source(text)
    assert [(d.span.line, d.message) for d in caught.value.diagnostics] == [
        (2, "name 'nowhere' is not defined"),
        (5, "name 'missing' is not defined"),
    ]


def test_except_star_is_refused() -> None:
    text = "def f(x: int) -> int:\n    try:\n        return 1 // x\n    except* ValueError:\n        return 0\n"
    with pytest.raises(CompileError, match=r"2:5: error: 'except\*' is not supported"):
        program.compile_source(text)


def test_source_text_is_functions_only() -> None:
    with pytest.raises(CompileError, match="functions, imports and constants only"):
        program.compile_source("while True:\n    pass\n")
    with pytest.raises(CompileError, match="cannot import 'os'"):
        program.compile_source("import os\ndef f(x: int) -> int:\n    return x\n")


def test_an_error_in_a_callee_survives_the_fixpoint_of_a_loop() -> None:
    text = """def f(n: int):
    s = 0
    for i in range(n):
        s += g(i) + 0.5
    return s

def g(i: int) -> int:
    return nowhere
"""
    with pytest.raises(CompileError) as caught:
        program.compile_source(text)
    assert [(d.span.line, d.message) for d in caught.value.diagnostics] == [(8, "name 'nowhere' is not defined")]
