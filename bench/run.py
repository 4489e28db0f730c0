"""Measures tsm beside its peers: `python bench/run.py [workload ...] [--threads 1 2]`, or `make bench`.

Every workload is a plain tsm program and its PyTorch twin with the same weights. Each engine has a process of its own
and they take turns; a figure is the median over the rounds, a ratio is tsm's median over the peer's of the same run,
and results that differ from float64 by more than the tolerance are failures. Absolute times mean little between
machines. `--write` puts everything into RESULTS.md and results.svg.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import report
import rounds
from engines import MODULES
from workloads import OURS, WORKLOADS, Workload

HERE = Path(__file__).parent


def is_installed(engine: str) -> bool:
    if engine == "lua":
        return shutil.which("lua5.4") is not None
    return engine not in MODULES or importlib.util.find_spec(MODULES[engine]) is not None


def build_driver(folder: Path) -> str | None:
    """Compiles driver.c against the installed package; why not, if it cannot be."""
    flags = subprocess.run([sys.executable, "-m", "tsm", "config", "--cflags", "--libs"],
                           capture_output=True, text=True, check=True).stdout.split()
    cli = HERE.parent / "runtime_c" / "cli"
    sources = [HERE / "driver.c", cli / "npy.c", cli / "literal.c"]
    built = subprocess.run(["cc", "-O2", *map(str, sources), f"-I{cli}", "-o", str(folder / "driver"), *flags],
                           capture_output=True, text=True)
    return built.stderr.strip().splitlines()[0] if built.returncode else None


def export(workload: Workload, names: list[str], folder: Path) -> None:
    """Writes what the engines read; one whose file is missing says so when it starts."""
    wanted = {"program": {"tsm-c"}, "onnx": {"onnxruntime", "openvino"}, "ncnn": {"ncnn"}}
    for what, readers in wanted.items():
        if readers & set(names):
            with open(folder / f"{workload.name}.{what}.log", "w") as log:
                subprocess.run([sys.executable, str(HERE / "export.py"), what, workload.name, str(folder)],
                               stdout=log, stderr=log)


def bench_c_call(folder: Path, count: int) -> dict[str, Any] | None:
    """A call of add(a, b) from C beside lua_pcall, in turns in one process; None without Lua's library."""
    flags = subprocess.run([sys.executable, "-m", "tsm", "config", "--cflags", "--libs"],
                           capture_output=True, text=True, check=True).stdout.split()
    built = subprocess.run(["cc", "-O2", str(HERE / "call.c"), "-o", str(folder / "call"), *flags,
                            "-I/usr/include/lua5.4", "-llua5.4"], capture_output=True)
    if built.returncode:
        print("\nLua's headers and library are not installed: the call from C is left out")
        return None
    call = WORKLOADS["call"]
    export(call, ["tsm-c"], folder)
    command = [folder / "call", folder / "call.tsm", str(count), "200000"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, preexec_fn=lambda: rounds.bind(1))
    ours, lua = zip(*(map(float, line.split()) for line in done.stdout.splitlines()))
    title = "a call of add(a: int, b: int) from C, beside lua_pcall"
    workload = replace(call, name="call-c", title=title, targets={"lua": 2.0})
    figures = {"tsm-c": rounds.Measured(list(ours)), "lua": rounds.Measured(list(lua))}
    return report.row(workload, 1, figures, {})


def bench(workload: Workload, args: argparse.Namespace, folder: Path) -> list[dict[str, Any]]:
    possible = ["tsm", "tsm-c", *workload.engines]
    names = [name for name in possible if is_installed(name) and name in (args.engines or possible)]
    export(workload, names, folder)
    try:
        expected = rounds.reference(workload, folder)
    except rounds.EngineError:
        expected = None
    made = []
    for threads in args.threads:
        if threads not in workload.threads:
            continue
        figures, failures = rounds.measure(workload, names, threads, folder, args.rounds, expected)
        row = report.row(workload, threads, figures, failures)
        print(report.text(row), flush=True)
        made.append(row)
    return made


def first_results(folder: Path) -> str:
    """The parts of RESULTS.md that are not rounds of runs."""
    import cold
    import instructions

    text = cold.text(cold.measure(folder, 7))
    if shutil.which("valgrind") and (folder / "driver").exists():
        text += "\n" + instructions.text(instructions.measure(folder))
    print(text)
    return text


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("workloads", nargs="*", metavar="workload", help=", ".join(WORKLOADS))
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--cpu-time", action="store_true",
                        help="measure processor time, on a machine that others use too; for 1 thread")
    parser.add_argument("--engines", nargs="+", help="only these")
    parser.add_argument("--write", action="store_true", help="regenerate RESULTS.md and results.svg")
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    args = parser.parse_args()
    if args.cpu_time:
        os.environ["BENCH_CLOCK"] = "cpu"
    unknown = sorted(set(args.workloads) - set(WORKLOADS))
    if unknown:
        parser.error(f"no workload called {', '.join(unknown)}; there are {', '.join(WORKLOADS)}")
    rows: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        problem = build_driver(folder)
        if problem:
            print(f"tsm from C is left out: {problem}")
        for item in args.workloads or WORKLOADS:
            rows += bench(WORKLOADS[item], args, folder)
            if item == "call" and not problem and (row := bench_c_call(folder, args.rounds)):
                print(report.text(row), flush=True)
                rows.append(row)
            for path in (*folder.glob(f"{item}.*"), *folder.glob(f"{item.replace('-', '_')}.*")):
                path.unlink(missing_ok=True)
        extra = first_results(folder) if args.write else ""
    if args.json:
        args.json.write_text(json.dumps(rows, indent=1))
    if args.write:
        report.write(rows, HERE, extra)
    if any("wrong" in why for row in rows for name, why in row["failures"].items() if name in OURS):
        sys.exit("tsm gave a wrong result")


if __name__ == "__main__":
    main()
