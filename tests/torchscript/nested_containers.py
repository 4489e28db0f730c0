"""Nested dicts and lists, comprehension, sorting, string keys."""
from typing import Dict, List, Tuple

import torch


@torch.jit.script
def histogram(words: List[str]) -> Dict[str, int]:
    counts: Dict[str, int] = {}
    for w in words:
        counts[w] = counts.get(w, 0) + 1
    return counts


@torch.jit.script
def group(pairs: List[Tuple[str, float]]) -> Dict[str, List[float]]:
    out: Dict[str, List[float]] = {}
    for key, value in pairs:
        if key not in out:
            out[key] = torch.jit.annotate(List[float], [])
        out[key].append(value)
    return out


@torch.jit.script
def table(rows: int, cols: int) -> List[List[int]]:
    grid = [[r * c for c in range(cols)] for r in range(rows)]
    grid.reverse()
    flat: List[int] = []
    for row in grid:
        flat.extend(row)
    flat.sort()
    return grid + [flat]


def main():
    return [histogram(["a", "b", "a"]), group([("x", 1.0), ("y", 2.0), ("x", 3.0)]), table(3, 2), table(0, 4)]
