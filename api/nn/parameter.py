"""Parameter: a tensor that a Module lists among its parameters when it is assigned to an attribute."""

from __future__ import annotations

from typing import Any

from ..binding.tensor import Tensor, wrap_shared


class Parameter(Tensor):
    """A tensor that is a module's weight. Shares the memory of `data`.

    `requires_grad` is kept as said but has no effect yet: gradients are not computed.
    """

    __slots__ = ("_requires_grad",)

    def __new__(cls, data: Tensor, requires_grad: bool = True) -> Any:
        if not isinstance(data, Tensor):
            raise TypeError(f"a Parameter is made of a tensor, not of a {type(data).__name__}")
        parameter = wrap_shared(data._ref, cls)
        parameter._requires_grad = requires_grad
        return parameter

    @property
    def requires_grad(self) -> bool:
        return getattr(self, "_requires_grad", True)

    @requires_grad.setter
    def requires_grad(self, value: bool) -> None:
        self._requires_grad = value

    def replace_data(self, data: Tensor) -> None:
        """Makes this parameter a handle on other memory; other handles on the old memory keep it."""
        self.become(data)

    def __repr__(self) -> str:
        return f"Parameter containing:\n{super().__repr__()}"
