"""All parameters as one vector, and back."""

from __future__ import annotations

from collections.abc import Iterable

from ...binding.tensor import Tensor
from ...written.spelling import rows

_cat = rows["cat"]


def parameters_to_vector(parameters: Iterable[Tensor]) -> Tensor:
    """The elements of all parameters, one after another."""
    made: Tensor = _cat([parameter.detach().reshape(-1) for parameter in parameters])
    return made


def vector_to_parameters(vec: Tensor, parameters: Iterable[Tensor]) -> None:
    """Writes a vector over the parameters."""
    start = 0
    for parameter in parameters:
        count = parameter.numel()
        parameter.data.copy_(vec[start : start + count].reshape(parameter.shape))
        start += count
