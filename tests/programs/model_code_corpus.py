"""Layers and functions of model code that came late: sizes in every spelling, softmax without a dimension, attention with
its weights given."""

from __future__ import annotations

from argparse import Namespace
from types import SimpleNamespace
from typing import Optional

import tsm
from language_rows import of_row
from oracle import T, program
from tsm import Tensor, nn
from tsm.nn import functional as F
from tsm.nn.modules.utils import _pair, _single

IMAGE = T([[[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]]])
ROWS = T([[[1.0, 2.0], [3.0, -4.0], [0.5, 0.25]]])
TOKENS = T([[[1.0, 2.0], [3.0, -4.0]], [[0.5, 0.25], [2.0, 1.0]], [[0.0, 1.0], [-1.0, 1.5]]])

DEFAULTS = SimpleNamespace(limits={"high": 2.5, "name": "default"})

of_row("modules")


@program("pooling to sizes that are ints, lists, tuples and None", (IMAGE,), torch=False)
class Pooled(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.rows, self.line = nn.AdaptiveAvgPool2d((None, 2)), nn.AdaptiveMaxPool1d([2])
        self.cube = nn.AdaptiveMaxPool3d(1)

    def forward(self, x: Tensor) -> list[Tensor]:
        return [
            self.rows(x), self.line(x[0]), self.cube(x.unsqueeze(0)), F.adaptive_avg_pool1d(x[0], [2]),
            F.adaptive_avg_pool2d(x, [1, None]), F.adaptive_max_pool2d(x, (None, 1)), F.avg_pool1d(x[0], (2,)),
        ]


@program("softmax whose dimension follows from the rank", (ROWS,), torch=False)
class Normalised(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.soft, self.log = nn.Softmax(), nn.LogSoftmax()

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        return self.soft(x), self.log(x[0]), F.softmin(x[0, 0])


@program("attention with weights of its own", (TOKENS,), torch=False)
class AttentionPool(nn.Module):
    def __init__(self, width: int = 2) -> None:
        super().__init__()
        tsm.manual_seed(5)
        self.q_proj, self.k_proj, self.v_proj = nn.Linear(width, width), nn.Linear(width, width), nn.Linear(width, width)
        self.c_proj = nn.Linear(width, 3)

    def forward(self, x: Tensor) -> Tensor:
        x = x.permute(1, 0, 2)  # (N, L, E) to (L, N, E)
        x = tsm.cat([x.mean(dim=0, keepdim=True), x], dim=0)
        x, _ = F.multi_head_attention_forward(
            query=x[:1], key=x, value=x, embed_dim_to_check=x.shape[-1], num_heads=1,
            q_proj_weight=self.q_proj.weight, k_proj_weight=self.k_proj.weight, v_proj_weight=self.v_proj.weight,
            in_proj_weight=None, in_proj_bias=tsm.cat([self.q_proj.bias, self.k_proj.bias, self.v_proj.bias]),
            bias_k=None, bias_v=None, add_zero_attn=False, dropout_p=0.0, out_proj_weight=self.c_proj.weight,
            out_proj_bias=self.c_proj.bias, use_separate_proj_weight=True, training=self.training, need_weights=False,
        )
        return x.squeeze(0)


@program("a convolution of one's own on top of a library's, with helpers for sizes", (IMAGE,), torch=False)
class Standardised(nn.modules.conv.Conv2d):
    def __init__(self) -> None:
        tsm.manual_seed(2)
        super().__init__(1, 2, _pair(2))

    def forward(self, x: Tensor) -> tuple[Tensor, tuple[int, ...]]:
        weight = self.weight - self.weight.mean(dim=(1, 2, 3), keepdim=True)
        return F.conv2d(x, weight, self.bias, self.stride, _pair(0), self.dilation, self.groups), _single(x.dim())


@program("walks through a tree of modules, which change what they find", (ROWS,), (ROWS,), torch=False)
class Walked(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        tsm.manual_seed(3)
        self.first, self.drop = nn.Linear(2, 2), nn.Dropout(0.5)
        self.rest = nn.Sequential(nn.Linear(2, 3), nn.ModuleDict({"in": nn.Dropout(0.25)})["in"])

    def forward(self, x: Tensor) -> tuple[list[str], list[float], int, Tensor]:
        names = [f"{name}:{type(module).__name__}" for name, module in self.named_modules()]
        rates = [module.p for module in self.modules() if isinstance(module, nn.Dropout)]
        width = 0
        for module in self.rest.modules():
            if isinstance(module, nn.Linear):
                width += module.out_features
            elif isinstance(module, nn.Dropout):
                module.p = 0.0
        for _, module in self.named_modules(prefix="top"):
            module.eval()
        return names, rates, width, self.rest(self.drop(self.first(x)))


class Summed(nn.Module):
    def forward(self, *parts: Tensor) -> Tensor:
        return sum(parts, tsm.zeros(2))


class Spread(nn.Module):
    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        return x.cos(), x.sin()


@program("traced submodules called with spread tuples; a method dropped below another decorator", (ROWS,), torch=False)
class Chained(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.spread = tsm.jit.trace(Spread(), (tsm.ones(3, 2),))
        self.total = tsm.jit.trace(Summed(), (tsm.ones(3, 2), tsm.ones(3, 2), tsm.ones(3, 2)))

    @tsm.jit.unused
    @tsm.no_grad()
    def saved(self, x):  # type: ignore[no-untyped-def]
        return [open(x)]

    @tsm.jit.ignore(drop_on_export=True)
    def shown(self, x: Tensor) -> Tensor:
        return x.numpy()  # type: ignore[return-value]

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        if x.dim() > 3:
            return self.saved(x), self.shown(x)
        pair = self.spread(x)
        return self.total(x, *pair), self.total(*[*pair, x])


@program("isinstance with Parameter of a module's own tensors", (ROWS,), torch=False)
class Owned(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight, self.plain = nn.Parameter(tsm.ones(2)), tsm.ones(2)
        self.register_buffer("mean", tsm.zeros(2))
        self.register_parameter("bias", None)

    def forward(self, x: Tensor) -> list[bool]:
        return [
            isinstance(self.weight, nn.Parameter), isinstance(self.plain, nn.Parameter),
            isinstance(self.mean, (nn.Parameter, int)), isinstance(self.bias, nn.Parameter),
            isinstance(x, (Tensor, nn.Parameter)),
        ]


@program("attributes that are None at first and that nothing declares", (ROWS, False), (ROWS, True), (ROWS, False), torch=False)
class Recurrent(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weights = self.state = self.calls = None

    def step(self, x: Tensor) -> Tensor:
        if self.state is None:
            self.state = (x, x.sum())
        hidden, total = self.state
        self.state = (hidden + x, total * 2)
        return total

    def forward(self, x: Tensor, restart: bool) -> tuple[Tensor, bool, Tensor, int]:
        is_first = self.weights is None
        self.weights = x.softmax(-1)
        if restart:
            self.state = None
        self.calls = 1 if self.calls is None else self.calls + 1
        return self.step(x), is_first, self.weights.sum(), self.calls


@program("shapes as what an exception says", (ROWS,), (TOKENS,), torch=False)
def checked_shape(x: Tensor) -> Tensor:
    assert x.size(0) == 3, x.shape
    try:
        assert x.dim() == 3, (x.shape, [x.shape[1:]], "rows")
    except AssertionError as error:
        raise ValueError(x.size()) if len(str(error)) > 50 else RuntimeError(f"{error}")
    return x


class Shift(nn.Module):
    def __init__(self, by: int = 1) -> None:
        super().__init__()
        self.by, self.calls = by, 0

    def forward(self, x: Tensor) -> Tensor:
        self.calls += 1
        return x + self.by * self.calls


@program("layers without weights, made where they are called", (ROWS, None), (ROWS, T([0, 1, 0])), torch=False)
class Made(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.soft, self.padding = nn.LeakyReLU(0.25), 1

    def forward(self, x: Tensor, target: Optional[Tensor] = None) -> tuple[Tensor, Tensor, int]:
        x = nn.Softmax(dim=1)(self.soft(x)) + nn.LeakyReLU(0.5)(x)
        shift = Shift(by=2)
        for _ in range(2):
            x = shift(x)
        if target is not None:
            loss_fct = nn.CrossEntropyLoss(ignore_index=self.padding, reduction="sum")
            return x, loss_fct(nn.Flatten(0, self.padding)(x), target), shift.calls
        activation = nn.Tanh() if x.sum() > 0 else nn.ReLU()
        return activation(x), nn.Dropout(1.0)(x).sum(), Shift().by


@program("containers of modules that methods fill, whose elements nothing declares", (1,), (2,), torch=False)
class Journal(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.seen, self.by_name, self.marks, self.rows = [], {}, set(), [[], []]  # type: ignore[var-annotated]
        self.scores, self.never = [1, 2], []  # type: ignore[var-annotated]

    def put(self, what):  # type: ignore[no-untyped-def]
        self.seen.append(what)

    def forward(self, n: int) -> str:
        self.put(0.5)
        self.put(n)
        self.by_name[n] = self.by_name.get(n, 0) + 1
        self.marks.add(str(n))
        self.rows[n % 2].append((n, "row"))
        self.scores[0] += 0.25
        return f"{self.seen} {self.by_name} {len(self.marks)} {self.rows} {self.scores} {self.never}"


@program("numbers of modules keep the types that methods give them", (1,), (3,), (0,), torch=False)
class Gauge(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.best, self.shown, self.ready = 0, 1.5, False

    def forward(self, n: int) -> str:
        self.best = max(self.best, n / 2)
        if n > 0:
            self.shown = n
        self.ready = self.ready or (n if n > 2 else "low")
        return f"{self.best} {self.shown} {self.ready}"


@program("submodules under two names, walked once", (ROWS,), torch=False)
class Shared(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        act = nn.ReLU()
        self.first = self.second = act
        self.body = nn.Sequential(act, nn.Flatten(), act)

    def forward(self, x: Tensor) -> tuple[list[str], list[str], int, int]:
        below = [name for name, _ in self.named_modules()]
        return below, [name for name, _ in self.named_children()], sum(1 for _ in self.body.children()), len(self.body)


@program("settings of several kinds in one dict, as operands of tensors", (ROWS, "rate"), (ROWS, "name"), (ROWS, "bias"), torch=False)
class Configured(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.settings = {"rate": 0.5, "steps": 2, "name": "sgd", "bias": None}

    def forward(self, x: Tensor, which: str) -> Tensor:
        for _ in range(self.settings["steps"]):
            x = x * self.settings["rate"] + self.settings["steps"]
        return self.settings[which] - x


@program("namespaces of settings, kept by a module and outside", (ROWS,), torch=False)
class Parsed(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.args = Namespace(act="relu", scale=2.0, sizes=[1, 2], inner=SimpleNamespace(depth=3))
        self.limit = 2.5

    def forward(self, x: Tensor) -> tuple[Tensor, int, float]:
        if self.args.act == "relu":
            x = x.relu()
        if hasattr(self.args, "absent"):
            x = self.args.absent(x)
        settings = self.args
        x = x.clamp(max=DEFAULTS.limits["high"])
        return x * settings.scale, sum(settings.sizes) + settings.inner.depth, getattr(self.args, "beta", 0.5)


of_row("module containers")


@program("slices of a Sequential held, handed on and called", (ROWS,), torch=False)
class Halves(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.net = nn.Sequential(nn.ReLU(), nn.Softplus(), nn.Tanh(), nn.Sigmoid())

    def applied(self, part: nn.Sequential, x: Tensor) -> Tensor:
        return part(x) + len(part)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        head, tail = self.net[:2], self.net[2:]
        h = head(x)
        for layer in head[::-1]:
            x = layer(x)
        return tail(h), self.net[1:][1:](h), self.applied(tail, h), self.net[:0](x) + tail[-1](x)


of_row("annotations")


@program("losses whose sum, added last, goes to a result of tensors", (ROWS, {"mean": 2.0, "low": 0.5}), torch=False)
def weighed(x: Tensor, weights: dict[str, float]) -> dict[str, Tensor]:
    losses = {"mean": x.mean()}
    losses["low"] = x.min()
    losses["total"] = sum(losses[name] * weights[name] for name in losses if name in weights)
    return losses


of_row("tensor operations")


@program("sequences repeated by a tensor; a tensor walked backwards; ranges made into tensors",
         (T(2), ROWS, 3), (T([1]), ROWS, 1), (T(2.5), ROWS, 2), (T([1, 2]), ROWS, 2))
def by_tensors(t: Tensor, x: Tensor, n: int) -> tuple[list[int], str, tuple[int, ...], list[float], Tensor, Tensor]:
    ones = [1] * t
    ones *= t
    backwards = [row.sum().item() for row in reversed(x)]
    return ones, t * "ab", (1, 2) * t, backwards, tsm.tensor(range(1, n)), tsm.tensor(range(n), dtype=tsm.float32)


ANCHORS = (tsm.tensor([1.0, 2.0]), tsm.tensor([4.0]))
BANDS = {"low": [tsm.zeros(1), tsm.ones(2)], "high": [tsm.full((2,), 3.0)]}
STEPS = [tsm.tensor(1.0), tsm.tensor(0.5)]

of_row("names")


@program("tuples, dicts and lists outside the function that hold tensors",
         (T([1.0, -1.0]), "low", 1), (T([2.0, 0.0]), "high", -1), (T([2.0, 0.0]), "mid", 0), torch=False)
def from_tables(x: Tensor, band: str, i: int) -> tuple[Tensor, Tensor, list[float], bool, int]:
    first, second = ANCHORS
    for step in STEPS:
        x = x + step
    x = x + sum(each.sum() for each in ANCHORS)
    sizes = [float(t.numel()) for name, each in BANDS.items() if name != band for t in each]
    return x * first + second, tsm.cat(BANDS[band]) * STEPS[i], sizes, STEPS[0] is STEPS[1], len(tsm.stack(STEPS))


of_row("more assignment")


@program("a shape spread beside values of other types, unpacked at once", (T([[[1.0, 2.0]]]), [1.0], "a"), (ROWS, [2.0, 3.0], "b"),
         (T([[1.0]]), [1.0], "c"), (ROWS, [], "d"), torch=False)
def unpacked_beside(x: Tensor, xs: list[float], name: str) -> tuple[Tensor, float, str, Optional[int], bool]:
    b, n, d, device, dtype = *x.shape, x.device, x.dtype
    made = tsm.zeros(b, n, d, device=device, dtype=dtype)
    [first, *_], last = xs, (*xs, name)[-1]
    value, label, nothing = *xs[:1], name + last, None
    (p, q), flag = (*x.size()[:1], first), *[x.dim() > 2]
    return made + p, value * q, label, nothing, flag


def exists(v):
    return v is not None


def is_missing(value: Optional[object]) -> bool:
    """Whether there is none."""
    return value is None


def default(v, d):
    return v if exists(v) else d


of_row("refinement")


@program("functions that only ask whether their argument is None", (ROWS, T([True, False, True]), 3), (ROWS, None, None), (ROWS, None, 2),
         torch=False)
def by_predicates(x: Tensor, mask: Optional[Tensor], n: Optional[int]) -> tuple[Tensor, int, Optional[int]]:
    if exists(mask):
        x = x.masked_fill(~mask[None, :, None], -1.0)
    steps = 0
    while exists(n) and n > 1:
        n, steps = n - 1, steps + n
    if is_missing(n):
        return x, default(n, 7) + steps, n
    return x * n, default(n, 7) + steps, n
