"""Functions of lists of tensors, for lists whose elements may be anything until the program runs.

In: a list or tuple of values. Out: what the operator gives for them. Holds: TypeError, as PyTorch's, for an element
that is no tensor.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..binding.tensor import Tensor
from .spelling import rows, spelled

_cat, _stack = rows["cat"], rows["stack"]


def checked(values) -> list[Tensor]:
    """The elements, each of them a tensor."""
    found: list[Tensor] = []
    for place, value in enumerate(values):
        if not isinstance(value, Tensor):
            name = type(value).__name__
            raise TypeError(f"expected Tensor as element {place} in argument 0, but got {name}")
        found.append(value)
    return found


@spelled("tsm.cat", "tsm.concat", "tsm.concatenate")
def cat(tensors: Sequence, dim: int = 0) -> Tensor:
    """Joined along a dimension."""
    return _cat(checked(tensors), dim)


@spelled("tsm.stack")
def stack(tensors: Sequence, dim: int = 0) -> Tensor:
    """Joined along a new dimension."""
    return _stack(checked(tensors), dim)
