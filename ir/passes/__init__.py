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
from .fold_bn import fold_bn
from .freeze import drop_attributes, freeze
from .fuse import fuse
from .hoist_products import hoist_products
from .inline import inline
from .licm import licm
from .merge_linear import merge_linear
from .ranks import ranks
from .unfuse import unfuse

Pass = Callable[[Program, Budget], None]
PASSES: dict[str, Pass] = {
    "inline": inline, "canonicalize": canonicalize, "fold": fold, "cse": cse, "dce": dce, "licm": licm,
    "hoist_products": hoist_products, "unfuse": unfuse, "fuse": fuse,
}
NAMES = tuple(PASSES)
# Those that tsm.freeze asks for: the host can no longer set what they make constant.
ON_REQUEST: dict[str, Pass] = {
    "freeze": freeze, "ranks": ranks, "fold_bn": fold_bn, "merge_linear": merge_linear,
    "drop_attributes": drop_attributes,
}


def optimize(program: Program) -> Program:
    """Runs the whole pipeline on `program`, which it changes and returns."""
    steps = _Steps(program, read_knobs())
    steps.run("unfuse")  # the other passes leave a fused node as it is
    steps.run("canonicalize")
    steps.run("dce")  # small callees are inlined more often
    steps.run("inline")
    steps.run("canonicalize")
    steps.run("fold")
    steps.run("cse")
    steps.run("canonicalize")  # folded conditions and merged values show new patterns
    steps.run("fold")
    steps.run("licm")
    steps.run("hoist_products")
    steps.run("dce")
    steps.run("fuse")
    return program


def freeze_program(program: Program, preserved: frozenset[str] = frozenset()) -> Program:
    """Makes constants of what the program never changes, on an optimised `program`, which it changes and returns; run
    `optimize` on it again. `preserved` are dotted paths of attributes that the host may still read and set;
    AttributeError for one that leads nowhere."""
    steps = _Steps(program, read_knobs())
    steps.run("unfuse")
    steps.run("freeze", preserved)
    for name in ("inline", "ranks", "canonicalize", "fold", "cse", "canonicalize", "fold", "dce"):
        steps.run(name)
    steps.run("freeze", preserved)  # without its training branch a program writes less
    for name in ("inline", "ranks", "canonicalize", "fold", "cse", "fold_bn", "merge_linear", "cse", "dce"):
        steps.run(name)
    steps.run("drop_attributes", preserved)
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
        self.budgets = {name: Budget(knobs.limits.get(name)) for name in (*NAMES, *ON_REQUEST)}

    def run(self, name: str, *options: frozenset[str]) -> None:
        before = self.program.copy() if self.knobs.repro else None
        start = time.perf_counter()
        try:
            found: Callable[..., None] = PASSES[name] if name in PASSES else ON_REQUEST[name]
            found(self.program, self.budgets[name], *options)
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
