"""Transformers: ViT-Tiny/16, a BERT-like encoder of 4 x 256, and a decoder of GPT-2's small shape with a KV cache."""

from __future__ import annotations

import tsm
from tsm import Tensor, nn
from tsm.nn import functional as F


class Attention(nn.Module):
    """Self-attention with separate projections for queries, keys and values, as BERT writes it."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.q = nn.Linear(width, width)
        self.k = nn.Linear(width, width)
        self.v = nn.Linear(width, width)
        self.out = nn.Linear(width, width)

    def split(self, x: Tensor) -> Tensor:
        return x.reshape(x.size(0), x.size(1), self.heads, x.size(2) // self.heads).transpose(1, 2)

    def forward(self, x: Tensor) -> Tensor:
        y = F.scaled_dot_product_attention(self.split(self.q(x)), self.split(self.k(x)), self.split(self.v(x)))
        return self.out(y.transpose(1, 2).reshape(x.size(0), x.size(1), x.size(2)))


class JointAttention(nn.Module):
    """Self-attention whose queries, keys and values come from one projection, as ViT writes it."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)

    def forward(self, x: Tensor) -> Tensor:
        n, t, width = x.size(0), x.size(1), x.size(2)
        qkv = self.qkv(x).reshape(n, t, 3, self.heads, width // self.heads).permute(2, 0, 3, 1, 4)
        y = F.scaled_dot_product_attention(qkv[0], qkv[1], qkv[2])
        return self.out(y.transpose(1, 2).reshape(n, t, width))


class Feed(nn.Module):
    """Two linear layers with GELU between."""

    def __init__(self, width: int, inner: int) -> None:
        super().__init__()
        self.up = nn.Linear(width, inner)
        self.down = nn.Linear(inner, width)

    def forward(self, x: Tensor) -> Tensor:
        return self.down(F.gelu(self.up(x)))


class ViTBlock(nn.Module):
    """Norms before attention and before the feed-forward part."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.norm1 = nn.LayerNorm(width)
        self.attention = JointAttention(width, heads)
        self.norm2 = nn.LayerNorm(width)
        self.feed = Feed(width, 4 * width)

    def forward(self, x: Tensor) -> Tensor:
        x = x + self.attention(self.norm1(x))
        return x + self.feed(self.norm2(x))


class ViTTiny(nn.Module):
    """(n, 3, 224, 224) to (n, 1000): patches of 16, width 192, 12 blocks, 3 heads."""

    def __init__(self) -> None:
        super().__init__()
        self.patch = nn.Conv2d(3, 192, 16, stride=16)
        self.token = nn.Parameter(tsm.zeros(1, 1, 192))
        self.position = nn.Parameter(tsm.zeros(1, 197, 192))
        self.blocks = nn.Sequential(*[ViTBlock(192, 3) for _ in range(12)])
        self.norm = nn.LayerNorm(192)
        self.head = nn.Linear(192, 1000)

    def forward(self, image: Tensor) -> Tensor:
        x = tsm.flatten(self.patch(image), 2).transpose(1, 2)
        x = tsm.cat([self.token.expand(x.size(0), 1, 192), x], 1) + self.position
        x = self.norm(self.blocks(x))
        return self.head(x[:, 0])


class BertLayer(nn.Module):
    """Norms after attention and after the feed-forward part."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.attention = Attention(width, heads)
        self.norm1 = nn.LayerNorm(width)
        self.feed = Feed(width, 4 * width)
        self.norm2 = nn.LayerNorm(width)

    def forward(self, x: Tensor) -> Tensor:
        x = self.norm1(x + self.attention(x))
        return self.norm2(x + self.feed(x))


class Bert(nn.Module):
    """Token numbers (n, t), t <= 128, to (n, t, 256)."""

    def __init__(self) -> None:
        super().__init__()
        self.words = nn.Embedding(8192, 256)
        self.positions = nn.Embedding(128, 256)
        self.norm = nn.LayerNorm(256)
        self.layers = nn.Sequential(*[BertLayer(256, 4) for _ in range(4)])

    def forward(self, tokens: Tensor) -> Tensor:
        places = tsm.arange(tokens.size(1))
        return self.layers(self.norm(self.words(tokens) + self.positions(places)))


class GPTBlock(nn.Module):
    """A decoder block; gives its output and the keys and values so far."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.norm1 = nn.LayerNorm(width)
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        self.norm2 = nn.LayerNorm(width)
        self.up = nn.Linear(width, 4 * width)
        self.down = nn.Linear(4 * width, width)

    def split(self, x: Tensor) -> Tensor:
        return x.reshape(x.size(0), x.size(1), self.heads, x.size(2) // self.heads).transpose(1, 2)

    def forward(self, x: Tensor, keys: Tensor, values: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        q, k, v = self.qkv(self.norm1(x)).chunk(3, 2)
        keys = tsm.cat([keys, self.split(k)], 2)
        values = tsm.cat([values, self.split(v)], 2)
        y = F.scaled_dot_product_attention(self.split(q), keys, values)
        x = x + self.out(y.transpose(1, 2).reshape(x.size(0), x.size(1), x.size(2)))
        return x + self.down(F.gelu(self.up(self.norm2(x)), approximate="tanh")), keys, values


class GPT2(nn.Module):
    """GPT-2's small shape: 12 blocks of width 768, 12 heads, 50257 words. One token a step, from the first on."""

    def __init__(self) -> None:
        super().__init__()
        self.words = nn.Embedding(50257, 768)
        self.positions = nn.Embedding(1024, 768)
        self.blocks = nn.ModuleList([GPTBlock(768, 12) for _ in range(12)])
        self.norm = nn.LayerNorm(768)
        self.head = nn.Linear(768, 50257, bias=False)
        self.head.weight = self.words.weight

    def forward(
        self, token: Tensor, place: Tensor, keys: list[Tensor], values: list[Tensor]
    ) -> tuple[Tensor, list[Tensor], list[Tensor]]:
        """Token and place (1, 1), caches of (1, 12, t, 64): logits (1, 50257) and caches of t + 1."""
        x = self.words(token) + self.positions(place)
        new_keys: list[Tensor] = []
        new_values: list[Tensor] = []
        for i, block in enumerate(self.blocks):
            x, k, v = block(x, keys[i], values[i])
            new_keys.append(k)
            new_values.append(v)
        return self.head(self.norm(x)[:, 0]), new_keys, new_values


class Greedy(nn.Module):
    """The most likely words after given ones: (1, n) to (1, steps), and the logits after the last."""

    def __init__(self) -> None:
        super().__init__()
        self.model = GPT2()

    def forward(self, given: Tensor, steps: int) -> tuple[Tensor, Tensor]:
        keys = [tsm.zeros(1, 12, 0, 64) for _ in range(12)]
        values = [tsm.zeros(1, 12, 0, 64) for _ in range(12)]
        words: list[Tensor] = []
        token = given[:, :1]
        logits = tsm.zeros(1, 50257)
        for step in range(steps):
            if step < given.size(1):
                token = given[:, step : step + 1]
            words.append(token)
            logits, keys, values = self.model(token, tsm.full([1, 1], step, dtype=tsm.long), keys, values)
            token = logits.argmax(1, keepdim=True)
        return tsm.cat(words, 1), logits
