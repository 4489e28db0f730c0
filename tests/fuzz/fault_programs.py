"""Programs of every kind for the sweep of failing allocations: each makes its tensors from the one number it gets.

In: nothing. Out: `images()`, .tsm files by name, and what tests/c/test_faults.c finds in them. Holds: every way of the runtime
that allocates has a program here: networks with packed weights, chains, attention, recurrent layers, tied weights, fused
nodes, containers, classes, generators, exceptions, closures, texts, Any, state that changes.
"""

from __future__ import annotations

import importlib.util
import itertools
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import tsm
from tsm import Tensor, nn

HERE = Path(__file__).resolve().parent


def numbers(seed: int, count: int) -> Tensor:
    return (tsm.arange(count, dtype=tsm.float32) * 0.37 + float(seed)).sin()


class Convolutions(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = nn.Conv2d(3, 16, 3, padding=1, bias=False), nn.Conv2d(16, 16, 3, stride=2)
        self.norm, self.pool, self.last = nn.BatchNorm2d(16), nn.MaxPool2d(2), nn.Linear(16 * 3 * 3, 5)

    def forward(self, seed: int) -> Tensor:
        x = numbers(seed, 3 * 16 * 16).view(1, 3, 16, 16)
        y = self.pool(tsm.relu(self.second(tsm.relu(self.norm(self.first(x))))))
        z = tsm.cat([y, y * 2.0], 1)[:, :16]
        return self.last(z.flatten(1)).softmax(-1)


class Depthwise(nn.Module):
    """A chain of convolutions that run in bands."""

    def __init__(self) -> None:
        super().__init__()
        self.wide, self.deep = nn.Conv2d(4, 16, 1), nn.Conv2d(16, 16, 3, padding=1, groups=16)
        self.narrow, self.up = nn.Conv2d(16, 4, 1), nn.ConvTranspose2d(4, 2, 2, stride=2)

    def forward(self, seed: int) -> Tensor:
        x = numbers(seed, 4 * 12 * 12).view(1, 4, 12, 12)
        y = self.narrow(nn.functional.hardtanh(self.deep(nn.functional.hardtanh(self.wide(x)))))
        return self.up(x + y).mean((2, 3))


class Attention(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.embed, self.norm = nn.Embedding(11, 16), nn.LayerNorm(16)
        self.attention, self.out = nn.MultiheadAttention(16, 2, batch_first=True), nn.Linear(16, 11, bias=False)
        self.out.weight = self.embed.weight

    def forward(self, seed: int) -> Tensor:
        x = self.norm(self.embed((tsm.arange(7) * 3 + seed).abs().remainder(11).unsqueeze(0)))
        y, _ = self.attention(x, x, x, need_weights=False)
        return self.out(nn.functional.gelu(x + y)).log_softmax(-1)


class Recurrent(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.lstm, self.gru = nn.LSTM(4, 6, batch_first=True), nn.GRUCell(6, 3)

    def forward(self, seed: int) -> Tensor:
        y, (h, c) = self.lstm(numbers(seed, 20).view(1, 5, 4))
        state = tsm.zeros(1, 3)
        for step in range(5):
            state = self.gru(y[:, step], state)
        return tsm.cat([state, h[0], c[0]], -1)


class Running(nn.Module):
    """State of every kind that a call changes, so that saving writes a file of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("total", tsm.zeros(3))
        self.names: list[str] = ["start"]
        self.counts: dict[str, list[int]] = {"a": [1]}
        self.seen: set[int] = {1}
        self.last: Any = None
        self.best: tuple[float, str] | None = None
        self.calls = 0

    def forward(self, seed: int) -> int:
        self.calls += 1
        self.total += numbers(seed, 3)
        for i in range(5):
            self.names.append(f"name {i} of {seed}")
            self.counts.setdefault(f"key {i}", []).append(seed)
            self.seen.add(seed * i)
        self.best = (float(seed), self.names[-1] * 3)
        self.last = [seed, "text"] if seed % 2 else {"k": self.total.clone()}
        return len(self.names) + len(self.counts)


def pointwise(seed: int) -> tuple[Tensor, Tensor]:
    x = numbers(seed, 300)
    y = tsm.sigmoid(x * 2.0 + 1.0) * tsm.tanh(x) - x.clamp(-0.5, 0.5)
    z = tsm.where(y > 0.0, y, x.exp())
    for _ in range(3):
        z = z * 0.5 + y.abs()
    w = x.view(30, 10).t().contiguous()
    w[2:4] += 1.0
    values, places = w.sum(0).sort()
    return values[places >= 0] @ w.t(), z.double().cumsum(0)


def containers(seed: int) -> tuple[list[int], dict[str, int], list[list[str]]]:
    squares = [i * i + seed for i in range(40)]
    squares.sort(reverse=True)
    counts: dict[str, int] = {}
    for n in squares:
        counts[str(n % 7)] = counts.get(str(n % 7), 0) + 1
    pairs = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    unique = {n % 5 for n in squares} | {100, 101}
    frozen = {frozenset([1, n]): n for n in unique}
    nested = [[str(a)] * (a % 3) for a in squares[:6]]
    nested.insert(0, ["x"])
    return squares[::3] + [len(pairs), len(frozen)], counts, nested + nested[1:]


def texts(seed: int) -> str:
    words = f"the quick {seed:05d} brown föx {seed / 7:.3f} jumps".split()
    joined = "-".join(w.upper() if i % 2 else w.title() for i, w in enumerate(words))
    replaced = joined.replace("Ö", "oe").center(60, "*") + repr(words) + "%s %r" % (seed, words[0])
    data = replaced.encode()
    return data.decode() + data.hex()[:20] + str({"a": (1, 2.5), "b": None}) + "x".join(list(replaced[:9]))


class Shape:
    def __init__(self, name: str) -> None:
        self.name = name
        self.parts: list[Shape] = []

    def area(self) -> float:
        return sum([p.area() for p in self.parts], 0.5)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Shape) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)


class Square(Shape):
    def __init__(self, side: float) -> None:
        super().__init__(f"square {side}")
        self.side = side

    def area(self) -> float:
        return self.side * self.side + super().area()


def classes(seed: int) -> tuple[float, int, str]:
    whole = Shape("whole")
    for i in range(6):
        whole.parts.append(Square(float(i % 4)))
    whole.parts[0].parts.append(whole.parts[1])
    kinds = {part: i for i, part in enumerate(whole.parts)}
    loop = Shape("loop")
    loop.parts.append(loop)
    return whole.area(), len(kinds) + seed, loop.parts[0].name


def pieces(n: int):
    for i in range(n):
        yield f"piece {i}", [i] * i


def generators(seed: int) -> list[str]:
    found = [name for name, items in pieces(8) if len(items) % 2 == 0]
    total = sum(len(items) for _, items in pieces(seed % 5 + 3))
    first = next((name for name, items in pieces(9) if len(items) > 4), "none")
    return [*found, str(total), first, *(str(x) for x in itertools.chain([seed], [1, 2]))]


class Refused(ValueError):
    def __init__(self, code: int, why: str) -> None:
        super().__init__(why, code)
        self.code = code


def refuse(n: int) -> int:
    if n % 3 == 0:
        raise Refused(n, f"refused {n}")
    return [10, 20, 30][n]


def exceptions(seed: int) -> list[str]:
    log: list[str] = []
    for n in range(seed, seed + 7):
        try:
            log.append(str(refuse(n)))
        except Refused as e:
            log.append(f"{e.code} {e}")
        except IndexError as e:
            log.append(type(e).__name__ + str(e))
        finally:
            log.append("done")
    if seed == 4:
        raise Refused(seed, "the last " + log[-2])
    return log


def closures(seed: int) -> list[int]:
    total = 0

    def add(n: int) -> int:
        nonlocal total
        total += n
        return total

    steps = [lambda x, k=k: x * k + seed for k in range(4)]
    return [add(step(i)) for i, step in enumerate(steps)] + [total]


def anything(seed: int) -> str:
    things: list[Any] = [seed, "text", 2.5, None, [1, 2], {"a": 1}, (1, "b"), numbers(seed, 2)]
    numbers_only = [t for t in things if isinstance(t, int)]
    nested: Any = [things[:4], numbers_only]
    return repr(nested) + str(things[5]) + str(things[seed % 4] == seed)


PROGRAMS = (
    Convolutions, Depthwise, Attention, Recurrent, Running, pointwise, containers, texts, classes, generators, exceptions,
    closures, anything,
)  # fmt: skip


def images(has_all_seeds: bool = True) -> dict[str, bytes]:
    """The programs above and seeds of the fuzzer: all, or those that need no front end."""
    spec = importlib.util.spec_from_file_location("make_seeds", HERE / "make_seeds.py")
    assert spec is not None and spec.loader is not None
    seeds = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(seeds)
    tsm.manual_seed(1)
    made = {p.__name__.lower(): seeds.image_of(p().eval() if isinstance(p, type) else p) for p in PROGRAMS}
    return {**made, **(seeds.images() if has_all_seeds else seeds.written_images())}


def sweep(program: str, samples: int) -> tuple[int, int, int, list[str]]:
    """Runs tests/c/test_faults over every image, a process each: failures made, crashes, bytes leaked, what went wrong."""
    injected, crashes, leaked = 0, 0, 0
    wrong: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        for name, image in images().items():
            path = Path(folder, f"{name}.tsm")
            path.write_bytes(image)
            done = subprocess.run([program, str(samples), str(path)], capture_output=True, text=True, check=False)
            found = re.search(r"injected (\d+) calls \d+ leaked (\d+)", done.stdout)
            crashes += found is None
            injected += int(found[1]) if found else 0
            leaked += int(found[2]) if found else 0
            if done.returncode:
                wrong.append(f"{name}: exit {done.returncode}\n{done.stderr[:2000]}")
    return injected, crashes, leaked, wrong


def main(arguments: list[str]) -> int:
    """`python fault_programs.py TEST_FAULTS SAMPLES` prints what `sweep` finds; 1 if anything is wrong."""
    injected, crashes, leaked, wrong = sweep(arguments[0], int(arguments[1]))
    print(*wrong, sep="\n")
    print(f"{len(images())} files, {injected} failures, {crashes} crashes, {leaked} bytes leaked, {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
