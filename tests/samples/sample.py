"""What a sample of an operator is: arguments, the dtypes to sweep, and how PyTorch spells the same.

Every module beside this one exposes ``SAMPLES: dict[str, list[Sample]]`` and ``ERRORS: dict[str, list[Failure]]``, keyed
as files name operators: "add.Tensor", or "relu" where the overload is empty. Arrays in ``args`` and ``kwargs`` are NumPy
arrays; those of float64 are converted to each dtype of the sweep, all others (indices, masks) are used as they are.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

INTS = ("uint8", "int8", "int16", "int32", "int64")
FLOATS = ("float32", "float64")
NUMBERS = INTS + FLOATS
ALL = ("bool", *NUMBERS)
DEFAULT: tuple[str, ...] = ()


@dataclass(frozen=True)
class Sample:
    """One call. ``reference`` is called with the same arguments as torch tensors; None means the operator's namesake."""

    args: tuple[Any, ...]
    kwargs: dict[str, Any] = field(default_factory=dict)
    dtypes: tuple[str, ...] = DEFAULT
    reference: Callable[..., Any] | None = None
    rtol: float | None = None
    is_view: bool = False
    checks_values: bool = True


@dataclass(frozen=True)
class Failure:
    """One call that raises. PyTorch raises the same class, unless ``only_ours``."""

    args: tuple[Any, ...]
    error: str
    text: str
    kwargs: dict[str, Any] = field(default_factory=dict)
    reference: Callable[..., Any] | None = None
    only_ours: bool = False


@dataclass(frozen=True)
class DType:
    """A dtype argument, by name."""

    name: str


def ramp(*shape: int, start: float = -3.0, step: float = 1.0) -> np.ndarray:
    """Float64 array start, start + step, ... in row-major order."""
    count = int(np.prod(shape, dtype=np.int64))
    return (start + step * np.arange(count, dtype=np.float64)).reshape(shape)


def noise(*shape: int, seed: int = 0, scale: float = 1.0) -> np.ndarray:
    """Float64 normal samples, the same at every call."""
    return np.random.default_rng(seed).standard_normal(shape) * scale


SPECIAL = np.array([0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 1.5, 1e-30, 1e30, np.inf, -np.inf, np.nan])
"""Floats with all their special cases."""


def ints(*values: Any, dtype: str = "int64") -> np.ndarray:
    """An index array, not swept."""
    return np.array(values, dtype=dtype)


def mask(*values: Any) -> np.ndarray:
    """A bool array, not swept."""
    return np.array(values, dtype=bool)
