"""PyTorch four ways, and in float64 as the reference that every result is compared with."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch

import twins
from workloads import Workload

from . import Prepared, flat


def arguments(workload: Workload, dtype: torch.dtype = torch.float32) -> list[Any]:
    """Inputs as tensors, floating-point ones in `dtype`."""
    made = [torch.from_numpy(item) if isinstance(item, np.ndarray) else item for item in workload.arguments()]
    return [item.to(dtype) if isinstance(item, torch.Tensor) and item.is_floating_point() else item for item in made]


def arrays(result: Any) -> list[Any]:
    return [item.numpy() if isinstance(item, torch.Tensor) else item for item in flat(result)]


def prepare(name: str, workload: Workload, threads: int, folder: Path) -> Prepared:
    torch.set_num_threads(threads)
    torch.set_num_interop_threads(1)
    torch.set_grad_enabled(False)
    if name == "reference":
        torch.set_default_dtype(torch.float64)
    model = twins.make(workload.program, "torch", folder)
    is_module = isinstance(model, torch.nn.Module)
    if name == "reference":
        model, args = (model.double() if is_module else model), arguments(workload, torch.float64)
        return Prepared(lambda: model(*args), arrays)
    if name in ("jit", "frozen"):
        model = torch.jit.script(model)
    if name == "frozen":
        if not is_module:
            raise ValueError("a function has nothing to freeze")
        model = torch.jit.optimize_for_inference(torch.jit.freeze(model))
    if name == "compile":
        model = torch.compile(model, dynamic=False)
    return Prepared(_run(model, workload), arrays)


def _run(model: Any, workload: Workload) -> Callable[[], Any]:
    args = arguments(workload)
    for _ in range(3):  # profiling executors specialise in their first runs
        model(*args)
    if not workload.crosses_numpy:
        return lambda: model(*args)
    given = workload.arguments()
    from_numpy = torch.from_numpy
    return lambda: model(*[from_numpy(item) for item in given]).numpy()
