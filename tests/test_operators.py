"""Every tensor operator against PyTorch: values, dtypes, shapes, aliasing and errors, over dtypes and memory layouts.

The samples in ``samples/`` are the only list: a tensor row of ops.def without an entry there fails.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from samples.sample import DType, Failure, Sample  # noqa: E402

import tsm  # noqa: E402
from tsm.binding import ops  # noqa: E402

MODULES = [
    importlib.import_module(f"samples.{path.stem}")
    for path in sorted((Path(__file__).parent / "samples").glob("*.py"))
    if path.stem != "sample"
]
LAYOUTS = ("plain", "strided", "transposed")
RTOL = {"float32": 2e-5, "float64": 1e-10}


def reference_of(key: str, sample: Sample | Failure) -> Any:
    """PyTorch's function of the same name, unless the sample brings its own."""
    if sample.reference is not None:
        return sample.reference
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
    """Arrays copied in a layout, float64 ones as ``dtype``; lists and tuples of arrays too."""
    if isinstance(value, np.ndarray):
        with np.errstate(invalid="ignore"):
            return laid_out(value.astype(dtype) if dtype and value.dtype == np.float64 else value, layout)
    if isinstance(value, (list, tuple)) and any(isinstance(v, (np.ndarray, list)) for v in value):
        return [converted(v, dtype, layout) for v in value]
    return value


def into(value: Any, from_numpy: Any, dtype_of: Any) -> Any:
    """Arrays as tensors and dtypes as the library's."""
    if isinstance(value, np.ndarray):
        return from_numpy(value)
    if isinstance(value, DType):
        return dtype_of(value.name)
    if isinstance(value, list) and any(isinstance(v, np.ndarray) or v is None for v in value):
        return [None if v is None else into(v, from_numpy, dtype_of) for v in value]
    return value


def ours(array: np.ndarray) -> tsm.Tensor:
    return tsm.from_numpy(array)


def torch_dtype(name: str) -> Any:
    return getattr(torch, name)


def assert_same(got: Any, expected: Any, rtol: float, checks_values: bool) -> None:
    """Equal type, dtype and shape; values within rtol, NaN equal to NaN."""
    if isinstance(expected, torch.Tensor):
        assert isinstance(got, tsm.Tensor)
        assert tuple(got.shape) == tuple(expected.shape)
        array, other = got.numpy(), expected.numpy()
        assert array.dtype == other.dtype
        if checks_values:
            np.testing.assert_allclose(array, other, rtol=rtol, atol=rtol * 1e-1)
            assert not np.any(np.signbit(array) != np.signbit(other), where=(array == 0) & (other == 0))
    elif isinstance(expected, (list, tuple)):
        assert len(got) == len(expected)
        for g, e in zip(got, expected):
            assert_same(g, e, rtol, checks_values)
    else:
        assert type(got) is type(expected)
        assert got == expected or got != got


def calls() -> Iterator[Any]:
    for module in MODULES:
        for key, samples in module.SAMPLES.items():
            for number, sample in enumerate(samples):
                for dtype in sample.dtypes or (None,):
                    yield pytest.param(key, sample, dtype, id=f"{key}-{number}-{dtype}")


@pytest.mark.parametrize(("key", "sample", "dtype"), list(calls()))
def test_agrees_with_torch(key: str, sample: Sample, dtype: str | None) -> None:
    for layout in LAYOUTS:
        args, torch_args = (converted(list(sample.args), dtype, layout) for _ in range(2))
        expected = reference_of(key, sample)(
            *(into(a, torch.from_numpy, torch_dtype) for a in torch_args),
            **{k: into(converted(v, dtype, layout), torch.from_numpy, torch_dtype) for k, v in sample.kwargs.items()},
        )
        got = ops.call(
            key,
            *(into(a, ours, tsm.dtype) for a in args),
            **{k: into(converted(v, dtype, layout), ours, tsm.dtype) for k, v in sample.kwargs.items()},
        )
        rtol = sample.rtol or RTOL.get(dtype or "float64", 2e-5)
        assert_same(got, expected, rtol, sample.checks_values)
        # what was written, and what was not, agrees as well
        for mine_after, theirs_after in zip(args, torch_args):
            if isinstance(mine_after, np.ndarray) and sample.checks_values:
                np.testing.assert_allclose(mine_after, theirs_after, rtol=rtol, atol=rtol * 1e-1)


def failures() -> Iterator[Any]:
    for module in MODULES:
        for key, cases in module.ERRORS.items():
            for number, case in enumerate(cases):
                yield pytest.param(key, case, id=f"{key}-{number}")


@pytest.mark.parametrize(("key", "case"), list(failures()))
def test_raises_as_torch(key: str, case: Failure) -> None:
    def arguments(from_numpy: Any, dtype_of: Any) -> tuple[list[Any], dict[str, Any]]:
        args = [into(converted(a, None, "plain"), from_numpy, dtype_of) for a in case.args]
        return args, {k: into(converted(v, None, "plain"), from_numpy, dtype_of) for k, v in case.kwargs.items()}

    if not case.only_ours:
        args, kwargs = arguments(torch.from_numpy, torch_dtype)
        with pytest.raises(Exception) as theirs:
            reference_of(key, case)(*args, **kwargs)
        assert type(theirs.value).__name__ == case.error
    args, kwargs = arguments(ours, tsm.dtype)
    with pytest.raises(Exception) as mine:
        ops.call(key, *args, **kwargs)
    assert type(mine.value).__name__ == case.error
    assert case.text in str(mine.value)
