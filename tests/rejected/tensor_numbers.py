"""Neighbours of lists of tensors and of shapes changed in place: what nothing in the function decides."""
# ruff: noqa
from language_rows import of_row

import tsm
from tsm import Tensor


of_row("tensor operations")


def parameter(x: Tensor) -> Tensor:
    x.unsqueeze_(0)  # error 5: unsqueeze_() would change the shape of a tensor that others may know
    return x


def other_name(x: Tensor) -> Tensor:
    y = x.clone()
    z = y
    y.squeeze_()  # error 5: squeeze_() would change the shape of a tensor that others may know
    return z


def in_a_list(x: Tensor) -> list[Tensor]:
    y = x.clone()
    kept = [y]
    y.t_()  # error 5: t_() would change the shape of a tensor that others may know
    return kept


def again_and_again(x: Tensor, n: int) -> Tensor:
    y = x.clone()
    for _ in range(n):
        y.unsqueeze_(0)  # error 9: unsqueeze_() would change the shape of a tensor that others may know
    return y


def two_results(x: Tensor, out: Tensor) -> Tensor:
    return tsm.max(x, 0, out=out)[0]  # error 26: out= is supported for one tensor


def rows_of_rows(x: Tensor, rows: list[list[int]]) -> Tensor:
    return x[rows]  # error 14: a list of lists alone is no index: PyTorch takes it for a tuple of as many indices


def halved(x: Tensor) -> Tensor:
    return x.to(tsm.float16)  # error 17: tensors have no dtype float16


def complex_zeros(n: int) -> Tensor:
    return tsm.zeros(n, dtype=tsm.complex64)  # error 31: tensors have no dtype complex64


def wide_bytes(x: Tensor) -> Tensor:
    return x.sum(dtype=tsm.uint16)  # error 24: tensors have no dtype uint16


def tracked(n: int) -> Tensor:
    return tsm.zeros(n, requires_grad=True)  # error 39: tsm.zeros(): has no parameter 'requires_grad'


def beside_a_list(x: Tensor) -> int:
    numbers = x.tolist()
    x.t_()  # error 5: t_() would change the shape of a tensor that others may know
    return len(numbers)
