"""One case of the tables, and the arrays that cases take."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
DTYPES = {"f32": "float32", "f64": "float64", "i64": "int64", "i32": "int32", "u8": "uint8", "bool": "bool"}


@dataclass(frozen=True)
class Case:
    """`run(m, *inputs)` with m = tsm or torch; `make` gives the inputs as arrays; `group` is the dtype of its row."""

    name: str
    run: Callable[..., Any]
    make: Callable[[], tuple[Any, ...]]
    group: str = "f32"
    tolerance: float = 2e-5


def array(*shape: int, dtype: str = "f32", seed: int = 0) -> Array:
    """Standard normal floats; ints of -100 to 99 (u8: 0 to 199); either truth as often."""
    draw = np.random.default_rng(seed)
    if dtype in ("f32", "f64"):
        return draw.standard_normal(shape).astype(DTYPES[dtype])
    if dtype == "bool":
        return draw.random(shape) < 0.5
    return draw.integers(*((0, 200) if dtype == "u8" else (-100, 100)), shape).astype(DTYPES[dtype])


def unit(*shape: int, dtype: str = "f32") -> Array:
    """Floats of -0.99 to 0.99."""
    return np.random.default_rng(2).uniform(-0.99, 0.99, shape).astype(DTYPES[dtype])


def positive(*shape: int, dtype: str = "f32") -> Array:
    """Numbers of 0.1 to 10; ints of 1 to 99."""
    draw = np.random.default_rng(3)
    if dtype in ("f32", "f64"):
        return draw.uniform(0.1, 10, shape).astype(DTYPES[dtype])
    return draw.integers(1, 100, shape).astype(DTYPES[dtype])


def index(count: int, below: int) -> Array:
    """Random int64 positions."""
    return np.random.default_rng(4).integers(0, below, count)


def case(name: str, run: Callable[..., Any], make: Callable[..., Any], *shapes: tuple[int, ...],
         group: str = "f32", tolerance: float = 2e-5) -> Case:
    """A case whose inputs one function makes from several shapes, each with a seed of its own."""

    def inputs() -> tuple[Any, ...]:
        if make is array:
            return tuple(array(*shape, dtype=group, seed=seed) for seed, shape in enumerate(shapes))
        return tuple(make(*shape, dtype=group) for shape in shapes)

    return Case(name, run, inputs, group, tolerance)


def given(name: str, run: Callable[..., Any], *inputs: Any, group: str = "f32", tolerance: float = 2e-5) -> Case:
    """A case with inputs of any kind: arrays as they are, or functions without parameters that make them."""
    makers: list[Callable[[], Any]] = [value if callable(value) else partial(np.asarray, value) for value in inputs]
    return Case(name, run, lambda: tuple(make() for make in makers), group, tolerance)
