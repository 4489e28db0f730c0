"""Allocations that fail while programs of every kind are loaded, run, saved, cloned and reset, and memory caps.

tests/c/test_faults.c does it, for some allocations of each step here; `make faults` takes all, under the sanitizers.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
SAMPLES = 6


def test_failing_allocations(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "tsm", "config", "--cflags", "--libs"]
    flags = subprocess.run(words, capture_output=True, text=True, check=True).stdout.split()
    program = tmp_path / "test_faults"
    compiler = os.environ.get("CC", "cc").split()
    subprocess.run([*compiler, str(HERE / "c" / "test_faults.c"), *flags, "-o", program], check=True)
    spec = importlib.util.spec_from_file_location("fault_programs", HERE / "fuzz" / "fault_programs.py")
    assert spec is not None and spec.loader is not None
    programs = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = programs
    spec.loader.exec_module(programs)
    injected, crashes, leaked, wrong = programs.sweep(str(program), SAMPLES)
    assert not wrong, "\n".join(wrong)
    assert injected > 3000 and not crashes and not leaked
