"""Samples of all pairs of dtypes: tensors with tensors, 0-d tensors and Python numbers. Every result is exact."""

from __future__ import annotations

import itertools
import operator
from typing import Any

import numpy as np

from .sample import ALL, INTS, NUMBERS, Sample

ONLY_PLAIN = ("plain",)
VALUES = (np.array([1.0, 2.0]), np.array([2.0, 1.0]))


def _tensors(dtypes: tuple[str, ...]) -> list[Sample]:
    """Each pair of dtypes and of dimensioned and 0-d tensors."""
    return [
        Sample((left.astype(a), right.astype(b)), layouts=ONLY_PLAIN)
        for a, b in itertools.product(dtypes, repeat=2)
        for left, right in itertools.product((VALUES[0], VALUES[0][1]), (VALUES[1], VALUES[1][0]))
        for left, right in ((np.asarray(left), np.asarray(right)),)
    ]


def _numbers(
    dtypes: tuple[str, ...], is_left: bool, reference: Any = None, values: Any = (True, 2, 0.5)
) -> list[Sample]:
    """Each dtype with each kind of Python number."""
    return [
        Sample((v, x) if is_left else (x, v), reference=reference, layouts=ONLY_PLAIN)
        for dtype in dtypes
        for x in (VALUES[0].astype(dtype), np.asarray(VALUES[0][1], dtype))
        for v in values
    ]


SAMPLES: dict[str, list[Sample]] = {}
for _name, _function in (("add", operator.add), ("mul", operator.mul), ("div", operator.truediv)):
    SAMPLES[f"{_name}.Tensor"] = _tensors(ALL)
    SAMPLES[f"{_name}.TensorScalar"] = _numbers(ALL, False)
    SAMPLES[f"{_name}.ScalarTensor"] = _numbers(ALL, True, _function)
for _name, _function in (("sub", operator.sub), ("floor_divide", operator.floordiv), ("remainder", operator.mod)):
    SAMPLES[f"{_name}.Tensor"] = _tensors(NUMBERS)
    SAMPLES[f"{_name}.TensorScalar"] = _numbers(NUMBERS, False, None, (2, 0.5))
    SAMPLES[f"{_name}.ScalarTensor"] = _numbers(NUMBERS, True, _function, (2, 0.5))
for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
    SAMPLES[f"{_name}.Tensor"] = _tensors(ALL)
    SAMPLES[f"{_name}.TensorScalar"] = _numbers(ALL, False)
for _name in ("maximum", "minimum"):
    SAMPLES[_name] = _tensors(ALL)
SAMPLES["pow.Tensor"] = _tensors(NUMBERS)
for _name in ("bitwise_and", "bitwise_or", "bitwise_xor"):
    SAMPLES[f"{_name}.Tensor"] = _tensors(("bool", *INTS))
