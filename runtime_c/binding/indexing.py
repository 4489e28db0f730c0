"""What `x[...]` means where no item is a tensor, as views: the rules of PyTorch's indexing, for eager calls and the
compiler. With tensors it is one operator, getitem.Tensor, as what they mean depends on ranks.

In: index items, described by kind only. Out: select, slice and unsqueeze steps. Holds: knows nothing of tensors; a
caller that has no rank (the compiler) gets dimensions counted from the end behind an ellipsis.

    x[0, :, None, 1:]  ->  slice(x, 2, 1); unsqueeze(_, 2); select(_, 0, 0)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

ItemKind = Literal["int", "slice", "none", "ellipsis", "tensor", "tensors", "bool"]


class IndexingError(Exception):
    """An index that no tensor takes; the text is PyTorch's."""


@dataclass(frozen=True, slots=True)
class Item:
    """One item of an index.

    int: an int, or an integer tensor of rank 0. slice: a Python slice or anything that stands for one. tensor: an index
    tensor or a mask. tensors: a list of these, alone. bool: True, False or a mask of rank 0.
    """

    kind: ItemKind
    value: Any = None

    @property
    def dims(self) -> int:
        """Dimensions of the tensor that the item takes up."""
        return int(self.kind in ("int", "slice"))


@dataclass(frozen=True, slots=True)
class Step:
    """`select(x, dim, value)`, `slice(x, dim, start, stop, step)` of a slice value, or `unsqueeze(x, dim)`."""

    op: Literal["select", "slice", "unsqueeze"]
    dim: int
    value: Any = None


def plan(items: tuple[Item, ...], rank: int | None) -> list[Step]:
    """Steps for `x[items]` of a tensor of `rank` dimensions; None if the rank is not known. No item is a tensor.

    Raises IndexingError for more items than dimensions. A second ellipsis stands for no dimension.
    """
    taken = sum(item.dims for item in items)
    if rank is not None and taken > rank:
        raise IndexingError(_too_many(rank))
    ellipses = [i for i, item in enumerate(items) if item.kind == "ellipsis"]
    kept = tuple(item for i, item in enumerate(items) if item.kind != "ellipsis" or i == ellipses[0])
    return _steps(kept, rank, taken, bool(ellipses))


def _steps(items: tuple[Item, ...], rank: int | None, taken: int, has_ellipsis: bool) -> list[Step]:
    """From the last item to the first: a step sees the dimensions before it as x has them, so that what an error names
    is a dimension of x. Behind an ellipsis of unknown extent dimensions are counted from the end."""
    steps: list[Step] = []
    from_end = has_ellipsis and rank is None
    before = rank if has_ellipsis and rank is not None else taken  # dimensions of x that are not passed yet
    behind = 0  # dimensions of the result that the items passed gave
    is_checked = rank is not None  # whether a step tells that x has as many dimensions
    for i in range(len(items) - 1, -1, -1):
        item = items[i]
        before -= item.dims
        place = -1 - behind if from_end else before
        if item.kind == "ellipsis":
            before = sum(each.dims for each in items[:i])
            from_end, is_checked = False, rank is not None
            continue
        if item.kind == "int":
            steps.append(Step("select", place, item.value))
        elif item.kind == "none":
            steps.append(Step("unsqueeze", place))
        elif not (is_whole(item.value) and is_checked):
            steps.append(Step("slice", place, item.value))
        is_checked |= item.dims > 0
        behind += item.kind != "int"
    return steps


def needs_rank(items: tuple[Item, ...]) -> bool:
    """Whether steps that do not know the rank could take more dimensions than there are without noticing: items
    before an ellipsis and behind it may meet the same one."""
    places = [i for i, item in enumerate(items) if item.kind == "ellipsis"]
    if not places:
        return False
    left, right = items[: places[0]], items[places[0] + 1 :]
    return any(item.dims for item in left) and any(item.dims for item in right)


def _too_many(rank: int) -> str:
    if rank == 0:
        text = "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ to convert "
        return text + "a 0-dim tensor to a number"
    return f"too many indices for tensor of dimension {rank}"


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
