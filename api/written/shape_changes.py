"""Methods that give a tensor another shape in place: `unsqueeze_`, `t_` and their like, for Python's own calls.

In: the method without "_". Out: methods of Tensor. Holds: the tensor stays the object it was; scripts have a meaning of
their own for these names.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..binding.tensor import Tensor


def changing(name: str) -> Callable[..., Tensor]:
    def change(self: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        self.become(getattr(self, name)(*args, **kwargs))
        return self

    change.__name__ = change.__qualname__ = f"{name}_"
    change.__doc__ = f"Becomes what {name} gives."
    return change


for _name in ("unsqueeze", "squeeze", "transpose", "t", "swapaxes", "swapdims"):
    setattr(Tensor, f"{_name}_", changing(_name))
