"""What keeps the C library portable, as far as one machine can tell; `make portability` asks the others."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "portability"))
import compare  # noqa: E402


def unguarded(text: str) -> list[int]:
    """Lines with a 128-bit integer outside of `#ifdef __SIZEOF_INT128__`."""
    found, guards = [], []
    for number, line in enumerate(text.split("\n"), 1):
        if match := re.match(r"\s*#\s*(if|ifdef|ifndef|else|elif|endif)\b(.*)", line):
            if match[1].startswith("if"):
                guards.append(match[1] != "ifndef" and "__SIZEOF_INT128__" in match[2])
            elif match[1] == "endif":
                guards.pop()
            else:
                guards[-1] = False
        elif "__int128" in line and not any(guards):
            found.append(number)
    return found


def test_128_bits_are_asked_for_first() -> None:
    assert unguarded("#ifdef __SIZEOF_INT128__\n__int128 a;\n#else\n__int128 b;\n#endif\n__int128 c;") == [4, 6]
    sources = [path for kind in ("c", "h") for path in (ROOT / "runtime_c").rglob(f"*.{kind}")]
    assert len(sources) > 200
    assert {str(path): lines for path in sources if (lines := unguarded(path.read_text(encoding="utf-8")))} == {}


@pytest.mark.parametrize(
    ("want", "got", "mark"),
    [
        ("a 1 0.5", "a 1 0.5", ""), ("[0.33333]", "[0.33334]", "~"), ("[0.3333]", "[0.3433]", "0.3333 is 0.3433"),
        ("17", "18", "'17' is '18'"), ("x 1.0", "y 1.0", "'x 1.0' is 'y 1.0'"), ("nan", "inf", "nan is inf"),
    ],
)  # fmt: skip
def test_texts_are_compared(want: str, got: str, mark: str) -> None:
    assert compare.texts_differ(want, got) == mark


def test_arrays_are_compared() -> None:
    a = np.array([1.0, -2.0, np.nan, np.inf], np.float32)
    assert compare.arrays_differ(a, a.copy()) == ""
    assert compare.arrays_differ(a, a * np.float32(1 + 1e-6)) == "~"
    assert compare.arrays_differ(a, a * np.float32(1.001)).startswith("off by")
    assert compare.arrays_differ(a, a.byteswap()).startswith("off by")
    assert compare.arrays_differ(np.arange(3), np.arange(3) + 1) == "integers differ"
    assert compare.arrays_differ(np.arange(3), np.arange(4)) == "int64(3,) is int64(4,)"
