"""Beam search over a table of scores."""
from typing import List, Tuple

import torch
from torch import Tensor


@torch.jit.script
def beam_search(logits: Tensor, beam: int, end: int) -> Tuple[List[List[int]], List[float]]:
    start: List[int] = []
    sequences: List[List[int]] = [start]
    scores: List[float] = [0.0]
    for t in range(logits.size(0)):
        candidates: List[Tuple[float, int, int]] = []
        logp = torch.log_softmax(logits[t], dim=-1)
        for b in range(len(sequences)):
            if len(sequences[b]) > 0 and sequences[b][-1] == end:
                candidates.append((scores[b], b, -1))
                continue
            for v in range(logp.size(0)):
                candidates.append((scores[b] + float(logp[v].item()), b, v))
        candidates.sort(reverse=True)
        new_sequences: List[List[int]] = []
        new_scores: List[float] = []
        for score, b, v in candidates[:beam]:
            new_scores.append(score)
            new_sequences.append(sequences[b] if v < 0 else sequences[b] + [v])
        sequences = new_sequences
        scores = new_scores
    return sequences, scores


def main():
    logits = ((torch.arange(20) * 7) % 11).reshape(5, 4).float() / 3
    a, b = beam_search(logits, 3, 2)
    c, d = beam_search(logits, 1, 0)
    return [a, b, c, d]
