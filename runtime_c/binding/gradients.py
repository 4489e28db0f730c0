"""What is said where a gradient is asked for.

In: `requires_grad=`, `backward()` and their like. Out: GradientError. Holds: gradients are not computed, and nobody is
left to believe that they are: only a Parameter, which is one by PyTorch's default, keeps the wish as it was said.
"""

from __future__ import annotations

from typing import Any

SAID = "tsm does not compute gradients yet"
HINT = "train in PyTorch and take the weights over with load_state_dict"


class GradientError(NotImplementedError):
    """A gradient was asked for; NotImplementedError is a RuntimeError, too."""


def refuse_gradients(requires_grad: Any) -> None:
    """GradientError if it is true."""
    if requires_grad:
        raise GradientError(f"{SAID}, so requires_grad must be False; a weight is nn.Parameter(tensor)")


def no_backward(self: Any, *args: Any, **kwargs: Any) -> None:
    """GradientError."""
    raise GradientError(f"{SAID}: {HINT}")
