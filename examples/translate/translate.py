"""Sequence to sequence: an LSTM reads the source, another one with attention writes the target, word by word.

`forward` translates a batch, always taking the best next word, and stops as soon as every sentence has ended. `search`
follows the `width` best beginnings of one sentence. Words are integers; 0 begins a sentence and 1 ends it.
"""

from __future__ import annotations

from dataclasses import dataclass

import tsm as torch
from tsm import Tensor, nn
from tsm.nn import functional as F

BEGIN, END = 0, 1


@dataclass
class Hypothesis:
    """The beginning of a translation: its words, the sum of their log-probabilities, and the decoder's state."""

    words: list[int]
    score: float
    hidden: Tensor
    cell: Tensor

    @property
    def is_complete(self) -> bool:
        return self.words[-1] == END

    def followed_by(self, word: int, score: float, hidden: Tensor, cell: Tensor) -> Hypothesis:
        return Hypothesis(self.words + [word], self.score + score, hidden, cell)


class Attention(nn.Module):
    """A query (batch, size) and what was read (batch, length, size) -> the weighted mean (batch, size)."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.project = nn.Linear(size, size, bias=False)

    def forward(self, query: Tensor, memory: Tensor, is_padding: Tensor) -> tuple[Tensor, Tensor]:
        scores = torch.bmm(memory, self.project(query).unsqueeze(2)).squeeze(2)
        weights = F.softmax(scores.masked_fill(is_padding, float("-inf")), dim=1)
        return torch.bmm(weights.unsqueeze(1), memory).squeeze(1), weights


class Translator(nn.Module):
    def __init__(self, words: int, size: int) -> None:
        super().__init__()
        self.words = words
        self.embedding = nn.Embedding(words, size)
        self.encoder = nn.LSTM(size, size, batch_first=True)
        self.decoder = nn.LSTMCell(2 * size, size)
        self.attention = Attention(size)
        self.output = nn.Linear(2 * size, words)

    def step(
        self, word: Tensor, hidden: Tensor, cell: Tensor, memory: Tensor, is_padding: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Log-probabilities (batch, words) of the word after `word` (batch), and the new state."""
        context, _ = self.attention(hidden, memory, is_padding)
        hidden, cell = self.decoder(torch.cat([self.embedding(word), context], dim=1), (hidden, cell))
        context, _ = self.attention(hidden, memory, is_padding)
        return F.log_softmax(self.output(torch.cat([hidden, context], dim=1)), dim=1), hidden, cell

    def forward(self, source: Tensor, lengths: Tensor, limit: int = 20) -> tuple[list[list[int]], Tensor]:
        """Source words (batch, length) int64 and their lengths (batch) -> translations and their scores (batch)."""
        memory, (hidden, cell) = self.encoder(self.embedding(source))
        is_padding = torch.arange(source.size(1)).unsqueeze(0) >= lengths.unsqueeze(1)
        hidden, cell = hidden[0], cell[0]
        word = torch.full((source.size(0),), BEGIN, dtype=torch.int64)
        ended = torch.zeros(source.size(0), dtype=torch.bool)
        scores = torch.zeros(source.size(0))
        translations: list[list[int]] = [[] for _ in range(source.size(0))]
        for _ in range(limit):
            chances, hidden, cell = self.step(word, hidden, cell, memory, is_padding)
            best, word = chances.max(dim=1)
            scores = torch.where(ended, scores, scores + best)
            for row in range(source.size(0)):
                if not ended[row]:
                    translations[row].append(int(word[row]))
            ended = ended | (word == END)
            if ended.all():
                break
        return translations, scores

    @torch.jit.export
    def search(self, source: Tensor, width: int, limit: int = 20) -> list[tuple[list[int], float]]:
        """The `width` best translations of one sentence (length,) found, the best first, with their scores."""
        memory, (hidden, cell) = self.encoder(self.embedding(source).unsqueeze(0))
        is_padding = torch.zeros(1, source.size(0), dtype=torch.bool)
        active = [Hypothesis([BEGIN], 0.0, hidden[0], cell[0])]
        complete: list[Hypothesis] = []
        while active and len(active[0].words) <= limit:
            candidates: list[Hypothesis] = []
            for hypothesis in active:
                word = torch.tensor([hypothesis.words[-1]])
                chances, hidden_, cell_ = self.step(word, hypothesis.hidden, hypothesis.cell, memory, is_padding)
                best, words = chances[0].topk(min(width, self.words))
                scores: list[float] = best.tolist()
                following: list[int] = words.tolist()
                for score, next_word in zip(scores, following):
                    candidates.append(hypothesis.followed_by(next_word, score, hidden_, cell_))
            candidates.sort(key=lambda hypothesis: hypothesis.score, reverse=True)
            active = []
            for hypothesis in candidates[:width]:
                (complete if hypothesis.is_complete else active).append(hypothesis)
            if len(complete) >= width and active and active[0].score < min(done.score for done in complete):
                break
        found = sorted(complete + active, key=lambda hypothesis: -hypothesis.score)
        return [(hypothesis.words[1:], hypothesis.score) for hypothesis in found[:width]]
