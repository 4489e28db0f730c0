"""Dimensions as callers write them - an int, several, None for all, counted from either end - made plain lists."""

from __future__ import annotations

from ..binding.tensor import Tensor


def wrapped(dim: int, rank: int) -> int:
    """A dimension counted from the front. IndexError out of range; a 0-d tensor counts as one dimension."""
    count = max(rank, 1)
    if dim < -count or dim >= count:
        text = f"Dimension out of range (expected to be in range of [{-count}, {count - 1}], but got {dim})"
        raise IndexError(text)
    return dim + count if dim < 0 else dim


def as_list(value) -> list[int]:
    """One int or several."""
    if isinstance(value, int):
        return [value]
    if isinstance(value, Tensor):
        return [whole(value)]
    return list(value)


def each_dimension(value: int | list[int], count: int, name: str) -> list[int]:
    """One number for each spatial dimension."""
    given = as_list(value)
    if len(given) == 1:
        return given * count
    if len(given) != count:
        raise RuntimeError("expected " + name + " to be a single integer value or a list of " + str(count) + " values")
    return given


def listed(dim, rank: int) -> list[int]:
    """Dimensions counted from the front, without repeats; None and an empty list are all of them."""
    if dim is None:
        return list(range(rank))
    found: list[int] = []
    for each in as_list(dim):
        place = wrapped(each, rank)
        if place in found:
            raise RuntimeError(f"dim {place} appears multiple times in the list of dims")
        if rank > 0:
            found.append(place)
    return found if len(found) > 0 else list(range(rank))


def size_of(size) -> list[int]:
    """What `*size` caught: ints, or one list or tuple of them."""
    sizes: list[int] = []
    if isinstance(size[0], int):
        for extent in size:
            sizes.append(extent)
    else:
        for extent in size[0]:
            sizes.append(extent)
    return sizes


def whole(value: Tensor) -> int:
    """The only element of a tensor of integers. A trace follows it, where it would fix `int(value)`."""
    found: int = value.item()
    return found


def ask_no_gradients(requires_grad: bool) -> None:
    """NotImplementedError for `requires_grad=True`."""
    if requires_grad:
        raise NotImplementedError("tsm does not compute gradients yet, so requires_grad must be False")
