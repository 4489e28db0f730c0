"""Samples of the elementwise operators with new results."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from .sample import ALL, FLOATS, INTS, NUMBERS, SPECIAL, Failure, Sample, ints, mask, noise, ramp

A, B = ramp(2, 3), ramp(2, 3, start=7.0, step=-2.0)
COLUMN, ROW, ZERO_D, EMPTY = ramp(2, 1, start=1.0), ramp(3, start=2.0), ramp(start=3.0), ramp(0, 3)
POSITIVE = ramp(3, 3, start=1.0)
LONG = noise(37, 129, scale=3.0)


def _pairs(dtypes: tuple[str, ...], **kwargs: Any) -> list[Sample]:
    """Shapes that broadcast in every way, special floats, and operands of different dtypes."""
    shapes = [(A, B), (A, COLUMN), (ROW, COLUMN), (A, ZERO_D), (ZERO_D, ZERO_D), (EMPTY, ROW), (EMPTY, ZERO_D)]
    samples = [Sample(pair, kwargs, dtypes) for pair in shapes]
    samples += [Sample((A, POSITIVE[0].astype(other)), kwargs, dtypes) for other in NUMBERS if dtypes is not INTS]
    samples.append(Sample((LONG, np_flip(LONG)), kwargs, FLOATS if "float32" in dtypes else dtypes))
    if "float64" in dtypes:
        samples.append(Sample((SPECIAL, SPECIAL[::-1].copy()), kwargs, FLOATS))
    return samples


def np_flip(x: Any) -> Any:
    """The array backwards, as a new one."""
    return x[::-1, ::-1].copy()


def _scalars(values: tuple[Any, ...], dtypes: tuple[str, ...], is_left: bool = False, **kwargs: Any) -> list[Sample]:
    operand = POSITIVE
    return [Sample((v, operand) if is_left else (operand, v), kwargs, dtypes) for v in values]


SAMPLES: dict[str, list[Sample]] = {}

for _name, _dtypes in (("add", ALL), ("sub", NUMBERS)):
    SAMPLES[f"{_name}.Tensor"] = _pairs(_dtypes) + _pairs(NUMBERS, alpha=3) + _pairs(FLOATS, alpha=0.5)
    SAMPLES[f"{_name}.TensorScalar"] = _scalars((2, 2.5, -1), _dtypes) + _scalars((2,), NUMBERS, alpha=3)
    SAMPLES[f"{_name}.ScalarTensor"] = [
        Sample((v, POSITIVE), {}, _dtypes, "add") for v in ((2, 2.5) if _name == "add" else ())
    ]
SAMPLES["sub.ScalarTensor"] = [Sample((v, POSITIVE), {}, NUMBERS, lambda s, t: s - t) for v in (2, 2.5)]
SAMPLES["mul.Tensor"] = _pairs(ALL)
SAMPLES["mul.TensorScalar"] = _scalars((2, 2.5, True), ALL)
SAMPLES["mul.ScalarTensor"] = [Sample((v, POSITIVE), {}, ALL, lambda s, t: s * t) for v in (2, 2.5)]
SAMPLES["div.Tensor"] = _pairs(ALL)
SAMPLES["div.TensorScalar"] = _scalars((2, 2.5, 0), ALL)
SAMPLES["div.ScalarTensor"] = [Sample((v, POSITIVE), {}, ALL, lambda s, t: s / t) for v in (2, 2.5)]
_NONZERO = [Sample((A, POSITIVE[:2]), {}, NUMBERS), Sample((A, COLUMN), {}, NUMBERS), Sample((EMPTY, ROW), {}, NUMBERS)]
_NONZERO += [Sample((A, -POSITIVE[:2]), {}, NUMBERS[1:]), Sample((SPECIAL, SPECIAL[::-1].copy()), {}, FLOATS)]
_NONZERO += [Sample((ramp(4), ramp(1, start=v)), {}, NUMBERS[1:]) for v in (2.0, -1.0, -2.0)]
for _name in ("floor_divide", "remainder", "fmod"):
    SAMPLES[f"{_name}.Tensor"] = _NONZERO
SAMPLES["floor_divide.TensorScalar"] = [Sample((A, v), {}, NUMBERS[1:]) for v in (2, 2.5, -2)]
SAMPLES["fmod.TensorScalar"] = [Sample((A, v), {}, NUMBERS[1:]) for v in (2, 2.5, -2)]
SAMPLES["remainder.TensorScalar"] = [Sample((A, v), {}, NUMBERS[1:]) for v in (2, 2.5, -2)]
SAMPLES["floor_divide.ScalarTensor"] = [Sample((v, POSITIVE), {}, NUMBERS, lambda s, t: s // t) for v in (7, 7.5)]
SAMPLES["remainder.ScalarTensor"] = [Sample((v, POSITIVE), {}, NUMBERS, lambda s, t: s % t) for v in (7, 7.5)]
SAMPLES["pow.Tensor"] = [
    Sample((A, ramp(3, start=0.0)), {}, NUMBERS),
    Sample((A, -ramp(3, start=0.0)), {}, NUMBERS[1:]),
    Sample((POSITIVE, POSITIVE), {}, NUMBERS),
    Sample((SPECIAL, SPECIAL[::-1].copy()), {}, FLOATS),
]
SAMPLES["pow.TensorScalar"] = [
    *(Sample((POSITIVE, v), {}, NUMBERS) for v in (0, 1, 2, 3, 0.5, 2.5, -1.5)),
    Sample((POSITIVE, -2), {}, FLOATS),
    *(Sample((POSITIVE - 1, v), {}, ("bool",)) for v in (True, False, 2)),
]
SAMPLES["pow.ScalarTensor"] = [Sample((v, POSITIVE), {}, NUMBERS, lambda s, t: s**t) for v in (2, 2.5, 1)]
SAMPLES["pow.ScalarTensor"] += [Sample((v, A), {}, NUMBERS[1:], lambda s, t: s**t) for v in (2, -1, 1)]
SAMPLES["maximum"] = SAMPLES["minimum"] = _pairs(ALL)
SAMPLES["atan2"] = _pairs(NUMBERS)
SAMPLES["hypot"] = _pairs(FLOATS)
SAMPLES["xlogy"] = _pairs(NUMBERS)
for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
    SAMPLES[f"{_name}.Tensor"] = _pairs(ALL)
    SAMPLES[f"{_name}.TensorScalar"] = _scalars((3, 2.5, True), ALL) + [Sample((SPECIAL, 1.0), {}, FLOATS)]
for _name in ("bitwise_and", "bitwise_or", "bitwise_xor"):
    SAMPLES[f"{_name}.Tensor"] = [Sample((A, B), {}, ("bool", *INTS)), Sample((A, ROW), {}, INTS)]
    SAMPLES[f"{_name}.TensorScalar"] = [Sample((A, v), {}, ("bool", *INTS)) for v in (True, 6)]
for _name, _function in (("and", operator.and_), ("or", operator.or_), ("xor", operator.xor)):
    SAMPLES[f"bitwise_{_name}.ScalarTensor"] = [Sample((v, A), {}, ("bool", *INTS), _function) for v in (True, 6)]
SHIFTS = ints([0, 1, 2], [3, 7, 70])
for _name, _function in (("left", operator.lshift), ("right", operator.rshift)):
    SAMPLES[f"bitwise_{_name}_shift.Tensor"] = [Sample((A, SHIFTS), {}, INTS), Sample((B, -SHIFTS), {}, INTS)]
    SAMPLES[f"bitwise_{_name}_shift.TensorScalar"] = [Sample((A, v), {}, INTS) for v in (True, 3, 64, -1)]
    SAMPLES[f"bitwise_{_name}_shift.ScalarTensor"] = [Sample((v, SHIFTS), {}, INTS, _function) for v in (True, 6)]
SAMPLES["logical_and"] = SAMPLES["logical_or"] = SAMPLES["logical_xor"] = _pairs(ALL)

_UNARY = [A, ZERO_D, EMPTY, LONG, SPECIAL]


def _unary(dtypes: tuple[str, ...], reference: Any = None, rtol: float | None = None) -> list[Sample]:
    return [
        Sample((x,), {}, tuple(d for d in dtypes if x is not SPECIAL or d in FLOATS), reference, rtol) for x in _UNARY
    ]


for _name in ("neg.Tensor", "abs.Tensor", "relu", "floor", "ceil", "round.Tensor", "trunc"):
    SAMPLES[_name] = _unary(NUMBERS)
for _name in ("sign", "square", "logical_not", "isnan", "isinf", "isfinite", "clone"):
    SAMPLES[_name] = _unary(ALL)
SAMPLES["bitwise_not"] = [Sample((A,), {}, ("bool", *INTS)), Sample((EMPTY,), {}, INTS)]
for _name in (
    "exp",
    "expm1",
    "log",
    "log1p",
    "log2",
    "sqrt",
    "rsqrt",
    "reciprocal",
    "sin",
    "cos",
    "tan",
    "tanh",
    "erf",
    "erfc",
    "digamma",
    "exp2",
    "log10",
    "asin",
    "acos",
    "atan",
    "sinh",
    "cosh",
    "atanh",
    "erfinv",
):
    SAMPLES[_name] = _unary(ALL)
SAMPLES["sin"] = SAMPLES["cos"] = SAMPLES["tan"] = [Sample((x,), {}, ALL) for x in (A, ZERO_D, EMPTY, LONG)]
SAMPLES["lgamma"] = [Sample((x,), {}, ALL, rtol=1e-5) for x in (POSITIVE, ZERO_D, EMPTY)]
SAMPLES["lgamma"].append(Sample((SPECIAL,), {}, FLOATS))
SAMPLES["digamma"] = [Sample((x + 0.3,), {}, FLOATS) for x in (A, EMPTY)] + [Sample((POSITIVE,), {}, ALL, rtol=1e-5), Sample((ZERO_D,), {}, ALL, rtol=1e-5), Sample((SPECIAL,), {}, FLOATS)]
for _name in ("asin", "acos", "atanh", "erfinv"):
    SAMPLES[_name].append(Sample((LONG / 12.0,), {}, FLOATS))
SAMPLES["sigmoid"] = _unary(ALL)
for _name in ("leaky_relu", "elu", "gelu", "silu", "softplus", "hardsigmoid", "hardswish", "hardtanh"):
    SAMPLES[_name] = [s for s in _unary(FLOATS, f"nn.functional.{_name}") if s.args[0] is not SPECIAL]
    SAMPLES[_name].append(Sample((SPECIAL[np.isfinite(SPECIAL)],), {}, FLOATS, f"nn.functional.{_name}"))
SAMPLES["leaky_relu"] += [Sample((A, 0.2), {}, FLOATS, "nn.functional.leaky_relu")]
SAMPLES["elu"] += [Sample((A, 0.7), {}, FLOATS, "nn.functional.elu")]
SAMPLES["hardtanh"] += [Sample((A, -1, 2), {}, NUMBERS[1:], "nn.functional.hardtanh")]
SAMPLES["hardtanh"] += [Sample((SPECIAL, -0.5, 0.5), {}, FLOATS, "nn.functional.hardtanh")]
SAMPLES["gelu"] += [Sample((LONG,), {"approximate": "tanh"}, FLOATS, "nn.functional.gelu")]
SAMPLES["softplus"] += [Sample((LONG, 2, 3), {}, FLOATS, "nn.functional.softplus")]
SAMPLES["clamp"] = [
    *(Sample((A, low, high), {}, NUMBERS) for low, high in ((0, 2), (0, None), (None, 1), (2, 0), (0.5, 1.5))),
    *(
        Sample((SPECIAL, low, high), {}, FLOATS)
        for low, high in ((-1.0, 1.0), (float("nan"), None), (None, float("inf")))
    ),
]
M = mask([True, False, True], [False, True, False])
SAMPLES["where"] = [Sample((M, A, B), {}, ALL, "where"), Sample((M, ROW, COLUMN), {}, ALL, "where")]
SAMPLES["where"] += [Sample((M, A, ROW.astype(d)), {}, NUMBERS, "where") for d in ("int32", "float32")]
SAMPLES["where.TensorScalar"] = [Sample((M, A, v), {}, ALL, "where") for v in (2, 2.5)]
SAMPLES["where.ScalarTensor"] = [Sample((M, v, A), {}, ALL, "where") for v in (2, 2.5)]
SAMPLES["where.Scalars"] = [Sample((M, a, b), {}, (), "where") for a, b in ((1, 2), (1.5, 2), (True, False))]
SAMPLES["masked_fill"] = [Sample((A, m, v), {}, NUMBERS) for m in (M, M[0]) for v in (2, 0)]
SAMPLES["masked_fill"] += [Sample((ROW, M, 2.5), {}, FLOATS)]
SAMPLES["one_hot"] = [Sample((POSITIVE.astype("int64"), 10), {}, (), "nn.functional.one_hot")]
SAMPLES["bernoulli"] = [Sample((mask(True, False).astype("float64"),), {}, FLOATS)]
SAMPLES["dropout"] = [
    Sample((A, 0.5, False), {}, FLOATS, "nn.functional.dropout"),
    Sample((A, 0.0), {}, FLOATS, "nn.functional.dropout"),
    Sample((A, 1.0), {}, FLOATS, "nn.functional.dropout"),
]

FOUR = ramp(4)
ERRORS: dict[str, list[Failure]] = {
    "add.Tensor": [
        Failure(
            (A, FOUR), "RuntimeError", "The size of tensor a (3) must match the size of tensor b (4) at non-singleton dimension 1"
        ),
        Failure((M, M), "RuntimeError", "alpha", {"alpha": 1.5}),
    ],
    "sub.Tensor": [
        Failure((M, M), "RuntimeError", "two bool tensors"),
        Failure((M, A), "RuntimeError", "a bool tensor"),
    ],
    "hardtanh": [
        Failure((M,), "RuntimeError", "bool", {}, "nn.functional.hardtanh"),
        Failure((A.astype("uint8"), -1, 1), "RuntimeError", "unsigned", {}, "nn.functional.hardtanh"),
        Failure((A, 1.0, -1.0), "ValueError", "greater than max_val", {}, "nn.functional.hardtanh"),
    ],
    "hardswish": [Failure((M,), "NotImplementedError", "Bool", {}, "nn.functional.hardswish")],
    "hardsigmoid": [Failure((M,), "NotImplementedError", "Bool", {}, "nn.functional.hardsigmoid")],
    "floor_divide.Tensor": [Failure((A.astype("int64"), (A * 0).astype("int64")), "RuntimeError", "ZeroDivisionError")],
    "remainder.Tensor": [
        Failure((A.astype("int32"), (A * 0).astype("int32")), "RuntimeError", "ZeroDivisionError"),
        Failure((M, M), "NotImplementedError", "Bool"),
    ],
    "pow.TensorScalar": [
        Failure((A.astype("int64"), -1), "RuntimeError", "negative integer powers"),
        Failure((A.astype("int8"), 300), "RuntimeError", "does not fit"),
    ],
    "bitwise_and.Tensor": [Failure((A, A), "NotImplementedError", "Double")],
    "pow.Tensor": [
        Failure((A, FOUR), "RuntimeError", "must match the size"),
        Failure((M, M), "NotImplementedError", "Bool"),
    ],
    "sub.TensorScalar": [Failure((M, True), "RuntimeError", "bool")],
    "sub.ScalarTensor": [Failure((True, M), "RuntimeError", "bool", {}, lambda s, t: s - t)],
    "add.TensorScalar": [Failure((A.astype("int64"), 1), "RuntimeError", "alpha", {"alpha": 1.5})],
    "add.ScalarTensor": [Failure((1, A.astype("int64")), "RuntimeError", "alpha", {"alpha": 1.5}, only_ours=True)],
    "floor_divide.TensorScalar": [Failure((A.astype("int64"), 0), "RuntimeError", "ZeroDivisionError")],
    "remainder.TensorScalar": [Failure((A.astype("int64"), 0), "RuntimeError", "ZeroDivisionError")],
    "floor_divide.ScalarTensor": [
        Failure((1, A.astype("int64")), "RuntimeError", "ZeroDivisionError", {}, lambda s, t: s // t)
    ],
    "remainder.ScalarTensor": [
        Failure((1, A.astype("int64")), "RuntimeError", "ZeroDivisionError", {}, lambda s, t: s % t)
    ],
    "pow.ScalarTensor": [Failure((True, M), "NotImplementedError", "Bool", {}, lambda s, t: s**t)],
    "bitwise_or.Tensor": [Failure((A, A), "NotImplementedError", "Double")],
    "bitwise_xor.Tensor": [Failure((A, A), "NotImplementedError", "Double")],
    "bitwise_left_shift.Tensor": [Failure((A, A), "NotImplementedError", "Double")],
    "bitwise_right_shift.TensorScalar": [Failure((M, True), "NotImplementedError", "Bool")],
    "bitwise_not": [Failure((A,), "TypeError", "operator.invert", {}, "Tensor.__invert__")],
    "neg.Tensor": [Failure((M,), "RuntimeError", "Negation, the `-` operator, on a bool tensor")],
    "abs.Tensor": [Failure((M,), "NotImplementedError", "Bool")],
    "relu": [Failure((M,), "RuntimeError", "Boolean inputs")],
    "floor": [Failure((M,), "NotImplementedError", "Bool")],
    "gelu": [
        Failure((A,), "RuntimeError", "tanh", {"approximate": "x"}, "nn.functional.gelu"),
        Failure((A.astype("int64"),), "NotImplementedError", "Long", {}, "nn.functional.gelu"),
    ],
    "clamp": [
        Failure((A,), "RuntimeError", "at least one"),
        Failure((A.astype("uint8") * 0, 0, 300), "RuntimeError", "without overflow"),
    ],
    "where": [Failure((A.astype("int64"), A, A), "RuntimeError", "bool", {}, "where")],
    "masked_fill": [Failure((A, A.astype("int64"), 1), "RuntimeError", "mask")],
    "one_hot": [
        Failure((POSITIVE.astype("int64"), 3), "RuntimeError", "smaller than num_classes", {}, "nn.functional.one_hot"),
        Failure((POSITIVE, 3), "RuntimeError", "int64", {}, "nn.functional.one_hot"),
    ],
    "dropout": [Failure((A, 2.0), "ValueError", "between 0 and 1", {}, "nn.functional.dropout")],
    "bernoulli": [Failure((A,), "RuntimeError", "[0, 1]")],
}
for _name in ("mul", "div", "eq", "ne", "lt", "le", "gt", "ge"):
    ERRORS[f"{_name}.Tensor"] = [
        Failure((A, FOUR), "RuntimeError", "must match the size of tensor b (4)")
    ]
for _name in ("maximum", "minimum", "atan2", "xlogy", "logical_and", "logical_or", "logical_xor"):
    ERRORS[_name] = [Failure((A, FOUR), "RuntimeError", "must match the size of tensor b (4)")]
for _name in ("ceil", "round.Tensor", "trunc"):
    ERRORS[_name] = [Failure((M,), "NotImplementedError", "Bool")]
for _name in ("leaky_relu", "elu", "silu", "softplus"):
    ERRORS[_name] = [Failure((A.astype("int64"),), "NotImplementedError", "Long", {}, f"nn.functional.{_name}")]
for _name, _args in (("TensorScalar", (FOUR, 1)), ("ScalarTensor", (1, FOUR))):
    ERRORS[f"where.{_name}"] = [Failure((M, *_args), "RuntimeError", "must match the size", {}, "where")]
ERRORS["where.Scalars"] = [Failure((A, 1, 2), "RuntimeError", "bool", {}, "where")]
for _name, _function in (("and", operator.and_), ("or", operator.or_), ("xor", operator.xor)):
    ERRORS[f"bitwise_{_name}.TensorScalar"] = [Failure((A, 1), "NotImplementedError", "Double")]
    ERRORS[f"bitwise_{_name}.ScalarTensor"] = [Failure((1, A), "NotImplementedError", "Double", {}, _function)]
