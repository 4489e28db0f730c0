"""Parameter and Buffer: tensors that a Module lists among its own when they are assigned to an attribute."""

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

    def requires_grad_(self, requires_grad: bool = True) -> Any:
        """The parameter, which keeps the wish."""
        self._requires_grad = requires_grad
        return self

    def replace_data(self, data: Tensor) -> None:
        """Makes this parameter a handle on other memory; other handles on the old memory keep it."""
        self.become(data)

    def __repr__(self) -> str:
        return f"Parameter containing:\n{super().__repr__()}"


class Buffer(Tensor):
    """A tensor that is a module's state but no weight. Shares the memory of `data`; `persistent` ones are part of
    `state_dict()`."""

    __slots__ = ("persistent",)
    persistent: bool

    def __new__(cls, data: Tensor, *, persistent: bool = True) -> Any:
        if not isinstance(data, Tensor):
            raise TypeError(f"a Buffer is made of a tensor, not of a {type(data).__name__}")
        buffer = wrap_shared(data._ref, cls)
        buffer.persistent = persistent
        return buffer
