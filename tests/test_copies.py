"""Copies in rows, gathering in one pass and sums of integers, against NumPy, on every instruction set.

Sizes are such that rows shorter and longer than a vector, whole ones and remainders occur, and pieces for threads.
"""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

import tsm

DTYPES = [np.uint8, np.int16, np.float32, np.int64]
ROWS = [1, 3, 8, 15, 16, 17, 31, 33, 63, 64, 65, 100, 127, 129, 256, 257, 1000, 5000]


def numbers(shape: tuple[int, ...], dtype: type) -> np.ndarray:
    return np.random.default_rng(sum(shape)).integers(0, 120, shape).astype(dtype)


@pytest.mark.parametrize("dtype", DTYPES, ids=lambda dtype: dtype.__name__)
@pytest.mark.parametrize("size", ROWS)
def test_rows(size: int, dtype: type) -> None:
    x, y = numbers((7, size + 5), dtype), numbers((7, 3), dtype)
    a, b = tsm.tensor(x), tsm.tensor(y)
    np.testing.assert_array_equal(a[:, 2 : size + 2].contiguous().numpy(), x[:, 2 : size + 2])
    np.testing.assert_array_equal(a[::2, 1 : size + 1].contiguous().numpy(), x[::2, 1 : size + 1])
    np.testing.assert_array_equal(tsm.cat([a, b, a], 1).numpy(), np.concatenate([x, y, x], 1))
    z = numbers((3, 5, 4, size), dtype)
    np.testing.assert_array_equal(tsm.tensor(z).permute(0, 2, 1, 3).contiguous().numpy(), z.transpose(0, 2, 1, 3))
    np.testing.assert_array_equal(tsm.tensor(z).permute(2, 1, 0, 3).contiguous().numpy(), z.transpose(2, 1, 0, 3))
    np.testing.assert_array_equal(tsm.tensor(x).flip([0]).numpy(), x[::-1])
    np.testing.assert_array_equal(tsm.tensor(x[:1]).expand(6, -1).contiguous().numpy(), x[:1].repeat(6, 0))
    whole = tsm.zeros(9, size + 9, dtype=a.dtype)
    whole[1:8, 4 : size + 9] = a
    expected = np.zeros((9, size + 9), dtype)
    expected[1:8, 4:] = x
    np.testing.assert_array_equal(whole.numpy(), expected)


@pytest.mark.parametrize("shape", [(40, 50), (3, 700), (2000, 2), (9, 11, 30)], ids=str)
@pytest.mark.parametrize("dtype", [np.float32, np.int32, np.float64, np.int16], ids=lambda dtype: dtype.__name__)
def test_gather(shape: tuple[int, ...], dtype: type) -> None:
    x = numbers(shape, dtype)
    for dim in range(len(shape)):
        index = np.random.default_rng(dim).integers(0, shape[dim], shape)
        expected = np.take_along_axis(x, index, dim)
        np.testing.assert_array_equal(tsm.tensor(x).gather(dim, tsm.tensor(index)).numpy(), expected)
        turned = tsm.tensor(np.ascontiguousarray(index.T)).permute(*reversed(range(len(shape))))
        other = tsm.tensor(np.ascontiguousarray(x.T)).permute(*reversed(range(len(shape))))
        np.testing.assert_array_equal(other.gather(dim, turned).numpy(), expected)
        part = tuple(slice(0, max(1, size - 1)) for size in shape)
        if all(index[part].max(initial=0) < size for size in [shape[dim]]):
            np.testing.assert_array_equal(
                tsm.tensor(x).gather(dim, tsm.tensor(index)[part]).numpy(), expected[part]
            )  # fmt: skip


@pytest.mark.parametrize("bad", [-1, 50, 2**62])
def test_gather_refuses(bad: int) -> None:
    index = np.zeros((40, 50), np.int64)
    index[39, 49] = bad
    with pytest.raises(RuntimeError, match="gather|index"):
        tsm.zeros(40, 50).gather(1, tsm.tensor(index))
    with pytest.raises(RuntimeError):
        tsm.zeros(40, 0).gather(1, tsm.tensor(np.zeros((40, 50), np.int64)))


@pytest.mark.parametrize("size", [0, 1, 7, 8, 31, 32, 33, 100, 20000])
def test_integer_sums(size: int) -> None:
    x = np.random.default_rng(size).integers(-(2**62), 2**62, size)
    assert tsm.tensor(x).sum().item() == int(x.sum())  # both wrap
    rows = np.random.default_rng(size).integers(-9, 9, (3, size))
    np.testing.assert_array_equal(tsm.tensor(rows).sum(1).numpy(), rows.sum(1))


@pytest.mark.parametrize("setting", ["TSM_ISA=base", "TSM_ISA=avx2", "TSM_THREADS=3"])
def test_other_settings(setting: str) -> None:
    name, _, value = setting.partition("=")
    command = [sys.executable, "-m", "pytest", "-q", "-x", __file__, "-k", "not other_settings"]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, name: value})
    if "no instruction set" in done.stdout + done.stderr:
        pytest.skip("not on this processor")
    assert done.returncode == 0, done.stdout + done.stderr
