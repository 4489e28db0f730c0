"""Numbers of tensors without annotations: lists of any depth, items as sizes and indices, texts; tensors of modules."""

from __future__ import annotations

from typing import Optional

import tsm
from language_rows import of_row
from oracle import T, program
from tsm import Tensor, nn

M = T([[1.0, -2.0], [4.0, 5.0]])
V = T([1.0, 2.5, 3.0])
N = T([3, 1, 2])
B = T([True, False])


of_row("numbers meet")


@program("a list of a tensor asked for length, parts and text", (N,), (V,), (M,), (B,), (T([]),))
def listed(t: Tensor) -> tuple[int, str, str, bool]:
    values = t.tolist()
    shown = [str(value) for value in values]
    return len(values), ",".join(shown), f"{values}", values == [3, 1, 2]


@program("the list of a tensor of any rank returned as it is", (N,), (M,), (T(2),), (T(2.5),), (T([[[1]]]),))
def bare(t: Tensor):
    return t.tolist(), t.sum().tolist()


@program("rows of numbers walked two deep", (M,), (T([[1, 2], [3, 4]]),), (T([[0.5]]),))
def walked_twice(m: Tensor) -> tuple[list[str], float]:
    out = []
    largest = 0.0
    for i, row in enumerate(m.tolist()):
        for j, value in enumerate(row):
            if value > 1:
                out.append(f"{i}{j}={value}")
            largest = max(largest, float(value))
    return out, largest


@program("a list of a tensor changed and returned at a declared type", (N,), (T([5]),))
def changed(t: Tensor) -> list[int]:
    values = t.tolist()
    values.append(7)
    values.sort(reverse=True)
    return values


@program("differences and means of places that nonzero gave", (T([0, 1, 0, 1, 1]),), (T([0]),), (T([0.0, 2.5]),))
def gaps(t: Tensor) -> tuple[list[int], int, float]:
    places = t.nonzero().flatten().tolist()
    between = [b - a for a, b in zip(places[:-1], places[1:])]
    return between, max(places) if places else -1, sum(places) / len(places) if len(places) > 0 else 0.0


@program("numbers of tensors as keys of dicts and sets", (N, V), (B, V))
def keyed(t: Tensor, f: Tensor) -> str:
    keys, values = t.tolist(), f.tolist()
    table = dict(zip(keys, values))
    rounded = [round(value, 1) for value in values]
    return str(table) + str(sorted(set(keys))) + str(rounded) + str({key: i for i, key in enumerate(keys)})


def _mean(xs):
    return sum(xs) / len(xs)


@program("a list of a tensor given to helpers with and without annotations", (V,), (T([2.0]),))
def helped(t: Tensor) -> tuple[list[float], float]:
    xs = t.tolist()
    middle = _mean(t.tolist())

    def centred(values: list[float]) -> list[float]:
        return [value - middle for value in values]

    return centred(xs), middle


@program("items as sizes, indices and repeats", (V, ["a", "b", "c"]), (T([2.0, 1.0]), ["x", "y"]), (T([1.0, 2.0]), ["x"]))
def sized(x: Tensor, names: list[str]) -> tuple[str, list[int], float]:
    best = x.argmax().item()
    count = (x > 1).sum().item()
    values, places = x.topk(2)
    second = places[1].item()
    return names[best] + names[second] * count, list(tsm.zeros(count, best + 1).shape) + [0] * count, x.mean().item() / 2


@program("numbers of unknown kind as sizes", (N, T([2])), torch=False)
def sized_by_numbers(x: Tensor, y: Tensor) -> list[int]:
    n = x.max().item()
    return list(tsm.zeros(n + 1, y[0].item()).shape) + list(range(n))


@program("sums of a tensor whose dtype is written, in a tuple of a list", (2, 0.5), (0, 1.0))
def weighed(n: int, w: float) -> list[tuple[list[int], float]]:
    x = tsm.ones(n, 2, dtype=tsm.int64)
    out = []
    for i in range(n):
        x[i, :1] = tsm.tensor([i])
        out.append((list(x.shape), w * x[i].sum().item()))
    return out


@program("parts of a tensor whose sizes another one holds", (T([0.0, 1.0, 2.0, 3.0, 4.0]), T([2, 3])))
def parted(x: Tensor, lengths: Tensor) -> tuple[list[int], list[Tensor]]:
    sizes = lengths.tolist()
    return [part.numel() for part in tsm.split(x, sizes)], [*x.split(lengths.tolist(), 0)]


of_row("formatting")


@program("a tensor of one number formatted as its number", (V, None), (N, T(3)), (T([7.0]), T([1.0])))
def formatted(x: Tensor, other: Optional[Tensor]) -> list[str]:
    total = x.sum()
    one = x.max()
    return [f"{one:.3f}", f"{total}", "{:>8.2f}|".format(total), "%.2f %d" % (one, one), format(one, "5.1f"),
            f"{x.argmax()} {(x > 0).all()}", f"{other}" if other is None or other.dim() == 0 else "vector"]  # fmt: skip


@program("a format specification for a tensor of several numbers", (V,), (T([]),))
def refused_format(x: Tensor) -> str:
    return f"{x:.2f}"


@program("the text of a device", (V,), torch=False)
def placed(x: Tensor) -> tuple[str, str, str]:
    return str(x.device), f"{x.device} {x.device.type}", repr(x.device)


of_row("loops")


@program("a loop over a tensor without dimensions", (T(3.0),), (V,))
def looped(x: Tensor) -> float:
    total = 0.0
    for each in x:
        total += float(each)
    return total


of_row("modules")


class Layered(nn.Module):
    """Tied layers, own tensors with two names, buffers that may be None or are not saved."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(2, 2), nn.Linear(2, 1, bias=False)])
        self.tied = self.layers[0]
        self.scales = nn.ParameterList([nn.Parameter(tsm.ones(2)), nn.Parameter(tsm.zeros(1))])
        self.own = nn.Parameter(tsm.full((3,), 2.0))
        self.again = self.own
        self.register_buffer("found", None)
        self.register_buffer("scratch", tsm.ones(4), persistent=False)
        self.found: Optional[Tensor]
        for parameter in self.parameters():
            nn.init.constant_(parameter, 0.5)


@program("parameters walked by name, until enough were seen", (T([1.0]),), torch=False)
class WalkedByName(Layered):
    def forward(self, x: Tensor) -> tuple[list[str], list[str], int]:
        seen = []
        for name, parameter in self.named_parameters():
            if "bias" in name:
                continue
            seen.append(f"{name} {tuple(parameter.shape)}")
            if len(seen) == 3:
                break
        own = [name for name, _ in self.named_parameters("net", recurse=False)]
        return seen, own, sum(p.numel() for p in self.parameters()) + len(list(self.tied.parameters()))


@program("buffers that come and go, and what is saved", (T([1.0, 2.0]),), torch=False)
class WalkedBuffers(Layered):
    def forward(self, x: Tensor) -> tuple[list[str], list[str], int]:
        before = [name for name, _ in self.named_buffers()]
        self.found = x
        state = self.state_dict()
        return before, list(state.keys()), sum(b.numel() for b in self.buffers()) + len(self.state_dict(prefix="m."))


@program("weights moved towards those of another module", (T([1.0, 1.0]), 0.5), (T([1.0, 1.0]), 1.0), torch=False)
class Averaged(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.online, self.target = nn.Linear(2, 2), nn.Linear(2, 2)
        for value, parameter in zip([0.5, 1.0, 2.0, 4.0], self.parameters()):
            nn.init.constant_(parameter, value)

    def forward(self, x: Tensor, tau: float) -> tuple[Tensor, float]:
        for parameter, target in zip(self.online.parameters(), self.target.parameters()):
            target.mul_(1 - tau).add_(parameter, alpha=tau)
        norms = tsm.stack([parameter.norm() for parameter in self.parameters()])
        first = next(self.parameters())
        return self.target(x) + first.sum() * 0, norms.max().item()


@program("a module without tensors walked", (), torch=False)
class Empty(nn.Module):
    def forward(self) -> tuple[int, int]:
        return len(list(self.parameters())) + len(self.state_dict()), sum(1 for _ in self.buffers())


@program("a dict of tensors that annotate declares in __init__", (T([1.0]),), (T([3.0]),), torch=False)
class Annotated(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.known = tsm.jit.annotate(dict[str, Tensor], {})

    def forward(self, x: Tensor) -> list[str]:
        self.known[f"x{int(x)}"] = x
        return list(self.known)


of_row("tensor operations")


@program("derivatives along dimensions, at points and evenly", (T([0.0, 1.0, 4.0, 9.0]), V), (T([0.0, 1.0, 4.0]), V), (M, V), (T([1.0]), V))
def differentiated(y: Tensor, at: Tensor) -> list[Tensor]:
    made = [*tsm.gradient(y), *tsm.gradient(y, spacing=0.5, dim=0)]
    if y.dim() == 1 and y.numel() == 3:
        made += [tsm.gradient(y, spacing=(at,))[0], tsm.gradient(y, spacing=[at], edge_order=2)[0]]
    if y.numel() == 4 and y.dim() == 1:
        made += tsm.gradient(y, edge_order=2)
    return made


@program("quantiles of what is not missing", (T([1.0, float("nan"), 3.0]), 0.5), (T([[1.0, 2.0], [float("nan"), 5.0]]), 0.25))
def shares(x: Tensor, q: float) -> tuple[Tensor, Tensor]:
    return tsm.nanquantile(x, q), x.nanquantile(tsm.tensor([0.0, q]), dim=-1, keepdim=True)


@program("equal parts that do not come out", (T([1.0, 2.0, 3.0, 4.0]), 2), (T([1.0, 2.0, 3.0]), 2), (M, 2), (T([[1.0]] * 3), 1))
def halved(x: Tensor, n: int) -> list[Tensor]:
    return [*tsm.hsplit(x, n)]


@program("shapes changed in place of what one variable knows", (M,), (T([[1.0, 2.0, 3.0]]),), (V,))
def reshaped(x: Tensor) -> tuple[Tensor, list[int], Tensor, int]:
    y = x.clone()
    y.unsqueeze_(0)
    y.transpose_(0, 1)
    before = y.dim()
    y.squeeze_()
    y.clamp_(min=0, max=4).masked_fill_(y == 2, -1)
    return y, list(y.shape), x.clone().t_(), before + (y + 0).unsqueeze_(-1).dim()


@program("shapes changed in place in branches and loops, then handed on", ([V, M],), ([T(1.0)],), ([],))
def collected(xs: list[Tensor]) -> list[Tensor]:
    out: list[Tensor] = []
    for x in xs:
        y = x * 2
        if y.dim() < 2:
            y.unsqueeze_(0)
        y += 1
        out.append(y)
    return out


@program("results written into tensors of the function's own", (M, T([[1.0, 0.0], [0.0, 1.0]])), (M, M))
def written(a: Tensor, b: Tensor) -> tuple[Tensor, Tensor]:
    buffer = tsm.zeros(2, 2)
    tsm.add(a, b, out=buffer)
    tsm.exp(buffer, out=buffer)
    made = tsm.zeros(0)
    tsm.cat([a, b], out=made)
    return buffer, made


@program("results written into arguments, where kinds of numbers allow it", (V, T([0.0, 0.0, 0.0])), (V, T([0, 0, 0])), (N, T([0.0, 0.0, 0.0])), (V, None))
def written_into(a: Tensor, out: Optional[Tensor]) -> Tensor:
    if out is None:
        return tsm.mul(a, 3, out=None)
    return tsm.mul(a, 2, out=out)


@program("the trace of a matrix by its function", (M,), (V,))
def traces(x: Tensor) -> tuple[Tensor, Tensor]:
    return tsm.trace(x), x.trace()


@program("numbers of a tensor in a list of declared rows, and returned as a declared list", (T([[1, 2], [3, 4]]),))
def declared_rows(x: Tensor) -> tuple[list[list[int]], list[int]]:
    rows: list[list[int]] = []
    for row in x:
        got = [row[0].item()]
        for value in row[1:]:
            got.append(value.item())
        got.reverse()
        rows.append(got)
    return rows, first_of(x)


def first_of(x: Tensor) -> list[int]:
    got = [x[0, 0].item()]
    got.append(x[1, 0].item())
    return got


class Plain:
    def step(self, grads: list[Tensor]) -> Tensor:
        return grads[0] * 2


class Momentum(Plain):
    def step(self, grads: list[Tensor], *, scale: float = 3) -> Tensor:
        return grads[-1] * scale


def halves(parts: list[Tensor]) -> list[Tensor]:
    return [part / 2 for part in parts]


@program("sums of tensors in displays that are lists of tensors, also for methods of several classes", (M, 1), (M, 0))
def summed(x: Tensor, k: int) -> tuple[Tensor, list[Tensor], dict[str, Tensor]]:
    method = Momentum() if k else Plain()
    kept: list[Tensor] = [sum(halves([x, x])), x]
    table: dict[str, Tensor] = {"a": sum(halves([x]))}
    return method.step([sum(halves([x, x]))]), kept, table
