"""Samples of views, joining and indexing, and of what a program asks of a tensor."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from .sample import ALL, FLOATS, NUMBERS, SPECIAL, DType, Failure, Sample, ints, mask, noise, ramp

A, CUBE, ROW, ZERO_D, EMPTY = ramp(2, 3), ramp(2, 3, 4), ramp(3), ramp(start=3.0), ramp(0, 3)

def _padded(x: Any, counts: list[int], mode: str, value: float) -> Any:
    """PyTorch reflects only the last dimensions of ranks that have a kernel."""
    import torch

    if mode == "reflect" and min(counts) < 0:  # cut first
        ends = [slice(max(-a, 0), n - max(-b, 0)) for a, b, n in zip(counts[-2::-2], counts[::-2], x.shape[-len(counts) // 2 :])]
        x, counts = x[(..., *ends)], [max(n, 0) for n in counts]
    return torch.nn.functional.pad(x, counts, mode)


SAMPLES: dict[str, list[Sample]] = {
    "dim": [Sample((CUBE,)), Sample((ZERO_D,))],
    "numel": [Sample((CUBE,)), Sample((EMPTY,))],
    "shape": [Sample((x,), reference=lambda t: tuple(t.shape)) for x in (CUBE, ZERO_D, EMPTY)],
    "size.dim": [Sample((CUBE, d)) for d in (0, -1)],
    "stride": [Sample((x,)) for x in (CUBE, ZERO_D)],
    "len.Tensor": [Sample((CUBE,), reference=len)],
    "dtype": [Sample((ROW,), {}, ALL, lambda tensor: tensor.dtype)],
    "eq.dtype": [Sample((DType(a), DType(b)), reference=operator.eq) for a in ALL for b in ("int64", "float32")],
    "ne.dtype": [Sample((DType(a), DType(b)), reference=operator.ne) for a in ALL for b in ("int64", "float32")],
    "is_contiguous": [Sample((CUBE,)), Sample((ROW,)), Sample((ramp(1, 1),))],
    "is_floating_point": [Sample((ROW,), {}, ALL)],
    "item": [Sample((x,), {}, ALL) for x in (ZERO_D, ramp(1, 1))],
    "int.Tensor": [Sample((ramp(1, start=-2.5),), {}, ALL, int)],
    "float.Tensor": [Sample((ramp(1, start=-2.5),), {}, ALL, float)],
    "bool.Tensor": [Sample((ramp(1, start=v),), {}, ALL, bool) for v in (0.0, 2.0)],
    "tolist.ints": [Sample((ints(3, -1),)), Sample((ints(3, 1, dtype="uint8"),)), Sample((ints(),))],
    "tolist.floats": [Sample((ROW,), {}, FLOATS)],
    "tolist.bools": [Sample((mask(True, False),))],
    "equal": [Sample((A, x), {}, ALL) for x in (A, A + 1, ROW)],
    "allclose": [Sample((A, A + d), {}, FLOATS) for d in (0.0, 1e-7, 1e-2)]
    + [Sample((A * np.nan, A * np.nan), {"equal_nan": e}, FLOATS) for e in (True, False)],
    "view": [Sample((ROW, [3, 1])), Sample((ZERO_D, [1, 1])), Sample((EMPTY, [3, 0])), Sample((ROW, [-1]))],
    "reshape": [Sample((CUBE, list(s)), {}, ALL) for s in ((6, 4), (-1,), (4, 6), (2, 3, 2, 2), (2, 1, 12))],
    "flatten": [Sample((CUBE, *a)) for a in ((), (1,), (0, 1), (1, 1))] + [Sample((ZERO_D,)), Sample((EMPTY,))],
    "permute": [Sample((CUBE, [2, 0, -2]))],
    "mT": [Sample((x,), reference=lambda t: t.mT) for x in (CUBE, A, EMPTY)],
    "transpose": [Sample((CUBE, 0, -1)), Sample((ZERO_D, 0, -1)), Sample((CUBE, 1, 1))],
    "t": [Sample((A,)), Sample((ROW,)), Sample((ZERO_D,))],
    "squeeze": [Sample((ramp(1, 3, 1),)), Sample((A,))],
    "squeeze.dim": [Sample((ramp(1, 3, 1), d)) for d in (0, 1, -1)],
    "unsqueeze": [Sample((A, d)) for d in (0, 1, 2, -1, -3)],
    "expand": [Sample((ramp(3, 1), list(s))) for s in ((3, 4), (2, 3, 4), (-1, 4), (3, 0))]
    + [Sample((ZERO_D, [2, 2]))],
    "select.int": [Sample((CUBE, d, i)) for d, i in ((0, 1), (-1, -1), (1, 0))],
    "slice.Tensor": [
        Sample((CUBE, *a), {}, (), "ops.aten.slice")
        for a in ((0, 1), (1, 0, 2), (2, -3, -1), (2, 0, 99, 2), (2, 3, 1), (2, None, None, 3), (2, 1, None, 5))
    ],
    "narrow.Tensor": [Sample((CUBE, 2, s, n)) for s, n in ((0, 2), (-2, 2), (4, 0))],
    "as_strided": [
        Sample((ROW, *a))
        for a in (([2, 2], [1, 1]), ([3], [0]), ([2], [1], 1), ([], []), ([0, 2], [5, 1]))
    ],
    "unbind": [Sample((CUBE, d)) for d in (0, -1)] + [Sample((EMPTY,))],
    "split": [Sample((ROW, n)) for n in (1, 2, 3, 5)] + [Sample((CUBE, 3, -1)), Sample((EMPTY, 2))],
    "chunk": [Sample((ramp(5), n)) for n in (1, 2, 4, 7)] + [Sample((EMPTY, 2))],
    "diagonal": [Sample((CUBE, *a)) for a in ((), (1,), (-1,), (0, 1, 2), (1, -1, 0), (9,))],
    "contiguous": [Sample((CUBE,), {}, ALL)],
    "detach": [Sample((A,))],
    "to.dtype": [Sample((ramp(7) * 1.7, DType(d)), {}, ALL[2:]) for d in ALL[2:]],
    "cast.float32": [Sample((A,), {}, ALL, "Tensor.float")],
    "cast.float64": [Sample((A,), {}, ALL, "Tensor.double")],
    "cast.int64": [Sample((A * 1.7,), {}, ALL[2:], "Tensor.long")],
    "cast.int32": [Sample((A * 1.7,), {}, ALL[2:], "Tensor.int")],
    "cast.bfloat16": [Sample((x,), {}, ALL, "Tensor.bfloat16") for x in (A * 1.7, noise(40, scale=1e3))]
    + [Sample((SPECIAL,), {}, FLOATS, "Tensor.bfloat16"), Sample((ramp(300, step=0.37),), {}, FLOATS, "Tensor.bfloat16")],
    "view.dtype": [
        Sample((A, DType(other)), {}, (dtype,), lambda t, dtype: t.view(dtype))
        for dtype, other in (("float32", "int32"), ("float64", "int64"), ("int16", "bfloat16"), ("uint8", "int8"))
    ],
    "cast.bool": [Sample((A * 0.5,), {}, ALL[2:], "Tensor.bool")],
    "cat": [Sample(([A, A], d), {}, ALL) for d in (0, 1, -1)]
    + [Sample(([A, A.astype("int32")],), {}, NUMBERS), Sample(([ramp(0), A],)), Sample(([EMPTY, A],)), Sample(([A],))],
    "stack": [Sample(([A, A], d), {}, ALL) for d in (0, 1, 2, -1)]
    + [Sample(([ZERO_D, ZERO_D],)), Sample(([A, A.astype("int8")],))],
    "index.Tensor": [
        Sample((CUBE, i), {}, ALL, "ops.aten.index")
        for i in (
            [ints(0, 1, 0)],
            [None, ints(-1, 0)],
            [None, None, ints([0, 1], [2, 3])],
            [ints(0, 1), None, ints(1, 2)],
            [ints(0), ints(0, 2)],
            [mask(True, False)],
            [mask([True, False, True], [False, False, True])],
            [None, mask(True, False, True), ints(0, 3)],
            [ints(dtype="int64")],
            [ints(1, 0, dtype="int32")],
        )
    ],
    "index_select": [Sample((CUBE, d, ints(1, 0, 1))) for d in (0, 1, -1)] + [Sample((A, 0, ints()), {}, ALL)],
    "gather": [
        Sample((A, 1, ints([0, 0], [2, 1])), {}, ALL),
        Sample((A, 0, ints([0, 1, 0]))),
        Sample((ROW, 0, ints(2))),
    ],
    "nonzero": [Sample((x,), {}, ALL) for x in (A, ZERO_D, EMPTY, ramp(3, 2, 2, start=-2.0))],
    "flip": [Sample((CUBE, d), {}, ALL) for d in ([0], [1, 2], [], [-1])],
    "tril": [Sample((ramp(2, 3, 4), k), {}, ALL) for k in (0, 1, -1, 9, -9)],
    "triu": [Sample((ramp(2, 3, 4), k), {}, ALL) for k in (0, 1, -1, 9, -9)],
    "pad": [
        *(Sample((x, p, "constant", v), {}, ALL, "nn.functional.pad") for x, p, v in (
            (A, [1, 2], 0), (A, [0, 1, 2, 0], 1), (A, [-1, 2, 0, -1], 3), (ramp(2, 3, 4), [1, 0, -1, 3, 2, 1], 0), (ramp(0, 2), [1, 1, 2, 0], 5),
            (A, [], 0), (A, [-2, -1], 0))),
        *(Sample((ramp(3, 4, 5), p, mode, 0), {}, NUMBERS, _padded) for mode in ("reflect", "replicate", "circular")
          for p in ([2, 3], [0, 2, 3, 1], [3, 0, -1, 2])),
        *(Sample((ramp(2, 3, 3, 4, 5), [2, 1, 0, 3, 2, 2], mode, 0), {}, FLOATS, _padded) for mode in ("replicate", "circular")),
        Sample((ramp(3, 9), [8, 8], "reflect", 0), {}, FLOATS, _padded),
        Sample((ramp(3, 2), [5, 7], "replicate", 0), {}, FLOATS, _padded),
    ],
    "repeat": [Sample((A, r), {}, ALL) for r in ([2, 1], [1, 2], [2, 3], [2, 1, 2], [0, 1])] + [Sample((ZERO_D, [3]))],
    "embedding": [
        Sample((ramp(5, 3), i), {}, ALL, "ops.aten.embedding") for i in (ints(0, 4, 4), ints([1], [2]), ints())
    ],
}

ERRORS: dict[str, list[Failure]] = {
    "size.dim": [
        Failure((A, 2), "IndexError", "Dimension out of range (expected to be in range of [-2, 1], but got 2)")
    ],
    "len.Tensor": [Failure((ZERO_D,), "TypeError", "len() of a 0-d tensor", reference=len)],
    "item": [Failure((A,), "RuntimeError", "a Tensor with 6 elements cannot be converted to Scalar")],
    "int.Tensor": [
        Failure((A,), "ValueError", "only one element", reference=int),
        Failure((ramp(1) * np.nan,), "ValueError", "cannot convert float NaN to integer", reference=int),
        Failure((ramp(1) * np.inf,), "OverflowError", "cannot convert float infinity to integer", reference=int),
    ],
    "float.Tensor": [Failure((A,), "ValueError", "only one element", reference=float)],
    "tolist.ints": [Failure((x,), "TypeError", "", only_ours=True) for x in (ROW, ints([1]), mask(True))],
    "tolist.floats": [Failure((x,), "TypeError", "", only_ours=True) for x in (ints(1), A, mask(True))],
    "tolist.bools": [Failure((x,), "TypeError", "", only_ours=True) for x in (ints(1), mask([True]), ROW)],
    "reshape": [Failure((A, [4]), "RuntimeError", "invalid"), Failure((A, [-1, 4]), "RuntimeError", "invalid")],
    "squeeze.dim": [Failure((A, 2), "IndexError", "Dimension out of range")],
    "slice.Tensor": [
        Failure((A, 2), "IndexError", "too many indices", reference="ops.aten.slice"),
        Failure((A, 0, 0, 1, 0), "ValueError", "step", reference=lambda t, *_: t[0:1:0]),
        Failure((A, 0, 0, 1, -1), "ValueError", "step", reference=lambda t, *_: t[0:1:-1]),
    ],
    "bool.Tensor": [Failure((A,), "RuntimeError", "more than one value is ambiguous", reference=bool)],
    "allclose": [Failure((A, A.astype("float32")), "RuntimeError", "did not match")],
    "view.dtype": [Failure((A, DType("float32")), "RuntimeError", "differ in size", only_ours=True)],
    "view": [
        Failure((A, [4]), "RuntimeError", "invalid"),
        Failure((A, [-1, -1]), "RuntimeError", "only one dimension"),
        Failure((A, [-2, 3]), "RuntimeError", "invalid shape dimension -2"),
        Failure((ramp(0), [-1, 0]), "RuntimeError", "is ambiguous"),
        Failure((A, [2**62, 4]), "RuntimeError", "invalid"),
    ],
    "flatten": [Failure((A, 1, 0), "RuntimeError", "start_dim cannot come after end_dim")],
    "permute": [Failure((A, [0, 0]), "RuntimeError", "duplicate"), Failure((A, [0]), "RuntimeError", "permute")],
    "transpose": [Failure((A, 0, 2), "IndexError", "Dimension out of range")],
    "mT": [Failure((ROW,), "RuntimeError", "batches of matrices. Got 1-D tensor.", reference=lambda t: t.mT)],
    "t": [Failure((CUBE,), "RuntimeError", "at most 2")],
    "unsqueeze": [Failure((A, 3), "IndexError", "[-3, 2]")],
    "expand": [Failure((A, [4, 3]), "RuntimeError", "The expanded size of the tensor (4) must match the existing size (2)"), Failure((A, [3]), "RuntimeError", "sizes")],
    "select.int": [
        Failure((A, 0, 5), "IndexError", "index 5 is out of bounds for dimension 0 with size 2"),
        Failure((ZERO_D, 0, 0), "IndexError", "0-dim"),
    ],
    "narrow.Tensor": [
        Failure((A, 0, 1, 2), "RuntimeError", "exceeds"),
        Failure((A, 0, 5, 1), "IndexError", "start out of range"),
    ],
    "as_strided": [
        Failure((A, [2, 9], [3, 1]), "RuntimeError", "outside of the tensor's memory"),
        Failure((A, [2], [1, 1]), "RuntimeError", "mismatch in length of strides and shape"),
        Failure((A, [2], [-1]), "RuntimeError", "must not be negative"),
    ],
    "unbind": [Failure((ZERO_D,), "IndexError", "no dimensions")],
    "split": [Failure((A, 0), "RuntimeError", "can only be 0"), Failure((A, -1), "RuntimeError", "non-negative")],
    "chunk": [Failure((A, 0), "RuntimeError", "greater than 0")],
    "diagonal": [Failure((A, 0, 0, 0), "RuntimeError", "identical")],
    "cat": [
        Failure(([A, ramp(2, 2)],), "RuntimeError", "must match except in dimension 0", reference="cat"),
        Failure(([ZERO_D],), "RuntimeError", "zero-dimensional", reference="cat"),
        Failure(([],), "ValueError", "non-empty", reference="cat"),
    ],
    "stack": [Failure(([A, ROW],), "RuntimeError", "equal size", reference="stack")],
    "index.Tensor": [
        Failure(
            (A, [ints(5)]),
            "IndexError",
            "index 5 is out of bounds for dimension 0 with size 2",
            reference="ops.aten.index",
        ),
        Failure((A, [ints(0), ints(0), ints(0)]), "IndexError", "too many indices", reference="ops.aten.index"),
        Failure((A, [ints(0, 1), ints(0, 1, 2)]), "IndexError", "broadcast", reference="ops.aten.index"),
        Failure((A, [mask(True)]), "IndexError", "mask", reference="ops.aten.index"),
        Failure((A, [ROW]), "IndexError", "must be long, int, byte or bool", reference="ops.aten.index"),
    ],
    "index_select": [
        Failure((A, 0, ints(5)), "IndexError", "index out of range in self"),
        Failure((A, 0, ints([0])), "IndexError", "vector"),
    ],
    "gather": [
        Failure((A, 1, ints([5])), "RuntimeError", "index 5 is out of bounds for dimension 1 with size 3"),
        Failure((A, 1, ints(0)), "RuntimeError", "same number of dimensions"),
        Failure((A, 1, ints([0], [0], [0])), "RuntimeError", "larger"),
        Failure((A, 1, ROW[None]), "RuntimeError", "int64"),
    ],
    "flip": [Failure((A, [0, 0]), "RuntimeError", "multiple times")],
    "triu": [Failure((ROW,), "RuntimeError", "at least 2")],
    "tril": [Failure((ROW,), "RuntimeError", "at least 2")],
    "pad": [
        Failure((A, [1], "constant", 0), "RuntimeError", "two counts", {}, None, True),
        Failure((A, [3, 0], "reflect", 0), "RuntimeError", "less than the extent", {}, None, True),
        Failure((A, [4, 0], "circular", 0), "RuntimeError", "larger than the extent", {}, None, True),
        Failure((A, [-2, -2], "constant", 0), "RuntimeError", "negative output size", {}, None, True),
        Failure((ramp(2, 0), [1, 0], "replicate", 0), "RuntimeError", "nothing to replicate", {}, None, True),
        Failure((A, [1, 2**62], "constant", 0), "RuntimeError", "too large", {}, None, True),
        Failure((A, [1, 1], "mirror", 0), "RuntimeError", "mode must be", {}, None, True),
    ],
    "repeat": [Failure((A, [2]), "RuntimeError", "repeat"), Failure((A, [1, -1]), "RuntimeError", "non-negative")],
    "embedding": [Failure((A, ints(5)), "IndexError", "index out of range in self", reference="ops.aten.embedding")],
}
