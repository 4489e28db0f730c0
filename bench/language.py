"""The language-speed workloads: loops, lists, calls, methods, exceptions, strings and dicts as plain
Python, each with its Lua 5.4 twin.

`WORKLOADS` lists them. A workload is one function of one int that returns an int or float, the same in both languages.
`language_*.lua` hold the twins: a file defines a global function with the workload's name. `run_language.py` measures.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Workload:
    """A loop to measure: `function(argument)` makes `iterations` turns."""

    title: str
    function: Callable[[int], int] | Callable[[int], float]
    argument: int
    iterations: int
    lua_limit: float | None  # the ratio to Lua's time that we promise; None: no promise
    python_limit: float | None  # the same for CPython
    lua_file: str

    @property
    def name(self) -> str:
        return self.function.__name__

    @property
    def lua_text(self) -> str:
        return Path(__file__).with_name(self.lua_file).read_text(encoding="utf-8")


def collatz(limit: int) -> int:
    steps = 0
    for start in range(1, limit):
        n = start
        while n != 1:
            if n % 2 == 0:
                n = n // 2
            else:
                n = 3 * n + 1
            steps += 1
    return steps


def gcd_sum(limit: int) -> int:
    total = 0
    for a in range(1, limit):
        x = a
        y = limit
        while y:
            x, y = y, x % y
        total += x
    return total


def leibniz(count: int) -> float:
    total = 0.0
    sign = 1.0
    for k in range(count):
        total += sign / (2 * k + 1)
        sign = -sign
    return total


def mandelbrot(size: int) -> int:
    inside = 0
    for row in range(size):
        ci = 2.0 * row / size - 1.0
        for column in range(size):
            cr = 2.0 * column / size - 1.5
            zr = 0.0
            zi = 0.0
            k = 0
            while k < 50 and zr * zr + zi * zi < 4.0:
                zr, zi = zr * zr - zi * zi + cr, 2.0 * zr * zi + ci
                k += 1
            if k == 50:
                inside += 1
    return inside


def sieve(limit: int) -> int:
    composite = [False] * (limit + 1)
    count = 0
    for i in range(2, limit + 1):
        if not composite[i]:
            count += 1
            for j in range(i * i, limit + 1, i):
                composite[j] = True
    return count


def sort_ints(count: int) -> int:
    """Fills a list by append, then insertion sort in shell steps: reads, writes, compares."""
    values: list[int] = []
    state = 42
    for _ in range(count):
        state = (state * 1103515245 + 12345) % 2147483648
        values.append(state)
    gap = count // 2
    while gap > 0:
        for i in range(gap, count):
            item = values[i]
            j = i
            while j >= gap and values[j - gap] > item:
                values[j] = values[j - gap]
                j -= gap
            values[j] = item
        gap //= 2
    return values[0] + values[count // 2]


def smooth(turns: int) -> float:
    """Three-point averages over a list[float], in place."""
    values = [0.0] * 1000
    values[500] = 1000.0
    for _ in range(turns):
        left = values[0]
        for i in range(1, len(values) - 1):
            here = values[i]
            values[i] = (left + here + values[i + 1]) / 3.0
            left = here
    return values[500]


def append_sum(count: int) -> int:
    values: list[int] = []
    for i in range(count):
        values.append(i * 3)
    total = 0
    for value in values:
        total += value
    return total


def fib(n: int) -> int:
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)


def ackermann(n: int) -> int:
    return ackermann_of(2, n)


def ackermann_of(m: int, n: int) -> int:
    if m == 0:
        return n + 1
    if n == 0:
        return ackermann_of(m - 1, 1)
    return ackermann_of(m - 1, ackermann_of(m, n - 1))


def build_text(count: int) -> int:
    """Characters one by one: the text grows in a loop."""
    text = ""
    for i in range(count):
        text += "ab"
        if i % 16 == 0:
            text += "\n"
    return len(text)


def number_text(count: int) -> int:
    """Numbers into a text, by +=."""
    text = ""
    for i in range(count):
        text += str(i) + ","
    return len(text)


def format_text(count: int) -> int:
    """Formatted pieces in a list, joined at the end."""
    parts: list[str] = []
    for i in range(count):
        parts.append(f"{i}={i * 2}")
    return len(";".join(parts))


def count_ints(count: int) -> int:
    counts: dict[int, int] = {}
    for i in range(count):
        key = i * 7919 % 1000
        counts[key] = counts.get(key, 0) + 1
    return counts[0]


def count_words(count: int) -> int:
    words = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta"]
    counts: dict[str, int] = {}
    for word in words:
        counts[word] = 0
    for i in range(count):
        word = words[i % 8]
        if word in counts:
            counts[word] += 1
    return counts["eta"]


def read_list(count: int) -> int:
    """Reads by a changing index, out of order."""
    values = list(range(1024))
    total = 0
    at = 0
    for _ in range(count):
        at = (at + 389) % 1024
        total += values[at]
    return total


def write_list(count: int) -> int:
    """Writes by a changing index, out of order."""
    values = [0] * 1024
    at = 0
    for i in range(count):
        at = (at + 389) % 1024
        values[at] = i
    return values[0] + values[512]


class Account:
    """A balance that methods change."""

    def __init__(self, balance: int) -> None:
        self.balance = balance

    def deposit(self, amount: int) -> None:
        self.balance += amount

    def with_interest(self, per_mille: int) -> int:
        return self.balance + self.balance * per_mille // 1000


def method_calls(count: int) -> int:
    account = Account(100)
    total = 0
    for i in range(count):
        account.deposit(i % 7)
        total += account.with_interest(20) % 1000
    return total


class Shape:
    """The base of what `virtual_calls` measures."""

    def __init__(self, extent: int) -> None:
        self.extent = extent

    def area(self) -> int:
        return 0


class Square(Shape):
    """area is overridden."""

    def area(self) -> int:
        return self.extent * self.extent


class Corner(Shape):
    """area is overridden."""

    def area(self) -> int:
        return self.extent * self.extent // 2


def virtual_calls(count: int) -> int:
    """Calls of an overridden method on a list of the base class."""
    shapes: list[Shape] = [Square(3), Corner(4), Square(5), Corner(6), Shape(7), Square(8), Corner(9), Square(1)]
    total = 0
    for i in range(count):
        total += shapes[i % 8].area()
    return total


def lookup_ints(count: int) -> int:
    """Reads of a dict of 1000 ints."""
    table: dict[int, int] = {}
    for i in range(1000):
        table[i * 7] = i
    total = 0
    for i in range(count):
        total += table[i % 1000 * 7]
    return total


def lookup_words(count: int) -> int:
    """Reads of a dict of 200 texts, by texts of a list."""
    table: dict[str, int] = {}
    words: list[str] = []
    for i in range(200):
        word = f"word {i}"
        words.append(word)
        table[word] = i
    total = 0
    for i in range(count):
        total += table[words[i % 200]]
    return total


def checked(value: int) -> int:
    if value % 4 == 0:
        raise ValueError("a multiple of four")
    return value


def try_except(count: int) -> int:
    """An exception out of a call in every fourth turn."""
    total = 0
    for i in range(count):
        try:
            total += checked(i)
        except ValueError:
            total -= 1
    return total


def try_quietly(count: int) -> int:
    """A try statement that nothing raises in."""
    total = 0
    for i in range(count):
        try:
            total += i % 3
        except ValueError:
            total -= 1
    return total


WORKLOADS = [
    Workload("integer loop (Collatz)", collatz, 10000, 849666, 0.7, 0.5, "language_numbers.lua"),
    Workload("integer loop (gcd)", gcd_sum, 100000, 854284, 0.7, 0.5, "language_numbers.lua"),
    Workload("float loop (Leibniz)", leibniz, 500000, 500000, 1.0, 0.5, "language_numbers.lua"),
    Workload("float loop (Mandelbrot)", mandelbrot, 150, 434868, 1.0, 0.5, "language_numbers.lua"),
    Workload("list[bool] loop (sieve)", sieve, 200000, 480000, 1.0, 0.5, "language_lists.lua"),
    Workload("list[int] loop (shell sort)", sort_ints, 20000, 600000, 1.0, 0.5, "language_lists.lua"),
    Workload("list[float] loop (smooth)", smooth, 400, 399200, 1.0, 0.5, "language_lists.lua"),
    Workload("list append and iterate", append_sum, 300000, 600000, 1.0, 0.5, "language_lists.lua"),
    Workload("list reads", read_list, 300000, 300000, 1.0, 0.5, "language_lists.lua"),
    Workload("list writes", write_list, 300000, 300000, 1.0, 0.5, "language_lists.lua"),
    Workload("recursive fib", fib, 25, 242785, 1.0, 0.5, "language_numbers.lua"),
    Workload("recursive Ackermann", ackermann, 200, 82217, 1.0, 0.5, "language_numbers.lua"),
    Workload("method calls, two a turn", method_calls, 200000, 200000, 1.5, 0.5, "language_classes.lua"),
    Workload("virtual calls", virtual_calls, 200000, 200000, 1.5, 0.5, "language_classes.lua"),
    Workload("try/except, raised by every fourth call", try_except, 100000, 100000, None, 1.0,
             "language_classes.lua"),
    Workload("try/except, nothing raised", try_quietly, 200000, 200000, None, 1.0, "language_classes.lua"),
    Workload("string building, +=", build_text, 20000, 21250, 1.0, 1.0, "language_texts.lua"),
    Workload("string building, += str(i)", number_text, 20000, 20000, 1.0, 1.0, "language_texts.lua"),
    Workload("string building, f-strings and join", format_text, 50000, 50000, 1.0, 1.0, "language_texts.lua"),
    Workload("dict[int, int]", count_ints, 200000, 200000, None, 1.0, "language_texts.lua"),
    Workload("dict[str, int]", count_words, 200000, 200000, None, 1.0, "language_texts.lua"),
    Workload("dict[int, int], reads", lookup_ints, 200000, 200000, None, 1.0, "language_texts.lua"),
    Workload("dict[str, int], reads", lookup_words, 200000, 200000, None, 1.0, "language_texts.lua"),
]
