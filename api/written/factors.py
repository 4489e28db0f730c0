"""Orthogonal factors of matrices: QR, symmetric eigenvalues, singular values.

In: float tensors, matrices in the last two dimensions. Out: new tensors. Holds: QR has LAPACK's signs; those of
eigenvectors and singular vectors are arbitrary, as PyTorch's are.
"""

from __future__ import annotations

from typing import NamedTuple

from ..binding.dtype import DType
from ..binding.tensor import Tensor
from .spelling import own, rows, spelled

_zeros, _qr, _eigh, _svd = rows["zeros"], own["linalg_qr"], own["linalg_eigh"], own["linalg_svd"]


class QR(NamedTuple):
    """An orthogonal and an upper triangular factor."""

    Q: Tensor
    R: Tensor


class EigenPairs(NamedTuple):
    """Eigenvalues in ascending order and eigenvectors as columns."""

    eigenvalues: Tensor
    eigenvectors: Tensor


class SVD(NamedTuple):
    """Left singular vectors as columns, singular values in descending order, right ones as rows."""

    U: Tensor
    S: Tensor
    Vh: Tensor


class SVDWithV(NamedTuple):
    """The same with right singular vectors as columns."""

    U: Tensor
    S: Tensor
    V: Tensor


class _LinAlgError(RuntimeError):
    """A matrix has no such factors, inverse or solution."""

    __tsm_compiles__ = True


def _check_matrices(name: str, A: Tensor) -> None:
    if A.dim() < 2:
        raise RuntimeError(name + ": The input tensor A must have at least 2 dimensions.")
    if not A.is_floating_point():
        raise RuntimeError(name + ": Expected a floating point or complex tensor as input.")


def _check_found(name: str, failed: Tensor, why: str) -> None:
    if bool((failed != 0).any()):
        at = int((failed.reshape([-1]) != 0).to(DType.int32).argmax())
        where = "" if failed.dim() == 0 else f"(Batch element {at}): "
        raise _LinAlgError(name + ": " + where + "The algorithm failed to converge because the input matrix " + why)


@spelled("tsm.qr", ".qr")
def old_qr(self: Tensor, some: bool = True) -> QR:
    """linalg.qr; complete factors unless `some`."""
    return qr(self, "reduced" if some else "complete")


def qr(A: Tensor, mode: str = "reduced") -> QR:
    """Q with orthonormal columns and R upper triangular, Q @ R = A. mode: "reduced", "complete" (Q square), or "r"
    (Q is empty)."""
    if mode != "reduced" and mode != "complete" and mode != "r":
        text = "qr received unrecognized mode '" + mode + "' but expected one of 'reduced' (default), 'r', or "
        raise RuntimeError(text + "'complete'")
    _check_matrices("linalg.qr", A)
    q, r = _qr(A, mode == "complete")
    return QR(_zeros([0], dtype=A.dtype), r) if mode == "r" else QR(q, r)


def _decomposed(name: str, A: Tensor, UPLO: str, vectors: bool) -> EigenPairs:
    if UPLO != "L" and UPLO != "U" and UPLO != "l" and UPLO != "u":
        raise RuntimeError("Expected UPLO argument to be 'L' or 'U', but got " + UPLO)
    _check_matrices(name, A)
    if A.size(-1) != A.size(-2):
        text = name + ": A must be batches of square matrices, but they are " + str(A.size(-2)) + " by "
        raise RuntimeError(text + str(A.size(-1)) + " matrices")
    kept = A.transpose(-2, -1) if UPLO == "U" or UPLO == "u" else A
    values, columns, failed = _eigh(kept, vectors)
    _check_found(name, failed, "is ill-conditioned or has too many repeated eigenvalues.")
    return EigenPairs(values, columns)


def eigh(A: Tensor, UPLO: str = "L") -> EigenPairs:
    """Eigenvalues of symmetric matrices in ascending order, and eigenvectors as columns. One triangle is read: the
    lower, or the upper with UPLO "U". NaN where a matrix is not finite."""
    return _decomposed("linalg.eigh", A, UPLO, True)


def eigvalsh(A: Tensor, UPLO: str = "L") -> Tensor:
    """Eigenvalues of symmetric matrices in ascending order."""
    return _decomposed("linalg.eigvalsh", A, UPLO, False).eigenvalues


def svd(A: Tensor, full_matrices: bool = True) -> SVD:
    """U, S and Vh with A = U @ diag(S) @ Vh; square U and Vh if `full_matrices`. _LinAlgError where a matrix is not
    finite."""
    _check_matrices("linalg.svd", A)
    is_wide = A.size(-2) < A.size(-1)
    u, values, vh, failed = _svd(A.transpose(-2, -1) if is_wide else A, full_matrices)
    _check_found("linalg.svd", failed, "contained non-finite values.")
    return SVD(vh.transpose(-2, -1), values, u.transpose(-2, -1)) if is_wide else SVD(u, values, vh)


@spelled("tsm.svd", ".svd")
def old_svd(self: Tensor, some: bool = True) -> SVDWithV:
    """linalg.svd with V in the place of Vh; square factors unless `some`."""
    made = svd(self, not some)
    return SVDWithV(made.U, made.S, made.Vh.transpose(-2, -1))


def svdvals(A: Tensor) -> Tensor:
    """Singular values in descending order."""
    _check_matrices("linalg.svdvals", A)
    _u, values, _vh, failed = _svd(A.transpose(-2, -1) if A.size(-2) < A.size(-1) else A, False, False)
    _check_found("linalg.svd", failed, "contained non-finite values.")
    return values
