"""What the messages of the compiler advise, and what of its own it keeps to itself."""

from __future__ import annotations

import linecache

import pytest

import tsm
from tsm.frontend.diagnostics import CompileError

HINTED = """
from typing import Optional, Union
from tsm import Tensor

class Config:
    def __init__(self) -> None:
        self.scale: Optional[float] = None

def {name}(x: Optional[Tensor], items: Optional[list[int]], n: Union[int, str], config: Config) -> None:
    {line}
"""


@pytest.mark.parametrize(("line", "hint"), [
    ("x + 1", "it may be None here; test it first: `if x is not None:`"),
    ("config.scale * 2.0", "it may be None here; test it first: `if config.scale is not None:`"),
    ("len(items)", "it may be None here; test it first: `if items is not None:`"),
    ("[items][0][0]", "it may be None here; give it a name and test that first: `if x is not None:`"),
    ("for i in items: pass", "it may be None here; test it first: `if items is not None:`"),
    ("n + 1", "find out which it is first: `if isinstance(n, int):`"),
    ("'a' + len('a')", "write str(...) to make text of a number"),
])
def test_hints_are_code_with_the_names_of_the_program(line: str, hint: str) -> None:
    source = HINTED.format(name="hinted", line=line)
    filename = f"<hinted: {line}>"
    linecache.cache[filename] = (len(source), None, source.splitlines(True), filename)
    names: dict[str, object] = {"__name__": "hinted"}
    exec(compile(source, filename, "exec"), names)
    with pytest.raises(CompileError) as caught:
        tsm.script(names["hinted"])
    assert [diagnostic.hint for diagnostic in caught.value.diagnostics] == [hint]


def test_errors_of_a_program_show_no_frames_of_the_compiler() -> None:
    with pytest.raises(CompileError) as caught:
        tsm.script("def f(x: int) -> int:\n    return x.foo\n")
    assert [entry.name for entry in caught.traceback][1:] == ["script"]
