"""Operations on random values against CPython.

`python tests/fuzz/random_values.py --count 1000000 --seed 7` is the long run.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent / "fuzz"))

import random_values  # noqa: E402


@pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="other versions have other formats and texts")
@pytest.mark.parametrize("seed", [1, 2])
def test_operations_answer_as_python_does(seed: int) -> None:
    found = list(random_values.differences(seed, 30_000))
    assert not found, "\n".join(found)


def test_a_wrong_answer_is_seen() -> None:
    assert random_values.agree("a + b", (1, None), (1, None))
    assert not random_values.agree("a + b", (1, None), (2, None))
    assert not random_values.agree("a + b", (1, None), (1.0, None))
    assert not random_values.agree("a + b", (0.0, None), (-0.0, None))
    assert not random_values.agree("a + b", (1, None), (None, ("OverflowError", "too large")))
    assert random_values.agree("a + b", (2**63, None), (None, ("OverflowError", "too large")))
    assert not random_values.agree("a[b]", (None, ("IndexError", "x")), (None, ("KeyError", "x")))
