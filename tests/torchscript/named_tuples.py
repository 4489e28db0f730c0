"""Results as NamedTuples."""
from typing import List, NamedTuple, Optional

import torch
from torch import Tensor


class Detection(NamedTuple):
    box: Tensor
    score: float
    label: Optional[str]


class Batch(NamedTuple):
    items: List[Detection]
    count: int


def keep(boxes: Tensor, scores: Tensor, labels: List[str], threshold: float) -> Batch:
    found: List[Detection] = []
    for i in range(boxes.size(0)):
        s = float(scores[i].item())
        if s >= threshold:
            found.append(Detection(boxes[i], s, labels[i] if i < len(labels) else None))
    return Batch(items=found, count=len(found))


def main():
    f = torch.jit.script(keep)
    boxes = torch.arange(12).reshape(3, 4).float()
    b = f(boxes, torch.tensor([0.25, 0.5, 0.75]), ["cat", "dog"], 0.5)
    return [b.count, [(d.box.tolist(), d.score, d.label) for d in b.items], type(b).__name__,
            f(boxes, torch.zeros(3), [], 0.1).count]
