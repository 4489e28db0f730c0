"""Tensors read and written by every kind of index, their views, and the operations model code is made of."""

from __future__ import annotations

import math
from typing import Optional

import tsm
from language_rows import of_row
from oracle import T, program
from tsm import Tensor
from tsm.nn import functional as F

M = T([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]])
C = T([[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]], [[9.0, 10.0], [11.0, 12.0]]])
V = T([3.0, 1.0, 2.0])

of_row("tensor indexing")


@program("rows, columns, corners and single elements", (M,))
def corners(x: Tensor) -> list[Tensor]:
    return [x[0], x[:, 1], x[-1, -1], x[1:, :2], x[..., 0], x[:2][1:]]


@program("steps in slices, along each dimension", (M,), (T([[1.0]]),))
def strided(x: Tensor) -> list[Tensor]:
    return [x[::2], x[:, ::2], x[1::2, 1::2], x[::3, ::-1] if x.dim() > 9 else x[::3]]


@program("a negative step of a tensor raises", (M,))
def negative_step(x: Tensor) -> Tensor:
    return x[::-1]


@program("None at the front, the middle, behind and twice", (M,), (V,))
def new_axes(x: Tensor) -> list[tuple[int, ...]]:
    return [tuple(x[None].shape), tuple(x[..., None].shape), tuple(x[None, :, None].shape), tuple(x[:, None, ...].shape)]


@program("an ellipsis between items of a cube", (C,))
def ellipses(x: Tensor) -> list[Tensor]:
    return [x[0, ..., 1], x[..., 0, :], x[1, ...], x[...]]


@program("a list of ints as an index, negative ones too", (M,))
def by_list(x: Tensor) -> tuple[Tensor, Tensor]:
    return x[[0, -1]], x[:, [2, 0]]


@program("an index list from the arguments, maybe out of range", (M, [2, 0, 2]), (M, []), (M, [3]))
def by_list_argument(x: Tensor, at: list[int]) -> Tensor:
    return x[at]


@program("index tensors broadcast against each other", (M, T([0, 2]), T([[1], [0]])))
def broadcast_index(x: Tensor, i: Tensor, j: Tensor) -> Tensor:
    return x[i, j].sum(1)


@program("an index tensor after a slice and before one", (C, T([1, 0, 1])))
def mixed_index(x: Tensor, i: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    return x[:, i], x[i, 0], x[0, :, i % 2]


@program("index tensors apart: their dimensions come first", (C, T([0, 1])))
def apart(x: Tensor, i: Tensor) -> Tensor:
    return x[i, :, i]


@program("a mask over all elements, over rows, and an empty one", (M,), (T([[0.0, 1.0]]),))
def masks(x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    return x[x > 3], x[x.sum(1) > 6], x[x > 100]


@program("a mask in the second place", (M, T([True, False, True])))
def column_mask(x: Tensor, keep: Tensor) -> Tensor:
    return x[:, keep]


@program("a mask of the wrong shape raises", (M, T([True, False])))
def wrong_mask(x: Tensor, keep: Tensor) -> Tensor:
    y = x[keep]
    return y * 2


@program("a bool as an index is a mask without dimensions", (V, True), (V, False))
def by_bool(x: Tensor, keep: bool) -> Tensor:
    return x[keep].sum(0) + 1


@program("too many indices raise, as does an index beyond", (M, 0), (M, 3), (M, -4))
def beyond(x: Tensor, i: int) -> Tensor:
    return x[i, 0]


@program("slices beyond the ends are cut", (V, 10), (V, -10), (V, 2))
def cut(x: Tensor, n: int) -> tuple[Tensor, Tensor]:
    return x[:n], x[n:]


@program("slices whose bounds are optional", (M, None, 2), (M, 1, None), (M, None, None))
def optional_slice(x: Tensor, a: Optional[int], b: Optional[int]) -> Tensor:
    return x[a:b, 0]


@program("an index computed from another tensor's item", (M, V))
def item_index(x: Tensor, v: Tensor) -> Tensor:
    best = v.argmax()
    return x[best] + x[:, best] + x[int(best) - 1]


@program("chained indexing against one bracket", (C,))
def chained(x: Tensor) -> tuple[bool, Tensor]:
    return bool((x[1][0][1] == x[1, 0, 1]).item()), x[2][:, 0]


@program("assignment of numbers, rows, columns and blocks", (M,))
def assigning(x: Tensor) -> Tensor:
    x[0, 0] = -1
    x[1] = 0.5
    x[:, 2] = tsm.tensor([7.0, 8.0, 9.0])
    x[1:, :2] = x[:2, 1:]
    return x


@program("assignment through an index tensor, the last of equal ones wins", (T([0.0, 0.0, 0.0]), T([2, 0])))
def scattered(x: Tensor, at: Tensor) -> Tensor:
    x[at] = tsm.tensor([5.0, 6.0])
    x[at] += 1
    return x


@program("assignment through a mask of a number and of values", (M,))
def masked_values(x: Tensor) -> Tensor:
    x[x > 7] = 0
    x[x == 0] = tsm.tensor([1.5, 2.5])
    x[x < 2] *= -1
    return x


@program("assignment that broadcasts a column", (M,))
def broadcast_store(x: Tensor) -> Tensor:
    x[:] = tsm.arange(3).to(tsm.float32)[:, None]
    x[..., 0] -= x[..., 1] * 2
    return x


@program("assignment of a shape that does not fit", (M,))
def unfit_store(x: Tensor) -> Tensor:
    x[0] = tsm.zeros(2)
    return x


@program("a loop that fills a table from its neighbours", (4,), (1,))
def pascal(n: int) -> Tensor:
    t = tsm.zeros(n, n, dtype=tsm.int64)
    for i in range(n):
        t[i, 0] = 1
        for j in range(1, i + 1):
            t[i, j] = t[i - 1, j - 1] + t[i - 1, j]
    return t


@program("take along a dimension by gather of sorted indices", (M,))
def gathered(x: Tensor) -> Tensor:
    order = x.argsort(dim=1, descending=True)
    return x.gather(1, order)


@program("sums by group, one masked sum for each", (T([0, 1, 0]), V))
def scattering(ids: Tensor, values: Tensor) -> tuple[Tensor, list[float]]:
    sums = tsm.zeros(2)
    for group in range(2):
        sums[group] = values[ids == group].sum()
    return sums, [float(s) for s in sums]


@program("the last step of every row by lengths", (M, T([1, 3, 2])))
def last_steps(x: Tensor, lengths: Tensor) -> Tensor:
    return x[tsm.arange(x.size(0)), lengths - 1]


@program("nonzero positions as rows", (T([[0, 1], [2, 0]]),), (T([[0]]),))
def positions(x: Tensor) -> Tensor:
    return x.nonzero()


@program("upper triangles by comparison of index grids", (M,))
def upper(x: Tensor) -> Tensor:
    i = tsm.arange(x.shape[0])
    return tsm.where(i[:, None] <= i[None, :], x, tsm.zeros_like(x))


@program("a diagonal read and written by index pairs", (M,))
def diagonal(x: Tensor) -> Tensor:
    i = tsm.arange(3)
    x[i, i] = x[i, i].flip(0)
    return x.diagonal()


@program("rows swapped by a list index on both sides", (M,))
def row_swap(x: Tensor) -> Tensor:
    x[[0, 2]] = x[[2, 0]]
    return x


@program("int tensors index lists and feed range", (T([2, 0, 1]), [10, 20, 30]))
def lists_by_tensor(at: Tensor, v: list[int]) -> list[int]:
    return [v[i] for i in at] + [k for k in range(at[0])]


of_row("tensor views")


@program("a row view written through, the base sees it", (M,))
def row_view(x: Tensor) -> tuple[Tensor, Tensor]:
    r = x[1]
    r += 10
    r[0] = 0
    return r, x


@program("a copy by clone and by index tensor is not written through", (M,))
def copies(x: Tensor) -> Tensor:
    a, b, c = x.clone(), x[[0]], x[x > 0]
    a.zero_()
    b.fill_(5)
    c.mul_(2)
    return x


@program("transposed and reshaped views of one storage", (M,))
def through_views(x: Tensor) -> Tensor:
    x.t()[0, 1] = 100
    x.view(-1)[-1] = 200
    x.reshape(9)[1] = 300
    return x


@program("reshape of a transposed tensor copies", (M,))
def reshape_copies(x: Tensor) -> tuple[Tensor, Tensor]:
    y = x.t().reshape(-1)
    y[0] = -1
    return x, y


@program("view of a transposed tensor raises", (M,))
def view_raises(x: Tensor) -> Tensor:
    return x.t().view(-1)


@program("squeeze, unsqueeze, expand and their strides of writing", (V,))
def thin_views(x: Tensor) -> Tensor:
    x[None].squeeze(0)[0] = 9
    x.unsqueeze(1)[1, 0] = 8
    return x.expand(2, 3) + 1


@program("chunks and unbound rows are views", (M,))
def pieces(x: Tensor) -> Tensor:
    for part in x.chunk(2, dim=0):
        part[:, 0] = 0
    for r in x.unbind(1):
        r[0] = -1
    return x


@program("iteration over a tensor gives views", (M,))
def loop_views(x: Tensor) -> Tensor:
    for i, r in enumerate(x):
        r *= i
        if i == 1:
            break
    return x


@program("an in-place chain against an out-of-place one", (V, V), (V, T([1.0, 1.0, 1.0])))
def in_place(x: Tensor, y: Tensor) -> Tensor:
    z = x.add(y).mul(2)
    x.add_(y).mul_(2)
    x -= z
    return x


@program("augmented assignment keeps the alias, a plain one breaks it", (V,))
def alias(x: Tensor) -> tuple[Tensor, Tensor]:
    y = x
    y += 1
    y = y * 2
    y += 1
    return x, y


@program("truth of a tensor in while, not, and, or", (T([3.0]),), (T(0.0),))
def truths(x: Tensor) -> int:
    n = 0
    while x > 0 and n < 10:
        x = x - 1
        n += 1
    return n * 10 + (1 if not x else 2) + (x or tsm.tensor(5)).int().item()


@program("truth of an empty tensor", (T([1.0]),))
def empty_truth(x: Tensor) -> bool:
    return bool(x[x > 5])


@program("shapes compared, concatenated and unpacked", (C,))
def shape_tuples(x: Tensor) -> tuple[bool, bool, int, tuple[int, ...]]:
    a, b, c = x.shape
    return x.shape == (3, 2, 2), x.shape[1:] == x.size()[1:], a * b * c, tuple(x.shape[:1]) + (9,)


@program("a tensor in a list found by identity, not by value", (V, V))
def by_identity(x: Tensor, y: Tensor) -> tuple[bool, bool]:
    items = [x, y]
    return items[0] is x, items[1] is x


@program("detach and data of a tensor share memory", (V,))
def detached(x: Tensor) -> Tensor:
    x.detach()[0] = 7
    return x


@program("numbers leave tensors: item, int, float, tolist", (M,), (T([[1, 2]]),))
def numbers(x: Tensor) -> tuple[float, int, bool]:
    a: float = float(x[0, 0])
    return a + float(x.max().item()), int(x.sum()), bool(x[0, 0] > 0)


@program("tolist of vectors and matrices with annotated targets", (M, T([1, 2])))
def to_lists(x: Tensor, y: Tensor) -> tuple[list[list[float]], list[int]]:
    a: list[list[float]] = x.tolist()
    b: list[int] = y.tolist()
    return a, b


@program("item of several elements raises", (V,))
def many_items(x: Tensor) -> float:
    return float(x.item())


of_row("tensor operations")


@program("means, variances and norms over dimensions kept", (M,), (C,))
def standardised(x: Tensor) -> Tensor:
    mean = x.mean(dim=-1, keepdim=True)
    var = ((x - mean) ** 2).mean(-1, keepdim=True)
    return (x - mean) / tsm.sqrt(var + 1e-5)


@program("softmax by hand is stable for large numbers", (T([[1000.0, 1001.0], [0.0, -1000.0]]),))
def softmax(x: Tensor) -> Tensor:
    e = tsm.exp(x - x.max(dim=1, keepdim=True)[0])
    return e / e.sum(dim=1, keepdim=True)


@program("cross entropy by log-softmax and an index", (M, T([0, 2, 1])))
def cross_entropy(logits: Tensor, target: Tensor) -> tuple[Tensor, Tensor]:
    logp = F.log_softmax(logits, dim=1)
    picked = logp[tsm.arange(3), target]
    return -picked.mean(), (logp.exp() * F.one_hot(target, 3)).sum()


@program("top-k values and indices unpacked", (V, 2), (V, 1))
def topk(x: Tensor, k: int) -> tuple[Tensor, Tensor]:
    values, indices = x.topk(k)
    return values, indices


@program("sort, unique by comparison, and cumulative sums", (V,))
def sorting(x: Tensor) -> list[Tensor]:
    s, i = x.sort()
    return [s, i, s.cumsum(0), s[1:] - s[:-1]]


@program("bincount by comparison with arange", (T([0, 2, 2, 1]), 4))
def bincount(x: Tensor, n: int) -> Tensor:
    return (x[:, None] == tsm.arange(n)).sum(dim=0)


@program("promotion between ints, bools, floats and Python numbers", (T([1, 2]), T([True, False]), T([0.5, 1.5])))
def promoted(i: Tensor, b: Tensor, f: Tensor) -> list[Tensor]:
    return [i + b, i * f, b + b, i / 2, i // 2, i + 0.5, b * 3, f + 1, i > f, -i, i**2]


@program("dtypes asked, compared and chosen", (T([1.0]), T([1])))
def dtypes(x: Tensor, y: Tensor) -> tuple[bool, bool, Tensor]:
    z = y.to(x.dtype) if y.dtype != x.dtype else y
    return x.dtype == tsm.float32, y.is_floating_point(), tsm.zeros(2, dtype=y.dtype) + z.to(tsm.int64)


@program("clamp, round, floor, ceil, trunc and sign", (T([-1.5, 0.5, 2.5]),))
def rounding(x: Tensor) -> list[Tensor]:
    return [x.clamp(-1, 1), x.round(), x.floor(), x.ceil(), x.trunc(), x.sign(), x.abs(), x.clamp(min=0)]


@program("division by zero of tensors gives inf and nan", (T([1.0, 0.0, -1.0]),))
def by_zero(x: Tensor) -> list[Tensor]:
    y = x / 0.0
    return [y, y.isnan(), y.isinf(), tsm.where(y.isnan(), tsm.zeros_like(y), y)]


@program("matrix products of every rank", (M, V))
def products(m: Tensor, v: Tensor) -> list[Tensor]:
    return [m @ v, v @ m, v @ v, m @ m, tsm.matmul(m[None], m[None]), tsm.mm(m, m), v[:, None] @ v[None]]


@program("stack, cat, split by sizes, and round trips", (M,))
def joined(x: Tensor) -> tuple[Tensor, Tensor, list[int]]:
    a, b = x.split(2, dim=1)
    back = tsm.cat((a, b), dim=1)
    s = tsm.stack([back, x], dim=-1)
    return back, s, [p.shape[0] for p in x.split(2)]


@program("repeat, repeat_interleave and tile by expand", (V, 2))
def repeated(x: Tensor, n: int) -> list[Tensor]:
    return [x.repeat(n), x.repeat(n, 1), x[:, None].repeat(1, n).flatten(), x[:, None].expand(-1, n).reshape(-1)]


@program("linear, relu and dropout out of training", (M,))
def functional(x: Tensor) -> Tensor:
    w = tsm.ones(2, 3) * 0.5
    h = F.relu(F.linear(x, w, tsm.tensor([1.0, -20.0])))
    return F.dropout(h, p=0.5, training=False)


@program("pooling, padding and interpolation of an image", (T([[[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]]]),))
def image(x: Tensor) -> list[Tensor]:
    return [F.max_pool2d(x, 2), F.avg_pool2d(x, 2), F.pad(x, (1, 0), value=9.0)]


@program("comparison of whole tensors", (V, V), (V, T([1.0, 1.0, 1.0])), (V, T([1.0])))
def whole(a: Tensor, b: Tensor) -> tuple[bool, bool]:
    return tsm.equal(a, b), tsm.allclose(a, b)


@program("a polynomial by Horner in place", (V, [1.0, -2.0, 0.5]), (V, []))
def horner(x: Tensor, coefficients: list[float]) -> Tensor:
    y = tsm.zeros_like(x)
    for c in coefficients:
        y.mul_(x).add_(c)
    return y


@program("power iteration with early stop", (M, 20), (T([[2.0, 0.0], [0.0, 1.0]]), 3))
def eigenvalue(m: Tensor, steps: int) -> float:
    v = tsm.ones(m.shape[0])
    value = 0.0
    for _ in range(steps):
        w = m @ v
        new = math.sqrt(float((w * w).sum()))
        v = w / new
        if abs(new - value) < 1e-4:
            break
        value = new
    return round(value, 2)


@program("distances of all pairs", (M, V))
def distances(x: Tensor, y: Tensor) -> Tensor:
    return ((x[:, None, :] - tsm.stack([y, y * 2])[None]) ** 2).sum(-1).sqrt()


@program("a gaussian blur made of rolled sums", (T([0.0, 0.0, 1.0, 0.0, 0.0]),))
def blurred(x: Tensor) -> Tensor:
    padded = tsm.cat([x[:1], x, x[-1:]])
    return 0.25 * padded[:-2] + 0.5 * padded[1:-1] + 0.25 * padded[2:]


@program("logical operators and reductions of masks", (T([True, False, True]), T([True, True, False])))
def logical(a: Tensor, b: Tensor) -> list[Tensor]:
    return [a & b, a | b, a ^ b, ~a, a.any(), a.all(), (a == b).sum(), tsm.logical_not(a)]


@program("argmax along a dimension against a loop", (M,), (T([[2.0, 2.0]]),))
def best_columns(x: Tensor) -> tuple[Tensor, list[int]]:
    found: list[int] = []
    for r in x:
        best = 0
        for j in range(r.shape[0]):
            if r[j] > r[best]:
                best = j
        found.append(best)
    return x.argmax(dim=1), found


@program("full, linspace, eye, arange with steps and kinds", (3,))
def made(n: int) -> list[Tensor]:
    return [tsm.full((n, 2), 1.5), tsm.eye(n), tsm.arange(0, 1, 0.25), tsm.arange(n, 0, -1), tsm.full((2,), n), tsm.ones(n, dtype=tsm.bool)]


@program("a tensor of a list of scalars computed in a loop", (4,))
def computed(n: int) -> Tensor:
    return tsm.tensor([math.sqrt(i) for i in range(n)]) + tsm.tensor([[i * j for i in range(n)] for j in range(2)])


@program("permutation of dimensions and back", (C,))
def permuted(x: Tensor) -> tuple[Tensor, bool]:
    y = x.permute(2, 0, 1)
    z = y.permute(1, 2, 0)
    return y.contiguous(), z.shape == x.shape and bool((z == x).all())


@program("rotary embedding of pairs", (T([[1.0, 2.0, 3.0, 4.0]]), 0.5))
def rotary(x: Tensor, angle: float) -> Tensor:
    a, b = x[..., ::2], x[..., 1::2]
    c, s = math.cos(angle), math.sin(angle)
    return tsm.stack((a * c - b * s, a * s + b * c), dim=-1).flatten(-2)


@program("errors of tensor operations keep their class", (M, 0), (M, 1), (M, 2))
def tensor_errors(x: Tensor, n: int) -> Tensor:
    if n == 0:
        return x + tsm.zeros(2)
    if n == 1:
        return x.sum(dim=5)
    return tsm.cat([x, tsm.zeros(2)])


@program("tuples and lists of as many tensors as there are dimensions are indices", (T([[0.0, 1.0], [2.0, 3.0]]),), (T([[3.0, 0.0], [1.0, 4.0]]),))
def places_found(x: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
    found = (x > 2).nonzero(as_tuple=True)
    chosen = x[tsm.where(x > 0)]
    pairs = tsm.triu_indices(2, 2)
    upper = x[tuple(pairs)]
    listed = list(pairs.unbind())
    y = x.clone()
    y[found] = -1
    y[listed] += 10
    return chosen, upper, y, y[found], x[[pairs[0], pairs[1]]]


def in_parts(x: Tensor) -> tuple[Tensor, ...]:
    return x.split(1)


@program("parts of a tensor returned as the tuple that is declared", (T([[0.0, 1.0], [2.0, 3.0]]),), torch=False)
def parts_declared(x: Tensor) -> tuple[int, Tensor]:
    parts = in_parts(x)
    return len(parts), parts[-1]
