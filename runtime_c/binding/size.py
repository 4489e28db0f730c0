"""`tsm.Size`: what a tensor's shape is, a tuple with a text of its own.

In: extents. Out: a tuple of ints. Holds: slices, sums and multiples of one are sizes again, as in PyTorch.
"""

from __future__ import annotations

import math
from typing import Any


class Size(tuple[int, ...]):
    """Extents of a tensor."""

    __slots__ = ()

    def numel(self) -> int:
        """Number of elements."""
        return math.prod(self)

    def __getitem__(self, index: Any) -> Any:
        found = tuple.__getitem__(self, index)
        return Size(found) if isinstance(index, slice) else found

    def __add__(self, other: Any) -> Any:
        return Size(tuple.__add__(self, other))

    def __radd__(self, other: Any) -> Any:
        return Size(tuple(other) + tuple(self))

    def __mul__(self, count: Any) -> Any:
        return Size(tuple.__mul__(self, count))

    __rmul__ = __mul__

    def __repr__(self) -> str:
        return f"tsm.Size([{', '.join(map(repr, self))}])"
