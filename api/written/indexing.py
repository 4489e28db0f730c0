"""Reading and writing chosen elements: masks, scattering, searching, unique elements.

In: tensors, index tensors, masks. Out: new tensors, or the tensor that was written. Holds: an out-of-place form is its
in-place form on a copy; what a flag adds to a result is chosen when a script is compiled.
"""

from __future__ import annotations

import math

from ..binding.dtype import DType
from ..binding.tensor import Tensor
from .dims import whole, wrapped
from .shapes import common_shape
from .spelling import choosing, own, rows, spelled

_where, _full, _zeros, _ones, _cat = rows["where"], rows["full"], rows["zeros"], rows["ones"], rows["cat"]
_full_like, _ones_like = rows["full_like"], rows["ones_like"]
_reduce_, _index_put_ = own["scatter_reduce_"], own["index_put_"]
_arange, _tensor = rows["arange"], rows["tensor"]
_INT, _BOOL = DType.int64, DType.bool
_FEW = 16  # elements that are looked for one by one


@spelled("tsm.masked_select", ".masked_select")
def masked_select(self: Tensor, mask: Tensor) -> Tensor:
    """Elements where the mask is True, as a vector."""
    if mask.dtype != _BOOL:
        raise RuntimeError("masked_select: expected BoolTensor for mask")
    shape = common_shape([list(self.shape), list(mask.shape)])
    return self.expand(shape)[mask.expand(shape)]


@spelled("tsm.masked_fill", ".masked_fill")
def masked_fill(self: Tensor, mask: Tensor, value) -> Tensor:
    """value, a number or a 0-d tensor, where mask, else self."""
    if not isinstance(value, Tensor):
        return self.masked_fill(mask, value)
    if value.dim() != 0:
        raise RuntimeError("masked_fill only supports a 0-dimensional value tensor")
    if value.is_floating_point() and not self.is_floating_point():
        raise RuntimeError("value cannot be converted to the dtype of self without overflow")
    return _where(mask, value.to(self.dtype), self)


@spelled(".masked_fill_")
def masked_fill_(self: Tensor, mask: Tensor, value: Tensor) -> Tensor:
    """Sets elements where mask to value, a 0-d tensor."""
    return self.copy_(masked_fill(self, mask, value))


@spelled(".masked_scatter_")
def masked_scatter_(self: Tensor, mask: Tensor, source: Tensor) -> Tensor:
    """Writes the first elements of source, in order, where mask."""
    if mask.dtype != _BOOL:
        raise RuntimeError("masked_scatter_ only supports boolean masks")
    if self.dtype != source.dtype:
        raise RuntimeError("masked_scatter: expected self and source to have same dtypes")
    places = mask.expand(list(self.shape))
    count = whole(places.sum())
    if count > source.numel():
        raise RuntimeError("masked_scatter: expected the source to have at least as many elements as the mask has True")
    self[places] = source.reshape([-1]).narrow(0, 0, count)
    return self


@spelled("tsm.masked_scatter", ".masked_scatter")
def masked_scatter(self: Tensor, mask: Tensor, source: Tensor) -> Tensor:
    """self with the first elements of source where mask."""
    shape = common_shape([list(self.shape), list(mask.shape)])
    return masked_scatter_(self.expand(shape).clone(), mask, source)


@spelled("tsm.index_add", ".index_add")
def index_add(self: Tensor, dim: int, index: Tensor, source: Tensor, *, alpha=1) -> Tensor:
    """self with alpha * the slices of source added at index along dim."""
    return self.clone().index_add_(dim, index, source if alpha == 1 else source * alpha)


@spelled(".index_add_")
def index_add_(self: Tensor, dim: int, index: Tensor, source: Tensor, *, alpha=1) -> Tensor:
    """Adds alpha * the slices of source at index along dim."""
    return self.index_add_(dim, index, source * alpha)


@spelled("tsm.index_copy", ".index_copy")
def index_copy(self: Tensor, dim: int, index: Tensor, source: Tensor) -> Tensor:
    """self with slices of source at index along dim."""
    return index_copy_(self.clone(), dim, index, source)


@spelled(".index_copy_")
def index_copy_(self: Tensor, dim: int, index: Tensor, source: Tensor) -> Tensor:
    """Writes slices of source at index along dim."""
    place = wrapped(dim, self.dim())
    if index.dim() > 1:
        raise IndexError("index_copy_(): Index should have dimension 1 or 0 (got " + str(index.dim()) + ")")
    if self.dtype != source.dtype:
        raise RuntimeError("index_copy_(): self and source expected to have the same dtype")
    shape = list(source.shape)
    line = [1] * max(source.dim(), 1)
    line[place] = -1
    if source.dim() > 0 and index.numel() != source.size(place):
        raise IndexError("index_copy_(): Number of indices should be equal to source.size(dim)")
    if self.dim() == 0:
        return self.copy_(source.reshape([]))
    return self.scatter_(place, index.reshape(line).expand(shape), source)


@spelled("tsm.index_fill", ".index_fill")
def index_fill(self: Tensor, dim: int, index: Tensor, value) -> Tensor:
    """self with value at index along dim."""
    return index_fill_(self.clone(), dim, index, value)


@spelled(".index_fill_")
def index_fill_(self: Tensor, dim: int, index: Tensor, value) -> Tensor:
    """Writes value at index along dim."""
    place = wrapped(dim, self.dim())
    if index.dim() > 1:
        raise RuntimeError("index_fill_(): Index has to be a vector/scalar")
    if self.dim() == 0:
        return self.fill_(value)
    extent = self.size(place)
    at = index.reshape([-1]).to(_INT)
    chosen = _zeros([extent], dtype=_BOOL).scatter_(
        0, _where(at < 0, at + extent, at), _ones([at.numel()], dtype=_BOOL)
    )
    line = [1] * self.dim()
    line[place] = extent
    return self.masked_fill_(chosen.reshape(line), value)


@spelled("tsm.scatter", ".scatter")
def scatter(self: Tensor, dim: int, index: Tensor, src=None, *, value=None, reduce: str | None = None) -> Tensor:
    """self with src, a tensor or a number, at index along dim."""
    return scatter_(self.clone(), dim, index, src, value=value, reduce=reduce)


@spelled(".scatter_")
def scatter_(self: Tensor, dim: int, index: Tensor, src=None, *, value=None, reduce: str | None = None) -> Tensor:
    """Writes src, a tensor or a number, at index along dim; or adds or multiplies it."""
    given = _source(self, index, src if src is not None else value)
    if reduce is None:
        return self.scatter_(dim, index, given)
    if reduce != "add" and reduce != "multiply":
        raise RuntimeError("reduce argument must be either add or multiply.")
    return _reduce_(self, dim, index, given, "sum" if reduce == "add" else "prod")


def _source(self: Tensor, index: Tensor, src) -> Tensor:
    if isinstance(src, Tensor):
        return src
    return _full(list(index.shape), src, dtype=self.dtype)


@spelled("tsm.scatter_add", ".scatter_add")
def scatter_add(self: Tensor, dim: int, index: Tensor, src: Tensor) -> Tensor:
    """self with src added at index along dim."""
    return _reduce_(self.clone(), dim, index, src, "sum")


@spelled(".scatter_add_")
def scatter_add_(self: Tensor, dim: int, index: Tensor, src: Tensor) -> Tensor:
    """Adds src at index along dim."""
    return _reduce_(self, dim, index, src, "sum")


@spelled("tsm.scatter_reduce", ".scatter_reduce")
def scatter_reduce(
    self: Tensor, dim: int, index: Tensor, src: Tensor, reduce: str, *, include_self: bool = True
) -> Tensor:
    """self with what reduces it and the elements of src at index along dim: sum, prod, mean, amax or amin."""
    return scatter_reduce_(self.clone(), dim, index, src, reduce, include_self=include_self)


@spelled(".scatter_reduce_")
def scatter_reduce_(
    self: Tensor, dim: int, index: Tensor, src: Tensor, reduce: str, *, include_self: bool = True
) -> Tensor:
    """Reduces self and the elements of src at index along dim: sum, prod, mean, amax or amin; without include_self
    only those of src, where there are any."""
    if reduce == "max" or reduce == "min":
        return scatter_reduce_(self, dim, index, src, "a" + reduce, include_self=include_self)
    if reduce != "sum" and reduce != "prod" and reduce != "mean" and reduce != "amax" and reduce != "amin":
        text = "reduce argument must be either sum, prod, mean, amax or amin, got " + reduce
        raise RuntimeError(text)
    if not include_self:
        start = _full(list(index.shape), 1 if reduce == "prod" else 0, dtype=self.dtype)
        self.scatter_(dim, index, src if reduce == "amax" or reduce == "amin" else start)
    _reduce_(self, dim, index, src, "sum" if reduce == "mean" else reduce)
    if reduce == "mean":
        counts = _full_like(self, 1 if include_self else 0)
        _reduce_(counts, dim, index, _ones_like(src), "sum")
        counts = counts.clamp(min=1)
        self.copy_(self / counts if self.is_floating_point() else self // counts)
    return self


@spelled("tsm.index_put", ".index_put")
def index_put(self: Tensor, indices: list[Tensor], values: Tensor, accumulate: bool = False) -> Tensor:
    """self with values at the elements that the indices name."""
    return index_put_(self.clone(), indices, values, accumulate)


@spelled(".index_put_")
def index_put_(self: Tensor, indices: list[Tensor], values: Tensor, accumulate: bool = False) -> Tensor:
    """Writes values at the elements that the indices name, or adds them."""
    if len(indices) > self.dim():
        raise IndexError("too many indices for tensor of dimension " + str(self.dim()))
    wanted: list[Tensor | None] = []
    for each in indices:
        wanted.append(each)
    return _index_put_(self, wanted, values, accumulate)


@spelled("tsm.take", ".take")
def take(self: Tensor, index: Tensor) -> Tensor:
    """Elements at indices into the tensor as a vector."""
    count = self.numel()
    if index.numel() > 0 and (whole(index.min()) < -count or whole(index.max()) >= count):
        raise IndexError("out of range: tried to access an index beyond " + str(count) + " elements")
    return self.reshape([-1]).index_select(0, (index % max(count, 1)).reshape([-1])).reshape(list(index.shape))


@spelled("tsm.take_along_dim", ".take_along_dim")
def take_along_dim(self: Tensor, indices: Tensor, dim: int | None = None) -> Tensor:
    """self[indices along dim], broadcasting the other dimensions; without dim as vectors."""
    if dim is None:
        return self.reshape([-1]).gather(0, indices.reshape([-1]))
    if self.dim() != indices.dim():
        raise RuntimeError("torch.take_along_dim(): input and indices should have the same number of dimensions")
    place = wrapped(dim, self.dim())
    shape, wanted = list(self.shape), list(indices.shape)
    shape[place], wanted[place] = 1, 1
    common = common_shape([shape, wanted])
    of_self, of_index = list(common), list(common)
    of_self[place], of_index[place] = self.size(place), indices.size(place)
    at = _where(indices < 0, indices + self.size(place), indices)
    return self.expand(of_self).gather(place, at.expand(of_index))


@spelled("tsm.argwhere", ".argwhere")
def argwhere(self: Tensor) -> Tensor:
    """Indices of elements that are not 0, one a row."""
    return self.nonzero()


def _nonzero_columns(self: Tensor) -> tuple[Tensor, ...]:
    if self.dim() == 0:
        return (self.reshape([1]).nonzero().select(1, 0),)
    return tuple(self.nonzero().unbind(1))


@spelled("tsm.nonzero", ".nonzero")
@choosing(neither=argwhere, as_tuple=_nonzero_columns)
def nonzero(self: Tensor, *, as_tuple: bool = False):
    """Indices of elements that are not 0: one a row, or a vector for each dimension."""
    if as_tuple:
        return _nonzero_columns(self)
    return self.nonzero()


@spelled("tsm.where")
def where(condition: Tensor) -> tuple[Tensor, ...]:
    """Indices of elements that are not 0, a vector for each dimension."""
    return _nonzero_columns(condition)


@spelled(".where")
def where_else(self: Tensor, condition: Tensor, other) -> Tensor:
    """self where condition, else other."""
    return _where(condition, self, other)


def _found_by_each(asked: Tensor, wanted: Tensor) -> Tensor:
    return (asked.unsqueeze(-1) == wanted.reshape([-1])).any(-1)


def _found_by_order(asked: Tensor, wanted: Tensor) -> Tensor:
    """In n log m steps and memory of n + m."""
    ordered = wanted.reshape([-1]).sort().values
    at = searchsorted(ordered, asked).clamp(max=ordered.numel() - 1)
    return ordered[at] == asked


@spelled("tsm.isin")
def isin(elements, test_elements, *, assume_unique: bool = False, invert: bool = False) -> Tensor:
    """Whether each element is among the test elements, or is not; one of the two may be a number."""
    asked = elements if isinstance(elements, Tensor) else _tensor(elements)
    wanted = test_elements if isinstance(test_elements, Tensor) else _tensor(test_elements)
    found = _found_by_order(asked, wanted) if wanted.numel() > _FEW else _found_by_each(asked, wanted)
    return found.logical_not() if invert else found


@spelled("tsm.searchsorted")
def searchsorted(
    sorted_sequence: Tensor, input, *, out_int32: bool = False, right: bool = False, side: str | None = None
) -> Tensor:
    """Where to insert values into sorted last dimensions so that they stay sorted, by halving."""
    values = input if isinstance(input, Tensor) else _full([], input, dtype=sorted_sequence.dtype)
    if side is not None and side != "left" and side != "right":
        raise RuntimeError("torch.searchsorted(): side can only be 'left' or 'right' but got " + side)
    is_right = right or (side is not None and side == "right")
    wide = list(values.shape)
    if sorted_sequence.dim() > 1 and list(sorted_sequence.shape)[:-1] != wide[:-1]:
        raise RuntimeError(
            "torch.searchsorted(): boundaries tensor should be 1 dimension or the first dimensions must match"
        )
    count = sorted_sequence.size(-1)
    if count == 0 or values.numel() == 0:
        return _zeros(wide, dtype=DType.int32 if out_int32 else _INT)
    lines = sorted_sequence.reshape([-1, count])
    wanted = values.reshape([lines.size(0), -1])
    low, high = _zeros(list(wanted.shape), dtype=_INT), _full(list(wanted.shape), count, dtype=_INT)
    steps = count
    while steps > 0:
        middle = (low + high) // 2
        at = lines.gather(1, middle.clamp(max=count - 1))
        is_above = ((at <= wanted) if is_right else ((at < wanted) | ((wanted != wanted) & (at == at)))) & (low < high)
        low, high = _where(is_above, middle + 1, low), _where(is_above | (low >= high), high, middle)
        steps //= 2
    return low.reshape(wide).to(DType.int32) if out_int32 else low.reshape(wide)


@spelled("tsm.bucketize")
def bucketize(input, boundaries: Tensor, *, out_int32: bool = False, right: bool = False) -> Tensor:
    """The bucket of each value: how many of the sorted boundaries are below it, or with right not above it."""
    if boundaries.dim() != 1:
        raise RuntimeError("bucketize: boundaries tensor must be 1 dimension")
    return searchsorted(boundaries, input, out_int32=out_int32, right=right)


def _runs(ordered: Tensor) -> Tensor:
    """Of a vector: whether each element differs from the one before it; True at the first."""
    count = ordered.numel()
    if count == 0:
        return _zeros([0], dtype=_BOOL)
    return _cat([_ones([1], dtype=_BOOL), ordered.narrow(0, 1, count - 1) != ordered.narrow(0, 0, count - 1)], 0)


def _counts(starts: Tensor, total: int) -> Tensor:
    """Lengths of runs from where they start."""
    count = starts.numel()
    if count == 0:
        return _zeros([0], dtype=_INT)
    return _cat([starts.narrow(0, 1, count - 1), _full([1], total, dtype=_INT)], 0) - starts


def _consecutive_all(self: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """First elements of runs, the run of each element, lengths."""
    line = self.reshape([-1])
    is_first = _runs(line)
    starts = is_first.nonzero().select(1, 0)
    inverse = (is_first.cumsum(0) - 1).reshape(list(self.shape))
    return line[is_first], inverse, _counts(starts, line.numel())


def _lines(self: Tensor, dim: int) -> Tensor:
    """Slices along a dimension as rows."""
    front = self.transpose(0, wrapped(dim, self.dim()))
    return front.reshape([front.size(0), math.prod(list(front.shape)[1:])])


def _unique_lines(self: Tensor, dim: int) -> tuple[Tensor, Tensor, Tensor]:
    """Different slices along a dimension in order, the place of each among them, how often each occurs."""
    lines = _lines(self, dim)
    order = _arange(lines.size(0))
    for column in range(lines.size(1) - 1, -1, -1):
        order = order[lines.select(1, column)[order].argsort(stable=True)]
    values, inverse, counts = _consecutive_lines(self.index_select(dim, order), dim)
    return values, _zeros([order.numel()], dtype=_INT).scatter_(0, order, inverse), counts


def _consecutive_lines(self: Tensor, dim: int) -> tuple[Tensor, Tensor, Tensor]:
    """The first slice of each run of equal ones along a dimension, the run of each slice, lengths."""
    lines = _lines(self, dim)
    count = lines.size(0)
    is_first = _ones([count], dtype=_BOOL)
    if count > 1:
        is_first[1:] = (lines.narrow(0, 1, count - 1) != lines.narrow(0, 0, count - 1)).any(1)
    starts = is_first.nonzero().select(1, 0)
    return self.index_select(dim, starts), is_first.cumsum(0) - 1, _counts(starts, count)


def _unique_all(self: Tensor, sorted: bool = True, *, dim: int | None = None) -> tuple[Tensor, Tensor, Tensor]:
    """Elements in order, the place of each among them, how often each occurs."""
    if dim is not None:
        return _unique_lines(self, dim)
    ordered, order = self.reshape([-1]).sort()
    values, inverse, counts = _consecutive_all(ordered)
    places = _zeros([ordered.numel()], dtype=_INT).scatter_(0, order, inverse)
    return values, places.reshape(list(self.shape)), counts


def _unique(input: Tensor, sorted: bool = True, *, dim: int | None = None) -> Tensor:
    return _unique_all(input, dim=dim)[0]


def _unique_inverse(input: Tensor, sorted: bool = True, *, dim: int | None = None) -> tuple[Tensor, Tensor]:
    values, inverse, _counts = _unique_all(input, dim=dim)
    return values, inverse


def _unique_counts(input: Tensor, sorted: bool = True, *, dim: int | None = None) -> tuple[Tensor, Tensor]:
    values, _inverse, counts = _unique_all(input, dim=dim)
    return values, counts


@spelled("tsm.unique", ".unique")
@choosing(
    neither=_unique,
    return_inverse=_unique_inverse,
    return_counts=_unique_counts,
    return_inverse__return_counts=_unique_all,
)
def unique(
    input: Tensor, sorted: bool = True, return_inverse: bool = False, return_counts: bool = False,
    dim: int | None = None,
):
    """The different elements in order, or the different slices along a dimension; with return_inverse the place of
    each among them, with return_counts how often each occurs."""
    if return_inverse:
        return _unique_all(input, dim=dim) if return_counts else _unique_inverse(input, dim=dim)
    return _unique_counts(input, dim=dim) if return_counts else _unique(input, dim=dim)


def _runs_all(input: Tensor, *, dim: int | None = None) -> tuple[Tensor, Tensor, Tensor]:
    return _consecutive_all(input) if dim is None else _consecutive_lines(input, dim)


def _consecutive(input: Tensor, *, dim: int | None = None) -> Tensor:
    return _runs_all(input, dim=dim)[0]


def _consecutive_inverse(input: Tensor, *, dim: int | None = None) -> tuple[Tensor, Tensor]:
    values, inverse, _counts = _runs_all(input, dim=dim)
    return values, inverse


def _consecutive_counts(input: Tensor, *, dim: int | None = None) -> tuple[Tensor, Tensor]:
    values, _inverse, counts = _runs_all(input, dim=dim)
    return values, counts


@spelled("tsm.unique_consecutive", ".unique_consecutive")
@choosing(
    neither=_consecutive,
    return_inverse=_consecutive_inverse,
    return_counts=_consecutive_counts,
    return_inverse__return_counts=_runs_all,
)
def unique_consecutive(
    input: Tensor, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None
):
    """The first element of each run of equal ones, or the first slice along a dimension; with return_inverse the run of
    each, with return_counts the lengths of runs."""
    if return_inverse:
        return _runs_all(input, dim=dim) if return_counts else _consecutive_inverse(input, dim=dim)
    return _consecutive_counts(input, dim=dim) if return_counts else _consecutive(input, dim=dim)


@spelled("tsm.select_scatter", ".select_scatter")
def select_scatter(self: Tensor, src: Tensor, dim: int, index: int) -> Tensor:
    """self with src at one index of a dimension."""
    made = self.clone()
    made.select(dim, index).copy_(src)
    return made


@spelled(".put_")
def put_(self: Tensor, index: Tensor, source: Tensor, accumulate: bool = False) -> Tensor:
    """Writes source at places that count through all elements, or adds it there."""
    if self.dtype != source.dtype:
        raise RuntimeError("put_(): self and source expected to have the same dtype")
    flat = self.reshape([-1]).clone()
    _index_put_(flat, [index.reshape([-1])], source.reshape([-1]), accumulate)
    return self.copy_(flat.reshape(list(self.shape)))


@spelled("tsm.put", ".put")
def put(self: Tensor, index: Tensor, source: Tensor, accumulate: bool = False) -> Tensor:
    """The same in a copy."""
    return put_(self.clone(), index, source, accumulate)


@spelled("tsm.narrow_copy", ".narrow_copy")
def narrow_copy(self: Tensor, dim: int, start: int, length: int) -> Tensor:
    """A copy of some slices."""
    return self.narrow(dim, start, length).clone()
