"""JAX twins, written where JAX has been the best peer: elementwise chains, norms, means, perceptrons, the LSTM."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as np
import numpy

import twins
from workloads import Workload

from . import Prepared


def chain(a: Any, b: Any, c: Any) -> Any:
    return np.tanh(a * b + c) * jax.nn.sigmoid(a) - np.exp(-b * b)


def layer_norm(x: Any, weight: Any, bias: Any) -> Any:
    mean = x.mean(-1, keepdims=True)
    variance = ((x - mean) ** 2).mean(-1, keepdims=True)
    return (x - mean) * jax.lax.rsqrt(variance + 1e-5) * weight + bias


def digits(x: Any) -> Any:
    for name, rows, columns in (("first", 512, 784), ("second", 512, 512)):
        x = jax.nn.relu(x @ _weight(f"{name}.weight", rows, columns).T + _weight(f"{name}.bias", rows))
    return x @ _weight("out.weight", 10, 512).T + _weight("out.bias", 10)


def lstm(x: Any) -> Any:
    wi, wh, bias = _weight("input_weight", 256, 1024), _weight("hidden_weight", 256, 1024), _weight("bias", 1024)

    def step(state: Any, item: Any) -> Any:
        h, c = state
        i, f, g, o = np.split(item @ wi + h @ wh + bias, 4, 1)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * np.tanh(g)
        return (jax.nn.sigmoid(o) * np.tanh(c), c), None

    start = np.zeros((x.shape[1], 256))
    return jax.lax.scan(step, (start, start), x)[0][0]


def _weight(name: str, *shape: int) -> Any:
    return np.asarray(twins.weight(name, shape))


TWINS: dict[str, Callable[..., Any]] = {
    "pointwise.chain": chain, "pointwise.layer_norm": layer_norm, "pointwise.softmax": jax.nn.softmax,
    "pointwise.row_means": lambda x: x.mean(1), "pointwise.column_means": lambda x: x.mean(0), "mlp.Digits": digits,
    "lstm.StepLoop": lstm,
}


def prepare(name: str, workload: Workload, threads: int, folder: Path) -> Prepared:
    run = jax.jit(TWINS[workload.program])
    args = [np.asarray(item) for item in workload.arguments()]
    return Prepared(lambda: run(*args).block_until_ready(), lambda result: [numpy.asarray(result)])
