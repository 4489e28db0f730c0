"""Which kernel computes attention, under PyTorch's spelling. There is one here, so a choice changes nothing."""

from __future__ import annotations

import enum
from collections.abc import Iterator, Sequence
from contextlib import contextmanager


class SDPBackend(enum.IntEnum):
    """Kernels of PyTorch."""

    ERROR = -1
    MATH = 0
    FLASH_ATTENTION = 1
    EFFICIENT_ATTENTION = 2
    CUDNN_ATTENTION = 3
    OVERRIDEABLE = 4


@contextmanager
def sdpa_kernel(backends: SDPBackend | Sequence[SDPBackend], set_priority: bool = False) -> Iterator[None]:
    """Nothing changes inside: attention has one kernel. TypeError for what is no SDPBackend."""
    for backend in [backends] if isinstance(backends, SDPBackend) else backends:
        if not isinstance(backend, SDPBackend):
            raise TypeError(f"sdpa_kernel takes members of SDPBackend, not {backend!r}")
    yield
