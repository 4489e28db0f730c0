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

from language import WORKLOADS, Workload

import tsm

HERE = Path(__file__).parent


def build(folder: Path) -> Path:
    """language.c against the installed library and liblua."""
    flags = subprocess.run([sys.executable, "-m", "tsm", "config", "--cflags", "--libs"],
                           capture_output=True, text=True, check=True).stdout.split()
    command = ["cc", "-O2", str(HERE / "language.c"), "-o", str(folder / "language"), *flags]
    built = subprocess.run([*command, "-I/usr/include/lua5.4", "-llua5.4", "-lm"], capture_output=True, text=True)
    if built.returncode:
        sys.exit(f"language.c needs the headers and library of Lua 5.4:\n{built.stderr}")
    return folder / "language"


def command(program: Path, item: Workload, twin: str, rounds: int) -> list[str]:
    return [str(program), str(program.parent / f"{item.name}.tsm"), twin, item.name, str(item.argument), str(rounds)]


def times(program: Path, item: Workload, rounds: int) -> tuple[float, float, float]:
    """tsm's nanoseconds a turn, its ratio to Lua's and to CPython's."""
    pairs: list[tuple[float, float]] = []
    python: list[float] = []
    for _ in range(rounds):
        done = subprocess.run(command(program, item, str(HERE / item.lua_file), 3),
                              capture_output=True, text=True, check=True)
        for line in done.stdout.splitlines():
            ours, lua = map(float, line.split())
            pairs.append((ours, lua))
        start = time.perf_counter()
        item.function(item.argument)
        python.append(time.perf_counter() - start)
    ours = median(pair[0] for pair in pairs)
    return ours / item.iterations * 1e9, median(a / b for a, b in pairs), ours / median(python)


def instructions(program: Path, item: Workload) -> float:
    """Instructions a turn."""
    counts = []
    for rounds in (1, 2):
        done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
                               *command(program, item, "-", rounds)], capture_output=True, text=True, check=True)
        found = re.search(r"Collected : (\d+)", done.stderr)
        assert found is not None, done.stderr
        counts.append(int(found.group(1)))
    return (counts[1] - counts[0]) / item.iterations


def verdict(ratio: float, limit: float | None) -> str:
    if limit is None:
        return f"{ratio:8.2f}" + 7 * " "
    return f"{ratio:8.2f} {'<=' if ratio <= limit else '> '} {limit:.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="functions of language.py; all when none is given")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--instructions", action="store_true", help="count instructions instead of time")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        program = build(Path(name))
        print(f"{'':38}" + ("instructions" if args.instructions else "      ns   of Lua's        of CPython's"))
        for item in WORKLOADS:
            if args.names and item.name not in args.names:
                continue
            tsm.script(item.function).save(program.parent / f"{item.name}.tsm")
            if args.instructions:
                print(f"{item.title:38}{instructions(program, item):12.1f}", flush=True)
                continue
            ours, lua, python = times(program, item, args.rounds)
            print(f"{item.title:38}{ours:8.1f} {verdict(lua, item.lua_limit)} {verdict(python, item.python_limit)}",
                  flush=True)


if __name__ == "__main__":
    main()
