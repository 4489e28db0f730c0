"""Programs of many kinds with the calls that are compared between machines: `cases()`.

In: nothing. Out: a scripted or traced program, method, arguments of each call. Holds: everything is seeded, so that
two runs write the same files; what is printed or returned as ints and texts must be equal everywhere, and floats that
are sums may differ in their last digits.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import tsm
from tsm import nn


@dataclass
class Case:
    """A program and its calls, (method, arguments): arrays are passed as .npy files and the rest as literals."""

    name: str
    program: Any
    calls: list[tuple[str, list[Any]]] = field(default_factory=list)


def floats(*shape: int, dtype: str = "float32") -> np.ndarray:
    return np.random.default_rng(len(shape) + sum(shape)).standard_normal(shape).astype(dtype)


class ConvNet(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Conv2d(3, 16, 3, padding=1)
        self.norm = nn.BatchNorm2d(16)
        self.depthwise = nn.Conv2d(16, 16, 3, groups=16, stride=2)
        self.pool = nn.MaxPool2d(2)
        self.second = nn.Conv2d(16, 24, 5, padding=2, bias=False)
        self.head = nn.Linear(24, 10)

    def forward(self, x: tsm.Tensor) -> tsm.Tensor:
        x = self.pool(nn.functional.relu(self.norm(self.first(x))))
        x = nn.functional.gelu(self.second(self.depthwise(x)))
        return nn.functional.log_softmax(self.head(x.mean([2, 3])), 1)


class Attention(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.table = nn.Embedding(50, 32)
        self.norm = nn.LayerNorm(32)
        self.into = nn.Linear(32, 96)
        self.out = nn.Linear(32, 32)

    def forward(self, words: tsm.Tensor) -> tsm.Tensor:
        x = self.norm(self.table(words))
        q, k, v = self.into(x).reshape(x.shape[0], x.shape[1], 3, 4, 8).permute(2, 0, 3, 1, 4).unbind(0)
        y = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        return x + self.out(y.transpose(1, 2).reshape(x.shape[0], x.shape[1], 32))


class Recurrent(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.lstm = nn.LSTM(12, 20, num_layers=2, batch_first=True)
        self.gru = nn.GRU(20, 9, batch_first=True)

    def forward(self, x: tsm.Tensor) -> tuple[tsm.Tensor, tsm.Tensor]:
        y, _ = self.lstm(x)
        z, last = self.gru(y)
        return z, last


class Widths(nn.Module):
    """A buffer of every dtype, and views of one."""

    def __init__(self) -> None:
        super().__init__()
        for name in ("bool", "uint8", "int8", "int16", "int32", "int64", "float32", "float64", "bfloat16"):
            values = tsm.tensor([0, 1, 2, 3, 100, 7]) % 2 if name == "bool" else tsm.tensor([0, 1, 2, 3, 100, 7])
            self.register_buffer(name + "s", values.to(getattr(tsm, name)))

    def forward(self) -> tuple[tsm.Tensor, tsm.Tensor, tsm.Tensor, tsm.Tensor, tsm.Tensor, tsm.Tensor, tsm.Tensor]:
        return (self.uint8s * 3, self.int8s * 2, self.int16s * 1000, self.int32s << 20, self.int64s ** 7,
                self.float64s / 3, self.float32s * self.bfloat16s.float() + self.bools)

    @tsm.export
    def texts(self) -> list[str]:
        return [str(self.bools), str(self.int16s), str(self.int64s), str(self.float64s / 7), str(self.bfloat16s)]


class Counter(nn.Module):
    """State of every kind, which changes exactly."""

    total: int
    names: list[str]
    seen: dict[str, int]

    def __init__(self) -> None:
        super().__init__()
        self.total = 2**40 + 1
        self.ratio = 0.1
        self.names = ["é", "b"]
        self.seen = {"é": -3}
        self.register_buffer("sums", tsm.tensor([1.5, -2.25, 1e-30, 3e30]))
        self.register_buffer("counts", tsm.tensor([1, -2, 2**50]))
        self.register_buffer("small", tsm.tensor([1, -2, 300], dtype=tsm.int16))
        self.register_buffer("halves", tsm.tensor([0.5, -1.0]).bfloat16())

    def forward(self) -> int:
        self.total += 12345678901
        self.ratio /= 3.0
        self.names.append(str(self.total))
        self.seen[str(len(self.names))] = self.total
        self.sums += 0.25
        self.counts *= -3
        self.small += 1
        return self.total


def words(text: str) -> dict[str, int]:
    counts: dict[str, int] = {}
    for word in text.lower().split():
        counts[word.strip(".,")] = counts.get(word.strip(".,"), 0) + 1
    return counts


def letters(text: str) -> tuple[str, str, int, list[str], bytes, str]:
    return text.upper(), text[::-1], text.find("ß"), sorted(text), text.encode("utf-8"), f"{text!r:>30}|{len(text):06d}"


def sets(n: int) -> tuple[set[int], set[str], list[float], int]:
    a = {i * i % 17 for i in range(n)}
    b = {str(i % 5) for i in range(n)}
    d = {i * 0.25: i for i in range(n)}
    return a, b, [key for key in d], hash("text") ^ hash((1, 2.5, "x"))


def numbers(x: float) -> list[str]:
    made = [x, -x, x / 3, x * 1e300, x * 1e-320, 1 / 3, 2.0**0.5, 5e-324, 1e16, 123456789.123, 0.1 + 0.2]
    texts = [repr(v) for v in made] + [f"{v:.3e} {v:10.2f} {v:g}" for v in made]
    whole = [int(x) ** 3 // 7, pow(int(x), 77, 1000003), round(123456789, -4), pow(3, -1, 2**61 - 1),
             pow(-(2**62), 2**40 + 1, 2**63 - 25), (-7) // 2, (-7) % 3]
    return texts + [str(round(x * 1000, -2)), str(whole)]


def wrong(kind: int) -> int:
    values = [1, 2, 3]
    if kind == 0:
        return values[10]
    if kind == 1:
        return 1 // (kind - 1)
    if kind == 2:
        return {"a": 1}["é"]
    if kind == 3:
        return int("12x")
    if kind == 4:
        return 2**62 * kind
    raise ValueError(f"kind {kind}")


def caught(n: int) -> list[str]:
    told: list[str] = []
    for kind in range(n):
        try:
            told.append(str(wrong(kind)))
        except (IndexError, ZeroDivisionError, KeyError) as e:
            told.append(f"{type(e).__name__}: {e}")
        except Exception as e:
            told.append(str(e))
        finally:
            told.append("done")
    return told


def chance(n: int) -> tuple[tsm.Tensor, tsm.Tensor, tsm.Tensor, tsm.Tensor, tsm.Tensor, tsm.Tensor]:
    waits = tsm.empty(n, dtype=tsm.float64).exponential_(2.0)
    normal = tsm.randn(n, dtype=tsm.float64)
    return tsm.rand(n), tsm.randn(n), normal, waits, tsm.randint(0, 1000, (n,)), tsm.randperm(n)


def dropped(x: tsm.Tensor) -> tsm.Tensor:
    return nn.functional.dropout(x, 0.5, True)


def integers(x: tsm.Tensor) -> tuple[tsm.Tensor, tsm.Tensor, tsm.Tensor, tsm.Tensor, tsm.Tensor, tsm.Tensor]:
    sorted_, order = x.sort(1)
    return x.sum(0), x.cumsum(1), sorted_, order, x[:, x[0] > 0], (x.int() // 3) % 5


def pieces(x: tsm.Tensor) -> tuple[tsm.Tensor, tsm.Tensor, tsm.Tensor, tsm.Tensor]:
    top, places = x.topk(3)
    y = x.clone()
    y[1:, ::2] = -1.0
    y.index_add_(0, tsm.tensor([0, 1]), x[2:4])
    return top, places, y, tsm.cat([x.T, y.T.flip([0])], 1).expand(2, -1, -1).contiguous()


def curves(x: tsm.Tensor) -> tsm.Tensor:
    size = x.abs()
    return tsm.stack([x.sin(), x.exp(), x.tanh(), size.sqrt(), x.sigmoid(), tsm.erf(x), size.log(), x**3, x.round()])


def series(x: tsm.Tensor) -> tuple[tsm.Tensor, tsm.Tensor, tsm.Tensor]:
    return x @ x.T, x.std(0), x.softmax(-1)


def mixed(dtype: tsm.DType) -> nn.Module:
    net = nn.Sequential(nn.Linear(37, 64), nn.ReLU(), nn.Linear(64, 19))
    return nn.to_mixed(net.eval(), dtype)


def cases() -> Iterator[Case]:
    """The cases, each made when it is asked for; its own seed."""
    for name, make, calls in PROGRAMS:
        tsm.manual_seed(7)
        yield Case(name, make(), calls)


def traced() -> Any:
    return tsm.trace(curves, tsm.from_numpy(floats(3, 5)))


TEXT = "Ärger, straße ÄRGER. Ωmega 𝛼 'quoted'"
WHOLE = np.arange(60).reshape(5, 12) * 7 % 23 - 9
IMAGES = [floats(2, 3, 32, 32), floats(1, 3, 17, 23)]
ROWS = [floats(1, 37), floats(9, 37)]


def once(method: str, arguments: list[Any]) -> list[tuple[str, list[Any]]]:
    """A call with each of them."""
    return [(method, [argument]) for argument in arguments]


PROGRAMS: list[tuple[str, Any, list[tuple[str, list[Any]]]]] = [
    ("conv", lambda: tsm.script(ConvNet().eval()), once("forward", IMAGES)),
    ("attention", lambda: tsm.script(Attention().eval()), once("forward", [np.arange(24).reshape(2, 12) % 50])),
    ("recurrent", lambda: tsm.script(Recurrent().eval()), once("forward", [floats(3, 7, 12)])),
    ("bf16 weights", lambda: tsm.script(mixed(tsm.bfloat16)), once("forward", ROWS)),
    ("int8 weights", lambda: tsm.script(mixed(tsm.int8)), once("forward", ROWS)),
    ("dtypes", lambda: tsm.script(Widths()), [("forward", []), ("texts", [])]),
    ("state", lambda: tsm.script(Counter()), [("forward", [])]),
    ("words", lambda: tsm.script(words), once("words", [TEXT])),
    ("letters", lambda: tsm.script(letters), once("letters", [TEXT])),
    ("sets", lambda: tsm.script(sets), once("sets", [30])),
    ("numbers", lambda: tsm.script(numbers), once("numbers", [2.5, -1234.56789])),
    ("errors", lambda: tsm.script(wrong), once("wrong", list(range(6)))),
    ("caught", lambda: tsm.script(caught), once("caught", [7])),
    ("chance", lambda: tsm.script(chance), once("chance", [40])),
    ("dropout", lambda: tsm.script(dropped), once("dropped", [floats(4, 50)])),
    ("integers", lambda: tsm.script(integers), once("integers", [WHOLE, WHOLE.astype("int8")])),
    ("pieces", lambda: tsm.script(pieces), once("pieces", [floats(5, 7), floats(5, 7, dtype="float64")])),
    ("curves", traced, once("curves", [floats(3, 5), floats(4, 33)])),
    ("double", lambda: tsm.script(series), once("series", [floats(33, 70, dtype="float64"), floats(33, 70)])),
]
