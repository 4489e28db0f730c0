"""What `tsm.jit` adds to the language: annotate, fork and wait, isinstance of containers, marks, devices."""

from __future__ import annotations

from typing import Any, Dict, List, Optional

import tsm
from language_rows import of_row
from oracle import T, program
from tsm import Tensor, nn

of_row("modules")


@program("annotate gives an empty container its type", (3,), (0,), torch=False)
def annotated_empty(n: int):
    found = tsm.jit.annotate(Dict[str, List[int]], {})
    for i in range(n):
        found.setdefault(str(i % 2), tsm.jit.annotate(List[int], [])).append(i)
    return found


@program("annotate of None, assigned later", (3,), (-1,), torch=False)
def annotated_none(n: int):
    best = tsm.jit.annotate(Optional[int], None)
    for i in range(n):
        if best is None or i > best:
            best = i * 2
    return best, tsm.annotate(float, 2.5)


def worker(n: int, scale: float, *, log: list[str]) -> list[float]:
    log.append(f"work {n}")
    return [i * scale for i in range(n)]


@program("fork runs at once, wait gives the result each time", (2,), (0,), torch=False)
def forked(n: int) -> tuple[list[float], list[str], bool]:
    log = ["start"]
    first = tsm.jit.fork(worker, n, 0.5, log=log)
    log.append("between")
    second = tsm.jit.fork(worker, n + 1, scale=2.0, log=log)
    log.append("after")
    return tsm.jit.wait(first) + second.wait() + first.value(), log, first.done()


@program("futures in a list, of a closure", (3,), torch=False)
def futures(n: int) -> int:
    waiting: list[tsm.jit.Future[int]] = []
    for i in range(n):
        waiting.append(tsm.jit.fork(lambda v: v * v + n, i))
    total = 0
    for each in waiting:
        total += tsm.jit.wait(each)
    return total


@program("a fork that raises, caught around it", (0,), (2,), torch=False)
def fork_raises(n: int) -> str:
    try:
        future = tsm.jit.fork(divmod, 7, n)
    except ZeroDivisionError as error:
        return str(error)
    return str(future.wait())


@program("jit.isinstance of containers", ([1, 2],), (["a"],), ({"k": 2.5},), (3,), ("text",), torch=False)
def what_is(x: Any) -> str:
    if tsm.jit.isinstance(x, List[int]):
        return f"ints {sum(x)}"
    if tsm.jit.isinstance(x, (List[str], Dict[str, float])):
        return "named"
    if tsm.jit.isinstance(x, int):
        return f"int {x + 1}"
    return "other"


@tsm.jit.unused
def python_only(x: int) -> int:
    return x + undefined_name  # noqa: F821


@program("a function that is unused is not compiled", (1,), torch=False)
def guarded(n: int) -> int:
    if n < 0:
        return python_only(n)
    return n + 1


@tsm.jit.ignore
def logs(x: int) -> None:
    import logging

    logging.getLogger("corpus").debug("%d", x)


@program("code behind is_tracing is left out", (5,), torch=False)
def not_traced(n: int) -> int:
    if tsm.jit.is_tracing():
        logs(n)
    return n - 1 if not tsm.jit.is_tracing() else 0


@tsm.jit.script_if_tracing
def largest(values: list[int]) -> int:
    best = values[0]
    for v in values:
        best = max(best, v)
    return best


@program("a function marked script_if_tracing, called from a script", ([3, 9, 4],), torch=False)
def uses_largest(values: list[int]) -> int:
    return largest(values) + largest(values[:1])


@tsm.jit.interface
class Step(nn.Module):
    def forward(self, x: int) -> int:
        return 0


class Twice(nn.Module):
    def forward(self, x: int) -> int:
        return 2 * x


class Plus(nn.Module):
    def __init__(self, n: int) -> None:
        super().__init__()
        self.n = n

    def forward(self, x: int) -> int:
        return x + self.n


@program("a variable annotated with an interface", (0, 5), (2, 5), (-1, 1), torch=False)
class Chooses(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.steps = nn.ModuleList([Twice(), Plus(1), Plus(7)])

    def forward(self, which: int, x: int) -> int:
        step: Step = self.steps[which]
        return step.forward(x) * 10


@program("attributes by Attribute and __constants__", ("a",), ("b",), torch=False)
class OldSpelling(nn.Module):
    __constants__ = ["sizes", "name"]

    def __init__(self) -> None:
        super().__init__()
        self.sizes = (1, 2, 3)
        self.name = "old"

    def forward(self, key: str) -> str:
        total = 0
        for size in self.sizes:
            total += size
        return f"{self.name} {key} {total}"


@program("devices are compared and passed on", (T([1.0, 2.0]),), torch=False)
def places(x: Tensor) -> tuple[Tensor, bool, str]:
    where = x.device
    y = tsm.zeros(2, device=where, dtype=x.dtype).to(where) + x.to(device="cpu", dtype=tsm.float64).cpu()
    return y, where == tsm.device("cpu") and not x.is_cuda, where.type


@program("containers of whatever are asked for", ([1],), ((),), ({"a": 1},), (2,), torch=False)
def whatever(x: Any) -> str:
    if tsm.jit.isinstance(x, List):
        return "list"
    return "mapping or tuple" if tsm.jit.isinstance(x, (Dict, tuple)) else str(isinstance(x, List))


@tsm.jit.interface
class Scales:
    def scale(self, x: Tensor) -> Tensor: ...


class Doubles:
    def scale(self, x):
        return x * 2


class Shifts:
    def __init__(self, by):
        self.by = by

    def scale(self, x):
        return x + self.by


@program("annotate leaves open what an interface leaves open", (T([1.0, 2.0]),), torch=False)
def scaled_by_all(x: Tensor) -> Tensor:
    scales = tsm.jit.annotate(List[Scales], [Doubles(), Shifts(0.5)])
    for i in range(len(scales)):
        x = scales[i].scale(x)
    return x
