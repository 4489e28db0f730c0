"""Measures language.py's workloads beside Lua 5.4 and CPython: `python bench/run_language.py [name ...]`.

One call of each function is timed whole; tsm and Lua take turns inside one process (language.c), CPython between them.
A ratio is the median of the rounds' ratios. With --instructions valgrind counts what one turn of a loop executes, as
the difference of two runs: a figure that does not drift with the machine.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

import building
import tsm
from building import HERE, LUA, library_flags
from language import WORKLOADS, Workload


def build(folder: Path) -> str | None:
    """language.c against the installed library and liblua; why not, if it cannot be."""
    problem = building.build("language", folder, *library_flags(), *LUA)
    return f"language.c needs the headers and library of Lua 5.4: {problem}" if problem else None


def command(folder: Path, item: Workload, twin: str, rounds: int) -> list[str]:
    return [str(folder / "language"), str(folder / f"{item.name}.tsm"), twin, item.name, str(item.argument),
            str(rounds)]


def times(folder: Path, item: Workload, rounds: int) -> dict[str, Any]:
    """A row: tsm's nanoseconds a turn, its ratio to Lua's and to CPython's."""
    pairs: list[tuple[float, float]] = []
    python: list[float] = []
    for _ in range(rounds):
        done = subprocess.run(command(folder, item, str(HERE / item.lua_file), 3),
                              capture_output=True, text=True, check=True)
        for line in done.stdout.splitlines():
            ours, lua = map(float, line.split())
            pairs.append((ours, lua))
        start = time.perf_counter()
        item.function(item.argument)
        python.append(time.perf_counter() - start)
    ours = median(pair[0] for pair in pairs)
    return {"name": item.name, "title": item.title, "ns": ours / item.iterations * 1e9,
            "lua": median(a / b for a, b in pairs), "python": ours / median(python),
            "lua_limit": item.lua_limit, "python_limit": item.python_limit}


def instructions(folder: Path, item: Workload) -> float:
    """Instructions a turn."""
    counts = []
    for rounds in (1, 2):
        done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
                               *command(folder, item, "-", rounds)], capture_output=True, text=True, check=True)
        found = re.search(r"Collected : (\d+)", done.stderr)
        assert found is not None, done.stderr
        counts.append(int(found.group(1)))
    return (counts[1] - counts[0]) / item.iterations


def verdict(ratio: float, limit: float | None) -> str:
    if limit is None:
        return f"{ratio:8.2f}" + 7 * " "
    return f"{ratio:8.2f} {'<=' if ratio <= limit else '> '} {limit:.1f}"


def measure(folder: Path, names: list[str], rounds: int) -> list[dict[str, Any]]:
    """Rows of the named functions, all if none; prints each. `build` came before."""
    rows = []
    print(f"{'':42}      ns   of Lua's        of CPython's")
    for item in WORKLOADS:
        if names and item.name not in names:
            continue
        tsm.script(item.function).save(folder / f"{item.name}.tsm")
        row = times(folder, item, rounds)
        rows.append(row)
        print(f"{item.title:42}{row['ns']:8.1f} {verdict(row['lua'], item.lua_limit)} "
              f"{verdict(row['python'], item.python_limit)}", flush=True)
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="functions of language.py; all when none is given")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--instructions", action="store_true", help="count instructions instead of time")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        problem = build(folder)
        if problem:
            sys.exit(problem)
        if not args.instructions:
            measure(folder, args.names, args.rounds)
            return
        for item in WORKLOADS:
            if not args.names or item.name in args.names:
                tsm.script(item.function).save(folder / f"{item.name}.tsm")
                print(f"{item.title:42}{instructions(folder, item):12.1f} instructions", flush=True)


if __name__ == "__main__":
    main()
