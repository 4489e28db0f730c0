"""Runs digits.tsm through tsm.load and checks that predictions and counter are those of the C program."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import tsm


def main(folder: Path) -> int:
    records = np.fromfile(folder / "digits.bin", dtype=np.uint8).reshape(-1, 65)
    *from_c, counter = map(int, (folder / "predictions.txt").read_text().split())
    model = tsm.load(folder / "digits.tsm")
    answers = [model(tsm.from_numpy(image.astype(np.float32))) for image in records[:, 1:]]
    same = answers == from_c and model.second_stage == counter
    verdict = "equal" if same else "DIFFER FROM"
    print(f"Python: {len(answers)} predictions and the counter {verdict} those of the C program")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
