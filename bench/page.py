"""bench/RESULTS.md of what was kept: for each show a table of claims, then the figures behind them.

In: kept results. Out: Markdown. Holds: nothing is measured here; what is missing is named.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from engines import LABELS
from kept import Kept
from report import best_peer, machine, ours, peers, plot
from shows import SHOWS, Claim, claims
from workloads import WORKLOADS

Row = dict[str, Any]


def workload_rows(kept: Kept, threads: int) -> list[Row]:
    """The kept rows of workloads with so many threads, in the order of WORKLOADS."""
    return [row for name in WORKLOADS for row in kept.rows(f"{name}-{threads}")]


def number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def grid(heads: list[str], rows: list[list[str]], left: int = 1) -> list[str]:
    """A table whose first `left` columns are texts."""
    rule = "|" + "---|" * left + "---:|" * (len(heads) - left)
    return ["| " + " | ".join(heads) + " |", rule, *("| " + " | ".join(cells) + " |" for cells in rows), ""]


def megabytes(kilobytes: float | None) -> str:
    return "-" if kilobytes is None else f"{kilobytes / 1024:.0f}"


def summary(found: list[Claim]) -> list[str]:
    rows = []
    for show, title in SHOWS.items():
        mine = [claim for claim in found if claim.show == show]
        unmeasured = sum(claim.figure is None and not claim.note.startswith("**") for claim in mine)
        missed = len(mine) - unmeasured - sum(claim.is_met for claim in mine)
        rows.append([f"{show}. {title}", str(sum(claim.is_met for claim in mine)), str(missed), str(unmeasured)])
    return grid(["", "met", "not met", "not measured"], rows)


def claim_table(found: list[Claim]) -> list[str]:
    cells = [[claim.what, "-" if claim.figure is None else f"{number(claim.figure)}{claim.unit}", claim.target,
              claim.verdict] for claim in found]
    return grid(["", "measured", "target", ""], cells)


def further(rows: list[Row]) -> list[str]:
    """Networks without a target: as they come out."""
    cells = []
    for row in rows:
        best, mine = best_peer(row), ours(row)
        workload = WORKLOADS[row["name"]]
        has_target = workload.best or workload.targets
        if not has_target and best and mine:
            cells.append([row["title"], str(row["threads"]), LABELS[best], f"{mine / peers(row)[best]:.2f}",
                          f"{row['engines']['tsm']['error']:.0e}"])
    if not cells:
        return []
    return ["Written after the tuning, reported as they come out:", "",
            *grid(["", "threads", "best peer", "of its time", "error"], cells)]


def winograd(rows: list[Row]) -> list[str]:
    lines = []
    for row in rows:
        direct, best = row["engines"].get("tsm-c-direct"), best_peer(row)
        if direct and best:
            lines.append(f"Without Winograd, {row['threads']} thread(s): {direct['time'] / peers(row)[best]:.2f} of "
                         f"{LABELS[best]}'s time, error {direct['error']:.1e} (with it "
                         f"{row['engines']['tsm-c']['error']:.1e}).  ")
    return [*lines, ""] if lines else []


def small_weights(rows: list[Row]) -> list[str]:
    lines = [f"{row['title']}: error {row['engines']['tsm']['error']:.1e}.  " for row in rows
             if WORKLOADS[row["name"]].weights and "tsm" in row["engines"]]
    return [*lines, ""] if lines else []


def products(kept: Kept) -> list[str]:
    rows = [row for row in kept.rows("products") if row.get("run") == 1 and "shape" in row]
    if not rows:
        return []
    names = list(dict.fromkeys(name for row in rows for name in row["rates"]))
    cells = [[row["shape"], *(number(row["rates"][name]) if name in row["rates"] else "-" for name in names),
              f"{row['ratio']:.2f}", f"{row['share']:.2f}"] for row in rows]
    notes = [f"{row['note']}  " for row in kept.rows("products") if row.get("run") == 1 and row.get("note")]
    return ["GFLOP/s, first of two runs; the ratio is the best peer's time over tsm's, the share tsm's part of what",
            "registers give in the same rounds, for one row of what reading the weights does.", "",
            *grid(["rows x outputs x inputs", *names, "ratio", "share"], cells), *notes, ""]


def language(kept: Kept) -> list[str]:
    rows = kept.rows("language")
    cells = [[row["title"], number(row["ns"]), f"{row['lua']:.2f}", f"{row['python']:.2f}"] for row in rows]
    return grid(["ns a turn, and of the peer's time", "tsm", "Lua 5.4", "CPython"], cells) if rows else []


def instructions(kept: Kept) -> list[str]:
    cells = [[row["title"], ", ".join(f"{who} {value:.1f}" for who, value in row["engines"].items())]
             for row in kept.rows("instructions")]
    return grid(["instructions under callgrind, which do not drift", ""], cells, 2) if cells else []


def handoffs(rows: list[Row]) -> list[str]:
    """How far the processors were from each other while two threads were measured."""
    cells = [[row["title"], f"{row['handoff']:.0f}"] for row in rows if row.get("handoff")]
    text = ["How long a line of memory took to the other processor and back, before and after each of these was",
            "measured: on a virtual machine this changes, and what a second thread gains changes with it.", ""]
    return [*text, *grid(["", "ns"], cells)] if cells else []


def first_results(kept: Kept) -> list[str]:
    cells = [[row["title"], ", ".join(f"{name} {value:.1f}" for name, value in row["engines"].items())]
             for row in kept.rows("cold")]
    return grid(["milliseconds", ""], cells, 2) if cells else []


def memory(kept: Kept) -> list[str]:
    """Peak resident memory of whole processes, and what the runtime takes beside the least it could do with."""
    rows = [row for row in workload_rows(kept, 1) if WORKLOADS[row["name"]].show in (4, 5)]
    if not rows:
        return []
    names = [name for name in LABELS if any(name in row["engines"] for row in rows)]
    baseline: dict[str, int] = next(iter(kept.rows("baselines")), {"engines": {}})["engines"]
    module_of = {"jit": "eager", "frozen": "eager", "compile": "eager", "tsm-c-direct": "tsm-c"}
    started = [megabytes(baseline.get(name, baseline.get(module_of.get(name, "")))) for name in names]
    needed = {row["name"]: row for row in kept.rows("needs")}
    cells = [["only started", *started, "-"]]
    for row in rows:
        inner = needed.get(row["name"])
        least = f"{inner['most'] / 1048576:.1f} / {inner['least'] / 1048576:.1f}" if inner else "-"
        values = [megabytes(row["engines"].get(name, {}).get("memory")) for name in names]
        cells.append([row["title"], *values, least])
    return ["Peak resident memory in MB, one thread, of whole processes (nothing subtracted; the first row is what an",
            "engine takes with its library loaded and nothing done). Last column: most that tsm's runtime had in use,",
            "packed weights among it, and the least possible: what was loaded and the tensors alive at once. Weights",
            "that are mapped from the file are in neither.", "",
            *grid(["", *(LABELS[name] for name in names), "tsm in use / least"], cells)]


def every_engine(kept: Kept, threads: int) -> list[str]:
    rows = workload_rows(kept, threads)
    if not rows:
        return []
    names = [name for name in LABELS if any(name in row["engines"] for row in rows)]
    cells = []
    for row in rows:
        best = best_peer(row)
        values = [number(row["engines"][name]["time"]) if name in row["engines"] else "-" for name in names]
        cells.append([f"{row['title']}, {row['unit']}",
                      *(f"**{value}**" if name == best else value for name, value in zip(names, values))])
    failed = [f"- {row['title']}: {LABELS[name]}: {why[:160]}" for row in rows for name, why in row["failures"].items()]
    table = grid(["", *(LABELS[name] for name in names)], cells)
    return [f"### {threads} thread{'s' if threads > 1 else ''}", "", *table,
            *(["Left out:", "", *failed, ""] if failed else [])]


def page(kept: Kept) -> str:
    """The whole text."""
    found = claims(kept)
    both = [*workload_rows(kept, 1), *workload_rows(kept, 2)]
    extras = {
        1: [*language(kept), *instructions(kept)], 2: products(kept),
        5: [*winograd(both), *small_weights(both), *further(both)],
        6: handoffs(workload_rows(kept, 2)), 7: first_results(kept), 8: memory(kept),
    }
    lines = ["# Results", "",
             "Written by `make bench-results`; do not edit. A figure is a median of interleaved rounds; a ratio is",
             "tsm's time over the peer's in the same run, so below 1 tsm is faster. Results are compared with float64",
             "in the same run; an engine whose result is wrong is left out. Absolute times mean little elsewhere.", "",
             machine(), "", "![ratios](results.svg)", "", *summary(found)]
    if len(kept.builds()) > 1:
        lines += [f"The figures are of {len(kept.builds())} builds of tsm: some were measured again after changes.", ""]
    for show, title in SHOWS.items():
        lines += [f"## {show}. {title}", "", *claim_table([claim for claim in found if claim.show == show]),
                  *extras.get(show, [])]
    reasons = Path(__file__).with_name("unreached.md")
    if reasons.exists():
        lines += ["## 10. What is not reached, and why", "", reasons.read_text().strip(), ""]
    lines += ["## Every engine", "", "The best peer is bold.", "", *every_engine(kept, 1), *every_engine(kept, 2)]
    return "\n".join(lines).rstrip() + "\n"


def write(kept: Kept, folder: Path) -> None:
    """RESULTS.md in `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "RESULTS.md").write_text(page(kept))


def draw(kept: Kept, folder: Path) -> None:
    """results.svg in `folder`."""
    plot([*workload_rows(kept, 1), *workload_rows(kept, 2)], folder / "results.svg")
