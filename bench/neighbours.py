"""What two processors give each other while a workload is measured on both.

In: a folder with the programs of `build`. Out: how long a line of memory takes to the other processor and back, and how
much more memory two threads read or copy than one. Holds: taken around each workload, as the processors of a virtual
machine may be neighbours now and far from each other an hour later.
"""

from __future__ import annotations

import subprocess
from pathlib import Path
from statistics import median

from building import build as build_program

ROUNDS = 5


def build(folder: Path) -> str | None:
    """Makes both programs; the compiler's first line if it fails."""
    return build_program("limits", folder, "-O3", "-march=native", "-pthread") or \
        build_program("handoff", folder, "-pthread")


def lines(folder: Path, *command: str) -> list[str]:
    """What a program of `build` says; nothing where it cannot run."""
    if not (folder / command[0]).exists():
        return []
    done = subprocess.run([folder / command[0], *command[1:]], capture_output=True, text=True)
    return done.stdout.splitlines() if done.returncode == 0 else []


def handoffs(folder: Path) -> list[float]:
    """Nanoseconds there and back."""
    return [float(line) for line in lines(folder, "handoff", str(ROUNDS))]


def gains(folder: Path, pattern: str) -> list[float]:
    """One thread's time over two threads', of a pattern of limits.c; what a cache adds beyond two is not counted."""
    times = [line.split(",") for line in lines(folder, "limits", str(ROUNDS), pattern)]
    return [min(2.0, float(one) / float(two)) for _, one, two in times]


class Watch:
    """Looks at the machine now and when asked for what was found; `pattern`, of limits.c, may be "" for none."""

    def __init__(self, folder: Path, pattern: str) -> None:
        self.folder, self.pattern = folder, pattern
        self.handoffs: list[float] = []
        self.gains: list[float] = []
        self.look()

    def look(self) -> None:
        self.handoffs += handoffs(self.folder)
        self.gains += gains(self.folder, self.pattern) if self.pattern else []

    def found(self) -> dict[str, float]:
        self.look()
        both = {"handoff": self.handoffs, "gain": self.gains}
        return {name: median(values) for name, values in both.items() if values}
