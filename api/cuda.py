"""tsm.cuda: what programs ask of the devices that are not there, under PyTorch's spelling `torch.cuda`.

Holds: there is none, so the branches that use one are not taken.
"""

from __future__ import annotations

import sys

from . import cuda_amp as amp
from .absent import of_module

__path__: list[str] = []  # imports may look for modules inside
sys.modules[f"{__name__}.amp"] = amp


def is_available() -> bool:
    """Whether there is a device: never."""
    return False


def device_count() -> int:
    return 0


def is_initialized() -> bool:
    return False


def manual_seed(seed: int) -> None:
    """Nothing: there is no generator of a device."""


def manual_seed_all(seed: int) -> None:
    """Nothing: there is no generator of a device."""


def empty_cache() -> None:
    """Nothing: there is no memory of a device."""


__getattr__ = of_module("cuda")
