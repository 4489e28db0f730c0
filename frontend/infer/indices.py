"""What stands between the brackets of a subscript, inferred: one value, a slice, or the items of a tensor's index.

In: inferred parts. Out: an `Index`. Holds: each part was evaluated in Python's order and can be read more than once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ...binding.indexing import Item
from ..core.typed import Expr, none
from ..parser import syntax

Part = Expr | None
Hold = Callable[[Expr], Expr]  # keeps a part for use later in the same statement


@dataclass(slots=True)
class SliceIndex:
    lower: Part
    upper: Part
    step: Part


@dataclass(slots=True)
class TensorIndex:
    items: tuple[Item, ...]


Index = Expr | SliceIndex | TensorIndex


def evaluated_parts(index: Index) -> list[Expr]:
    """The parts of an index that are evaluated, in their order."""
    if isinstance(index, SliceIndex):
        return [part for part in (index.lower, index.upper, index.step) if part is not None]
    if isinstance(index, TensorIndex):
        return [item.value for item in index.items if item.kind == "none" and item.value is not None]
    return [index]


def slice_operands(node: syntax.Node, index: SliceIndex) -> list[Expr]:
    """The three parts, None where one is left out."""
    return [none(node.span) if part is None else part for part in (index.lower, index.upper, index.step)]
