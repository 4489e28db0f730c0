"""Shapes beyond the table's views: moved and rolled dimensions, parts, grids, repeats.

In: tensors, dimensions, extents. Out: views where PyTorch gives views, else new tensors. Holds: each is a few rows.
"""

from __future__ import annotations

from ..binding.dtype import DType
from ..binding.tensor import Tensor
from .dims import as_list, ask_no_gradients, size_of, whole, wrapped
from .spelling import rows, spelled

_cat, _stack, _zeros, _arange, _full = rows["cat"], rows["stack"], rows["zeros"], rows["arange"], rows["full"]
_ones, _empty, _tensor, _diagonal = rows["ones"], rows["empty"], rows["tensor"], rows["diagonal"]
_INT = DType.int64


@spelled("tsm.movedim", ".movedim", "tsm.moveaxis", ".moveaxis")
def movedim(self: Tensor, source: int | list[int], destination: int | list[int]) -> Tensor:
    """With dimensions moved to other places; the others keep their order."""
    rank = self.dim()
    sources = [wrapped(each, rank) for each in as_list(source)]
    places = [wrapped(each, rank) for each in as_list(destination)]
    if len(sources) != len(places):
        raise RuntimeError(
            "movedim: Invalid source or destination dims: source dims and destination dims must be as many"
        )
    if len(set(sources)) != len(sources) or len(set(places)) != len(places):
        raise RuntimeError("movedim: repeated dim")
    rest = [i for i in range(rank) if i not in sources]
    order: list[int] = []
    for i in range(rank):
        order.append(sources[places.index(i)] if i in places else rest.pop(0))
    return self.permute(order)


@spelled("tsm.swapaxes", "tsm.swapdims", ".swapdims")
def swapdims(self: Tensor, dim0: int, dim1: int) -> Tensor:
    """With two dimensions swapped."""
    return self.transpose(dim0, dim1)


@spelled("tsm.squeeze")
def squeeze(self: Tensor, dim: list[int]) -> Tensor:
    """Without those of some dimensions whose extent is 1."""
    places = sorted([wrapped(each, self.dim()) for each in dim])
    made = self
    for i in range(len(places)):
        made = made.squeeze(places[len(places) - 1 - i])
    return made


@spelled(".squeeze")
def squeezed(self: Tensor, *dims, dim: list[int] | None = None) -> Tensor:
    """The same, of a list or of numbers."""
    return squeeze(self, size_of(dims) if dim is None else dim)


@spelled("tsm.unflatten", ".unflatten")
def unflatten(self: Tensor, dim: int, sizes: list[int]) -> Tensor:
    """One dimension as several; one extent may be -1."""
    place = wrapped(dim, self.dim())
    shape = list(self.shape)
    inner = list(sizes)
    known = 1
    for extent in inner:
        known *= extent if extent != -1 else 1
    if -1 in inner and known != 0:
        inner[inner.index(-1)] = shape[place] // known
    product = 1
    for extent in inner:
        product *= extent
    if product != shape[place]:
        text = "unflatten: Provided sizes " + str(list(sizes)) + " don't multiply up to the size of dim " + str(place)
        raise RuntimeError(text + " (" + str(shape[place]) + ") in the input tensor")
    return self.view(shape[:place] + inner + shape[place + 1 :])


@spelled("tsm.ravel", ".ravel")
def ravel(self: Tensor) -> Tensor:
    """As a vector."""
    return self.reshape([-1])


@spelled(".expand_as")
def expand_as(self: Tensor, other: Tensor) -> Tensor:
    """Expanded to the shape of other."""
    return self.expand(list(other.shape))


@spelled(".view_as")
def view_as(self: Tensor, other: Tensor) -> Tensor:
    """The same memory in the shape of other."""
    return self.view(list(other.shape))


@spelled(".reshape_as")
def reshape_as(self: Tensor, other: Tensor) -> Tensor:
    """In the shape of other."""
    return self.reshape(list(other.shape))


@spelled("tsm.broadcast_to")
def broadcast_to(self: Tensor, size: list[int]) -> Tensor:
    """Expanded to a shape."""
    return self.expand(size)


@spelled(".broadcast_to")
def broadcast(self: Tensor, *sizes, size: list[int] | None = None) -> Tensor:
    """The same, of a list or of numbers."""
    return self.expand(size_of(sizes) if size is None else size)


def common_shape(shapes: list[list[int]]) -> list[int]:
    """The shape that shapes broadcast to. RuntimeError if they do not."""
    rank = 0
    for shape in shapes:
        rank = max(rank, len(shape))
    made = [1] * rank
    for shape in shapes:
        for i, extent in enumerate(shape):
            at = rank - len(shape) + i
            if made[at] != extent and made[at] != 1 and extent != 1:
                text = "The size of tensor a (" + str(made[at]) + ") must match the size of tensor b (" + str(extent)
                raise RuntimeError(text + ") at non-singleton dimension " + str(at))
            if made[at] == 1:
                made[at] = extent
    return made


def tensors_of(tensors) -> list[Tensor]:
    """What `*tensors` caught: tensors, or one list or tuple of them."""
    if isinstance(tensors[0], Tensor):
        return list(tensors)
    return list(tensors[0])


@spelled("tsm.broadcast_tensors")
def broadcast_tensors(*tensors) -> tuple[Tensor, ...]:
    """Tensors expanded to their common shape."""
    given = tensors_of(tensors)
    shape = common_shape([list(each.shape) for each in given])
    return tuple([each.expand(shape) for each in given])


@spelled("tsm.meshgrid")
def meshgrid(*tensors, indexing: str = "ij") -> tuple[Tensor, ...]:
    """A coordinate grid of each vector; with indexing "xy" the first two dimensions are swapped."""
    given = tensors_of(tensors)
    if indexing != "ij" and indexing != "xy":
        text = 'torch.meshgrid: indexing must be one of "xy" or "ij", but received: '
        raise RuntimeError(text + indexing)
    for each in given:
        if each.dim() > 1:
            raise RuntimeError("torch.meshgrid: Expected 0D or 1D tensor in the tensor list")
        if each.dtype != given[0].dtype:
            raise RuntimeError("torch.meshgrid expects all tensors to have the same dtype")
    shape = [each.numel() for each in given]
    grids: list[Tensor] = []
    for i, each in enumerate(given):
        line = [1] * len(given)
        line[i] = -1
        grid = each.reshape(line).expand(shape)
        grids.append(grid.transpose(0, 1) if indexing == "xy" and len(given) > 1 else grid)
    return tuple(grids)


@spelled("tsm.cartesian_prod")
def cartesian_prod(*tensors) -> Tensor:
    """All combinations of elements of vectors, one a row."""
    given = tensors_of(tensors)
    for each in given:
        if each.dim() != 1:
            raise RuntimeError("Expect a 1D vector, but got shape " + str(list(each.shape)))
    if len(given) == 1:
        return given[0]
    return _stack([grid.reshape([-1]) for grid in meshgrid(given)], 1)


def _line_of(input: Tensor) -> Tensor:
    return input.reshape([1]) if input.dim() == 0 else input


@spelled("tsm.atleast_1d")
def atleast_1d(*tensors):  # a tensor of one, a tuple of several or of a list
    """With at least one dimension."""
    if len(tensors) == 1 and isinstance(tensors[0], Tensor):
        return _line_of(tensors[0])
    return tuple([_line_of(each) for each in tensors_of(tensors)])


def _rows_of(input: Tensor) -> Tensor:
    return input.reshape([1, 1]) if input.dim() == 0 else input.unsqueeze(0) if input.dim() == 1 else input


@spelled("tsm.atleast_2d")
def atleast_2d(*tensors):  # a tensor of one, a tuple of several or of a list
    """With at least two dimensions, new ones first."""
    if len(tensors) == 1 and isinstance(tensors[0], Tensor):
        return _rows_of(tensors[0])
    return tuple([_rows_of(each) for each in tensors_of(tensors)])


def _planes_of(input: Tensor) -> Tensor:
    flat = _rows_of(input)
    return flat.unsqueeze(-1) if flat.dim() == 2 else flat


@spelled("tsm.atleast_3d")
def atleast_3d(*tensors):  # a tensor of one, a tuple of several or of a list
    """With at least three dimensions."""
    if len(tensors) == 1 and isinstance(tensors[0], Tensor):
        return _planes_of(tensors[0])
    return tuple([_planes_of(each) for each in tensors_of(tensors)])


@spelled("tsm.hstack")
def hstack(tensors: list[Tensor]) -> Tensor:
    """Joined along the second dimension, vectors along the first."""
    given = [_line_of(each) for each in tensors]
    return _cat(given, 0 if given[0].dim() == 1 else 1)


@spelled("tsm.vstack", "tsm.row_stack")
def vstack(tensors: list[Tensor]) -> Tensor:
    """Joined along the first dimension, vectors as rows."""
    return _cat([_rows_of(each) for each in tensors], 0)


@spelled("tsm.dstack")
def dstack(tensors: list[Tensor]) -> Tensor:
    """Joined along the third dimension."""
    return _cat([_planes_of(each) for each in tensors], 2)


@spelled("tsm.column_stack")
def column_stack(tensors: list[Tensor]) -> Tensor:
    """Joined along the second dimension, vectors as columns."""
    return _cat([each.reshape([-1, 1]) if each.dim() < 2 else each for each in tensors], 1)


@spelled("tsm.roll", ".roll")
def roll(self: Tensor, shifts: int | list[int], dims: int | list[int] | None = None) -> Tensor:
    """Moved along dimensions, what leaves one end coming in at the other; without dims as a vector."""
    by = as_list(shifts)
    if dims is None or (not isinstance(dims, int) and len(dims) == 0):
        if len(by) != 1:
            raise RuntimeError("shifts and dimensions must align. shifts: " + str(len(by)) + ", dims:0")
        return roll(self.reshape([-1]), by[0], 0).reshape(list(self.shape))
    places = as_list(dims)
    if len(by) != len(places):
        raise RuntimeError("shifts and dimensions must align. shifts: " + str(len(by)) + ", dims:" + str(len(places)))
    made = self
    for step, dim in zip(by, places):
        extent = made.size(dim) if made.dim() > 0 else 1
        first = (extent - step % extent) % extent if extent > 0 else 0
        if first > 0:
            made = _cat([made.narrow(dim, first, extent - first), made.narrow(dim, 0, first)], dim)
    return made.clone() if made is self else made


@spelled("tsm.rot90", ".rot90")
def rot90(self: Tensor, k: int = 1, dims=(0, 1)) -> Tensor:
    """Turned k quarters in the plane of two dimensions."""
    if len(dims) != 2:
        raise RuntimeError("expected total rotation dims == 2, but got dims = " + str(len(dims)))
    a, b = wrapped(dims[0], self.dim()), wrapped(dims[1], self.dim())
    if a == b:
        raise RuntimeError("expected rotation dims to be different, but got dim0 = " + str(dims[0]) + " and dim1 = "
                           + str(dims[1]))
    turns = k % 4
    if turns == 1:
        return self.flip([b]).transpose(a, b)
    if turns == 2:
        return self.flip([a, b])
    return self.flip([a]).transpose(a, b) if turns == 3 else self.clone()


@spelled("tsm.flip", ".flip")
def flip(self: Tensor, dims: int) -> Tensor:
    """Reversed along one dimension."""
    return self.flip([dims])


@spelled("tsm.fliplr", ".fliplr")
def fliplr(self: Tensor) -> Tensor:
    """Reversed along the second dimension."""
    if self.dim() < 2:
        raise RuntimeError("Input must be >= 2-d.")
    return self.flip([1])


@spelled("tsm.flipud", ".flipud")
def flipud(self: Tensor) -> Tensor:
    """Reversed along the first dimension."""
    if self.dim() < 1:
        raise RuntimeError("Input must be >= 1-d.")
    return self.flip([0])


@spelled("tsm.tile")
def tile(self: Tensor, dims: list[int]) -> Tensor:
    """Repeated along the last dimensions."""
    return self.repeat([1] * (self.dim() - len(dims)) + list(dims))


@spelled(".tile")
def tiled(self: Tensor, *dims) -> Tensor:
    """The same, of a list or of numbers."""
    return tile(self, size_of(dims))


@spelled("tsm.repeat_interleave", ".repeat_interleave")
def repeat_interleave(
    self: Tensor, repeats: int | Tensor | None = None, dim: int | None = None, *, output_size: int | None = None
) -> Tensor:
    """Each slice along a dimension repeated: as often as `repeats`, or as its element for the slice says. Without
    `repeats`, the indices of a vector's elements, each as often as the element says."""
    if repeats is None:
        return repeat_interleave(_arange(self.numel()), self)
    x = self.reshape([-1]) if dim is None or self.dim() == 0 else self
    place = 0 if dim is None else wrapped(dim, x.dim())
    extent = x.size(place)
    if isinstance(repeats, int):
        if repeats < 0:
            raise RuntimeError("Repeats must be non-negative")
        shape = list(x.shape)
        wide = x.unsqueeze(place + 1).expand(shape[: place + 1] + [repeats] + shape[place + 1 :])
        return wide.reshape(shape[:place] + [extent * repeats] + shape[place + 1 :])
    if repeats.dim() > 1 or (repeats.numel() != extent and repeats.numel() != 1):
        raise RuntimeError("repeats must be 0-dim or 1-dim tensor, of as many elements as input along dim")
    if repeats.is_floating_point() or (repeats.numel() > 0 and whole(repeats.min()) < 0):
        raise RuntimeError("repeats can not be negative, and must be integers")
    ends = repeats.reshape([-1]).expand([extent]).to(_INT).cumsum(0)
    total = whole(ends.select(0, extent - 1)) if extent > 0 else 0
    steps = _zeros([total + 1], dtype=_INT).index_add_(0, ends, _ones([extent], dtype=_INT))
    return x.index_select(place, steps.cumsum(0).narrow(0, 0, total))


@spelled("tsm.tensor_split", ".tensor_split")
def tensor_split(
    self: Tensor, indices_or_sections: int | list[int] | Tensor | None = None, dim: int = 0, *,
    sections: int | None = None, indices: list[int] | None = None
) -> tuple[Tensor, ...]:
    """As many parts as said, of nearly equal size, or parts that begin at indices."""
    extent = self.size(dim)
    parts: list[Tensor] = []
    starts = indices
    count = 0
    if isinstance(indices_or_sections, Tensor):
        if indices_or_sections.dim() > 1:
            raise RuntimeError("tensor_split expected tensor_indices_or_sections to be a zero-dimensional or "
                               + "one-dimensional tensor")
        if indices_or_sections.dim() == 0:
            count = int(indices_or_sections)
        else:
            listed_starts: list[int] = indices_or_sections.tolist()
            starts = listed_starts
    elif isinstance(indices_or_sections, int):
        count = indices_or_sections
    elif indices_or_sections is not None:
        starts = indices_or_sections
    elif sections is not None:
        count = sections
    if starts is None:
        if count <= 0:
            raise RuntimeError("number of sections must be larger than 0, got " + str(count))
        start = 0
        for i in range(count):
            length = extent // count + (1 if i < extent % count else 0)
            parts.append(self.narrow(dim, start, length))
            start += length
        return tuple(parts)
    start = 0
    for each in [*starts, extent]:
        stop = max(min(each + extent if each < 0 else each, extent), 0)
        parts.append(self.narrow(dim, min(start, extent), max(stop - start, 0)))
        start = stop
    return tuple(parts)


@spelled("tsm.split", ".split", "tsm.split_with_sizes", ".split_with_sizes")
def split_with_sizes(self: Tensor, split_size: list[int], dim: int = 0) -> tuple[Tensor, ...]:
    """Parts of given sizes along a dimension, which must be the whole of it."""
    total = 0
    for size in split_size:
        total += size
    if total != self.size(dim):
        text = "split_with_sizes expects split_sizes to sum exactly to " + str(self.size(dim))
        raise RuntimeError(
            text + " (input tensor's size at dimension " + str(dim) + "), but got split_sizes=" + str(split_size)
        )
    parts: list[Tensor] = []
    start = 0
    for size in split_size:
        parts.append(self.narrow(dim, start, size))
        start += size
    return tuple(parts)


def _equal_parts(self: Tensor, indices_or_sections: int | list[int], dim: int, name: str) -> tuple[Tensor, ...]:
    if isinstance(indices_or_sections, int):
        count = indices_or_sections
        if count == 0 or self.size(dim) % count != 0:
            raise RuntimeError(name + " attempted to split along dimension " + str(dim) + ", but the size of the "
                               + "dimension " + str(self.size(dim)) + " is not divisible by the split_size "
                               + str(count) + "!")
    return tensor_split(self, indices_or_sections, dim)


@spelled("tsm.hsplit", ".hsplit")
def hsplit(self: Tensor, indices_or_sections: int | list[int]) -> tuple[Tensor, ...]:
    """Parts along the second dimension, of a vector along the first."""
    if self.dim() == 0:
        raise RuntimeError("torch.hsplit requires a tensor with at least 1 dimension, but got a tensor with "
                           + "0 dimensions!")
    return _equal_parts(self, indices_or_sections, 0 if self.dim() == 1 else 1, "torch.hsplit")


@spelled("tsm.vsplit", ".vsplit")
def vsplit(self: Tensor, indices_or_sections: int | list[int]) -> tuple[Tensor, ...]:
    """Parts along the first dimension."""
    if self.dim() < 2:
        raise RuntimeError("torch.vsplit requires a tensor with at least 2 dimension, but got a tensor with "
                           + str(self.dim()) + " dimensions!")
    return _equal_parts(self, indices_or_sections, 0, "torch.vsplit")


@spelled("tsm.diag_embed", ".diag_embed")
def diag_embed(self: Tensor, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Tensor:
    """Zero matrices with the last dimension as a diagonal."""
    rank = self.dim() + 1
    a, b = wrapped(dim1, rank), wrapped(dim2, rank)
    if a == b:
        raise RuntimeError("diagonal dimensions cannot be identical " + str(dim1) + ", " + str(dim2))
    extent = self.size(-1) + abs(offset)
    made = _zeros(list(self.shape)[:-1] + [extent, extent], dtype=self.dtype)
    _diagonal(made, offset, rank - 2, rank - 1).copy_(self)
    return movedim(made, [rank - 2, rank - 1], [a, b])


@spelled("tsm.diag", ".diag")
def diag(self: Tensor, diagonal: int = 0) -> Tensor:
    """The matrix with a vector as its diagonal, or the diagonal of a matrix."""
    if self.dim() == 1:
        return diag_embed(self, diagonal)
    if self.dim() != 2:
        raise RuntimeError("diag(): Supports 1D or 2D tensors. Got " + str(self.dim()) + "D")
    return _diagonal(self, diagonal, 0, 1).clone()


@spelled("tsm.diagflat", ".diagflat")
def diagflat(self: Tensor, offset: int = 0) -> Tensor:
    """The matrix with all elements as its diagonal."""
    return diag_embed(self.reshape([-1]), offset)


@spelled("tsm.tril_indices")
def tril_indices(row: int, col: int, offset: int = 0, *, dtype: DType = DType.int64, device=None) -> Tensor:
    """Rows and columns of what tril keeps."""
    return _ones([row, col], dtype=DType.int64).tril(offset).nonzero().t().contiguous().to(dtype)


@spelled("tsm.triu_indices")
def triu_indices(row: int, col: int, offset: int = 0, *, dtype: DType = DType.int64, device=None) -> Tensor:
    """Rows and columns of what triu keeps."""
    return _ones([row, col], dtype=DType.int64).triu(offset).nonzero().t().contiguous().to(dtype)


@spelled("tsm.block_diag")
def block_diag(*tensors) -> Tensor:
    """Matrices along the diagonal of a zero matrix."""
    given = [_rows_of(each) for each in tensors_of(tensors)]
    rows_of, columns = 0, 0
    for each in given:
        rows_of, columns = rows_of + each.size(0), columns + each.size(1)
    lines: list[Tensor] = []
    before = 0
    for each in given:
        height, width = each.size(0), each.size(1)
        left = _zeros([height, before], dtype=each.dtype)
        right = _zeros([height, columns - before - width], dtype=each.dtype)
        lines.append(_cat([left, each, right], 1))
        before += width
    return _cat(lines, 0)


@spelled("tsm.diff", ".diff")
def diff(
    self: Tensor, n: int = 1, dim: int = -1, prepend: Tensor | None = None, append: Tensor | None = None
) -> Tensor:
    """Differences of neighbours along a dimension, n times."""
    if self.dim() == 0:
        raise RuntimeError("diff expects input to be at least one-dimensional")
    if n < 0:
        raise RuntimeError("order must be non-negative but got " + str(n))
    if n == 0:
        return self.clone()
    parts = [self]
    if prepend is not None:
        parts.insert(0, prepend)
    if append is not None:
        parts.append(append)
    made = _cat(parts, dim) if len(parts) > 1 else self
    for _ in range(n):
        extent = max(made.size(dim) - 1, 0)
        high, low = made.narrow(dim, min(1, made.size(dim)), extent), made.narrow(dim, 0, extent)
        made = high.logical_xor(low) if made.dtype == DType.bool else high - low
    return made


@spelled(".unfold")
def unfold(self: Tensor, dimension: int, size: int, step: int) -> Tensor:
    """Windows of a dimension as a new last dimension, copied."""
    place = wrapped(dimension, self.dim())
    extent = self.size(place) if self.dim() > 0 else 1
    if size > extent:
        text = "maximum size for tensor at dimension " + str(place) + " is " + str(extent) + " but size is "
        raise RuntimeError(text + str(size))
    if step <= 0:
        raise RuntimeError("step is " + str(step) + " but must be > 0")
    count = (extent - size) // step + 1
    at = (_arange(count) * step).reshape([-1, 1]) + _arange(size)
    x = self if self.dim() > 0 else self.reshape([1])
    wide = x.index_select(place, at.reshape([-1]))
    shape = list(x.shape)
    parts = wide.reshape(shape[:place] + [count, size] + shape[place + 1 :])
    return movedim(parts, place + 1, -1) if self.dim() > 0 else parts.reshape([size])


@spelled(".new_zeros")
def new_zeros(self: Tensor, *size, dtype: DType | None = None, device=None, requires_grad: bool = False) -> Tensor:
    """All 0, of self's dtype unless given."""
    ask_no_gradients(requires_grad)
    return _zeros(size_of(size), dtype=self.dtype if dtype is None else dtype)


@spelled(".new_ones")
def new_ones(self: Tensor, *size, dtype: DType | None = None, device=None, requires_grad: bool = False) -> Tensor:
    """All 1, of self's dtype unless given."""
    ask_no_gradients(requires_grad)
    return _ones(size_of(size), dtype=self.dtype if dtype is None else dtype)


@spelled(".new_empty")
def new_empty(self: Tensor, *size, dtype: DType | None = None, device=None, requires_grad: bool = False) -> Tensor:
    """Zero filled, of self's dtype unless given."""
    ask_no_gradients(requires_grad)
    return _empty(size_of(size), dtype=self.dtype if dtype is None else dtype)


@spelled(".new_full")
def new_full(
    self: Tensor, size: list[int], fill_value, *, dtype: DType | None = None, device=None, requires_grad: bool = False
) -> Tensor:
    """All fill_value, of self's dtype unless given."""
    ask_no_gradients(requires_grad)
    return _full(size, fill_value, dtype=self.dtype if dtype is None else dtype)


@spelled(".new_tensor")
def new_tensor(self: Tensor, data, *, dtype: DType | None = None, device=None, requires_grad: bool = False) -> Tensor:
    """From numbers, of self's dtype unless given."""
    ask_no_gradients(requires_grad)
    return _tensor(data, dtype=self.dtype if dtype is None else dtype)


@spelled(".resize_")
def resize_(self: Tensor, *size) -> Tensor:
    """The tensor itself, which must have that size: memory is not grown in place. NotImplementedError."""
    if list(self.shape) != size_of(size):
        raise NotImplementedError("resize_ to another size: write x = x.new_empty(size), or x.reshape(size)")
    return self


@spelled(".resize_as_")
def resize_as_(self: Tensor, other: Tensor) -> Tensor:
    """The tensor itself, which must have the other's size. NotImplementedError."""
    if self.shape != other.shape:
        raise NotImplementedError("resize_as_ to another size: write x = x.new_empty(other.shape)")
    return self


@spelled("tsm._shape_as_tensor")
def shape_as_tensor(self: Tensor) -> Tensor:
    """The extents as an int64 tensor."""
    return _tensor(list(self.shape), dtype=DType.int64)
