"""Scalar loops and loops over tensors of one element: what the interpreter costs."""

from __future__ import annotations

from tsm import Tensor


def collatz(limit: int) -> int:
    """Steps to 1 of every number below `limit`, added up."""
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


def newton(x: Tensor, steps: int) -> Tensor:
    """Square root of a one-element tensor: three operators a step."""
    guess = x
    for _ in range(steps):
        guess = (guess + x / guess) * 0.5
    return guess


def accumulate(x: Tensor, steps: int) -> Tensor:
    """One-element tensor additions: one operator a step."""
    total = x
    for _ in range(steps):
        total = total + x
    return total


def add(a: int, b: int) -> int:
    """What a call costs."""
    return a + b
