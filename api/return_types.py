"""Classes of what operators give as several tensors, as `torch.return_types`: tuples with the names of their parts.

In: the operator table. Out: `max`, `min`, `sort`, `topk` and the others, for isinstance(), annotations and pickle.
"""

from __future__ import annotations

from typing import Any

from .binding.result_classes import result_classes

_CLASSES: dict[str, Any] = {made.__name__: made for made in result_classes().values()}
globals().update(_CLASSES)
__all__ = sorted(_CLASSES)


def __getattr__(name: str) -> Any:
    raise AttributeError(f"module '{__name__}' has no attribute '{name}': there are {', '.join(__all__)}")
