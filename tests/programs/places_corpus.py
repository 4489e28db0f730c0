"""What users of TorchScript move: devices as values, members by computed names, weights that are computed."""

from __future__ import annotations

from typing import Dict, List, NamedTuple, Optional, Union

import tsm
from language_rows import of_row
from oracle import T, program
from tsm import Tensor, nn
from tsm.nn import functional as F

of_row("scalars")

V = T([1.0, 2.0])
GRID = T([[[[0.5, 2.0, -1.0, 3.0], [1.0, 0.0, 4.0, -2.0], [2.5, 2.5, 0.0, 1.0], [-3.0, 1.5, 6.0, 6.0]]]])
CPU = tsm.device("cpu")


class Placed(NamedTuple):
    hidden: Tensor
    where: tsm.device


@program("a device in a named tuple, a list and a dict, given back", (V,), torch=False)
def kept_devices(x: Tensor) -> tuple[Placed, list[tsm.device], bool]:
    ds = [x.device, tsm.device("cpu")]
    table: Dict[str, tsm.device] = {"a": ds[0]}
    return Placed(x + 1, x.device), ds, table["a"] in ds and isinstance(ds[0], tsm.device)


@program("an Optional[device] parameter decides, and is compared with None", (V, None), (V, CPU), torch=False)
def optional_device(x: Tensor, device: Optional[tsm.device] = None) -> tuple[Tensor, bool, bool]:
    where = x.device if device is None else device
    if where != x.device:
        raise ValueError("device mismatch")
    return tsm.zeros(2, device=where) + x.to(where), device == where, device is None


@program("a device named by a str that is known at run time", (V, "cpu"), (V, CPU), (V, "cuda:1"), torch=False)
def named_device(x: Tensor, device: Union[str, tsm.device]) -> Tensor:
    if isinstance(device, str):
        device = tsm.device(device)
    return tsm.ones_like(x, device=device) + x.to(device=device, dtype=tsm.float64)


@program("the texts of a device that is an argument", (CPU,), torch=False)
def device_texts(d: tsm.device) -> str:
    return f"{d} {d!r} {str(d)} {d.type} {d.index} {[d]}"


@program("a device that a module keeps, alone and in a list", (V,), torch=False)
class OnDevice(nn.Module):
    def __init__(self, device: tsm.device = CPU) -> None:
        super().__init__()
        self.device = device
        self.every = [device]
        self.scale = nn.Parameter(tsm.ones(2, device=device))

    @property
    def place(self) -> tsm.device:
        return self.scale.device

    def forward(self, x: Tensor) -> Tensor:
        if x.device != self.device:
            x = x.to(self.device)
        return x * self.scale + tsm.zeros(2, device=self.place) + tsm.full((2,), 1.0, device=self.every[0])


of_row("modules")


@program("submodules by a name with a run-time number in it", (V,), torch=False)
class Numbered(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        tsm.manual_seed(11)
        for i in range(2):
            setattr(self, f"layer{i}", nn.Linear(2, 2))
        self.n = 2

    def forward(self, x: Tensor) -> Tensor:
        for i in range(self.n):
            x = getattr(self, f"layer{i}")(x)
        return getattr(self, "layer" + str(self.n - 1))(x)


@program("weights as directions and lengths, in calls and in a Sequential", (V,), torch=False)
class Normed(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        tsm.manual_seed(12)
        self.first = nn.utils.weight_norm(nn.Linear(2, 3))
        self.rest = nn.Sequential(nn.utils.weight_norm(nn.Linear(3, 2), dim=None), nn.ReLU())
        self.plain = nn.utils.remove_weight_norm(nn.utils.weight_norm(nn.Linear(2, 2)))

    def forward(self, x: Tensor) -> Tensor:
        return self.plain(self.rest(self.first(x)))


@program("a weight over its largest singular value", (V,), torch=False)
class Spectral(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        tsm.manual_seed(13)
        self.linear = nn.utils.spectral_norm(nn.Linear(2, 3))

    def forward(self, x: Tensor) -> Tensor:
        return self.linear(x)


@program("the class name of a module is a text", (V,), torch=False)
class Named(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.act = nn.ReLU()

    def forward(self, x: Tensor) -> str:
        return type(self).__name__ + type(self.act).__name__ + str(x.numel())


of_row("module containers")


@program("slices of a Sequential are called, with constant and run-time bounds", (V, 1), (V, 3), torch=False)
class Sliced(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        tsm.manual_seed(14)
        self.seq = nn.Sequential(nn.Linear(2, 2), nn.ReLU(), nn.Linear(2, 2))
        self.same = nn.Sequential(*[nn.Linear(2, 2) for _ in range(3)])

    def forward(self, x: Tensor, n: int) -> Tensor:
        return self.seq[:2](x) + self.seq[1:](x) + self.same[:n](x) + self.same[n:](x)


of_row("tensor operations")


@program("largest elements with their places, and back", (GRID,))
def unpooled(x: Tensor) -> List[Tensor]:
    a, i = F.max_pool2d(x, 2, return_indices=True)
    b, j = F.max_pool2d(x[0], (2, 3), stride=1, padding=(1, 1), dilation=(1, 2), ceil_mode=True, return_indices=True)
    c, k = F.max_pool1d(x[0], 2, return_indices=True)
    d = F.max_pool2d(x, 2, return_indices=False)
    return [a, i, b, j, c, k, d, F.max_unpool2d(a, i, 2), F.max_unpool1d(c, k, 2, output_size=[4])]


@program("places outside of what is unpooled", (GRID,))
def badly_unpooled(x: Tensor) -> Tensor:
    a, i = F.max_pool2d(x, 2, return_indices=True)
    return F.max_unpool2d(a, i + 60, 2)


@program("pooling layers that give places, and the layer that takes them", (GRID,), torch=False)
class Unpooling(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.pool, self.back = nn.MaxPool2d(2, return_indices=True), nn.MaxUnpool2d(2)
        self.line, self.long = nn.MaxPool1d(2, return_indices=True), nn.MaxUnpool1d(2)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        y, places = self.pool(x)
        z, at = self.line(x[0])
        return self.back(y, places), self.long(z, at)


@program("a seed in a script starts the stream anew", (3,))
def reseeded(n: int) -> tuple[bool, list[int]]:
    tsm.manual_seed(n)
    a = tsm.randn(4)
    tsm.manual_seed(n)
    b = tsm.randn(4)
    return tsm.equal(a, b), list(tsm.rand(2, n).shape)


of_row("tensor views")


@program("windows by strides read and write the memory", (T([0.0, 1.0, 2.0, 3.0, 4.0, 5.0]),))
def strided(x: Tensor) -> list[Tensor]:
    frames = x.as_strided((3, 2), (2, 1))
    x.as_strided([2], [3], 1).fill_(9.0)
    made = tsm.zeros(3, 3)
    tsm.as_strided(made, (3,), (4,)).fill_(1.0)
    return [frames.sum(1), made, x.as_strided((2, 3), (1, 1))]


@program("writing to a window whose rows share elements", (T([0.0, 1.0, 2.0]),))
def overlapping_rows(x: Tensor) -> Tensor:
    x.as_strided((2, 2), (0, 1)).add_(1.0)
    return x


of_row("numbers meet")


@program("sum of a display of tensors is a tensor among others", (V,))
def summed(x: Tensor) -> List[Tensor]:
    return [sum([x, x * 2]), sum((x[0], x[1]))]


@program("rounded items fill a declared dict of floats", (V,))
def rounded(x: Tensor) -> Dict[str, float]:
    return {str(i): round(each.item(), 1) for i, each in enumerate(x)}


of_row("annotations")


@program("an attribute declared as Optional[Parameter]", (V,), torch=False)
class Scaled(nn.Module):
    gamma: Optional[nn.Parameter]

    def __init__(self, scale: Optional[float] = 0.5) -> None:
        super().__init__()
        self.gamma = None if scale is None else nn.Parameter(scale * tsm.ones(2))

    def forward(self, x: Tensor) -> Tensor:
        return x if self.gamma is None else self.gamma * x


of_row("pruned branches")


class Chosen(nn.Module):
    def __init__(self, is_fast: bool) -> None:
        super().__init__()
        self.is_fast = is_fast
        if not is_fast:
            self.register_buffer("mask", tsm.ones(2))
            self.extra = tsm.zeros(2)

    def forward(self, x: Tensor) -> Tensor:
        if self.is_fast:
            return x * 2
        return x * self.mask + self.extra


@program("attributes that only the constructors of other instances make, behind a flag", (V,), torch=False)
class Fast(Chosen):
    def __init__(self) -> None:
        super().__init__(True)


@program("an attribute that this instance was made without", (V,), torch=False)
class Lacking(Chosen):
    def __init__(self) -> None:
        super().__init__(True)

    def forward(self, x: Tensor) -> Tensor:
        return x + self.mask
