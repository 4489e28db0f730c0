"""tsm.functional: functions that PyTorch also has there; each is that of tsm."""

from __future__ import annotations

import sys
from typing import Any

NAMES = (
    "atleast_1d", "atleast_2d", "atleast_3d", "align_tensors", "broadcast_shapes", "broadcast_tensors",
    "cartesian_prod", "block_diag", "cdist", "chain_matmul", "einsum", "lu", "norm", "meshgrid",
    "pca_lowrank", "split", "stft", "svd_lowrank", "tensordot", "unique", "unique_consecutive", "unravel_index",
)


def __getattr__(name: str) -> Any:
    if name not in NAMES:
        raise AttributeError(f"module 'tsm.functional' has no attribute {name!r}: it may be one of tsm")
    return getattr(sys.modules[__name__.rpartition(".")[0]], name)
