"""Samples of operators that make tensors from numbers."""

from __future__ import annotations

from .sample import ALL, FLOATS, DType, Failure, Sample, ramp

A, INT = ramp(2, 3), ramp(2, 3).astype("int64")
DTYPES = [DType(name) for name in ALL]
SIZES: tuple[list[int], ...] = ([2, 3], [], [0, 4])


def _sized(name: str, dtypes: list[DType] = DTYPES, checks: bool = True) -> list[Sample]:
    samples = [Sample((s,), {}, (), name, checks_values=checks) for s in SIZES]
    return samples + [Sample(([2],), {"dtype": d}, (), name, checks_values=checks) for d in dtypes]


def _like(name: str, dtypes: tuple[str, ...] = ALL, checks: bool = True) -> list[Sample]:
    return [
        Sample((A,), {}, dtypes, name, checks_values=checks),
        Sample((INT,), {"dtype": DType("float32")}, (), name, checks_values=checks),
    ]


FLOAT_DTYPES = [DType(name) for name in FLOATS]
SAMPLES: dict[str, list[Sample]] = {
    "zeros": _sized("zeros"),
    "ones": _sized("ones"),
    "empty": _sized("empty", checks=False),
    "rand": _sized("rand", FLOAT_DTYPES, False),
    "randn": _sized("randn", FLOAT_DTYPES, False),
    "zeros_like": _like("zeros_like"),
    "ones_like": _like("ones_like"),
    "empty_like": _like("empty_like", checks=False),
    "rand_like": _like("rand_like", FLOATS, False),
    "randn_like": _like("randn_like", FLOATS, False),
    "full": [Sample(([2, 2], v), {}, (), "full") for v in (1, 2.5, True)]
    + [Sample(([2], 2.5), {"dtype": d}, (), "full") for d in DTYPES],
    "full_like": [Sample((A, v), {}, ALL, "full_like") for v in (1, 2.5)],
    "randperm": [Sample((n,), {}, (), "randperm", checks_values=n < 2) for n in (0, 1, 5)],
    "randint": [Sample((0, 5, s), {}, (), "randint", checks_values=False) for s in SIZES]
    + [Sample((3, 4, [5]), {"dtype": d}, (), "randint") for d in DTYPES[1:]],
    "arange": [Sample((v,), {}, (), "arange") for v in (5, 0, 2.5)]
    + [Sample((5,), {"dtype": d}, (), "arange") for d in DTYPES[1:]],
    "arange.start": [Sample(a, {}, (), "arange") for a in ((1, 5), (0, 1, 0.25), (5, 0, -2), (2, 2), (1.0, 2.0, 0.1))]
    + [Sample((0, 2.5), {"dtype": DType("int64")}, (), "arange")],
    "linspace": [
        Sample(a, {}, (), "linspace") for a in ((0, 1, 5), (3, -3, 4), (2.0, 5.0, 1), (0, 1, 0), (0.0, 1.0, 33))
    ]
    + [Sample((0, 10, 4), {"dtype": DType(d)}, (), "linspace") for d in ("float64", "int64")],
    "eye": [Sample((3,), {}, (), "eye"), Sample((2, 4), {}, (), "eye"), Sample((0,), {}, (), "eye")]
    + [Sample((2,), {"dtype": d}, (), "eye") for d in DTYPES],
    "tensor": [
        Sample((v,), {}, (), "tensor")
        for v in (
            1,
            2.5,
            True,
            [1, 2],
            [[1, 2], [3, 4.5]],
            [True, 2],
            [],
            [[], []],
            (1, (2,)[0]),
            [True, False],
            [[[1.5]]],
        )
    ]
    + [Sample(([1, 0],), {"dtype": d}, (), "tensor") for d in DTYPES],
}

ERRORS: dict[str, list[Failure]] = {
    "zeros": [
        Failure(([-1],), "RuntimeError", "non-negative", {}, "zeros"),
        Failure(([2**62, 4],), "RuntimeError", "too large", {}, "zeros"),
    ],
    "ones": [
        Failure(([2, -1],), "RuntimeError", "non-negative", {}, "ones"),
        Failure(([2**62, 4],), "RuntimeError", "too large", {}, "ones"),
    ],
    "empty": [Failure(([2, -1],), "RuntimeError", "non-negative", {}, "empty")],
    "full_like": [Failure((INT.astype("uint8") * 0, 300), "RuntimeError", "without overflow", {}, "full_like")],
    "randn": [Failure(([2],), "NotImplementedError", "Long", {"dtype": DType("int64")}, "randn")],
    "rand_like": [Failure((INT,), "NotImplementedError", "Long", {}, "rand_like")],
    "randn_like": [Failure((INT,), "NotImplementedError", "Long", {}, "randn_like")],
    "rand": [Failure(([2],), "NotImplementedError", "Long", {"dtype": DType("int64")}, "rand")],
    "full": [Failure(([2], 300), "RuntimeError", "without overflow", {"dtype": DType("uint8")}, "full")],
    "randperm": [Failure((-1,), "RuntimeError", "non-negative", {}, "randperm")],
    "randint": [
        Failure((3, 3, [2]), "RuntimeError", "low must be less", {}, "randint"),
        Failure((0, 300, [2]), "RuntimeError", "out of bounds", {"dtype": DType("uint8")}, "randint"),
    ],
    "arange": [
        Failure((-3,), "RuntimeError", "inconsistent", {}, "arange"),
        Failure((float("inf"),), "RuntimeError", "range", {}, "arange"),
    ],
    "arange.start": [
        Failure((0, 5, 0), "RuntimeError", "nonzero", {}, "arange"),
        Failure((5, 0), "RuntimeError", "inconsistent", {}, "arange"),
    ],
    "linspace": [Failure((0, 1, -1), "RuntimeError", "non-negative", {}, "linspace")],
    "eye": [
        Failure((-1,), "RuntimeError", "n must be", {}, "eye"),
        Failure((2, -3), "RuntimeError", "m must be", {}, "eye"),
    ],
    "tensor": [
        Failure(([[1], [1, 2]],), "ValueError", "expected sequence of length 1 at dim 1 (got 2)", {}, "tensor"),
        Failure(([1, [2]],), "TypeError", "list", {}, "tensor"),
        Failure(("a",), "TypeError", "str", {}, "tensor"),
        Failure(([300],), "RuntimeError", "without overflow", {"dtype": DType("uint8")}, "tensor"),
    ],
}
