"""Options and fixtures of the whole suite."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from functools import lru_cache

import pytest

INSTRUCTION_SETS = ["base", "avx2", "avx512"]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--accept", action="store_true", help="rewrite golden files with what the code now does")


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
