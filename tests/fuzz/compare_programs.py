"""Random programs against CPython on every road of the oracle: `python compare_programs.py --count 1000 --seed 1`.

In: programs of random_programs.py. Out: a line with the counts of programs, calls, refusals and differences, and for each
difference a minimal program. Holds: a refusal is a CompileError; D1 alone excuses a difference: an OverflowError where
Python's int is longer than 64 bits. A crash is a difference, too: programs run in children.
"""

from __future__ import annotations

import argparse
import copy
import linecache
import os
import pickle
import resource
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

import random_programs  # noqa: E402
import shrink_programs  # noqa: E402

import oracle  # noqa: E402
import tsm  # noqa: E402
from tsm import ir, serialize  # noqa: E402

TIME_LIMIT = 60
MEMORY_LIMIT = 4 << 30
BATCH = 20


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
            f"{self.kinds['refused']} refused, {self.kinds['slow'] + self.kinds['invalid']} not run; {self.calls} calls, {self.raised} of them raise, "
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


def some_roads(target: Any, seed: int) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Roads of the oracle from one compilation: no pass, one pass alone, all of them, and one more that seeds take in turn."""
    raw = serialize.dumps(tsm.to_ir(target))
    yield "without passes", lambda: tsm.load(raw)
    name = ir.passes.NAMES[seed % len(ir.passes.NAMES)]
    yield f"only {name}", lambda: tsm.load(oracle.after(raw, [name]))
    best = oracle.after(raw, ir.passes.NAMES)
    yield "saved and loaded", lambda: tsm.load(best)
    if seed % 4 == 0:
        yield "scripted", lambda: tsm.script(target)
    if seed % 4 == 1:
        printed = ir.print_program(serialize.loads(best))
        yield "printed and parsed", lambda: tsm.load(serialize.dumps(ir.parse(printed)))
    if seed % 4 == 2 and oracle.saved_again(tsm.load(best)) != best:
        raise AssertionError("loading and saving a file in the runtime changed it")


def judge(text: str, seed: int = -1, name: str = "<random program>") -> Verdict:
    """One program: on all roads without a seed, else on some."""
    space = load(text, name)
    calls = space["CALLS"]
    target = space.get("Model") or space["main"]
    make = target if isinstance(target, type) else lambda: target
    method = "forward" if isinstance(target, type) else "main"
    wanted = expectations(make, method, calls)
    verdict = Verdict("same", calls=len(calls), raised=sum(want.error is not None for want in wanted))
    try:
        for road, build in oracle.roads(make()) if seed < 0 else some_roads(make(), seed):
            difference, excused = road_differs(road, build(), method, calls, wanted)
            verdict.excused += excused
            if difference:
                lines = difference.splitlines()
                return Verdict("different", key_of(road, lines), difference, verdict.calls, verdict.raised)
    except tsm.CompileError as error:
        if "internal error" in str(error):
            return Verdict("different", "internal error of the compiler", str(error), verdict.calls)
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


def in_process(task: Callable[[], Any], limit: float = TIME_LIMIT) -> Any:
    """What a task gives that runs in a child, where it may crash or hang; then a Verdict."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT, MEMORY_LIMIT))
        try:
            found = task()
        except BaseException as error:  # noqa: BLE001 - only a candidate of the minimiser is not even a program
            found = Verdict("invalid", type(error).__name__, "".join(traceback.format_exception(error)))
        with os.fdopen(writer, "wb") as out:
            out.write(pickle.dumps(found))
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


def verdicts(seeds: range) -> Iterator[tuple[int, Verdict]]:
    """A child for each batch; after a crash or a hang in it, one for each program of it."""
    for start in range(0, len(seeds), BATCH):
        batch = seeds[start : start + BATCH]
        found = in_process(lambda batch=batch: [judge(random_programs.generate(seed), seed) for seed in batch])
        if isinstance(found, Verdict):
            found = [in_process(lambda seed=seed: judge(random_programs.generate(seed), seed)) for seed in batch]
        yield from zip(batch, found)


def show(seed: int, text: str, verdict: Verdict, as_is: bool) -> None:
    """The first difference of its kind, made small unless `as_is`."""
    print(f"\nseed {seed}: {verdict.key}", flush=True)
    if not as_is:
        text = shrink_programs.shrink(text, lambda t: in_process(lambda: judge(t, seed), 10).key == verdict.key)
        verdict = in_process(lambda: judge(text, seed))
        print(text)
    print(verdict.text, flush=True)


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--count", type=int, default=1000)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--no-shrink", action="store_true")
    args = options.parse_args()
    totals, start = Totals(), time.monotonic()
    judge(random_programs.generate(args.seed))  # the compiler's tables are made once, before the first child
    for seed, verdict in verdicts(range(args.seed, args.seed + args.count)):
        is_new = verdict.kind == "different" and all(verdict.key != old.key for old in totals.differences.values())
        totals.add(seed, verdict)
        if is_new:
            show(seed, random_programs.generate(seed), verdict, args.no_shrink)
        if (seed - args.seed) % 500 == 499:
            print(f"to seed {seed}: {totals} ({time.monotonic() - start:.0f} s)", flush=True)
    print(f"seeds {args.seed} to {args.seed + args.count - 1}: {totals} ({time.monotonic() - start:.0f} s)")
    for reason, count in totals.reasons.most_common(40):
        print(f"  refused {count}: {reason}")
    keys = Counter(verdict.key for verdict in totals.differences.values())
    for key, count in keys.most_common():
        print(f"  differ {count}: {key}, seeds {[s for s, v in totals.differences.items() if v.key == key][:8]}")
    return 1 if totals.differences else 0


if __name__ == "__main__":
    sys.exit(main())
