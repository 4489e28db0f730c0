"""Imports inside functions."""
# ruff: noqa: PLC0415 - that is what they are about

from __future__ import annotations

from language_rows import of_row
from oracle import program

of_row("names")


@program("imports among the statements, in branches and in a nested function", (4.0, 0), (4.0, 1), (2.5, 2), (-1.0, 0))
def imported(x: float, way: int) -> str:
    import math

    if way == 0:
        from math import cos
        from math import pi as half_turn

        return f"{math.sqrt(x) + half_turn * cos(0.0)}"
    if way == 1:
        import functools
        import itertools as chains

        return str(functools.reduce(lambda a, b: a + b, chains.accumulate([1, 2, 3]), 0))
    import collections.abc
    from collections import Counter, deque

    waiting = deque([way, 2])
    waiting.appendleft(0)

    def smallest(n: int) -> int:
        import heapq
        from operator import add

        heap = [n, 2, 1]
        heapq.heapify(heap)
        return add(math.floor(x), heapq.heappop(heap))

    return f"{list(waiting)} {Counter('aab').most_common(1)} {smallest(3)} {isinstance(waiting, collections.abc.Iterable)}"


@program("an imported name hides a builtin and a global", (4.5,), (-0.5,))
def hidden(x: float) -> tuple[int, float]:
    from math import fabs as of_row
    from math import floor as round  # noqa: A004

    def power(v: float) -> float:
        import math as m

        return m.pow(v, 2.0)

    return round(x), of_row(x) + power(x)
