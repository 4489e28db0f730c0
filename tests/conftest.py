"""Options and fixtures of the whole suite."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import zlib
from functools import lru_cache

import pytest

INSTRUCTION_SETS = ["base", "avx2", "avx512"]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--accept", action="store_true", help="rewrite golden files with what the code now does")
    parser.addoption("--whole", action="store_true", help="run every case and road, not a sample of them")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "one_in(n): a fixed sample of the cases runs, one in n, and all under --whole")
    if config.getoption("--whole"):
        import oracle

        oracle.ALL_PASSES = True


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves the sample of what is marked `one_in`; whatever is asked for by name runs."""
    if config.getoption("--whole") or config.option.keyword or any("::" in each for each in config.args):
        return
    marks = [item.get_closest_marker("one_in") for item in items]
    left = [mark is None or zlib.crc32(item.name.encode()) % mark.args[0] == 0 for item, mark in zip(items, marks)]
    config.hook.pytest_deselected(items=[item for item, stays in zip(items, left) if not stays])
    items[:] = [item for item, stays in zip(items, left) if stays]


def pytest_collection_finish() -> None:
    """The collected programs and tests stay for ever: the garbage collector need not look at them again and again."""
    gc.collect()
    gc.freeze()


@pytest.fixture
def accept(request: pytest.FixtureRequest) -> bool:
    """Whether golden files are to be rewritten."""
    return bool(request.config.getoption("--accept"))


@lru_cache(maxsize=None)
def has_instruction_set(name: str) -> bool:
    """Whether the runtime starts with it here."""
    start = [sys.executable, "-c", "import tsm; tsm.ones(1)"]
    done = subprocess.run(start, env={**os.environ, "TSM_ISA": name}, capture_output=True, text=True)
    if done.returncode and f"no instruction set '{name}'" not in done.stderr:
        raise AssertionError(done.stderr)
    return done.returncode == 0


@pytest.fixture(params=INSTRUCTION_SETS)
def isa(request: pytest.FixtureRequest) -> str:
    """Each instruction set of the kernels by name; those that this processor lacks are skipped."""
    name = str(request.param)
    if not has_instruction_set(name):
        pytest.skip(f"this processor has no {name}")
    return name
