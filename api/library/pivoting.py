"""LU factors of matrices with the rows that elimination swaps, in one matrix or apart.

In: float tensors, matrices in the last two dimensions. Out: new tensors. Holds: pivots are the largest of their column
below the diagonal; they are counted from 1, as LAPACK does.
"""

from __future__ import annotations

from typing import NamedTuple

from ..binding.dtype import DType
from ..binding.tensor import Tensor
from .spelling import rows

_arange, _eye, _zeros, _where = rows["arange"], rows["eye"], rows["zeros"], rows["where"]


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
    lead, m, n = list(A.shape)[:-2], A.size(-2), A.size(-1)
    x = A.reshape([-1, m, n]).clone()
    batch = _arange(x.size(0))
    pivots = _zeros([x.size(0), min(m, n)], dtype=DType.int32)
    for k in range(min(m, n)):
        at = x.select(2, k).narrow(1, k, m - k).abs().argmax(1) + k if pivot else batch * 0 + k
        pivots.select(1, k).copy_(at + 1)
        top, found = x.select(1, k).clone(), x[batch, at]
        x[batch, at] = top
        x.select(1, k).copy_(found)
        under = x.select(2, k).narrow(1, k + 1, m - k - 1)
        divisor = found.select(1, k).unsqueeze(1)
        factors = _where(divisor == 0, under, under / divisor)
        under.copy_(factors)
        rest = x.narrow(1, k + 1, m - k - 1).narrow(2, k + 1, n - k - 1)
        rest.sub_(factors.unsqueeze(2) * found.narrow(1, k + 1, n - k - 1).unsqueeze(1))
    return Factors(x.reshape([*lead, m, n]), pivots.reshape([*lead, min(m, n)]))


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
