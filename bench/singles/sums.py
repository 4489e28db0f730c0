"""Reductions and scans."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from .case import Case, array, case, given, positive

N = (1_000_000,)
ALL = ("f32", "f64", "i64", "i32", "u8")
OVER_ALL: dict[str, tuple[Any, tuple[str, ...]]] = {
    "sum": (lambda m, a: a.sum(), (*ALL, "bool")),
    "mean": (lambda m, a: a.mean(), ("f32", "f64")),
    "max": (lambda m, a: a.max(), ALL),
    "argmax": (lambda m, a: a.argmax(), ALL),
    "any": (lambda m, a: (a > 1000).any() if a.dtype != m.bool else (~a & a).any(), ("f32", "i64", "bool")),
    "count_nonzero": (lambda m, a: m.count_nonzero(a), (*ALL, "bool")),
    "norm": (lambda m, a: a.norm(), ("f32", "f64")),
    "prod": (lambda m, a: (a * 0 + 1).prod(), ("f32", "f64", "i64", "i32")),
    "cumsum": (lambda m, a: a.cumsum(0), ALL),
    "cummax": (lambda m, a: a.cummax(0)[0], ALL),
}
CUBE, SQUARE = (64, 256, 256), (1000, 1000)
ALONG: dict[str, tuple[Any, tuple[int, ...], tuple[str, ...]]] = {
    "sum dim=0 64x256x256": (lambda m, a: a.sum(0), CUBE, ("f32", "f64", "i64", "i32")),
    "sum dim=1 64x256x256": (lambda m, a: a.sum(1), CUBE, ("f32", "f64", "i64", "i32")),
    "sum dim=2 64x256x256": (lambda m, a: a.sum(2), CUBE, ("f32", "f64", "i64", "i32", "u8")),
    "sum dim=(0, 2) 64x256x256": (lambda m, a: a.sum((0, 2)), CUBE, ("f32",)),
    "sum dim=(1, 2) 64x256x256": (lambda m, a: a.sum((1, 2)), CUBE, ("f32",)),
    "mean dim=-1 (1e5,8)": (lambda m, a: a.mean(-1), (100_000, 8), ("f32", "f64")),
    "sum dim=-1 (3e5,3)": (lambda m, a: a.sum(-1), (300_000, 3), ("f32", "f64", "i64")),
    "amax dim=-1 (1e5,8)": (lambda m, a: a.amax(-1), (100_000, 8), ("f32", "i64")),
    "amax dim=1 64x256x256": (lambda m, a: a.amax(1), CUBE, ("f32", "i64", "u8")),
    "max dim=1 values+idx": (lambda m, a: a.max(1), SQUARE, ("f32", "i64")),
    "argmin dim=0 1000x1000": (lambda m, a: a.argmin(0), SQUARE, ("f32", "i64")),
    "argmax dim=1 1000x1000": (lambda m, a: a.argmax(1), SQUARE, ("f32", "i64")),
    "std dim=0": (lambda m, a: a.std(0), SQUARE, ("f32", "f64")),
    "var dim=1": (lambda m, a: a.var(1), SQUARE, ("f32", "f64")),
    "norm dim=1": (lambda m, a: a.norm(dim=1), SQUARE, ("f32", "f64")),
    "norm p=1 dim=0": (lambda m, a: a.norm(1, 0), SQUARE, ("f32",)),
    "logsumexp dim=0": (lambda m, a: a.logsumexp(0), SQUARE, ("f32", "f64")),
    "logsumexp dim=1": (lambda m, a: a.logsumexp(1), SQUARE, ("f32", "f64")),
    "cumsum dim=0 1000x1000": (lambda m, a: a.cumsum(0), SQUARE, ("f32", "i64")),
    "cumsum dim=1 1000x1000": (lambda m, a: a.cumsum(1), SQUARE, ("f32", "f64", "i64")),
    "cummax dim=1": (lambda m, a: a.cummax(1), SQUARE, ("f32", "i64")),
    "cummin dim=0": (lambda m, a: a.cummin(0), SQUARE, ("f32",)),
    "logcumsumexp dim=1": (lambda m, a: a.logcumsumexp(1), SQUARE, ("f32",)),
    "softmax dim=1 64x256x256": (lambda m, a: a.softmax(1), CUBE, ("f32",)),
    "softmax dim=0 1000x1000": (lambda m, a: a.softmax(0), SQUARE, ("f32", "f64")),
    "softmax dim=1 nchw (4,21,128,128)": (lambda m, a: a.softmax(1), (4, 21, 128, 128), ("f32",)),
    "softmax last": (lambda m, a: a.softmax(-1), SQUARE, ("f32", "f64")),
    "log_softmax last (1e5,10)": (lambda m, a: a.log_softmax(-1), (100_000, 10), ("f32",)),
    "log_softmax last": (lambda m, a: a.log_softmax(-1), SQUARE, ("f32", "f64")),
}


def label(name: str, dtype: str) -> str:
    return name if dtype == "f32" else f"{name} {dtype}"


SUMS: list[Case] = [
    *(case(f"{name} {dtype} 1e6", run, array, N, group=dtype, tolerance=2e-3 if name == "cumsum" else 1e-4)
      for name, (run, dtypes) in OVER_ALL.items() for dtype in dtypes),
    *(case(label(name, dtype), run, array, shape, group=dtype, tolerance=2e-3 if "cumsum" in name else 1e-4)
      for name, (run, shape, dtypes) in ALONG.items() for dtype in dtypes),
    case("prod dim=1", lambda m, a: (a * 0.01 + 1).prod(1), array, (1000, 1000), tolerance=1e-4),
    case("cumprod dim=1", lambda m, a: (a * 0.01 + 1).cumprod(1), array, (1000, 1000), tolerance=1e-4),
    case("var dim=(0,2,3) nchw", lambda m, a: a.var((0, 2, 3)), array, (8, 64, 56, 56)),
    given("all/any dim=1 bool", lambda m, a: (a.all(1), a.any(1)), partial(array, 1000, 1000, dtype="bool"),
          group="bool"),
    case("cosine_similarity", lambda m, a, b: m.nn.functional.cosine_similarity(a, b), array,
         (10_000, 64), (10_000, 64)),
    case("normalize dim1", lambda m, a: m.nn.functional.normalize(a, dim=1), array, (10_000, 64)),
    case("histc 1e6", lambda m, a: m.histc(a, 100, -3, 3), array, N),
    given("trapz", lambda m, a: m.trapz(a, dim=1), partial(positive, 1000, 1000), tolerance=1e-4),
    given("bincount 1e6", lambda m, a: m.bincount(a), lambda: np.random.default_rng(5).integers(0, 1000, N[0]),
          group="i64"),
]
