"""How long a unit of fuel takes: every row of ops.def and the compiler's own instructions, with operands of 10^2 to 10^7
elements. `make fuel` runs it.

In: the cases of fuel_operands.py and fuel_programs.py. Out: a table of the worst, in nanoseconds of the calling thread's
CPU time a unit and milliseconds from a cancel to the end; exit status 1 above the limits. Without `--whole` dtypes and
layouts are sampled. A call is measured three times where it looks slow, and the best counts.
"""

from __future__ import annotations

import argparse
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from fuel_operands import REFUSED, Case, cases
from fuel_programs import PROGRAMS, Measure, Running
from rows import context, placed, write

import tsm
from tsm.binding import convert, table
from tsm.binding.library import ffi, lib

FUEL = 1_500_000
LIMIT_NS, LIMIT_CANCEL_MS, HANGS_S = 100.0, 10.0, 10.0
SETUP_UNITS = 25  # what an instruction costs before its operands, see tsm_lower_weigh
LEAST_S = 1e-4  # below, caches and the call itself are measured
# Letting go, and room that grows as it is filled, are in the price of filling it.
PREPAID = frozenset(("list.clear", "list.append", "deque.pushleft", "dict.clear", "set.clear", "list.take", "setitem.dict", "set.add"))  # fmt: skip
ENDS = (lib.TSM_OK, lib.TSM_ERR_FUEL, lib.TSM_ERR_CANCELLED)


def ratio_of(m: Measure) -> float:
    """Nanoseconds a unit."""
    return m.seconds * 1e9 / (m.units + SETUP_UNITS) if m.seconds > LEAST_S else 0.0


@dataclass(frozen=True)
class Entry:
    row: str
    what: str
    n: int
    ratio: float
    late_ms: float
    best: Measure


class Calling:
    """A call of a row whose arguments are in the library, so that only the operator is measured."""

    def __init__(self, row: str, arguments: list[Any]) -> None:
        self.row = table.find(row)
        given = placed(row, arguments, {})
        self.scope, self.count = convert.Scope(), len(given)
        self.scope.changed = {}
        self.buffer, self.results = convert.Buffer(len(given)), convert.Buffer(max(len(self.row.parsed.results), 1))
        self.context = context()
        for index, value in enumerate(given):
            write(self.row.parsed.params[index].type, self.buffer, index, value, self.scope)

    def run(self, fuel: int = 0) -> Measure:
        """One call; what it made is dropped outside of the time."""
        error = ffi.new("tsm_error *")
        lib.tsm_context_set_fuel(self.context, fuel)
        started = time.clock_gettime_ns(time.CLOCK_THREAD_CPUTIME_ID)
        status = lib.tsm_op_call(self.context, self.row.number, self.buffer.values, self.count, self.results.values, error)
        spent = time.clock_gettime_ns(time.CLOCK_THREAD_CPUTIME_ID) - started
        if status == lib.TSM_OK:
            for index in range(len(self.row.parsed.results)):
                lib.tsm_release(self.results.values[index])
        return Measure(status, fuel - int(lib.tsm_context_fuel_left(self.context)) if fuel else 0, spent / 1e9)

    def cancel(self) -> None:
        lib.tsm_context_cancel(self.context, True)

    def close(self) -> None:
        self.scope.close()


Start = Callable[[], Any]  # gives a Calling or Running


def measured(start: Start) -> Measure:
    """One call within fuel; one that hangs is cancelled."""
    running = start()
    watch = threading.Timer(HANGS_S, running.cancel)
    watch.start()
    try:
        return running.run(FUEL)
    finally:
        watch.cancel()
        running.close()


def time_to_cancel(start: Start, seconds: float) -> float:
    """CPU seconds of the calling thread from cancelling to the end, best of three: cancelled in the first half."""
    best, clock = float("inf"), time.pthread_getcpuclockid(threading.get_ident())
    for part in (0.2, 0.4, 0.6):
        running = start()
        when = [0.0]

        def cancel(running: Any = running, when: list[float] = when) -> None:
            when[0] = time.clock_gettime(clock)
            running.cancel()

        timer = threading.Timer(seconds * part, cancel)
        timer.start()
        running.run()
        ended = time.clock_gettime(clock)
        timer.cancel()
        timer.join()
        running.close()
        if when[0] and when[0] < ended:
            best = min(best, ended - when[0])
    return 0.0 if best == float("inf") else best


def entry_of(name: str, what: str, n: int, start: Start) -> Entry | None:
    """The best of one call, or of three where one is slow. None: the operands do not fit."""
    try:
        best = measured(start)
        if best.status not in ENDS:
            return None
        for _ in range(2 if ratio_of(best) > LIMIT_NS / 2 else 0):
            again = measured(start)
            best = again if ratio_of(again) < ratio_of(best) else best
        late = time_to_cancel(start, best.seconds) if 0.015 < best.seconds < HANGS_S / 2 else 0.0
    except REFUSED:
        return None
    found = Entry(name, what, n, ratio_of(best), late * 1e3, best)
    if found.ratio > LIMIT_NS or found.late_ms > LIMIT_CANCEL_MS:
        print(f"\n{shown(found)}", file=sys.stderr, flush=True)
    return found


def sized(name: str, what: str, sizes: list[int], budget: float, start: Callable[[int], Start]) -> Iterator[Entry]:
    """The sizes of one case that its budget of seconds allows."""
    began = time.monotonic()
    for n in sizes:
        entry = entry_of(name, what, n, start(n)) if time.monotonic() - began < budget else None
        if entry is None:
            return
        yield entry


def is_chosen(name: str, names: list[str]) -> bool:
    return not names or any(part in name for part in names)


def sweep(names: list[str], sizes: list[int], budget: float, whole: bool) -> list[Entry]:
    found: list[Entry] = []
    for row in table.rows():
        if not is_chosen(row.full_name, names) or "IO" in row.traits or row.full_name in PREPAID:
            continue
        print(row.full_name, end=" ", file=sys.stderr, flush=True)
        for case in filter(Case.fits, cases(row, whole)):
            possible = [n for n in sizes if n <= case.most] or [case.most]
            found += sized(row.full_name, case.what, possible, budget, lambda n, case=case: lambda: Calling(case.row, case.make(n)))
    for program in PROGRAMS:
        if is_chosen(f"program {program.__name__}", names):
            found += sized("program", program.__name__, sizes, budget, lambda n, p=program: lambda: Running(p, n))
    return found


def shown(entry: Entry) -> str:
    m = entry.best
    return (f"{entry.ratio:9.1f} ns {entry.late_ms:7.1f} ms  {entry.row:28} {entry.what:40} n={entry.n:<9} "
            f"units={m.units:<9} {m.seconds * 1e3:8.2f} ms status={m.status}")  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="parts of rows' names; none: all")
    parser.add_argument("--sizes", type=int, nargs="+", default=[10**2, 10**4, 10**6, 10**7])
    parser.add_argument("--budget", type=float, default=2.0, help="seconds for the sizes of one case")
    parser.add_argument("--whole", action="store_true", help="every dtype and layout")
    parser.add_argument("--show", type=int, default=30)
    given = parser.parse_args()
    tsm.set_num_threads(1)
    began = time.monotonic()
    found = sweep(given.names, given.sizes, given.budget, given.whole)
    slow = [entry for entry in found if entry.ratio > LIMIT_NS]
    late = [entry for entry in found if entry.late_ms > LIMIT_CANCEL_MS]
    print(f"{len(found)} calls of {len({e.row for e in found})} rows in {time.monotonic() - began:.0f} s; "
          f"{len(slow)} above {LIMIT_NS:.0f} ns a unit, {len(late)} cancelled after more than {LIMIT_CANCEL_MS:.0f} ms")  # fmt: skip
    for title, key in (("ns a unit", lambda e: -e.ratio), ("time to cancel", lambda e: -e.late_ms)):
        print(f"\n{title}")
        for entry in sorted(found, key=key)[: given.show]:
            print(shown(entry))
    return 1 if slow or late else 0


if __name__ == "__main__":
    sys.exit(main())
