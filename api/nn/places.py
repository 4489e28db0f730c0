"""Layers take `device=` and `dtype=`, as PyTorch's do.

In: the classes of layers with parameters. Out: constructors that convert what they made. Holds: there is only the CPU;
RuntimeError for another device.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import Any

from ..binding.device import check_place
from ..binding.dtype import DType
from .module import Module


def take_places(layers: Iterable[type[Module]]) -> None:
    """Gives the constructors of the classes, and of their bases, the two parameters."""
    bases = {base for layer in layers for base in layer.__mro__ if issubclass(base, Module) and base is not Module}
    for base in bases:
        if "__init__" in vars(base):
            base.__init__ = _placed(vars(base)["__init__"])  # type: ignore[method-assign]


def _placed(made: Any) -> Any:
    @functools.wraps(made)
    def __init__(self: Module, *args: Any, device: Any = None, dtype: DType | None = None, **kwargs: Any) -> None:
        made(self, *args, **kwargs)
        if device is not None:
            check_place(device)
        if dtype is not None:
            self.to(dtype)

    return __init__
