"""What engines read from files: `export.py what workload folder`, in a process of its own.

program  NAME.tsm (frozen where the program is a module) and the arguments as NAME.arg0.npy ... for C
onnx     NAME.onnx (see onnx_path), which PyTorch exports of the twin
ncnn     NAME.ncnn.param and .bin, which pnnx converts from the traced twin
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np

import twins
from workloads import WORKLOADS, Workload


def export_program(workload: Workload, folder: Path) -> None:
    from engines import ours

    (folder / f"{workload.name}.tsm").write_bytes(ours.program(workload, folder).to_bytes())
    for index, item in enumerate(workload.arguments()):
        if isinstance(item, np.ndarray):
            np.save(folder / f"{workload.name}.arg{index}.npy", item)


class _Function:
    """A module of a function, because exporters take modules only."""

    def __new__(cls, function: Any) -> Any:
        import torch

        class Wrapped(torch.nn.Module):
            def forward(self, *args: Any) -> Any:
                return function(*args)

        return Wrapped().eval()


def _twin(workload: Workload, folder: Path) -> tuple[Any, list[Any]]:
    import torch

    from engines import pytorch

    torch.set_grad_enabled(False)
    model = twins.make(workload.program, "torch", folder)
    args = pytorch.arguments(workload)
    return (model if isinstance(model, torch.nn.Module) else _Function(model)), args


def onnx_path(workload: Workload, folder: Path) -> Path:
    """One file for all that run the same step of a decoder: it is half a gigabyte."""
    name = "greedy" if workload.program == "transformers.Greedy" else workload.name
    return folder / f"{name}.onnx"


def last_line(log: Path) -> str:
    """What an exporter said at the end."""
    lines = log.read_text(errors="replace").strip().splitlines() if log.exists() else []
    return lines[-1][:200] if lines else "it said nothing"


def export_onnx(workload: Workload, folder: Path) -> None:
    import torch

    path = str(onnx_path(workload, folder))
    if Path(path).exists():
        return
    model, args = _twin(workload, folder)
    if workload.program != "transformers.Greedy":
        torch.onnx.export(model, tuple(args), path, dynamo=True, external_data=False)
        return
    caches = [[torch.randn(1, 12, 5, 64) for _ in range(12)] for _ in range(2)]
    grows = [[{2: torch.export.Dim.DYNAMIC} for _ in range(12)] for _ in range(2)]
    first = args[0][:, :1]
    torch.onnx.export(model.model, (first, torch.full((1, 1), 5), *caches), path, dynamo=True, external_data=False,
                      dynamic_shapes=({}, {}, *grows))


def ncnn_name(workload: Workload) -> str:
    """What pnnx calls its files: it makes identifiers of names."""
    return workload.name.replace("-", "_")


def export_ncnn(workload: Workload, folder: Path) -> None:
    import torch

    model, args = _twin(workload, folder)
    traced = folder / f"{ncnn_name(workload)}.pt"
    torch.jit.trace(model, tuple(args)).save(str(traced))
    shapes = ",".join(str(list(item.shape)).replace(" ", "") for item in args)
    beside = str(Path(sys.executable).with_name("pnnx"))
    pnnx = beside if Path(beside).exists() else "pnnx"
    subprocess.run([pnnx, traced.name, f"inputshape={shapes}", "fp16=0"], cwd=folder, check=True, stdout=sys.stderr)


def export_for(names: list[str], workload: Workload, folder: Path) -> None:
    """Writes what these engines read, all at a time; one whose file is missing says so when it starts."""
    wanted = {"program": {"tsm-c"}, "onnx": {"onnxruntime", "openvino"}, "ncnn": {"ncnn"}}
    started = []
    for what, readers in wanted.items():
        if readers & set(names):
            command = [sys.executable, __file__, what, workload.name, str(folder)]
            with open(folder / f"{workload.name}.{what}.log", "w") as log:
                started.append(subprocess.Popen(command, stdout=log, stderr=log))
    for process in started:
        process.wait()


def main() -> None:
    what, name, folder = sys.argv[1:]
    {"program": export_program, "onnx": export_onnx, "ncnn": export_ncnn}[what](WORKLOADS[name], Path(folder))


if __name__ == "__main__":
    main()
