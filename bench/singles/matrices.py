"""Products of matrices, distances and linear algebra."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from .case import Case, array, case, given


def product(m: Any, a: Any, b: Any) -> Any:
    return a @ b


def einsum(text: str) -> Any:
    return lambda m, *a: m.einsum(text, *a)


def definite(n: int, *batch: int, dtype: str = "f32") -> Any:
    """Symmetric positive definite matrices."""
    def make() -> Any:
        a = array(*batch, n, n, dtype=dtype)
        return a @ a.swapaxes(-1, -2) / n + np.eye(n, dtype=a.dtype)
    return make


def regular(n: int, *batch: int, dtype: str = "f32") -> Any:
    """Well-conditioned matrices."""
    def make() -> Any:
        a = array(*batch, n, n, dtype=dtype)
        return a / np.asarray(n, a.dtype) ** 0.5 + 3 * np.eye(n, dtype=a.dtype)
    return make


ALGEBRA: dict[str, tuple[Any, Any]] = {
    "cholesky": (lambda m, a: m.linalg.cholesky(a), definite),
    "solve": (lambda m, a: m.linalg.solve(a, a[..., :4] + 1), regular),
    "inv": (lambda m, a: m.linalg.inv(a), regular),
    "det": (lambda m, a: m.linalg.slogdet(a)[1], regular),
    "lstsq": (lambda m, a: m.linalg.lstsq(a, a[..., :4] + 1)[0], regular),
    "qr": (lambda m, a: m.linalg.qr(a)[1].abs(), regular),
    "eigh": (lambda m, a: m.linalg.eigh(a)[0], definite),
    "eigvalsh": (lambda m, a: m.linalg.eigvalsh(a), definite),
    "svd": (lambda m, a: m.linalg.svd(a)[1], regular),
    "svdvals": (lambda m, a: m.linalg.svdvals(a), regular),
    "pinv": (lambda m, a: m.linalg.pinv(a), regular),
    "solve_triangular": (lambda m, a: m.linalg.solve_triangular(m.linalg.cholesky(a), a, upper=False), definite),
}

MATRICES: list[Case] = [
    *(case(f"mm {n}x{k}x{p}", product, array, (n, k), (k, p), tolerance=1e-3) for n, k, p in (
        (37, 1001, 513), (1001, 37, 999), (7, 4096, 11), (2000, 3, 2000), (5000, 64, 5), (512, 512, 512))),
    case("mm 512^3 A^T@B", lambda m, a, b: a.t() @ b, array, (512, 512), (512, 512), tolerance=1e-3),
    case("mm 512^3 A@B^T", lambda m, a, b: a @ b.t(), array, (512, 512), (512, 512), tolerance=1e-3),
    case("mv 2000x2000", product, array, (2000, 2000), (2000,), tolerance=1e-3),
    case("mv^T 2000x2000 (x@A)", product, array, (2000,), (2000, 2000), tolerance=1e-3),
    case("mm f64 512^3", product, array, (512, 512), (512, 512), group="f64"),
    case("mm f64 129x257x65", product, array, (129, 257), (257, 65), group="f64"),
    case("mv f64 1000", product, array, (1000, 1000), (1000,), group="f64"),
    case("mm int64 256^3", product, array, (256, 256), (256, 256), group="i64"),
    case("mm int32 256^3", product, array, (256, 256), (256, 256), group="i32"),
    case("mm u8 256^3", product, array, (256, 256), (256, 256), group="u8"),
    case("bmm 64x33x65x31", product, array, (64, 33, 65), (64, 65, 31), tolerance=1e-4),
    case("bmm 10000x4x4 @ 4x4", product, array, (10_000, 4, 4), (10_000, 4, 4)),
    case("bmm 20000x3x3 @ 3x1", product, array, (20_000, 3, 3), (20_000, 3, 1)),
    case("bmm f64 20000x3x3 @ 3x3", product, array, (20_000, 3, 3), (20_000, 3, 3), group="f64"),
    case("outer 2000", lambda m, a, b: m.outer(a, b), array, (2000,), (2000,)),
    case("dot 1e6", lambda m, a, b: m.dot(a, b), array, (1_000_000,), (1_000_000,), tolerance=1e-2),
    case("einsum bhid,bhjd->bhij", einsum("bhid,bhjd->bhij"), array, (4, 8, 64, 32), (4, 8, 64, 32), tolerance=1e-4),
    case("einsum bij,bjk,bk->bi", einsum("bij,bjk,bk->bi"), array, (32, 32, 32), (32, 32, 32), (32, 32),
         tolerance=1e-3),
    case("einsum ijk,ilk->jl", einsum("ijk,ilk->jl"), array, (16, 32, 64), (16, 48, 64), tolerance=1e-3),
    case("einsum ii->i", einsum("ii->i"), array, (500, 500)),
    case("linear f32 batch (8,50,96)->192", lambda m, x, w, b: m.nn.functional.linear(x, w, b), array, (8, 50, 96),
         (192, 96), (192,), tolerance=1e-4),
    case("cdist 500x500x16", lambda m, a, b: m.cdist(a, b), array, (500, 16), (500, 16), tolerance=1e-3),
    case("cdist 500x500x3 (p=1)", lambda m, a, b: m.cdist(a, b, p=1.0), array, (500, 3), (500, 3), tolerance=1e-4),
    case("cross 1e5x3", lambda m, a, b: m.linalg.cross(a, b), array, (100_000, 3), (100_000, 3)),
    *(given(f"{name} {n} {dtype}", run, make(n, dtype=dtype), group=dtype, tolerance=2e-3)
      for name, (run, make) in ALGEBRA.items() for n in (4, 16, 64, 256) for dtype in ("f32", "f64")),
    *(given(f"{name} 1000 x 4", run, make(4, 1000), tolerance=2e-3) for name, (run, make) in ALGEBRA.items()),
    given("matrix_exp 16", lambda m, a: m.linalg.matrix_exp(a), partial(array, 16, 16), tolerance=1e-3),
]
