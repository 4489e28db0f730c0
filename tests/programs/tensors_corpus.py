"""Tensors in scripts: operators, promotion, views and writes through them, indexing, shapes as numbers."""

# ruff: noqa: B007
from __future__ import annotations

from typing import List, Optional, Tuple

import tsm
from language_rows import of_row
from oracle import T, program
from tsm import Tensor
from tsm.nn import functional as F

M = T([[1.0, -2.0, 3.0], [4.0, 5.0, -6.0]])
V = T([1.0, 2.0, 3.0])
I = T([[1, 2], [3, 4]])
B = T([True, False, True])


of_row("tensor operations")


@program("tensor arithmetic and broadcasting", (M, V), (M, T([[2.0], [3.0]])))
def arithmetic(a: Tensor, b: Tensor) -> Tensor:
    return a + b * 2 - a / b


@program("shapes that do not broadcast", (M, T([1.0, 2.0])))
def mismatch(a: Tensor, b: Tensor) -> Tensor:
    return (a + b).sum(0)


@program("scalar on the left", (V,))
def scalar_left(x: Tensor) -> Tensor:
    return 1 - x + 2 / x + 2**x


@program("integer tensors: floor division, remainder, true division", (I, T([[2, -2], [2, -2]])))
def integer_division(a: Tensor, b: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    return a // b, a % b, a / b


@program("promotion of int and float tensors", (I, T([[0.5, 1.5], [2.5, 3.5]])))
def promotion(a: Tensor, b: Tensor) -> Tensor:
    return a * b + 1


@program("promotion with Python scalars", (I,), (T([1.0], "float64"),), (T([1], "uint8"),))
def scalar_promotion(x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    return x + 1, x * 2.5, x + True


@program("comparison gives bool tensors", (M,))
def comparisons(x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    return x > 0, x == 1.0, (x <= 3) & (x != 1)


@program("reflected comparison", (M,))
def reflected(x: Tensor) -> Tensor:
    return 0 < x


@program("unary minus, abs, invert", (M, B))
def unary(x: Tensor, b: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    return -x, abs(x), ~b


@program("pointwise functions", (M,))
def functions(x: Tensor) -> Tensor:
    return tsm.exp(x) + x.sin() * tsm.tanh(x) - x.abs().sqrt() + tsm.sigmoid(x)


@program("activations of nn.functional", (M,))
def activations(x: Tensor) -> list[Tensor]:
    return [F.relu(x), F.gelu(x), F.silu(x), F.elu(x), F.leaky_relu(x, 0.1), F.softplus(x)]


@program("matmul of matrices and vectors", (M, T([[1.0], [2.0], [3.0]])), (M, V))
def product(a: Tensor, b: Tensor) -> Tensor:
    return a @ b


@program("matmul with batches", (T([[[1.0, 2.0]], [[3.0, 4.0]]]), T([[1.0, 0.0], [0.5, 2.0]])))
def batched(a: Tensor, b: Tensor) -> Tensor:
    return a.matmul(b)


@program("matmul of wrong shapes", (M, M))
def wrong_product(a: Tensor, b: Tensor) -> Tensor:
    return (a @ b) @ a


@program("transpose and linear", (M, T([[1.0, 2.0, 3.0]])))
def linear(x: Tensor, w: Tensor) -> Tensor:
    return F.linear(x, w) + x @ w.t()


@program("reductions over all and over a dimension", (M,))
def reductions(x: Tensor) -> list[Tensor]:
    return [x.sum(), x.mean(), x.sum(dim=0), x.mean(1, keepdim=True), x.max(), x.prod(), x.amax(0)]


@program("max with indices unpacks", (M,))
def max_indices(x: Tensor) -> Tensor:
    values, indices = x.max(dim=1)
    return values + indices


@program("argmax and argmin", (M,))
def arg(x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    return x.argmax(), x.argmin(dim=0), tsm.argmax(x, 1)


@program("softmax and log_softmax", (M,))
def soft(x: Tensor) -> Tensor:
    return F.softmax(x, dim=1) + F.log_softmax(x, dim=0)


@program("integer sum is int64", (T([1, 2], "int32"), B))
def integer_sum(x: Tensor, b: Tensor) -> tuple[Tensor, Tensor]:
    return x.sum(), b.sum()


@program("shape, size, dim, numel, len", (M,), (T(1.0),))
def facts(x: Tensor) -> tuple[int, int, int]:
    n = 1
    for s in x.shape:
        n *= s
    return n, x.dim(), x.numel()


of_row("more assignment")


@program("shape unpacks", (M,), (V,))
def unpack_shape(x: Tensor) -> int:
    a, b = x.shape
    return a * 10 + b


of_row("tensor indexing")


@program("shape by index and size(dim)", (M,))
def by_index(x: Tensor) -> int:
    return x.shape[0] * 100 + x.size(1) * 10 + x.shape[-1] + len(x)


of_row("tensor views")


@program("a shape is a tuple", (M,))
def shape_compare(x: Tensor) -> bool:
    return x.shape == (2, 3)


of_row("tensor operations")


@program("reshape with sizes from the input", (M,))
def reshape(x: Tensor) -> Tensor:
    return x.view(-1).reshape(x.shape[1], x.shape[0])


of_row("tensor views")


@program("view of the wrong size", (M,))
def bad_view(x: Tensor) -> Tensor:
    return x.view(4, 2)


of_row("tensor operations")


@program("permute, transpose, unsqueeze, squeeze, expand", (M,))
def moves(x: Tensor) -> Tensor:
    return x.permute(1, 0).unsqueeze(0).transpose(1, 2).squeeze(0).unsqueeze(1).expand(2, 4, 3)


@program("flatten, narrow, chunk, split, unbind", (M,))
def pieces(x: Tensor) -> list[Tensor]:
    return [x.flatten(), x.narrow(1, 1, 2)] + x.chunk(2) + x.split(2, 1) + x.unbind(0) if False else [x.flatten(), x.narrow(1, 1, 2)]


def both(parts: Optional[Tuple[Tensor, Tensor]] = None) -> Tensor:
    if parts is None:
        return tsm.zeros(1)
    first, second = parts
    return first - second


def summed(parts: List[Tensor]) -> Tensor:
    parts.append(parts[0])
    return tsm.cat(parts)


@program("parts of a tensor are tuples, and lists where those are declared", (M, True), (M, False))
def parts_of(x: Tensor, asks: bool) -> tuple:
    parts = x.chunk(2) if asks else None
    rows, sizes = x.unbind(), x.split([1, 1])
    named: List[Tensor] = x.split(2, 1)
    halves: Tuple[Tensor, Tensor] = x.tensor_split(2)
    last = rows[-1]
    count = 0
    for i in range(len(rows)):
        count += rows[i].numel()
    whole = tsm.stack(rows) + tsm.cat(sizes)
    kinds = isinstance(rows, tuple), isinstance(sizes, list), type(rows).__name__, (*rows, last) == rows
    try:
        print(rows[3])
    except IndexError as error:
        print(error)
    return both(parts), rows, sizes, len(named), halves, kinds, whole, count, x.hsplit(3)[1:], summed(list(x.unbind(1)))


@program("cat and stack of a list", (M, M))
def join(a: Tensor, b: Tensor) -> tuple[Tensor, Tensor]:
    return tsm.cat([a, b], dim=1), tsm.stack([a, b])


@program("cat of a list built in a loop", (M,))
def join_rows(x: Tensor) -> Tensor:
    rows: list[Tensor] = []
    for row in x:
        rows.append(row * 2)
    return tsm.stack(rows)


of_row("tensor indexing")


@program("indexing by int, slice, negative", (M, 1), (M, -1), (M, 5))
def index_int(x: Tensor, i: int) -> Tensor:
    return x[i]


@program("indexing with several items", (M,))
def index_many(x: Tensor) -> list[Tensor]:
    return [x[0, 1], x[:, 1], x[0, 1:], x[..., 0], x[None], x[:, None, ::2], x[1][2]]


@program("indexing by a mask and by an index tensor", (M, T([0, 0, 1])))
def index_tensor(x: Tensor, i: Tensor) -> tuple[Tensor, Tensor]:
    return x[x > 0], x[i]


@program("indexing by a list", (M,))
def index_list(x: Tensor) -> Tensor:
    return x[[1, 0]]


@program("index tensors in two places", (M, T([0, 1]), T([2, 0])))
def index_pairs(x: Tensor, i: Tensor, j: Tensor) -> Tensor:
    return x[i, j]


@program("item assignment writes the caller's tensor", (M,))
def assign(x: Tensor) -> None:
    x[0] = 7.0
    x[1, 2] = -1
    x[:, 0] = x[:, 1]


@program("masked assignment", (M,))
def assign_mask(x: Tensor) -> None:
    x[x < 0] = 0.0


@program("augmented assignment to a slice", (M,))
def augment_slice(x: Tensor) -> None:
    x[0] += 10
    x[:, 1] *= 2.0


@program("augmented assignment is in place", (V, V))
def augment(x: Tensor, y: Tensor) -> Tensor:
    z = x
    z += 1
    z *= y
    return z


of_row("tensor views")


@program("an in-place write through a view", (M,))
def through_view(x: Tensor) -> Tensor:
    row = x[0]
    row.zero_()
    x.view(-1)[4] = 100.0
    return row


@program("a view of a temporary outlives it", (M,))
def outlive(x: Tensor) -> Tensor:
    y = (x + 1)[1]
    y += 1
    return y


@program("in-place methods chain", (M,))
def chain_in_place(x: Tensor) -> Tensor:
    return x.add_(1).mul_(2).clamp_(0, 10)


@program("an in-place write that would not fit", (V, M))
def in_place_mismatch(x: Tensor, y: Tensor) -> Tensor:
    return x.add_(y)


@program("an in-place result of another kind", (I,))
def in_place_kind(x: Tensor) -> Tensor:
    x += 1.5
    return x


@program("a write to an expanded tensor", (V,))
def write_expanded(x: Tensor) -> Tensor:
    y = x.unsqueeze(0).expand(2, 3)
    y += 1
    return y


@program("two arguments are one tensor", (V, V))
def one_tensor(a: Tensor, b: Tensor) -> Tensor:
    a += 1
    return a + b


@program("returning an argument returns the same tensor", (V,))
def same(x: Tensor) -> Tensor:
    x.add_(1)
    return x


@program("contiguous and to give the same tensor when nothing changes", (M,))
def no_copy(x: Tensor) -> tuple[Tensor, Tensor]:
    return x.contiguous(), x.to(tsm.float32)


of_row("tensor operations")


@program("casts", (M,))
def casts(x: Tensor) -> list[Tensor]:
    return [x.long(), x.double(), x.bool(), x.to(tsm.int32), x.int().float()]


@program("dtype as a value", (M,), (I,))
def dtype_value(x: Tensor) -> bool:
    d = x.dtype
    return d == tsm.float32


of_row("tensor views")


@program("truth of a one-element tensor in if", (T([2.0]),), (T(0.0),))
def truth(x: Tensor) -> int:
    if x:
        return 1
    return 0


@program("truth of several elements raises", (V,))
def ambiguous(x: Tensor) -> int:
    if x > 1:
        return 1
    return 0


of_row("loops")


@program("a loop that ends on a tensor's value", (T([100.0]),))
def shrink(x: Tensor) -> Tensor:
    while x.sum() > 1:
        x = x / 2
    return x


of_row("numbers meet")


@program("item narrowed by int() and float()", (T([3.7]),))
def numbers(x: Tensor) -> tuple[int, float]:
    return int(x.item()), float(x.item()) + float(x)


@program("item used in arithmetic and comparison", (T([3]),), (T([3.5]),))
def item_arithmetic(x: Tensor) -> float:
    n = x.item()
    if n > 3:
        return float(n * 2)
    return float(n + 1)


of_row("loops")


@program("a for loop over a tensor", (M,))
def over_rows(x: Tensor) -> Tensor:
    total = tsm.zeros(3)
    for row in x:
        total = total + row * row
    return total


@program("a loop with a tensor carried around", (V, 4))
def power_iteration(x: Tensor, n: int) -> Tensor:
    for i in range(n):
        x = x * 0.5 + i
    return x


of_row("refinement")


@program("an optional tensor", (V, None), (V, V))
def optional_tensor(x: Tensor, bias: Optional[Tensor] = None) -> Tensor:
    if bias is not None:
        x = x + bias
    return x


of_row("tensor views")


@program("t == None is False, is None works", (V,))
def compare_none(x: Optional[Tensor]) -> bool:
    return x is None


of_row("tensor operations")


@program("factories", (3,))
def factories(n: int) -> list[Tensor]:
    return [tsm.zeros(n), tsm.ones(2, n), tsm.full([n], 2.5), tsm.arange(n), tsm.arange(1, 7, 2), tsm.eye(n), tsm.zeros([n], dtype=tsm.int64)]


@program("tensor from nested lists", (2,))
def from_lists(n: int) -> Tensor:
    return tsm.tensor([[1.0, 2.0], [3.0, 4.0]]) * n


@program("zeros_like, ones_like, full_like", (M, I))
def likes(x: Tensor, y: Tensor) -> list[Tensor]:
    return [tsm.zeros_like(x), tsm.ones_like(y), tsm.full_like(x, 3)]


@program("where with tensors and scalars", (M,))
def where(x: Tensor) -> tuple[Tensor, Tensor]:
    return tsm.where(x > 0, x, -x), tsm.where(x > 0, x, 0.0)


@program("masked_fill and clamp", (M,))
def limit(x: Tensor) -> tuple[Tensor, Tensor]:
    return x.masked_fill(x < 0, -1e9), x.clamp(-1, 2)


of_row("tensor indexing")


@program("gather, index_select", (M, T([[0, 2], [1, 1]])))
def gathered(x: Tensor, i: Tensor) -> Tensor:
    return x.gather(1, i) + x.index_select(1, i[0])


of_row("tensor operations")


@program("gather out of range", (M, T([[0, 5], [1, 1]])))
def gather_bounds(x: Tensor, i: Tensor) -> Tensor:
    return x.gather(1, i)


@program("conv2d, pooling and flatten", (T([[[[1.0, 2, 3, 0], [4, 5, 6, 1], [7, 8, 9, 2], [0, 1, 2, 3]]]]), T([[[[1.0, 0], [0, -1]]]])))
def convolution(x: Tensor, w: Tensor) -> Tensor:
    y = F.conv2d(x, w, stride=1, padding=1)
    return F.max_pool2d(F.relu(y), 2).flatten(1)


@program("conv1d with groups and dilation", (T([[[1.0, 2, 3, 4, 5], [5, 4, 3, 2, 1]]]), T([[[1.0, 2]], [[0.5, -1]]])))
def convolution1(x: Tensor, w: Tensor) -> Tensor:
    return F.conv1d(x, w, dilation=2, groups=2)


@program("layer_norm", (M,))
def normed(x: Tensor) -> Tensor:
    return F.layer_norm(x, [3])


@program("embedding lookup", (T([[0, 2], [1, 1]]), T([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])))
def embedded(i: Tensor, w: Tensor) -> Tensor:
    return F.embedding(i, w)


@program("cumsum, tril, flip", (M,))
def ordered(x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    return x.cumsum(1), x.tril(), x.flip([0])


@program("var and std", (M,))
def spread(x: Tensor) -> tuple[Tensor, Tensor]:
    return x.var(1), x.std()


@program("dict of tensors", ({"a": V, "b": V},))
def tensor_dict(d: dict[str, Tensor]) -> dict[str, Tensor]:
    d["c"] = d["a"] + 1
    d["b"].zero_()
    return d


of_row("tensor views")


@program("list of tensors changed in place and by item", ([M, V],))
def tensor_list(v: list[Tensor]) -> Tensor:
    v[0].neg_()
    v[1] = v[1] * 2
    v.append(v[0].sum())
    return v[-1]


of_row("tensor operations")


@program("tuple of tensors, unpacked in a loop", ([(V, M)],))
def tensor_pairs(v: list[tuple[Tensor, Tensor]]) -> Tensor:
    total = tsm.zeros(1)
    for a, b in v:
        total = total + a.sum() * b.sum()
    return total


@program("any and all of a tensor", (M,))
def quantifiers(x: Tensor) -> int:
    n = 0
    if (x > 0).any():
        n += 1
    if tsm.all(x < 100):
        n += 10
    return n


@program("isnan and isfinite", (T([1.0, float("nan"), float("inf")]),))
def special(x: Tensor) -> tuple[Tensor, Tensor]:
    return tsm.isnan(x), tsm.isfinite(x)


@program("zero-sized tensors", (T([[1.0, 2.0]]),))
def empty(x: Tensor) -> tuple[Tensor, int]:
    y = x[:0]
    return y.sum(), y.numel()


@program("scalar tensors through arithmetic with ints", (T(2),))
def zero_dim(x: Tensor) -> Tensor:
    return x * 2 + tsm.tensor(1.5)


of_row("tensor indexing")


@program("a tensor index into a list by int()", (T(1), [10, 20, 30]))
def list_by_tensor(i: Tensor, v: list[int]) -> int:
    return v[int(i)]


of_row("whole programs")


@program("steps of an optimisation", (T([5.0]),))
def newton(x: Tensor) -> Tensor:
    guess = x.clone()
    for _ in range(20):
        guess = (guess + x / guess) * 0.5
        if (guess * guess - x).abs().max() < 1e-4:
            break
    return guess


@program("attention by hand", (T([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]),))
def attention(x: Tensor) -> Tensor:
    scores = x @ x.transpose(0, 1) / (x.shape[-1] ** 0.5)
    mask = tsm.tril(tsm.ones_like(scores)) == 0
    return F.softmax(scores.masked_fill(mask, float("-inf")), dim=-1) @ x


of_row("tensor operations")


@program("dimension out of range", (M,))
def bad_dim(x: Tensor) -> Tensor:
    return x.sum(dim=5)


of_row("whole programs")


@program("a recurrent cell over time", (T([[1.0, 2.0], [0.5, -1.0], [0.0, 1.0]]), T([[0.5, 0.1], [-0.2, 0.3]])))
def recurrent(xs: Tensor, w: Tensor) -> Tensor:
    h = tsm.zeros(2)
    outputs: list[Tensor] = []
    for t in range(xs.shape[0]):
        h = tsm.tanh(xs[t] + h @ w)
        outputs.append(h)
    return tsm.stack(outputs)


@program("top-1 decoding with early stop", (T([[0.1, 0.9, 0.0], [0.5, 0.2, 0.3], [0.0, 0.1, 0.9]]), 2))
def decode(scores: Tensor, end: int) -> list[int]:
    out: list[int] = []
    for row in scores:
        token = int(row.argmax())
        if token == end:
            break
        out.append(token)
    return out
