"""Instructions of loops under callgrind: a figure that does not drift with the machine. `python bench/instructions.py`.

In: the driver (see run.py) and Lua. Out: instructions an iteration, as the difference of runs with one and with three
repetitions. Holds: valgrind hides AVX-512, which these loops do not use.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

import export
from building import build_driver
from workloads import WORKLOADS, Workload

HERE = Path(__file__).parent
LOOPS = ("collatz", "newton", "accumulate", "call")


def count(command: list[str], runs: int) -> int | None:
    """Instructions of a process that is asked for that many runs; None where it does not work."""
    done = subprocess.run(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *command], input=f"run {runs}\n",
        capture_output=True, text=True,
    )
    found = re.search(r"Collected : (\d+)", done.stderr)
    return int(found.group(1)) if found and done.returncode == 0 else None


def per_iteration(command: list[str], workload: Workload) -> float | None:
    repeat = 1000 if workload.work == 1 else 1
    few, many = count(command, repeat), count(command, 3 * repeat)
    return (many - few) / (2 * repeat * workload.work) if few and many else None


def measure(folder: Path) -> list[tuple[str, dict[str, float]]]:
    """Title and instructions an iteration by engine."""
    rows = []
    for name in LOOPS:
        workload = WORKLOADS[name]
        export.export_program(workload, folder)
        values = [str(folder / f"{name}.arg{index}.npy") if hasattr(item, "dtype") else repr(item)
                  for index, item in enumerate(workload.arguments())]
        commands = {"tsm": [str(folder / "driver"), str(folder / f"{name}.tsm"), "1", *values]}
        if "lua" in workload.engines:
            commands["Lua 5.4"] = ["lua5.4", str(HERE / "loops.lua"), name]
        found = {who: value for who, command in commands.items()
                 if (value := per_iteration(command, workload)) is not None}
        rows.append((workload.title, found))
    return rows


def text(rows: list[tuple[str, dict[str, float]]]) -> str:
    lines = ["## Instructions under callgrind", "", "Per iteration or call; unlike times, these do not drift.", "",
             "| | instructions |", "|---|---|"]
    for title, found in rows:
        lines.append(f"| {title} | {', '.join(f'{who} {value:.1f}' for who, value in found.items())} |")
    return "\n".join([*lines, ""]) + "\n"


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        problem = build_driver(Path(name))
        if problem:
            sys.exit(problem)
        print(text(measure(Path(name))))


if __name__ == "__main__":
    main()
