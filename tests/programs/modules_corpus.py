"""Modules: parameters, buffers, submodules, containers and state that lasts between calls."""

from __future__ import annotations

from typing import Optional, cast

import tsm
from language_rows import of_row
from oracle import T, program
from tsm import Tensor, nn
from tsm.nn import functional as F

X = T([[1.0, 2.0], [3.0, -4.0]])


of_row("modules")


@program("a parameter and a method", (X,), torch=False)
class Scale(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(tsm.tensor([2.0, 3.0]))

    def forward(self, x: Tensor) -> Tensor:
        return self.twice(x) * self.weight

    def twice(self, x: Tensor) -> Tensor:
        return x * 2


@program("a counter that persists", (1,), (5,), (7,), torch=False)
class Counter(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.total = 0
        self.calls = 0

    def forward(self, n: int) -> int:
        self.calls += 1
        self.total += n * self.calls
        return self.total


@program("a buffer written in place and one replaced", (X,), (X,), torch=False)
class Running(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("mean", tsm.zeros(2))
        self.register_buffer("last", tsm.zeros(2))

    def forward(self, x: Tensor) -> Tensor:
        self.mean.mul_(0.5).add_(x.mean(0), alpha=0.5)
        self.last = x[0] + self.last
        return self.mean + self.last


@program("a list attribute", (3,), (4,), torch=False)
class History(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.seen: list[int] = []

    def forward(self, n: int) -> list[int]:
        self.seen.append(n)
        return self.seen + [len(self.seen)]


@program("a dict attribute", ("a",), ("a",), ("b",), torch=False)
class Counts(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.counts: dict[str, int] = {}

    def forward(self, key: str) -> int:
        self.counts[key] = self.counts.get(key, 0) + 1
        return self.counts[key] * 10 + len(self.counts)


@program("an optional attribute, refined and cleared", (X,), (X,), torch=False)
class Cache(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.cached: Optional[Tensor] = None

    def forward(self, x: Tensor) -> Tensor:
        cached = self.cached
        if cached is None:
            self.cached = x * 2
            return x
        self.cached = None
        return cached + x


of_row("module containers")


@program("submodules in a Sequential", (X,), torch=False)
class Stack(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        tsm.manual_seed(1)
        self.layers = nn.Sequential(nn.Linear(2, 4), nn.ReLU(), nn.Linear(4, 1))

    def forward(self, x: Tensor) -> Tensor:
        return self.layers(x)


@program("a ModuleList iterated, enumerated and indexed", (X,), torch=False)
class Residual(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        tsm.manual_seed(2)
        self.layers = nn.ModuleList([nn.Linear(2, 2) for _ in range(3)])

    def forward(self, x: Tensor) -> Tensor:
        for layer in self.layers:
            x = x + layer(x)
        for i, layer in enumerate(self.layers):
            x = x + layer(x) * i
        return self.layers[0](x) + self.layers[-1](x)


@program("break out of a loop over a ModuleList", (X, 1), (X, 5), torch=False)
class EarlyExit(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        tsm.manual_seed(3)
        self.layers = nn.ModuleList([nn.Linear(2, 2) for _ in range(3)])

    def forward(self, x: Tensor, depth: int) -> Tensor:
        for i, layer in enumerate(self.layers):
            if i == depth:
                break
            x = F.relu(layer(x))
        return x


class Block(nn.Module):
    def __init__(self, size: int) -> None:
        super().__init__()
        self.inner = nn.Linear(size, size)
        self.uses = 0

    def forward(self, x: Tensor) -> Tensor:
        self.uses += 1
        return self.inner(x)


of_row("modules")


@program("one submodule under two names", (X,), (X,), torch=False)
class Tied(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        tsm.manual_seed(4)
        self.a = Block(2)
        self.b = self.a

    def forward(self, x: Tensor) -> Tensor:
        return self.a(self.b(x)) * self.a.uses


@program("two modules of one class with their own state", (X,), torch=False)
class Pair(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        tsm.manual_seed(5)
        self.first = Block(2)
        self.second = Block(2)

    def forward(self, x: Tensor) -> Tensor:
        y = self.first(x)
        if y.sum() > -1e9:
            y = self.second(self.second(y))
        return y * self.first.uses + self.second.uses


@program("training flag chooses dropout and batch norm statistics", (T([[[[1.0, 2.0], [3.0, 4.0]]]]),), torch=False)
class Evaluated(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.norm = nn.BatchNorm2d(1)
        self.drop = nn.Dropout(0.5)
        self.eval()

    def forward(self, x: Tensor) -> Tensor:
        return self.drop(self.norm(x))


@program("batch norm updates its running statistics", (T([[[[1.0, 2.0], [3.0, 4.0]]]]),), torch=False)
class Trained(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.norm = nn.BatchNorm2d(1)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        y = self.norm(x)
        return y, self.norm.running_mean.clone()


of_row("pruned branches")


@program("constants of a module choose a branch", (X,), torch=False)
class Configured(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.mode = "double"
        self.sizes = (1, 2)
        self.bias: Optional[Tensor] = None

    def forward(self, x: Tensor) -> Tensor:
        if self.mode == "double":
            x = x * self.sizes[1]
        if self.bias is not None:
            x = x + self.bias
        return x


of_row("modules")


@program("an embedding and layer norm", (T([0, 2, 1]),), torch=False)
class Tokens(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        tsm.manual_seed(6)
        self.table = nn.Embedding(3, 4)
        self.norm = nn.LayerNorm(4)

    def forward(self, ids: Tensor) -> Tensor:
        return self.norm(self.table(ids))


@program("a small convolutional network", (T([[[[float(i * j % 5) for i in range(8)] for j in range(8)]]]),), torch=False)
class Convolutions(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        tsm.manual_seed(7)
        self.conv = nn.Conv2d(1, 2, 3, padding=1)
        self.pool = nn.MaxPool2d(2)
        self.head = nn.Linear(32, 3)

    def forward(self, x: Tensor) -> Tensor:
        x = self.pool(F.relu(self.conv(x)))
        return self.head(x.flatten(1))


@program("an exception after a write keeps the write", (1,), (0,), (1,), torch=False)
class Fragile(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.count = 0

    def forward(self, n: int) -> int:
        self.count += 1
        return self.count // n


@program("super().forward", (X,), torch=False)
class Derived(Scale):
    def forward(self, x: Tensor) -> Tensor:
        return super().forward(x) + 1


@program("a tensor attribute seen through two names", (X,), (X,), torch=False)
class TiedWeights(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        tsm.manual_seed(8)
        self.encode = nn.Linear(2, 2, bias=False)
        self.decode = nn.Linear(2, 2, bias=False)
        self.decode.weight = self.encode.weight

    def forward(self, x: Tensor) -> Tensor:
        self.encode.weight.mul_(0.5)
        return self.decode(x)


class Shift(nn.Module):
    def __init__(self, by: float) -> None:
        super().__init__()
        self.by = by

    def forward(self, x: Tensor) -> Tensor:
        return x + self.by


class Grow(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.calls = 0

    def forward(self, x: Tensor) -> Tensor:
        self.calls += 1
        return x * self.calls


of_row("module containers")


@program(
    "a ModuleList and a ModuleDict indexed at run time",
    (X, 0, "a"), (X, -1, "b"), (X, 1, "a"), (X, 3, "b"), (X, 2, "zz"), (X, -4, "a"), torch=False,
)
class Chosen(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.steps = nn.ModuleList([Shift(1.0), Grow(), Shift(2.0)])
        self.same = nn.ModuleDict({"a": Grow(), "b": Grow()})

    def forward(self, x: Tensor, at: int, key: str) -> Tensor:
        step = self.steps[at]
        for i in range(len(self.steps)):
            x = self.steps[i](x)
        return self.same[key](step(x))


def doubled(module: nn.Module, args: tuple[Tensor], out: Tensor) -> Tensor:
    return out * 2


@program("a ModuleList of layers with hooks, indexed at run time", (X, 0), (X, 2), (X, 3), torch=False)
class ChosenHooked(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.steps = nn.ModuleList([Shift(1.0), Grow(), Shift(2.0)])
        self.steps[0].register_forward_hook(doubled)
        self.steps[1].register_forward_pre_hook(lambda module, args: (args[0] + 0.5,))
        self.steps[1].register_forward_pre_hook(lambda module, args: (args[0] * 3,), prepend=True)

    def forward(self, x: Tensor, at: int) -> tuple[Tensor, Tensor]:
        for i in range(len(self.steps)):
            x = x / 4 + self.steps[i](x)
        best = x.sum(0).argmax()
        return self.steps[best](x), self.steps[at].forward(x)


class Tally:
    def __init__(self, start: int) -> None:
        self.total = start
        self.seen: list[int] = []

    def add(self, n: int) -> int:
        self.seen.append(n)
        self.total += n
        return self.total * len(self.seen)


of_row("modules")


@program("a module attribute that is an instance, shared by two names", (3,), (4,), torch=False)
class Counting(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.tally = Tally(10)
        self.same = self.tally

    def forward(self, n: int) -> int:
        first = self.tally.add(n)
        if self.tally is self.same:
            self.tally = Tally(first)
        return first + self.same.add(1) + self.tally.total


class Scales(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.ModuleList([Scale(), Scale()])
        self.bias = nn.Parameter(tsm.tensor([1.0, -1.0]))
        self.register_buffer("seen", tsm.tensor([5.0]))
        self.register_buffer("nothing", None)

    def sizes(self) -> dict[str, int]:
        return {name: p.numel() for name, p in self.named_parameters()}

    def forward(self, x: Tensor) -> tuple[Tensor, dict[str, int], int, list[str]]:
        total = sum(p.sum() for p in self.parameters())
        count = sum(p.numel() for p in self.layers.parameters())
        for b in self.buffers():
            total = total + b.sum()
        return x * total, self.sizes(), count, [name for name, _ in self.named_buffers()]


@program("parameters and buffers of a tree of modules", (X,), torch=False)
class Walked(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.pair = Scales()

    def forward(self, x: Tensor) -> tuple[tuple[Tensor, dict[str, int], int, list[str]], list[str]]:
        return self.pair(x), [name for name, p in self.pair.named_parameters() if p.dim() == 1]


@program("class methods of modules, and functions in an attribute", (X,), torch=False)
class Passed(nn.Module):
    KINDS = ("sum", "max")

    def __init__(self) -> None:
        super().__init__()
        self.steps = [F.relu, tsm.tanh]
        self.named = {"double": Passed.double, "same": lambda x: x}

    @classmethod
    def count(cls, more: int = 0) -> int:
        return len(cls.KINDS) + more

    @staticmethod
    def double(x: Tensor) -> Tensor:
        return x * 2

    def forward(self, x: Tensor) -> tuple[Tensor, list[str], int]:
        for step in self.steps:
            x = step(x)
        return self.named["double"](x), list(self.named), self.count() * Passed.count(more=3)


@program("hooks of the module that is scripted", (X,), (X, 3.0), torch=False)
class Hooked(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.calls = 0
        self.register_forward_pre_hook(Hooked.before)
        self.register_forward_hook(Hooked.behind)

    def before(self, inputs: tuple[Tensor]) -> tuple[Tensor]:
        self.calls += 1
        return (inputs[0] + 1,)

    def behind(self, inputs: tuple[Tensor], result: Tensor) -> Tensor:
        print("called", self.calls)
        return result * 2 - inputs[0].sum()

    def forward(self, x: Tensor, scale: float = 1.0) -> Tensor:
        return x * scale


@program("parameters of a plain dict in the order of their names, those of pairs as they stand", (X,), torch=False)
class Ordered(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.named = nn.ParameterDict({"w": tsm.ones(2), "b": tsm.zeros(2)})
        self.pairs = nn.ParameterDict([("w", tsm.ones(2)), ("b", tsm.zeros(2))])

    def forward(self, x: Tensor) -> tuple[Tensor, list[str], list[str]]:
        return x * self.named["w"] + self.pairs["b"], [k for k in self.named], [k for k, v in self.pairs.items()]


@program("submodules by names that templates are filled in to, and a pooled extent that stays", (T(list(range(16))), 2), torch=False)
class Templated(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        for i in range(2):
            self.add_module("block_%d" % i, nn.Linear(4, 4, bias=False))
            self.add_module(f"norm_{i}", nn.LayerNorm(4))
            nn.init.constant_(getattr(self, f"block_{i}").weight, float(i + 1))
        self.pool = nn.AdaptiveMaxPool2d((2, None))
        self.rest = 3

    def forward(self, x: Tensor, n: int) -> tuple[Tensor, Tensor]:
        y = x.float().reshape(4, 4)
        pooled = self.pool(y[None, None])
        for i in range(n):
            y = getattr(self, "norm_{}".format(i))(getattr(self, "block_%d" % i)(y))
        return y, pooled


@program("the data of a parameter changed in place", (X,), (T([[0.0, 1.0]]),), torch=False)
class Merged(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(tsm.ones(2))
        self.more = nn.Parameter(tsm.tensor([1.0, 2.0]))

    def forward(self, x: Tensor) -> Tensor:
        self.weight.data += self.more * 2
        self.weight.data *= 0.5
        return x * self.weight


class Held:
    def __init__(self, value, step: int = 1) -> None:
        self.value = value
        self.step = step
        self.names = []
        self.follower = None


def held(value: object, step: int, names: list[str], follower: object = None) -> Held:
    made = Held(value, step)
    made.names, made.follower = names, follower
    return made


@program("instances made outside hold what nothing declares", (2,), torch=False)
class Holder(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first = held("a", 2, ["x"], held(1.5, 3, []))
        self.second = held([1, 2], True, ["y", "z"])

    def forward(self, n: int) -> list[str]:
        out = [str(self.first.value) * n, str(self.second.value), str(self.first.step + self.second.step)]
        for each in (self.first, self.second):
            out += each.names
            if each.follower is not None:
                out.append(str(each.follower.step))
        return out


@program("a Sequential passes on what its modules give", (X,), torch=False)
class Passing(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.parts = nn.Sequential(Named(), Doubled(), nn.ReLU())

    def forward(self, x: Tensor) -> Tensor:
        return self.parts(x)


class Named(nn.Module):
    def forward(self, x: Tensor) -> dict[str, Tensor]:
        return {"x": x, "twice": x * 2}


class Doubled(nn.Module):
    def forward(self, parts: dict[str, Tensor]) -> Tensor:
        return parts["x"] + parts["twice"]


@program("the data of a parameter assigned once from a first batch", (X,), (T([[2.0, 4.0], [6.0, -8.0]]),), torch=False)
class FirstBatch(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.scale = nn.Parameter(tsm.zeros(2))
        self.shift = nn.Parameter(tsm.zeros(2))
        self.register_buffer("done", tsm.tensor(0.0))

    def forward(self, x: Tensor) -> Tensor:
        if not self.done > 0:
            found = 1 / (x.std(0) + 1e-3)
            self.scale.data = found
            self.shift.data = (-x.mean(0) * self.scale).data
            self.done.fill_(1.0)
        return x * self.scale + self.shift


@program("the data of a parameter of another shape raises", (X,), (T([[1.0, 2.0]]),), torch=False)
class Reshaped(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(tsm.zeros(2))

    def forward(self, x: Tensor) -> bool:
        try:
            self.weight.data = x.sum(0) * 2
            return bool((self.weight.data == x.sum(0) * 2).all())
        except RuntimeError:
            return False


@program("a convolution that feeds its own past through the one it derives from", (T(list(range(8))), 3), torch=False)
class Streaming(nn.Conv1d):
    def __init__(self) -> None:
        super().__init__(1, 2, 3, dilation=2)
        nn.init.constant_(self.weight, 0.5)
        nn.init.constant_(self.bias, 1.0)

    def forward(self, x: Tensor, cut: int) -> tuple[Tensor, Tensor]:
        padded = tsm.cat([tsm.zeros(1, 1, 4), x.float().view(1, 1, -1)], 2)
        return self._conv_forward(padded, self.weight, self.bias), self._conv_forward(padded[..., cut:], self.weight, None)


@program("attributes that hold empty containers beside others", (3,), (4,), torch=False)
class Shelves(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.rows = {"a": [1, 2], "b": []}
        self.groups = [{"x": 1.5}, {}]

    def forward(self, n: int) -> tuple[int, float, int]:
        self.rows["b"].append(n + len(self.rows["a"]))
        self.groups[1]["y"] = self.groups[0]["x"] * n
        return sum(self.rows["b"]), self.groups[1]["y"], len(self.groups[1])


@tsm.jit.interface
class Weigher:
    def weigh(self, x: Tensor) -> Tensor:
        pass


class ByHalf:
    def __init__(self) -> None:
        self.factor = 0.5

    def weigh(self, x: Tensor) -> Tensor:
        return x * self.factor


@program("an instance in an attribute that an interface annotates", (X,), torch=False)
class Weighed(nn.Module):
    weigher: Weigher

    def __init__(self) -> None:
        super().__init__()
        self.weigher = ByHalf()

    def forward(self, x: Tensor) -> Tensor:
        return self.weigher.weigh(x) + 1


@program("a signature comment without a result", (X, "twice"), (X, "once"), torch=False)
class Commented(nn.Module):
    def forward(self, x, how):
        # type: (Tensor, str)
        return x * 2 if how == "twice" else x


class Halver(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.calls = 0

    def forward(self, x: Tensor) -> Tensor:
        self.calls += 1
        return x / 2 + self.calls if x.sum() > 0 else -x

    @tsm.export
    def halved(self, x: Tensor, times: int = 1) -> Tensor:
        for _ in range(times):
            x = x / 2
        return x


@program("compiled modules inside a module: methods, keywords, containers", (X,), (T([[8.0, 8.0]]),), torch=False)
class Compiled(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.one = tsm.script(Halver())
        self.read = tsm.load(tsm.script(Halver()).to_bytes())
        self.many = nn.ModuleList([tsm.script(Halver()), tsm.trace(nn.ReLU(), tsm.ones(2))])

    def forward(self, x: Tensor) -> Tensor:
        for each in self.many:
            x = each(x)
        return self.one(x) + self.read(x=x) + self.read.halved(x, times=2) + self.one.halved(x) + self.read.calls


class Widening(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.up = nn.Linear(2, 2, bias=False)
        nn.init.constant_(self.up.weight, 0.5)

    def forward(self, x: Tensor) -> Tensor:
        return x + self.up(x)


class MaybeWide(nn.Module):
    wide: Optional[Widening]

    def __init__(self, is_wide: bool) -> None:
        super().__init__()
        self.wide = Widening() if is_wide else None

    def forward(self, x: Tensor) -> Tensor:
        return x if self.wide is None else self.wide(x)


@program("submodules that their class declares as Optional, there and absent", (X,), torch=False)
class Wides(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.parts = nn.ModuleList([MaybeWide(True), MaybeWide(False)])

    def forward(self, x: Tensor) -> tuple[Tensor, int]:
        for part in self.parts:
            x = part(x)
        return x, sum(part.wide is None for part in self.parts)


class Wavy(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x + x.sin()


class Gated(Wavy):
    pass


@program("isinstance of submodules with base classes", (X,), torch=False)
class Counted(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.gate = Gated()
        self.parts = nn.ModuleList([Gated(), nn.Linear(2, 2), Wavy(), nn.Conv2d(1, 1, 1)])
        self.traced = tsm.jit.trace(nn.Tanh(), (tsm.ones(2),))

    def forward(self, x: Tensor) -> tuple[list[int], bool, bool]:
        found = []
        for part in self.parts:
            found.append(int(isinstance(part, Wavy)) + 2 * int(isinstance(part, nn.modules.conv._ConvNd)))
        return found, isinstance(self.gate, (Wavy, nn.Linear)), isinstance(self.traced, nn.Module)


class Partly(nn.Module):
    def __init__(self, how: str) -> None:
        self.factor = 3
        super().__init__()
        self.change = self.doubled if how == "all" else self.halved
        self.forward = self.change_all if how == "all" else self.change_first  # type: ignore[method-assign]

    def doubled(self, x: Tensor) -> Tensor:
        return x * 2

    def halved(self, x: Tensor) -> Tensor:
        return x / 2

    def change_all(self, x: Tensor) -> Tensor:
        return self.change(x) * self.factor

    def change_first(self, x: Tensor) -> Tensor:
        return tsm.cat([self.change(x[:1]), x[1:]])


@program("modules that keep methods of their own as attributes, forward among them", (X,), torch=False)
class Partlies(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.all, self.first = Partly("all"), Partly("first")
        self.forward = self.summed  # type: ignore[method-assign]

    def summed(self, x: Tensor) -> tuple[Tensor, Tensor]:
        change = self.first.change
        return self.all(x) + self.first(x), change(x)


@program("calls of layers that a model is built without, which the run may come to", (X, False), (X, True), torch=False)
class WithoutLayers(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.is_conditioned = False
        self.first = nn.ReLU()
        self.condition = nn.Linear(2, 2) if self.is_conditioned else None
        self.norm = None

    def normed(self, x: Tensor) -> Tensor:
        return self.norm(x, *[2], eps=x.sum())

    def forward(self, x: Tensor, is_forced: bool) -> Tensor:
        x = self.first(x)
        if self.is_conditioned:
            x = x + self.condition(x)
        if is_forced:
            x = self.normed(x)
        return x


@program("typing.cast to classes of modules", (X,), torch=False)
class CastMembers(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.ModuleList([nn.ModuleDict({"a": nn.ReLU()}), nn.ModuleDict({"a": nn.Tanh()})])

    def forward(self, x: Tensor) -> Tensor:
        for layer in self.layers:
            layer = cast(nn.ModuleDict, layer)
            x = x + layer["a"](x)
        return x


@program("members of containers that are not there, which the run may come to", (X, 0), (X, 1), (X, 2), torch=False)
class WithoutMembers(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.ModuleDict({"act": nn.ReLU()})
        self.steps = nn.ModuleList([nn.Tanh()])
        self.shared = None

    def pair(self, layers: nn.ModuleDict):  # type: ignore[no-untyped-def]
        return (
            (self.shared, self.shared) if self.shared is not None
            else (layers["k"], layers["v"]) if "k" in layers and "v" in layers
            else (None, None)
        )

    def forward(self, x: Tensor, how: int) -> Tensor:
        if "norm" in self.layers:
            x = self.layers["norm"](x)
        if len(self.steps) > 1 or how == 1:
            x = self.steps[1](x)
        if how == 2:
            x = self.layers["norm"](x)
        first, second = self.pair(self.layers)
        if first is not None:
            x = first(x) + second(x)
        return self.layers["act"](x)


class Conditioned(nn.Module):
    def forward(self, x: Tensor, cond: int) -> Tensor:
        return x * cond


@program("branches that settings choose, in which other settings have no meaning", (X, 3), torch=False)
class ByMode(nn.Module):
    def __init__(self, is_adaptive: bool = False) -> None:
        super().__init__()
        self.is_adaptive = is_adaptive
        self.norm = Conditioned() if is_adaptive else nn.Tanh()
        self.bias = None
        self.inner = ByMode(True) if not is_adaptive else None

    def shifted(self, x: Tensor) -> Tensor:
        return x + self.bias

    def forward(self, x: Tensor, k: int) -> Tensor:
        if self.is_adaptive:
            x = self.norm(x, cond=k)
        else:
            x = self.norm(x)
        if not self.training and self.is_adaptive:
            x = self.shifted(x)
        return x if self.inner is None else self.inner(x, k)


class Compressed(nn.Module):
    def forward(self, x: Tensor, comp: Optional[nn.Linear], act: "nn.Module | None" = None) -> Tensor:
        if comp is not None:
            x = comp(x)
        return x if act is None else act(x)


@program("parameters that are modules or None", (X,), torch=False)
class MayBeModules(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.inner, self.comp, self.none = Compressed(), nn.Linear(2, 2), None
        with tsm.no_grad():
            self.comp.weight.fill_(0.5)
            self.comp.bias.fill_(0.25)

    def forward(self, x: Tensor) -> Tensor:
        return self.inner(x, self.comp) + self.inner(x, None, nn.ReLU()) + self.inner(x, self.none)
