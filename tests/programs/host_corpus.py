"""Functions marked `tsm.jit.ignore`: they run in Python, in the middle of a program."""
# ruff: noqa: ANN204 - classes as users write them

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Optional

import tsm
from language_rows import of_row
from oracle import T, program
from tsm import Tensor, nn

of_row("instances outside")


@tsm.jit.ignore
def spelled(value: int, *, base: int = 10, sign: str = "") -> str:
    digits = ""
    while value:
        value, digit = divmod(value, base)
        digits = "0123456789abcdef"[digit] + digits
    return sign + (digits or "0")


@program("a function of Python with keyword-only parameters and defaults", (255,), (0,), torch=False)
def in_bases(n: int) -> list[str]:
    return [spelled(n), spelled(n, base=2), spelled(n + 1, sign="+", base=16)]


@tsm.jit.ignore
def regrouped(groups: dict[str, list[int]], order: list[str]) -> Optional[list[int]]:
    order.sort()
    for name in order:
        groups.setdefault(name, []).append(len(groups))
    groups["all"] = sum(groups.values(), [])
    return groups.get("b")


@program("a function of Python changes containers and gives one of their parts", (["b", "a"],), (["c"],), torch=False)
def through_groups(order: list[str]) -> tuple[dict[str, list[int]], Optional[list[int]], bool]:
    groups = {"a": [0]}
    part = regrouped(groups, order)
    if part is not None:
        part.append(-1)
        return groups, part, part is groups["b"]
    return groups, part, False


class Declined(LookupError):
    pass


@tsm.jit.ignore
def checked(n: int) -> int:
    if n % 3 == 0:
        raise Declined("three", n)
    if n % 3 == 1:
        return [10, 20][n]
    return n // (n - 2)


@program("exceptions of a function of Python are caught by class", (0,), (1,), (2,), (4,), (5,), torch=False)
def tells(n: int) -> str:
    try:
        return f"gave {checked(n)}"
    except Declined as error:
        return f"declined {error.args[1]}"
    except (IndexError, ZeroDivisionError) as error:
        return str(error)


@program("an exception of a function of Python ends the program after its finally", ([1], 3), ([1], 4), torch=False)
def ends(log: list[int], n: int) -> int:
    try:
        return checked(n)
    finally:
        log.append(n)


@dataclass
class Parcel:
    weight: float
    labels: list[str] = field(default_factory=list)
    inside: Optional[Parcel] = None


@tsm.jit.ignore
def packed(parcel: Parcel, times: int) -> Parcel:
    for i in range(times):
        parcel = Parcel(parcel.weight + i, [*parcel.labels, str(i)], parcel)
    parcel.labels.append("top")
    return parcel


@program("instances made and changed by a function of Python", (2,), (0,), torch=False)
def weighs(times: int) -> tuple[float, list[str], int, bool]:
    first = Parcel(1.0)
    last = packed(first, times)
    depth, current = 0, last
    while current.inside is not None:
        current = current.inside
        depth += 1
    return last.weight, last.labels, depth, current is first


@tsm.jit.ignore
def nudged(x: Tensor, by: float) -> Tensor:
    x += by
    return x[0]


@program("a function of Python writes a tensor and gives a view of it", (T([[1.0, 2.0], [3.0, 4.0]]),), torch=False)
def views(x: Tensor) -> tuple[Tensor, Tensor, float]:
    y = x * 1
    row = nudged(y, 0.5)
    row *= 2
    return y, row, float(y.sum())


@program("a method of Python reads and sets attributes of its module", (3,), (0,), (2,), torch=False)
class Meter(nn.Module):
    def __init__(self):
        super().__init__()
        self.total = 0
        self.log: list[str] = []

    @tsm.jit.ignore
    def note(self, n: int) -> int:
        self.total += n
        self.log.append(f"{n}:{self.total}")
        return len(self.log)

    def forward(self, n: int) -> tuple[int, int, list[str]]:
        before = self.total
        count = sum([self.note(i) for i in range(n)])
        return count, self.total - before, list(self.log)


@tsm.jit.ignore
def order_of(word: str) -> tuple[int, str]:
    return -len(word), word


@program("a function of Python as a key and in map", (["b", "ccc", "aa"],), ([],), torch=False)
def by_order(words: list[str]) -> tuple[list[str], list[int]]:
    return sorted(words, key=order_of), [pair[0] for pair in map(order_of, words)]
