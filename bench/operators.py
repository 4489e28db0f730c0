"""Measures single operators beside PyTorch's: `python bench/operators.py [name ...] [--threads 1 2] [--rounds 31]`.

Both run in this process and take turns; a figure is the median over the rounds, a ratio is tsm's over PyTorch's.
Results are compared first. Inputs are float32 unless the name says otherwise; every call makes a new result, as eager
code does.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import torch

import tsm

Pair = tuple[Callable[..., Any], tuple[Any, ...]]


def array(*shape: int, seed: int = 0) -> np.ndarray[Any, Any]:
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def functional(m: Any) -> Any:
    return m.nn.functional


BIG = (4096, 1024)
INDEX = np.random.default_rng(1).integers(0, 4096, 4096)
CASES: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "add_1": (lambda m, a, b: a + b, (array(1), array(1))),
    "tanh_1": (lambda m, a: a.tanh(), (array(1),)),
    "add_1e3": (lambda m, a, b: a + b, (array(1000), array(1000))),
    "add_1e5": (lambda m, a, b: a + b, (array(100000), array(100000))),
    "add_1e7": (lambda m, a, b: a + b, (array(10000000), array(10000000))),
    "add_row": (lambda m, a, b: a + b, (array(*BIG), array(1024))),
    "mul_column": (lambda m, a, b: a * b, (array(*BIG), array(4096, 1))),
    "mul_scalar": (lambda m, a: a * 1.5, (array(*BIG),)),
    "relu": (lambda m, a: m.relu(a), (array(*BIG),)),
    "gt": (lambda m, a: a > 0.5, (array(*BIG),)),
    "where": (lambda m, a, b: m.where(a > b, a, b), (array(*BIG), array(*BIG, seed=1))),
    "clamp": (lambda m, a: a.clamp(-0.5, 0.5), (array(*BIG),)),
    "exp_1e5": (lambda m, a: a.exp(), (array(100000),)),
    "log_1e5": (lambda m, a: a.log(), (abs(array(100000)),)),
    "tanh_1e5": (lambda m, a: a.tanh(), (array(100000),)),
    "sigmoid_1e5": (lambda m, a: a.sigmoid(), (array(100000),)),
    "sin_1e5": (lambda m, a: a.sin(), (array(100000),)),
    "erf_1e5": (lambda m, a: a.erf(), (array(100000),)),
    "gelu_1e5": (lambda m, a: functional(m).gelu(a), (array(100000),)),
    "pow_1e5": (lambda m, a: abs(a) ** 1.7, (array(100000),)),
    "exp_f64_1e5": (lambda m, a: a.exp(), (array(100000).astype(np.float64),)),
    "sum": (lambda m, a: a.sum(), (array(*BIG),)),
    "mean_rows": (lambda m, a: a.mean(1), (array(*BIG),)),
    "mean_columns": (lambda m, a: a.mean(0), (array(*BIG),)),
    "mean_middle": (lambda m, a: a.mean(1), (array(64, 256, 256),)),
    "mean_1e3": (lambda m, a: a.mean(), (array(1000),)),
    "amax_rows": (lambda m, a: a.amax(1), (array(*BIG),)),
    "amax_columns": (lambda m, a: a.amax(0), (array(*BIG),)),
    "var_rows": (lambda m, a: a.var(1), (array(*BIG),)),
    "argmax_rows": (lambda m, a: a.argmax(1), (array(*BIG),)),
    "argmax_all": (lambda m, a: a.argmax(), (array(50257),)),
    "cumsum_rows": (lambda m, a: a.cumsum(1), (array(*BIG),)),
    "sum_int64": (lambda m, a: a.sum(), (INDEX.repeat(256),)),
    "any": (lambda m, a: (a > 100).any(), (array(*BIG),)),
    "softmax": (lambda m, a: a.softmax(1), (array(*BIG),)),
    "log_softmax": (lambda m, a: a.log_softmax(1), (array(*BIG),)),
    "softmax_columns": (lambda m, a: a.softmax(0), (array(*BIG),)),
    "layer_norm": (lambda m, a, w, b: functional(m).layer_norm(a, [1024], w, b),
                   (array(*BIG), array(1024), array(1024))),
    "batch_norm": (lambda m, a, p: functional(m).batch_norm(a, p, p, p, p), (array(16, 64, 56, 56), abs(array(64)))),
    "transpose": (lambda m, a: a.t().contiguous(), (array(*BIG),)),
    "permute_heads": (lambda m, a: a.permute(0, 2, 1, 3).contiguous(), (array(8, 128, 12, 64),)),
    "permute_images": (lambda m, a: a.permute(0, 2, 3, 1).contiguous(), (array(16, 64, 56, 56),)),
    "add_transposed": (lambda m, a, b: a + b.t(), (array(1024, 1024), array(1024, 1024))),
    "clone": (lambda m, a: a.clone(), (array(*BIG),)),
    "cat_rows": (lambda m, a, b: m.cat([a, b], 0), (array(*BIG), array(*BIG))),
    "cat_columns": (lambda m, a, b: m.cat([a, b], 1), (array(*BIG), array(*BIG))),
    "slice_columns": (lambda m, a: a[:, 100:900].contiguous(), (array(*BIG),)),
    "index_select": (lambda m, a, i: a.index_select(0, i), (array(*BIG), INDEX)),
    "embedding": (lambda m, w, i: functional(m).embedding(i, w) if m is torch else m.embedding(w, i),
                  (array(*BIG), INDEX)),
    "gather": (lambda m, a, i: a.gather(1, i), (array(*BIG), np.tile(INDEX[:1024] % 1024, (4096, 1)))),
    "to_float": (lambda m, i: i.float(), (INDEX.repeat(256),)),
    "add_int64": (lambda m, a, b: a + b, (INDEX.repeat(64), INDEX.repeat(64))),
}


def seconds(run: Callable[[], Any], repeats: int) -> float:
    start = time.perf_counter()
    for _ in range(repeats):
        run()
    return (time.perf_counter() - start) / repeats


def measure(name: str, rounds: int) -> tuple[float, float]:
    """Medians in microseconds: tsm's and PyTorch's. AssertionError if results differ."""
    function, inputs = CASES[name]
    ours, theirs = [tsm.tensor(a) for a in inputs], [torch.from_numpy(a) for a in inputs]
    np.testing.assert_allclose(function(tsm, *ours).numpy(), function(torch, *theirs).numpy(), rtol=2e-5, atol=2e-6)

    def run_ours() -> Any:
        return function(tsm, *ours)

    def run_theirs() -> Any:
        return function(torch, *theirs)

    repeats = max(1, int(2e-3 / seconds(run_ours, 3)))
    taken: tuple[list[float], list[float]] = ([], [])
    for _ in range(rounds):
        taken[0].append(seconds(run_ours, repeats))
        taken[1].append(seconds(run_theirs, repeats))
    return statistics.median(taken[0]) * 1e6, statistics.median(taken[1]) * 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="cases; all if none")
    parser.add_argument("--threads", type=int, nargs="+", default=[1])
    parser.add_argument("--rounds", type=int, default=31)
    options = parser.parse_args()
    for threads in options.threads:
        tsm.set_num_threads(threads)
        torch.set_num_threads(threads)
        print(f"{threads} thread(s)          tsm us    torch us   ratio")
        for name in options.names or CASES:
            ours, theirs = measure(name, options.rounds)
            print(f"{name:18s} {ours:11.1f} {theirs:11.1f} {ours / theirs:7.2f}", flush=True)


if __name__ == "__main__":
    main()
