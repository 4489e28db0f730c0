"""Allocations that fail while programs of every kind are loaded, run, saved, cloned and reset, and memory caps.

tests/c/test_faults.c does it, for some allocations of each step here; `make faults` takes all, under the sanitizers.
"""

from __future__ import annotations

import os
import re
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
    sweep = [sys.executable, str(HERE / "fuzz" / "fault_programs.py"), str(program), str(SAMPLES)]
    done = subprocess.run(sweep, capture_output=True, text=True)
    found = re.search(r"(\d+) failures, (\d+) crashes, (\d+) bytes leaked, (\d+) wrong", done.stdout)
    assert found is not None and done.returncode == 0, done.stdout + done.stderr
    assert int(found[1]) > 3000 and found.groups()[1:] == ("0", "0", "0")
