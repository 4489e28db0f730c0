"""Weights that are computed before each call: weight_norm and spectral_norm, with PyTorch's names.

In: a module and the name of its weight. Out: the module, which keeps what the weight is made of as parameters.
Holds: a hook computes the weight, eagerly and in scripts.
"""

from __future__ import annotations

from typing import Any, TypeVar

from ...binding.tensor import Tensor
from ...written.spelling import rows
from ..module import Module
from ..parameter import Parameter

T = TypeVar("T", bound=Module)
_randn = rows["randn"]


def norm_except(v: Tensor, dim: int) -> Tensor:
    """The 2-norms of v's slices along a dimension, or of all elements for -1."""
    if dim == -1:
        return (v * v).sum().sqrt()
    others = [d for d in range(v.dim()) if d != dim]
    return (v * v).sum(others, True).sqrt() if len(others) > 0 else v.abs()


def weight_norm(module: T, name: str = "weight", dim: int | None = 0) -> T:
    """The weight as a direction, `weight_v`, times a length of each slice along dim, `weight_g`."""
    kept = -1 if dim is None else dim
    weight = getattr(module, name)
    if kept < -1:
        kept += weight.dim()
    delattr(module, name)
    module.register_parameter(name + "_g", Parameter(norm_except(weight, kept)))
    module.register_parameter(name + "_v", Parameter(weight.detach()))

    def compute(module: Module, inputs: tuple[Any, ...]) -> None:
        v = getattr(module, name + "_v")
        setattr(module, name, v * (getattr(module, name + "_g") / norm_except(v, kept)))

    compute(module, ())
    _hook(module, "weight_norm", name, compute)
    return module


def remove_weight_norm(module: T, name: str = "weight") -> T:
    """The weight as one parameter again. ValueError if it was none."""
    _remove(module, "weight_norm", name, (name + "_g", name + "_v"))
    return module


def spectral_norm(
    module: T, name: str = "weight", n_power_iterations: int = 1, eps: float = 1e-12, dim: int | None = None
) -> T:
    """The weight over its largest singular value, which power iterations estimate: one before each call in training."""
    weight = getattr(module, name)
    kept = dim if dim is not None else 1 if type(module).__name__.startswith("ConvTranspose") else 0

    def as_matrix(weight: Tensor) -> Tensor:
        return weight.transpose(0, kept).flatten(1) if weight.dim() > 1 else weight.unsqueeze(1)

    matrix = as_matrix(weight)
    u, v = _randn([matrix.size(0)], dtype=weight.dtype), _randn([matrix.size(1)], dtype=weight.dtype)
    delattr(module, name)
    module.register_parameter(name + "_orig", Parameter(weight.detach()))
    module.register_buffer(name + "_u", u / u.norm().clamp(min=eps))
    module.register_buffer(name + "_v", v / v.norm().clamp(min=eps))
    setattr(module, name, weight.detach())

    def compute(module: Module, inputs: tuple[Any, ...]) -> None:
        weight = getattr(module, name + "_orig")
        matrix = as_matrix(weight)
        u, v = getattr(module, name + "_u"), getattr(module, name + "_v")
        if module.training:
            for _ in range(n_power_iterations):
                across = matrix.t().mv(u)
                v.copy_(across / across.norm().clamp(min=eps))
                along = matrix.mv(v)
                u.copy_(along / along.norm().clamp(min=eps))
        setattr(module, name, weight / u.dot(matrix.mv(v)))

    _hook(module, "spectral_norm", name, compute)
    return module


def remove_spectral_norm(module: T, name: str = "weight") -> T:
    """The weight as one parameter again. ValueError if it was none."""
    _remove(module, "spectral_norm", name, (name + "_orig", name + "_u", name + "_v"))
    return module


def _hook(module: Module, kind: str, name: str, compute: Any) -> None:
    compute.kind = (kind, name)
    module.register_forward_pre_hook(compute)


def _remove(module: Module, kind: str, name: str, parts: tuple[str, ...]) -> None:
    for key, hook in [*module._forward_pre_hooks.items()]:
        if getattr(hook, "kind", None) == (kind, name):
            hook(module, ())
            weight = getattr(module, name)
            del module._forward_pre_hooks[key]
            for each in (name, *parts):
                delattr(module, each)
            setattr(module, name, Parameter(weight))
            return
    raise ValueError(f"{kind} of '{name}' not found in {module}")
