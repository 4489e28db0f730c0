"""tsm.autograd.function: functions with a backward pass of their own, of which the forward pass runs.

In: subclasses of Function. Out: what their `forward` gives. Holds: gradients are not computed, so nothing is saved.
"""

from __future__ import annotations

from typing import Any

from .absent import of_module
from .absent.modules import passing

once_differentiable = passing


class FunctionCtx:
    """What `forward` is given: attributes may be set, and tensors that are saved are kept as `saved_tensors`."""

    saved_tensors: tuple[Any, ...] = ()
    needs_input_grad: tuple[bool, ...] = ()

    def save_for_backward(self, *tensors: Any) -> None:
        self.saved_tensors = tensors

    def mark_dirty(self, *tensors: Any) -> None:
        """Nothing: there is no backward pass."""

    def mark_non_differentiable(self, *tensors: Any) -> None:
        """Nothing: there is no backward pass."""

    def set_materialize_grads(self, value: bool) -> None:
        """Nothing: there is no backward pass."""


class Function(FunctionCtx):
    """`F.apply(x)` is `F.forward(ctx, x)`, or `F.forward(x)` for a class with `setup_context`."""

    @classmethod
    def apply(cls, *args: Any, **kwargs: Any) -> Any:
        """What `forward` gives."""
        forward: Any = cls.forward  # type: ignore[attr-defined]
        if hasattr(cls, "setup_context"):
            return forward(*args, **kwargs)
        ctx = FunctionCtx()
        ctx.needs_input_grad = (False,) * len(args)
        return forward(ctx, *args, **kwargs)


__getattr__ = of_module("autograd.function")
