"""tsm.nn.utils.parametrize: which weights are computed, and how one becomes a parameter again."""

from __future__ import annotations

from typing import TypeVar

from ...absent import of_module
from ..module import Module
from ..parameter import Parameter

T = TypeVar("T", bound=Module)


def is_parametrized(module: Module, tensor_name: str | None = None) -> bool:
    """Whether a weight of a module, or any, is computed by nn.utils.parametrizations."""
    found = module._modules.get("parametrizations")
    return found is not None and (tensor_name is None or tensor_name in found._modules)


def remove_parametrizations(module: T, tensor_name: str, leave_parametrized: bool = True) -> T:
    """The weight as one parameter again. ValueError if it is none that is computed."""
    for key, hook in [*module._forward_pre_hooks.items()]:
        if getattr(hook, "kind", None) == ("parametrization", tensor_name):
            hook(module, ())
            weight = getattr(module, tensor_name)
            if not leave_parametrized:
                weight = module.parametrizations[tensor_name].original1
            del module._forward_pre_hooks[key]
            delattr(module, tensor_name)
            delattr(module, "parametrizations")
            setattr(module, tensor_name, Parameter(weight.detach()))
            return module
    raise ValueError(f"{tensor_name} of {module} is not parametrized")


__getattr__ = of_module("nn.utils.parametrize")
