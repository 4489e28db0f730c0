"""tsm.autocast: dtypes that operators choose by themselves, under PyTorch's spelling.

In: a device and whether it is wished. Out: a manager. Holds: of other devices than the CPU there is nothing to choose.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from .binding.dtype import DType

F = TypeVar("F", bound=Callable[..., Any])


class autocast:
    """`with autocast("cpu", enabled=False):`. NotImplementedError where operators on the CPU would have to choose."""

    __tsm_compiles__ = True

    def __init__(
        self, device_type: str, dtype: DType | None = None, enabled: bool = True, cache_enabled: bool | None = None
    ) -> None:
        if enabled and device_type == "cpu":
            raise NotImplementedError("autocast is not implemented on the CPU: convert with .to(tsm.bfloat16)")

    def __call__(self, function: F) -> F:
        """The function as it is: the manager changes nothing."""
        return function

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        return None
