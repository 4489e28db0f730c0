"""Threads: instances of one program run together, calls of one instance one by one, eager operators anywhere."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import tsm
from tsm import Tensor, nn

THREADS, ROUNDS = 4, 200


class Counter(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(tsm.ones(8))
        self.register_buffer("total", tsm.zeros(8))
        self.count = 0
        self.log: list[int] = []

    def forward(self, x: Tensor, n: int) -> Tensor:
        self.count += 1
        self.log.append(n)
        for i in range(n):
            self.total += x * self.weight + i
        return self.total.clone()


def in_threads(work: Callable[[int], object]) -> list[object]:
    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(work, range(THREADS)))


def test_clones_run_at_the_same_time() -> None:
    loaded = tsm.load(tsm.script(Counter()).to_bytes())

    def work(number: int) -> tuple[int, float, int]:
        mine = loaded.clone()
        for _ in range(ROUNDS):
            last = mine(tsm.full([8], float(number)), 3)
        return mine.count, last[0].item(), len(mine.log)

    expected = [(ROUNDS, ROUNDS * (3.0 * number + 3.0), ROUNDS) for number in range(THREADS)]
    assert in_threads(work) == expected
    assert loaded.count == 0


def test_one_instance_takes_turns() -> None:
    loaded = tsm.load(tsm.script(Counter()).to_bytes())
    x = tsm.ones(8)

    def work(number: int) -> None:
        for _ in range(ROUNDS):
            loaded(x, 1)

    in_threads(work)
    assert loaded.count == THREADS * ROUNDS
    assert loaded.total[0].item() == THREADS * ROUNDS


def test_eager_operators_share_tensors() -> None:
    shared = tsm.arange(64).float()

    def work(number: int) -> float:
        total = 0.0
        for i in range(ROUNDS):
            view = shared.view(8, 8)[i % 8]
            total += (view * 2).sum().item()
        gc.collect()
        return total

    assert len(set(in_threads(work))) == 1


def test_random_streams_belong_to_threads() -> None:
    def work(number: int) -> list[float]:
        tsm.manual_seed(7)
        return tsm.rand(16).tolist()

    first, *others = in_threads(work)
    assert all(other == first for other in others)


def test_number_of_threads_changes_no_result() -> None:
    x = tsm.rand(300_000)
    before = tsm.get_num_threads()
    try:
        found = []
        for count in (1, 3, 2, 100):
            tsm.set_num_threads(count)
            assert tsm.get_num_threads() == min(count, 64)
            found.append(((x * x).exp() / (x + 1.0)).tolist())
        assert all(item == found[0] for item in found)
    finally:
        tsm.set_num_threads(before)


@pytest.mark.parametrize(("count", "error"), [(0, ValueError), (-1, ValueError), (1.0, TypeError), (True, TypeError)])
def test_wrong_numbers_of_threads(count: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match="set_num_threads"):
        tsm.set_num_threads(count)


def run_with(settings: dict[str, str], program: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, **settings}
    return subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)


def test_settings_from_the_environment() -> None:
    show = "import tsm; print(tsm.get_num_threads(), (tsm.ones(5) * 2).sum().item())"
    assert run_with({"TSM_THREADS": "3", "TSM_ISA": "base"}, show).stdout == "3 10.0\n"
    for spin in ("100", "0"):
        assert run_with({"TSM_THREADS": "2", "TSM_SPIN": spin}, show).stdout == "2 10.0\n"
    assert "TSM_THREADS must be a number" in run_with({"TSM_THREADS": "many"}, show).stderr
    assert "TSM_SPIN must be a number of microseconds" in run_with({"TSM_SPIN": "1.5"}, show).stderr
    assert "no instruction set 'mmx'" in run_with({"TSM_ISA": "mmx"}, show).stderr
