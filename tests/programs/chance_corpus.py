"""The random module of Python's library, as far as its answers do not depend on the stream (D13)."""

# ruff: noqa
from __future__ import annotations

import random
from random import randint

from language_rows import of_row
from oracle import program

of_row("builtins")


@program("random: numbers within their bounds", (1, 6), (0, 0), (3, 1))
def bounded_numbers(low: int, high: int) -> tuple[bool, bool, bool, bool, int]:
    random.seed(low)
    units = [random.random() for _ in range(50)]
    rolls = [randint(low, high) for _ in range(20)]
    steps = [random.randrange(low, 20, 3) for _ in range(20)]
    spread = [random.uniform(2, 3) + random.gauss(0, 1) * 0 for _ in range(20)]
    return (all(0.0 <= x < 1.0 for x in units), all(low <= x <= high for x in rolls),
            all(x in range(low, 20, 3) for x in steps), all(2 <= x <= 3 for x in spread), random.getrandbits(0 * high + 1) // 2)


@program("random: lists shuffled, sampled and chosen from", ([3, 1, 2, 2], "abc"), ([7], "x"), ([], "q"))
def chosen_items(v: list[int], text: str) -> tuple[list[int], list[int], bool, str, list[int]]:
    mixed = list(v)
    random.shuffle(mixed)
    drawn = random.sample(v, len(v))
    letters = random.choices(text, weights=[0.0] * (len(text) - 1) + [2.0], k=3)
    one = random.choice(v)
    return sorted(mixed), sorted(drawn), one in v, "".join(letters), random.choices([5], k=len(v))


@program("random: what cannot be drawn", (0, [1]), (-2, []))
def undrawn(n: int, v: list[int]) -> list[str]:
    found: list[str] = []
    for step in range(6):
        try:
            if step == 0:
                random.randrange(n)
            elif step == 1:
                random.randint(5, n)
            elif step == 2:
                random.randrange(n, n + 9, 0)
            elif step == 3:
                random.sample(v, 3)
            elif step == 4:
                random.choices(v, weights=[1.0, 2.0])
            else:
                random.choice(v[1:])
        except (ValueError, IndexError) as e:
            found.append(f"{type(e).__name__}: {e}")
    return found
