"""LU factors of matrices with the rows that elimination swaps, in one matrix or apart.

In: float tensors, matrices in the last two dimensions. Out: new tensors. Holds: pivots are the largest of their column
below the diagonal; they are counted from 1, as LAPACK does.
"""

from __future__ import annotations

from typing import NamedTuple

from ..binding.dtype import DType
from ..binding.tensor import Tensor
from .spelling import own, rows

_arange, _eye, _lu_factor = rows["arange"], rows["eye"], own["linalg_lu_factor"]


class Factors(NamedTuple):
    """Both triangles in one matrix, and which row was swapped with each."""

    LU: Tensor
    pivots: Tensor


class Parts(NamedTuple):
    """P @ L @ U = A."""

    P: Tensor
    L: Tensor
    U: Tensor


def lu_factor(A: Tensor, *, pivot: bool = True) -> Factors:
    """The factors of each matrix."""
    if A.dim() < 2:
        raise RuntimeError("linalg.lu_factor: The input tensor A must have at least 2 dimensions.")
    factors, pivots = _lu_factor(A, pivot)
    return Factors(factors, pivots)


def permutation(pivots: Tensor, size: int) -> Tensor:
    """For a batch of pivots where each row of the product of the triangles comes from in the matrix."""
    batch = _arange(pivots.size(0))
    order = _arange(size).expand([pivots.size(0), size]).clone()
    for k in range(pivots.size(1)):
        at = (pivots.select(1, k) - 1).to(DType.int64)
        first, second = order.select(1, k).clone(), order[batch, at]
        order[batch, at] = first
        order.select(1, k).copy_(second)
    return order


def lu(A: Tensor, *, pivot: bool = True) -> Parts:
    """P @ L @ U = A: a permutation, a lower triangle with ones on its diagonal, an upper triangle."""
    found = lu_factor(A, pivot=pivot)
    m, n = A.size(-2), A.size(-1)
    k = min(m, n)
    lower = found.LU.narrow(-1, 0, k).tril(-1) + _eye(m, k, dtype=A.dtype)
    order = permutation(found.pivots.reshape([-1, k]), m)
    swaps = _eye(m, dtype=A.dtype)[order].transpose(-2, -1).reshape([*list(A.shape)[:-2], m, m])
    return Parts(swaps, lower, found.LU.narrow(-2, 0, k).triu())
