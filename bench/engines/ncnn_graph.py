"""ncnn, on what pnnx makes of the traced PyTorch twin (see export.py). It has no batch dimension."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import ncnn
import numpy as np

from export import last_line, ncnn_name
from workloads import Workload

from . import Prepared


def prepare(name: str, workload: Workload, threads: int, folder: Path) -> Prepared:
    path = folder / f"{ncnn_name(workload)}.ncnn.param"
    if not path.exists():
        raise ValueError(f"pnnx could not convert it: {last_line(folder / f'{workload.name}.ncnn.log')}")
    net = ncnn.Net()
    net.opt.num_threads = threads
    for smaller in ("use_fp16_packed", "use_fp16_storage", "use_fp16_arithmetic", "use_bf16_storage"):
        setattr(net.opt, smaller, False)
    net.load_param(str(path))
    net.load_model(str(path.with_suffix(".bin")))
    array = workload.arguments()[0][0]  # the Mat does not keep it
    given = ncnn.Mat(array).clone()

    def run() -> Any:
        extractor = net.create_extractor()
        extractor.input("in0", given)
        return extractor.extract("out0")[1]

    return Prepared(run, lambda result: [np.array(result)[None]])
