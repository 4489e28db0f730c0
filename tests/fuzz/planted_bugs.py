"""Compiler bugs planted by hand, which the random programs must find: `python planted_bugs.py`.

In: the installed package. Out: for each bug, after how many programs it was found, in a table (kept in
log.md by hand). Holds: a bug changes a copy of the package; a text that is no longer there is an error; what a seed shows in
the package as it is does not count as found.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
MOST = 20_000
NEEDED = 18


@dataclass(frozen=True)
class Bug:
    """`old` in a file of the package becomes `new`, once."""

    title: str
    file: str
    old: str
    new: str


BUGS = [
    Bug("cse merges a - b with b - a", "ir/passes/cse.py", '"COMMUTES" in operator.traits and ', ""),
    Bug("cse over a mutation", "ir/passes/cse.py", "self.aliases.writers_within(node) if self.reading else []", "[]"),
    Bug("cse makes two new lists one", "ir/passes/cse.py", "if not makes_new_value(node):", "if True:"),
    Bug("licm moves what raises", "ir/passes/licm.py",
        '("RAISES" in operator.traits and self.facts.may_raise(node))', "False"),
    Bug("licm moves reads over writes", "ir/passes/licm.py",
        "return not any(self.aliases.may_write(loop, value) for value in reads)", "return True"),
    Bug("licm moves attributes that the loop sets", "ir/passes/licm.py",
        "return not self.aliases.may_write(loop, instance, name)", "return True"),
    Bug("dce drops what only raises", "ir/passes/dce.py",
        "return effects.raises and not self.may_lose_error(node)", "return False"),
    Bug("dce forgets that a loop feeds itself", "ir/passes/dce.py",
        "self.mark_values([again.operands[value.index] for again in self.continues.get(around, ())])", "pass"),
    Bug("fold runs on lists that may be written", "ir/passes/fold.py",
        "isinstance(argument, (list, TensorState))", "isinstance(argument, TensorState)"),
    Bug("fold decides is None the wrong way", "ir/passes/fold.py", "is_none == (asked == NONE)", "is_none"),
    Bug("if not: arms stay where they are", "ir/passes/canonicalize.py", "node.blocks.reverse()", "pass"),
    Bug("a loop parameter that one continue keeps is constant", "ir/passes/canonicalize.py",
        "if all(c.operands[index] in (param, initial) for c in again)",
        "if any(c.operands[index] in (param, initial) for c in again)"),
    Bug("constants are put right of operators that do not commute", "ir/passes/canonicalize.py",
        '"COMMUTES" not in OPERATORS[node.op].traits or ', ""),
    Bug("aliases: writes through a call are forgotten", "ir/effects.py", "writes=frozenset(written))", "writes=frozenset())"),
    Bug("finally is left out on break", "frontend/infer/statements/exceptions.py",
        "self.then_exit(on_exit, lambda: self.jump(span, 0))", "self.then_exit(lambda: None, lambda: self.jump(span, 0))"),
    Bug("is None refines the other branch", "frontend/infer/expressions/refinement.py",
        "return (result, true, false) if is_positive else (self.negate_test(result), false, true)",
        "return (result, true, false) if is_positive else (self.negate_test(result), true, false)"),
    Bug("a range counts the wrong way", "frontend/infer/iteration.py",
        'item = self.item(operate("add.int", self.read(self.start), offset))',
        'item = self.item(operate("sub.int", self.read(self.start), offset))'),
    Bug("enumerate starts one later", "frontend/infer/loops/for_loops.py",
        "start = self.value(starts[0]) if starts else Const(INT, node.span, 0)",
        "start = self.value(starts[0]) if starts else Const(INT, node.span, 1)"),
    Bug("the writer loses small negative ints", "serialize/encoder.py",
        "self.uv(value << 1 if value >= 0 else (-value << 1) - 1)", "self.uv(value << 1 if value >= 0 else -value << 1)"),
    Bug("specialisations share their result over captured types", "frontend/compilation/specialise.py",
        "key = (source, *map(_key, arguments), closure, is_stored, asked, *extra)",
        "key = (source, len(arguments), closure, is_stored, asked, *extra)"),
]  # fmt: skip


def planted(bug: Bug, folder: Path) -> None:
    """A copy of the installed package with the bug in it."""
    import tsm

    package = folder / "tsm"
    shutil.copytree(Path(tsm.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))
    file = package / bug.file
    text = file.read_text()
    if text.count(bug.old) != 1:
        raise ValueError(f"{bug.title}: {bug.file} has the text {text.count(bug.old)} times")
    file.write_text(text.replace(bug.old, bug.new))


def seeds_that_differ(folder: Path | None, seed: int, count: int, jobs: int) -> list[int]:
    """What a run of its own process finds, with the package of a folder or as it is installed."""
    environment = dict(os.environ, **({"PYTHONPATH": str(folder)} if folder else {}))
    command = [sys.executable, __file__, "--seeds", str(seed), str(count), "--jobs", str(jobs)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    lines = [line for line in done.stdout.splitlines() if line.startswith("differ:")]
    if not lines:
        raise RuntimeError(done.stderr[-2000:])
    return [int(word) for word in lines[-1].split()[1:]]


def found_after(bug: Bug, seed: int, most: int, jobs: int, agreeing: dict[int, bool]) -> int | None:
    """The number of programs after which the bug was found. `agreeing` are seeds tried in the package as it is."""
    with tempfile.TemporaryDirectory() as name:
        planted(bug, Path(name))
        size = 16
        at = seed
        while at < seed + most:
            count = min(size, seed + most - at)
            for found in seeds_that_differ(Path(name), at, count, jobs):
                if found not in agreeing:
                    agreeing[found] = not seeds_that_differ(None, found, 1, 1)
                if agreeing[found]:
                    return found - seed + 1
            at, size = at + count, min(2 * size, 400)
    return None


def run_seeds(seed: int, count: int, jobs: int) -> None:
    """Seeds that differ or do not end, up to a few, as one line."""
    sys.modules["torch"] = None  # type: ignore[assignment] # the oracle would import it; no program needs it
    import compare_programs

    compare_programs.judge("def main(a: int) -> int:\n    return a\n\n\nCALLS = [(1,)]\n", 0)
    compare_programs.BATCH, compare_programs.TIME_LIMIT = 4, 16
    found: list[int] = []
    for at, verdict in compare_programs.verdicts(range(seed, seed + count), jobs):
        if verdict.kind in ("different", "slow"):  # a loop without end is a bug's work, too
            found.append(at)
        if len(found) >= 2:
            break
    print("differ:", *found, flush=True)
    os._exit(0)


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--most", type=int, default=MOST)
    options.add_argument("--from", type=int, default=1, dest="seed")
    options.add_argument("--jobs", type=int, default=2)
    options.add_argument("--only", type=int, nargs="*", help="numbers of bugs, from 0")
    options.add_argument("--seeds", type=int, nargs=2, help=argparse.SUPPRESS)
    args = options.parse_args()
    if args.seeds:
        run_seeds(*args.seeds, args.jobs)
    lines, total = [], 0
    agreeing: dict[int, bool] = {}
    for number, bug in enumerate(BUGS):
        if args.only and number not in args.only:
            continue
        after = found_after(bug, args.seed, args.most, args.jobs, agreeing)
        total += after is not None
        lines.append(f"| {number} | {bug.title} | {after if after is not None else f'not in {args.most}'} |")
        print(lines[-1], flush=True)
    print(f"{total} of {len(lines)} found")
    return 0 if args.only or total >= NEEDED else 1


if __name__ == "__main__":
    sys.path[:0] = [str(HERE), str(HERE.parent)]
    sys.exit(main())
