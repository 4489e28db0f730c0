"""The programs that are measured, written once: plain Python that tsm scripts, and the same text for TorchScript."""

from __future__ import annotations

import tsm
from tsm import Tensor


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


def newton(x: Tensor, steps: int) -> Tensor:
    """Square root of a one-element tensor: three operators a step."""
    guess = x
    for _ in range(steps):
        guess = (guess + x / guess) * 0.5
    return guess


def accumulate(x: Tensor, steps: int) -> Tensor:
    """One-element tensor additions."""
    total = x
    for _ in range(steps):
        total = total + x
    return total


def add(a: int, b: int) -> int:
    return a + b


TORCH_SOURCE = '''
def newton(x, steps: int):
    guess = x
    for _ in range(steps):
        guess = (guess + x / guess) * 0.5
    return guess

def accumulate(x, steps: int):
    total = x
    for _ in range(steps):
        total = total + x
    return total

def add(a: int, b: int) -> int:
    return a + b
'''

LUA_SOURCE = """
local function collatz(limit)
  local steps = 0
  for start = 1, limit - 1 do
    local n = start
    while n ~= 1 do
      if n % 2 == 0 then n = n // 2 else n = 3 * n + 1 end
      steps = steps + 1
    end
  end
  return steps
end
local limit = tonumber(arg[1])
local before = os.clock()
local steps = collatz(limit)
print(os.clock() - before, steps)
"""

__all__ = ["LUA_SOURCE", "TORCH_SOURCE", "accumulate", "add", "collatz", "newton", "tsm"]
