"""What tsm promises about its speed, claim by claim, and whether a run kept it.

In: kept results (kept.py). Out: claims under the headings of SHOWS. Holds: every claim appears, also one that nothing
was measured for; a wrong result is a claim that is not met.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Any

from engines import LABELS
from kept import Kept
from report import best_peer, ours, peers
from workloads import OURS, WORKLOADS, Workload

SHOWS = {
    1: "The interpreter", 2: "Matrix products", 3: "Elementwise chains, norms, softmax, means",
    4: "Recurrent networks and perceptrons", 5: "Networks", 6: "Two threads beside one",
    7: "First results", 8: "Memory", 9: "Size",
}
Row = dict[str, Any]


@dataclass(frozen=True)
class Claim:
    """`figure` has to be at most `limit`, or at least if `is_least`; None where there is none, and `note` says why."""

    show: int
    what: str
    figure: float | None
    limit: float
    is_least: bool = False
    unit: str = ""
    note: str = ""

    @property
    def is_met(self) -> bool:
        if self.figure is None:
            return False
        return self.figure >= self.limit if self.is_least else self.figure <= self.limit

    @property
    def verdict(self) -> str:
        if self.figure is None:
            return self.note or "not measured"
        return "met" if self.is_met else "**not met**"

    @property
    def target(self) -> str:
        return f"{'>=' if self.is_least else '<='} {self.limit:g}{self.unit}"


def failure(row: Row | None) -> str:
    """Why a row has no figure of ours."""
    found = (row or {}).get("failures", {})
    return next((f"**not met**: {found[name]}" for name in OURS if name in found), "not measured")


def of_workload(workload: Workload, threads: int, row: Row | None) -> list[Claim]:
    """The claims that are ratios to peers, or times."""
    title = workload.title + (f", {threads} threads" if threads > 1 else "")
    mine = ours(row) if row else None
    made = []
    if workload.best is not None:
        best = best_peer(row) if row else None
        ratio = mine / peers(row)[best] if row and best and mine else None
        label = LABELS[best] if best else "the best peer"
        made.append(Claim(workload.show, f"{title}: of {label}'s time", ratio, workload.best, note=failure(row)))
    for name, limit in workload.targets.items():
        ratio = mine / peers(row)[name] if row and mine and name in peers(row) else None
        made.append(Claim(workload.show, f"{title}: of {LABELS[name]}'s time", ratio, limit, note=failure(row)))
    for name, limit in workload.limits.items():
        found = (row or {}).get("engines", {}).get(name)
        made.append(Claim(workload.show, f"{title}: {LABELS[name]}", found["time"] if found else None, limit,
                          unit=f" {workload.unit}", note=failure(row)))
    return made


def of_winograd(row: Row | None) -> list[Claim]:
    """ResNet-18's error beside that of the algorithm without Winograd's."""
    engines = (row or {}).get("engines", {})
    figure = None
    if "tsm-c" in engines and engines.get("tsm-c-direct", {}).get("error"):
        figure = engines["tsm-c"]["error"] / engines["tsm-c-direct"]["error"]
    return [Claim(5, "ResNet-18: error, of the direct algorithm's", figure, 4.0, note=failure(row))]


def of_threads(workload: Workload, row: Row | None) -> list[Claim]:
    """One thread's time over two threads', in turns in one run."""
    engines = (row or {}).get("engines", {})
    figure = None
    if "tsm-c" in engines and "tsm-c-one" in engines:
        figure = engines["tsm-c-one"]["time"] / engines["tsm-c"]["time"]
    if workload.bound == "compute":
        limit, kind = 1.8, "computes"
    elif workload.bound == "small":
        limit, kind = 0.98, "small: 1, less 2 % for noise"
    else:
        limit, kind = round(0.9 * (row or {}).get("gain", 2.0), 2), f"memory: 0.9 of {workload.bound}'s gain"
    return [Claim(6, f"{workload.title} ({kind})", figure, limit, is_least=True, note=failure(row))]


def of_products(rows: list[Row]) -> list[Claim]:
    """Ratios above 1 are faster here, as gemm.py prints them: geometric means of the runs for a shape. Shares are of
    what registers and memory gave in the same rounds, means of the runs."""
    by_shape: dict[str, list[Row]] = {}
    for row in (row for row in rows if "shape" in row):
        by_shape.setdefault(row["shape"], []).append(row)
    ratios = {shape: prod(row["ratio"] for row in found) ** (1 / len(found)) for shape, found in by_shape.items()}
    mean = prod(ratios.values()) ** (1 / len(ratios)) if ratios else None
    shares = {shape: sum(row["share"] for row in found) / len(found) for shape, found in by_shape.items()}
    large = {shape: share for shape, share in shares.items() if is_large(shape)}
    single = {shape: share for shape, share in shares.items() if shape.startswith("1x")}
    return [
        Claim(2, "all shapes: best peer's time over tsm's, geometric mean", mean, 0.97, is_least=True),
        least("the same, the worst shape", ratios, 0.9),
        least("GFLOP/s from 256x256x256 up, of the peak of fused multiply-add", large, 0.9),
        least("one row: bytes of weights a second, of what reading them gives", single, 0.95),
    ]


def is_large(shape: str) -> bool:
    """Whether it is a square product of 256 or more."""
    extents = {int(extent) for extent in shape.split("x")}
    return len(extents) == 1 and min(extents) >= 256


def least(what: str, by_shape: dict[str, float], limit: float) -> Claim:
    worst = min(by_shape, key=lambda shape: by_shape[shape]) if by_shape else None
    return Claim(2, what + (f" ({worst})" if worst else ""), by_shape[worst] if worst else None, limit, is_least=True)


def of_language(rows: list[Row]) -> list[Claim]:
    made = []
    for row in rows:
        for name, label in (("lua", "Lua"), ("python", "CPython")):
            limit = row[f"{name}_limit"]
            if limit is not None:
                made.append(Claim(1, f"{row['title']}: of {label}'s time", row[name], limit))
    return made or [Claim(1, "loops, lists, calls and texts beside Lua and CPython", None, 1.0)]


def of_cold(rows: list[Row]) -> list[Claim]:
    made = []
    for row in rows:
        mine = next(iter(row["engines"].values()), None)
        made.append(Claim(7, row["title"], mine, row["target"], unit=" ms"))
    return made or [Claim(7, "whole processes to the first result", None, 0.0, unit=" ms")]


def claims(kept: Kept) -> list[Claim]:
    """All of them, by show."""
    call = next(iter(kept.rows("call-c")), None)
    figures = call["engines"] if call else {}
    ratio = figures["tsm-c"]["time"] / figures["lua"]["time"] if figures else None
    made = [Claim(1, "a call of add(a, b) from C: of lua_pcall's time", ratio, 2.0)]
    made += of_language(kept.rows("language")) + of_products(kept.rows("products")) + of_cold(kept.rows("cold"))
    for workload in WORKLOADS.values():
        for threads in workload.threads:
            row = next(iter(kept.rows(f"{workload.name}-{threads}")), None)
            made += of_workload(workload, threads, row)
            if threads == 2 and workload.bound:
                made += of_threads(workload, row)
            if workload.name == "resnet18" and threads == 1:
                made += of_winograd(row)
    steady = next(iter(kept.rows("steady")), None)
    made.append(Claim(8, "steady runs call malloc, 10,000 lengths grow: failures", None if steady is None
                      else float(not steady["passed"]), 0.0))
    size = next(iter(kept.rows("size")), None)
    made.append(Claim(9, "libtsm.so stripped, bytes", size["bytes"] if size else None, 1e6))
    return sorted(made, key=lambda claim: claim.show)
