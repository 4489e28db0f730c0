"""Integers, bools and conversions on every instruction set: NumPy's results to the bit, for the ends of each dtype, in
all layouts and lengths around a vector's, so that wrapping, signs, part vectors and spread values all occur."""

from __future__ import annotations

import os
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
INTS = ("uint8", "int8", "int16", "int32", "int64")
BINARY: dict[str, Callable[..., Any]] = {
    "add": lambda m, a, b: a + b,
    "sub": lambda m, a, b: a - b,
    "mul": lambda m, a, b: a * b,
    "and": lambda m, a, b: a & b,
    "or": lambda m, a, b: a | b,
    "xor": lambda m, a, b: a ^ b,
    "maximum": lambda m, a, b: m.maximum(a, b),
    "minimum": lambda m, a, b: m.minimum(a, b),
    "eq": lambda m, a, b: a == b,
    "ne": lambda m, a, b: a != b,
    "lt": lambda m, a, b: a < b,
    "le": lambda m, a, b: a <= b,
    "gt": lambda m, a, b: a > b,
    "ge": lambda m, a, b: a >= b,
    "logical_and": lambda m, a, b: m.logical_and(a, b),
    "logical_xor": lambda m, a, b: m.logical_xor(a, b),
}
UNARY: dict[str, Callable[..., Any]] = {
    "neg": lambda m, a: -a,
    "not": lambda m, a: ~a,
    "abs": lambda m, a: abs(a),
    "sign": lambda m, a: m.sign(a),
    "square": lambda m, a: m.square(a),
    "logical_not": lambda m, a: m.logical_not(a),
    "clamp": lambda m, a: m.clip(a, 3, 100),
}
REDUCTIONS: dict[str, Callable[..., Any]] = {
    "sum": lambda m, a, dim: a.sum(dim),
    "max": lambda m, a, dim: a.max() if dim is None else m.amax(a, dim),
    "min": lambda m, a, dim: a.min() if dim is None else m.amin(a, dim),
    "argmax": lambda m, a, dim: m.argmax(a, dim),
    "argmin": lambda m, a, dim: m.argmin(a, dim),
    "any": lambda m, a, dim: (a > 3).any(dim) if dim is not None else (a > 3).any(),
    "all": lambda m, a, dim: (a < 90).all(dim) if dim is not None else (a < 90).all(),
    "count": lambda m, a, dim: m.count_nonzero(a, dim),
}


def elements(dtype: str, *shape: int, seed: int = 0) -> Array:
    """The ends of the dtype and what lies beside them and beside 0, in any order."""
    if dtype == "bool":
        return np.random.default_rng(seed).random(shape) < 0.5
    info = np.iinfo(dtype)
    near = np.arange(-3, 4)
    ends = [info.min + d for d in (0, 1, 2)] + [info.max - d for d in (0, 1, 2)]
    values = ends + [int(v) for v in near if v >= info.min]
    values += [100, 7, info.max // 2, info.max // 2 + 1]
    return np.random.default_rng(seed).choice(np.array(values, dtype), shape)


def layouts(dtype: str, n: int) -> Iterator[tuple[Array, Array]]:
    """Pairs that broadcast: neighbours, every second element, columns, one value on either side."""
    a, b = elements(dtype, n), elements(dtype, n, seed=1)
    yield a, b
    yield elements(dtype, 2 * n)[::2], b
    yield a, elements(dtype, 3 * n)[::3]
    if n > 1:
        yield a, elements(dtype, 1, seed=2)
        yield elements(dtype, 1, seed=3), b
        yield elements(dtype, n, 3).T, elements(dtype, 3, n, seed=4)
        yield elements(dtype, n, 1), elements(dtype, 1, 5, seed=5)


def same(name: str, got: Any, want: Any) -> None:
    mine, other = got.numpy(), np.asarray(want)
    assert np.array_equal(mine, other), f"{name} {mine.dtype}: {mine[mine != other][:3]} for {other[mine != other][:3]}"


def shifted(m: Any, a: Any, counts: Any) -> tuple[Any, Any]:
    return m.bitwise_left_shift(a, counts), m.bitwise_right_shift(a, counts)


def check_shifts(tsm: Any, dtype: str) -> None:
    """Counts as large as the type, and larger, take all bits."""
    a, bits = elements(dtype, 90), np.iinfo(dtype).bits
    counts = np.resize(np.arange(bits + 2, dtype=dtype), 90)
    left, right = shifted(tsm, tsm.tensor(a), tsm.tensor(counts))
    wide = [int(v) for v in a]
    mask, top = (1 << bits) - 1, 1 << bits
    lefts = [((v << min(int(c), bits)) & mask) for v, c in zip(wide, counts)]
    lefts = [v - top if np.iinfo(dtype).min < 0 and v >= top // 2 else v for v in lefts]
    same("left shift", left, np.array(lefts, dtype))
    same("right shift", right, np.array([v >> min(int(c), bits) for v, c in zip(wide, counts)], dtype))


def check_conversions(tsm: Any) -> None:
    """Neighbours, which go by vectors, as strided elements, which do not; and NumPy where it says what a result is."""
    dtypes = ("bool", *INTS, "float32", "float64", "bfloat16")
    ends = [0.0, -0.0, 1.5, -1.5, np.nan, np.inf, -np.inf, 1e-40]
    ends += [2.0**31, -(2.0**31), 2.0**31 - 1, 2.0**40, 3e38, 1e300, 0.3]
    with np.errstate(all="ignore"):
        for source in dtypes:
            for n in (1, 9, 67, 1100):
                if source in INTS or source == "bool":
                    array = elements(source, n)
                    x = tsm.tensor(array)
                else:
                    array = np.resize(np.array(ends), n).astype("float64" if source == "float64" else "float32")
                    x = tsm.tensor(array).to(getattr(tsm, source))
                apart = tsm.stack([x, x], 1)[:, 0]
                for target in dtypes:
                    got, plain = x.to(getattr(tsm, target)), apart.to(getattr(tsm, target))
                    if target == "bfloat16":
                        got, plain = got.float(), plain.float()
                    want = plain.numpy()
                    assert got.numpy().tobytes() == want.tobytes(), f"{source} -> {target}"
                    if target in (*INTS, "bool") and (source in INTS or target == "bool") and source != "bfloat16":
                        same(f"{source} -> {target}", got, array.astype(target))


def check_products(tsm: Any) -> None:
    """Wrapping sums over depths and sizes around those of a panel and a block, of operands in any layout."""
    for dtype in INTS:
        for m, k, n in ((1, 1, 1), (3, 5, 7), (4, 256, 33), (9, 300, 70), (65, 17, 258), (2, 0, 3)):
            a, b = elements(dtype, m, k), elements(dtype, k, n, seed=1)
            same("mm", tsm.tensor(a) @ tsm.tensor(b), a @ b)
            same("mm turned", tsm.tensor(a.T.copy()).t() @ tsm.tensor(b.T.copy()).t(), a @ b)
        small = np.random.default_rng(1).integers(0, 100, (2, 5, 40)).astype(dtype)
        same("bmm", tsm.tensor(small) @ tsm.tensor(small.transpose(0, 2, 1).copy()), small @ small.transpose(0, 2, 1))


def check_all() -> None:
    """The child."""
    import tsm

    warnings.simplefilter("ignore")  # NumPy's about wrapping
    check_conversions(tsm)
    check_products(tsm)
    for dtype in ("bool", *INTS):
        for n in (1, 7, 16, 31, 33, 70, 4200):
            for a, b in layouts(dtype, n):
                x, y = tsm.from_numpy(a), tsm.from_numpy(b)
                for name, run in BINARY.items():
                    if dtype != "bool" or name not in ("sub",):
                        same(name, run(tsm, x, y), run(np, a, b))
                for name, run in UNARY.items():
                    if dtype != "bool" or name in ("not", "logical_not"):
                        same(name, run(tsm, x), run(np, a))
                if dtype != "bool":
                    same("add alpha", tsm.add(x, y, alpha=3), a + b * np.array(3, dtype))
        if dtype != "bool":
            check_shifts(tsm, dtype)
        for shape in ((1, 1), (5, 70), (70, 5), (3, 4200), (300, 17)):
            wide = elements(dtype, shape[0], 2 * shape[1])
            for a in (elements(dtype, *shape), elements(dtype, *shape[::-1]).T, wide[:, ::2]):
                for name, run in REDUCTIONS.items():
                    if dtype == "bool" and name not in ("sum", "any", "all", "count"):
                        continue
                    for dim in (None, 0, 1):
                        wanted = run(np, a.astype("int64") if name == "sum" else a, dim)
                        same(f"{name} {dim}", run(tsm, tsm.from_numpy(a), dim), wanted)


def test_integers_are_numpys(isa: str) -> None:
    environment = {**os.environ, "TSM_ISA": isa}
    done = subprocess.run([sys.executable, __file__], env=environment, capture_output=True, text=True, timeout=300)
    assert not done.returncode, done.stderr[-2000:]


if __name__ == "__main__":
    check_all()
