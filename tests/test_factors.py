"""Factors of matrices by what defines them: products give the matrix, vectors are orthonormal, values NumPy's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tsm

DRAW = np.random.default_rng(0)
SHAPES: list[tuple[int, ...]] = [
    (1, 1), (2, 2), (5, 5), (32, 32), (33, 33), (65, 40), (40, 65), (3, 7, 7), (2, 9, 4), (0, 4, 4), (2, 0, 0), (4, 0),
]
HARD = {
    "zero": np.zeros((6, 6)),
    "ones": np.ones((9, 9)),
    "graded": np.diag([1e-300, 1, 1e300]),
    "nilpotent": np.diag(np.ones(29), 1),
    "zeros on the diagonal": np.diag([0.0, 1, 0, 2, 0]),
    "Vandermonde": np.vander(np.linspace(0, 1, 20)),
    "low rank": DRAW.standard_normal((50, 3)) @ DRAW.standard_normal((3, 50)),
    "equal values": np.kron(np.eye(4), np.ones((3, 3))),
}
MATRICES = [*(DRAW.standard_normal(shape) for shape in SHAPES), *HARD.values()]
IDS = [*map(str, SHAPES), *HARD]


def turned(a: np.ndarray) -> np.ndarray:
    return a.swapaxes(-1, -2)


def assert_close(got: np.ndarray, want: np.ndarray, size: float = 0.0) -> None:
    """Within 1e-12 of the largest element, or of `size`."""
    assert got.shape == want.shape
    largest = max(float(np.abs(want).max(initial=0)), size, 1e-300)
    assert float(np.abs(got - want).max(initial=0)) <= 1e-12 * largest


def assert_orthonormal(columns: np.ndarray) -> None:
    one = np.eye(columns.shape[-1])
    assert_close(turned(columns) @ columns, np.broadcast_to(one, (*columns.shape[:-2], *one.shape)), 1.0)


def arrays(result: Any) -> list[np.ndarray]:
    return [tensor.numpy() for tensor in result]


@pytest.mark.parametrize("a", MATRICES, ids=IDS)
def test_singular_values_and_vectors(a: np.ndarray) -> None:
    for is_full in (True, False):
        u, s, vh = arrays(tsm.linalg.svd(tsm.tensor(a), is_full))
        k = s.shape[-1]
        assert_close((u[..., :k] * s[..., None, :]) @ vh[..., :k, :], a)
        assert_close(s, np.linalg.svd(a, compute_uv=False))
        assert_orthonormal(u)
        assert_orthonormal(turned(vh))
    assert_close(tsm.linalg.svdvals(tsm.tensor(a)).numpy(), s)


@pytest.mark.parametrize("a", MATRICES, ids=IDS)
def test_eigenvalues_and_vectors(a: np.ndarray) -> None:
    scale = max(float(np.abs(a).max(initial=0)), 1e-300)
    whole = (a / scale) @ turned(a / scale)
    for side in ("L", "U"):
        read = np.tril(whole) if side == "L" else np.triu(whole)
        values, vectors = arrays(tsm.linalg.eigh(tsm.tensor(read), side))
        assert_close((vectors * values[..., None, :]) @ turned(vectors), whole)
        assert_close(values, np.linalg.eigvalsh(whole), float(np.abs(values).max(initial=0)))
        assert_orthonormal(vectors)


@pytest.mark.parametrize("a", MATRICES, ids=IDS)
def test_orthogonal_and_triangular(a: np.ndarray) -> None:
    for mode in ("reduced", "complete"):
        q, r = arrays(tsm.linalg.qr(tsm.tensor(a), mode))
        assert_close(q @ r, a)
        assert_orthonormal(q)
        assert not np.tril(r, -1).any()


@pytest.mark.parametrize("n, k", [(1, 1), (4, 3), (31, 1), (32, 9), (33, 40), (100, 2)])
def test_solutions(n: int, k: int) -> None:
    a, b = DRAW.standard_normal((n, n)) + 2 * np.sqrt(n) * np.eye(n), DRAW.standard_normal((2, n, k))
    solved = tsm.linalg.solve(tsm.tensor(a), tsm.tensor(b)).numpy()
    assert_close(a @ solved, b, float(np.abs(a).max()))
    assert_close(tsm.linalg.inv(tsm.tensor(a)).numpy() @ a, np.eye(n))
    sign, size = arrays(tsm.linalg.slogdet(tsm.tensor(a)))
    assert_close(np.asarray([sign, size]), np.asarray(np.linalg.slogdet(a)))
    lower = tsm.linalg.cholesky(tsm.tensor(a @ a.T)).numpy()
    assert_close(lower @ lower.T, a @ a.T)
    factors, pivots = tsm.linalg.lu_factor(tsm.tensor(a))
    adjoint = tsm.linalg.lu_solve(factors, pivots, tsm.tensor(b), adjoint=True).numpy()
    assert_close(a.T @ adjoint, b, float(np.abs(a).max()))


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_what_is_not_finite(bad: float) -> None:
    a = tsm.tensor([[bad, 1.0], [1.0, 2.0]])
    assert tsm.linalg.eigh(a).eigenvalues.isnan().all()
    with pytest.raises(tsm.linalg.LinAlgError, match="non-finite"):
        tsm.linalg.svd(a)
    with pytest.raises(tsm.linalg.LinAlgError, match=r"\(Batch element 1\)"):
        tsm.linalg.svd(tsm.stack([tsm.eye(2), a]))
