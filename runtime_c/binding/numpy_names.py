"""NumPy's names of arguments, which PyTorch takes beside its own: `x.sum(axis=1, keepdims=True)`.

In: the name of a keyword argument. Out: what the operators call it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

NUMPY_NAMES = {"axis": "dim", "keepdims": "keepdim"}


def with_own_names(kwargs: Mapping[str, Any]) -> Mapping[str, Any]:
    """Arguments under the names of operators; one that is given under both names stays, and is refused."""
    if NUMPY_NAMES.keys().isdisjoint(kwargs):
        return kwargs
    return {own if (own := NUMPY_NAMES.get(name, name)) not in kwargs else name: kwargs[name] for name in kwargs}
