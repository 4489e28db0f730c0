"""Elementwise operators, reductions, softmax, norms and copies on every instruction set: near PyTorch's results, and
the same bits for 1, 2 and 3 threads. Shapes are such that rows, columns, tiles and their remainders all occur."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

Cases = dict[str, Callable[..., Any]]


def places(a: Any) -> Any:
    """A row of `a` for each row, some of them many times."""
    return (a[:, 0].abs() * 5).long() % a.shape[0]


POINTWISE: Cases = {
    "chain": lambda m, a, b: (a * b + 0.5).tanh() * a.sigmoid() - (-b * b).exp(),
    "row": lambda m, a, b: a + b[0],
    "column": lambda m, a, b: (a * b[:, :1]) / (2 + b[:, :1].abs()),
    "transposed": lambda m, a, b: a.t() - b.t().contiguous(),
    "turned": lambda m, a, b: a.t().contiguous().t() * b,
    "strided": lambda m, a, b: a[:, ::2].maximum(b[:, 1::2][:, : a[:, ::2].shape[1]]) if a.shape[1] % 2 == 0 else a,
    "where": lambda m, a, b: m.where(a > b, a, 0.0) + m.where(b > 0.0, 1.0, b),
    "clamp": lambda m, a, b: a.clamp(-0.5, 0.25) + m.minimum(a, b),
    "compare": lambda m, a, b: ((a > b) & (a <= 0.5)).float() + (1.0 - a),
    "power": lambda m, a, b: a.abs() ** 1.3 + a**2,
    "mixed": lambda m, a, b: a + b.int(),
    "logs": lambda m, a, b: a.abs().log1p() + (b * b + 0.1).log() + a.sin() * b.cos() + a.erf(),
}
REDUCTIONS: Cases = {
    "sum": lambda m, a, b: a.sum(),
    "mean_rows": lambda m, a, b: a.mean(1),
    "mean_columns": lambda m, a, b: a.mean(0),
    "amax": lambda m, a, b: a.amax(0) + a.amax(),
    "amin_rows": lambda m, a, b: a.amin(1),
    "var": lambda m, a, b: a.var(0) + a.var(),
    "std_rows": lambda m, a, b: a.std(1),
    "transposed": lambda m, a, b: a.t().sum(0) + a.t().contiguous().sum(0),
    "argmax": lambda m, a, b: a.argmax(1) + a.argmax(),
    "cumsum": lambda m, a, b: a.cumsum(1) * 0.01 + a.cumsum(0) * 0.01,
    "softmax": lambda m, a, b: a.softmax(1) + a.softmax(0),
    "log_softmax": lambda m, a, b: a.log_softmax(1) - a.log_softmax(0),
    "layer_norm": lambda m, a, b: m.nn.functional.layer_norm(a, [a.shape[1]], a[0], b[0]),
    "any": lambda m, a, b: (a > 3).any(0) ^ (a < 3).all(0),
    "counts": lambda m, a, b: (a > 0).sum(1) + (a * 10).long().sum(),
}
COPIES: Cases = {
    "turn": lambda m, a, b: a.t().contiguous(),
    "heads": lambda m, a, b: a[:, : a.shape[1] // 3 * 3].reshape(a.shape[0], 3, -1).permute(1, 0, 2).contiguous(),
    "images": lambda m, a, b: a[:, : a.shape[1] // 3 * 3].reshape(a.shape[0], 3, -1).permute(0, 2, 1).contiguous(),
    "cat": lambda m, a, b: m.cat([a, b], 1) + m.cat([b, a.t().contiguous().t()], 1),
    "flip": lambda m, a, b: a.flip([0, 1]),
    "repeat": lambda m, a, b: a.repeat(2, 2),
    "wide": lambda m, a, b: a.t().double(),
    "picked": lambda m, a, b: b[places(a)] + b.index_select(0, places(a)) - b.t().contiguous()[:, places(a)].t(),
    "added": lambda m, a, b: a.clone().index_add_(0, places(a), b) + a.t().clone().index_add_(1, places(a), b.t()).t(),
}
SHAPES = [(1, 1), (3, 5), (7, 16), (33, 130), (5, 4099), (700, 331), (4, 0)]


def inputs(shape: tuple[int, int], dtype: str) -> list[np.ndarray[Any, Any]]:
    draw = np.random.default_rng(3)
    return [draw.standard_normal(shape).astype(dtype) for _ in range(2)]


def runs(shape: tuple[int, int]) -> Cases:
    return POINTWISE | REDUCTIONS | COPIES if min(shape) > 1 else POINTWISE


def check_all() -> None:
    """The child: compares with PyTorch and prints a digest of all bits."""
    import torch

    import tsm

    torch.set_num_threads(1)
    digest = hashlib.sha256()
    for shape in SHAPES:
        for dtype in ("float32", "float64"):
            given = inputs(shape, dtype)
            for name, function in runs(shape).items():
                ours = function(tsm, *map(tsm.tensor, given)).numpy()
                theirs = function(torch, *map(torch.from_numpy, given)).numpy()
                error = 3e-5 if dtype == "float32" else 1e-12
                np.testing.assert_allclose(ours, theirs, error, error, err_msg=f"{name} {shape} {dtype}")
                digest.update(np.ascontiguousarray(ours).tobytes())
    print(digest.hexdigest())


def test_every_set_and_number_of_threads(isa: str) -> None:
    pytest.importorskip("torch")
    digests = set()
    for threads in (1, 2, 3):
        environment = {**os.environ, "TSM_ISA": isa, "TSM_THREADS": str(threads)}
        done = subprocess.run([sys.executable, __file__], env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        digests.add(done.stdout)
    assert len(digests) == 1


@pytest.mark.parametrize("shape", [(50,), (50, 3), (50, 8), (50, 3, 64), (400, 333), (50, 0)])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_numbers_are_added_in_their_order(shape: tuple[int, ...], dtype: str) -> None:
    import tsm

    draw = np.random.default_rng(1)
    source = draw.standard_normal(shape).astype(dtype) * 10.0 ** draw.integers(-6, 6, shape[0]).reshape(
        -1, *[1] * (len(shape) - 1))
    source = source.astype(dtype)
    index = draw.integers(0, 7, shape[0])
    expected = np.zeros((7, *shape[1:]), dtype)
    for row, place in zip(source, index):
        expected[place] = expected[place] + row
    before = tsm.get_num_threads()
    try:
        for threads in (1, 2, 3):
            tsm.set_num_threads(threads)
            for columns in (tsm.tensor(source), tsm.tensor(np.asfortranarray(source))):
                found = tsm.zeros(7, *shape[1:], dtype=columns.dtype).index_add_(0, tsm.tensor(index), columns)
                assert np.array_equal(found.numpy(), expected)
    finally:
        tsm.set_num_threads(before)


if __name__ == "__main__":
    check_all()
