"""Rows of tables, summed in bags: every mode, offsets and rows, weights, padding, empty bags."""

from typing import List, Optional, Tuple

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


def table(rows: int, columns: int) -> Tensor:
    return torch.arange(rows * columns, dtype=torch.float32).mul(0.7).sin().view(rows, columns)


class Bags(nn.Module):
    def __init__(self):
        super().__init__()
        self.bags = nn.ModuleList(
            [nn.EmbeddingBag.from_pretrained(table(9, 3), mode=mode) for mode in ("sum", "mean", "max")]
        )
        self.padded = nn.EmbeddingBag(9, 3, mode="mean", padding_idx=2, include_last_offset=True)
        self.padded.weight.data.copy_(table(9, 3))
        self.rows = nn.Embedding.from_pretrained(table(4, 2))

    def forward(self, indices: Tensor, offsets: Tensor, weights: Optional[Tensor]) -> List[Tensor]:
        found: List[Tensor] = []
        for i, bag in enumerate(self.bags):
            found.append(bag(indices, offsets, weights if i == 0 else None))
            found.append(bag(indices.view(2, -1)))
        found.append(self.padded(indices, torch.cat([offsets, torch.tensor([6])])))
        found.append(self.rows(indices % 4))
        return found


def functional(indices: Tensor, weight: Tensor) -> Tuple[Tensor, Tensor]:
    return F.embedding(indices, weight, 0), F.embedding_bag(indices.view(1, -1), weight, mode="max", padding_idx=1)


def main() -> list:
    bags = torch.jit.script(Bags())
    indices, offsets = torch.tensor([1, 2, 2, 8, 0, 5]), torch.tensor([0, 2, 2, 4])
    found = [[each.tolist() for each in bags(indices, offsets, w)] for w in (None, torch.arange(6.0))]
    found.append([each.tolist() for each in torch.jit.script(functional)(indices, table(9, 2))])
    for wrong in (lambda: bags(indices, torch.tensor([1, 2]), None), lambda: F.embedding_bag(indices, table(9, 2))):
        try:
            wrong()
        except Exception as error:
            found.append("offsets" in str(error))
    return found
