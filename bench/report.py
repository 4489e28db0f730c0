"""Figures as text, as bench/RESULTS.md and as a plot.

In: what rounds.py measured and what was kept of it. Out: rows (plain dicts), a table for the terminal, the page and the
picture. Holds: a ratio is ours over theirs, below 1 is faster; the best peer is the one with the smallest median.
"""

from __future__ import annotations

import platform
import sys
from pathlib import Path
from typing import Any

from engines import LABELS
from rounds import Measured
from workloads import OURS, Workload

UNITS = {"ns": 1.0, "us": 1e3, "ms": 1e6}


def row(workload: Workload, threads: int, figures: dict[str, Measured], failures: dict[str, str]) -> dict[str, Any]:
    """One workload at one number of threads."""
    per = UNITS[workload.unit] * workload.work
    engines = {
        name: {"time": found.median / per, "error": found.error, "memory": found.memory,
               "spread": spread(found.rounds)}
        for name, found in figures.items()
    }
    return {
        "name": workload.name, "title": workload.title, "threads": threads, "unit": workload.unit, "engines": engines,
        "failures": failures,
    }


def spread(values: list[float]) -> float:
    """Distance between the quartiles over the median."""
    ordered = sorted(values)
    quarter = len(ordered) // 4
    return (ordered[-1 - quarter] - ordered[quarter]) / ordered[len(ordered) // 2] if ordered else 0.0


def peers(row: dict[str, Any]) -> dict[str, float]:
    return {name: found["time"] for name, found in row["engines"].items() if name not in OURS}


def best_peer(row: dict[str, Any]) -> str | None:
    found = peers(row)
    return min(found, key=lambda name: found[name]) if found else None


def ours(row: dict[str, Any]) -> float | None:
    """tsm's time from Python, or from C where only that was measured."""
    found = row["engines"].get("tsm") or row["engines"].get("tsm-c")
    return found["time"] if found else None


def text(row: dict[str, Any]) -> str:
    """A few lines for the terminal."""
    lines = [f"\n{row['title']}  ({row['threads']} thread{'s' if row['threads'] > 1 else ''})"]
    mine, best = ours(row), best_peer(row)
    for name, found in sorted(row["engines"].items(), key=lambda item: item[1]["time"]):
        ratio = f"{mine / found['time']:8.3f}" if mine and name not in OURS else " " * 8
        star = " *" if name == best else "  "
        lines.append(f"  {LABELS[name]:<24}{found['time']:>12,.2f} {row['unit']}{ratio}{star}"
                     f"  +-{found['spread'] * 50:3.0f}%  error {found['error']:.1e}  {found['memory'] / 1024:7.0f} MB")
    lines += [f"  {LABELS[name]:<24}{why}" for name, why in row["failures"].items()]
    return "\n".join(lines)


def machine() -> str:
    """The processor and the versions, in one sentence."""
    model = "an unknown processor"
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        lines = cpuinfo.read_text().splitlines()
        named = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
        model = f"{named[0]}, {len(named)} processors" if named else model
    versions = [f"{name} {found}" for name in ("torch", "onnxruntime", "openvino", "ncnn", "jax", "numpy")
                if (found := version(name))]
    return f"{model}; Python {platform.python_version()}; {', '.join(versions)}."


def version(name: str) -> str:
    from importlib.metadata import PackageNotFoundError
    from importlib.metadata import version as find

    try:
        return find(name).split("-")[0]
    except PackageNotFoundError:
        return ""


def plot(rows: list[dict[str, Any]], path: Path) -> None:
    """A bar for every workload: tsm's time over the best peer's, one thread and two."""
    try:
        import matplotlib
    except ImportError:
        print("matplotlib is not installed: no plot", file=sys.stderr)
        return
    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "tsm"
    from matplotlib import pyplot

    titles = list(dict.fromkeys(row["title"] for row in rows))[::-1]
    figure, axes = pyplot.subplots(figsize=(9, 0.42 * len(titles) + 1.2))
    for threads, colour, shift in ((1, "#2f6fab", 0.2), (2, "#8fbbe0", -0.2)):
        points = {row["title"]: ours(row) / peers(row)[best] for row in rows  # type: ignore[operator]
                  if row["threads"] == threads and (best := best_peer(row)) and ours(row)}
        axes.barh([titles.index(title) + shift for title in points], [value - 1 for value in points.values()], 0.38,
                  left=1, color=colour, label=f"{threads} thread{'s' if threads > 1 else ''}")
    axes.axvline(1, color="black", linewidth=0.8)
    axes.set_yticks(range(len(titles)), titles, fontsize=8)
    axes.set_xscale("log")
    marks = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5)
    low, high = axes.get_xlim()
    shown = [mark for mark in marks if low <= mark <= high]
    axes.set_xticks(shown, [f"{mark:g}" for mark in shown])
    axes.minorticks_off()
    axes.set_xlabel("time of tsm / time of the best peer (left of 1: tsm is faster)")
    axes.legend(fontsize=8)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})
    pyplot.close(figure)
