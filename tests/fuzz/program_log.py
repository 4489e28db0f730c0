"""The log of runs of random programs, log.md: one line for each, never changed; sums over it.

In: what a run found. Out: lines, and their totals by row of LANGUAGE.md. Holds: counts by row are in the order of
tests/language_rows.py; a row that the generator cannot have has 0.
"""

from __future__ import annotations

import datetime
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent))

from language_rows import ROWS  # noqa: E402

LOG = Path(__file__).with_name("log.md")


@dataclass
class Entry:
    """One run."""

    date: str
    first: int
    last: int
    calls: int
    raised: int
    excused: int
    agree: int
    refused: int
    differ: int
    not_run: int
    rows: Counter[str]

    @property
    def programs(self) -> int:
        return self.agree + self.refused + self.differ + self.not_run

    def __str__(self) -> str:
        return (
            f"seeds {self.first} to {self.last}: {self.programs} programs, {self.calls} calls ({self.raised} raise, {self.excused} "
            f"excused by D1): {self.agree} agree, {self.differ} differ, {self.refused} refused "
            f"({100 * self.refused / max(1, self.programs):.1f} %), {self.not_run} not run"
        )

    def line(self) -> str:
        fields = (self.date, self.first, self.last, self.calls, self.raised, self.excused, self.agree, self.refused, self.differ)
        counts = " ".join(str(self.rows[row.key]) for row in ROWS)
        return f"| {' | '.join(map(str, (*fields, self.not_run)))} | {counts} |\n"


def today() -> str:
    return datetime.datetime.now(tz=datetime.timezone.utc).date().isoformat()


def append(entry: Entry) -> None:
    with LOG.open("a") as out:
        out.write(entry.line())


def entries() -> list[Entry]:
    """Rows that were added to the list later count from then on: they stand at its end only if they were put there."""
    found = []
    for line in LOG.read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 11 and cells[1].isdigit():
            rows = Counter({row.key: int(count) for row, count in zip(ROWS, cells[10].split())})
            found.append(Entry(cells[0], *map(int, cells[1:10]), rows))  # type: ignore[call-arg]
    return found


def next_seed() -> int:
    return max((entry.last + 1 for entry in entries()), default=1)


def totals() -> str:
    """The sums of all runs, and the counts by row."""
    rows: Counter[str] = Counter()
    sums = [0] * 7
    for entry in entries():
        rows.update(entry.rows)
        counts = (entry.calls, entry.raised, entry.excused, entry.agree, entry.refused, entry.differ, entry.not_run)
        sums = [a + b for a, b in zip(sums, counts)]
    found = entries()
    whole = Entry("", min((e.first for e in found), default=0), max((e.last for e in found), default=0), *sums, rows)
    return f"{table(rows, whole.programs)}\n{whole}"


def table(rows: Counter[str], programs: int) -> str:
    """Programs that have each row, the rarest first."""
    lines = [f"{rows[row.key]:8d}  {row.key}" for row in sorted(ROWS, key=lambda row: rows[row.key])]
    return "\n".join([f"rows of LANGUAGE.md in {programs} programs:", *lines])
