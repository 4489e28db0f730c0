"""What `x[...]` means, as steps of operators: the rules of PyTorch's tensor indexing, for eager calls and the compiler.

In: index items, described by kind only. Out: a Plan: select, slice and unsqueeze steps in order, then at most one
`index` (or `index_put_`) with an index tensor, or None, for each leading dimension. Holds: knows nothing of tensors; a
caller that has no rank (the compiler) gets dimensions counted from the end behind an ellipsis.

    x[0, :, None, mask]  ->  select(x, 0, 0); unsqueeze(_, 1); index(_, [None, None, mask])
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

ItemKind = Literal["int", "slice", "none", "ellipsis", "tensor", "bool"]


class IndexingError(Exception):
    """An index that no tensor takes; the text is PyTorch's sense in our words."""


@dataclass(frozen=True, slots=True)
class Item:
    """One item of an index.

    int: an int, or an integer tensor of rank 0. slice: a Python slice or anything that stands for one. tensor: an index
    tensor; `mask_rank` is the rank of a bool or uint8 mask, 0 for integers. bool: True, False or a mask of rank 0.
    """

    kind: ItemKind
    value: Any = None
    mask_rank: int = 0

    @property
    def dims(self) -> int:
        """Dimensions of the tensor that the item takes up."""
        if self.kind in ("int", "slice"):
            return 1
        return (self.mask_rank or 1) if self.kind == "tensor" else 0


@dataclass(frozen=True, slots=True)
class Step:
    """`select(x, dim, value)`, `slice(x, dim, start, stop, step)` of a slice value, or `unsqueeze(x, dim)`."""

    op: Literal["select", "slice", "unsqueeze"]
    dim: int
    value: Any = None


@dataclass(slots=True)
class Plan:
    """`indices` are the operands of `index` after the steps; empty if there is no such step."""

    steps: list[Step] = field(default_factory=list)
    indices: list[Item | None] = field(default_factory=list)


def plan(items: tuple[Item, ...], rank: int | None) -> Plan:
    """Steps for `x[items]` of a tensor of `rank` dimensions; None if the rank is not known.

    Raises IndexingError for two ellipses or more items than dimensions, and, without a rank, for an index tensor behind
    an ellipsis.
    """
    taken = sum(item.dims for item in items)
    ellipses = sum(item.kind == "ellipsis" for item in items)
    if ellipses > 1:
        items = _drop_later_ellipses(items)
    if rank is not None and taken > rank:
        raise IndexingError(_too_many(rank))
    return _Planner(items, rank, taken).run()


def _drop_later_ellipses(items: tuple[Item, ...]) -> tuple[Item, ...]:
    """PyTorch lets a second ellipsis stand for no dimension."""
    first = next(i for i, item in enumerate(items) if item.kind == "ellipsis")
    return tuple(item for i, item in enumerate(items) if item.kind != "ellipsis" or i == first)


def _too_many(rank: int) -> str:
    if rank == 0:
        return "invalid index of a 0-dim tensor: use tensor.item() to get its number"
    return f"too many indices for tensor of dimension {rank}"


class _Planner:
    """Walks the items; `dim` is the next dimension of the result so far, or the dimensions are counted from the end."""

    def __init__(self, items: tuple[Item, ...], rank: int | None, taken: int) -> None:
        self.items = items
        self.rank = rank
        self.left = taken  # dimensions of x that this and the later items take up
        self.dim = 0
        self.from_end = False
        self.plan = Plan()

    def run(self) -> Plan:
        for item in self.items:
            getattr(self, f"_{item.kind}")(item)
            self.left -= item.dims
        return self.plan

    def _place(self, inserting: bool = False) -> int:
        """Dimension of the current item: from the left, or negative behind an ellipsis of unknown extent."""
        if self.from_end:
            return -self.left - inserting
        return self.dim

    def _int(self, item: Item) -> None:
        self.plan.steps.append(Step("select", self._place(), item.value))

    def _slice(self, item: Item) -> None:
        if not is_whole(item.value):
            self.plan.steps.append(Step("slice", self._place(), item.value))
        self.dim += 1

    def _none(self, item: Item) -> None:
        self.plan.steps.append(Step("unsqueeze", self._place(inserting=True)))
        self.dim += 1

    def _ellipsis(self, item: Item) -> None:
        if self.rank is None:
            self.from_end = True
        else:
            taken = sum(each.dims for each in self.items)
            self.dim += self.rank - taken

    def _tensor(self, item: Item) -> None:
        if self.from_end:
            raise IndexingError("an index tensor behind an ellipsis needs a tensor of known rank")
        self._put(item)
        self.dim += item.mask_rank or 1

    def _bool(self, item: Item) -> None:
        if self.from_end:
            raise IndexingError("a bool index behind an ellipsis needs a tensor of known rank")
        self.plan.steps.append(Step("unsqueeze", self.dim))
        self._put(item)
        self.dim += 1

    def _put(self, item: Item) -> None:
        """The operand of `index` for the current dimension: a mask is one operand but takes several dimensions."""
        held = sum((each.mask_rank or 1) if each is not None else 1 for each in self.plan.indices)
        self.plan.indices += [None] * (self.dim - held)
        self.plan.indices.append(item)


def is_whole(part: Any) -> bool:
    """Whether a slice is `:`, which needs no step."""
    return isinstance(part, slice) and part.start is None and part.stop is None and part.step in (None, 1)


def is_spelled_out(index: Any, is_tensor: Any) -> bool:
    """Whether a list used as an index stands for a tuple: so PyTorch takes one with sequences, slices or tensors."""
    if not isinstance(index, list) or len(index) >= 32:
        return False
    return any(
        item is None or item is Ellipsis or isinstance(item, (list, tuple, slice)) or is_tensor(item) for item in index
    )
