"""Modules as people write them: blocks, containers, hooks, state, early exits, weights shared and replaced."""

from __future__ import annotations

import math
from typing import Dict, Final, List, Optional, Tuple

import tsm
from language_rows import of_row
from oracle import T, program
from tsm import Tensor, nn
from tsm.nn import functional as F

X = T([[1.0, 2.0], [3.0, -4.0]])
V = T([0.5, -1.0, 2.0])

of_row("modules")


@program("a residual block with a scale constant", (X,), torch=False)
class Residual(nn.Module):
    def __init__(self, scale: float = 0.5) -> None:
        super().__init__()
        tsm.manual_seed(0)
        self.first, self.second = nn.Linear(2, 3), nn.Linear(3, 2)
        self.scale = scale

    def forward(self, x: Tensor) -> Tensor:
        return x + self.scale * self.second(F.relu(self.first(x)))


@program("a multilayer perceptron built from a list of sizes", (X,), torch=False)
class Perceptron(nn.Module):
    def __init__(self, sizes: Tuple[int, ...] = (2, 4, 3)) -> None:
        super().__init__()
        tsm.manual_seed(1)
        layers: List[nn.Module] = []
        for i in range(len(sizes) - 1):
            layers.append(nn.Linear(sizes[i], sizes[i + 1]))
            if i + 2 < len(sizes):
                layers.append(nn.ReLU())
        self.net = nn.Sequential(*layers)

    def forward(self, x: Tensor) -> Tensor:
        return self.net(x)


@program("self-attention with several heads and an optional mask", (T([[[1.0, 0.0, 2.0, 1.0], [0.0, 1.0, 1.0, 3.0]]]), None), (T([[[1.0, 0.0, 2.0, 1.0], [0.0, 1.0, 1.0, 3.0]]]), T([[True, False], [True, True]])), torch=False)
class Attention(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        tsm.manual_seed(2)
        self.heads = 2
        self.qkv = nn.Linear(4, 12)
        self.out = nn.Linear(4, 4, bias=False)

    def forward(self, x: Tensor, mask: Optional[Tensor] = None) -> Tensor:
        b, n, d = x.shape
        q, k, v = self.qkv(x).view(b, n, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4).unbind(0)
        scores = q @ k.transpose(-2, -1) / math.sqrt(d // self.heads)
        if mask is not None:
            scores = scores.masked_fill(~mask, float("-inf"))
        return self.out((scores.softmax(-1) @ v).transpose(1, 2).reshape(b, n, d))


@program("an LSTM cell by hand over time, state as a tuple", (T([[[1.0, 0.5]], [[0.0, -1.0]]]), None), torch=False)
class CellLoop(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        tsm.manual_seed(3)
        self.gates = nn.Linear(4, 8)

    def forward(self, x: Tensor, state: Optional[Tuple[Tensor, Tensor]]) -> Tuple[Tensor, Tuple[Tensor, Tensor]]:
        if state is None:
            zero = tsm.zeros(x.shape[1], 2)
            state = (zero, zero)
        h, c = state
        outputs: List[Tensor] = []
        for t in range(x.shape[0]):
            i, f, g, o = self.gates(tsm.cat([x[t], h], dim=-1)).chunk(4, dim=-1)
            c = f.sigmoid() * c + i.sigmoid() * g.tanh()
            h = o.sigmoid() * c.tanh()
            outputs.append(h)
        return tsm.stack(outputs), (h, c)


@program("batch normalisation written out, with its own statistics", (X,), (X,), torch=False)
class OwnNorm(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("mean", tsm.zeros(2))
        self.register_buffer("seen", tsm.tensor(0))
        self.momentum = 0.5

    def forward(self, x: Tensor) -> Tensor:
        if self.training:
            m = x.mean(0)
            self.mean = (1 - self.momentum) * self.mean + self.momentum * m
            self.seen += 1
        else:
            m = self.mean
        return x - m + self.seen


@program("a gate that skips its expensive part", (X, True), (X, False), torch=False)
class Gated(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        tsm.manual_seed(4)
        self.expensive = nn.Linear(2, 2)
        self.runs = 0

    def forward(self, x: Tensor, run: bool) -> Tuple[Tensor, int]:
        if run:
            self.runs += 1
            x = self.expensive(x)
        return x, self.runs


@program("an adaptive number of rounds until the change is small", (V, 0.1), (V, 10.0), torch=False)
class Pondering(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.decay = nn.Parameter(tsm.tensor(0.5))

    def forward(self, x: Tensor, tolerance: float) -> Tuple[Tensor, int]:
        rounds = 0
        while rounds < 50:
            new = x * self.decay
            rounds += 1
            if (new - x).abs().max() < tolerance:
                return new, rounds
            x = new
        return x, -1


@program("an encoder and a decoder that share an embedding", (T([1, 0, 2]),), torch=False)
class Tied(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        tsm.manual_seed(5)
        self.embed = nn.Embedding(3, 2)
        self.head = nn.Linear(2, 3, bias=False)
        self.head.weight = self.embed.weight

    def forward(self, ids: Tensor) -> Tensor:
        return self.head(self.embed(ids))


class Block(nn.Module):
    def __init__(self, width: int, skip: bool) -> None:
        super().__init__()
        self.lin = nn.Linear(width, width)
        self.skip: Final[bool] = skip

    def forward(self, x: Tensor) -> Tensor:
        y = self.lin(x).tanh()
        if self.skip:
            y = y + x
        return y


@program("blocks whose Final flag chooses the code", (X,), torch=False)
class Blocks(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        tsm.manual_seed(6)
        self.a, self.b = Block(2, True), Block(2, False)

    def forward(self, x: Tensor) -> Tensor:
        return self.b(self.a(x))


@program("a queue of past inputs kept as a list attribute", (V,), (V,), (V,), torch=False)
class Delay(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.past: List[Tensor] = []

    def forward(self, x: Tensor) -> Tensor:
        self.past.append(x * (len(self.past) + 1))
        if len(self.past) > 2:
            self.past.pop(0)
        return tsm.stack(self.past).sum(0)


@program("named results in a dict, filled by the branch taken", (X, "mean"), (X, "max"), (X, "both"), torch=False)
class Named(nn.Module):
    def forward(self, x: Tensor, what: str) -> Dict[str, Tensor]:
        out: Dict[str, Tensor] = {}
        if what in ("mean", "both"):
            out["mean"] = x.mean(0)
        if what != "mean":
            values, where = x.max(0)
            out.update({"max": values, "at": where})
        return out


@program("a learned scalar per class looked up by a dict of ints", (V, "b"), (V, "z"), torch=False)
class PerClass(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.scales = nn.Parameter(tsm.tensor([1.0, 2.0, 3.0]))
        self.index: Dict[str, int] = {"a": 0, "b": 1}

    def forward(self, x: Tensor, name: str) -> Tensor:
        return x * self.scales[self.index.get(name, -1)]


@program("a method with keyword arguments, a static and a property-like one", (X,), torch=False)
class Methods(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.k = 3.0

    @staticmethod
    def shifted(x: Tensor, by: float = 1.0) -> Tensor:
        return x + by

    def scaled(self, x: Tensor, *, times: float) -> Tensor:
        return x * times * self.k

    def forward(self, x: Tensor) -> Tensor:
        return self.scaled(self.shifted(x, by=2.0), times=0.5) + Methods.shifted(x)


class Base(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.bias = 1.0

    def transform(self, x: Tensor) -> Tensor:
        return x

    def forward(self, x: Tensor) -> Tensor:
        return self.transform(x) + self.bias


@program("a subclass overrides a step of the base's forward", (X,), torch=False)
class Squared(Base):
    def transform(self, x: Tensor) -> Tensor:
        return super().transform(x) ** 2


@program("a module that calls another module's method, not forward", (X,), torch=False)
class Caller(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.inner = Base()

    def forward(self, x: Tensor) -> Tensor:
        self.inner.bias += 1.0
        return self.inner.transform(x) * self.inner.bias + self.inner(x)


@program("train and eval inside a call change what dropout does", (X,), torch=False)
class Training(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.drop = nn.Dropout(0.0)

    def forward(self, x: Tensor) -> Tuple[Tensor, bool]:
        return self.drop(x), self.training and self.drop.training


@program("an optional submodule that is None", (X,), torch=False)
class MaybeHead(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        tsm.manual_seed(7)
        self.body = nn.Linear(2, 2)
        self.head = None

    def forward(self, x: Tensor) -> Tensor:
        x = self.body(x)
        if self.head is not None:
            x = self.head(x)
        return x


@program("gradient-free weight averaging into a buffer", (V,), (V,), torch=False)
class Averaged(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.w = nn.Parameter(tsm.ones(3))
        self.register_buffer("average", tsm.zeros(3))

    def forward(self, x: Tensor) -> Tensor:
        with tsm.no_grad():
            self.average.mul_(0.9).add_(self.w * x, alpha=0.1)
        return self.average.clone()


@program("a ring buffer in a tensor with an int position", (1.0,), (2.0,), (3.0,), torch=False)
class Ring(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("data", tsm.zeros(2))
        self.at = 0

    def forward(self, x: float) -> Tuple[Tensor, int]:
        self.data[self.at] = x
        self.at = (self.at + 1) % self.data.shape[0]
        return self.data.clone(), self.at


@program("a convolution, its output size by a helper method", (T([[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]]]),), torch=False)
class Conv(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        tsm.manual_seed(8)
        self.conv = nn.Conv2d(1, 2, 2, padding=1, stride=2)

    def size(self, n: int, kernel: int = 2, pad: int = 1, stride: int = 2) -> int:
        return (n + 2 * pad - kernel) // stride + 1

    def forward(self, x: Tensor) -> Tuple[Tensor, bool]:
        y = self.conv(x)
        return y.flatten(1), y.shape[-1] == self.size(x.shape[-1])


@program("errors raised by a check in forward, state kept", (X,), (V,), (X,), torch=False)
class Checked(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.calls = 0

    def forward(self, x: Tensor) -> int:
        self.calls += 1
        if x.dim() != 2:
            raise ValueError(f"expected 2 dimensions, got {x.dim()} in call {self.calls}")
        return self.calls


@program("a list of lists of floats as an attribute, looked up", (1,), (5,), torch=False)
class Tabled(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.table = [[0.0, 1.0], [2.0, 3.0]]
        self.names = ["a", "b"]

    def forward(self, i: int) -> str:
        self.table[i % 2][0] += 1.0
        return f"{self.names[i % 2]}={self.table[i % 2]}"


@program("two optional inputs, defaults and an early return", (X,), (X, V), (X, None, 2.0), torch=False)
class Optionals(nn.Module):
    def forward(self, x: Tensor, bias: Optional[Tensor] = None, scale: float = 1.0) -> Tensor:
        if bias is None:
            return x * scale
        return x.sum() + bias * scale


of_row("module containers")


@program("a stack of blocks with a per-layer coefficient by zip", (X, [1.0, 0.5]), (X, []), torch=False)
class Zipped(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        tsm.manual_seed(10)
        self.layers = nn.ModuleList([nn.Linear(2, 2) for _ in range(2)])

    def forward(self, x: Tensor, weights: List[float]) -> Tensor:
        for layer, w in zip(self.layers, weights):
            x = x + w * layer(x)
        return x


@program("early exit from a module list when confident", (X, 0.1), (X, 100.0), torch=False)
class Exits(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        tsm.manual_seed(11)
        self.layers = nn.ModuleList([nn.Linear(2, 2), nn.Linear(2, 2), nn.Linear(2, 2)])
        self.heads = nn.ModuleList([nn.Linear(2, 1) for _ in range(3)])

    def forward(self, x: Tensor, threshold: float) -> Tuple[Tensor, int]:
        for i, (layer, head) in enumerate(zip(self.layers, self.heads)):
            x = layer(x)
            score = head(x)
            if score.abs().max() > threshold:
                return score, i
        return score, -1


@program("experts by a dynamic index, chosen for each row", (X, [1, 0]), (X, [0, 0]), torch=False)
class Experts(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        tsm.manual_seed(12)
        self.experts = nn.ModuleList([nn.Linear(2, 2), nn.Sequential(nn.Linear(2, 2), nn.Tanh())])

    def forward(self, x: Tensor, which: List[int]) -> Tensor:
        rows: List[Tensor] = []
        for i in range(x.shape[0]):
            rows.append(self.experts[which[i]](x[i]))
        return tsm.stack(rows)


@program("a module dict looped by items, keys and values", (V,), torch=False)
class DictLoop(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.acts = nn.ModuleDict({"relu": nn.ReLU(), "tanh": nn.Tanh()})

    def forward(self, x: Tensor) -> Tuple[Tensor, str]:
        names = ""
        for name, act in self.acts.items():
            names += name + ";"
            x = act(x)
        for act in self.acts.values():
            x = x + act(x)
        return x, names + ",".join(self.acts.keys()) + str("relu" in self.acts) + str(len(self.acts))


@program("a registry of activations chosen by name at run time", (V, "tanh"), (V, "none"), torch=False)
class Chosen(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.acts = nn.ModuleDict({"relu": nn.ReLU(), "tanh": nn.Tanh()})

    def forward(self, x: Tensor, name: str) -> Tensor:
        if name not in self.acts:
            return x
        return self.acts[name](x)


@program("slices and negative indices of a Sequential and a ModuleList", (X,), torch=False)
class Sliced(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        tsm.manual_seed(13)
        self.seq = nn.Sequential(nn.Linear(2, 2), nn.ReLU(), nn.Linear(2, 1))
        self.items = nn.ModuleList([nn.ReLU(), nn.Tanh()])

    def forward(self, x: Tensor) -> Tensor:
        y = self.items[-1](self.seq[0](x))
        for layer in self.seq[1:]:
            y = layer(y)
        return y + len(self.seq) + len(self.items)


@program("nested containers: a list of sequentials of dicts", (X,), torch=False)
class Nested(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        tsm.manual_seed(14)
        self.stages = nn.ModuleList(
            [nn.ModuleDict({"lin": nn.Linear(2, 2), "act": nn.ReLU()}), nn.ModuleDict({"lin": nn.Linear(2, 2), "act": nn.Tanh()})]
        )

    def forward(self, x: Tensor) -> Tensor:
        for stage in self.stages:
            x = stage["act"](stage["lin"](x))
        return x


@program("a loop over a module list with continue and else", (X, 1), (X, 7), torch=False)
class Skipping(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        tsm.manual_seed(15)
        self.layers = nn.ModuleList([nn.Linear(2, 2) for _ in range(3)])

    def forward(self, x: Tensor, skip: int) -> Tensor:
        for i, layer in enumerate(self.layers):
            if i == skip:
                continue
            x = layer(x)
        else:
            x = x * 10
        return x


@program("a feature pyramid: outputs collected and fused backwards", (V,), torch=False)
class Pyramid(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        tsm.manual_seed(16)
        self.down = nn.ModuleList([nn.Linear(3, 3), nn.Linear(3, 3)])
        self.up = nn.ModuleList([nn.Linear(3, 3), nn.Linear(3, 3)])

    def forward(self, x: Tensor) -> List[Tensor]:
        features: List[Tensor] = []
        for d in self.down:
            x = F.relu(d(x))
            features.append(x)
        out: List[Tensor] = [features[-1]]
        for i, u in enumerate(self.up):
            if i + 1 < len(features):
                out.insert(0, u(out[0]) + features[-2 - i])
        return out


of_row("pruned branches")


@program("hasattr decides, the other branch never compiles", (X,), torch=False)
class HasIt(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.scale = 2.0

    def forward(self, x: Tensor) -> Tensor:
        if hasattr(self, "projection"):
            return self.projection(x)
        if hasattr(self, "scale"):
            x = x * self.scale
        return x


@program("an attribute that is None prunes its use", (X,), torch=False)
class NoneAttribute(nn.Module):
    def __init__(self, pool: Optional[str] = None) -> None:
        super().__init__()
        self.pool = pool
        self.norm = None

    def forward(self, x: Tensor) -> Tensor:
        if self.norm is not None:
            x = self.norm.apply_anything(x)
        if self.pool is None:
            return x
        return x.mean(0)


@program("is_scripting separates what only Python can do", (X,), torch=False)
class OnlyPython(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        if not tsm.is_scripting():
            import json

            json.dumps(list(x.shape))
        return x + 1


@program("a Final tuple unrolls a loop over kinds", (V,), torch=False)
class FinalTuple(nn.Module):
    STEPS: Final = (1, 2, 3)

    def __init__(self) -> None:
        super().__init__()
        self.kinds: Final = ("double", "negate", "keep")

    def forward(self, x: Tensor) -> Tensor:
        for kind in self.kinds:
            if kind == "double":
                x = x * 2
            elif kind == "negate":
                x = -x
        for s in self.STEPS:
            x = x + s
        return x


of_row("whole programs")


@program("a sampler that keeps its generator's state in the module", (3,), (3,), torch=False)
class Sampler(nn.Module):
    def __init__(self, seed: int = 1) -> None:
        super().__init__()
        self.state = seed

    def next_float(self) -> float:
        self.state = (self.state * 48271) % 2147483647
        return self.state / 2147483647

    def forward(self, n: int) -> List[float]:
        return [round(self.next_float(), 6) for _ in range(n)]


@program("a tokenizer, a model and a greedy loop in one module", ("ab", 3), ("", 2), torch=False)
class Generator(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        tsm.manual_seed(17)
        self.letters = "^abc$"
        self.ids: Dict[str, int] = {c: i for i, c in enumerate(self.letters)}
        self.embed = nn.Embedding(5, 4)
        self.head = nn.Linear(4, 5)

    def encode(self, text: str) -> List[int]:
        return [0] + [self.ids[c] for c in text if c in self.ids]

    def forward(self, text: str, limit: int) -> str:
        ids = self.encode(text)
        for _ in range(limit):
            h = self.embed(tsm.tensor(ids)).mean(0)
            token = int(self.head(h).argmax())
            if self.letters[token] == "$":
                break
            ids.append(token)
        return "".join([self.letters[i] for i in ids[1:]])


@program("a thermostat controller with hysteresis and a log", (18.0,), (22.5,), (20.0,), torch=False)
class Thermostat(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.heating = False
        self.log: List[Tuple[float, bool]] = []

    def forward(self, t: float) -> Tuple[bool, int]:
        if self.heating and t > 21.0:
            self.heating = False
        elif not self.heating and t < 19.0:
            self.heating = True
        self.log.append((t, self.heating))
        return self.heating, sum(1 for _, h in self.log if h)


@program("an online classifier that learns by perceptron updates", (T([1.0, 2.0]), 1), (T([-1.0, 0.5]), -1), (T([1.0, -2.0]), 1), torch=False)
class Online(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("w", tsm.zeros(2))
        self.mistakes = 0

    def forward(self, x: Tensor, label: int) -> Tuple[Tensor, int]:
        guess = 1 if float((self.w * x).sum()) > 0 else -1
        if guess != label:
            self.w += label * x
            self.mistakes += 1
        return self.w.clone(), self.mistakes
