"""Random programs against CPython on every road of the oracle: `python compare_programs.py --count 1000 --seed 1`.

In: programs of random_programs.py. Out: the counts of programs, calls, refusals, differences and rows, with `--log` also in
log.md; for each new kind of difference a minimal program. Holds: a refusal is a CompileError; D1 alone excuses a difference: an OverflowError where
Python's int is longer than 64 bits. A crash is a difference, too: programs run in children.
"""

from __future__ import annotations

import argparse
import copy
import linecache
import sys
import time
import traceback
import types
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

if __name__ == "__main__":
    sys.modules["torch"] = None  # type: ignore[assignment] # the oracle would import it; no program needs it

import program_children  # noqa: E402
import program_log  # noqa: E402
import program_rows  # noqa: E402
import random_programs  # noqa: E402
import shrink_programs  # noqa: E402

import oracle  # noqa: E402
import tsm  # noqa: E402
from tsm import ir, scripting, serialize  # noqa: E402

TIME_LIMIT = 60
BATCH = 10  # programs of one child
PIECE = 40
SHRINK_LIMIT = 10


@dataclass
class Verdict:
    """`kind`: same, refused, different, slow. `key` groups verdicts that are likely of one cause."""

    kind: str
    key: str = ""
    text: str = ""
    calls: int = 0
    raised: int = 0
    excused: int = 0
    rows: set[str] = field(default_factory=set)


@dataclass
class Totals:
    """What a run found."""

    kinds: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    rows: Counter[str] = field(default_factory=Counter)
    differences: dict[int, Verdict] = field(default_factory=dict)
    calls: int = 0
    raised: int = 0
    excused: int = 0

    def add(self, seed: int, verdict: Verdict) -> None:
        self.kinds[verdict.kind] += 1
        self.calls += verdict.calls
        self.raised += verdict.raised
        self.excused += verdict.excused
        if verdict.kind == "same":
            self.rows.update(verdict.rows)
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
    module = types.ModuleType(name.strip("<>"))
    sys.modules[module.__name__] = module  # dataclasses look their annotations up there
    space = vars(module)
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
    """(what differs or "", calls excused). After an excused one a module's state is another: the rest is left out."""
    run, excused = oracle.entry(runnable, method), 0
    for call, want in zip(calls, wanted):
        got = snapshot(run, copy.deepcopy(call))
        if is_overflow(got, want):
            excused += 1
            if method == "forward":
                break
            continue
        try:
            oracle.compare(road, call, want, got)
        except AssertionError as error:
            return str(error), excused
    return "", excused


def some_roads(target: Any, seed: int) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Roads of the oracle from one compilation: no pass, all of them, saved and loaded; and one that seeds take in turn."""
    compiled = tsm.to_ir(target)
    raw, classes = serialize.dumps(compiled), tuple(compiled.classes.values())
    yield "without passes", lambda: tsm.load(raw, classes=classes)
    is_function = isinstance(target, types.FunctionType)
    scripted = (scripting.ScriptFunction if is_function else scripting.ScriptModule)(target, lambda: compiled)
    best = scripted.to_bytes()
    yield "scripted", lambda: scripted
    yield "saved and loaded", lambda: tsm.load(best, classes=classes)
    if seed % 4 == 0:
        name = ir.passes.NAMES[seed // 4 % len(ir.passes.NAMES)]
        yield f"only {name}", lambda: tsm.load(oracle.after(serialize.loads(raw), [name]), classes=classes)
    if seed % 4 == 1:
        printed = ir.print_program(serialize.loads(best))
        yield "printed and parsed", lambda: tsm.load(serialize.dumps(ir.parse(printed)), classes=classes)
    if seed % 4 == 2 and oracle.saved_again(tsm.load(best)) != best:
        raise AssertionError("loading and saving a file in the runtime changed it")


def judge(text: str, seed: int = -1, name: str = "<random_corpus>") -> Verdict:
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
            verdict.excused = max(verdict.excused, excused)
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


def in_process(task: Callable[[], Any], seconds: int = TIME_LIMIT) -> Any:
    """What a task gives that runs in a child, where it may crash or hang; then a Verdict."""
    return as_verdict(program_children.Child(task, seconds).result())


def as_verdict(found: Any) -> Any:
    if not isinstance(found, program_children.Ended):
        return found
    return Verdict("different", found.text, found.text) if found.kind == "crash" else Verdict(found.kind, "", found.text)


def judged(seed: int) -> Verdict:
    text = random_programs.generate(seed)
    verdict = judge(text, seed)
    verdict.rows = program_rows.rows_of(text)
    return verdict


def verdicts(seeds: range, jobs: int = 1) -> Iterator[tuple[int, Verdict]]:
    """A child for each batch; after a crash or a hang in it, one for each program of it."""
    batches = [seeds[start : start + BATCH] for start in range(0, len(seeds), BATCH)]
    tasks = ((batch, lambda batch=batch: [judged(seed) for seed in batch]) for batch in batches)
    for batch, found in program_children.in_parallel(tasks, jobs, TIME_LIMIT):
        if isinstance(found, program_children.Ended):
            found = [in_process(lambda seed=seed: judged(seed), TIME_LIMIT // 3) for seed in batch]
        yield from zip(batch, found)


def reduced(seed: int, verdict: Verdict) -> str:
    """The smallest program found that shows the same."""
    text = random_programs.generate(seed)

    def shows(candidate: str) -> bool:
        found = in_process(lambda: judge(candidate, seed), SHRINK_LIMIT)
        return isinstance(found, Verdict) and found.kind == "different" and found.key == verdict.key

    return shrink_programs.shrink(text, shows)


def show(seed: int, verdict: Verdict, folder: Path | None) -> None:
    """The first difference of its kind, made small and written out with its seed if there is a folder for it."""
    print(f"\nseed {seed}: {verdict.key}\n{verdict.text}", flush=True)
    if folder is None:
        return
    text = reduced(seed, verdict)
    smaller = in_process(lambda: judge(text, seed), SHRINK_LIMIT)
    folder.mkdir(parents=True, exist_ok=True)
    comment = "".join(f"# {line}\n" for line in f"seed {seed}: {verdict.key}\n{smaller.text}".splitlines())
    (folder / f"seed_{seed}.py").write_text(comment + text + "\n")
    print(f"{text}\n{smaller.text}", flush=True)


def arguments() -> argparse.Namespace:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--count", type=int, default=1000)
    options.add_argument("--from", "--seed", type=int, dest="seed", help="first seed; without it, after the last of the log")
    options.add_argument("--jobs", type=int, default=2)
    options.add_argument("--seconds", type=float, default=float("inf"), help="to stop after")
    options.add_argument("--reduced", type=Path, help="folder for programs that differ, made small")
    options.add_argument("--log", action="store_true", help="add the run to log.md")
    options.add_argument("--totals", action="store_true", help="print the sums of log.md, and run nothing")
    return options.parse_args()


def run(seeds: range, jobs: int, seconds: float, folder: Path | None) -> tuple[Totals, range]:
    """Batches until the seeds or the time are used up, so that a run always is one of whole pieces."""
    totals, start = Totals(), time.monotonic()
    for first in range(seeds.start, seeds.stop, PIECE):
        piece = range(first, min(first + PIECE, seeds.stop))
        for seed, verdict in verdicts(piece, jobs):
            is_new = verdict.kind == "different" and all(verdict.key != old.key for old in totals.differences.values())
            totals.add(seed, verdict)
            if is_new:
                show(seed, verdict, folder)
        print(f"to seed {piece.stop - 1}: {totals} ({time.monotonic() - start:.0f} s)", flush=True)
        if time.monotonic() - start > seconds:
            return totals, range(seeds.start, piece.stop)
    return totals, seeds


def main() -> int:
    args = arguments()
    if args.totals:
        print(program_log.totals())
        return 0
    judge(random_programs.generate(1))  # the compiler's tables are made once, before the first child
    first = args.seed if args.seed is not None else program_log.next_seed()
    totals, done = run(range(first, first + args.count), args.jobs, args.seconds, args.reduced)
    for reason, count in totals.reasons.most_common(40):
        print(f"  refused {count}: {reason}")
    for key, count in Counter(verdict.key for verdict in totals.differences.values()).most_common():
        print(f"  differ {count}: {key}, seeds {[s for s, v in totals.differences.items() if v.key == key][:8]}")
    entry = program_log.Entry(
        program_log.today(), done.start, done.stop - 1, totals.calls, totals.raised, totals.excused, totals.kinds["same"],
        totals.kinds["refused"], totals.kinds["different"], totals.kinds["slow"] + totals.kinds["invalid"], totals.rows,
    )  # fmt: skip
    if args.log:
        program_log.append(entry)
    print(program_log.table(entry.rows, entry.programs), entry, sep="\n")
    return 1 if totals.differences else 0


if __name__ == "__main__":
    sys.exit(main())
