"""onnxruntime and OpenVINO: both run the ONNX graph that PyTorch exports of the twin (see export.py)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from export import last_line, onnx_path
from workloads import Workload

from . import Prepared, flat

Call = Callable[[list[Any]], list[Any]]


def prepare(name: str, workload: Workload, threads: int, folder: Path) -> Prepared:
    path = onnx_path(workload, folder)
    if not path.exists():
        raise ValueError(f"PyTorch could not export it to ONNX: {last_line(folder / f'{workload.name}.onnx.log')}")
    is_growing = workload.program == "transformers.Greedy"
    call = onnxruntime(path, threads) if name == "onnxruntime" else openvino(path, threads, is_growing)
    given = [item for item in workload.arguments() if isinstance(item, np.ndarray)]
    if is_growing:
        steps = workload.arguments()[1]
        return Prepared(lambda: greedy(call, given[0], steps), flat)
    return Prepared(lambda: call(given), lambda result: [np.asarray(item) for item in flat(list(result))])


def onnxruntime(path: Path, threads: int) -> Call:
    import onnxruntime as ort

    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    session = ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    names = [item.name for item in session.get_inputs()]
    if len(names) == 1:
        only, run = names[0], session.run
        return lambda values: run(None, {only: values[0]})
    return lambda values: session.run(None, dict(zip(names, values)))


def openvino(path: Path, threads: int, is_growing: bool) -> Call:
    """`is_growing`: shapes change at every run. From the 16th length on OpenVINO 2026.4.1 gives wrong results, also for
    lengths it had right before; not without its fused kernels (which takes as long) or without its kernel cache."""
    import openvino as ov

    settings = {"PERFORMANCE_HINT": "LATENCY", "INFERENCE_NUM_THREADS": threads, "INFERENCE_PRECISION_HINT": "f32",
                "KV_CACHE_PRECISION": "f32", "DYNAMIC_QUANTIZATION_GROUP_SIZE": 0}
    if is_growing:
        settings["SNIPPETS_MODE"] = "DISABLE"
    request = ov.Core().compile_model(str(path), "CPU", settings).create_infer_request()

    def call(values: list[Any]) -> list[Any]:
        found = request.infer(values, share_inputs=True, share_outputs=True)
        return [found[index] for index in range(len(found))]

    return call


def greedy(call: Call, given: Any, steps: int) -> tuple[Any, Any]:
    """The loop of networks/transformers.py's Greedy around the exported step."""
    caches = [np.zeros((1, 12, 0, 64), np.float32) for _ in range(24)]
    words = []
    token = given[:, :1]
    for step in range(steps):
        if step < given.shape[1]:
            token = given[:, step : step + 1]
        words.append(token)
        logits, *caches = call([token, np.full((1, 1), step), *caches])
        token = logits.argmax(1, keepdims=True)
        caches = [np.array(item) if not item.flags.owndata else item for item in caches]
    return np.concatenate(words, 1), np.array(logits)
