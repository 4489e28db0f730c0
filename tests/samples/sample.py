"""What a sample of an operator is: arguments, the dtypes to sweep, and how PyTorch or Python spells the same.

Every module beside this one exposes ``SAMPLES``, ``ERRORS`` or ``PLAIN``, keyed as files name operators: "add.Tensor",
or "relu" where the overload is empty. Arrays in ``args`` and ``kwargs`` are NumPy arrays; those of float64 are
converted to each dtype of the sweep, all others (indices, masks) stay as they are. PyTorch is only named, as text.
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
LAYOUTS = ("plain", "strided", "transposed")


@dataclass(frozen=True)
class Sample:
    """One call of a row that takes or makes tensors.

    ``reference`` is called with the same arguments as torch tensors: a path below ``torch`` or a function; None means
    the operator's namesake. ``layouts``: in which memory the arrays are tried.
    """

    args: tuple[Any, ...]
    kwargs: dict[str, Any] = field(default_factory=dict)
    dtypes: tuple[str, ...] = DEFAULT
    reference: Callable[..., Any] | str | None = None
    rtol: float | None = None
    checks_values: bool = True
    layouts: tuple[str, ...] = LAYOUTS


@dataclass(frozen=True)
class Failure:
    """One call that raises. PyTorch or ``reference`` raises the same class, unless ``only_ours``."""

    args: tuple[Any, ...]
    error: str
    text: str
    kwargs: dict[str, Any] = field(default_factory=dict)
    reference: Callable[..., Any] | str | None = None
    only_ours: bool = False


@dataclass(frozen=True)
class Plain:
    """Calls of a row without tensors: ``reference`` is Python's own, which also says what each call raises.

    ``ulps``: how far a float may be from the reference; 0 means bit-equal.
    """

    reference: Callable[..., Any]
    calls: tuple[tuple[Any, ...], ...]
    ulps: int = 0


def plain(reference: Callable[..., Any], *calls: tuple[Any, ...], ulps: int = 0) -> Plain:
    return Plain(reference, calls, ulps)


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
