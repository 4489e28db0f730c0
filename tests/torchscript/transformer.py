"""A small encoder block with masks, as text models write it."""
import math
from typing import Optional

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


class Attention(nn.Module):
    def __init__(self, dim: int, heads: int):
        super().__init__()
        assert dim % heads == 0
        self.heads, self.head_dim = heads, dim // heads
        self.qkv = nn.Linear(dim, 3 * dim)
        self.out = nn.Linear(dim, dim)

    def forward(self, x: Tensor, mask: Optional[Tensor] = None) -> Tensor:
        b, t, c = x.shape
        q, k, v = self.qkv(x).reshape(b, t, 3, self.heads, self.head_dim).permute(2, 0, 3, 1, 4).unbind(0)
        scores = (q @ k.transpose(-2, -1)) / math.sqrt(self.head_dim)
        if mask is not None:
            scores = scores.masked_fill(mask[:, None, None, :] == 0, -1e9)
        y = (F.softmax(scores, dim=-1) @ v).transpose(1, 2).contiguous().view(b, t, c)
        return self.out(y)


class Encoder(nn.Module):
    def __init__(self, vocab: int, dim: int, heads: int, layers: int):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.attn = nn.ModuleList([Attention(dim, heads) for _ in range(layers)])
        self.norm = nn.ModuleList([nn.LayerNorm(dim) for _ in range(layers)])
        self.register_buffer("scale", torch.tensor(0.5))
        for i, p in enumerate(self.parameters()):
            with torch.no_grad():
                p.copy_((((torch.arange(p.numel()) * (2 * i + 5)) % 11).float() / 11 - 0.45).view(p.shape))

    def forward(self, ids: Tensor, lengths: Optional[Tensor] = None) -> Tensor:
        x = self.embed(ids)
        mask = torch.ones_like(ids)
        if lengths is not None:
            mask = (torch.arange(ids.shape[1])[None, :] < lengths[:, None]).long()
        for attn, norm in zip(self.attn, self.norm):
            x = norm(x + attn(x, mask) * self.scale)
        return x.mean(dim=1)


def main():
    m = torch.jit.script(Encoder(7, 4, 2, 2).eval())
    ids = torch.tensor([[1, 2, 3], [6, 0, 5]])
    return [m(ids).tolist(), m(ids, torch.tensor([2, 3])).tolist()]
