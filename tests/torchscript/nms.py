"""Greedy non-maximum suppression with tensors and masks."""
import torch
from torch import Tensor


@torch.jit.script
def box_area(boxes: Tensor) -> Tensor:
    return (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])


@torch.jit.script
def nms(boxes: Tensor, scores: Tensor, threshold: float) -> Tensor:
    order = scores.argsort(descending=True)
    areas = box_area(boxes)
    keep = torch.zeros(boxes.size(0), dtype=torch.bool)
    while order.numel() > 0:
        i = order[0]
        keep[i] = True
        rest = order[1:]
        left = torch.max(boxes[rest, 0], boxes[i, 0])
        top = torch.max(boxes[rest, 1], boxes[i, 1])
        right = torch.min(boxes[rest, 2], boxes[i, 2])
        bottom = torch.min(boxes[rest, 3], boxes[i, 3])
        inter = (right - left).clamp(min=0) * (bottom - top).clamp(min=0)
        iou = inter / (areas[i] + areas[rest] - inter)
        order = rest[iou <= threshold]
    return torch.nonzero(keep).squeeze(1)


def main():
    boxes = torch.tensor([[0.0, 0, 2, 2], [0.1, 0, 2, 2], [3, 3, 4, 4], [3, 3, 4.5, 4], [9, 9, 10, 10]])
    scores = torch.tensor([0.9, 0.8, 0.7, 0.75, 0.1])
    return [nms(boxes, scores, 0.5).tolist(), nms(boxes, scores, 0.99).tolist(), box_area(boxes).tolist()]
