"""tsm, called from Python: scripted, and frozen where the program is a module."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

import tsm
import twins
from workloads import Workload

from . import Prepared, flat


def program(workload: Workload, folder: Path) -> Any:
    """The scripted program as it is measured from Python and saved for C."""
    made = twins.make(workload.program, "tsm", folder)
    if workload.weights:
        tsm.nn.to_mixed(made, getattr(tsm, workload.weights))
    scripted = tsm.script(made)
    return tsm.freeze(scripted) if isinstance(made, tsm.nn.Module) and hasattr(tsm, "freeze") else scripted


def prepare(name: str, workload: Workload, threads: int, folder: Path) -> Prepared:
    tsm.set_num_threads(threads)
    scripted = program(workload, folder)
    given = workload.arguments()
    if workload.crosses_numpy:
        return Prepared(lambda: scripted(*given).numpy(), flat)
    args = [tsm.from_numpy(item) if isinstance(item, np.ndarray) else item for item in given]
    return Prepared(lambda: scripted(*args), lambda result: [_array(item) for item in flat(result)])


def _array(item: Any) -> Any:
    return item.numpy() if isinstance(item, tsm.Tensor) else item
