"""Every row of ops.def against its reference: PyTorch for tensors, Python for everything else; values and errors.

The samples in ``samples/`` are the only list: a row without an entry there fails. Where PyTorch is installed the
samples run under it; everywhere they are compared with ``samples/expected.npz``, which ``--accept`` (without ``-n``)
rewrites.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from functools import cache, reduce
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from plain_calls import agrees, outcome
from rows import call

import tsm
from expectations import Elements, Record, difference, thinned
from samples.sample import DType, Failure, Plain, Sample
from tsm.binding import table

try:
    import torch

    torch.set_num_threads(1)  # small tensors, and several workers
except ImportError:
    torch = None  # type: ignore[assignment]

MODULES = [
    importlib.import_module(f"samples.{path.stem}")
    for path in sorted((Path(__file__).parent / "samples").glob("*.py"))
    if path.stem != "sample"
]


def collected(attribute: str) -> dict[str, list[Any]]:
    """One of the tables of all sample modules together."""
    found: dict[str, list[Any]] = {}
    for module in MODULES:
        for key, entries in getattr(module, attribute, {}).items():
            found.setdefault(key, []).extend(entries)
    return found


SAMPLES: dict[str, list[Sample]] = collected("SAMPLES")
ERRORS: dict[str, list[Failure]] = collected("ERRORS")
PLAIN: dict[str, list[Plain]] = collected("PLAIN")
RTOL = {"float32": 2e-5, "float64": 1e-10}
IS_ORACLE = sys.version_info[:2] == (3, 11)


@cache
def record() -> Record:
    return Record.load()


# ---- Tensors ------------------------------------------------------------------------------------------------------


def reference_of(key: str, reference: Callable[..., Any] | str | None) -> Any:
    """A function of torch tensors: the given one, the one at a path below torch, or the operator's namesake."""
    if callable(reference):
        return reference
    if reference is not None:
        return reduce(getattr, reference.split("."), torch)
    name = key.split(".")[0]
    return getattr(torch.Tensor, name, None) or getattr(torch, name)


def laid_out(array: np.ndarray, layout: str) -> np.ndarray:
    """The same elements in other memory: plain, every second element of a larger array, or column-major."""
    if layout == "strided" and array.ndim:
        return np.repeat(array, 2, axis=-1)[..., ::2]
    if layout == "transposed" and array.ndim > 1:
        return array.T.copy().T
    return array.copy()


def converted(value: Any, dtype: str | None, layout: str) -> Any:
    """Arrays copied in a layout, float64 ones as ``dtype``; lists of arrays too."""
    if isinstance(value, np.ndarray):
        with np.errstate(invalid="ignore"):
            return laid_out(value.astype(dtype) if dtype and value.dtype == np.float64 else value, layout)
    if isinstance(value, list):
        return [converted(item, dtype, layout) for item in value]
    if isinstance(value, dict):
        return {name: converted(item, dtype, layout) for name, item in value.items()}
    return value


def into(value: Any, from_numpy: Any, dtype_of: Any) -> Any:
    """Arrays as tensors and dtypes as the library's."""
    if isinstance(value, np.ndarray):
        return from_numpy(value)
    if isinstance(value, DType):
        return dtype_of(value.name)
    if isinstance(value, list):
        return [into(item, from_numpy, dtype_of) for item in value]
    if isinstance(value, dict):
        return {name: into(item, from_numpy, dtype_of) for name, item in value.items()}
    return value


def is_tensor(value: Any) -> bool:
    return isinstance(value, tsm.Tensor) or (torch is not None and isinstance(value, torch.Tensor))


def storage(tensor: Any) -> Any:
    return tensor.untyped_storage().data_ptr()


def digested(result: Any, checks_values: bool) -> Any:
    if is_tensor(result) and str(result.dtype).endswith(".bfloat16"):  # NumPy has none
        wide = Elements.of(result.float().numpy(), checks_values)
        return Elements("bfloat16", wide.shape, wide.values)
    if is_tensor(result):
        return Elements.of(result.numpy(), checks_values)
    if isinstance(result, (list, tuple)):
        return [digested(item, checks_values) for item in result]
    if isinstance(result, (bool, int, float, str, type(None))):
        return result
    return str(result).rpartition(".")[2]  # a dtype, by name


def sharing(result: Any, first: Any) -> list[Any]:
    """Of every tensor of a view's result: whether it shares memory with or is the first argument, and its strides."""
    if isinstance(result, (list, tuple)):
        return [sharing(item, first) for item in result]
    is_shared = result.numel() == 0 or storage(result) == storage(first)
    strides = [s for s, n in zip(result.stride(), result.shape) if n > 1] if result.numel() and is_shared else []
    return [is_shared, result is first, strides]


def observed(
    key: str, function: Any, args: list[Any], kwargs: Any, from_numpy: Any, dtype_of: Any, checks: bool
) -> Any:
    """Everything that can be seen of a call: results, written arguments, and for views what is shared."""
    before = converted(args, None, "plain")
    given = into(args, from_numpy, dtype_of)
    result = function(*given, **into(kwargs, from_numpy, dtype_of))
    seen = [digested(result, checks)]
    traits = table.find(key).traits
    if "INPLACE" in traits:
        assert result is given[0]
    if "VIEW" in traits:
        seen.append(sharing(result, given[0]))
    if "FRESH" in traits and result.__class__ is tsm.Tensor and result.numel():
        assert all(storage(result) != storage(t) for t in given if isinstance(t, tsm.Tensor)), "is not fresh"
    for old, new in zip(before, args):
        if isinstance(new, np.ndarray) and not np.array_equal(old, new, equal_nan=new.dtype.kind == "f"):
            seen.append(Elements.of(new, checks))
    return seen


def under_torch(key: str, sample: Sample, dtype: str | None, layout: str) -> Any:
    args, kwargs = converted(list(sample.args), dtype, layout), converted(sample.kwargs, dtype, layout)
    function = reference_of(key, sample.reference)
    return observed(
        key, function, args, kwargs, torch.from_numpy, lambda name: getattr(torch, name), sample.checks_values
    )


def under_tsm(key: str, sample: Sample, dtype: str | None, layout: str) -> Any:
    args, kwargs = converted(list(sample.args), dtype, layout), converted(sample.kwargs, dtype, layout)
    return observed(
        key, lambda *a, **k: call(key, *a, **k), args, kwargs, tsm.from_numpy, tsm.dtype, sample.checks_values
    )


def calls_of(key: str) -> Iterator[tuple[str, Sample, str | None, str]]:
    """Every call of a row: its name in the record, the sample, dtype and memory layout."""
    for number, sample in enumerate(SAMPLES[key]):
        for dtype in sample.dtypes or (None,):
            for layout in sample.layouts:
                yield f"{key}/{number}/{dtype}/{layout}", sample, dtype, layout


def tolerance(sample: Sample, dtype: str | None) -> float:
    return sample.rtol or RTOL.get(dtype or "float64", 2e-5)


def test_expectations_are_recorded(accept: bool) -> None:
    """Rewrites the record under --accept; otherwise it has no entry that no sample asks for."""
    names = {name for key in SAMPLES for name, *_ in calls_of(key)} | {
        name for key in PLAIN for name, *_ in lines_of(key)
    }
    if not accept:
        assert set(record().entries) == names
        return
    assert torch is not None and IS_ORACLE, "the record is made with PyTorch under CPython 3.11"
    fresh = Record()
    for key in SAMPLES:
        for name, sample, dtype, layout in calls_of(key):
            fresh.put(name, [dtype, list(sample.args), sample.kwargs], under_torch(key, sample, dtype, layout))
    for key in PLAIN:
        for name, entry, arguments in lines_of(key):
            fresh.put(name, repr(arguments)[:1000], outcome(entry.reference, arguments))
    fresh.save()
    record.cache_clear()


@pytest.mark.parametrize("key", SAMPLES)
def test_agrees_with_torch(key: str) -> None:
    wrong = []
    for name, sample, dtype, layout in calls_of(key):
        rtol = tolerance(sample, dtype)
        want = record().get(name, [dtype, list(sample.args), sample.kwargs])
        try:
            got = under_tsm(key, sample, dtype, layout)
            found = difference(thinned(got), want, rtol)
            if torch is not None:
                live = under_torch(key, sample, dtype, layout)
                found = found or difference(got, live, rtol) or difference(thinned(live), want, rtol)
        except Exception as error:
            found = f"{type(error).__name__}: {error}"
        if found:
            wrong.append(f"{name}: {found}")
    assert not wrong, "\n".join(wrong[:20])


@pytest.mark.parametrize("key", ERRORS)
def test_raises_as_its_reference(key: str) -> None:
    for case in ERRORS[key]:
        args, kwargs = converted(list(case.args), None, "plain"), converted(case.kwargs, None, "plain")
        if not case.only_ours and torch is not None:
            with pytest.raises(Exception) as theirs:
                reference_of(key, case.reference)(
                    *into(args, torch.from_numpy, lambda name: getattr(torch, name)),
                    **into(kwargs, torch.from_numpy, lambda name: getattr(torch, name)),
                )
            assert type(theirs.value).__name__ == case.error
        with pytest.raises(Exception) as mine:
            call(key, *into(args, tsm.from_numpy, tsm.dtype), **into(kwargs, tsm.from_numpy, tsm.dtype))
        assert type(mine.value).__name__ == case.error, mine.value
        assert case.text in str(mine.value)


# ---- Everything else ----------------------------------------------------------------------------------------------


def lines_of(key: str) -> Iterator[tuple[str, Plain, tuple[Any, ...]]]:
    for number, entry in enumerate(PLAIN[key]):
        for line, arguments in enumerate(entry.calls):
            yield f"{key}/{number}/{line}", entry, arguments


@pytest.mark.parametrize("key", PLAIN)
def test_agrees_with_python(key: str) -> None:
    wrong, names = [], [param.name for param in table.find(key).parsed.params]
    for name, entry, arguments in lines_of(key):
        want = record().get(name, repr(arguments)[:1000])
        got = outcome(lambda *given: call(key, **dict(zip(names, given))), arguments)
        if not agrees(got, want, entry.ulps):
            wrong.append(f"{name}{arguments!r:.200}: {got} instead of {want}")
        if IS_ORACLE and not agrees(outcome(entry.reference, arguments), want, entry.ulps):
            wrong.append(f"{name}: Python does not give what is recorded")
    assert not wrong, "\n".join(wrong[:20])


def test_every_row_has_samples() -> None:
    missing = [row.full_name for row in table.rows() if row.full_name not in SAMPLES and row.full_name not in PLAIN]
    assert not missing
    unknown = [key for key in (*SAMPLES, *ERRORS, *PLAIN) if key not in table.by_full_name()]
    assert not unknown
