"""Random programs against CPython: a fixed run, in seconds. `make fuzz-programs COUNT=10000 SEED=1` is the long one.

A difference shows the seed; `python tests/fuzz/compare_programs.py --count 1 --seed N` makes its program small.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent / "fuzz"))

import compare_programs  # noqa: E402
import random_programs  # noqa: E402

COUNT = 200


def test_random_programs_agree_with_python() -> None:
    totals = compare_programs.Totals()
    for seed in range(COUNT):
        totals.add(seed, compare_programs.judge(random_programs.generate(seed), seed))
    print(totals)
    shown = "\n".join(f"seed {seed}: {verdict.text}" for seed, verdict in totals.differences.items())
    assert not totals.differences, shown
    assert totals.kinds["same"] >= COUNT * 0.9, dict(totals.reasons)
    assert totals.excused <= totals.calls * 0.05


def test_a_seed_always_gives_the_same_program() -> None:
    assert [random_programs.generate(seed) for seed in (3, 4, 3)][::2] == [random_programs.generate(3)] * 2
