"""tsm.utils.dlpack: memory shared with other libraries, under PyTorch's spelling."""

from __future__ import annotations

from typing import Any

from ..binding import Tensor, from_dlpack


def to_dlpack(tensor: Tensor) -> Any:
    """A capsule over the tensor's memory, to be used once."""
    return tensor.__dlpack__()


__all__ = ["from_dlpack", "to_dlpack"]
