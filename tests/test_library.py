"""The functions and methods that are written as scripts, against PyTorch: eagerly for every dtype, and compiled.

The cases in ``samples/library_*.py`` are expressions. Where PyTorch is installed they run under it; everywhere they are
compared with ``samples/library.npz``, which ``--accept`` (without ``-n``) rewrites.
"""

from __future__ import annotations

import importlib
import math
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tsm
from expectations import Elements, Record, difference, thinned
from samples.library import Case, Failing
from tsm.nn import functional
from tsm.written import spelling

try:
    import torch

    torch.set_num_threads(1)  # small tensors, and several workers
except ImportError:
    torch = None  # type: ignore[assignment]

FOLDER = Path(__file__).parent / "samples"
PATH = FOLDER / "library.npz"
MODULES = {path.stem: importlib.import_module(f"samples.{path.stem}") for path in sorted(FOLDER.glob("library_*.py"))}
GROUPS = [(name, start) for name, module in MODULES.items() for start in range(0, len(module.CASES), 12)]
HEAD = "import math\nimport tsm as torch\nimport tsm.nn.functional as F\n"


@cache
def record() -> Record:
    return Record.load(PATH)


def arrays_of(case: Case | Failing, dtype: str | None) -> dict[str, np.ndarray]:
    """The arrays, those of float64 in a dtype."""
    with np.errstate(invalid="ignore"):
        return {n: a.astype(dtype) if dtype and a.dtype == np.float64 else a.copy() for n, a in case.arrays.items()}


def digested(value: Any) -> Any:
    if isinstance(value, tsm.Tensor) or (torch is not None and isinstance(value, torch.Tensor)):
        return Elements.of(value.numpy())
    return [digested(each) for each in value] if isinstance(value, (list, tuple)) else value


def under_torch(case: Case | Failing, dtype: str | None) -> Any:
    names = {name: torch.from_numpy(array) for name, array in arrays_of(case, dtype).items()}
    return digested(eval(case.text, {"torch": torch, "F": torch.nn.functional, "math": math, **names}))


def eagerly(case: Case | Failing, dtype: str | None) -> Any:
    names = {name: tsm.from_numpy(array) for name, array in arrays_of(case, dtype).items()}
    return digested(eval(case.text, {"torch": tsm, "F": functional, "math": math, **names}))


def name_of(case: Case, dtype: str) -> str:
    return f"{case.text}/{dtype}"


def test_expectations_are_recorded(accept: bool) -> None:
    """Rewrites the record under --accept; otherwise it has no entry that no case asks for."""
    everything = [case for module in MODULES.values() for case in module.CASES]
    if not accept:
        assert set(record().entries) == {name_of(case, dtype) for case in everything for dtype in case.dtypes}
        return
    assert torch is not None, "the record is made with PyTorch"
    fresh = Record()
    for case in everything:
        for dtype in case.dtypes:
            fresh.put(name_of(case, dtype), case.arrays, under_torch(case, dtype))
    fresh.save(PATH)
    record.cache_clear()


@pytest.mark.parametrize("module, start", GROUPS)
def test_agrees_with_torch(module: str, start: int) -> None:
    wrong = []
    for case in MODULES[module].CASES[start : start + 12]:
        for dtype in case.dtypes:
            rtol = case.rtol or {"float64": 1e-10}.get(dtype, 2e-5)
            if dtype == "float64" and case.rtol:
                rtol = 1e-9
            try:
                want = record().get(name_of(case, dtype), case.arrays)
                got = eagerly(case, dtype)
                found = difference(thinned(got), want, rtol)
                if torch is not None:
                    found = found or difference(got, under_torch(case, dtype), rtol)
            except Exception as error:
                found = f"{type(error).__name__}: {error}"
            if found:
                wrong.append(f"{case.text} {dtype}: {found}")
    assert not wrong, "\n".join(wrong[:20])


@pytest.mark.one_in(2)
@pytest.mark.parametrize("module, start", GROUPS)
def test_compiles_to_the_same(module: str, start: int) -> None:
    chosen = [case for case in MODULES[module].CASES[start : start + 12] if case.is_scripted]
    lines = [f"def f{i}({parameters(case)}):\n    return {case.text}\n" for i, case in enumerate(chosen)]
    unit = tsm.jit.CompilationUnit(HEAD + "\n".join(lines))
    wrong = []
    for i, case in enumerate(chosen):
        dtype = case.dtypes[0]
        given = [tsm.from_numpy(array) for array in arrays_of(case, dtype).values()]
        try:
            found = difference(as_lists(digested(getattr(unit, f"f{i}")(*given))), as_lists(eagerly(case, dtype)), 1e-6)
        except Exception as error:
            found = f"{type(error).__name__}: {error}"
        if found:
            wrong.append(f"{case.text} {dtype}: {found}")
    assert not wrong, "\n".join(wrong)


def as_lists(value: Any) -> Any:
    return [as_lists(each) for each in value] if isinstance(value, (list, tuple)) else value


def parameters(case: Case | Failing) -> str:
    return ", ".join(f"{name}: Tensor" for name in case.arrays)


@pytest.mark.parametrize("module", [name for name in MODULES])
def test_raises_as_torch(module: str) -> None:
    failures = MODULES[module].FAILURES
    for case in failures:
        if torch is not None and not case.only_ours:
            with pytest.raises(Exception) as theirs:
                under_torch(case, "float32")
            assert type(theirs.value).__name__ == case.error, f"{case.text}: {theirs.value!r}"
        with pytest.raises(Exception) as mine:
            eagerly(case, "float32")
        assert type(mine.value).__name__ == case.error, f"{case.text}: {mine.value!r}"
        assert case.message in str(mine.value), f"{case.text}: {mine.value}"
    scripted = [case for case in failures if case.is_scripted]
    lines = [f"def f{i}({parameters(case)}):\n    return {case.text}\n" for i, case in enumerate(scripted)]
    unit = tsm.jit.CompilationUnit(HEAD + "\n".join(lines))
    for i, case in enumerate(scripted):
        given = [tsm.from_numpy(array) for array in arrays_of(case, "float32").values()]
        with pytest.raises(Exception) as mine:
            getattr(unit, f"f{i}")(*given)
        assert type(mine.value).__name__ == case.error, f"{case.text}: {mine.value!r}"


def test_every_function_has_a_case() -> None:
    texts = "\n".join(case.text for module in MODULES.values() for case in module.CASES)
    every = [each.replace("tsm.", "torch.") + "(" for _, spellings in spelling.written for each in spellings]
    elsewhere = {".bfloat16(", ".long(", ".bool(", "torch.max_pool3d("}  # conversions of test_tensor.py; F.max_pool3d
    drawn = (Path(__file__).parent / "test_random_streams.py").read_text(encoding="utf-8")  # has what is random
    missing = [each for each in every if each not in texts and each not in elsewhere
               and each.replace("torch.", "tsm.") not in drawn]
    assert not missing


def test_a_flag_that_says_the_result_must_be_constant() -> None:
    text = "def f(x: Tensor, flag: bool):\n    return tsm.unique(x, return_inverse=flag)\n"
    with pytest.raises(tsm.CompileError, match="'return_inverse' says what unique\\(\\) returns: it must be"):
        tsm.script(text)


def test_arguments_that_do_not_fit_are_reported_where_they_are() -> None:
    with pytest.raises(tsm.CompileError, match="argument 'k' must be int, got str"):
        tsm.script("def f(x: Tensor):\n    return x.kthvalue('a')\n")
    with pytest.raises(tsm.CompileError, match="got an unexpected keyword argument 'ord'"):
        tsm.script("def f(x: Tensor):\n    return x.norm(ord=2)\n")
    with pytest.raises(TypeError, match="ord"):
        tsm.ones(2).norm(ord=2)
