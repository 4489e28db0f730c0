"""Functions of random, written as scripts.

In: nothing. Out: functions that stand for those of Python's library where a script names them.
Holds: they draw from a stream of their own (D13), which `seed` starts anew and what tensors draw does not move, as in
Python; errors are CPython 3.11's.
"""

from __future__ import annotations

import math
import random

from .containers import operator
from .operators import stands_for


@operator("prelude.python_random")
def fraction(bits):
    """A number of [0, 1) with so many bits behind the point."""


@operator("prelude.python_below")
def below(count):
    """One of 0 to count - 1."""


@operator("prelude.python_seed")
def start_stream(number):
    """Starts the stream anew."""


@stands_for(random.seed)
def seed(a: int) -> None:
    start_stream(a)


@stands_for(random.random)
def unit() -> float:
    return fraction(53)


@stands_for(random.uniform)
def uniform(a: float, b: float) -> float:
    return a + (b - a) * unit()


@stands_for(random.gauss)
def gauss(mu: float = 0.0, sigma: float = 1.0) -> float:
    radius = math.sqrt(-2.0 * math.log(1.0 - unit()))
    return mu + radius * math.cos(2.0 * math.pi * unit()) * sigma


@stands_for(random.normalvariate)
def normalvariate(mu: float = 0.0, sigma: float = 1.0) -> float:
    return gauss(mu, sigma)


@stands_for(random.randrange)
def randrange(start: int, stop=None, step: int = 1) -> int:
    if stop is None:
        if step != 1:
            raise TypeError("Missing a non-None stop argument")
        if start <= 0:
            raise ValueError("empty range for randrange()")
        return below(start)
    width = stop - start
    if step == 0:
        raise ValueError("zero step for randrange()")
    count = width if step == 1 else (width + step - 1) // step if step > 0 else (width + step + 1) // step
    if count <= 0:
        if step == 1:
            raise ValueError(f"empty range for randrange() ({start}, {stop}, {width})")
        raise ValueError("empty range for randrange()")
    return start + step * below(count)


@stands_for(random.randint)
def randint(a: int, b: int) -> int:
    return randrange(a, b + 1)


@stands_for(random.getrandbits)
def getrandbits(k: int) -> int:
    if k < 0:
        raise ValueError("number of bits must be non-negative")
    if k > 62:
        raise OverflowError("integer overflow: more random bits than an int has")
    return below(1 << k)


@stands_for(random.choice)
def choice(seq):
    if len(seq) == 0:
        raise IndexError("Cannot choose from an empty sequence")
    return seq[below(len(seq))]


@stands_for(random.shuffle)
def shuffle(x) -> None:
    for i in range(len(x) - 1, 0, -1):
        j = below(i + 1)
        x[i], x[j] = x[j], x[i]


@stands_for(random.sample)
def sample(population, k: int):
    if isinstance(population, (set, frozenset, dict)):
        raise TypeError("Population must be a sequence.  For dicts or sets, use sorted(d).")
    left = list(population)
    if not 0 <= k <= len(left):
        raise ValueError("Sample larger than population or is negative")
    for i in range(k):
        j = i + below(len(left) - i)
        left[i], left[j] = left[j], left[i]
    return left[:k]


@stands_for(random.choices)
def choices(population, weights=None, *, cum_weights=None, k: int = 1):
    count = len(population)
    if weights is None and cum_weights is None:
        return [population[int(unit() * count)] for _ in range(k)]
    if weights is not None and cum_weights is not None:
        raise TypeError("Cannot specify both weights and cumulative weights")
    sums: list[float] = []
    if weights is not None:
        for weight in weights:
            sums.append(weight + (sums[-1] if sums else 0.0))
    if cum_weights is not None:
        for weight in cum_weights:
            sums.append(weight)
    if len(sums) != count:
        raise ValueError("The number of weights does not match the population")
    total = sums[-1]
    if total <= 0.0:
        raise ValueError("Total of weights must be greater than zero")
    found = []
    for _ in range(k):
        sought, place = unit() * total, 0
        while place < count - 1 and sums[place] <= sought:
            place += 1
        found.append(population[place])
    return found
