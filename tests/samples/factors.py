"""Samples of what factors matrices. Where signs or vectors are arbitrary the reference is built of what is not."""

from __future__ import annotations

from typing import Any

import numpy as np

from .sample import FLOATS, Failure, Sample, noise, ramp

SQUARES = [noise(*shape) for shape in ((1, 1), (3, 3), (5, 5), (40, 40), (2, 3, 4, 4), (0, 3, 3), (2, 0, 0))]
WHOLE = [*SQUARES, noise(7, 4), noise(4, 7), noise(70, 33), noise(33, 70), noise(3, 5, 2), noise(3, 0), noise(0, 3)]
DIAGONAL = np.diag([2.0, 0.0, 3.0, 0.0])


def _regular(a: Any) -> Any:
    return a + 3 * np.sqrt(max(a.shape[-1], 1)) * np.eye(a.shape[-1])


def _definite(a: Any) -> Any:
    return a @ np.swapaxes(a, -1, -2) + np.eye(a.shape[-1])


def _symmetric(a: Any) -> Any:
    return a + np.swapaxes(a, -1, -2)



def _qr(a: Any, complete: bool = False) -> Any:
    import torch

    q, r = torch.linalg.qr(a, "complete" if complete else "reduced")
    return q, r


def _lu(a: Any, pivot: bool = True) -> Any:
    import torch

    if pivot:
        return tuple(torch.linalg.lu_factor_ex(a))[:2]
    made = a.clone()
    for k in range(a.shape[-1]):
        made[k + 1 :, k] /= made[k, k].clone()
        made[k + 1 :, k + 1 :] -= made[k + 1 :, k, None] * made[k, k + 1 :]
    return made, torch.arange(1, a.shape[-1] + 1, dtype=torch.int32)


def _lu_solve(lu: Any, pivots: Any, b: Any) -> Any:
    import torch

    return torch.linalg.lu_solve(lu, pivots, b)


def _triangular(a: Any, b: Any, upper: bool, unitriangular: bool) -> Any:
    import torch

    return torch.linalg.solve_triangular(a, b, upper=upper, unitriangular=unitriangular)


def _cholesky(a: Any) -> Any:
    import torch

    return tuple(torch.linalg.cholesky_ex(a))


def _values(a: Any, vectors: bool) -> Any:
    import torch

    info = torch.zeros(a.shape[:-2], dtype=torch.int32)
    return torch.linalg.eigvalsh(a), a.new_empty([*a.shape[:-2], 0, 0]), info


def _singular_values(a: Any, full_matrices: bool, vectors: bool) -> Any:
    import torch

    info = torch.zeros(a.shape[:-2], dtype=torch.int32)
    none = a.new_empty([*a.shape[:-2], 0, 0])
    return none, torch.linalg.svdvals(a), none, info


def _pivots(n: int) -> Any:
    return np.asarray([n, *range(2, n + 1)], "int32")


SAMPLES: dict[str, list[Sample]] = {
    "linalg_lu_factor": [
        *(Sample((a,), {}, FLOATS, _lu, 1e-4) for a in WHOLE if a.size),
        Sample((_regular(noise(40, 40)), False), {}, FLOATS, _lu, 1e-4),
        Sample((DIAGONAL,), {}, FLOATS, _lu),
    ],
    "linalg_lu_solve": [
        Sample((_regular(noise(n, n)), _pivots(n), noise(n, 3)), {}, FLOATS, _lu_solve, 1e-4) for n in (1, 4, 33, 70)
    ],
    "linalg_solve_triangular": [
        Sample((_regular(noise(*lead, n, n)), noise(*lead, n, k), upper, False), {}, FLOATS, _triangular, 1e-4)
        for n, k, lead in ((1, 1, ()), (5, 2, (3,)), (40, 7, ()), (70, 0, ())) for upper in (True, False)
    ] + [
        Sample((noise(4, 4), noise(4, 2), upper, True), {}, FLOATS, _triangular, 1e-4) for upper in (True, False)
    ],
    "linalg_cholesky": [
        *(Sample((_definite(a),), {}, FLOATS, _cholesky, 1e-3) for a in SQUARES if a.size),
        Sample((_definite(noise(70, 70)),), {}, FLOATS, _cholesky, 1e-3),
    ],
    "linalg_qr": [
        *(Sample((a,), {}, FLOATS, _qr, 1e-3) for a in WHOLE if a.size),
        *(Sample((a, True), {}, FLOATS, _qr, 1e-3) for a in (noise(7, 4), noise(4, 7), noise(40, 33))),
    ],
    "linalg_eigh": [Sample((_symmetric(a), False), {}, FLOATS, _values, 1e-3) for a in SQUARES],
    "linalg_svd": [
        Sample((a, False, False), {}, FLOATS, _singular_values, 1e-3) for a in (*SQUARES, noise(7, 4), noise(70, 33))
    ],
}

ERRORS: dict[str, list[Failure]] = {
    name: [
        Failure((ramp(3), *rest), "RuntimeError", "expected at least 2 dimensions", only_ours=True),
        Failure((np.ones((2, 2), "int64"), *rest), "RuntimeError", "expected float32 or float64", only_ours=True),
    ]
    for name, rest in {
        "linalg_lu_factor": (), "linalg_lu_solve": (_pivots(2), ramp(2, 2)),
        "linalg_solve_triangular": (ramp(2, 2), True, False), "linalg_cholesky": (), "linalg_qr": (), "linalg_eigh": (),
        "linalg_svd": (),
    }.items()
}
ERRORS["linalg_lu_solve"] += [
    Failure((ramp(2, 2), np.asarray([0, 5], "int32"), ramp(2, 2)), "RuntimeError", "Pivots given to lu_solve",
            only_ours=True),
    Failure((ramp(2, 2), _pivots(3), ramp(2, 2)), "RuntimeError", "pivots of int32", only_ours=True),
    Failure((ramp(2, 2), _pivots(2), ramp(3, 2)), "RuntimeError", "do not fit", only_ours=True),
]
ERRORS["linalg_svd"].append(Failure((ramp(2, 3),), "RuntimeError", "at least as many rows", only_ours=True))
ERRORS["linalg_eigh"].append(Failure((ramp(2, 3),), "RuntimeError", "expected square matrices", only_ours=True))
