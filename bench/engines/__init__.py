"""The engines by name. Each file prepares a workload for some of them and imports their libraries only then.

In: a workload and a number of threads. Out: `Prepared`: a function that runs the workload once, and one that turns what
it returned into NumPy arrays.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from workloads import Workload

FILES = {
    "tsm": "ours", "reference": "pytorch", "eager": "pytorch", "jit": "pytorch", "frozen": "pytorch",
    "compile": "pytorch", "onnxruntime": "onnx_graph", "openvino": "onnx_graph", "ncnn": "ncnn_graph",
    "jax": "jax_twin", "numpy": "plain", "cpython": "plain",
}
LABELS = {
    "tsm": "tsm (Python)", "tsm-c": "tsm (C)", "tsm-c-direct": "tsm (C), no Winograd",
    "tsm-c-one": "tsm (C), 1 of 2 threads", "eager": "PyTorch eager", "jit": "torch.jit.script",
    "frozen": "torch.jit frozen", "compile": "torch.compile", "onnxruntime": "onnxruntime", "openvino": "OpenVINO",
    "ncnn": "ncnn", "jax": "JAX", "numpy": "NumPy", "cpython": "CPython", "lua": "Lua 5.4",
}
# The module whose presence says that an engine is installed.
MODULES = {
    "eager": "torch", "jit": "torch", "frozen": "torch", "compile": "torch", "onnxruntime": "onnxruntime",
    "openvino": "openvino", "ncnn": "ncnn", "jax": "jax", "numpy": "numpy",
}


@dataclass
class Prepared:
    """A workload ready to run in this process."""

    run: Callable[[], Any]
    arrays: Callable[[Any], list[Any]]


def prepare(name: str, workload: Workload, threads: int, folder: Path) -> Prepared:
    """Makes an engine ready; any exception says why it cannot run this workload."""
    made: Prepared = import_module(f"engines.{FILES[name]}").prepare(name, workload, threads, folder)
    return made


def flat(result: Any) -> list[Any]:
    """The tensors or numbers of a result, nested tuples opened."""
    return [item for part in result for item in flat(part)] if isinstance(result, (tuple, list)) else [result]
