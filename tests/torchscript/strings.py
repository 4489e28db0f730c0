"""Text processing, as a preprocessing step in a saved model."""
from typing import Dict, List

import torch
import torch.nn as nn


class Tokenizer(nn.Module):
    vocab: Dict[str, int]

    def __init__(self, words: List[str]):
        super().__init__()
        self.vocab = {w: i for i, w in enumerate(words)}
        self.unk = len(words)

    def forward(self, text: str) -> torch.Tensor:
        ids: List[int] = []
        for word in text.lower().strip().split(" "):
            word = word.strip(".,!?")
            if len(word) == 0:
                continue
            if word in self.vocab:
                ids.append(self.vocab[word])
            else:
                for ch in word:
                    ids.append(self.unk + ord(ch) - ord("a"))
        return torch.tensor(ids, dtype=torch.long)

    @torch.jit.export
    def show(self, ids: List[int]) -> str:
        back: Dict[int, str] = {}
        for k, v in self.vocab.items():
            back[v] = k
        parts: List[str] = []
        for i in ids:
            parts.append(back[i] if i in back else "<{}>".format(i))
        return " ".join(parts)


def main():
    m = torch.jit.script(Tokenizer(["the", "cat", "sat"]))
    return [m("The cat sat.").tolist(), m(" The dog!  ").tolist(), m.show([0, 2, 9]), m.vocab]
