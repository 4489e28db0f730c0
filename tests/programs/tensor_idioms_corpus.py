"""Idioms of tensor programs: shapes spread into calls, numbers of tensors walked, shifts, hooks, errors with PyTorch's texts."""

from __future__ import annotations

import tsm
from language_rows import of_row
from oracle import T, program
from tsm import Tensor, nn
from tsm.nn import functional as F

M = T([[1.0, -2.0, 3.0], [4.0, 5.0, -6.0]])
V = T([1.0, 2.0, 3.0])
N = T([3, 1, 2])


of_row("tensor operations")


@program("a shape spread into sizes", (T([[[1.0, 2.0, 3.0, 4.0]]]),), (T([[1.0, 2.0]]),), (T([1.0, 2.0]),))
def split_heads(x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    halves = x.view(*x.shape[:-1], 2, x.shape[-1] // 2)
    ones = tsm.ones(*x.shape, dtype=tsm.int64)
    turned = halves.permute(*range(halves.dim() - 1, -1, -1))
    return halves, ones, turned


@program("a list of any length spread into repeats", (M, [1, 2]), (M, [1, 1, 2]), (M, [2]))
def repeated(x: Tensor, times: list[int]) -> Tensor:
    return x.repeat(*times)


@program("the numbers of a vector walked, sorted and paired", (N, V), (N, T([0.5])))
def walked(t: Tensor, v: Tensor) -> tuple[list[float], int, list[tuple[int, float]]]:
    doubled = []
    for each in t.tolist():
        doubled.append(float(each) * 2)
    total = sum(int(each) for each in t.tolist())
    pairs = [(int(i), float(x)) for i, x in zip(t.tolist(), v.tolist())]
    return doubled, total, pairs


@program("a number of a tensor as a bound of range", (N,), (T([2.5]),), (T([True]),))
def counted(t: Tensor) -> list[int]:
    return [i for i in range(t.max().item())]


@program("whether a number is in a tensor", (N, 2), (N, 7), (V, 3.0))
def has(t: Tensor, wanted: float) -> bool:
    return wanted in t


@program("shifts of integer tensors", (N, 2), (N, -1), (T([-5, 6], "int32"), 40), (V, 1))
def shifted(t: Tensor, by: int) -> tuple[Tensor, Tensor, Tensor]:
    return t << by, t >> 1, 1 << t


@program("augmented shifts", (N,), (V,))
def shifted_in_place(t: Tensor) -> Tensor:
    t <<= 3
    t >>= tsm.tensor([0, 1, 2])
    return t


@program("properties of dtypes", (V,), (N,), (T([True]),))
def facts(x: Tensor) -> tuple[bool, int, int, bool, int]:
    kind = x.dtype
    return kind.is_floating_point, kind.itemsize, x.nbytes, kind.is_signed, x.stride(-1)


@program("indices that do not fit", *((M, k) for k in range(9)), torch=False)
def misfits(x: Tensor, k: int) -> Tensor:
    if k == 0:
        return x[0, 0, 0]
    if k == 1:
        return x[0, -7]
    if k == 2:
        return x[:, :, :]
    if k == 3:
        return x[:, ..., 0, 0]
    if k == 4:
        return x[:, ..., :, 1:]
    if k == 5:
        return x.sum()[0]
    if k == 6:
        return x[..., 0, 1:]
    if k == 7:
        return x[0][None, :, 1:]
    x[:, ..., 1:] = 0
    return x


@program("shapes that do not fit", *((M, T([[1.0, 2.0]]), k) for k in range(9)))
def unequal(a: Tensor, b: Tensor, k: int) -> Tensor:
    if k == 0:
        return a + b
    if k == 1:
        return a @ b
    if k == 2:
        return tsm.cat([a, b])
    if k == 3:
        return tsm.stack([a, b])
    if k == 4:
        return a.view(4, -1)
    if k == 5:
        return a.expand(4, 3)
    if k == 6:
        return F.linear(a, b)
    if k == 7:
        a[0] = b
        return a
    return a.add_(b)


@program("an orthogonal factor and eigenvalues", (T([[4.0, 1.0], [1.0, 3.0]]),), (T([[2.0, 0.0], [0.0, 2.0]]),))
def factored(a: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    q, r = tsm.linalg.qr(a)
    values, vectors = tsm.linalg.eigh(a)
    return q @ r, values, (vectors * values) @ vectors.T


def _doubled(module, args, output):
    return output * 2


def _shifted(module, args):
    return (args[0] + 1.0,)


def _seen(module, args):
    print("called with", args[0].numel())


@program("items of tensors, at the element types that the result declares", (M, 2))
def items_of(x: Tensor, size: int) -> tuple[list[float], dict[str, float]]:
    sums, named = [], {}
    for i in range(0, x.shape[0], size):
        sums.append(x[i : i + size].sum().item())
    named["mean"] = x.mean().item()
    return sums, named


of_row("modules")


@program("forward hooks of a submodule", (V,), (M,))
class Hooked(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = nn.ReLU(), nn.ReLU()
        self.first.register_forward_pre_hook(_seen)
        self.first.register_forward_pre_hook(_shifted)
        self.first.register_forward_hook(_doubled)
        self.second.register_forward_hook(_doubled).remove()

    def forward(self, x: Tensor) -> Tensor:
        return self.second(self.first(x)) + self.second(x)


@program("a method of the program's own that has the name of one of ours", (), (), method="reset")
class Resettable(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.count = 3

    def forward(self) -> int:
        return self.count

    @tsm.export
    def reset(self) -> int:
        self.count += 1
        return self.count


@program("a Final list is an attribute that may be read", (M,))
class Reduced(nn.Module):
    dims: tsm.jit.Final[list[int]]

    def __init__(self) -> None:
        super().__init__()
        self.dims = [0, 1]
        self.layers = nn.ModuleDict([("relu", nn.ReLU()), ("tanh", nn.Tanh())])

    def forward(self, x: Tensor) -> tuple[Tensor, str]:
        for name, _ in self.named_children():
            print(name)
        for name, layer in self.layers.items():
            x = layer(x)
        return x.sum(self.dims), f"{self.dims}"


of_row("tensor operations")


@program("sums of tensors as arguments of operators on tensors", ([T([3.0, 4.0]), T([1.0, 2.0])],), ([],))
def norms(parts: list[Tensor]) -> list[Tensor] | str:
    square = 0
    for part in parts:
        square = square + (part**2).sum()
    try:
        mean = tsm.exp(sum(part.mean() for part in parts) / max(len(parts), 1))
    except TypeError:
        return "nothing to sum"
    return [tsm.sqrt(square), mean, tsm.softmax(sum(parts), dim=0)]


@program("numel() of a shape and of its slice", (T([[1.0, 2.0, 3.0]]),), (T(1.0),))
def extents_counted(x: Tensor) -> tuple[int, int, int]:
    shape = x.shape
    return shape.numel(), x.size()[1:].numel(), shape[:-1].numel()


of_row("calls")

REDUCED = {"dim": 1, "keepdim": True}


@program("keyword arguments of tensor methods that a variable or a dict outside the function holds", (M,))
def kept_options(x: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    options = dict(dim=-1, keepdim=True)
    widths: dict[str, float] = {"min": 1, "max": 3}
    scale = float(x.abs().max())
    total = x.sum(**options) / x.abs().amax(**options)
    return total, x.mean(**REDUCED), x.clamp(**widths) * scale, sum((x.sum(**options) for _ in range(2)), total)


of_row("builtins")


@program("the name of a tensor's class, where it may be something else too", (M, 3), (M, M))
def named_class(x: Tensor, y: Tensor | int) -> tuple[str, str, bool, bool]:
    return type(x).__name__, f"got {type(y).__name__}, {y.__class__.__name__}", type(y) is int, type(x) is type(3)
