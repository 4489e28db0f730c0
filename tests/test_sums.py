"""Sums, means and variances of float32 rows against float64, on every instruction set.

What docs/speed.md states: a row's sum is within 2**-23 of the sum of the magnitudes before it is rounded to float32,
whatever its length, its variance within 2**-21 of itself, and what would overflow on the way does not. NaN, Inf and
empty rows are as in PyTorch.
"""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

import tsm

SIZES = [0, 1, 3, 15, 16, 63, 64, 65, 127, 128, 255, 1000, 1024, 4097, 40000]


def rows(kind: str, count: int, size: int) -> np.ndarray:
    random = np.random.default_rng(size)
    pairs = np.repeat(random.standard_normal((count, (size + 1) // 2)), 2, 1)[:, :size]
    made = {
        "normal": random.standard_normal((count, size)),
        "positive": random.random((count, size)) + 0.5,
        "wide": random.standard_normal((count, size)) * 10.0 ** random.integers(-20, 20, (count, size)),
        "cancelling": pairs * (-1) ** np.arange(size),
        "shifted": random.standard_normal((count, size)) + 1e4,
    }  # fmt: skip
    return made[kind].astype(np.float32)


@pytest.mark.parametrize("kind", ["normal", "positive", "wide", "cancelling", "shifted"])
@pytest.mark.parametrize("size", SIZES)
def test_sums_against_float64(kind: str, size: int) -> None:
    x = rows(kind, 5, size)
    exact, magnitude = x.astype(np.float64).sum(1), np.abs(x.astype(np.float64)).sum(1)
    bound = magnitude * 2.0**-23 + np.abs(exact) * 2.0**-24
    assert (np.abs(tsm.tensor(x).sum(1).numpy() - exact) <= bound).all()
    if size:
        assert (np.abs(tsm.tensor(x).mean(1).numpy() - exact / size) <= bound / size * 1.01 + 1e-45).all()


def test_as_good_as_pytorch() -> None:
    torch = pytest.importorskip("torch")
    for kind in ("normal", "positive", "shifted"):
        x = rows(kind, 400, 1024)
        exact = x.astype(np.float64).sum(1)
        ours = np.abs(tsm.tensor(x).sum(1).numpy() - exact)
        theirs = np.abs(torch.from_numpy(x).sum(1).numpy() - exact)
        assert np.square(ours).mean() <= np.square(theirs).mean() * 1.05


@pytest.mark.parametrize("kind", ["normal", "positive", "wide", "cancelling", "shifted"])
@pytest.mark.parametrize("size", [3, 64, 65, 127, 1000, 1024, 4097])
def test_variance_against_float64(kind: str, size: int) -> None:
    x = rows(kind, 7, size)
    exact = x.astype(np.float64).var(1, ddof=1)
    bound = exact * (2.0**-21 + 2.0**-24) + np.square(np.abs(x.astype(np.float64)).mean(1) * 2.0**-23)
    with np.errstate(over="ignore"):
        is_near = np.abs(tsm.tensor(x).var(1).numpy() - exact) <= bound
        assert (is_near | (exact.astype(np.float32) == np.inf)).all()
    np.testing.assert_allclose(tsm.tensor(x).std(1).numpy(), np.sqrt(exact), rtol=1e-5)


@pytest.mark.parametrize("size", [64, 1000])
def test_norms_far_from_zero(size: int) -> None:
    x = rows("shifted", 7, size)
    wide = x.astype(np.float64)
    expected = (wide - wide.mean(1, keepdims=True)) / np.sqrt(wide.var(1, keepdims=True) + 1e-5)
    for weight, bias in ((None, None), (3.0, None), (None, 2.0), (3.0, 2.0)):
        given = [None if value is None else tsm.full([size], value) for value in (weight, bias)]
        normed = tsm.nn.functional.layer_norm(tsm.tensor(x), [size], *given).numpy()
        np.testing.assert_allclose(normed, expected * (weight or 1) + (bias or 0), atol=1e-3)


def test_squares_out_of_range() -> None:
    for scale in (1e-30, 1e-20, 1e20, 1e30):
        x = (rows("normal", 3, 200) * scale).astype(np.float32)
        np.testing.assert_allclose(tsm.tensor(x).std(1).numpy(), x.astype(np.float64).std(1, ddof=1), rtol=1e-5)
    x = np.full((2, 100), 0.1, np.float32)
    assert (tsm.tensor(x).var(1).numpy() < 1e-15).all()
    x[1, 70] = np.nan
    assert np.isnan(tsm.tensor(x).var(1).numpy()).tolist() == [False, True]


def test_no_overflow_on_the_way() -> None:
    x = np.full(128, 3e38, np.float32)
    x[::2] *= -1
    assert tsm.tensor(np.sort(x)).sum().item() == 0.0
    assert tsm.tensor(np.sort(x)[::-1].copy()).mean().item() == 0.0
    assert tsm.tensor(np.full(100, 3e38, np.float32)).sum().item() == float("inf")
    assert np.isclose(tsm.tensor(np.full(128, 3e38, np.float32)).mean().item(), 3e38)


@pytest.mark.parametrize("at", [0, 5, 63, 64, 120, 129])
def test_not_numbers(at: int) -> None:
    x = np.ones(130, np.float32)
    for value in (np.inf, -np.inf):
        x[at] = value
        assert tsm.tensor(x).sum().item() == value
    x[(at + 1) % 130] = np.inf
    assert np.isnan(tsm.tensor(x).sum().item())
    x[at] = np.nan
    assert np.isnan(tsm.tensor(x).mean().item())
    tiny = np.full(130, 1e-45, np.float32)
    assert tsm.tensor(tiny).sum().item() == float(np.float32(tiny.astype(np.float64).sum()))


@pytest.mark.parametrize("size", [1000, 1024])
def test_many_rows_are_as_few(size: int) -> None:
    x = rows("normal", 1100, size)
    x[3, 7], x[290, 5], x[600, 990], x[1098, :] = np.inf, np.nan, -np.inf, 3e38
    x[1099, ::2], x[1099, 1::2] = 3e38, -3e38
    few = np.concatenate([tsm.tensor(part).mean(1).numpy() for part in np.array_split(x, 100)])
    np.testing.assert_array_equal(tsm.tensor(x).mean(1).numpy(), few)
    flat = np.empty(x.size + 4, np.float32)[4:].reshape(x.shape)
    flat[...] = x
    np.testing.assert_array_equal(tsm.from_numpy(flat).mean(1).numpy(), few)


@pytest.mark.parametrize("setting", ["TSM_ISA=base", "TSM_ISA=avx2", "TSM_THREADS=3"])
def test_other_settings(setting: str) -> None:
    name, _, value = setting.partition("=")
    command = [sys.executable, "-m", "pytest", "-q", "-x", __file__, "-k", "not other_settings"]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, name: value})
    if "no instruction set" in done.stdout + done.stderr:
        pytest.skip("not on this processor")
    assert done.returncode == 0, done.stdout + done.stderr
