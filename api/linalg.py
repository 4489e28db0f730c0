"""tsm.linalg: norms, what elimination gives - inverses, solutions, determinants, Cholesky factors - and what is made of
orthogonal factors (library/factors.py): pseudo-inverses, ranks, least squares. Factors are operators of the table.

In: float tensors, matrices in the last two dimensions. Out: new tensors. Holds: pivots are the largest of their column.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from .binding.dtype import DType
from .binding.tensor import Tensor
from .written.dims import wrapped
from .written.factors import _LinAlgError, eigh, eigvalsh, qr, svd, svdvals
from .written.pivoting import lu, lu_factor, permutation
from .written.products import cross as _cross
from .written.products import matrix_power
from .written.reductions import reduced_shape, vector_norm
from .written.shapes import common_shape
from .written.spelling import own, rows, spelled

_where, _eye, _arange, _matmul = rows["where"], rows["eye"], rows["arange"], rows["matmul"]
_zeros, _zeros_like = rows["zeros"], rows["zeros_like"]
_lu_factor, _lu_solve, _cholesky = own["linalg_lu_factor"], own["linalg_lu_solve"], own["linalg_cholesky"]
_solve_triangular = own["linalg_solve_triangular"]

LinAlgError = _LinAlgError


class LeastSquares(NamedTuple):
    """What `lstsq` gives: the solution, sums of squares of what is left (empty unless there are more equations than
    unknowns), the rank, and no singular values."""

    solution: Tensor
    residuals: Tensor
    rank: Tensor
    singular_values: Tensor


class SignAndLog(NamedTuple):
    """Sign of a determinant and logarithm of its size."""

    sign: Tensor
    logabsdet: Tensor


def matrix_norm(A: Tensor, ord="fro", dim=(-2, -1), keepdim: bool = False, *, dtype: DType | None = None) -> Tensor:
    """Norm of matrices: "fro", 1, -1 (largest, smallest sum of a column), inf, -inf (of a row), 2, -2 (largest,
    smallest singular value), "nuc" (their sum)."""
    x = A if dtype is None else A.to(dtype)
    if len(dim) != 2:
        raise RuntimeError("linalg.matrix_norm: dim must be a 2-tuple.")
    if not x.is_floating_point():
        raise RuntimeError("linalg.matrix_norm: Expected a floating point or complex tensor as input.")
    a, b = wrapped(dim[0], x.dim()), wrapped(dim[1], x.dim())
    if a == b:
        raise RuntimeError("linalg.matrix_norm: dims must be different.")
    if isinstance(ord, str):
        if ord == "fro":
            return vector_norm(x, 2, [a, b], keepdim)
        if ord != "nuc":
            raise RuntimeError("linalg.matrix_norm: Order " + ord + " not supported.")
        return svdvals(x.movedim([a, b], [-2, -1])).sum([-1]).reshape(reduced_shape(x, [a, b], keepdim))
    if abs(ord) == 2:
        values = svdvals(x.movedim([a, b], [-2, -1]))
        most = values.amax([-1]) if ord > 0 else values.amin([-1])
        return most.reshape(reduced_shape(x, [a, b], keepdim))
    if abs(ord) != 1 and abs(ord) != math.inf:
        raise RuntimeError("linalg.matrix_norm: Order " + str(ord) + " not supported.")
    along, rest = (a, b) if abs(ord) == 1 else (b, a)
    sums = x.abs().sum([along], True)
    made = sums.amax([rest], True) if ord > 0 else sums.amin([rest], True)
    return made.reshape(reduced_shape(x, [a, b], keepdim))


def norm(A: Tensor, ord=None, dim=None, keepdim: bool = False, *, dtype: DType | None = None) -> Tensor:
    """vector_norm, or with an order matrix_norm of a matrix: of the dimensions given, or of all."""
    x = A if dtype is None else A.to(dtype)
    if ord is None:
        return vector_norm(x, 2, dim, keepdim)
    if dim is None:
        if x.dim() == 1:
            return _vector(x, ord, None, keepdim)
        if x.dim() != 2:
            raise RuntimeError("linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D.")
        return matrix_norm(x, ord, (-2, -1), keepdim)
    if isinstance(dim, int):
        return _vector(x, ord, dim, keepdim)
    if len(dim) == 1:
        return _vector(x, ord, dim[0], keepdim)
    return matrix_norm(x, ord, dim, keepdim)


def _vector(x: Tensor, ord, dim, keepdim: bool) -> Tensor:
    if isinstance(ord, str):
        raise RuntimeError("linalg.norm: a vector has no norm of order '" + ord + "'")
    return vector_norm(x, ord, dim, keepdim)


def _check_square(name: str, A: Tensor) -> None:
    if A.dim() < 2:
        raise RuntimeError(name + ": The input tensor A must have at least 2 dimensions.")
    if A.size(-1) != A.size(-2):
        text = name + ": A must be batches of square matrices, but they are " + str(A.size(-2)) + " by "
        raise RuntimeError(text + str(A.size(-1)) + " matrices")
    if not A.is_floating_point():
        raise RuntimeError(name + ": Expected a floating point or complex tensor as input.")


def _factored(A: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Both triangles in one matrix, the swaps, and the diagonal of the upper one, a row for each matrix."""
    factors, pivots = _lu_factor(A)
    return factors, pivots, factors.diagonal(0, -2, -1)


def _sign_of_swaps(pivots: Tensor) -> Tensor:
    """1 or -1 for each row of pivots, by how many of them name another row than their own."""
    n = pivots.size(-1)
    return 1 - 2 * ((pivots != _arange(1, n + 1)).sum([-1]) % 2)


def _check_pivots(name: str, pivots: Tensor) -> None:
    failed = _first_zero(pivots)
    if bool((failed != 0).any()):
        failed = failed.reshape([-1])
        at = int((failed != 0).to(DType.int32).argmax())
        where = "" if failed.numel() == 1 else f"(Batch element {at}): "
        if name == "linalg.solve":
            raise _LinAlgError(f"torch.{name}: {where}The solver failed because the input matrix is singular.")
        raise _LinAlgError(
            f"{name}: {where}The diagonal element {int(failed[at])} is zero, the inversion could not be completed "
            "because the input matrix is singular."
        )


def _first_zero(pivots: Tensor) -> Tensor:
    """For each row of pivots the number of its first zero, counted from 1, or 0."""
    n = pivots.size(-1)
    if n == 0:
        return _zeros(list(pivots.shape)[:-1], dtype=DType.int32)
    first = _where(pivots == 0, _arange(1, n + 1), n + 1).amin([-1])
    return _where(first > n, 0, first).to(DType.int32)


@spelled("tsm.inverse", ".inverse")
def inv(A: Tensor) -> Tensor:
    """Inverses of square matrices. RuntimeError for a singular one."""
    _check_square("linalg.inv", A)
    factors, swaps, pivots = _factored(A)
    _check_pivots("linalg.inv", pivots)
    return _lu_solve(factors, swaps, _eye(A.size(-1), dtype=A.dtype).expand(list(A.shape)))


class InverseEx(NamedTuple):
    """Inverses, and for each matrix the number of its first pivot that is zero, or 0."""

    inverse: Tensor
    info: Tensor


def inv_ex(A: Tensor, *, check_errors: bool = False) -> InverseEx:
    """Like inv; what is singular shows in `info`, and its inverse is not to be used."""
    _check_square("linalg.inv_ex", A)
    factors, swaps, pivots = _factored(A)
    if check_errors:
        _check_pivots("linalg.inv_ex", pivots)
    made = _lu_solve(factors, swaps, _eye(A.size(-1), dtype=A.dtype).expand(list(A.shape)))
    return InverseEx(made, _first_zero(pivots))


def solve(A: Tensor, B: Tensor, *, left: bool = True) -> Tensor:
    """X with A @ X = B, or X @ A = B unless `left`; B may be a vector, or a batch of them. RuntimeError if A is
    singular."""
    _check_square("linalg.solve", A)
    if not left:
        return solve(A.transpose(-2, -1), B.transpose(-2, -1)).transpose(-2, -1)
    n = A.size(-1)
    is_vector = B.dim() == 1 or (B.dim() == A.dim() - 1 and list(B.shape) == list(A.shape)[:-1])
    right = B.unsqueeze(-1) if is_vector else B
    if right.size(-2) != n:
        raise RuntimeError("linalg.solve: Incompatible shapes of A and B for the equation AX = B")
    lead = _common_batch(A, right)
    factors, swaps, pivots = _factored(A.expand([*lead, n, n]))
    _check_pivots("linalg.solve", pivots)
    made = _lu_solve(factors, swaps, right.expand([*lead, n, right.size(-1)]))
    return made.squeeze(-1) if is_vector else made


@spelled("tsm.slogdet", ".slogdet")
def slogdet(A: Tensor) -> SignAndLog:
    """Signs of determinants and logarithms of their sizes."""
    _check_square("linalg.slogdet", A)
    _factors, swaps, pivots = _factored(A)
    return SignAndLog(_sign_of_swaps(swaps) * pivots.sign().prod(-1), pivots.abs().log().sum([-1]))


@spelled("tsm.det", ".det")
def det(A: Tensor) -> Tensor:
    """Determinants of square matrices."""
    _check_square("linalg.det", A)
    _factors, swaps, pivots = _factored(A)
    return _sign_of_swaps(swaps) * pivots.prod(-1)


@spelled("tsm.logdet", ".logdet")
def logdet(A: Tensor) -> Tensor:
    """Logarithms of determinants; NaN for negative ones."""
    sign, size = slogdet(A)
    return _where(sign < 0, math.nan, size)


def _factor(name: str, A: Tensor) -> tuple[Tensor, Tensor]:
    """Lower triangles, and for each matrix the order of its first leading minor that is not positive, or 0."""
    _check_square(name, A)
    made, failed = _cholesky(A)
    return made, failed


def _check_minors(name: str, failed: Tensor) -> None:
    if bool((failed != 0).any()):
        orders = failed.reshape([-1])
        at = int((orders != 0).to(DType.int32).argmax())
        where = "" if failed.dim() == 0 else f"(Batch element {at}): "
        text = f"The factorization could not be completed because the input is not positive-definite (the leading " \
            f"minor of order {int(orders[at])} is not positive-definite)."
        raise _LinAlgError(f"{name}: {where}{text}")


@spelled("tsm.cholesky", ".cholesky")
def cholesky(A: Tensor, upper: bool = False) -> Tensor:
    """Lower (or upper) triangles L with L @ L.T = A, of symmetric positive definite matrices. RuntimeError if one is
    not."""
    made, failed = _factor("linalg.cholesky", A)
    _check_minors("linalg.cholesky", failed)
    return made.transpose(-2, -1) if upper else made


class CholeskyEx(NamedTuple):
    """Triangles, and for each matrix the order of its first leading minor that is not positive, or 0."""

    L: Tensor
    info: Tensor


def cholesky_ex(A: Tensor, *, upper: bool = False, check_errors: bool = False) -> CholeskyEx:
    """Like cholesky; what is not positive definite shows in `info`, and its triangle is not to be used."""
    made, failed = _factor("linalg.cholesky_ex", A)
    if check_errors:
        _check_minors("linalg.cholesky_ex", failed)
    return CholeskyEx(made.transpose(-2, -1) if upper else made, failed)


def _common_batch(a: Tensor, b: Tensor) -> list[int]:
    """The leading extents that two batches of matrices broadcast to."""
    return common_shape([list(a.shape)[:-2], list(b.shape)[:-2]])


def solve_triangular(
    A: Tensor, B: Tensor, *, upper: bool, left: bool = True, unitriangular: bool = False
) -> Tensor:
    """X with A @ X = B, or X @ A = B unless `left`, of one triangle of A; with `unitriangular` its diagonal is read as
    ones. A zero there gives inf or NaN."""
    _check_square("linalg.solve_triangular", A)
    if B.dim() < 2:
        raise RuntimeError("linalg.solve_triangular: The input tensor B must have at least 2 dimensions.")
    if not left:
        turned = solve_triangular(
            A.transpose(-2, -1), B.transpose(-2, -1), upper=not upper, unitriangular=unitriangular
        )
        return turned.transpose(-2, -1)
    n = A.size(-1)
    if B.size(-2) != n:
        text = "linalg.solve_triangular: Incompatible shapes of A and B for the equation AX = B ("
        text += str(A.size(-2)) + "x" + str(n) + " and " + str(B.size(-2)) + "x" + str(B.size(-1)) + ")"
        raise RuntimeError(text)
    lead = _common_batch(A, B)
    return _solve_triangular(A.expand([*lead, n, n]), B.expand([*lead, n, B.size(-1)]), upper, unitriangular)


def lu_solve(LU: Tensor, pivots: Tensor, B: Tensor, *, left: bool = True, adjoint: bool = False) -> Tensor:
    """X with A @ X = B, or with A.T or X @ A, from the factors of A."""
    if not left:
        return lu_solve(LU, pivots, B.transpose(-2, -1), adjoint=not adjoint).transpose(-2, -1)
    n = LU.size(-1)
    lead = _common_batch(LU, B)
    factors, swaps = LU.expand([*lead, n, n]), pivots.expand([*lead, n])
    if not adjoint:
        return _lu_solve(factors, swaps, B.expand([*lead, n, B.size(-1)]))
    turned = factors.transpose(-2, -1)
    inner = solve_triangular(turned, solve_triangular(turned, B, upper=False), upper=True, unitriangular=True)
    order = permutation(swaps.reshape([-1, n]), n).argsort(1).reshape([*lead, n, 1])
    return inner.gather(-2, order.expand(list(inner.shape)))


@spelled("tsm.lu_solve", ".lu_solve")
def solved_by_factors(self: Tensor, LU_data: Tensor, LU_pivots: Tensor) -> Tensor:
    """Like linalg.lu_solve, with B first."""
    return lu_solve(LU_data, LU_pivots, self)


@spelled("tsm.triangular_solve", ".triangular_solve")
def triangular_solve(
    self: Tensor, A: Tensor, upper: bool = True, transpose: bool = False, unitriangular: bool = False
) -> tuple[Tensor, Tensor]:
    """X with A @ X = self of one triangle of A (transposed with `transpose`), and a copy of A."""
    a = A.transpose(-2, -1) if transpose else A
    solved = solve_triangular(a, self, upper=upper != transpose, unitriangular=unitriangular)
    return solved, A.clone()


@spelled("tsm.cholesky_solve", ".cholesky_solve")
def cholesky_solve(self: Tensor, input2: Tensor, upper: bool = False) -> Tensor:
    """X with L @ L.T @ X = self, of a Cholesky factor L (or of its transpose, with `upper`)."""
    lower = input2.transpose(-2, -1) if upper else input2
    half = solve_triangular(lower, self, upper=False)
    return solve_triangular(lower.transpose(-2, -1), half, upper=True)


@spelled("tsm.cholesky_inverse", ".cholesky_inverse")
def cholesky_inverse(self: Tensor, upper: bool = False) -> Tensor:
    """The inverse of the matrix that has this Cholesky factor."""
    _check_square("cholesky_inverse", self)
    return cholesky_solve(_eye(self.size(-1), dtype=self.dtype).expand(list(self.shape)), self, upper)


def _cut(A: Tensor, largest: Tensor, atol: float | None, rtol: float | None) -> Tensor:
    """Below which singular values count as zero."""
    epsilon = 2.0**-52 if A.dtype == DType.float64 else 2.0**-23
    share = max(A.size(-2), A.size(-1)) * epsilon if atol is None else 0.0
    share = share if rtol is None else rtol
    return (largest * share).clamp(min=0.0 if atol is None else atol)


def matrix_rank(
    A: Tensor, tol: float | None = None, *, atol: float | None = None, rtol: float | None = None,
    hermitian: bool = False,
) -> Tensor:
    """How many singular values are above atol and rtol times the largest."""
    values = svdvals(A)
    if values.size(-1) == 0:
        return values.sum([-1]).to(DType.int64)
    least = _cut(A, values.amax([-1], True), tol if atol is None else atol, rtol)
    return (values > least).sum([-1])


def pinv(
    A: Tensor, *, atol: float | None = None, rtol: float | None = None, hermitian: bool = False
) -> Tensor:
    """The pseudo-inverse; singular values below atol and rtol times the largest count as zero."""
    u, values, vh = svd(A, False)
    if A.numel() == 0:
        return A.transpose(-2, -1).clone()
    least = _cut(A, values.amax([-1], True), atol, rtol)
    inverses = _where(values > least, 1.0 / values, 0.0)
    return _matmul(vh.transpose(-2, -1) * inverses.unsqueeze(-2), u.transpose(-2, -1))


@spelled("tsm.pinverse", ".pinverse")
def pinverse(self: Tensor, rcond: float = 1e-15) -> Tensor:
    """The pseudo-inverse."""
    return pinv(self, atol=0.0, rtol=rcond)


def lstsq(A: Tensor, B: Tensor, rcond: float | None = None, *, driver: str | None = None) -> LeastSquares:
    """X with the least |A @ X - B| of matrices of full rank, and the shortest such X."""
    if B.dim() != A.dim():
        raise RuntimeError("linalg.lstsq: input and other should have the same number of dimensions")
    if A.size(-2) != B.size(-2):
        raise RuntimeError("linalg.lstsq: input.size(-2) should match other.size(-2)")
    m, n = A.size(-2), A.size(-1)
    if m >= n:
        q, r = qr(A)
        solution = solve_triangular(r, _matmul(q.transpose(-2, -1), B), upper=True)
    else:
        q, r = qr(A.transpose(-2, -1))
        solution = _matmul(q, solve_triangular(r.transpose(-2, -1), B, upper=False))
    none_left = _zeros_like(B).narrow(-1, 0, 0).reshape([0])
    residuals = (_matmul(A, solution) - B).square().sum([-2]) if m > n else none_left
    return LeastSquares(solution, residuals, matrix_rank(A), none_left)


def cond(A: Tensor, p=None) -> Tensor:
    """The norm of a matrix times that of its inverse: by default the ratio of the singular values at both ends."""
    if p is None:
        values = svdvals(A)
        return values.amax([-1]) / values.amin([-1])
    return matrix_norm(A, p) * matrix_norm(inv(A), p)


@spelled("tsm.matrix_exp", ".matrix_exp")
def matrix_exp(A: Tensor) -> Tensor:
    """The exponential of square matrices: a series of a scaled one, squared back."""
    _check_square("linalg.matrix_exp", A)
    n = A.size(-1)
    x = A.to(DType.float64)
    size = float(x.abs().sum([-1]).max()) if x.numel() > 0 else 0.0
    if size != size or size == math.inf:
        return A * math.nan
    halvings = 0
    while size > 0.5:
        size *= 0.5
        halvings += 1
    x = x * 0.5**halvings
    term = _eye(n, dtype=x.dtype).expand(list(x.shape))
    made = term
    for k in range(1, 19):
        term = _matmul(term, x) / k
        made = made + term
    for _ in range(halvings):
        made = _matmul(made, made)
    return made.to(A.dtype)


def multi_dot(tensors: list[Tensor]) -> Tensor:
    """The product of matrices, from left to right; the first and the last may be vectors."""
    if len(tensors) < 2:
        raise RuntimeError("multi_dot(): expected at least 2 tensors but got " + str(len(tensors)))
    made = tensors[0]
    for each in tensors[1:]:
        made = _matmul(made, each)
    return made


def cross(input: Tensor, other: Tensor, *, dim: int = -1) -> Tensor:
    """Vector product along a dimension of extent 3."""
    return _cross(input, other, dim)


def diagonal(A: Tensor, *, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Tensor:
    """The diagonal of the last two dimensions as the last one."""
    return A.diagonal(offset, dim1, dim2)


def vander(x: Tensor, *, N: int | None = None) -> Tensor:
    """Powers 0 ... N - 1 of the elements, along a new last dimension."""
    if x.dtype == DType.bool:
        raise RuntimeError("linalg.vander supports floating point, complex, and integer tensors, but got Bool")
    given = x if x.dim() > 0 else x.reshape([1])
    count = given.size(-1) if N is None else N
    if N is not None and N <= 1:
        raise RuntimeError("N must be greater than 1.")
    return given.unsqueeze(-1) ** _arange(count)


def vecdot(x: Tensor, y: Tensor, *, dim: int = -1) -> Tensor:
    """Sums of products along a dimension."""
    return (x * y).sum([dim])


matmul = rows["matmul"]

__all__ = [
    "LinAlgError",
    "cholesky",
    "cholesky_ex",
    "cond",
    "cross",
    "det",
    "diagonal",
    "eigh",
    "eigvalsh",
    "inv",
    "inv_ex",
    "logdet",
    "lstsq",
    "lu",
    "lu_factor",
    "lu_solve",
    "matmul",
    "matrix_exp",
    "matrix_norm",
    "matrix_power",
    "matrix_rank",
    "multi_dot",
    "norm",
    "pinv",
    "qr",
    "slogdet",
    "solve",
    "solve_triangular",
    "svd",
    "svdvals",
    "vander",
    "vecdot",
    "vector_norm",
]
