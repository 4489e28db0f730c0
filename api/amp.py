"""tsm.amp: mixed precision under PyTorch's spelling. Training in it needs gradients, so only `autocast` does something.
"""

from __future__ import annotations

from .absent import of_module
from .absent.modules import passing
from .autocasting import autocast

__path__: list[str] = []  # imports may look for modules inside
custom_fwd = custom_bwd = passing


def is_autocast_available(device_type: str) -> bool:
    """Whether operators can choose dtypes on a device: on none."""
    return False


__getattr__ = of_module("amp")
__all__ = ["autocast", "custom_bwd", "custom_fwd", "is_autocast_available"]
