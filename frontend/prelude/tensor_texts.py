"""How a tensor is formatted, written as a script.

In: a tensor and a format specification. Out: the text. Holds: a 0-d tensor is formatted as its number, as in PyTorch.
"""

from __future__ import annotations

from ...binding.tensor import Tensor


def formatted(tensor: Tensor, spec: str) -> str:
    if tensor.dim() == 0:
        return format(tensor.item(), spec)
    if spec:
        raise TypeError("unsupported format string passed to Tensor.__format__")
    return str(tensor)
