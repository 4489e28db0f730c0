"""Order, search, sets and the elements that positions or masks name."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from .case import Case, array, case, given, index

N = 1_000_000


def ints(below: int, count: int = N, dtype: str = "int64") -> Any:
    return lambda: np.random.default_rng(6).integers(0, below, count).astype(dtype)


def edges(count: int) -> Any:
    return lambda: np.linspace(-3, 3, count).astype(np.float32)


BIG = partial(array, N)
SELECTION: list[Case] = [
    *(case(f"sort {dtype} 1e6", lambda m, a: a.sort()[0], array, (N,), group=dtype)
      for dtype in ("f32", "f64", "i64", "i32", "u8")),
    given("sort i64 1e6 (wide)", lambda m, a: a.sort()[0], ints(1 << 60), group="i64"),
    case("sort rows 1000x1000", lambda m, a: a.sort(1)[0], array, (1000, 1000)),
    case("sort dim=0 1000x1000", lambda m, a: a.sort(0)[0], array, (1000, 1000)),
    case("sort rows (1e5,8)", lambda m, a: a.sort(1)[0], array, (100_000, 8)),
    case("argsort 1e5", lambda m, a: a.argsort(), array, (100_000,)),
    given("sort stable desc i64 (few values)", lambda m, a: a.sort(stable=True, descending=True), ints(100),
          group="i64"),
    *(case(f"median {dtype} 1e6", lambda m, a: a.median(), array, (N,), group=dtype) for dtype in ("f32", "i64")),
    case("median dim=1", lambda m, a: a.median(1)[0], array, (1000, 1000)),
    case("quantile 1e5", lambda m, a: m.quantile(a, 0.3), array, (100_000,)),
    case("kthvalue 1e6", lambda m, a: a.kthvalue(1234)[0], array, (N,)),
    case("topk 10 of 1e6", lambda m, a: a.topk(10), array, (N,)),
    case("topk 5 rows 1000x1000", lambda m, a: a.topk(5), array, (1000, 1000)),
    case("topk 1000 of 1e5", lambda m, a: a.topk(1000), array, (100_000,)),
    given("topk 50 of 50257", lambda m, a: a.topk(50), partial(array, 50257)),
    given("unique i64 1e6 (1000 values)", lambda m, a: m.unique(a), ints(1000), group="i64"),
    given("unique i64 1e6 (1e6 values) inverse", lambda m, a: m.unique(a, return_inverse=True), ints(N), group="i64"),
    case("unique f32 1e5", lambda m, a: m.unique(a), array, (100_000,)),
    given("unique u8 1e6", lambda m, a: m.unique(a), ints(200, dtype="uint8"), group="u8"),
    given("unique_consecutive 1e6", lambda m, a: m.unique_consecutive(a), ints(3), group="i64"),
    given("searchsorted 1e6 in 1e4", lambda m, e, a: m.searchsorted(e, a), edges(10_000), BIG),
    given("bucketize 1e6 in 10", lambda m, a, e: m.bucketize(a, e), BIG, edges(10)),
    given("isin 1e5 in 1000", lambda m, a, b: m.isin(a, b), ints(10_000, 100_000), ints(10_000, 1000), group="i64"),
    given("isin 1e5 in 1e5", lambda m, a, b: m.isin(a, b), ints(N, 100_000), ints(N, 100_000, "int64"), group="i64"),
    case("nonzero 1e6", lambda m, a: (a > 0).nonzero(), array, (N,)),
    case("a[mask] 1e6", lambda m, a: a[a > 0], array, (N,)),
    case("masked_fill", lambda m, a: a.masked_fill(a > 0, 0.0), array, (1000, 1000)),
    case("masked_scatter", lambda m, a, b: a.masked_scatter(a > 0, b), array, (N,), (N,)),
    *(given(f"a[idx] 1e6 {dtype}", lambda m, a, i: a[i], partial(array, N, dtype=dtype), partial(index, N, N),
            group=dtype) for dtype in ("f32", "f64", "i64", "u8")),
    given("rows a[idx] (1e5,64)", lambda m, a, i: a[i], partial(array, 100_000, 64), partial(index, 50_000, 100_000)),
    given("index_select dim1 (1000,1000)", lambda m, a, i: a.index_select(1, i), partial(array, 1000, 1000),
          partial(index, 1000, 1000)),
    given("a[i,j] 1e6", lambda m, a, i, j: a[i, j], partial(array, 1000, 1000), partial(index, N, 1000), ints(1000)),
    given("a[:, idx]", lambda m, a, i: a[:, i], partial(array, 1000, 1000), partial(index, 1000, 1000)),
    given("gather dim0", lambda m, a, i: a.gather(0, i), partial(array, 1000, 1000),
          lambda: index(N, 1000).reshape(1000, 1000)),
    given("gather dim1", lambda m, a, i: a.gather(1, i), partial(array, 1000, 1000),
          lambda: index(N, 1000).reshape(1000, 1000)),
    given("take_along_dim", lambda m, a, i: m.take_along_dim(a, i, 1), partial(array, 1000, 1000),
          lambda: index(N, 1000).reshape(1000, 1000)),
    given("scatter_add 1e6 into 1e4", lambda m, a, i: m.zeros(10_000).scatter_add(0, i, a), BIG,
          partial(index, N, 10_000), tolerance=1e-3),
    given("scatter_add dim0 (1e4,64)", lambda m, a, i: m.zeros(1000, 64).scatter_add(0, i, a),
          partial(array, 10_000, 64), lambda: index(640_000, 1000).reshape(10_000, 64), tolerance=1e-3),
    given("scatter_reduce amax", lambda m, a, i: m.zeros(10_000).scatter_reduce(0, i, a, "amax"), BIG,
          partial(index, N, 10_000)),
    given("index_add rows (1e5,64)->(1000,64)", lambda m, a, i: m.zeros(1000, 64).index_add(0, i, a),
          partial(array, 100_000, 64), partial(index, 100_000, 1000), tolerance=1e-3),
    given("index_add 1e6 scalars", lambda m, a, i: m.zeros(10_000).index_add(0, i, a), BIG, partial(index, N, 10_000),
          tolerance=1e-3),
    given("index_put accumulate 1e5", lambda m, a, i: m.zeros(1000).index_put([i], a, accumulate=True),
          partial(array, 100_000), partial(index, 100_000, 1000), tolerance=1e-3),
    given("index_copy rows", lambda m, a, b, i: a.index_copy(0, i, b), partial(array, 10_000, 64),
          partial(array, 5000, 64), lambda: np.random.default_rng(7).permutation(10_000)[:5000]),
    given("embedding 1e4x128 lookups 2e4", lambda m, w, i: m.nn.functional.embedding(i, w), partial(array, 10_000, 128),
          partial(index, 20_000, 10_000)),
    given("one_hot 1e5x100", lambda m, i: m.nn.functional.one_hot(i, 100), partial(index, 100_000, 100), group="i64"),
    given("repeat_interleave counts", lambda m, a, n: m.repeat_interleave(a, n), partial(array, 100_000),
          lambda: np.random.default_rng(8).integers(0, 10, 100_000)),
]
