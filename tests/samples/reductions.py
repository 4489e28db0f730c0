"""Samples of reductions, running sums and softmax."""

from __future__ import annotations

import numpy as np

from .sample import ALL, FLOATS, NUMBERS, SPECIAL, DType, Failure, Sample, mask, noise, ramp

CUBE, ZERO_D, EMPTY, LONG = ramp(2, 3, 4, start=-5.0), ramp(start=3.0), ramp(0, 3), noise(70, 1300)
NAN = np.array([[1.0, np.nan, 3.0], [np.nan, 5.0, np.nan]])
INF = np.array([[1.0, np.inf, 3.0], [-np.inf, 5.0, -np.inf]])
TIES = np.array([[2.0, 1.0, 2.0], [1.0, 1.0, 0.0]])
DIMS: tuple[tuple[list[int], bool], ...] = (
    ([0], False),
    ([1], True),
    ([-1], False),
    ([0, 2], False),
    ([2, 1], True),
    ([], False),
    ([0, 1, 2], False),
)
INPUTS = (CUBE, ZERO_D, EMPTY)

SAMPLES: dict[str, list[Sample]] = {
    "sum": [Sample((x,), {}, ALL) for x in INPUTS]
    + [Sample((x,), {}, FLOATS) for x in (LONG, NAN, INF)]
    + [Sample((CUBE,), {"dtype": DType(d)}, ALL[2:]) for d in ("int8", "float32", "bool")],
    "sum.dim": [Sample((CUBE, d, k), {}, ALL) for d, k in DIMS]
    + [Sample((EMPTY, [d]), {}, ALL) for d in (0, 1)]
    + [Sample((LONG, [d]), {}, FLOATS) for d in (0, 1)]
    + [Sample((ZERO_D, [0]), {}, ALL)],
    "mean": [Sample((x,), {}, FLOATS) for x in (*INPUTS, LONG)],
    "mean.dim": [Sample((CUBE, d, k), {}, FLOATS) for d, k in DIMS],
    "prod": [Sample((x,), {}, ALL) for x in INPUTS] + [Sample((noise(50, scale=2.0),), {}, FLOATS)],
    "amax": [Sample((CUBE, d, k), {}, ALL) for d, k in DIMS]
    + [Sample((NAN, [1]), {}, FLOATS), Sample((EMPTY, [1]), {}, ALL)],
    "amin": [Sample((CUBE, d, k), {}, ALL) for d, k in DIMS] + [Sample((NAN, [0]), {}, FLOATS)],
    "max.Tensor": [Sample((x,), {}, ALL) for x in (CUBE, ZERO_D)]
    + [Sample((x,), {}, FLOATS) for x in (NAN, INF, LONG)],
    "min.Tensor": [Sample((x,), {}, ALL) for x in (CUBE, ZERO_D)]
    + [Sample((x,), {}, FLOATS) for x in (NAN, INF, LONG)],
    "argmax": [Sample((x, *a), {}, NUMBERS) for x in (CUBE, TIES) for a in ((), (0,), (-1, True))]
    + [Sample((x,), {}, FLOATS) for x in (NAN, INF)]
    + [Sample((ZERO_D,), {}, NUMBERS)],
    "argmin": [Sample((x, *a), {}, NUMBERS) for x in (CUBE, TIES) for a in ((), (0,), (-1, True))]
    + [Sample((NAN, 1), {}, FLOATS)],
    "any.Tensor": [Sample((x,), {}, ALL) for x in (*INPUTS, CUBE * 0)],
    "any.dim": [Sample((x, d, k), {}, ALL) for x in (CUBE, TIES) for d, k in ((0, False), (-1, True))]
    + [Sample((EMPTY, 0), {}, ALL)],
    "all.Tensor": [Sample((x,), {}, ALL) for x in (*INPUTS, CUBE * 0)],
    "all.dim": [Sample((x, d, k), {}, ALL) for x in (CUBE, TIES) for d, k in ((0, False), (-1, True))]
    + [Sample((EMPTY, 0), {}, ALL)],
    "var": [Sample((x, u), {}, FLOATS) for x in (CUBE, LONG, ZERO_D, EMPTY) for u in (True, False)],
    "std": [Sample((x, u), {}, FLOATS) for x in (CUBE, LONG) for u in (True, False)],
    "var.dim": [Sample((CUBE, d, u, k), {}, FLOATS) for d, k in DIMS for u in (True, False)],
    "std.dim": [Sample((CUBE, d, True, k), {}, FLOATS) for d, k in DIMS],
    "cumsum": [Sample((CUBE, d), {}, ALL) for d in (0, 1, -1)]
    + [Sample((ZERO_D, 0), {}, ALL), Sample((EMPTY, 0), {}, ALL)],
    "softmax": [Sample((CUBE, d), {}, FLOATS) for d in (0, 1, -1)]
    + [Sample((ZERO_D, 0), {}, FLOATS), Sample((NAN, 1), {}, FLOATS)],
    "log_softmax": [Sample((CUBE, d), {}, FLOATS) for d in (0, 1, -1)]
    + [Sample((LONG, 1), {}, FLOATS), Sample((EMPTY, 0), {}, FLOATS)],
}
for _name in ("cumprod", "cummax", "cummin"):
    SAMPLES[_name] = [Sample((x, d), {}, NUMBERS) for x, d in ((CUBE, 0), (CUBE, 1), (CUBE, -1), (TIES, 1), (ZERO_D, 0), (EMPTY, 0))]
    SAMPLES[_name].append(Sample((NAN, 1), {}, FLOATS))
SAMPLES["logcumsumexp"] = [Sample((x, d), {}, FLOATS) for x, d in ((CUBE, 0), (CUBE, -1), (NAN, 1), (ZERO_D, 0), (EMPTY, 0))]
SAMPLES["kthvalue"] = [
    Sample((noise(4, 37, 3, seed=9), k, d, keep), {}, FLOATS) for k, d, keep in ((1, 0, False), (30, 1, True), (3, -1, False))
] + [Sample((noise(9, 700, seed=3), k), {}, FLOATS) for k in (1, 350, 700)] + [Sample((ZERO_D, 1), {}, NUMBERS)]
for _name in ("max.dim", "min.dim"):
    SAMPLES[_name] = [Sample((x, d, k), {}, ALL) for x in (CUBE, TIES) for d, k in ((0, False), (-1, True))]
    SAMPLES[_name] += [Sample((NAN, 1), {}, FLOATS), Sample((EMPTY, 1), {}, NUMBERS), Sample((ZERO_D, 0), {}, NUMBERS)]

INT = CUBE.astype("int64")
_LINES = noise(4, 37, 3, seed=9)
_FEW = (ramp(3, 4, start=5.0, step=-1.0) % 4, _LINES)
SAMPLES["sort.Tensor"] = [
    Sample((x, d, down, True), {}, NUMBERS, lambda t, dim, down, stable: tuple(t.sort(dim=dim, descending=down, stable=True)))
    for x in _FEW for d in (-1, 1, 0) for down in (False, True)
] + [
    Sample((SPECIAL, 0, down, True), {}, FLOATS, lambda t, dim, down, stable: tuple(t.sort(dim=dim, descending=down, stable=True)))
    for down in (False, True)
]
SAMPLES["argsort"] = [
    Sample((x, d, down, True), {}, NUMBERS, lambda t, dim, down, stable: t.argsort(dim=dim, descending=down, stable=True))
    for x in _FEW for d in (-1, 0) for down in (False, True)
]
SAMPLES["topk"] = [
    Sample((_LINES, k, d, largest), {}, FLOATS, lambda t, k, d, largest: tuple(t.topk(k, d, largest)))
    for k, d, largest in ((3, 1, True), (2, 1, False), (37, 1, True), (1, 0, True), (0, 2, True), (20, -2, False))
] + [Sample((ramp(start=3.0), 1), {}, FLOATS, lambda t, k: tuple(t.topk(k)))]

ERRORS: dict[str, list[Failure]] = {
    "sum.dim": [
        Failure((TIES, [2]), "IndexError", "Dimension out of range (expected to be in range of [-2, 1], but got 2)"),
        Failure((TIES, [0, -2]), "RuntimeError", "dim 0 appears multiple times in the list of dims"),
    ],
    "mean.dim": [
        Failure((INT, [0]), "RuntimeError", "Got: Long"),
        Failure((TIES, [2]), "IndexError", "Dimension out of range"),
    ],
    "var.dim": [
        Failure((INT, [0]), "RuntimeError", "int64"),
        Failure((TIES, [0, 0]), "RuntimeError", "multiple times"),
    ],
    "std.dim": [
        Failure((INT, [0]), "RuntimeError", "int64"),
        Failure((TIES, [-3]), "IndexError", "Dimension out of range"),
    ],
    "std": [Failure((INT,), "RuntimeError", "int64")],
    "amin": [Failure((EMPTY, []), "RuntimeError", "numel() == 0")],
    "min.Tensor": [Failure((EMPTY,), "RuntimeError", "numel() == 0")],
    "min.dim": [
        Failure((EMPTY, 0), "IndexError", "non-zero size"),
        Failure((TIES, 2), "IndexError", "Dimension out of range"),
    ],
    "argmin": [
        Failure((EMPTY,), "IndexError", "numel() == 0"),
        Failure((TIES, 2), "IndexError", "Dimension out of range"),
    ],
    "any.dim": [Failure((TIES, 2), "IndexError", "Dimension out of range")],
    "all.dim": [Failure((TIES, -3), "IndexError", "Dimension out of range")],
    "log_softmax": [
        Failure((INT, 0), "NotImplementedError", "Long"),
        Failure((TIES, 5), "IndexError", "Dimension out of range"),
    ],
    "mean": [Failure((INT,), "RuntimeError", "mean(): could not infer output dtype. Input dtype must be")],
    "var": [Failure((INT,), "RuntimeError", "int64")],
    "amax": [Failure((EMPTY, []), "RuntimeError", "numel() == 0"), Failure((EMPTY, [0]), "IndexError", "dim 0")],
    "max.Tensor": [Failure((EMPTY,), "RuntimeError", "numel() == 0")],
    "max.dim": [Failure((EMPTY, 0), "IndexError", "non-zero size")],
    "argmax": [Failure((EMPTY,), "IndexError", "numel() == 0"), Failure((mask(True),), "RuntimeError", "bool")],
    **{
        name: [Failure((TIES, 2), "IndexError", "Dimension out of range")]
        for name in ("cumsum", "cumprod", "cummax", "cummin", "logcumsumexp")
    },
    "kthvalue": [
        Failure((TIES, 9), "RuntimeError", "out of range for dimension 1"),
        Failure((TIES, 1, 2), "IndexError", "out of range"),
    ],
    "softmax": [
        Failure((INT, 0), "NotImplementedError", "Long"),
        Failure((TIES, 5), "IndexError", "Dimension out of range"),
    ],
    "sort.Tensor": [Failure((ramp(3), 1), "IndexError", "out of range", {}, "sort")],
    "topk": [
        Failure((ramp(3), 4), "RuntimeError", "out of range", {}, "topk"),
        Failure((ramp(3), 1, 2), "IndexError", "out of range", {}, "topk"),
    ],
}
