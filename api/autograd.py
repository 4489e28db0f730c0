"""tsm.autograd: the modes of differentiation, under PyTorch's spelling: `autograd.no_grad`, `autograd.profiler`.

Out: the names of tsm itself. Holds: gradients are not computed, so modes change nothing.
"""

from __future__ import annotations

import sys

from . import autograd_function as function
from . import profiler
from .absent import of_module
from .autograd_function import Function
from .binding.gradients import refuse_gradients
from .binding.tensor import Tensor
from .modes import enable_grad, inference_mode, no_grad, set_grad_enabled

__path__: list[str] = []  # imports may look for modules inside
sys.modules[f"{__name__}.function"] = function
sys.modules[f"{__name__}.profiler"] = profiler


class _AnyTensor(type):
    def __instancecheck__(cls, value: object) -> bool:
        return isinstance(value, Tensor)

    def __call__(cls, data: Tensor, requires_grad: bool = False, volatile: bool = False) -> Tensor:
        refuse_gradients(requires_grad)
        return data.detach()


class Variable(metaclass=_AnyTensor):
    """PyTorch's old name for a tensor: a call gives the tensor, and every tensor is an instance."""

    __tsm_annotates__ = Tensor


__getattr__ = of_module("autograd")
__all__ = ["Function", "Variable", "enable_grad", "inference_mode", "no_grad", "profiler", "set_grad_enabled"]
