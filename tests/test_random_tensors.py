"""Random tensor programs with the answers that PyTorch gave, on every road through tsm.

The recorded programs (fuzz/tensor_programs.json.gz) run everywhere; where PyTorch is installed new seeds run beside it.
`python tests/test_random_tensors.py` records them again.
"""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent / "fuzz"))
import random_tensors
from random_tensors import Outcome

RECORDED = Path(__file__).parent / "fuzz" / "tensor_programs.json.gz"
SEEDS = range(160)  # recorded; later ones are new


def packed(array: np.ndarray) -> dict[str, Any]:
    values = [repr(x) for x in array.ravel().tolist()] if array.dtype.kind == "f" else array.ravel().tolist()
    return {"dtype": str(array.dtype), "shape": list(array.shape), "values": values}


def unpacked(item: dict[str, Any]) -> np.ndarray:
    values = [float(x) for x in item["values"]] if item["dtype"].startswith("f") else item["values"]
    return np.array(values, item["dtype"]).reshape(item["shape"])


def record() -> None:
    """Writes the programs of SEEDS with what PyTorch does."""
    cases = []
    for seed in SEEDS:
        source = random_tensors.generate(seed)
        expected = random_tensors.expectation(source)
        cases.append(
            {
                "seed": seed,
                "text": source.text(),
                "inputs": {name: packed(array) for name, array in source.inputs.items()},
                "error": expected.error,
                "results": [packed(array) for array in expected.results],
                "after": [packed(array) for array in expected.inputs],
                "same": expected.same,
                "shared": expected.shared,
            }
        )
    data = json.dumps(cases, separators=(",", ":")).encode()
    RECORDED.write_bytes(gzip.compress(data, mtime=0))


def load() -> list[dict[str, Any]]:
    cases: list[dict[str, Any]] = json.loads(gzip.decompress(RECORDED.read_bytes()))
    return cases


def expected_of(case: dict[str, Any]) -> Outcome:
    results, after = [unpacked(item) for item in case["results"]], [unpacked(item) for item in case["after"]]
    return Outcome(case["error"], "", results, after, case["same"], case["shared"])


CASES = load() if RECORDED.exists() else []


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["seed"]))
def test_recorded_program(case: dict[str, Any]) -> None:
    inputs = {name: unpacked(item) for name, item in case["inputs"].items()}
    found = random_tensors.failure(case["text"], inputs, expected_of(case))
    assert found is None, f"{found}\n{case['text']}\n{inputs}"


def test_programs_are_recorded() -> None:
    assert len(CASES) == len(SEEDS)
    assert len({case["text"] for case in CASES}) > 0.9 * len(CASES)
    assert sum(case["error"] is not None for case in CASES) >= 10, "too few programs raise"
    assert sum(case["error"] is None for case in CASES) >= 100


@pytest.mark.parametrize("first", range(1_000_000, 1_000_080, 20))
def test_new_programs_agree_with_pytorch(first: int) -> None:
    pytest.importorskip("torch")
    for seed in range(first, first + 20):
        source = random_tensors.generate(seed)
        found = random_tensors.failure(source.text(), source.inputs, random_tensors.expectation(source))
        assert found is None, random_tensors.report(seed, source, found)


@pytest.mark.parametrize("line", ["v1 = a + 1", "v1 = a[0]", "v1 = a.sum(0)"])
def test_a_wrong_answer_is_found_and_minimised(line: str) -> None:
    """The comparison sees values, dtypes, shapes, changed inputs, identities and shared memory."""
    base = Outcome(None, "", [np.zeros(2)], [np.ones(2)], [0, 1], [0, 1])
    for other in (
        Outcome("ValueError"),
        Outcome(None, "", [np.ones(2)], [np.ones(2)], [0, 1], [0, 1]),
        Outcome(None, "", [np.zeros(2, "float32")], [np.ones(2)], [0, 1], [0, 1]),
        Outcome(None, "", [np.zeros((2, 1))], [np.ones(2)], [0, 1], [0, 1]),
        Outcome(None, "", [np.zeros(2)], [np.zeros(2)], [0, 1], [0, 1]),
        Outcome(None, "", [np.zeros(2)], [np.ones(2)], [0, 0], [0, 1]),
        Outcome(None, "", [np.zeros(2)], [np.ones(2)], [0, 1], [0, 0]),
    ):
        assert random_tensors.difference(base, other)
    source = random_tensors.Source({"a": np.ones((2, 2))}, [line, "v2 = a * 2"], ["v2", "a"])
    assert [candidate.lines for candidate in random_tensors.smaller(source)][0] == ["v2 = a * 2"]


if __name__ == "__main__":
    record()
