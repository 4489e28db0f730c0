"""Where a workload's time goes inside of libtsm: `python bench/sampling.py lenet [--threads 1]`.

In: the driver (see run.py), whose timer samples the running address every millisecond of processor time. Out: functions
of the library by their share. Holds: needs a library with symbols, as `pip install .` builds it; time outside of the
library (libm, the kernel) is one line.
"""

from __future__ import annotations

import argparse
import bisect
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import export
from building import build_driver
from rounds import Worker, calibrate
from workloads import WORKLOADS


def functions(library: str) -> tuple[list[int], list[str]]:
    """Addresses and names of a library's functions, sorted."""
    listed = subprocess.run(["nm", "-n", "--defined-only", library], capture_output=True, text=True, check=True).stdout
    found = [line.split() for line in listed.splitlines()]
    kept = [(int(address, 16), name) for address, kind, name in found if kind in "tT"]
    return [address for address, _ in kept], [name for _, name in kept]


def shares(path: Path, library: str) -> Counter[str]:
    addresses, names = functions(library)
    counted: Counter[str] = Counter()
    for line in path.read_text().split():
        address = int(line, 16)
        counted[names[bisect.bisect_right(addresses, address) - 1] if address else "(outside of the library)"] += 1
    return counted


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("workload", choices=WORKLOADS)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=2.0)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        problem = build_driver(folder)
        if problem:
            sys.exit(problem)
        workload = WORKLOADS[args.workload]
        export.export_program(workload, folder)
        worker = Worker("tsm-c", workload, args.threads, folder)
        count = calibrate(worker, args.seconds * 1e9)
        library = worker.ask(f"profile {count} {folder / 'samples'}")
        worker.close()
        counted = shares(folder / "samples", library)
        total = sum(counted.values())
        print(f"{workload.title}: {total} samples of {count} runs")
        for function, number in counted.most_common(25):
            print(f"{100 * number / total:6.1f}%  {function}")


if __name__ == "__main__":
    main()
