"""A script class with methods, used inside a function."""
from typing import List, Tuple

import torch


@torch.jit.script
class Counter(object):
    def __init__(self, limit: int):
        self.limit = limit
        self.seen: List[int] = []

    def add(self, n: int) -> bool:
        if len(self.seen) >= self.limit:
            return False
        self.seen.append(n)
        return True

    def total(self) -> int:
        s = 0
        for v in self.seen:
            s += v
        return s


@torch.jit.script
class Pair:
    def __init__(self, x, y):
        # type: (int, int) -> None
        self.x = x
        self.y = y

    def swap(self):
        # type: () -> None
        self.x, self.y = self.y, self.x


@torch.jit.script
def consume(values: List[int], limit: int) -> Tuple[int, int, bool]:
    c = Counter(limit)
    ok = True
    for v in values:
        ok = c.add(v)
        if not ok:
            break
    p = Pair(c.total(), len(c.seen))
    p.swap()
    return p.x, p.y, ok


def main():
    return [consume([1, 2, 3], 2), consume([5], 3), consume([], 0), consume([4, 4, 4, 4], 4)]
