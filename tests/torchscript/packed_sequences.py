"""Sequences of different lengths through recurrent layers: packed, padded again, sorted or not."""

from typing import List, Tuple

import torch
import torch.nn as nn
from torch import Tensor
from torch.nn.utils.rnn import PackedSequence, pack_padded_sequence, pad_packed_sequence


def filled(module: nn.Module) -> nn.Module:
    for k, p in enumerate(module.parameters()):
        n = p.numel()
        p.data.copy_((torch.arange(n, dtype=torch.float32).sub(n / 2).mul(0.37 + 0.1 * k).sin() * 0.5).view(p.shape))
    return module


class Tagger(nn.Module):
    def __init__(self, is_sorted: bool):
        super().__init__()
        self.lstm = filled(nn.LSTM(3, 4, num_layers=2, bidirectional=True, batch_first=True))
        self.gru = filled(nn.GRU(8, 2, batch_first=True))
        self.rnn = filled(nn.RNN(8, 2, bidirectional=True))
        self.is_sorted = is_sorted

    def forward(self, x: Tensor, lengths: Tensor) -> Tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
        packed = pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=self.is_sorted)
        packed, (h, c) = self.lstm(packed)
        made, h2 = self.gru(packed, torch.ones(1, x.size(0), 2))
        made2, _ = self.rnn(packed)
        out, counts = pad_packed_sequence(made, batch_first=True, padding_value=-1.0)
        out2, _ = pad_packed_sequence(made2, total_length=6)
        return out, counts, h.sum(0) + c.sum(0), h2, out2


def pads(rows: List[Tensor]) -> Tensor:
    return torch.nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=0.5)


def main() -> list:
    x = torch.arange(60, dtype=torch.float32).mul(0.31).cos().view(4, 5, 3)
    found = []
    for is_sorted, lengths in ((True, [5, 3, 3, 1]), (False, [2, 5, 1, 4])):
        tagger = torch.jit.script(Tagger(is_sorted))
        for value in tagger(x, torch.tensor(lengths)):
            found.append(value.tolist())
    try:
        torch.jit.script(Tagger(True))(x, torch.tensor([1, 2, 3, 4]))
    except Exception as error:
        found.append("must be sorted" in str(error))
    found.append(torch.jit.script(pads)([x[0], x[1, :2]]).tolist())
    packed = pack_padded_sequence(x, torch.tensor([5, 4, 2, 2]), batch_first=True)
    assert isinstance(packed, PackedSequence)
    found.append([packed.data.shape[0], packed.batch_sizes.tolist()])
    return found
