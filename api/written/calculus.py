"""Derivatives by differences of neighbours.

In: values on a grid, how far its points are apart, or where they are. Out: one tensor for each dimension.
Holds: inner points use both neighbours, exact for parabolas; ends use one neighbour, or two with edge_order 2.
"""

from __future__ import annotations

from ..binding.tensor import Tensor
from .dims import listed
from .spelling import rows, spelled

_cat = rows["cat"]


def _end(values: Tensor, place: int, at: list[int], weights: list[Tensor]) -> Tensor:
    """A sum of slices with weights."""
    made = values.narrow(place, at[0], 1) * weights[0]
    for i in range(1, len(at)):
        made = made + values.narrow(place, at[i], 1) * weights[i]
    return made


def _at_points(values: Tensor, place: int, points: Tensor, edge_order: int) -> Tensor:
    """The derivative along a dimension whose points lie there."""
    count = values.size(place)
    gaps = points.narrow(0, 1, count - 1) - points.narrow(0, 0, count - 1)
    shape = [1] * values.dim()
    shape[place] = count - 2
    before, behind = gaps.narrow(0, 0, count - 2).reshape(shape), gaps.narrow(0, 1, count - 2).reshape(shape)
    left, mid, right = (values.narrow(place, i, count - 2) for i in (0, 1, 2))
    whole = before * behind * (before + behind)
    inner = (right * (before * before) + mid * (behind * behind - before * before) - left * (behind * behind)) / whole
    a, b = gaps[0], gaps[count - 2]
    if edge_order == 1:
        first, last = _end(values, place, [0, 1], [-1 / a, 1 / a]), _end(
            values, place, [count - 2, count - 1], [-1 / b, 1 / b])
        return _cat([first, inner, last], place)
    c, d = gaps[1], gaps[count - 3]
    first = _end(values, place, [0, 1, 2], [-(2 * a + c) / (a * (a + c)), (a + c) / (a * c), -a / (c * (a + c))])
    last = _end(values, place, [count - 3, count - 2, count - 1], [
        b / (d * (d + b)), -(d + b) / (d * b), (2 * b + d) / (b * (d + b))])
    return _cat([first, inner, last], place)


def _evenly(values: Tensor, place: int, step, edge_order: int) -> Tensor:
    """The derivative along a dimension whose points are a step apart."""
    count = values.size(place)
    inner = (values.narrow(place, 2, count - 2) - values.narrow(place, 0, count - 2)) / (2 * step)
    if edge_order == 1:
        first = (values.narrow(place, 1, 1) - values.narrow(place, 0, 1)) / step
        last = (values.narrow(place, count - 1, 1) - values.narrow(place, count - 2, 1)) / step
        return _cat([first, inner, last], place)
    starts = [values.narrow(place, i, 1) for i in range(3)]
    ends = [values.narrow(place, count - 1 - i, 1) for i in range(3)]
    first = (starts[1] * 4 - starts[0] * 3 - starts[2]) / (2 * step)
    last = (ends[0] * 3 - ends[1] * 4 + ends[2]) / (2 * step)
    return _cat([first, inner, last], place)


def _checked_dims(values: Tensor, dim: int | list[int] | None, edge_order: int) -> list[int]:
    if edge_order != 1 and edge_order != 2:
        raise RuntimeError("torch.gradient only supports edge_order=1 and edge_order=2.")
    dims = listed(dim, values.dim())
    for place in dims:
        if values.size(place) < edge_order + 1:
            raise RuntimeError("torch.gradient expected each dimension size to be at least edge_order+1")
    return dims


def _wrong_count(dims: int, spacing: int) -> str:
    return ("torch.gradient expected spacing to be unspecified, a scalar, or a list of length equal to 'self.dim() = "
            + str(dims) + "', since dim argument was not given, but got a list of length " + str(spacing))


@spelled("tsm.gradient")
def gradient(
    self: Tensor, *, spacing=None, dim: int | list[int] | None = None, edge_order: int = 1
) -> tuple[Tensor, ...]:
    """Derivatives along dimensions, all unless given: one tensor each. spacing: how far points are apart, one number or
    one a dimension, or where they are, a vector a dimension."""
    dims = _checked_dims(self, dim, edge_order)
    made: list[Tensor] = []
    if spacing is None:
        for place in dims:
            made.append(_evenly(self, place, 1, edge_order))
    elif isinstance(spacing, (int, float)):
        for place in dims:
            made.append(_evenly(self, place, spacing, edge_order))
    else:
        if len(spacing) != len(dims):
            raise RuntimeError(_wrong_count(self.dim(), len(spacing)))
        for i, step in enumerate(spacing):
            if isinstance(step, Tensor):
                made.append(_at_points(self, dims[i], step, edge_order))
            else:
                made.append(_evenly(self, dims[i], step, edge_order))
    return tuple(made)
