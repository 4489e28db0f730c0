"""What a first result costs: whole processes from start to answer, imports, and making a file.

In: a folder with the driver's exports. Out: rows of medians, engines in rotated order. Holds: files are cached, and
free memory is the machine's; each figure is of a new process, but for script-and-save, which is timed inside of one.
"""

from __future__ import annotations

import importlib.util
import mmap
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

from export import export_for, ncnn_name, onnx_path
from rounds import bind
from workloads import WORKLOADS

HERE = Path(__file__).parent
HELD = 512 << 20  # bytes of memory that a process is sure to find
NETWORKS = {"mlp-1": 5.0, "lenet": 10.0, "resnet18": 60.0}  # milliseconds that tsm aims at
Command = Callable[[], float | None]

ORT = """
import sys, numpy, onnxruntime as ort
options = ort.SessionOptions()
options.intra_op_num_threads = 1
session = ort.InferenceSession(sys.argv[1], options)
session.run(None, {session.get_inputs()[0].name: numpy.load(sys.argv[2])})
"""
TORCH = """
import sys, numpy, torch
torch.set_num_threads(1)
with torch.no_grad():
    torch.jit.load(sys.argv[1])(torch.from_numpy(numpy.load(sys.argv[2])))
"""
NCNN = """
import sys, numpy, ncnn
net = ncnn.Net()
net.opt.num_threads = 1
net.load_param(sys.argv[1] + ".param")
net.load_model(sys.argv[1] + ".bin")
extractor = net.create_extractor()
extractor.input("in0", ncnn.Mat(numpy.load(sys.argv[2])[0]).clone())
sys.exit(extractor.extract("out0")[0])
"""
TWIN = """
import sys
sys.path.insert(0, sys.argv[1])
import pathlib, torch, twins
torch.jit.script(twins.make(sys.argv[2], "torch", pathlib.Path(sys.argv[3]))).save(sys.argv[4])
"""
SAVE = {
    "tsm": "program = tsm.script(module); program.save(target)",
    "torch": "program = torch.jit.script(module); program.save(target)",
}


def process(command: list[str]) -> Command:
    """Seconds of a whole process. It inherits its processor: work between fork and exec would copy this process."""

    def run() -> float | None:
        before = os.sched_getaffinity(0)
        bind(1)
        start = time.perf_counter()
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        seconds = time.perf_counter() - start
        os.sched_setaffinity(0, before)
        return seconds if done.returncode == 0 else None

    return run


def save(library: str, folder: Path) -> Command:
    """Seconds from a module to a file, in a process that has the module."""
    program = (
        f"import sys, time, pathlib; sys.path.insert(0, {str(HERE)!r})\n"
        f"import {library}, twins\nfolder = pathlib.Path({str(folder)!r})\n"
        f"module = twins.make('convnets.ResNet18', {library!r}, folder); target = str(folder / 'saved.{library}')\n"
        f"start = time.perf_counter(); {SAVE[library]}; print(time.perf_counter() - start)"
    )

    def run() -> float | None:
        command = [sys.executable, "-c", program]
        done = subprocess.run(command, capture_output=True, text=True, preexec_fn=lambda: bind(1))
        return float(done.stdout) if done.returncode == 0 else None

    return run


def build_libtorch(folder: Path) -> Path | None:
    """A C++ program over LibTorch that loads a file and runs it once; None where it cannot be built."""
    found = importlib.util.find_spec("torch")
    if found is None or found.origin is None:
        return None
    home = Path(found.origin).parent
    paths = [f"-I{home}/include", f"-I{home}/include/torch/csrc/api/include"]
    libraries, target = home / "lib", folder / "libtorch"
    built = subprocess.run(
        ["g++", "-O1", "-std=c++20", str(HERE / "libtorch.cpp"), "-o", str(target), *paths, f"-L{libraries}",
         f"-Wl,-rpath,{libraries}", "-ltorch", "-ltorch_cpu", "-lc10"], capture_output=True,
    )
    return target if built.returncode == 0 else None


def runners(name: str, folder: Path, libtorch: Path | None) -> dict[str, Command]:
    """One command an engine for a network; one that is not installed fails, and is left out."""
    workload = WORKLOADS[name]
    array = workload.arguments()[0]
    array.tofile(folder / f"{name}.raw")
    export_for(["tsm-c", "onnxruntime", "ncnn"], workload, folder)
    twin = str(folder / f"{name}.script")
    subprocess.run([sys.executable, "-c", TWIN, str(HERE), workload.program, str(folder), twin],
                   stderr=subprocess.DEVNULL)
    config = [sys.executable, "-m", "tsm", "config", "--runner"]
    runner = subprocess.run(config, capture_output=True, text=True, check=True)
    given = str(folder / f"{name}.arg0.npy")
    made = {"tsm-run": process([runner.stdout.strip(), "--threads", "1", "-o", str(folder / "out"),
                                str(folder / f"{name}.tsm"), given])}
    if libtorch:
        sizes = [str(extent) for extent in array.shape]
        made["LibTorch, C++"] = process([str(libtorch), twin, str(folder / f"{name}.raw"), *sizes])
    made["PyTorch, Python"] = process([sys.executable, "-c", TORCH, twin, given])
    made["onnxruntime, Python"] = process([sys.executable, "-c", ORT, str(onnx_path(workload, folder)), given])
    made["ncnn, Python"] = process([sys.executable, "-c", NCNN, str(folder / f"{ncnn_name(workload)}.ncnn"), given])
    return made


def hold_memory() -> None:
    """Takes memory and gives it back. A virtual machine may have returned what was free to its host, which then takes 2
    ms a megabyte to give it again: six times what ResNet-18 takes, to whichever engine comes first."""
    with mmap.mmap(-1, HELD) as block:
        if hasattr(mmap, "MADV_HUGEPAGE"):
            block.madvise(mmap.MADV_HUGEPAGE)
        for at in range(0, HELD, mmap.PAGESIZE):
            block[at] = 1


def take_turns(commands: dict[str, Command], count: int) -> dict[str, float]:
    """Medians in milliseconds; an engine that fails is left out. The first round is not counted."""
    names, samples = list(commands), {name: list[float]() for name in commands}
    for turn in range(count + 1):
        for name in names[turn % len(names):] + names[: turn % len(names)]:
            hold_memory()
            seconds = commands[name]()
            if turn and seconds is not None:
                samples[name].append(seconds * 1e3)
    return {name: median(values) for name, values in samples.items() if values}


def measure(folder: Path, count: int) -> list[dict[str, Any]]:
    """Rows: title, target in milliseconds, milliseconds by engine."""
    rows = []
    libtorch = build_libtorch(folder)
    for name, target in NETWORKS.items():
        title = f"whole process to the first result: {WORKLOADS[name].title}"
        rows.append({"title": title, "target": target, "engines": take_turns(runners(name, folder, libtorch), count)})
    python = sys.executable
    modules = ("tsm", "numpy", "torch", "onnxruntime")
    imports = {name: process([python, "-c", f"import {name}"]) for name in modules}
    rows.append({"title": "python -c 'import ...'", "target": 300.0, "engines": take_turns(imports, count)})
    saves = {library: save(library, folder) for library in SAVE}
    rows.append({"title": "script and save ResNet-18", "target": 1500.0, "engines": take_turns(saves, count)})
    return rows


def text(rows: list[dict[str, Any]]) -> str:
    """A table in Markdown; the first engine of a row is ours."""
    lines = ["## First results", "", "Milliseconds; the first engine of a row is tsm's.", "",
             "| | | target |", "|---|---|---|"]
    for row in rows:
        found = ", ".join(f"{name} {value:.1f}" for name, value in row["engines"].items())
        mine = next(iter(row["engines"].values()), float("inf"))
        verdict = "met" if mine <= row["target"] else "NOT met"
        lines.append(f"| {row['title']} | {found} | <= {row['target']:g}: {verdict} |")
    return "\n".join([*lines, ""]) + "\n"


def main() -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as name:
        print(text(measure(Path(name), 7)))


if __name__ == "__main__":
    main()
