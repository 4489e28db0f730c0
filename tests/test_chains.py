"""Chains of pointwise operators, fused or not, on every instruction set: the same bits.

The generator is fuzz/random_chains.py; here are a few of its seeds, and what it does not make.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tsm
from tsm import Tensor
from tsm.nn import functional as F

sys.path.insert(0, str(Path(__file__).parent / "fuzz"))
import random_chains


@pytest.mark.parametrize("first", range(1, 121, 20))
def test_random_chains(first: int) -> None:
    for seed in range(first, first + 20):
        source = random_chains.generate(seed)
        found = random_chains.failure(source)
        assert found is None, f"seed {seed}\n{source.text}{found}"


SETTINGS = ["TSM_ISA=base", "TSM_ISA=avx2", "TSM_FUSION=0", "TSM_THREADS=1", "TSM_THREADS=3", "TSM_FETCHING=1"]


@pytest.mark.parametrize("setting", SETTINGS)
def test_other_settings(setting: str) -> None:
    name, _, value = setting.partition("=")
    command = [sys.executable, str(Path(random_chains.__file__)), "1000", "1025"]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, name: value})
    if "no instruction set" in done.stderr:
        pytest.skip("not on this processor")
    assert done.returncode == 0 and "25 chains, 0 disagree" in done.stdout, done.stdout + done.stderr


def both(function: Any, *inputs: Any) -> tuple[Any, Any]:
    """Results without and with fusing."""
    results = []
    for limit in ("fuse=0", "fuse=1000"):
        with random_chains.limited(limit):
            program = tsm.script(function)
            assert ("fused" in str(program.inlined_graph)) == (limit != "fuse=0")
            results.append(program(*[x.clone() if isinstance(x, Tensor) else x for x in inputs]))
    return results[0], results[1]


def same(left: Any, right: Any) -> bool:
    return left.dtype == right.dtype and np.array_equal(left.numpy(), right.numpy(), equal_nan=True)


def alone(a: Tensor, b: Tensor, mask: Tensor) -> list[Tensor]:
    total = a
    for _ in range(3):
        total = total + b
        total = total * total
    return [
        total,
        a - b,
        b / a,
        a * 2.5,
        2.5 / a,
        a**2,
        a**3,
        a**0.5,
        a**1.25,
        -a,
        a + a,
        a > b,
        a <= 0.5,
        F.relu(a),
        tsm.where(mask, a, b),
        a.masked_fill(mask, 7.0),
        tsm.clamp(a, -0.5, 0.5),
        tsm.maximum(a, b),
        tsm.tanh(b),
        F.gelu(a, approximate="tanh"),
        F.gelu(a),
        tsm.isnan(a),
        F.leaky_relu(a, 0.1),
    ]


SHAPES = [((), ()), ((1,), (1,)), ((1, 1), (1,)), ((3,), (3,)), ((2, 24), (24,)), ((2, 1), (1, 24)), ((7, 7), (7, 7))]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("shapes", [*SHAPES, ((1,), (300,))])
def test_single_operators_as_their_kernels(shapes: tuple[Any, Any], dtype: str) -> None:
    """Small operands of one operator go the way of chains: eager calls, which do not, give the same bits."""
    numbers = np.random.default_rng(3)
    a, b = (np.asarray(numbers.standard_normal(shape), dtype) for shape in shapes)
    if a.size > 2:
        a.flat[1] = np.nan
    mask = np.asarray(numbers.random(np.broadcast_shapes(*shapes)) > 0.5)
    inputs = [tsm.from_numpy(array) for array in (a, b, mask)]
    turned = [x.t().contiguous().t() if len(x.shape) == 2 else x for x in inputs]
    with random_chains.limited("fuse=0"):
        program = tsm.script(alone)
    for given in (inputs, turned):
        for number, (left, right) in enumerate(zip(program(*given), alone(*given), strict=True)):
            assert same(left, right), number
    assert same(inputs[0], tsm.from_numpy(a))


def images(x: Tensor, w: Tensor, b: Tensor, channel: Tensor) -> Tensor:
    y = F.conv2d(x, w, b, padding=1)
    z = F.relu(y * channel + 1)
    return F.conv2d(F.silu(z) + y, w, b)


def test_images_in_any_order() -> None:
    numbers = np.random.default_rng(1)
    x, w, b = (tsm.from_numpy(numbers.standard_normal(s).astype("float32")) for s in ((2, 8, 9, 7), (8, 8, 3, 3), (8,)))
    channel = tsm.from_numpy(numbers.standard_normal((1, 8, 1, 1)).astype("float32"))
    plain, fused = both(images, x, w, b, channel)
    assert plain.stride() == fused.stride()
    assert np.allclose(plain.numpy(), fused.numpy(), rtol=1e-4, atol=1e-4)


def layer(x: Tensor, w: Tensor, b: Tensor, r: Tensor) -> Tensor:
    return F.relu(F.gelu(F.linear(x, w, b)) + r)


@pytest.mark.parametrize("shape", [(1, 5), (3, 5), (2, 3, 5), (33, 5), (0, 5), (5,), (500, 5), (16, 40, 5)])
def test_epilogues(shape: tuple[int, ...]) -> None:
    numbers = np.random.default_rng(2)
    made = [numbers.standard_normal(s).astype("float32") for s in (shape, (70, 5), (70,), (*shape[:-1], 70))]
    plain, fused = both(layer, *map(tsm.from_numpy, made))
    assert np.allclose(plain.numpy(), fused.numpy(), rtol=1e-5, atol=1e-5)
    plain, fused = both(layer, *(tsm.from_numpy(array.astype("float64")) for array in made))
    assert fused.dtype == tsm.float64 and np.allclose(plain.numpy(), fused.numpy(), rtol=1e-9, atol=1e-12)


def product(x: Tensor, w: Tensor, row: Tensor, column: Tensor, number: Tensor) -> Tensor:
    return tsm.tanh((x @ w + row) * column) * number


@pytest.mark.parametrize("sizes", [(1, 900, 300), (64, 128, 256), (257, 33, 65), (3000, 2, 7), (5, 700, 3000)])
def test_products(sizes: tuple[int, int, int]) -> None:
    rows, depth, columns = sizes
    numbers = np.random.default_rng(4)
    shapes = ((rows, depth), (depth, columns), (columns,), (rows, 1), ())
    made = [np.asarray(numbers.standard_normal(s) / 8, "float32") for s in shapes]
    plain, fused = both(product, *map(tsm.from_numpy, made))
    assert same(plain, fused)
    plain, fused = both(product, *(tsm.from_numpy(np.asarray(array, "float64")) for array in made))
    assert same(plain, fused)


def escapes(x: Tensor, w: Tensor) -> tuple[Tensor, Tensor]:
    y = x @ w
    return y, tsm.tanh(y) * 2 + y


def test_a_producer_whose_result_is_used_elsewhere() -> None:
    x = tsm.ones(3, 3)
    plain, fused = both(escapes, x, x)
    assert same(plain[0], fused[0]) and same(plain[1], fused[1])


def chain(a: Tensor, b: Tensor) -> Tensor:
    c = a * b
    d = tsm.tanh(c) + a
    return d * c


@pytest.mark.parametrize(
    ("left", "right", "message"),
    [((2, 3), (2, 4), "must match the size of tensor b .4."), ((2, 3), (3, 2), "must match the size of tensor b .2.")],
)
def test_errors_are_those_of_the_operator(left: tuple[int, ...], right: tuple[int, ...], message: str) -> None:
    with pytest.raises(RuntimeError, match=message) as caught:
        tsm.script(chain)(tsm.ones(left), tsm.ones(right))
    assert (caught.value.tsm_line, caught.value.tsm_operator) == (chain.__code__.co_firstlineno + 1, "mul.Tensor")


def writes_between(a: Tensor, b: Tensor) -> Tensor:
    c = a * b
    a.add_(1)
    return tsm.exp(c) + a


def test_nothing_moves_past_a_write() -> None:
    plain, fused = both_or_plain(writes_between, tsm.ones(5), tsm.ones(5) * 2)
    assert same(plain, fused)


def both_or_plain(function: Any, *inputs: Any) -> tuple[Any, Any]:
    results = []
    for limit in ("fuse=0", "fuse=1000"):
        with random_chains.limited(limit):
            results.append(tsm.script(function)(*[x.clone() for x in inputs]))
    return results[0], results[1]


def reuses(a: Tensor) -> tuple[Tensor, Tensor]:
    b = tsm.exp(a)
    total = b.sum()
    c = b * 2 + a
    d = c.sum()
    e = (c - total) * d
    return e, c


def test_memory_is_reused_only_where_nobody_looks() -> None:
    a = tsm.ones(100)
    plain, fused = both(reuses, a)
    assert same(plain[0], fused[0]) and same(plain[1], fused[1])
    assert same(a, tsm.ones(100))


def large(a: Tensor, b: Tensor) -> Tensor:
    return tsm.sigmoid(a * 2 + b) * tsm.exp(-a) - b


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_threads_do_not_matter(threads: int) -> None:
    a = tsm.from_numpy(np.random.default_rng(3).standard_normal((300, 5000)).astype("float32"))
    before = tsm.get_num_threads()
    try:
        tsm.set_num_threads(threads)
        plain, fused = both(large, a, a[:, :1])
    finally:
        tsm.set_num_threads(before)
    assert same(plain, fused)


def short_rows(a: Tensor, b: Tensor, c: Tensor) -> Tensor:
    return a * b + c * tsm.exp(-b)


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("width", [64, 65, 300, 5000])
def test_rows_of_broadcast_operands(threads: int, width: int) -> None:
    draw = np.random.default_rng(4)
    a, b, c = (
        tsm.from_numpy(draw.standard_normal(shape).astype("float32"))
        for shape in ((211, 3, width), (211, 1, width), (211, 3, 1))
    )
    turned = tsm.from_numpy(draw.standard_normal((3, width, 211)).astype("float32")).permute(2, 0, 1)
    before = tsm.get_num_threads()
    try:
        tsm.set_num_threads(threads)
        for operands in ((a, b, c), (turned, b, c), (a[:, :, ::2], b[:, :, ::2], c), (c, b, a)):
            assert same(*both(short_rows, *operands))
    finally:
        tsm.set_num_threads(before)


def test_fuel_is_charged_and_ends() -> None:
    program = tsm.script(large)
    a = tsm.ones(2_000_000)
    assert program(a, a).numel() == 2_000_000
    program.set_fuel(1000)
    with pytest.raises(tsm.FuelError):
        program(a, a)


def test_fused_files_round_trip(tmp_path: Path) -> None:
    program = tsm.script(chain)
    path = tmp_path / "chain.tsm"
    program.save(str(path))
    data = path.read_bytes()
    assert data[10] == data[12] == 1  # format 1.1
    again = tsm.load(str(path))
    again.save(str(tmp_path / "again.tsm"))
    assert (tmp_path / "again.tsm").read_bytes() == data
    a = tsm.ones(3)
    assert same(again(a, a), program(a, a))
