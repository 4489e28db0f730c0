"""The compiler's debugging knobs: every environment variable it reads, in one place.

TSM_DUMP=cse,dce|all   prints the program to stderr after these passes
TSM_VERIFY=1           runs the verifier after every pass
TSM_OPT_LIMIT=cse=7    lets a pass make that many rewrites only, to bisect a wrong one
TSM_TIME=1             prints how long each pass took to stderr
TSM_REPRO=dir          writes the program a pass failed on to dir/<pass>.ir, and the source that the compiler failed on,
                       with what happened, to dir/tsm_repro_<number>.py
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field


@dataclass(slots=True)
class Budget:
    """How many rewrites a pass may still make; None: any number."""

    remaining: int | None = None

    def take(self) -> bool:
        """Whether one more rewrite may be made, counting it."""
        if self.remaining is None:
            return True
        self.remaining -= 1
        return self.remaining >= 0


@dataclass(frozen=True, slots=True)
class Knobs:
    """The settings of one run of the pipeline."""

    dump: frozenset[str] = frozenset()
    verify: bool = False
    limits: dict[str, int] = field(default_factory=dict)
    time: bool = False
    repro: str = ""

    def is_dumped(self, name: str) -> bool:
        return name in self.dump or "all" in self.dump


def read_knobs() -> Knobs:
    """The knobs as the environment sets them; ValueError for a limit that is not `pass=count`."""
    limits = {}
    for item in filter(None, os.environ.get("TSM_OPT_LIMIT", "").split(",")):
        name, _, count = item.partition("=")
        if not count.isdigit():
            raise ValueError(f"TSM_OPT_LIMIT must be <pass>=<count>, not {item!r}")
        limits[name] = int(count)
    return Knobs(
        dump=frozenset(filter(None, os.environ.get("TSM_DUMP", "").split(","))),
        verify=os.environ.get("TSM_VERIFY", "") not in ("", "0"),
        limits=limits,
        time=os.environ.get("TSM_TIME", "") not in ("", "0"),
        repro=os.environ.get("TSM_REPRO", ""),
    )
