"""The optimisation pipeline, as straight-line code; one file per pass.

In: a verified program. Out: the same program, changed in place, that behaves the same: order of effects, exceptions,
aliasing. Holds: passes are machine-independent and need no profile; every one may be run alone and in any order.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Sequence

from ..graph import Program
from ..knobs import Budget, Knobs, read_knobs
from ..printer import print_program
from ..verify import verify
from .canonicalize import canonicalize
from .cse import cse
from .dce import dce
from .fold import fold
from .inline import inline

Pass = Callable[[Program, Budget], None]
PASSES: dict[str, Pass] = {"inline": inline, "canonicalize": canonicalize, "fold": fold, "cse": cse, "dce": dce}
NAMES = tuple(PASSES)


def optimize(program: Program) -> Program:
    """Runs the whole pipeline on `program`, which it changes and returns."""
    steps = _Steps(program, read_knobs())
    steps.run("canonicalize")
    steps.run("dce")  # small callees are inlined more often
    steps.run("inline")
    steps.run("canonicalize")
    steps.run("fold")
    steps.run("cse")
    steps.run("canonicalize")  # folded conditions and merged values show new patterns
    steps.run("fold")
    steps.run("dce")
    return program


def run(program: Program, names: Sequence[str]) -> Program:
    """Runs single passes by name, in that order; KeyError for a name that is none."""
    steps = _Steps(program, read_knobs())
    for name in names:
        steps.run(name)
    return program


class _Steps:
    """Runs passes on a program with the knobs applied: dumping, verifying, limiting, timing, reproducing."""

    def __init__(self, program: Program, knobs: Knobs) -> None:
        self.program = program
        self.knobs = knobs
        self.budgets = {name: Budget(knobs.limits.get(name)) for name in NAMES}

    def run(self, name: str) -> None:
        before = self.program.copy() if self.knobs.repro else None
        start = time.perf_counter()
        try:
            PASSES[name](self.program, self.budgets[name])
            if self.knobs.verify:
                verify(self.program)
        except Exception:
            if before is not None:
                self.reproduce(name, before)
            raise
        if self.knobs.time:
            print(f"tsm: {name}: {(time.perf_counter() - start) * 1e3:.2f} ms", file=sys.stderr)
        if self.knobs.is_dumped(name):
            print(f"# after {name}\n{print_program(self.program, weights=False)}", file=sys.stderr)

    def reproduce(self, name: str, before: Program) -> None:
        os.makedirs(self.knobs.repro, exist_ok=True)
        path = os.path.join(self.knobs.repro, f"{name}.ir")
        with open(path, "w", encoding="utf-8") as file:
            file.write(print_program(before))
        print(f"tsm: {name} failed; the program before it is in {path}", file=sys.stderr)
