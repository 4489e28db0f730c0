"""Tensors of one element where sizes, counts and places are ints, and others numbers."""

from __future__ import annotations

from typing import Optional

import tsm
from language_rows import of_row
from oracle import T, program
from tsm import Tensor
from tsm.nn import functional as F

X = T([0.0, 1.0, 2.0, 3.0])
TWO = T(2)


of_row("tensor operations")


@program("tensors as sizes of new tensors", (T([3, 2]),), (T([1, 4]),))
def made(lengths: Tensor) -> list[Tensor]:
    n = lengths.max()
    return [tsm.zeros(n, 2), tsm.ones((2, n)), tsm.full([n], 1.5), tsm.eye(n), tsm.arange(n)]


@program("a mask of lengths", (T([3, 1, 2]),))
def mask(lengths: Tensor) -> Tensor:
    return tsm.arange(lengths.max())[None, :] < lengths[:, None]


@program("tensors as sizes of views", (X, TWO))
def viewed(x: Tensor, n: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    return x.view(n, n), x.reshape(n, -1), x.expand(n, 4), x.repeat(n, 1)


@program("tensors as counts and places", (X, TWO))
def counted(x: Tensor, n: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    return x.narrow(0, n - 1, n), x.topk(n)[0], F.pad(x, (0, n)), F.one_hot(tsm.tensor([0, 1]), n + 1)


@program("a tuple with a tensor as sizes", (X, TWO))
def padded(x: Tensor, n: Tensor) -> Tensor:
    whole = n.item() if x.numel() > 8 else n
    sides = (int(whole), 1)
    return F.pad(x, sides)


@program("bounds of arange that are tensors", (T(1.5), T(4.0)), (T(1), T(3)))
def between(start: Tensor, end: Tensor) -> Tensor:
    return tsm.cat([tsm.arange(start, end), tsm.arange(end) * 1.0])


@program("a tensor of floats is no size", (T([2.5]),), (T([1, 2]),), torch=False)
def no_size(x: Tensor) -> str:
    try:
        return str(tsm.zeros(x, 2).numel())
    except TypeError:
        return "no integer"


@program("sizes are asked in their order", (T([1, 2]),))
def ordered(x: Tensor) -> tuple[list[str], int]:
    told: list[str] = []

    def tell(name: str, place: int) -> Tensor:
        told.append(name)
        return x[place]

    made = tsm.zeros(tell("rows", 0), tell("columns", 1))
    other = tsm.full((1, tell("width", 1)), tell("filled with", 0))
    return told, made.numel() + other.numel()


@program("an empty tuple as the size of a new tensor", (X,))
def single(x: Tensor) -> Tensor:
    return x.new_full((), 2.0) + x.new_zeros(()) + tsm.full((), 1.0)


@program("tensor_split by name", (X,))
def parted(x: Tensor) -> list[Tensor]:
    first, last = tsm.tensor_split(x, indices=(-1,), dim=-1)
    return [first, last, *tsm.tensor_split(x, sections=2), *x.tensor_split(3), *x.tensor_split([1, 2])]


@program("limits that are tensors, in place", (X,))
def limited(x: Tensor) -> Tensor:
    y = x * 2
    y.clamp_(x + 0.5, max=tsm.tensor([1.0, 2.0, 3.0, 4.0]))
    return y.clamp_(min=x)


@program("tensors for the numbers of operators", (X, T(0.5)))
def scaled(x: Tensor, t: Tensor) -> list[Tensor]:
    return [tsm.add(x, x, alpha=t), F.leaky_relu(-x, t), F.elu(-x, alpha=t), tsm.full((2,), t), x.clone().fill_(t)]


@program("tensors for numbers by name, in functions of the library", (X, T(0.5)),)
def tuned(x: Tensor, t: Tensor) -> tuple[Tensor, Tensor, bool]:
    return F.layer_norm(x, (4,), eps=t), tsm.nan_to_num(x / 0.0, nan=t, posinf=9.0), tsm.allclose(x, x + 0.25, atol=t)


@program("Ellipsis by its name, layouts, places of other devices", (X,))
def placed(x: Tensor) -> tuple[Tensor, bool, bool, bool]:
    y = tsm.zeros_like(x.view(2, 2), memory_format=None) + tsm.ones(2, device=tsm.device(type="cpu"))
    return y[Ellipsis, 0] + y[0, Ellipsis], x.layout == tsm.strided, x.is_mkldnn, x.is_sparse_csr


@program("sizes that are a tensor or an int", (T([1, 3]),), (T([1, 3]), 4), (T([1.0, 3.0]),))
def padded_mask(lengths: Tensor, longest: Optional[int] = None) -> tuple[Tensor, Tensor, list[int]]:
    longest = longest or lengths.max()
    places = tsm.arange(5)[:longest]
    mask = places.expand(len(lengths), longest) < lengths.unsqueeze(1)
    return mask, F.pad(tsm.zeros(2, longest), (0, longest)), [*mask.view(longest, -1).shape]


@program("counts by the numbers that item() gives", (T([1, 2, 1]),), (T([0.5, 1.0]),), (T([True, False]),))
def counted_items(x: Tensor):
    counts, seen, places = {}, set(), {each.item(): i for i, each in enumerate(x)}
    for each in x:
        key = each.item()
        counts[key] = counts.get(key, 0) + 1
        seen.add(key)
    names = {0: "none", 1: "one"}
    return counts, len(seen), places, [names.get(each.item(), "?") for each in x], 1 in seen, counts == {1: 2, 2: 1}


@program("keys of every kind of number", (7,), (3,), (1,))
def keys_of_numbers(n: int):
    table = {True: 1, 0.5: 2, 1j: 3, 7: 4}
    table[n] = 9
    kinds = [type(key).__name__ for key in table]
    del table[1j]
    last = table.popitem()
    some = {True, 0.5, 1j, 7}
    some.add(n)
    pairs = {(True, 0.5): 1, (1j, 2): 2}
    return table, kinds, last, len(some), n in some, table.get(n + 0j), pairs[(1, 0.5)], table | {0.25: n}


@program("complex() of numbers of several kinds", (T([1.0, 2.0]), 0), (T([1, 2]), 2))
def complex_parts(x: Tensor, k: int) -> list[complex]:
    real = 1 if k else 2.5
    imag = 1j if k > 1 else 2
    return [complex(x[0].item(), x[1].item()), complex(real, imag), complex(imag), complex(imag=real)]
