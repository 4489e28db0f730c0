"""NumPy written by hand, and CPython running the same function that tsm scripts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import twins
from workloads import Workload

from . import Prepared


def chain(a: Any, b: Any, c: Any) -> Any:
    return np.tanh(a * b + c) * (1 / (1 + np.exp(-a))) - np.exp(-b * b)


def layer_norm(x: Any, weight: Any, bias: Any) -> Any:
    centred = x - x.mean(-1, keepdims=True)
    return centred / np.sqrt((centred**2).mean(-1, keepdims=True) + np.float32(1e-5)) * weight + bias


def softmax(x: Any) -> Any:
    raised = np.exp(x - x.max(-1, keepdims=True))
    return raised / raised.sum(-1, keepdims=True)


def perceptron(*layers: tuple[str, int, int]) -> Callable[[], Callable[[Any], Any]]:
    def make() -> Callable[[Any], Any]:
        *hidden, last = [
            (twins.weight(f"{name}.weight", (rows, columns)).T, twins.weight(f"{name}.bias", (rows,)))
            for name, rows, columns in layers
        ]

        def forward(x: Any) -> Any:
            for weight, bias in hidden:
                x = np.maximum(x @ weight + bias, 0)
            return x @ last[0] + last[1]

        return forward

    return make


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "pointwise.chain": chain, "pointwise.layer_norm": layer_norm, "pointwise.softmax": softmax,
    "pointwise.row_means": lambda x: x.mean(1), "pointwise.column_means": lambda x: x.mean(0),
}
MODULES = {
    "mlp.Tiny": perceptron(("hidden", 5, 10), ("out", 2, 5)),
    "mlp.Digits": perceptron(("first", 512, 784), ("second", 512, 512), ("out", 10, 512)),
}


def prepare(name: str, workload: Workload, threads: int, folder: Path) -> Prepared:
    if name == "cpython":
        function = twins.make(workload.program, "tsm", folder)
    else:
        function = MODULES[workload.program]() if workload.program in MODULES else FUNCTIONS[workload.program]
    args = workload.arguments()
    return Prepared(lambda: function(*args), lambda result: [result])
