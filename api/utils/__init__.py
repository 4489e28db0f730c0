"""tsm.utils: of torch.utils what works without gradients and data loaders: `checkpoint`, `dlpack`, `set_module`."""

from __future__ import annotations

from typing import Any

from ..absent import of_module
from . import checkpoint, dlpack


def set_module(obj: Any, mod: str) -> None:
    """Sets the module that an object says it is from."""
    obj.__module__ = mod


__getattr__ = of_module("utils")
__all__ = ["checkpoint", "dlpack", "set_module"]
