"""What a case of the library is: an expression of PyTorch and the arrays it names.

Modules beside this one expose ``CASES`` and ``FAILURES``. Arrays of float64 are converted to each dtype of the sweep.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import numpy as np

from .sample import ALL, FLOATS, INTS, NUMBERS, SPECIAL, ints, mask, noise, ramp

__all__ = ["ALL", "FLOATS", "INTS", "NUMBERS", "Case", "Failing", "case", "cases", "failing"]

POOL = {
    "x": noise(3, 4), "y": noise(3, 4, seed=1), "cube": ramp(2, 3, 4, start=-5.0), "other": noise(2, 3, 4, seed=2),
    "v": noise(5, seed=3), "w": noise(5, seed=4), "three": noise(4, 3, seed=5), "three2": noise(4, 3, seed=6),
    "zero_d": np.array(3.0), "empty": np.zeros((0, 3)), "special": SPECIAL, "nan": np.array([[1.0, np.nan, 3.0], [4.0, 5.0, 2.0]]),
    "positive": np.abs(noise(3, 4, seed=7)) + 0.1, "unit": np.tanh(noise(3, 4, seed=8)), "big": noise(40, 6, seed=9),
    "ties": np.array([[2.0, 1.0, 2.0, 3.0], [1.0, 1.0, 0.0, 1.0]]), "square": noise(3, 3, seed=10), "squares": noise(2, 3, 3, seed=11),
    "i": ints(3, -1, 0, 2), "at": ints(2, 0, 1, 2, 0), "grid": ints([0, 2, 1, 0], [1, 1, 0, 2], [2, 0, 0, 1]),
    "m": mask([True, False, True, False], [False, False, True, True], [True, True, True, False]), "row": mask(True, False, True, True),
    "batch": noise(2, 3, 5, seed=12), "batch2": noise(2, 5, 4, seed=13), "mat": noise(3, 5, seed=14), "mat2": noise(5, 4, seed=15),
    "image": noise(2, 4, 6, 5, seed=16), "line": noise(2, 4, 9, seed=17), "volume": noise(1, 2, 4, 5, 3, seed=18),
}


@dataclass(frozen=True)
class Case:
    """One expression, its arrays and the dtypes to sweep; ``rtol``: how near floats must be."""

    text: str
    arrays: dict[str, np.ndarray] = field(default_factory=dict)
    dtypes: tuple[str, ...] = ("float32",)
    rtol: float | None = None
    is_scripted: bool = True


@dataclass(frozen=True)
class Failing:
    """One expression that raises, and a part of our text. PyTorch raises the same class unless ``only_ours``."""

    text: str
    error: str
    message: str
    arrays: dict[str, np.ndarray] = field(default_factory=dict)
    only_ours: bool = False
    is_scripted: bool = True


def named(text: str, arrays: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The arrays that an expression names, given or from the pool."""
    plain = re.sub(r"'[^']*'|\"[^\"]*\"", "", text)
    names = dict.fromkeys(re.findall(r"(?<![\w.])[a-z_]\w*(?!\w*\s*(?:=[^=]|\())", plain))
    return {name: arrays.get(name, POOL.get(name)) for name in names if name in arrays or name in POOL}


def case(text: str, dtypes: tuple[str, ...] = ("float32",), rtol: float | None = None, is_scripted: bool = True,
         **arrays: np.ndarray) -> Case:
    return Case(text, named(text, arrays), dtypes, rtol, is_scripted)


def cases(dtypes: tuple[str, ...], *texts: str, rtol: float | None = None, **arrays: np.ndarray) -> list[Case]:
    """A case for each expression."""
    return [case(text, dtypes, rtol, **arrays) for text in texts]


def failing(text: str, error: str, message: str, only_ours: bool = False, is_scripted: bool = True,
            **arrays: np.ndarray) -> Failing:
    return Failing(text, error, message, named(text, arrays), only_ours, is_scripted)
