"""Random programs against CPython on every road of the oracle: `python compare_programs.py --count 1000 --seed 1`.

In: programs of random_programs.py. Out: a line with the counts of programs, calls, refusals and differences, and for each
difference a minimal program. Holds: a refusal is a CompileError; D1 alone excuses a difference: an OverflowError where
Python's int is longer than 64 bits. Each program of a long run has its own process, so that a crash is one difference.
"""

from __future__ import annotations

import argparse
import copy
import linecache
import os
import pickle
import select
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import oracle  # noqa: E402
import random_programs  # noqa: E402

import tsm  # noqa: E402

TIME_LIMIT = 30


@dataclass
class Verdict:
    """`kind`: same, refused, different, slow. `key` groups verdicts that are likely of one cause."""

    kind: str
    key: str = ""
    text: str = ""
    calls: int = 0
    raised: int = 0
    excused: int = 0


@dataclass
class Totals:
    """What a run found."""

    kinds: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    differences: dict[int, Verdict] = field(default_factory=dict)
    calls: int = 0
    raised: int = 0
    excused: int = 0

    def add(self, seed: int, verdict: Verdict) -> None:
        self.kinds[verdict.kind] += 1
        self.calls += verdict.calls
        self.raised += verdict.raised
        self.excused += verdict.excused
        if verdict.kind == "refused":
            self.reasons[verdict.key] += 1
        if verdict.kind == "different":
            self.differences[seed] = verdict

    def __str__(self) -> str:
        return (
            f"{sum(self.kinds.values())} programs: {self.kinds['same']} agree, {self.kinds['different']} differ, "
            f"{self.kinds['refused']} refused, {self.kinds['slow']} too slow; {self.calls} calls, {self.raised} of them raise, "
            f"{self.excused} answers excused by D1"
        )


def load(text: str, name: str) -> dict[str, Any]:
    """The program's namespace; its source can be found by `inspect`."""
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    space: dict[str, Any] = {"__name__": name.strip("<>")}
    exec(compile(text, name, "exec"), space)  # noqa: S102 - the program was made by the generator
    return space


def snapshot(fn: Callable[..., Any], call: tuple[Any, ...]) -> oracle.Outcome:
    """`oracle.observe`, with values that later calls cannot change."""
    out = oracle.observe(fn, call, oracle.make_tensor)
    out.args, out.result = copy.deepcopy((out.args, out.result))
    return out


def expectations(make: Callable[[], Any], method: str, calls: list[tuple[Any, ...]]) -> list[oracle.Outcome]:
    run = oracle.entry(make(), method)
    return [snapshot(run, copy.deepcopy(call)) for call in calls]


def is_overflow(got: oracle.Outcome, want: oracle.Outcome) -> bool:
    return got.error is not None and got.error[0] is OverflowError and want.error != got.error


def road_differs(road: str, runnable: Any, method: str, calls: list[Any], wanted: list[oracle.Outcome]) -> tuple[str, int]:
    """(what differs or "", answers excused). After an excused one a module's state is another: the rest is left out."""
    run = oracle.entry(runnable, method)
    for call, want in zip(calls, wanted):
        got = snapshot(run, copy.deepcopy(call))
        if is_overflow(got, want):
            return "", 1
        try:
            oracle.compare(road, call, want, got)
        except AssertionError as error:
            return str(error), 0
    return "", 0


def judge(text: str, name: str = "<random program>", roads: Callable[..., Iterator[Any]] = oracle.roads) -> Verdict:
    """One program on all roads."""
    space = load(text, name)
    calls = space["CALLS"]
    target = space.get("Model") or space["main"]
    make = target if isinstance(target, type) else lambda: target
    method = "forward" if isinstance(target, type) else "main"
    wanted = expectations(make, method, calls)
    verdict = Verdict("same", calls=len(calls), raised=sum(want.error is not None for want in wanted))
    try:
        for road, build in roads(make()):
            difference, excused = road_differs(road, build(), method, calls, wanted)
            verdict.excused += excused
            if difference:
                lines = difference.splitlines()
                return Verdict("different", key_of(road, lines), difference, verdict.calls, verdict.raised)
    except tsm.CompileError as error:
        return Verdict("refused", reason_of(str(error)), str(error), verdict.calls)
    except Exception as error:  # noqa: BLE001 - whatever else the compiler raises is a difference
        frames = traceback.extract_tb(error.__traceback__)[-1]
        key = f"{type(error).__name__} at {Path(frames.filename).name}:{frames.name}"
        return Verdict("different", key, "".join(traceback.format_exception(error)[-6:]), verdict.calls)
    return verdict


def key_of(road: str, lines: list[str]) -> str:
    """The road, and an exception that only one side raises."""
    got = next((line.strip() for line in lines if line.startswith("  got:")), "")
    return f"{road}: {got.split(';')[0][:60] if 'raises' in got else 'value'}"


def reason_of(message: str) -> str:
    """The first line that says what is refused, without names."""
    line = next((line for line in message.splitlines() if "error" in line), message.splitlines()[0])
    return line.split("error:")[-1].strip()[:110]


def in_process(task: Callable[[], Verdict], limit: float = TIME_LIMIT) -> Verdict:
    """The verdict of a task that runs in a child: it may crash or hang."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        with os.fdopen(writer, "wb") as out:
            out.write(pickle.dumps(task()))
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as source:
        ready, _, _ = select.select([source], [], [], limit)
        if not ready:
            os.kill(child, signal.SIGKILL)
        data = source.read()
    _, status = os.waitpid(child, 0)
    if data:
        return pickle.loads(data)  # noqa: S301 - made by our own child
    if not ready:
        return Verdict("slow", "time limit")
    return Verdict("different", f"crash {status}", f"the process ended with status {status}")


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--count", type=int, default=1000)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--no-shrink", action="store_true")
    options.add_argument("--show", type=int, default=10, help="at most so many differences, one of each cause")
    args = options.parse_args()
    totals, start = Totals(), time.monotonic()
    for seed in range(args.seed, args.seed + args.count):
        totals.add(seed, in_process(lambda seed=seed: judge(random_programs.generate(seed))))
    print(f"seeds {args.seed} to {args.seed + args.count - 1}: {totals} ({time.monotonic() - start:.0f} s)")
    for reason, count in totals.reasons.most_common(40):
        print(f"  refused {count}: {reason}")
    keys = Counter(verdict.key for verdict in totals.differences.values())
    for key, count in keys.most_common(args.show):
        seed, verdict = next((s, v) for s, v in totals.differences.items() if v.key == key)
        print(f"\n{count} times {key}, first with seed {seed}")
        text = random_programs.generate(seed)
        if args.no_shrink:
            print(verdict.text)
            continue
        import shrink_programs

        smaller = shrink_programs.shrink(text, lambda t: in_process(lambda: judge(t), 10), key)
        print(smaller)
        print(in_process(lambda smaller=smaller: judge(smaller)).text)
    return 1 if totals.differences else 0


if __name__ == "__main__":
    sys.exit(main())
