"""Measures single operators beside PyTorch's: `python bench/operators.py [words of names ...] [--threads 1 2]`.

In: the tables of bench/singles. Out: a line a case, then the geometric mean of the ratios by dtype and the cases above
1.2 with the cause where it is known; `--tsv FILE` keeps names and ratios. Holds: both run in this process and take
turns; a figure is the median over the rounds, a ratio is tsm's over PyTorch's; results are compared first.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

import tsm
from singles import CASES, SLOW, Case

LIMIT = 1.2  # times PyTorch's
LEAST = 2e-3  # seconds of one side's turn


def seconds(run: Callable[[], Any], repeats: int) -> float:
    start = time.perf_counter()
    for _ in range(repeats):
        run()
    return (time.perf_counter() - start) / repeats


def arrays(result: Any) -> list[np.ndarray[Any, Any]]:
    """The tensors of a result, in order."""
    if isinstance(result, (tsm.Tensor, torch.Tensor)):
        wide = result.float() if str(result.dtype).endswith("bfloat16") else result
        return [wide.numpy()]
    return [array for part in result for array in arrays(part)]


def compare(case: Case, ours: Any, theirs: Any) -> None:
    """AssertionError if results differ; positions of equal elements may."""
    for mine, other in zip(arrays(ours), arrays(theirs)):
        assert mine.dtype == other.dtype and mine.shape == other.shape, f"{case.name}: {mine.dtype}{mine.shape}"
        if mine.dtype.kind == "f":
            np.testing.assert_allclose(mine, other, case.tolerance, case.tolerance, err_msg=case.name)
        else:
            assert np.mean(mine != other) <= (0.01 if case.group in ("f32", "f64") else 0.0), case.name


def measure(case: Case, rounds: int) -> tuple[float, float]:
    """Medians in seconds: tsm's and PyTorch's."""
    inputs = case.make()
    ours, theirs = [tsm.tensor(a) for a in inputs], [torch.from_numpy(a) for a in inputs]
    compare(case, case.run(tsm, *ours), case.run(torch, *theirs))
    sides = (lambda: case.run(tsm, *ours), lambda: case.run(torch, *theirs))
    repeats = [max(1, int(LEAST / seconds(side, 1))) for side in sides]
    taken: tuple[list[float], list[float]] = ([], [])
    for _ in range(rounds):
        for side, count, kept in zip(sides, repeats, taken):
            kept.append(seconds(side, count))
            if sum(kept) > 10 and len(kept) > 2:  # a case that takes seconds
                return statistics.median(taken[0]), statistics.median(taken[1] or [seconds(sides[1], 1)])
    return statistics.median(taken[0]), statistics.median(taken[1])


def summary(ratios: dict[str, float]) -> str:
    """Geometric means by dtype, then the slow cases."""
    lines = ["", "dtype  cases  geometric mean  above 1.2"]
    for group in dict.fromkeys(CASES[name].group for name in ratios):
        of_group = [ratio for name, ratio in ratios.items() if CASES[name].group == group]
        above = sum(ratio > LIMIT for ratio in of_group)
        lines.append(f"{group:5s} {len(of_group):6d} {statistics.geometric_mean(of_group):15.2f} {above:10d}")
    lines.append(f"all   {len(ratios):6d} {statistics.geometric_mean(ratios.values()):15.2f}")
    for name, ratio in sorted(ratios.items(), key=lambda item: -item[1]):
        if ratio > LIMIT:
            lines.append(f"{ratio:8.2f}  {name:44s} {SLOW.get(name, '')}")
    return "\n".join(lines)


def chosen(words: Sequence[str]) -> list[Case]:
    """Cases whose name is, or has in it, one of the words; all if there are none."""
    return [case for name, case in CASES.items() if not words or name in words or any(word in name for word in words)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="words of names; all cases if none")
    parser.add_argument("--threads", type=int, nargs="+", default=[1])
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--tsv", type=Path, help="file for name, ratio")
    options = parser.parse_args()
    for threads in options.threads:
        tsm.set_num_threads(threads)
        torch.set_num_threads(threads)
        print(f"{threads} thread(s)                                      tsm us    torch us   ratio")
        ratios: dict[str, float] = {}
        for case in chosen(options.names):
            try:
                ours, theirs = measure(case, options.rounds)
            except Exception as error:
                print(f"{case.name:44s} {type(error).__name__}: {str(error).strip().splitlines()[0][:90]}", flush=True)
                continue
            ratios[case.name] = ours / theirs
            print(f"{case.name:44s} {ours * 1e6:11.1f} {theirs * 1e6:11.1f} {ours / theirs:7.2f}", flush=True)
        if ratios:
            print(summary(ratios))
        if options.tsv:
            rows = (f"{name}\t{ratio:.3f}\n" for name, ratio in ratios.items())
            options.tsv.write_text("".join(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
