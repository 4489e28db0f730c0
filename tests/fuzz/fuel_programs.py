"""Programs whose work lies in single instructions of the compiler, on operands of about n elements: fuel_sweep.py and
tests/test_fuel.py run them.

Each builds its operand and repeats one instruction on it. Out: `PROGRAMS`, functions of a size, and `Running`, one of
them as a loaded file.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, Dict, List, Optional, Tuple, Union

import tsm
from tsm.binding.errors import CancelledError, FuelError
from tsm.binding.library import lib

Program = Callable[[int], int]


def compare_texts(n: int) -> int:
    a, b, found = "a" * n + "b", "a" * n + "c", 0
    for _ in range(20):
        found += int(a == b) + int(a != b) + int(a < b)
    return found


def join_texts(n: int) -> int:
    a, total = "a" * n, 0
    for i in range(20):
        total += len(f"{a}{i}{a}")
    return total


def grow_text(n: int) -> int:
    s = ""
    for i in range(n):
        s += "ab"
    return len(s)


def prepend_text(n: int) -> int:
    s = ""
    for i in range(n // 100):
        s = "ab" + s
    return len(s)


def index_wide_text(n: int) -> int:
    s, total = "\u00e9" * n, 0
    for i in range(n):
        total += len(s[(i * 7919) % n])
    return total


def text_keys(n: int) -> int:
    d: Dict[str, int] = {}
    a = "a" * n
    for i in range(20):
        d[a + str(i)] = i
    found = 0
    for i in range(20):
        found += d[a + str(i)] + d.get(a + "x", 1) + int((a + str(i)) in d)
    return found


def many_keys(n: int) -> int:
    d: Dict[int, int] = {}
    for i in range(n):
        d[(i * 7919) % n] = i
    return sum([d[(i * 104729) % n] for i in range(n)])


def narrow_any(n: int) -> int:
    values: List[int] = [1] * n
    a: Any = values
    total = 0
    for _ in range(20):
        assert isinstance(a, list)
        b: List[int] = a
        total += len(b)
    return total


def narrow_nested(n: int) -> int:
    inner: List[int] = [1] * int(n**0.5 + 1)
    a: Any = [inner] * int(n**0.5 + 1)
    total = 0
    for _ in range(20):
        b: List[List[int]] = a
        total += len(b)
    return total


def is_union(n: int) -> int:
    values: Union[List[int], List[str]] = ["a"] * n
    total = 0
    for _ in range(20):
        if isinstance(values, List[int]):
            total += 1
    return total


def build_tuples(n: int) -> int:
    total = 0
    for i in range(n):
        t: Tuple[int, float, str] = (i, 0.5, "a")
        total += t[0]
    return total


def build_containers(n: int) -> int:
    total = 0
    for i in range(n // 10):
        total += len([i, i, i]) + len({i: i, i + 1: i}) + len({i, i + 1})
    return total


class Point:
    def __init__(self, x: int) -> None:
        self.x = x


def build_objects(n: int) -> int:
    total = 0
    for i in range(n):
        total += Point(i).x
    return total


def raise_long_texts(n: int) -> int:
    text, total = "a" * n, 0
    for _ in range(20):
        try:
            raise ValueError(text)
        except ValueError as e:
            total += len(str(e))
    return total


def optional_elements(n: int) -> int:
    values: List[Optional[int]] = [None] * n
    total = 0
    for v in values:
        if v is None:
            total += 1
    return total


def slice_lists(n: int) -> int:
    values, total = [1] * n, 0
    for _ in range(20):
        total += len(values[1:]) + len(values + values)
    return total


def copy_chains(n: int) -> int:
    chain: Any = [1]
    for _ in range(12):
        chain = [chain, chain]
    total = 0
    for _ in range(n // 4096 + 1):
        total += len(str(chain)) + int(chain == chain)
    return total


def small_tensors(n: int) -> int:
    x = tsm.zeros(4)
    for _ in range(n // 10):
        x = x + 1.0
    return int(x[0].item())


def fused_pointwise(n: int) -> int:
    x = tsm.zeros(n)
    for _ in range(5):
        x = tsm.exp(tsm.tanh(x * 0.5) + tsm.sigmoid(x)) * 0.1
    return int(x.sum().item())


def fused_doubles(n: int) -> int:
    x = tsm.zeros(n, dtype=tsm.float64)
    for _ in range(5):
        x = tsm.exp(tsm.tanh(x * 0.5) + tsm.log1p(x * x)) * 0.1
    return int(x.sum().item())


def tensor_elements(n: int) -> int:
    x, total = tsm.zeros(n), 0.0
    for i in range(n // 10):
        total += x[i].item()
    return int(total)


def numbers_as_text(n: int) -> int:
    total = 0
    for i in range(n // 10):
        total += len(str(i * 0.1)) + len(str(i)) + len(f"{i * 0.1:.3f}")
    return total


def parse_numbers(n: int) -> int:
    digits, total = "1" * n, 0
    for i in range(20):
        try:
            total += int(float(digits) > 0.0)
        except ValueError:
            total += 1
    return total


def sort_with_key(n: int) -> int:
    values = [(i * 7919) % n for i in range(n)]
    values.sort(key=lambda x: -x)
    return values[0]


def sort_equal_lists(n: int) -> int:
    inner: List[int] = [0] * int(n**0.5 + 1)
    values = [inner] * int(n**0.5 + 1)
    values.sort()
    return len(values)


def generate(n: int) -> int:
    return sum([x for x in [i for i in range(n)] if x % 2 == 0])


PROGRAMS: list[Program] = [
    compare_texts, join_texts, grow_text, prepend_text, index_wide_text, text_keys, many_keys, narrow_any,
    narrow_nested, is_union, build_tuples, build_containers, build_objects, raise_long_texts, optional_elements,
    slice_lists, copy_chains, small_tensors, fused_pointwise, fused_doubles, tensor_elements, numbers_as_text,
    parse_numbers, sort_with_key, sort_equal_lists, generate,
]  # fmt: skip


@cache
def scripted(program: Program) -> Any:
    return tsm.script(program)


@dataclass(frozen=True)
class Measure:
    """How a call ended, what it charged and the CPU seconds of the calling thread."""

    status: int
    units: int
    seconds: float


class Running:
    """A program about to be called."""

    def __init__(self, program: Program, n: int) -> None:
        self.module, self.n = scripted(program), n

    def run(self, fuel: int = 0) -> Measure:
        self.module.set_fuel(fuel)
        status = lib.TSM_OK
        started = time.clock_gettime_ns(time.CLOCK_THREAD_CPUTIME_ID)
        try:
            self.module(self.n)
        except FuelError:
            status = lib.TSM_ERR_FUEL
        except CancelledError:
            status = lib.TSM_ERR_CANCELLED
        spent = time.clock_gettime_ns(time.CLOCK_THREAD_CPUTIME_ID) - started
        return Measure(status, self.module.instance.fuel_used, spent / 1e9)

    def cancel(self) -> None:
        self.module.cancel()

    def close(self) -> None:
        pass
