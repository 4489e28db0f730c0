"""Samples of the operators that write their first argument."""

from __future__ import annotations

from .sample import ALL, FLOATS, INTS, NUMBERS, SPECIAL, Failure, Sample, ints, mask, ramp

A, ROW, ZERO_D, POSITIVE = ramp(2, 3), ramp(3, start=2.0), ramp(start=3.0), ramp(2, 3, start=1.0)
M = mask([True, False, True], [False, True, False])
FLOAT_ARRAY = POSITIVE.astype("float32")

SAMPLES: dict[str, list[Sample]] = {
    "add_.Tensor": [
        Sample((A, ROW), {}, ALL),
        Sample((A, A), {"alpha": 2}, NUMBERS),
        Sample((A, ROW.astype("int32")), {}, FLOATS),
    ],
    "add_.TensorScalar": [
        Sample((A, 2), {}, NUMBERS),
        Sample((A, 2.5), {}, FLOATS),
        Sample((A, 2), {"alpha": 3}, NUMBERS),
    ],
    "sub_.Tensor": [Sample((A, ROW), {}, NUMBERS), Sample((A, ROW), {"alpha": 2}, NUMBERS), Sample((FLOAT_ARRAY, ROW))],
    "sub_.TensorScalar": [Sample((A, 2), {}, NUMBERS), Sample((A, 2.5), {}, FLOATS)],
    "mul_.Tensor": [Sample((A, ROW), {}, ALL), Sample((A, ZERO_D), {}, NUMBERS), Sample((ZERO_D, ZERO_D), {}, NUMBERS)],
    "mul_.TensorScalar": [Sample((A, 2), {}, NUMBERS), Sample((A, True), {}, ALL)],
    "div_.Tensor": [Sample((A, ROW), {}, FLOATS), Sample((A, ints(1, 2, 3)), {}, FLOATS)],
    "div_.TensorScalar": [Sample((A, 2), {}, FLOATS)],
    "relu_": [Sample((A,), {}, NUMBERS)],
    "neg_": [Sample((A,), {}, NUMBERS)],
    "exp_": [Sample((A,), {}, FLOATS)],
    "sqrt_": [Sample((POSITIVE,), {}, FLOATS)],
    "clamp_": [Sample((A, 0, 1), {}, NUMBERS), Sample((A, None, 0.5), {}, FLOATS)],
    "zero_": [Sample((A,), {}, ALL), Sample((ramp(0, 2),), {}, ALL)],
    "fill_": [Sample((A, 2), {}, ALL), Sample((A, 2.5), {}, ALL), Sample((A.astype("uint8") * 0, -1))],
    "copy_": [
        Sample((A, ROW), {}, ALL),
        Sample((A, FLOAT_ARRAY), {}, ALL),
        Sample((A, M), {}, ALL),
        Sample((FLOAT_ARRAY, A)),
    ],
    "masked_fill_": [Sample((A, M, 2), {}, NUMBERS), Sample((A, M[0], 0.5), {}, FLOATS)],
    "exponential_": [Sample((A,), {}, FLOATS, checks_values=False)],
    "normal_": [Sample((A,), {}, FLOATS, checks_values=False), Sample((A, 3.0, 0.0), {}, FLOATS)],
    "uniform_": [Sample((A,), {}, FLOATS, checks_values=False), Sample((A, 2.0, 2.0), {}, FLOATS)],
    "index_put_": [
        Sample((ramp(4, 3), [ints(0, 2)], ramp(2, 3)), {}, ALL),
        Sample((ramp(4, 3), [ints(0, 2, 0)], ramp(3)), {"accumulate": True}, ALL),
        Sample((ramp(4, 3), [None, ints(0, -1)], ramp(4, 1)), {}, NUMBERS, "ops.aten.index_put_"),
        Sample((ramp(2, 3), [M], ramp(start=9.0)), {}, NUMBERS),
        Sample((ramp(4, 3), [ints([0], [1]), ints(0, 2)], ramp(2, 2)), {}, NUMBERS),
    ],
    "scatter_reduce_": [
        Sample((ramp(3, 4), 0, ints([0, 1, 2, 1], [2, 1, 0, 1]), ramp(2, 4, start=-2.5, step=1.3), how), {}, dtypes)
        for how, dtypes in (("sum", ALL), ("prod", ALL), ("amax", NUMBERS), ("amin", NUMBERS))
    ]
    + [Sample((ramp(4), 0, ints(3, 0), SPECIAL[-3:], how), {}, FLOATS) for how in ("amax", "amin")]
    + [Sample((SPECIAL[-4:], 0, ints(3, 0, 2), ramp(4), how), {}, FLOATS) for how in ("amax", "amin")],
    "scatter_": [
        Sample((ramp(3, 4), 1, ints([0, 2], [1, 3]), ramp(2, 2)), {}, ALL),
        Sample((ramp(4), 0, ints(3, 0), ramp(4))),
    ],
    "index_add_": [
        Sample((ramp(4, 3), 0, ints(0, 2, 0), ramp(3, 3)), {}, ALL),
        Sample((ramp(4, 3), 1, ints(2, 1), ramp(4, 2))),
    ],
}


NONZERO = ramp(3, start=2.0)
for _name in ("floor_divide_", "remainder_"):
    SAMPLES[f"{_name}.Tensor"] = [Sample((A, NONZERO), {}, NUMBERS[1:]), Sample((POSITIVE, NONZERO), {}, NUMBERS)]
    SAMPLES[f"{_name}.TensorScalar"] = [Sample((A, v), {}, NUMBERS[1:]) for v in (2, -2)] + [
        Sample((A, 2.5), {}, FLOATS)
    ]
SAMPLES["pow_.Tensor"] = [Sample((A, NONZERO), {}, NUMBERS[1:]), Sample((POSITIVE, NONZERO), {}, NUMBERS)]
SAMPLES["pow_.TensorScalar"] = [Sample((POSITIVE, v), {}, NUMBERS) for v in (0, 2, 3)] + [
    Sample((POSITIVE, 0.5), {}, FLOATS)
]
for _name in ("bitwise_and_", "bitwise_or_", "bitwise_xor_"):
    SAMPLES[f"{_name}.Tensor"] = [Sample((A, ROW), {}, ("bool", *INTS)), Sample((A, POSITIVE), {}, INTS)]
    SAMPLES[f"{_name}.TensorScalar"] = [Sample((A, True), {}, ("bool", *INTS)), Sample((A, 6), {}, INTS)]

for _name in ("bitwise_left_shift_", "bitwise_right_shift_"):
    SAMPLES[f"{_name}.Tensor"] = [Sample((A, ints(0, 1, 70)), {}, INTS)]
    SAMPLES[f"{_name}.TensorScalar"] = [Sample((A, v), {}, INTS) for v in (2, -1)]

INT_ARRAY = A.astype("int64")
ERRORS: dict[str, list[Failure]] = {
    "add_.Tensor": [
        Failure((INT_ARRAY, A), "RuntimeError", "result type Double can't be cast to the desired output type Long"),
        Failure((ROW, A), "RuntimeError", "doesn't match the broadcast shape"),
        Failure((A, ramp(4)), "RuntimeError", "must match the size"),
    ],
    "add_.TensorScalar": [Failure((INT_ARRAY, 2.5), "RuntimeError", "can't be cast")],
    "sub_.TensorScalar": [Failure((INT_ARRAY, 2.5), "RuntimeError", "can't be cast")],
    "mul_.Tensor": [
        Failure((INT_ARRAY, A), "RuntimeError", "can't be cast"),
        Failure((ROW, A), "RuntimeError", "broadcast"),
    ],
    "mul_.TensorScalar": [Failure((M, 2), "RuntimeError", "can't be cast")],
    "div_.Tensor": [Failure((INT_ARRAY, INT_ARRAY), "RuntimeError", "can't be cast")],
    "neg_": [Failure((M,), "RuntimeError", "bool")],
    "sqrt_": [Failure((INT_ARRAY,), "RuntimeError", "can't be cast")],
    "sub_.Tensor": [Failure((M, M), "RuntimeError", "bool")],
    "div_.TensorScalar": [Failure((INT_ARRAY, 2), "RuntimeError", "can't be cast")],
    "exp_": [Failure((INT_ARRAY,), "RuntimeError", "can't be cast")],
    "relu_": [Failure((M,), "RuntimeError", "Boolean inputs")],
    "clamp_": [Failure((INT_ARRAY, 0.5), "RuntimeError", "can't be cast")],
    "fill_": [Failure((A.astype("uint8") * 0, 300), "RuntimeError", "without overflow")],
    "copy_": [Failure((A, ramp(4)), "RuntimeError", "must match the size")],
    "masked_fill_": [Failure((A, INT_ARRAY, 2), "RuntimeError", "mask")],
    "normal_": [Failure((INT_ARRAY,), "NotImplementedError", "Long"), Failure((A, 0.0, -1.0), "RuntimeError", "std")],
    "exponential_": [Failure((INT_ARRAY,), "RuntimeError", "Long"), Failure((A, -1.0), "RuntimeError", "lambda")],
    "uniform_": [Failure((A, 2.0, 1.0), "RuntimeError", "range")],
    "index_put_": [
        Failure((A, [ints(0)], INT_ARRAY), "RuntimeError", "dtypes match"),
        Failure((A, [ints(0)], ramp(4)), "RuntimeError", "cannot be broadcast"),
        Failure((A, [ints(5)], ramp(3)), "IndexError", "index 5 is out of bounds for dimension 0 with size 2"),
    ],
    "scatter_reduce_": [
        Failure((A, 1, ints([7]), ramp(1, 1), "sum"), "RuntimeError", "out of bounds"),
        Failure((A, 1, ints([0]), INT_ARRAY, "sum"), "RuntimeError", "same dtype"),
        Failure((A, 1, ints([0]), ramp(1, 1), "median"), "RuntimeError", "reduce must be"),
    ],
    "scatter_": [
        Failure((A, 1, ints([7]), ramp(1, 1)), "RuntimeError", "out of bounds"),
        Failure((A, 1, ints([0]), INT_ARRAY), "RuntimeError", "same dtype"),
    ],
    "index_add_": [
        Failure((A, 0, ints(5), ramp(1, 3)), "RuntimeError", "out of bounds", only_ours=True),
        Failure((A, 0, ints(0, 1), ramp(1, 3)), "RuntimeError", "index_add_"),
    ],
}
for _name in ("floor_divide_", "remainder_"):
    ERRORS[f"{_name}.Tensor"] = [
        Failure((INT_ARRAY, INT_ARRAY * 0), "RuntimeError", "ZeroDivisionError"),
        Failure((INT_ARRAY, A), "RuntimeError", "can't be cast"),
    ]
    ERRORS[f"{_name}.TensorScalar"] = [Failure((INT_ARRAY, 0), "RuntimeError", "ZeroDivisionError")]
ERRORS["pow_.Tensor"] = [
    Failure((INT_ARRAY, A), "RuntimeError", "can't be cast"),
    Failure((ROW, A), "RuntimeError", "broadcast"),
]
ERRORS["pow_.TensorScalar"] = [
    Failure((INT_ARRAY, -1), "RuntimeError", "negative integer powers"),
    Failure((INT_ARRAY, 0.5), "RuntimeError", "can't be cast"),
]
for _name in ("bitwise_left_shift_", "bitwise_right_shift_"):
    ERRORS[f"{_name}.Tensor"] = [Failure((A, A), "NotImplementedError", "Double")]
    ERRORS[f"{_name}.TensorScalar"] = [Failure((A, 1), "NotImplementedError", "Double")]
for _name in ("bitwise_and_", "bitwise_or_", "bitwise_xor_"):
    ERRORS[f"{_name}.Tensor"] = [
        Failure((A, A), "NotImplementedError", "Double"),
        Failure((M, INT_ARRAY), "RuntimeError", "can't be cast"),
    ]
    ERRORS[f"{_name}.TensorScalar"] = [
        Failure((A, 1), "NotImplementedError", "Double"),
        Failure((M, 2), "RuntimeError", "can't be cast"),
    ]
