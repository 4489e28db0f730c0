"""Measures tsm beside its peers: `python bench/run.py [workload ...] [--threads 1 2]`, or `make bench`.

Every workload is a plain tsm program and its PyTorch twin with the same weights. Each engine has a process of its own
and they take turns; a figure is the median over the rounds, a ratio is tsm's median over the peer's of the same run,
and results that differ from float64 by more than the tolerance are failures. Absolute times mean little between
machines. `--write` measures everything that was not yet measured of this build, one file of results at a time (see
kept.py), and writes RESULTS.md and results.svg; with names it measures those again and writes them anew.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import neighbours
import page
import report
import rounds
import shows
from building import HERE, build_driver
from engines import MODULES
from export import export_for
from kept import FOLDER, Kept, fingerprint
from parts import PARTS
from workloads import OURS, WORKLOADS, Workload


def is_installed(engine: str) -> bool:
    if engine == "lua":
        return shutil.which("lua5.4") is not None
    return engine not in MODULES or importlib.util.find_spec(MODULES[engine]) is not None


def forget(workload: Workload, folder: Path) -> None:
    """Removes a workload's files."""
    for path in (*folder.glob(f"{workload.name}.*"), *folder.glob(f"{workload.name.replace('-', '_')}.*")):
        path.unlink(missing_ok=True)


def bench(
    workload: Workload, threads: int, args: argparse.Namespace, folder: Path, expected: dict[str, Any]
) -> dict[str, Any]:
    """A workload's row; `expected` keeps its reference from one number of threads to the next."""
    possible = ["tsm", "tsm-c", *workload.engines, *(["tsm-c-one"] if threads == 2 else [])]
    names = [name for name in possible if is_installed(name) and name in (args.engines or possible)]
    if workload.name not in expected:
        expected.clear()
        export_for(names, workload, folder)
        try:
            expected[workload.name] = rounds.reference(workload, folder)
        except rounds.EngineError:
            expected[workload.name] = None
    watch = neighbours.Watch(folder, workload.shared_memory) if threads == 2 else None
    found = rounds.measure(workload, names, threads, folder, args.rounds, expected[workload.name])
    return {**report.row(workload, threads, *found), **(watch.found() if watch else {})}


def measurements(args: argparse.Namespace) -> list[tuple[str, int]]:
    """Names with numbers of threads; parts have 0."""
    made: list[tuple[str, int]] = []
    for name in args.names or [*WORKLOADS, *(PARTS if args.write else [])]:
        made += [(name, threads) for threads in args.threads if threads in WORKLOADS[name].threads] \
            if name in WORKLOADS else [(name, 0)]
    return made


def run(args: argparse.Namespace, kept: Kept, folder: Path) -> bool:
    """Measures what is asked for; whether all results of tsm's were right."""
    problem, is_right = build_driver(folder), True
    if problem:
        print(f"tsm from C is left out: {problem}")
    problem = neighbours.build(folder)
    if problem:
        print(f"what two processors give each other is left out: {problem}")
    end = time.monotonic() + 60 * args.minutes
    expected: dict[str, Any] = {}
    last = ""
    for name, threads in measurements(args):
        key = f"{name}-{threads}" if threads else name
        if not args.names and args.write and kept.has(key):
            continue
        if args.write and time.monotonic() > end:
            print(f"no time left for {key}: run again to go on")
            continue
        if last in WORKLOADS and name != last:
            forget(WORKLOADS[last], folder)
        start, last = time.monotonic(), name
        if threads:
            row = bench(WORKLOADS[name], threads, args, folder, expected)
            print(report.text(row), flush=True)
            for claim in shows.of_workload(WORKLOADS[name], threads, row):
                print(f"  -> {claim.what}: {claim.figure or 0:.2f}, target {claim.target}: {claim.verdict}")
            is_right &= not any(why.startswith("wrong") for who, why in row["failures"].items() if who in OURS)
            rows = [row]
        else:
            rows = PARTS[name](folder, args.rounds)
            print(f"\n{name}: {len(rows)} rows")
        print(f"  ({time.monotonic() - start:.0f} s)", flush=True)
        if args.write:
            kept.save(key, rows)
            page.write(kept, args.into)
    return is_right


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="name", help=", ".join([*WORKLOADS, *PARTS]))
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--cpu-time", action="store_true",
                        help="measure processor time, on a machine that others use too; for 1 thread")
    parser.add_argument("--engines", nargs="+", help="only these")
    parser.add_argument("--write", action="store_true", help="keep the results; write RESULTS.md and results.svg")
    parser.add_argument("--minutes", type=float, default=45.0, help="with --write: nothing is begun after so many")
    parser.add_argument("--keep", type=Path, default=FOLDER, help="where results are kept")
    parser.add_argument("--into", type=Path, default=HERE, help="where RESULTS.md and results.svg go")
    args = parser.parse_args()
    if args.cpu_time:
        os.environ["BENCH_CLOCK"] = "cpu"
    unknown = sorted(set(args.names) - set(WORKLOADS) - set(PARTS))
    if unknown:
        parser.error(f"nothing is called {', '.join(unknown)}; there are {', '.join([*WORKLOADS, *PARTS])}")
    package = importlib.util.find_spec("tsm")
    if package is None or package.origin is None:
        parser.error("tsm is not installed")
    kept = Kept(fingerprint(Path(package.origin).parent), args.keep)
    with tempfile.TemporaryDirectory() as name:
        is_right = run(args, kept, Path(name))
    if args.write:
        page.write(kept, args.into)
        page.draw(kept, args.into)
    if not is_right:
        sys.exit("tsm gave a wrong result")


if __name__ == "__main__":
    main()
