"""Programs in the manner of TorchScript's tutorials and tests, and of issues its users wrote: small, each with one twist."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from enum import Enum, IntEnum
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union

import tsm
from language_rows import of_row
from oracle import T, program
from tsm import Tensor, nn
from tsm.nn import functional as F

X = T([[1.0, -2.0], [3.0, 4.0]])
V = T([1.0, -2.0, 3.0])

of_row("whole programs")


@program("the tutorial's cell with a decision gate", (T([[1.0, 2.0, 3.0]]), T([[0.5, 0.5, 0.5]])), (T([[-1.0, -2.0, -3.0]]), T([[0.0, 0.0, 0.0]])), torch=False)
class GatedCell(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        tsm.manual_seed(20)
        self.linear = nn.Linear(3, 3)
        self.gate = Gate()

    def forward(self, x: Tensor, h: Tensor) -> Tuple[Tensor, Tensor]:
        new_h = tsm.tanh(self.gate(self.linear(x)) + h)
        return new_h, new_h


class Gate(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        if x.sum() > 0:
            return x
        else:
            return -x


@program("a wrapper that loops over time and stacks", (T([[[1.0, 2.0, 3.0]], [[0.0, 1.0, -1.0]]]),), torch=False)
class Wrapper(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        tsm.manual_seed(21)
        self.cell = GatedCell()

    def forward(self, xs: Tensor) -> Tuple[Tensor, Tensor]:
        y, h = tsm.zeros(3, 3), tsm.zeros(1, 3)
        for i in range(xs.size(0)):
            y, h = self.cell(xs[i], h)
        return y, h


@program("the sum of even indices, with a while and an if", (T([1.0, 2.0, 3.0, 4.0, 5.0]),), (T([1.0]),))
def even_sum(x: Tensor) -> Tensor:
    total = tsm.zeros(1)
    i = 0
    while i < x.size(0):
        if i % 2 == 0:
            total += x[i]
        i += 1
    return total


@program("fibonacci by tensors and by ints in one loop", (10,), (1,), (0,))
def both_fibonacci(n: int) -> Tuple[Tensor, int]:
    a, b = tsm.tensor(0), tsm.tensor(1)
    p, q = 0, 1
    for _ in range(n):
        a, b = b, a + b
        p, q = q, p + q
    return a, p


@program("a game of life step by rolled sums", (T([[0, 1, 0], [0, 1, 0], [0, 1, 0]]), 2))
def life(board: Tensor, steps: int) -> Tensor:
    for _ in range(steps):
        padded = tsm.zeros(board.shape[0] + 2, board.shape[1] + 2, dtype=tsm.int64)
        padded[1:-1, 1:-1] = board
        n = tsm.zeros_like(board)
        for i in range(3):
            for j in range(3):
                if i != 1 or j != 1:
                    n = n + padded[i : i + board.shape[0], j : j + board.shape[1]]
        board = ((n == 3) | ((n == 2) & (board == 1))).to(tsm.int64)
    return board


@program("a Lennard-Jones energy over pairs", (T([[0.0, 0.0], [1.0, 0.0], [0.0, 1.5]]), 1.4), (T([[0.0, 0.0]]), 1.0))
def energy(positions: Tensor, cutoff: float) -> Tensor:
    total = tsm.zeros(())
    n = positions.shape[0]
    for i in range(n):
        for j in range(i + 1, n):
            r2 = ((positions[i] - positions[j]) ** 2).sum()
            if r2 < cutoff**2:
                s6 = 1.0 / r2**3
                total = total + 4 * (s6 * s6 - s6)
    return total


@program("a PID controller stepped over a signal", ([1.0, 1.0, 0.5], 2.0), ([], 1.0))
def controlled(signal: List[float], gain: float) -> List[float]:
    integral = previous = 0.0
    out: List[float] = []
    for target in signal:
        value = out[-1] if out else 0.0
        error = target - value
        integral += error * 0.1
        out.append(value + 0.1 * (gain * error + integral + (error - previous)))
        previous = error
    return out


@program("a biquad filter over samples with its state in a tuple", ([1.0, 0.0, 0.0, 0.0], (0.5, 0.2, 0.1)),)
def filtered(samples: List[float], c: Tuple[float, float, float]) -> List[float]:
    z: Tuple[float, float] = (0.0, 0.0)
    out: List[float] = []
    for s in samples:
        y = c[0] * s + z[0]
        z = (c[1] * s - 0.3 * y + z[1], c[2] * s)
        out.append(round(y, 9))
    return out


@program("voice activity by energies with a hang-over", ([0.1, 0.9, 0.8, 0.1, 0.1, 0.1, 0.7], 0.5, 2),)
def active(energies: List[float], threshold: float, hang: int) -> List[Tuple[int, int]]:
    spans: List[Tuple[int, int]] = []
    start: Optional[int] = None
    quiet = 0
    for i, e in enumerate(energies):
        if e > threshold:
            quiet = 0
            if start is None:
                start = i
        elif start is not None:
            quiet += 1
            if quiet == hang:
                spans.append((start, i - hang + 1))
                start, quiet = None, 0
    if start is not None:
        spans.append((start, len(energies)))
    return spans


@program("minimax over a small game tree with pruning", (7, True), (4, False), (1, True))
def nim(stones: int, mine: bool) -> int:
    if stones == 0:
        return -1 if mine else 1
    best = -2 if mine else 2
    for take in range(1, min(3, stones) + 1):
        value = nim(stones - take, not mine)
        if mine and value > best or not mine and value < best:
            best = value
            if best == (1 if mine else -1):
                break
    return best


@program("n queens counted with three sets", (4,), (5,), (1,))
def queens(n: int) -> int:
    columns: set[int] = set()
    up: set[int] = set()
    down: set[int] = set()

    def place(row: int) -> int:
        if row == n:
            return 1
        count = 0
        for c in range(n):
            if c in columns or row + c in up or row - c in down:
                continue
            columns.add(c)
            up.add(row + c)
            down.add(row - c)
            count += place(row + 1)
            columns.remove(c)
            up.remove(row + c)
            down.remove(row - c)
        return count

    return place(0)


@program("permutations in order, by recursion on slices", ([1, 2, 3],), ([],))
def permutations(v: List[int]) -> List[List[int]]:
    if not v:
        return [[]]
    out: List[List[int]] = []
    for i in range(len(v)):
        for rest in permutations(v[:i] + v[i + 1 :]):
            out.append([v[i]] + rest)
    return out


@program("dijkstra with a list as the queue", ({0: [(1, 4), (2, 1)], 2: [(1, 2)], 1: []}, 0), ({5: []}, 5))
def distances(graph: Dict[int, List[Tuple[int, int]]], start: int) -> Dict[int, int]:
    best: Dict[int, int] = {start: 0}
    queue = [(0, start)]
    while queue:
        queue.sort(reverse=True)
        d, node = queue.pop()
        if d > best.get(node, d):
            continue
        for other, cost in graph.get(node, []):
            if other not in best or d + cost < best[other]:
                best[other] = d + cost
                queue.append((d + cost, other))
    return best


of_row("scalars")


@program("literals of every kind side by side", (1,))
def every_literal(n: int) -> str:
    return f"{0x1F} {0b11} {0o17} {1_000} {1e3} {.5} {5.} {1e-3} {2j} {True} {None} {'a' 'b'} {n}"


@program("bool in arithmetic, comparison and as an index", (True, [10, 20]), (False, [10, 20]))
def as_number(b: bool, v: List[int]) -> Tuple[int, float, int, bool]:
    return b + b, b / 2 + 1, v[b], b > 0.5


@program("complex in containers and as sums", ([1 + 1j, -2j],), ([],))
def complex_sum(v: List[complex]) -> Tuple[complex, List[complex]]:
    total = 0j
    for z in v:
        total += z * z
    return total, [z + 1 for z in v] + [total]


@program("a dtype picked from a tuple by an index", (T([1.5, -0.5]), 0), (T([1.5, -0.5]), 1))
def picked(x: Tensor, i: int) -> Tensor:
    return x.to(tsm.int32) if i == 0 else x.to(tsm.float64)


of_row("numbers meet")


@program("item() of tensors of each kind, in arithmetic", (T([3]), T([2.5]), T([True])))
def items(i: Tensor, f: Tensor, b: Tensor) -> str:
    return f"{i.item()} {f.item()} {b.item()} {i.item() + 1} {f.item() * 2} {not b.item()}"


@program("a running maximum that starts as minus infinity", ([3, 1, 7],), ([],))
def running(v: List[int]) -> str:
    best = -math.inf
    for x in v:
        best = max(best, x)
    return str(best)


@program("an average that is an int when it can be", ([2, 4],), ([1, 2],))
def average(v: List[int]) -> str:
    m = sum(v) / len(v)
    r = int(m) if m == int(m) else m
    return str(r)


@program("sorting ints among floats keeps each as it is", ([2.5, 1.0],))
def mixed_sort(v: List[float]) -> str:
    w = [1, 2.5, 0, -0.5]
    w.sort()
    return str(w) + str(sorted(v))


of_row("named tuples")


class Output(NamedTuple):
    logits: Tensor
    loss: Optional[Tensor] = None
    steps: int = 0


@program("a model output with an optional loss", (V, None), (V, T([0.0, 0.0, 0.0])))
def outputs(x: Tensor, target: Optional[Tensor]) -> Output:
    if target is None:
        return Output(x * 2)
    return Output(x * 2, loss=((x - target) ** 2).mean(), steps=len(x))


class Span(NamedTuple):
    start: int
    end: int

    @property
    def size(self) -> int:
        return self.end - self.start

    def overlaps(self, other: Span) -> bool:
        return self.start < other.end and other.start < self.end


@program("spans merged, methods of a named tuple in conditions", ([(5, 8), (1, 3), (2, 4)],), ([],))
def merged(pairs: List[Tuple[int, int]]) -> List[Span]:
    out: List[Span] = []
    for span in sorted([Span(a, b) for a, b in pairs]):
        if out and out[-1].overlaps(span):
            out[-1] = Span(out[-1].start, max(out[-1].end, span.end))
        else:
            out.append(span)
    return [s for s in out if s.size > 1]


of_row("enums")


class Phase(Enum):
    WARM = "warm"
    MAIN = "main"
    DONE = "done"


@program("phases as dict keys, advanced by a table", (3,), (0,))
def phases(n: int) -> Tuple[Phase, Dict[Phase, int]]:
    following = {Phase.WARM: Phase.MAIN, Phase.MAIN: Phase.DONE, Phase.DONE: Phase.DONE}
    phase = Phase.WARM
    seen: Dict[Phase, int] = {}
    for _ in range(n):
        seen[phase] = seen.get(phase, 0) + 1
        phase = following[phase]
    return phase, seen


class Prio(IntEnum):
    LOW = 1
    HIGH = 9


@program("a priority queue of pairs with an IntEnum in front", ([("a", 1), ("b", 9), ("c", 1)],), ([],))
def queue(items: List[Tuple[str, int]]) -> List[str]:
    pending = [(Prio(p), name) for name, p in items]
    out: List[str] = []
    while pending:
        top = max(pending, key=lambda e: (int(e[0]), -len(out)))
        pending.remove(top)
        out.append(f"{top[0].name}:{top[1]}")
    return out


of_row("dataclasses")


@dataclass
class Hypothesis:
    tokens: List[int]
    score: float = 0.0
    done: bool = False

    def extended(self, token: int, p: float) -> Hypothesis:
        return Hypothesis(self.tokens + [token], self.score + math.log(p), token == 0)


@program("hypotheses of a beam as dataclasses", ([0.2, 0.5, 0.3], 2, 3), ([1.0], 1, 2))
def beam(probs: List[float], width: int, steps: int) -> List[Tuple[List[int], float]]:
    alive = [Hypothesis([])]
    for _ in range(steps):
        grown: List[Hypothesis] = []
        for h in alive:
            if h.done:
                grown.append(h)
                continue
            grown.extend([h.extended(i, p) for i, p in enumerate(probs)])
        grown.sort(key=lambda h: h.score, reverse=True)
        alive = grown[:width]
        if all(h.done for h in alive):
            break
    return [(h.tokens, round(h.score, 6)) for h in alive]


@dataclass
class Inventory:
    items: Dict[str, int] = field(default_factory=dict)
    limit: int = 5

    def add(self, name: str, n: int = 1) -> bool:
        if sum(self.items.values()) + n > self.limit:
            return False
        self.items[name] = self.items.get(name, 0) + n
        return True

    def __len__(self) -> int:
        return len(self.items)


@program("an inventory with a limit: which were refused", (["a", "b", "a", "c"], 3), ([], 0))
def stocked(names: List[str], limit: int) -> Tuple[List[str], int, Dict[str, int]]:
    inv = Inventory(limit=limit)
    refused_names = [n for n in names if not inv.add(n)]
    return refused_names, len(inv), inv.items


@dataclass(frozen=True)
class Money:
    cents: int
    unit: str = "EUR"

    def __add__(self, other: Money) -> Money:
        if self.unit != other.unit:
            raise ValueError(f"{self.unit} and {other.unit} do not add")
        return Money(self.cents + other.cents, self.unit)

    def __str__(self) -> str:
        return f"{self.cents // 100}.{self.cents % 100:02d} {self.unit}"


@program("frozen money added, printed, compared; other units refused", ([150, 275], "EUR"), ([1], "USD"))
def wallet(cents: List[int], unit: str) -> Tuple[str, bool]:
    total = Money(0)
    for c in cents:
        total = total + Money(c, unit)
    return str(total), total == Money(425)


of_row("with")


class Frame:
    depth = 0

    def __init__(self, stack: List[str], name: str) -> None:
        self.stack, self.name = stack, name

    def __enter__(self) -> Frame:
        self.stack.append(self.name)
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        self.stack.pop()

    def path(self) -> str:
        return "/".join(self.stack)


@program("a stack of names kept by nested withs, also through errors", (0,), (1,))
def paths(n: int) -> Tuple[List[str], int]:
    stack: List[str] = []
    seen: List[str] = []
    try:
        with Frame(stack, "a") as f:
            seen.append(f.path())
            with Frame(stack, "b") as g:
                seen.append(g.path())
                seen.append(str(10 // n))
            seen.append(f.path())
    except ZeroDivisionError:
        seen.append("error " + str(len(stack)))
    return seen, len(stack)


@program("with inside a loop inside a with, one continue", (3,), (0,))
def nested_with(n: int) -> List[str]:
    stack: List[str] = []
    seen: List[str] = []
    with Frame(stack, "outer"):
        for i in range(n):
            with Frame(stack, str(i)) as f:
                if i == 1:
                    continue
                seen.append(f.path())
    return seen + stack


of_row("identity")


@program("functions, members and None by identity", (1,))
def by_identity(n: int) -> List[bool]:
    f = helper
    none: Optional[int] = None if n else 1
    return [f is helper, Phase.WARM is Phase("warm"), none is None, Prio.LOW is Prio(1), Phase.MAIN is not Phase.DONE]


def helper() -> int:
    return 1


@program("a default list made inside is a new one each time", (2,))
def new_each_time(n: int) -> List[bool]:
    made = [fresh() for _ in range(n)]
    made[0].append(1)
    return [made[0] is made[1], made[0] == made[1], len(made[1]) == 0]


def fresh(v: Optional[List[int]] = None) -> List[int]:
    return [] if v is None else v


of_row("unannotated")


def scaled(x, factor=2.0, bias=None):
    y = x * factor
    if bias is not None:
        y = y + bias
    return y


@program("one unannotated helper for tensors and for floats", (V, 3.0))
def for_both(x: Tensor, y: float) -> Tuple[Tensor, float, float]:
    return scaled(x, bias=x), scaled(y), scaled(y, factor=3.0, bias=y)


def pick(items, key=None, default=0):
    for item in items:
        if key is None or item == key:
            return item
    return default


@program("an unannotated search with None and with a key", ([3, 4], "xy"), ([], ""))
def searched(v: List[int], s: str) -> Tuple[int, int, str]:
    return pick(v), pick(v, key=4), pick(s, key="y", default="none")


of_row("errors")


@program("an index error names no list, a key error its key, through calls", ({"a": [1]}, "a", 5), ({"a": [1]}, "b", 0), ({"a": [1]}, "a", -1))
def looked(d: Dict[str, List[int]], k: str, i: int) -> int:
    return entry_of(d, k)[i]


def entry_of(d: Dict[str, List[int]], k: str) -> List[int]:
    return d[k]


@program("unpacking errors count what they got", ([1, 2],), ([1],), ([1, 2, 3],))
def unpacked(v: List[int]) -> int:
    a, b = v
    return a - b


@program("conversions that fail say what they saw", ("12a", 0), ("1.5", 1), ("x", 2), ("", 1))
def converted(s: str, kind: int) -> Union[int, float, str]:
    if kind == 0:
        return int(s)
    if kind == 1:
        return float(s)
    return chr(-1)


@program("a negative repeat, a bad range step, an empty max, in turn", (0,), (1,), (2,), (3,))
def odd_errors(n: int) -> int:
    if n == 0:
        return len([1] * -3)
    if n == 1:
        return sum(range(0, 5, n - 1))
    if n == 2:
        return max([x for x in range(n) if x > 5])
    return "abc".index("d")


of_row("refinement")


@program("a cache in a dict of optionals", ({"a": 1, "b": None}, "a"), ({"a": 1, "b": None}, "b"), ({"a": 1}, "z"))
def cached(d: Dict[str, Optional[int]], k: str) -> int:
    v = d.get(k)
    if v is None:
        d[k] = v = len(d) * 10
    return v + 1


@program("a tuple of optionals narrowed one by one", ((1, None),), ((None, "x"),), ((2, "yy"),))
def parts(t: Tuple[Optional[int], Optional[str]]) -> str:
    a, b = t
    if a is not None and b is not None:
        return b * a
    if b is not None:
        return b
    return str(a)


@program("a union through a helper that tests it", (5,), ("five",), ([5, 6],))
def through_helper(x: Union[int, str, List[int]]) -> int:
    if isinstance(x, list):
        return sum(x)
    n = number_of(x)
    return -1 if n is None else n


def number_of(x: Union[int, str]) -> Optional[int]:
    return x if isinstance(x, int) else None


@program("narrowing inside a loop with break when it fails", ([1, 2, None, 3],), ([None],), ([],))
def until_none(v: List[Optional[int]]) -> List[int]:
    out: List[int] = []
    for x in v:
        if x is None:
            break
        out.append(x)
        if x % 2 == 0:
            x = None
        if x is None:
            out.append(0)
    return out


of_row("loop else")


@program("a prime sieve by for else over a growing list", (20,), (2,))
def primes(n: int) -> List[int]:
    found: List[int] = []
    for k in range(2, n):
        for p in found:
            if k % p == 0:
                break
        else:
            found.append(k)
    return found


@program("attempts with while else and a counter of rounds", (3,), (10,))
def attempts(limit: int) -> str:
    x, n = 1, 0
    while n < limit:
        n += 1
        x = x * 3 % 17
        if x == 16:
            break
    else:
        return f"gave up after {n}"
    return f"found in {n}"


of_row("more assignment")


@program("slices of slices assigned, deleted and swapped", ([0, 1, 2, 3, 4, 5, 6],))
def cut_and_paste(v: List[int]) -> List[int]:
    v[1:3], v[-2:] = v[-2:], v[1:3]
    del v[2:4]
    v[2:2] = [9, 9]
    return v


@program("a walrus in nested conditions and in an f-string", ("abcabc", "b"), ("xyz", "q"))
def walrus_text(s: str, c: str) -> str:
    if (i := s.find(c)) >= 0 and (j := s.rfind(c)) > i:
        return f"{i}-{j} {(n := j - i)} {n + 1}"
    return f"{i}"


of_row("overflow")


@program("a checksum kept in range by a mask at each step", ("overflowing text", 31), ("", 7))
def checksum(s: str, k: int) -> int:
    h = 7
    for c in s:
        h = (h * k + ord(c)) & 0x7FFFFFFF
    return h


@program("a product guarded by a division before it", (3037000500, 3037000500), (5, 7))
def guarded(a: int, b: int) -> int:
    if a != 0 and abs(b) > (2**62) // abs(a) * 2:
        return -1
    return a * b if abs(a) < 2**31 else 0


of_row("module containers")


@program("a U-shaped network: skips from a list popped on the way up", (X,), torch=False)
class Unet(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        tsm.manual_seed(22)
        self.down = nn.ModuleList([nn.Linear(2, 2), nn.Linear(2, 2)])
        self.up = nn.ModuleList([nn.Linear(4, 2), nn.Linear(4, 2)])

    def forward(self, x: Tensor) -> Tensor:
        skips: List[Tensor] = []
        for layer in self.down:
            x = F.relu(layer(x))
            skips.append(x)
        for layer in self.up:
            x = layer(tsm.cat([x, skips.pop()], dim=1))
        return x


@program("layers sharing one module, called by reversed order", (X,), torch=False)
class SharedTwice(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        tsm.manual_seed(23)
        shared = nn.Linear(2, 2)
        self.layers = nn.ModuleList([shared, nn.Tanh(), shared])

    def forward(self, x: Tensor) -> Tensor:
        for layer in reversed(self.layers):
            x = layer(x)
        return x


@program("a multi-task head chosen by each item's name", (X, ["a", "b", "a"]), (X, []), torch=False)
class Heads(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        tsm.manual_seed(24)
        self.heads = nn.ModuleDict({"a": nn.Linear(2, 1), "b": nn.Linear(2, 1)})

    def forward(self, x: Tensor, tasks: List[str]) -> Dict[str, Tensor]:
        out: Dict[str, Tensor] = {}
        for task in tasks:
            y = self.heads[task](x)
            out[task] = out[task] + y if task in out else y
        return out


of_row("modules")


@program("a module that counts what it saw by class, in buffers and dicts", (T([0, 1, 1]),), (T([2]),), torch=False)
class Tally(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("counts", tsm.zeros(3, dtype=tsm.int64))
        self.names: Dict[int, str] = {0: "zero", 1: "one", 2: "two"}

    def forward(self, ids: Tensor) -> List[str]:
        for i in ids:
            self.counts[i] += 1
        return [f"{self.names[k]}={int(self.counts[k])}" for k in range(3)]


@program("weight decay and a step written as methods", (V, 0.5), (V, 0.25), torch=False)
class Trainer(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("w", tsm.tensor([1.0, 1.0, 1.0]))
        self.history: List[float] = []

    def gradient(self, x: Tensor) -> Tensor:
        return 2 * (self.w - x)

    def forward(self, x: Tensor, rate: float) -> List[float]:
        for _ in range(3):
            self.w -= rate * self.gradient(x)
        self.history.append(round(float((self.w - x).abs().sum()), 4))
        return list(self.history)


@program("an output that depends on an attribute set by another method", (1,), (0,), (1,), torch=False)
class Switch(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.mode: Optional[str] = None

    def choose(self, n: int) -> None:
        self.mode = "on" if n else None

    def forward(self, n: int) -> str:
        before = self.mode
        self.choose(n)
        mode = self.mode
        if mode is None:
            return "off" if before is None else "turned off"
        return mode.upper()


of_row("abstract types")


@program("tuples of any length as keys and arguments", ((1, 2), (3,)), ((), ()))
def any_tuples(a: Tuple[int, ...], b: Tuple[int, ...]) -> Dict[Tuple[int, ...], int]:
    return {a: sum(a), b: sum(b), a + b: len(a + b)}


of_row("bytes")


@program("bytes as arguments and results, compared, added and measured", (b"ab", b"c"), (b"", b""))
def byte_pairs(a: bytes, b: bytes) -> Tuple[bytes, int, bool, int]:
    return a + b, len(a), a == b, (a + b"x")[0]


of_row("pruned branches")


@program("an optional feature of a module by a Final flag and hasattr", (V, 2.0), torch=False)
class Feature(nn.Module):
    def __init__(self, wide: bool = False) -> None:
        super().__init__()
        self.wide = wide
        if wide:
            self.extra = nn.Linear(3, 3)

    def forward(self, x: Tensor, k: float) -> Tensor:
        y = x * k
        if hasattr(self, "extra"):
            y = y + self.extra(x)
        return y


of_row("unannotated")


@program(
    "accuracy among the first k: a default of one item stands for tuples of any length",
    (T([[0.1, 0.7, 0.2], [0.5, 0.2, 0.3], [0.3, 0.1, 0.6]]), T([1, 2, 0])),
    (T([[0.1, 0.7, 0.2], [0.5, 0.2, 0.3]]), T([0, 0]), (1, 3)), (T([[1.0, 2.0]]), T([0]), (2,)),
)
def accuracy(output, target, topk=(1,)) -> List[Tensor]:
    most = max(topk)
    _, pred = output.topk(most, 1, True, True)
    correct = pred.t().eq(target.view(1, -1).expand_as(pred.t()))
    return [correct[:k].reshape(-1).float().sum(0, keepdim=True).mul_(100.0 / target.size(0)) for k in topk]


of_row("numbers meet")


@program("numbers of tensors in containers that go where declared ones are", (T([1.5, 2.0]),), (T([0.25, -1.0, 3.0]),))
def reported(x: Tensor) -> Dict[str, Dict[str, float]]:
    report: Dict[str, Dict[str, float]] = {}
    rows: List[List[float]] = [[]]
    low, high = x.min().item(), x.max().item()
    report["range"] = {"low": low, "span": round(high - low, 2), "count": float(len(x))}
    rows[0] = [value.item() for value in x]
    squares: List[float] = [value.item() ** 2 for value in x if value > 0]
    report["squares"] = {str(i): value.item() * value.item() for i, value in enumerate(x)}
    rows.append([row.sum().item() for row in x.chunk(2)])
    report["sums"] = {"first": sum(rows[0]), "squares": sum(squares), "last": rows[-1][-1]}
    return report
