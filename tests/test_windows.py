"""Convolutions, transposed ones and pools of any geometry, against sums by NumPy, on every instruction set.

Sizes are such that groups, strides beyond the kernel, phases without taps, dilation with and without a common divisor,
output padding, blocks of filters and tiles of places that are whole or not, and threads occur.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import pytest

import tsm

F = tsm.nn.functional
Geometry = dict[str, Any]


def noise(*shape: int, dtype: Any = np.float32) -> np.ndarray:
    return np.random.default_rng(sum(shape)).standard_normal(shape).astype(dtype)


def taps(kernel: list[int], stride: list[int], dilation: list[int], count: list[int]) -> Iterator[tuple[Any, Any]]:
    """Each place of a kernel, and the elements that it meets as `count` windows move."""
    for place in product(*map(range, kernel)):
        yield place, tuple(
            slice(p * d, p * d + (n - 1) * s + 1, s) for p, d, s, n in zip(place, dilation, stride, count)
        )


def convolved(
    x: np.ndarray, w: np.ndarray, groups: int, stride: list[int], padding: list[int], dilation: list[int]
) -> np.ndarray:
    kernel = list(w.shape[2:])
    padded = np.pad(x.astype(np.float64), [(0, 0), (0, 0), *((p, p) for p in padding)])
    count = [(n - d * (k - 1) - 1) // s + 1 for n, k, s, d in zip(padded.shape[2:], kernel, stride, dilation)]
    made = np.zeros((len(x), groups, len(w) // groups, *count))
    for place, where in taps(kernel, stride, dilation, count):
        seen = padded[(slice(None), slice(None), *where)].reshape(len(x), groups, -1, *count)
        weight = w.reshape(groups, -1, *w.shape[1:])[(..., *place)]
        made += np.einsum("ngc...,gfc->ngf...", seen, weight)
    return made.reshape(len(x), len(w), *count)


def transposed(
    x: np.ndarray, w: np.ndarray, groups: int, stride: list[int], padding: list[int], dilation: list[int],
    more: list[int],
) -> np.ndarray:
    size, kernel = list(x.shape[2:]), list(w.shape[2:])
    whole = [(n - 1) * s + d * (k - 1) + 1 + m for n, s, d, k, m in zip(size, stride, dilation, kernel, more)]
    made = np.zeros((len(x), groups, w.shape[1], *whole))
    for place, where in taps(kernel, stride, dilation, size):
        weight = w.reshape(groups, -1, *w.shape[1:])[(..., *place)]
        parts = x.astype(np.float64).reshape(len(x), groups, -1, *size)
        made[(..., *where)] += np.einsum("ngc...,gcf->ngf...", parts, weight)
    cut = tuple(slice(p, n - p) for p, n in zip(padding, whole))
    return made[(..., *cut)].reshape(len(x), -1, *(c.stop - c.start for c in cut))


def drawn(seed: int) -> Geometry:
    draw = random.Random(seed)
    rank = seed % 3 + 1
    each: Any = lambda *values: [draw.choice(values) for _ in range(rank)]  # noqa: E731
    return {
        "groups": draw.choice([1, 1, 2, 3]), "channels": draw.choice([1, 2, 7, 16, 20]),
        "filters": draw.choice([1, 3, 8, 17, 33]),
        "kernel": each(1, 2, 3, 4, 5), "stride": each(1, 1, 2, 3, 4), "dilation": each(1, 1, 2, 3, 4),
        "padding": each(0, 0, 1, 2, 3),
        "size": [n + 4 for n in each(1, 2, 5, 9, 14)], "images": draw.choice([1, 2]), "turned": draw.random() < 0.3,
        "dtype": draw.choice([np.float32, np.float32, np.float32, np.float64, np.int64]), "bias": draw.random() < 0.5,
    }  # fmt: skip


def image_of(g: Geometry) -> np.ndarray:
    shape = [g["images"], g["groups"] * g["channels"], *g["size"]]
    x = (noise(*shape) * 4).astype(g["dtype"])
    return np.moveaxis(np.moveaxis(x, 1, -1).copy(), -1, 1) if g["turned"] else x


def close(got: tsm.Tensor, expected: np.ndarray, dtype: Any) -> None:
    assert tuple(got.shape) == expected.shape
    np.testing.assert_allclose(got.numpy(), expected.astype(dtype), 1e-4, 1e-3)


@pytest.mark.parametrize("first", range(0, 120, 12))
def test_convolutions(first: int) -> None:
    for seed in range(first, first + 12):
        g = drawn(seed)
        x, geometry = image_of(g), [g["stride"], g["padding"], g["dilation"]]
        made = [n + 2 * p - d * (k - 1) for n, p, d, k in zip(g["size"], g["padding"], g["dilation"], g["kernel"])]
        if min(made) < 1:
            continue
        w = (noise(g["groups"] * g["filters"], g["channels"], *g["kernel"]) * 4).astype(g["dtype"])
        bias = (noise(len(w)) * 4).astype(g["dtype"]) if g["bias"] else None
        expected = convolved(x, w, g["groups"], *geometry)
        if bias is not None:
            expected += bias.reshape(-1, *[1] * len(made))
        b = None if bias is None else tsm.tensor(bias)
        function = getattr(F, f"conv{len(made)}d")
        close(function(tsm.tensor(x), tsm.tensor(w), b, *geometry, g["groups"]), expected, g["dtype"])


@pytest.mark.parametrize("first", range(0, 180, 12))
def test_transposed_convolutions(first: int) -> None:
    for seed in range(first, first + 12):
        g = drawn(seed)
        x, geometry = image_of(g), [g["stride"], g["padding"], g["dilation"]]
        more = [random.Random(seed).randrange(max(s, d)) for s, d in zip(g["stride"], g["dilation"])]
        w = (noise(x.shape[1], g["filters"], *g["kernel"]) * 4).astype(g["dtype"])
        bias = (noise(g["groups"] * g["filters"]) * 4).astype(g["dtype"]) if g["bias"] else None
        extents = [(n - 1) * s - 2 * p + d * (k - 1) + 1 + m for n, s, p, d, k, m in zip(
            g["size"], g["stride"], g["padding"], g["dilation"], g["kernel"], more)]  # fmt: skip
        if min(extents) < 1:
            continue
        expected = transposed(x, w, g["groups"], *geometry, more)
        if bias is not None:
            expected += bias.reshape(-1, *[1] * len(more))
        b = None if bias is None else tsm.tensor(bias)
        function = getattr(F, f"conv_transpose{len(more)}d")
        got = function(tsm.tensor(x), tsm.tensor(w), b, g["stride"], g["padding"], more, g["groups"], g["dilation"])
        close(got, expected, g["dtype"])


def test_strides_far_beyond_what_is_seen() -> None:
    """Only phases that have results are looked at, and the taps of each are not searched for."""
    cases = [(2**60, 1, 3, 1), (2**40, 3, 5, 0), (99_991, 3, 30_000, 7), (600, 40, 500, 3)]
    for stride, dilation, kernel, padding in cases:
        w = noise(2, 1, kernel)
        made = F.conv_transpose1d(tsm.ones(1, 2, 1), tsm.tensor(w), None, stride, padding, 0, 1, dilation).numpy()
        expected = np.zeros(dilation * (kernel - 1) + 1)
        expected[::dilation] = w.sum(axis=0)[0]
        np.testing.assert_allclose(made[0, 0], expected[padding : len(expected) - padding], rtol=1e-5, atol=1e-5)


def test_kept_weights_of_transposed_convolutions() -> None:
    """Those of a module are packed once, and again when they are written; tied ones by another stride apart."""
    first, second = tsm.nn.ConvTranspose2d(5, 6, 4, 2, 1), tsm.nn.ConvTranspose2d(5, 6, 4, (1, 3), 1)
    second.weight, second.bias = first.weight, first.bias
    x = noise(2, 5, 7, 6)

    for step in range(6):
        if step % 2 == 0:
            with tsm.no_grad():
                first.weight.mul_(1.5)
        w, bias = first.weight.detach().numpy(), first.bias.detach().numpy().reshape(-1, 1, 1)
        for module, stride in ((first, [2, 2]), (second, [1, 3])):
            expected = transposed(x, w, 1, stride, [1, 1], [1, 1], [0, 0]) + bias
            close(module(tsm.tensor(x)).detach(), expected, np.float32)


@pytest.mark.parametrize("setting", ["TSM_ISA=base", "TSM_ISA=avx2", "TSM_THREADS=3"])
def test_other_settings(setting: str) -> None:
    name, _, value = setting.partition("=")
    command = [sys.executable, "-m", "pytest", "-q", "-x", __file__, "-k", "not other_settings"]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, name: value})
    if "no instruction set" in done.stdout + done.stderr:
        pytest.skip("not on this processor")
    assert done.returncode == 0, done.stdout + done.stderr
