"""Samples of the operators behind `x[...]`, `&`, `|` and `^` with numbers, and augmented assignments to tensors."""

from __future__ import annotations

from typing import Any

from .sample import ALL, INTS, NUMBERS, Failure, Sample, ints, mask, ramp

A, CUBE, ROW, ZERO_D = ramp(2, 3), ramp(2, 3, 4), ramp(3, start=2.0), ramp(start=3.0)
M = mask([True, False, True], [False, True, False])
YES, NO = mask(True).reshape(()), mask(False).reshape(())
WHOLE = ("bool", *INTS)


def index_of(items: str, numbers: list[Any], tensors: list[Any]) -> tuple[Any, ...]:
    """The subscript that one letter an item stands for."""
    numbers, tensors = list(numbers), list(tensors)
    take: dict[str, Any] = {
        "i": lambda: numbers.pop(0),
        "s": lambda: slice(numbers.pop(0), numbers.pop(0), numbers.pop(0)),
        "n": lambda: None,
        "e": lambda: ...,
        "t": lambda: tensors.pop(0),
    }
    return tuple(take[item]() for item in items)


def read(self: Any, items: str, numbers: list[Any], tensors: list[Any]) -> Any:
    return self[index_of(items, numbers, tensors)]


def write(self: Any, items: str, numbers: list[Any], tensors: list[Any], value: Any) -> Any:
    self[index_of(items, numbers, tensors)] = value
    return self


def augmented(name: str, dtypes: tuple[str, ...]) -> dict[str, list[Sample]]:
    return {
        f"{name}.Tensor": [Sample((A, ROW), {}, dtypes), Sample((A, ZERO_D), {}, dtypes)],
        f"{name}.TensorScalar": [Sample((A, number), {}, dtypes) for number in (2, True)],
    }


SAMPLES: dict[str, list[Sample]] = {
    **augmented("floor_divide_", NUMBERS),
    **augmented("remainder_", NUMBERS),
    **augmented("pow_", NUMBERS),
    "bitwise_and_.Tensor": [Sample((A, ROW), {}, WHOLE), Sample((A.astype("int64"), M))],
    "bitwise_or_.Tensor": [Sample((A, ROW), {}, WHOLE), Sample((A.astype("int64"), M))],
    "bitwise_xor_.Tensor": [Sample((A, ROW), {}, WHOLE), Sample((A.astype("int64"), M))],
    **{
        f"bitwise_{name}_.TensorScalar": [Sample((A, 3), {}, INTS), Sample((A, True), {}, WHOLE)]
        for name in ("and", "or", "xor")
    },
    **{
        f"bitwise_{name}.TensorScalar": [Sample((A, n), {}, WHOLE) for n in (3, -1, True)]
        for name in ("and", "or", "xor")
    },
    **{
        f"bitwise_{name}.ScalarTensor": [Sample((n, A), {}, WHOLE, f"bitwise_{name}") for n in (3, True)]
        for name in ("and", "or", "xor")
    },
    "pos.Tensor": [Sample((A,), {}, NUMBERS, "positive")],
    "getitem.Tensor": [
        Sample((A, "t", [], [M]), {}, ALL, read),
        Sample((A, "t", [], [ints(1, 0, 1)]), {}, ALL, read),
        Sample((CUBE, "ti", [-1], [M]), {}, (), read),
        Sample((CUBE, "et", [], [ints([0], [3])]), {}, (), read),
        Sample((CUBE, "tst", [None, None, 2], [ints(0, 1), ints(2, 3)]), {}, (), read),
        Sample((CUBE, "nts", [1, None, None], [ints(0, 0)]), {}, (), read),
        Sample((CUBE, "iet", [1], [ints(1)]), {}, (), read),
        Sample((CUBE, "est", [0, 2, None], [ints(1, 2)]), {}, (), read),
        Sample((CUBE, "sns", [None, None, None, -3, 9, 2], []), {}, (), read),
        Sample((A, "t", [], [ints(1).reshape(())]), {}, (), read),
        Sample((A, "t", [], [YES]), {}, (), read),
        Sample((ZERO_D, "t", [], [NO]), {}, (), read),
        Sample((ramp(0, 3), "t", [], [ints()]), {}, (), read),
    ],
    "setitem.Tensor": [
        Sample((A, "t", [], [M], ZERO_D), {}, ALL, write),
        Sample((A.astype("int64"), "t", [], [M], ZERO_D), {}, (), write),
        Sample((A, "t", [], [ints(1, 0)], ROW), {}, ALL, write),
        Sample((CUBE, "et", [], [ints(0, 2)], ramp(2)), {}, (), write),
        Sample((CUBE, "ti", [0], [M], ramp(3)), {}, (), write),
        Sample((A, "i", [1], [], ramp(1, 1, 3)), {}, ALL, write),
        Sample((A, "es", [None, None, 2], [], ints(7)), {}, NUMBERS, write),
        Sample((ZERO_D, "e", [], [], ramp(1)), {}, (), write),
        Sample((ZERO_D, "t", [], [YES], ramp(1)), {}, (), write),
    ],
}

ERRORS: dict[str, list[Failure]] = {
    "floor_divide_.Tensor": [Failure((A.astype("int64"), ints(1, 0, 1)), "RuntimeError", "ZeroDivisionError")],
    "floor_divide_.TensorScalar": [Failure((A.astype("int64"), 0.5), "RuntimeError", "can't be cast")],
    "remainder_.TensorScalar": [Failure((A.astype("int64"), 0), "RuntimeError", "ZeroDivisionError")],
    "pow_.TensorScalar": [
        Failure((A.astype("int64"), -1), "RuntimeError", "negative integer powers"),
        Failure((A.astype("int64"), 0.5), "RuntimeError", "can't be cast"),
    ],
    "pow_.Tensor": [Failure((A.astype("int64"), ROW), "RuntimeError", "can't be cast")],
    "bitwise_and_.Tensor": [Failure((M, ints(1, 2, 3)), "RuntimeError", "can't be cast")],
    "bitwise_or_.TensorScalar": [Failure((M, 1), "RuntimeError", "can't be cast")],
    "bitwise_and.TensorScalar": [Failure((A, 1), "NotImplementedError", "Double")],
    "pos.Tensor": [Failure((M,), "RuntimeError", "bool", {}, "positive")],
    "getitem.Tensor": [
        Failure((A, "tii", [0, 0], [ints(0)]), "IndexError", "too many indices for tensor of dimension 2", {}, read),
        Failure((A, "t", [], [mask([True, False])]), "IndexError", "does not match", {}, read),
        Failure((A, "t", [], [ints(2)]), "IndexError", "index 2 is out of bounds", {}, read),
        Failure((A, "it", [5], [ints(0)]), "IndexError", "index 5 is out of bounds", {}, read),
        Failure((A, "st", [None, None, 0], [ints(0)]), "ValueError", "step must be greater than zero", {}, read),
        Failure((A, "t", [], [A]), "IndexError", "must be long, int, byte or bool", {}, read),
        Failure((A, "?", [], []), "IndexError", "unknown item", only_ours=True),
        Failure((A, "i", [], []), "IndexError", "too few numbers", only_ours=True),
        Failure((A, "t", [], []), "IndexError", "too few tensors", only_ours=True),
    ],
    "setitem.Tensor": [
        Failure((A, "t", [], [ints(0)], ints(1, 2, 3)), "RuntimeError", "dtypes match", {}, write),
        Failure((A, "t", [], [ints(0)], ramp(4)), "RuntimeError", "cannot be broadcast", {}, write),
        Failure((A, "i", [0], [], ramp(4)), "RuntimeError", "The expanded size of the tensor (3) must match", {}, write),
    ],
}
