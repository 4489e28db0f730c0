"""Input that is no fault of the compiler's: sources that are missing, edited or odd, enormous functions, names and
attributes in the way, and a failure planted in the compiler itself."""

from __future__ import annotations

import functools
import importlib
import linecache
import os
import subprocess
import sys
import threading
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import tsm
from tsm import nn
from tsm.frontend.infer.inference import FunctionInference
from tsm.ir import passes


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Writes a module and imports it."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def make(name: str, text: str | bytes) -> ModuleType:
        (tmp_path / f"{name}.py").write_bytes(text if isinstance(text, bytes) else text.encode())
        sys.modules.pop(name, None)
        importlib.invalidate_caches()
        return importlib.import_module(name)

    return make


def refusal(target: Any) -> str:
    with pytest.raises(tsm.CompileError) as caught:
        tsm.script(target)
    return str(caught.value)


# ---- sources


@pytest.mark.parametrize("file", ["<string>", "<stdin>"])
def test_source_that_is_nowhere(file: str) -> None:
    names: dict[str, Any] = {}
    exec(compile("def f(x: int) -> int:\n    return x\n", file, "exec"), names)
    text = refusal(names["f"])
    assert "the source text of 'f' is not available" in text and 'tsm.script("def f' in text


def test_what_is_no_python_function() -> None:
    assert "'len' has no Python source" in refusal(len)
    assert "'partial' has no Python source" in refusal(functools.partial(int))
    with pytest.raises(TypeError, match="script\\(\\) takes a function, a module or source text, not int"):
        tsm.script(3)


EDITS = {
    "constant": ("return x + 1", "return x + 2"),
    "operator": ("return x + y", "return x - y"),
    "order": ("return x - y", "return y - x"),
    "comparison": ("return x < y", "return x > y"),
    "name": ("return x + y", "return x + z"),
    "attribute": ("return x.real", "return x.imag"),
    "call": ("return abs(x)", "return hex(x)"),
    "keyword": ("return int('1', base=x)", "return int('1', foo=x)"),
    "text": ("return 'a'", "return 'b'"),
    "folded": ("return 2 * 3 + x", "return 2 * 4 + x"),
    "statements": ("x += 1\n    return x", "return x\n    x += 1"),
    "condition": ("if x:\n        return 1\n    return 2", "if not x:\n        return 1\n    return 2"),
    "comprehension": ("return [i for i in range(x)]", "return [i + 1 for i in range(x)]"),
    "boolean": ("return x and y", "return x or y"),
    "slice": ("return [1, 2][x:]", "return [1, 2][:x]"),
    "identity": ("return x is None", "return x is not None"),
    "jump": ("for i in range(x):\n        break\n    return x", "for i in range(x):\n        continue\n    return x"),
    "format": ("return f'{x}'", "return f'{x!r}'"),
    "moved": ("return x", None),
}


@pytest.mark.parametrize("kind", EDITS)
def test_source_edited_since_it_was_imported(kind: str, write: Any, tmp_path: Path) -> None:
    before, after = EDITS[kind]
    head = "def f(x: int, y: int = 2, z: int = 3):\n    "
    function = write(f"edited_{kind}", f"{head}{before}\n").f
    text = f"{head}{after}\n" if after is not None else f"# a line\n{head}{before}\n"
    (tmp_path / f"edited_{kind}.py").write_text(text)
    os.utime(tmp_path / f"edited_{kind}.py", (1, 1))
    linecache.checkcache()
    assert "it was edited since it was imported" in refusal(function)


def test_an_edit_elsewhere_does_not_matter(write: Any, tmp_path: Path) -> None:
    function = write("edited_below", "def f(x: int) -> int:\n    return x + 1\n").f
    (tmp_path / "edited_below.py").write_text("def f(x: int) -> int:  # as before\n    return x + 1\n\n\nONE = 1\n")
    os.utime(tmp_path / "edited_below.py", (1, 1))
    assert tsm.script(function)(2) == 3


@pytest.mark.parametrize(
    ("name", "data", "expected"),
    [
        ("tabs", b"def f(x: int) -> int:\n\tif x > 0:\n\t\treturn 1\n\treturn 2\n", 1),
        ("form_feed", b"\x0cdef f(x: int) -> int:\n    return x\n", 3),
        ("crlf", b"def f(x: int) -> int:\r\n    return x\r\n", 3),
        ("bom", b"\xef\xbb\xbfdef f(x: int) -> str:\n    return '\xc3\xa9'\n", "é"),
        ("latin", b"# -*- coding: latin-1 -*-\ndef f(x: int) -> str:\n    return '\xe9'\n", "é"),
        ("cp1252", b"# vim: set fileencoding=cp1252 :\ndef f(x: int) -> str:\n    return '\x80'\n", "€"),
        ("names", "def f(größe: int) -> int:\n    return größe\n".encode(), 3),
    ],
)
def test_layouts_and_encodings(name: str, data: bytes, expected: Any, write: Any) -> None:
    assert tsm.script(write(f"layout_{name}", data).f)(3) == expected


def test_the_caret_under_text_behind_tabs(write: Any) -> None:
    text = refusal(write("tabbed", "def f(x: int) -> int:\n\tif x > 0:\n\t\treturn y + 1\n\treturn 2\n").f)
    assert "tabbed.py:3:10: error: name 'y' is not defined\n    return y + 1\n           ^" in text


# ---- decorators


def adds_one(function: Any) -> Any:
    @functools.wraps(function)
    def inner(x: int) -> int:
        return function(x) + 1

    return inner


@adds_one
def decorated(x: int) -> int:
    return x * 2


@functools.lru_cache
def cached(x: int) -> int:
    return x


def passes_on(function: Any) -> Any:
    @functools.wraps(function)
    def inner(*args: Any) -> Any:
        return function(*args)

    return inner


@passes_on
def hidden(x: int) -> int:
    return x


def test_decorators() -> None:
    assert tsm.script(decorated)(4) == decorated(4) == 9
    assert tsm.script(cached)(4) == cached(4) == 4
    text = refusal(hidden)
    assert "a decorator of 'hidden' puts 'inner' in its place, whose *args or **kwargs may be anything" in text
    assert "tsm.script(hidden.__wrapped__)" in text
    assert tsm.script(hidden.__wrapped__)(3) == 3


# ---- sizes

HEAD = "def f(x: int) -> int:\n"
SIZES = {
    "5,000 additions": HEAD + "    return " + " + ".join(["x"] * 5000) + "\n",
    "500 parentheses": HEAD + "    return " + "(" * 500 + "x" + ")" * 500 + "\n",
    "1,000 not": HEAD + "    return " + "not " * 1000 + "x\n",
    "500 ternaries": HEAD + "    return " + "x if x else " * 500 + "x\n",
    "1,000 attributes": HEAD + "    return x" + ".real" * 1000 + "\n",
    "400 calls": HEAD + "    return " + "abs(" * 400 + "x" + ")" * 400 + "\n",
    "3,000 conditions": HEAD + "    return x if " + " and ".join(["x"] * 3000) + " else 1\n",
    "3,000 comparisons": HEAD + "    return int(" + " < ".join(["x"] * 3000) + ")\n",
    "100 ifs": HEAD + "".join("    " * (i + 1) + f"if x > {i}:\n" for i in range(100)) + "    " * 101 + "return 1\n",
}


@pytest.mark.parametrize("size", SIZES)
def test_a_limit_has_a_located_message(size: str) -> None:
    text = refusal(SIZES[size])
    assert any(words in text for words in ("nested too deeply", "too many nested", "too many levels", "operands")), text
    assert "RecursionError" not in text and "internal error" not in text and text.startswith("<string>:")


def test_what_is_large_but_not_deep_compiles() -> None:
    long = HEAD + "".join(f"    x = x + {i % 7}\n" for i in range(2000)) + "    return x\n"
    assert tsm.script(long).f(1) == 1 + sum(i % 7 for i in range(2000))
    wide = HEAD + "    v = [" + ", ".join(["x"] * 3000) + "]\n    return len(v)\n"
    assert tsm.script(wide).f(1) == 3000
    nested = HEAD + "".join("    " * (i + 1) + f"if x > {i}:\n" for i in range(90)) + "    " * 91 + "return 1\n"
    assert tsm.script(nested + "    return 0\n").f(200) == 1
    chain = "def f0(x: int) -> int:\n    return x\n\n"
    chain += "".join(f"def f{i}(x: int) -> int:\n    return f{i - 1}(x)\n\n" for i in range(1, 100))
    assert tsm.script(chain).f99(7) == 7


def test_script_from_deep_on_the_stack() -> None:
    text = HEAD + "".join("    " * (i + 1) + f"if x > {i}:\n" for i in range(60))
    text += "    " * 61 + "return 1\n    return 0\n"

    def deep(levels: int) -> Any:
        return deep(levels - 1) if levels else tsm.script(text)

    limit = sys.getrecursionlimit()
    assert deep(800).f(100) == 1
    assert sys.getrecursionlimit() == limit


def test_scripts_in_threads_leave_the_recursion_limit() -> None:
    limit = sys.getrecursionlimit()
    made: list[Any] = []
    threads = [threading.Thread(target=lambda: made.append(tsm.script(HEAD + "    return x\n"))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [each.f(2) for each in made] == [2] * 4 and sys.getrecursionlimit() == limit


# ---- names and attributes


@pytest.mark.parametrize(
    ("text", "args", "expected"),
    [
        ("def len(x: int) -> int:\n    return 42\n\ndef f(x: int) -> int:\n    return len(x)\n", (1,), 42),
        ("def f(len: int, list: int) -> int:\n    str = len + list\n    return str\n", (1, 2), 3),
        ("int = 3\ndef f(x: float) -> float:\n    return x + int\n", (1.0,), 4.0),
        ("def range(n: int) -> list[int]:\n    return [n]\n\ndef f(x: int):\n    return list(range(x))\n", (5,), [5]),
        ("def isinstance(a: int, b: int):\n    return a\n\ndef f(x: int):\n    return isinstance(x, 1)\n", (5,), 5),
        ("def f(x: int):\n    print = 3\n    return print + x\n", (1,), 4),
        ("def is_scripting() -> bool:\n    return False\n\ndef f(x: int):\n    return is_scripting()\n", (1,), False),
        ("def annotate(a: int, b: int):\n    return a - b\n\ndef f(x: int):\n    return annotate(x, 1)\n", (1,), 0),
    ],
)
def test_names_that_hide_builtins(text: str, args: tuple[Any, ...], expected: Any) -> None:
    assert tsm.script(text).f(*args) == expected


class Odd(nn.Module):
    """Has attributes of every kind that programs do not have."""

    def __init__(self) -> None:
        super().__init__()
        self.lock = threading.Lock()
        self.array = np.zeros(2)
        self.generator = (i for i in ())
        self.module = sys
        self.large = 10**30
        self.partial = functools.partial(int)
        self.itself: Any = None
        self.file = sys.stdout
        self.n = 1

    def forward(self, x: int) -> int:
        return x + self.n

    def uses_lock(self, x: int) -> int:
        return self.lock

    def uses_array(self, x: int) -> int:
        return self.array

    def uses_large(self, x: int) -> int:
        return self.large


def test_attributes_of_odd_types_matter_only_where_they_are_used() -> None:
    assert tsm.script(Odd())(2) == 3
    for name, words in (("lock", "'lock' has no type"), ("array", "'ndarray' has no type"),
                        ("large", "does not fit 64 bits")):
        text = refusal(getattr(Odd(), f"uses_{name}"))
        assert f"attribute '{name}' cannot be used" in text and words in text


# ---- failures of the compiler


def planted(self: Any, node: Any) -> None:
    raise KeyError("planted")


def fine(x: int) -> int:
    y = x
    return y


def test_a_failure_in_inference_is_reported_as_a_bug(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(FunctionInference, "_Assign", planted)
    text = refusal(fine)
    assert "internal error of the compiler (KeyError: 'planted'); please report it" in text
    assert "    y = x\n    ^~~~~" in text and "set the environment variable TSM_REPRO=dir" in text
    monkeypatch.setenv("TSM_REPRO", str(tmp_path / "reports"))
    first, second = refusal("def g(x: int) -> int:\n    y = x\n    return y\n"), refusal(fine)
    assert "tsm_repro_0.py" in first and "tsm_repro_1.py" in second
    report = (tmp_path / "reports" / "tsm_repro_0.py").read_text()
    assert "planted" in report and "Traceback" in report and "tsm.script(g)" in report


def test_the_report_runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(FunctionInference, "_Assign", planted)
    monkeypatch.setenv("TSM_REPRO", str(tmp_path))
    refusal("def g(x: int) -> int:\n    y = x\n    return y\n")
    done = subprocess.run([sys.executable, str(tmp_path / "tsm_repro_0.py")], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr  # nothing is planted in that process


def test_a_failure_in_a_pass_is_reported_as_a_bug(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def fails(program: Any) -> None:
        raise IndexError("planted")

    monkeypatch.setattr(passes, "optimize", fails)
    monkeypatch.setenv("TSM_REPRO", str(tmp_path))
    assert "internal error of the compiler (IndexError: planted); please report it" in refusal(fine)
    report = next(tmp_path.glob("tsm_repro_*.py")).read_text()
    assert "# fn fine(%x : int) -> int {" in report


def test_a_deep_failure_is_no_recursion_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def deep(self: Any, node: Any) -> None:
        deep(self, node)

    monkeypatch.setattr(FunctionInference, "_Assign", deep)
    assert "this program is nested too deeply for the compiler" in refusal(fine)
