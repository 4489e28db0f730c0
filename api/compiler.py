"""tsm.compiler: what programs ask of another compiler, under PyTorch's spelling `torch.compiler`.

Holds: there is none, so nothing is being compiled by it, and functions stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from .absent import of_module

F = TypeVar("F", bound=Callable[..., Any])


def is_compiling() -> bool:
    """Whether torch.compile is at work: never."""
    return False


def is_dynamo_compiling() -> bool:
    """As is_compiling."""
    return False


def is_exporting() -> bool:
    """Whether torch.export is at work: never."""
    return False


def disable(fn: F | None = None, recursive: bool = True, *, reason: str | None = None) -> Any:
    """The function itself; without one, the decorator that gives it back."""
    return (lambda function: function) if fn is None else fn


__getattr__ = of_module("compiler")
