"""What the messages of the compiler advise, and what of its own it keeps to itself."""

from __future__ import annotations

import linecache
from collections.abc import Callable

import numpy as np
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
    ("n.upper()", "find out which it is first: `if isinstance(n, str):`"),
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


class Grid:
    def __init__(self) -> None:
        self.points = np.zeros(3)


class Holder:
    def __init__(self) -> None:
        self.grid = Grid()


HOLDER = Holder()
TABLE = {"n": 1, "grids": [len, HOLDER]}


def of_holder(n: int) -> bool:
    return HOLDER.grid is None


def of_table(n: int) -> int:
    return len(TABLE) + n


@pytest.mark.parametrize(("function", "path"), [
    (of_holder, "HOLDER.grid.points"), (of_table, "TABLE['grids'][1].grid.points")])
def test_hints_name_what_a_container_must_not_hold(function: Callable[[int], object], path: str) -> None:
    with pytest.raises(CompileError) as caught:
        tsm.script(function)
    assert [diagnostic.hint for diagnostic in caught.value.diagnostics] == [
        f"{path} is a 'numpy.ndarray'; make a tensor of it outside: tsm.from_numpy(x)"]


FOREIGN = """
import datetime
import enum
import math
import os
import os.path

import numpy as np
{imported}
from tsm import Tensor

class Tally:
    count = 0

    def __init__(self, start: int, steps: int = 1) -> None:
        self.steps = steps

    @property
    def twice(self) -> int:
        return 2 * steps

    def next(self) -> int:
        return self.steps + 1

class Shade(enum.Enum):
    DARK = 1

def scaled(n: int, /, *sizes: int, scale: int, **more: int) -> int:
    return n * scale

def foreign(n: int, name: str, words: list[str], x: Tensor) -> None:
    {line}
"""
STAYS = "keep it in a function marked @tsm.jit.ignore, which stays in Python"


def refusals(imported: str, line: str) -> list[tuple[str, str | None]]:
    """Message and hint of what a line of a script is refused with."""
    source = FOREIGN.format(imported=imported, line=line)
    filename = f"<foreign: {line}>"
    linecache.cache[filename] = (len(source), None, source.splitlines(True), filename)
    names: dict[str, object] = {"__name__": "foreign"}
    exec(compile(source, filename, "exec"), names)
    with pytest.raises(CompileError) as caught:
        tsm.script(names["foreign"])
    assert all(diagnostic.span.file == filename for diagnostic in caught.value.diagnostics)
    return [(diagnostic.message, diagnostic.hint) for diagnostic in caught.value.diagnostics]


@pytest.mark.parametrize(("line", "message", "hint"), [
    ("np.sqrt(n)", "'numpy.sqrt' belongs to NumPy, which compiled programs do not have",
     "write math.sqrt(...) for a number, tsm.sqrt(...) for a tensor"),
    ("np.zeros(n)", "'numpy.zeros' belongs to NumPy, which compiled programs do not have", "write tsm.zeros(...)"),
    ("np.array(words)", "'numpy.array' belongs to NumPy, which compiled programs do not have", "write tsm.tensor(...)"),
    ("os.path.join(name, name)", "'os.path.join' of the standard library is not supported in scripts", STAYS),
    ("datetime.datetime.now()", "'datetime.datetime' of the standard library is not supported in scripts", STAYS),
    ("sum(words)", "sum() does not add texts", 'write "".join(...)'),
    ("x.numpy()", "'Tensor' has no attribute 'numpy' in scripts", "return the tensor, and call .numpy() outside"),
    ("Tally.__doc__ = name", "attribute '__doc__' of the class 'Tally' cannot be assigned",
     "keep it in an attribute of an instance, or return it"),
    ("eval(name)", "the builtin 'eval' is not supported in scripts", STAYS),
    ("os.getcwd()", "'os.getcwd' of the standard library is not supported in scripts", STAYS),
])
def test_what_scripts_do_not_have_says_what_to_write(line: str, message: str, hint: str) -> None:
    assert refusals("", line) == [(message, hint)]


@pytest.mark.parametrize(("line", "message", "hint"), [
    ("words.add(name)", "'list[str]' has no attribute 'add' in scripts", "write append(...)"),
    ("words.lenght()", "'list[str]' has no attribute 'lenght' in scripts", "write len(...)"),
    ("name.length()", "'str' has no attribute 'length' in scripts", "write len(...)"),
    ("{name}.append(name)", "'set[str]' has no attribute 'append' in scripts", "write add(...)"),
    ("{name: n}.has_key(name)", "'dict[str, int]' has no attribute 'has_key' in scripts", "write `key in d`"),
    ("(n, n).append(n)", "'tuple[int, int]' has no attribute 'append' in scripts",
     "a tuple cannot be changed: write t + (x,)"),
])
def test_methods_named_as_other_languages_do_say_what_python_calls_them(line: str, message: str, hint: str) -> None:
    assert refusals("", line) == [(message, hint)]


@pytest.mark.parametrize(("line", "message", "hint"), [
    ("Tally(n, label=n)", "__init__() got an unexpected keyword argument 'label'",
     "it is defined as __init__(self, start: int, steps: int = 1) on line 15"),
    ("Tally(n).steps()", "a value of type int cannot be called", "it is no method: write Tally(n).steps"),
    ("Tally(n).next + 1", "unsupported operand types for +: function 'next' and int", "call it: Tally(n).next()"),
    ("Tally(n).twice", "name 'steps' is not defined", "did you mean 'self.steps'?"),
    ("Shade.DARK + n", "unsupported operand types for +: Shade and int",
     "a member is not its value: write Shade.DARK.value"),
    ("scaled(n)", "scaled() missing 1 required keyword-only argument: 'scale'",
     "it is defined as scaled(n: int, /, *sizes: int, scale: int, **more: int) on line 28"),
    ("scaled(n, scale=1, size='a')", "argument 'size' of 'scaled' must be int, got str", None),
    ("math.PI", "module 'math' has no attribute 'PI'", "did you mean 'pi'?"),
    ("{name: n}.key", "'dict[str, int]' has no attribute 'key' in scripts", "did you mean 'keys'?"),
])
def test_hints_show_what_is_defined(line: str, message: str, hint: str) -> None:
    assert refusals("", line) == [(message, hint)]


@pytest.mark.parametrize(("line", "message", "hint"), [
    ("torch.zeros(n)", "'torch.zeros' belongs to PyTorch, which compiled programs do not have", "import tsm as torch"),
    ("F.relu(x)", "'torch.nn.functional.relu' belongs to PyTorch, which compiled programs do not have",
     "import tsm.nn.functional as F"),
    ("with torch.no_grad(): pass", "'torch.no_grad' belongs to PyTorch, which compiled programs do not have",
     "import tsm as torch"),
    ("W.sum()", "a 'torch.Tensor' cannot be used in a script", "make a tensor of it outside: tsm.from_dlpack(x)"),
])
def test_names_of_pytorch_say_which_import_to_change(line: str, message: str, hint: str) -> None:
    pytest.importorskip("torch")
    imported = "import torch\nimport torch.nn.functional as F\nW = torch.ones(2)"
    assert refusals(imported, line) == [(message, hint)]


def test_a_parameter_of_pytorch_is_refused_where_it_is_used() -> None:
    torch = pytest.importorskip("torch")

    class Scaled(torch.nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.w = torch.nn.Parameter(torch.ones(2))

        def forward(self, x: tsm.Tensor) -> tsm.Tensor:
            return x * self.w

    with pytest.raises(CompileError, match=r"attribute 'w' cannot be used: a 'torch\.Parameter' cannot be used"):
        tsm.script(Scaled())


def test_errors_of_a_program_show_no_frames_of_the_compiler() -> None:
    with pytest.raises(CompileError) as caught:
        tsm.script("def f(x: int) -> int:\n    return x.foo\n")
    assert [entry.name for entry in caught.traceback][1:] == ["script"]


def rearrange(tensor, pattern):
    return tensor


rearrange.__module__ = "einops.einops"


def test_functions_of_einops_are_refused_by_name():
    def split(x):
        return rearrange(x, "b (h w) -> b h w")

    with pytest.raises(CompileError, match="'einops.rearrange' belongs to einops") as refused:
        tsm.script(split)
    assert "reshape, permute" in str(refused.value)


def test_a_keyword_is_called_as_it_is_written_where_no_dimension_is_taken():
    with pytest.raises(CompileError, match=r"relu\(\): has no parameter 'axis'"):
        tsm.script("from tsm import Tensor\n\ndef f(x: Tensor) -> Tensor:\n    return x.relu(axis=1)\n")


@pytest.mark.parametrize(("annotation", "message", "hint"), [
    ("'Lsit[int]'", "name 'Lsit' is not defined", "did you mean 'List'?"),
    ("'Optional[int, str]'", "Optional takes one type, got 2", "write Union[int, str, None]"),
    ("'list[int, str]'", "list takes one type, got 2", "write list[int | str]"),
    ("'dict[str]'", "dict takes two types, got 1", "write dict[key, value]"),
])
def test_annotations_that_are_no_types_say_what_to_write(annotation: str, message: str, hint: str) -> None:
    with pytest.raises(CompileError) as caught:
        tsm.script(f"from typing import Optional\n\ndef annotated(x: {annotation}) -> int:\n    return 1\n")
    assert [(each.message, each.hint) for each in caught.value.diagnostics] == [(message, hint)]
