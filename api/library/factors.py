"""Orthogonal factors of matrices: QR by reflections, symmetric eigenvalues and singular values by rotations.

In: float tensors, matrices in the last two dimensions. Out: new tensors, computed in float64. Holds: QR has LAPACK's
signs; those of eigenvectors and singular vectors are arbitrary, as PyTorch's are.
"""

from __future__ import annotations

from typing import NamedTuple

from ..binding.dtype import DType
from ..binding.tensor import Tensor
from .spelling import rows, spelled

_where, _eye, _arange, _zeros, _ones = rows["where"], rows["eye"], rows["arange"], rows["zeros"], rows["ones"]
_cat, _matmul = rows["cat"], rows["matmul"]
_SWEEPS = 40


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


def checked_matrices(name: str, A: Tensor) -> Tensor:
    """As batches of matrices of float64."""
    if A.dim() < 2:
        raise RuntimeError(name + ": The input tensor A must have at least 2 dimensions.")
    if not A.is_floating_point():
        raise RuntimeError(name + ": Expected a floating point or complex tensor as input.")
    count = 1
    for extent in list(A.shape)[:-2]:
        count *= extent
    return A.to(DType.float64).reshape([count, A.size(-2), A.size(-1)])


def _reflected(a: Tensor, width: int) -> tuple[Tensor, Tensor]:
    """Q with `width` columns, and the triangle that the reflections leave."""
    m, n = a.size(1), a.size(2)
    steps = min(m, n)
    x = a.clone()
    vectors: list[Tensor] = []
    scales: list[Tensor] = []
    for k in range(steps):
        column = x.select(2, k).narrow(1, k, m - k).clone()
        head = column.select(1, 0).clone()
        rest = column.narrow(1, 1, m - k - 1).square().sum([1])
        length = (head.square() + rest).sqrt()
        ends = _where(head < 0, length, -length)
        is_done = rest == 0
        ends = _where(is_done, head, ends)
        scale = _where(is_done, 0.0, (ends - head) / _where(is_done, 1.0, ends))
        column = column / _where(is_done, 1.0, head - ends).unsqueeze(1)
        column.select(1, 0).fill_(1.0)
        part = x.narrow(1, k, m - k)
        shares = _matmul(column.unsqueeze(1), part) * scale.reshape([-1, 1, 1])
        part.sub_(column.unsqueeze(2) * shares)
        vectors.append(column)
        scales.append(scale)
    q = _eye(m, width, dtype=a.dtype).expand([a.size(0), m, width]).clone()
    for k in range(steps - 1, -1, -1):
        part = q.narrow(1, k, m - k)
        shares = _matmul(vectors[k].unsqueeze(1), part) * scales[k].reshape([-1, 1, 1])
        part.sub_(vectors[k].unsqueeze(2) * shares)
    return q, x.triu()


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
    a = checked_matrices("linalg.qr", A)
    m, n = a.size(1), a.size(2)
    width = m if mode == "complete" else min(m, n)
    q, r = _reflected(a, width)
    lead = list(A.shape)[:-2]
    triangle = r.narrow(1, 0, width).reshape(lead + [width, n]).to(A.dtype)
    if mode == "r":
        return QR(_zeros([0], dtype=A.dtype), triangle)
    return QR(q.reshape(lead + [m, width]).to(A.dtype), triangle)


def _turned(x: Tensor, p: int, q: int, cosine: Tensor, sine: Tensor, dim: int) -> None:
    """Rotates two rows or columns of each matrix."""
    a, b = x.select(dim, p), x.select(dim, q)
    c, s = cosine.unsqueeze(1), sine.unsqueeze(1)
    first = a * c - b * s
    b.copy_(a * s + b * c)
    a.copy_(first)


def _angle(app: Tensor, apq: Tensor, aqq: Tensor) -> tuple[Tensor, Tensor]:
    """Cosine and sine of the rotation that clears the element off the diagonal of a symmetric matrix of two rows."""
    is_clear = apq == 0
    theta = (aqq - app) / (_where(is_clear, 1.0, apq) * 2.0)
    tangent = _where(theta < 0, -1.0, 1.0) / (theta.abs() + (theta.square() + 1.0).sqrt())
    tangent = _where(is_clear, 0.0, tangent)
    cosine = (tangent.square() + 1.0).rsqrt()
    return cosine, tangent * cosine


def _diagonalised(a: Tensor) -> tuple[Tensor, Tensor]:
    """Eigenvalues and eigenvectors of batches of symmetric matrices, unordered."""
    n = a.size(1)
    x, v = a.clone(), _eye(n, dtype=a.dtype).expand(list(a.shape)).clone()
    limit = x.square().sum() * 1e-34
    for _ in range(_SWEEPS):
        off = x.tril(-1).square().sum()
        if not bool(off > limit):
            break
        for p in range(n - 1):
            for q in range(p + 1, n):
                apq = x.select(1, p).select(1, q)
                cosine, sine = _angle(x.select(1, p).select(1, p), apq, x.select(1, q).select(1, q))
                _turned(x, p, q, cosine, sine, 1)
                _turned(x, p, q, cosine, sine, 2)
                _turned(v, p, q, cosine, sine, 2)
    return x.diagonal(0, 1, 2), v


def eigh(A: Tensor, UPLO: str = "L") -> EigenPairs:
    """Eigenvalues of symmetric matrices in ascending order, and eigenvectors as columns. One triangle is read: the
    lower, or the upper with UPLO "U"."""
    if UPLO != "L" and UPLO != "U" and UPLO != "l" and UPLO != "u":
        raise RuntimeError("Expected UPLO argument to be 'L' or 'U', but got " + UPLO)
    a = checked_matrices("linalg.eigh", A)
    if A.size(-1) != A.size(-2):
        text = "linalg.eigh: A must be batches of square matrices, but they are " + str(A.size(-2)) + " by "
        raise RuntimeError(text + str(A.size(-1)) + " matrices")
    kept = a.triu() if UPLO == "U" or UPLO == "u" else a.tril()
    whole = kept + kept.transpose(1, 2) - kept.diagonal(0, 1, 2).diag_embed()
    values, vectors = _diagonalised(whole)
    values, order = values.sort(1)
    vectors = vectors.gather(2, order.unsqueeze(1).expand(list(vectors.shape)))
    shape = list(A.shape)
    return EigenPairs(values.reshape(shape[:-1]).to(A.dtype), vectors.reshape(shape).to(A.dtype))


def eigvalsh(A: Tensor, UPLO: str = "L") -> Tensor:
    """Eigenvalues of symmetric matrices in ascending order."""
    return eigh(A, UPLO)[0]


def _singular(a: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """U, S and V of batches of matrices that are at least as high as wide: rotations make the columns orthogonal."""
    n = a.size(2)
    x, v = a.clone(), _eye(n, dtype=a.dtype).expand([a.size(0), n, n]).clone()
    for _ in range(_SWEEPS):
        worst = 0.0
        for p in range(n - 1):
            for q in range(p + 1, n):
                left, right = x.select(2, p), x.select(2, q)
                app, aqq, apq = left.square().sum([1]), right.square().sum([1]), (left * right).sum([1])
                bound = (app * aqq).sqrt()
                share = _where(bound == 0, 0.0, apq.abs() / _where(bound == 0, 1.0, bound))
                if share.numel() > 0:
                    worst = max(worst, float(share.max()))
                cosine, sine = _angle(app, _where(share < 1e-16, 0.0, apq), aqq)
                _turned(x, p, q, cosine, sine, 2)
                _turned(v, p, q, cosine, sine, 2)
        if not worst > 1e-15:
            break
    lengths, order = x.square().sum([1]).sqrt().sort(1, descending=True)
    x = x.gather(2, order.unsqueeze(1).expand(list(x.shape)))
    v = v.gather(2, order.unsqueeze(1).expand(list(v.shape)))
    return x, lengths, v


def _with_columns(x: Tensor, lengths: Tensor, width: int) -> Tensor:
    """Orthonormal columns in the directions of those of x, completed where they are zero or too few."""
    largest = lengths.narrow(1, 0, min(1, lengths.size(1))).amax([1], True) if lengths.size(1) > 0 else lengths
    is_zero = lengths <= largest * 1e-15 if lengths.size(1) > 0 else lengths == 0
    unit = _where(is_zero.unsqueeze(1), 0.0, x / _where(is_zero, 1.0, lengths).unsqueeze(1))
    if width == x.size(2) and not bool(is_zero.any()):
        return unit
    q, r = _reflected(unit, x.size(1))
    signs = _where(r.diagonal(0, 1, 2) < 0, -1.0, 1.0)
    more = width - x.size(2)
    if more > 0:
        signs = _cat([signs, _ones([x.size(0), more], dtype=x.dtype)], 1)
    return q.narrow(2, 0, width) * signs.unsqueeze(1)


def svd(A: Tensor, full_matrices: bool = True) -> SVD:
    """U, S and Vh with A = U @ diag(S) @ Vh; square U and Vh if `full_matrices`."""
    a = checked_matrices("linalg.svd", A)
    if a.size(1) < a.size(2):
        turned = svd(A.transpose(-2, -1), full_matrices)
        return SVD(turned.Vh.transpose(-2, -1), turned.S, turned.U.transpose(-2, -1))
    m, n, lead = a.size(1), a.size(2), list(A.shape)[:-2]
    x, lengths, v = _singular(a)
    width = m if full_matrices else n
    u = _with_columns(x, lengths, width)
    return SVD(
        u.reshape(lead + [m, width]).to(A.dtype),
        lengths.reshape(lead + [n]).to(A.dtype),
        v.transpose(1, 2).reshape(lead + [n, n]).to(A.dtype),
    )


@spelled("tsm.svd", ".svd")
def old_svd(self: Tensor, some: bool = True) -> SVDWithV:
    """linalg.svd with V in the place of Vh; square factors unless `some`."""
    made = svd(self, not some)
    return SVDWithV(made.U, made.S, made.Vh.transpose(-2, -1))


def svdvals(A: Tensor) -> Tensor:
    """Singular values in descending order."""
    a = checked_matrices("linalg.svdvals", A)
    high = a if a.size(1) >= a.size(2) else a.transpose(1, 2)
    _x, lengths, _v = _singular(high)
    return lengths.reshape(list(A.shape)[:-2] + [lengths.size(1)]).to(A.dtype)
