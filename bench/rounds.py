"""Engines in turns: one process each, rounds in which they take turns, results compared in the same run.

In: a workload, engines and a number of threads. Out: `Measured` for every engine, or why it could not run. Holds: all
processes are bound to the same cores, as many as there are threads; the order of the engines rotates from round to
round; a process is stopped while it is not its turn, so that threads that spin take nothing from the others.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from operator import methodcaller
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from workloads import OURS, Workload

HERE = Path(__file__).parent
START_LIMIT, RUN_LIMIT = 900.0, 300.0  # seconds
PEER_TOLERANCE = 1e-3  # where tsm's is that of weights in fewer bits, which peers do not have
PATIENCE = 40.0  # seconds after which a workload's rounds end if there are LEAST_ROUNDS
LEAST_ROUNDS = 5


class EngineError(Exception):
    """Why an engine cannot run a workload."""


@dataclass
class Measured:
    """One engine's figures: nanoseconds of every round, the largest relative error, peak resident kilobytes."""

    rounds: list[float] = field(default_factory=list)
    error: float = 0.0
    memory: int = 0

    @property
    def median(self) -> float:
        return median(self.rounds)


class Worker:
    """A process that runs one workload on one engine when asked."""

    def __init__(self, name: str, workload: Workload, threads: int, folder: Path) -> None:
        self.name = name
        self.log = open(folder / f"{workload.name}.{name}.log", "w")  # noqa: SIM115
        self.process = subprocess.Popen(
            self._command(workload, threads, folder), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log,
            env=environment(threads, folder, name), bufsize=0, preexec_fn=lambda: bind(threads),
        )
        self.pending = b""
        answer = self.read(START_LIMIT)
        if answer != "ready":
            self.close()
            raise EngineError(answer.removeprefix("error "))
        self.process.send_signal(signal.SIGSTOP)

    def _command(self, workload: Workload, threads: int, folder: Path) -> list[str]:
        if self.name == "lua":
            return ["lua5.4", str(HERE / "loops.lua"), workload.name]
        if not self.name.startswith("tsm-c"):
            return [sys.executable, str(HERE / "worker.py"), self.name, workload.name, str(threads), str(folder)]
        threads = 1 if self.name == "tsm-c-one" else threads
        values = [
            str(folder / f"{workload.name}.arg{index}.npy") if isinstance(item, np.ndarray) else repr(item)
            for index, item in enumerate(workload.arguments())
        ]
        return [str(folder / "driver"), str(folder / f"{workload.name}.tsm"), str(threads), *values]

    def read(self, limit: float) -> str:
        assert self.process.stdout is not None
        while b"\n" not in self.pending:
            ready, _, _ = select.select([self.process.stdout], [], [], limit)
            piece = os.read(self.process.stdout.fileno(), 65536) if ready else b""
            if not piece:
                self.close()
                raise EngineError("it died" if ready else f"no answer in {limit:.0f} s")
            self.pending += piece
        line, _, self.pending = self.pending.partition(b"\n")
        return line.decode()

    def ask(self, question: str) -> str:
        assert self.process.stdin is not None
        self.process.send_signal(signal.SIGCONT)
        try:
            self.process.stdin.write(f"{question}\n".encode())
        except BrokenPipeError:
            raise EngineError("it died") from None
        answer = self.read(RUN_LIMIT)
        self.process.send_signal(signal.SIGSTOP)
        if answer.startswith("error "):
            raise EngineError(answer.removeprefix("error "))
        return answer

    def run(self, count: int) -> float:
        """Nanoseconds of one of `count` runs, by the clock on the wall; Lua has none, so it is timed from here."""
        start = time.perf_counter_ns()
        answer = int(self.ask(f"run {count}"))
        is_timed_here = self.name == "lua" and os.environ.get("BENCH_CLOCK") != "cpu"
        return (time.perf_counter_ns() - start if is_timed_here else answer) / count

    def result(self, path: Path) -> list[np.ndarray]:
        kind, _, value = self.ask(f"result {path}").partition(" ")
        if kind == "value":
            return [np.asarray(float(value))]
        if kind == "files":
            return [np.load(f"{path}.{index}.npy") for index in range(int(value))]
        with np.load(f"{path}.npz") as found:
            return [found[name] for name in found.files]

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        self.log.close()


def bind(threads: int) -> None:
    """Binds this process to the last cores it may use, as many as there are threads."""
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-threads:])


def environment(threads: int, folder: Path, name: str) -> dict[str, str]:
    flags = "" if threads > 1 else "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
    return {
        **os.environ, "OMP_NUM_THREADS": str(threads), "OPENBLAS_NUM_THREADS": str(threads),
        "MKL_NUM_THREADS": str(threads), "XLA_FLAGS": flags, "JAX_PLATFORMS": "cpu",
        "TORCHINDUCTOR_CACHE_DIR": str(folder / "inductor"), "TSM_THREADS": str(threads),
        "BENCH_NO_WINOGRAD": "1" if name == "tsm-c-direct" else "0",
    }


def largest_error(found: list[np.ndarray], expected: list[np.ndarray]) -> float:
    """Largest difference relative to the largest expected value; integers must be equal. Infinite for other shapes."""
    if len(found) != len(expected):
        return float("inf")
    worst = 0.0
    for mine, right in zip(found, expected):
        if mine.shape != right.shape:
            return float("inf")
        difference = np.abs(mine.astype(np.float64) - right.astype(np.float64)).max(initial=0.0)
        if right.dtype.kind in "iub" and difference:
            return float("inf")
        if np.isnan(difference):
            return float("inf")
        worst = max(worst, float(difference / max(np.abs(right).max(initial=0.0), 1e-30)))
    return worst


def reference(workload: Workload, folder: Path) -> list[np.ndarray]:
    """The results in float64, by PyTorch's twin; EngineError where PyTorch is not installed."""
    worker = Worker("reference", workload, 1, folder)
    try:
        return worker.result(folder / f"{workload.name}.reference")
    finally:
        worker.close()


def tolerance_of(name: str, workload: Workload) -> float:
    if name in OURS:
        return workload.tolerance
    return PEER_TOLERANCE if workload.weights else workload.tolerance


def calibrate(worker: Worker, nanoseconds: float) -> int:
    """How many runs take about so long."""
    worker.run(1)
    count = 1
    while (took := worker.run(count) * count) < nanoseconds / 4 and count < 1 << 20:
        count *= 4 if took * 8 < nanoseconds else 2
    return max(1, round(count * nanoseconds / took)) if took < nanoseconds else count


class Contest:
    """The engines that run a workload; one that fails on the way is left out, and `failures` says why."""

    def __init__(self, workload: Workload, names: list[str], threads: int, folder: Path) -> None:
        self.workload = workload
        self.folder = folder
        self.figures: dict[str, Measured] = {}
        self.failures: dict[str, str] = {}
        self.workers: dict[str, Worker] = {}
        for name in names:
            try:
                self.workers[name] = Worker(name, workload, threads, folder)
            except EngineError as error:
                self.failures[name] = str(error)
            else:
                self.figures[name] = Measured()

    def drop(self, name: str, why: str) -> None:
        self.failures[name] = why
        self.workers.pop(name).close()
        del self.figures[name]

    def ask(self, name: str, question: Callable[[Worker], Any]) -> Any:
        """The answer; None from an engine that is left out from now on."""
        try:
            return question(self.workers[name])
        except EngineError as error:
            self.drop(name, str(error))
            return None

    def check(self, expected: list[np.ndarray] | None) -> None:
        """Leaves out engines whose results are not `expected`, or not the first engine's if that is None."""
        for name in list(self.workers):
            path = self.folder / f"{self.workload.name}.{name}"
            found = self.ask(name, methodcaller("result", path))
            if found is None:
                continue
            expected = found if expected is None else expected
            self.figures[name].error = error = largest_error(found, expected)
            if error > tolerance_of(name, self.workload):
                self.drop(name, f"wrong: its result is off by {error:.1e}")

    def take_turns(self, rounds: int, nanoseconds: float) -> None:
        """A round more than `rounds`, of which the first does not count; each run takes about `nanoseconds`."""
        counts = {name: self.ask(name, lambda worker: calibrate(worker, nanoseconds)) for name in list(self.workers)}
        order, end = list(self.workers), time.monotonic() + PATIENCE
        for turn in range(rounds + 1):
            if turn > LEAST_ROUNDS and time.monotonic() > end:
                break
            at = turn % max(1, len(order))
            for name in order[at:] + order[:at]:
                if name not in self.workers:
                    continue
                took = self.ask(name, methodcaller("run", counts[name]))
                if turn and took is not None:
                    self.figures[name].rounds.append(took)

    def close(self) -> None:
        for worker in self.workers.values():
            worker.close()


def measure(
    workload: Workload, names: list[str], threads: int, folder: Path, count: int, expected: list[np.ndarray] | None,
    slice_ms: float = 30.0,
) -> tuple[dict[str, Measured], dict[str, str]]:
    """Figures by engine, and why others have none."""
    contest = Contest(workload, names, threads, folder)
    try:
        contest.check(expected)
        contest.take_turns(count, slice_ms * 1e6)
        for name in list(contest.workers):
            memory = contest.ask(name, methodcaller("ask", "memory"))
            if memory is not None:
                contest.figures[name].memory = int(memory)
    finally:
        contest.close()
    return contest.figures, contest.failures
