"""tsm.utils.checkpoint: without gradients nothing is kept for them, so a checkpoint is the call itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from ..absent import of_module


def checkpoint(
    function: Callable[..., Any], *args: Any, use_reentrant: bool | None = None, context_fn: Any = None,
    determinism_check: str = "default", debug: bool = False, preserve_rng_state: bool = True, early_stop: bool = True,
    **kwargs: Any,
) -> Any:
    """What the function gives."""
    return function(*args, **kwargs)


def checkpoint_sequential(functions: Any, segments: int, input: Any, **kwargs: Any) -> Any:
    """What the functions give, one after another."""
    steps: Sequence[Any] = list(functions.children()) if hasattr(functions, "children") else functions
    for step in steps:
        input = step(input)
    return input


def set_checkpoint_early_stop(enable: bool) -> AbstractContextManager[None]:
    """A manager that changes nothing."""
    return nullcontext()


__getattr__ = of_module("utils.checkpoint")
