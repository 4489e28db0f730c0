"""The measurements that are not workloads in turns: calls, scripts, products, first results, memory, bandwidth, size.

In: a folder to work in and a number of rounds. Out: rows (plain dicts), as shows.py and report.py read them. Holds: a
part whose tools are missing says so on stderr and has no rows.
"""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

import cold
import export
import instructions
import report
import rounds
import run_language
from building import HERE, LUA, build, build_driver, library, library_flags
from engines import MODULES
from kept import Rows
from workloads import WORKLOADS

ROOT = HERE.parent
PRODUCT = re.compile(r"(\d+x\d+x\d+)\s+ratio ([\d.]+) to (\S+)\s+([\d.]+) of (?:peak|reading)\s+GFLOP/s: (.*)")


def missing(what: str) -> Rows:
    print(f"left out: {what}", file=sys.stderr)
    return []


def call(folder: Path, count: int) -> Rows:
    """A call of add(a, b) from C beside lua_pcall, in turns in one process."""
    problem = build("call", folder, *library_flags(), *LUA)
    if problem:
        return missing(f"the call from C: {problem}")
    workload = WORKLOADS["call"]
    export.export_program(workload, folder)
    command = [str(folder / "call"), str(folder / "call.tsm"), str(count), "200000"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, preexec_fn=lambda: rounds.bind(1))
    ours, lua = zip(*(map(float, line.split()) for line in done.stdout.splitlines()))
    title = "a call of add(a: int, b: int) from C, beside lua_pcall"
    figures = {"tsm-c": rounds.Measured(list(ours)), "lua": rounds.Measured(list(lua))}
    return [report.row(replace(workload, name="call-c", title=title), 1, figures, {})]


def language(folder: Path, count: int) -> Rows:
    """Loops, containers and calls beside Lua and CPython."""
    problem = run_language.build(folder)
    return missing(problem) if problem else run_language.measure(folder, [], count)


def products(folder: Path, count: int) -> Rows:
    """Matrix products beside MKL, oneDNN and OpenBLAS, in two runs with one thread."""
    if not all(importlib.util.find_spec(name) for name in ("torch", "numpy")):
        return missing("matrix products: torch is not installed")
    archive = folder / "c" / "libtsm.a"
    made = subprocess.run(["make", "-s", "-C", str(ROOT / "runtime_c"), f"BUILD={archive.parent}", str(archive)],
                          capture_output=True, text=True)
    if made.returncode:
        return missing(f"matrix products: {made.stderr.strip().splitlines()[-1]}")
    found: Rows = []
    for repetition in (1, 2):
        command = [sys.executable, str(HERE / "gemm.py"), "--library", str(archive), "--rounds", str(max(15, count))]
        done = subprocess.run(command, capture_output=True, text=True, preexec_fn=lambda: rounds.bind(1))
        if done.returncode:
            return missing(f"matrix products: {done.stderr.strip().splitlines()[-1]}")
        for shape, ratio, peer, share, rates in PRODUCT.findall(done.stdout):
            rate = dict(pair.rsplit(" ", 1) for pair in rates.split("  "))
            found.append({"shape": shape, "run": repetition, "ratio": float(ratio), "peer": peer, "share": float(share),
                          "rates": {name: float(value) for name, value in rate.items()}})
        found += [{"note": line, "run": repetition} for line in done.stdout.splitlines() if not PRODUCT.match(line)]
    return found


def first_results(folder: Path, count: int) -> Rows:
    """Whole processes, imports, script and save."""
    return cold.measure(folder, min(count, 7))


def baselines(folder: Path, count: int) -> Rows:
    """Peak resident kilobytes of processes that only start an engine."""
    found = {}
    modules = {"tsm": "tsm", **{name: module for name, module in MODULES.items() if importlib.util.find_spec(module)}}
    for name, module in modules.items():
        command = [sys.executable, str(HERE / "worker.py"), "--import", module]
        done = subprocess.run(command, capture_output=True, text=True, preexec_fn=lambda: rounds.bind(1))
        if done.returncode == 0:
            found[name] = int(done.stdout)
    if build_driver(folder) is None:
        export.export_program(WORKLOADS["call"], folder)
        done = subprocess.run([folder / "driver", folder / "call.tsm", "1", "1", "2"], input="memory\n",
                              capture_output=True, text=True, check=True)
        found["tsm-c"] = int(done.stdout.splitlines()[-1])
    return [{"engines": found}]


def needs(folder: Path, count: int) -> Rows:
    """What a run of each network takes of memory inside of the runtime, beside the least it could do with."""
    asked = subprocess.run([sys.executable, "-m", "tsm", "config", "--runner"], capture_output=True, text=True)
    rows: Rows = []
    for workload in WORKLOADS.values():
        if workload.show not in (4, 5):
            continue
        export.export_program(workload, folder)
        given = [str(folder / f"{workload.name}.arg{index}.npy") if isinstance(item, np.ndarray) else repr(item)
                 for index, item in enumerate(workload.arguments())]
        command = [asked.stdout.strip(), "--stats", "--threads", "1", "-o", str(folder / "out"),
                   str(folder / f"{workload.name}.tsm"), *given]
        done = subprocess.run(command, capture_output=True, text=True)
        (folder / f"{workload.name}.tsm").unlink()
        found = re.search(r"at least (\d+); most in use (\d+), held (\d+)", done.stderr)
        if found:
            least, most, held = map(int, found.groups())
            rows.append({"name": workload.name, "least": least, "most": most, "held": held})
    return rows


def steady(folder: Path, count: int) -> Rows:
    """Whether the test that counts calls of malloc in steady runs passes."""
    if importlib.util.find_spec("pytest") is None:
        return missing("steady state: pytest is not installed")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--noconftest",
               "test_steady_state.py"]
    done = subprocess.run(command, cwd=ROOT / "tests", capture_output=True, text=True)
    last = done.stdout.strip().splitlines()[-1] if done.stdout.strip() else "nothing ran"
    return [{"passed": done.returncode == 0, "text": last.strip("= ")}]


def size(folder: Path, count: int) -> Rows:
    """Bytes of the stripped library, and what it needs of the system."""
    if not all(map(shutil.which, ("strip", "readelf"))):
        return missing("size: binutils are not installed")
    stripped = folder / "stripped.so"
    subprocess.run(["strip", "-o", str(stripped), str(library())], check=True)
    listed = subprocess.run(["readelf", "-d", str(stripped)], capture_output=True, text=True, check=True).stdout
    return [{"bytes": stripped.stat().st_size, "needs": re.findall(r"\(NEEDED\).*\[(.*)\]", listed)}]


def counted(folder: Path, count: int) -> Rows:
    """Instructions of loops under callgrind."""
    problem = "valgrind is not installed" if shutil.which("valgrind") is None else build_driver(folder)
    if problem:
        return missing(f"instructions: {problem}")
    return [{"title": title, "engines": found} for title, found in instructions.measure(folder)]


PARTS: dict[str, Callable[[Path, int], Rows]] = {
    "call-c": call, "language": language, "products": products, "cold": first_results, "baselines": baselines,
    "needs": needs, "steady": steady, "size": size, "instructions": counted,
}
