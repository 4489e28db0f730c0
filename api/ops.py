"""tsm.ops: where PyTorch has operators of loaded libraries, which do not run here."""

from __future__ import annotations

from typing import Any

from .absent.stand_in import stand_in

HINT = "write it with tensors, or keep it in a function marked @tsm.jit.ignore"


def load_library(path: Any) -> None:
    """OSError, as PyTorch raises for a library that it cannot load."""
    raise OSError(f"{path} has operators of PyTorch, which do not run here")


def __getattr__(name: str) -> Any:
    """A stand-in for the operators of a library."""
    if name.startswith("__"):
        raise AttributeError(f"module 'tsm.ops' has no attribute {name!r}")
    return stand_in(f"ops.{name}", HINT)
