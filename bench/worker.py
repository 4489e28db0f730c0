"""One engine with one workload in one process: `worker.py engine workload threads folder`.

`worker.py --import module` prints what a process takes that only has the module.
In: lines on stdin: `run N`, `result PATH`, `memory`. Out: a line each on stdout: nanoseconds for the N runs, `ok`, or
the peak resident kilobytes; at the start `ready` or `error ...`. Holds: nothing else is printed to stdout, whatever
libraries write; the process of one engine imports no other engine.
"""

from __future__ import annotations

import os
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

import engines
from workloads import WORKLOADS


def peak_memory() -> int:
    """Peak resident kilobytes of this process since it was started."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM"):
            return int(line.split()[1])
    return 0


def measure(run: Any, count: int) -> int:
    clock = time.process_time_ns if os.environ.get("BENCH_CLOCK") == "cpu" else time.perf_counter_ns
    repeat = [None] * count
    start = clock()
    for _ in repeat:
        run()
    return clock() - start


def serve(engine: engines.Prepared, answer: Any) -> None:
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "run":
            print(measure(engine.run, int(rest)), file=answer, flush=True)
        elif word == "result":
            found = engine.arrays(engine.run())
            np.savez(rest, *[np.asarray(item) for item in found])
            print("ok", file=answer, flush=True)
        elif word == "memory":
            print(peak_memory(), file=answer, flush=True)


def main() -> None:
    if sys.argv[1] == "--import":
        import_module(sys.argv[2])
        print(peak_memory())
        return
    name, workload, threads, folder = sys.argv[1:]
    answer = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    try:
        engine = engines.prepare(name, WORKLOADS[workload], int(threads), Path(folder))
        engine.run()
    except Exception as error:
        text = " ".join(f"{type(error).__name__}: {error}".split())
        print("error", text[:300], file=answer, flush=True)
        return
    print("ready", file=answer, flush=True)
    serve(engine, answer)


if __name__ == "__main__":
    main()
