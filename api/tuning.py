"""Switches of TorchScript's executor, under their names in `torch.jit`.

Out: functions and managers, which change nothing. Holds: programs are compiled ahead of time, so there is nothing to
warm up, to fuse later or to switch off.
"""

from __future__ import annotations

from typing import Any

from .modes import InertMode


class optimized_execution(InertMode):
    """`with optimized_execution(False):`."""

    def __init__(self, should_optimize: bool) -> None:
        self.should_optimize = should_optimize


class fuser(InertMode):
    """`with fuser("fuser1"):`."""

    def __init__(self, name: str) -> None:
        self.name = name


class strict_fusion(InertMode):
    """`with strict_fusion():`."""


def set_fusion_strategy(strategy: list[tuple[str, int]]) -> list[tuple[str, int]]:
    """The strategy that was: none."""
    return []


def enable_onednn_fusion(enabled: bool) -> None:
    """Nothing."""


def onednn_fusion_enabled() -> bool:
    """False: the kernels are tsm's own."""
    return False


def run_frozen_optimizations(module: Any, optimize_numerics: bool = True, preserved_methods: Any = None) -> None:
    """Nothing: `freeze` does all of it."""
