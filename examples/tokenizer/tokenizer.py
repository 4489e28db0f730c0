"""A byte-level BPE tokenizer, as language models use: text to tokens and back, with GPT-2's way of splitting text.

A token is a sequence of bytes; the first 256 are the single bytes. Training has found pairs of tokens that are worth a
token of their own; encoding joins such pairs in each word, the earliest found pair first, until none is left.
"""

from __future__ import annotations

import json
from pathlib import Path

from tsm import export, nn

LETTER, NUMBER, SPACE, OTHER = 0, 1, 2, 3
NO_PAIR = 1 << 60


def class_of(char: str) -> int:
    if char.isalpha():
        return LETTER
    if char.isnumeric():
        return NUMBER
    if char.isspace() and not "\x1c" <= char <= "\x1f":
        return SPACE
    return OTHER


def contraction(text: str, start: int) -> int:
    """The length of 's, 't, 're, 've, 'm, 'll or 'd at `start`, or 0."""
    for suffix in ("'s", "'t", "'re", "'ve", "'m", "'ll", "'d"):
        if text.startswith(suffix, start):
            return len(suffix)
    return 0


def split(text: str) -> list[str]:
    """Words, numbers, punctuation and runs of space; a single space belongs to what follows it."""
    words: list[str] = []
    start = 0
    while start < len(text):
        end = start + contraction(text, start)
        if end == start:
            first = start + 1 if text[start] == " " and start + 1 < len(text) else start
            kind = class_of(text[first])
            if kind == SPACE:
                first, kind = start, SPACE
            end = first + 1
            while end < len(text) and class_of(text[end]) == kind:
                end += 1
            if kind == SPACE and end < len(text) and end - start > 1:
                end -= 1
        words.append(text[start:end])
        start = end
    return words


class Tokenizer(nn.Module):
    """`tokens` holds the bytes of each token; `pairs` the token that a pair becomes, in the order they were found."""

    def __init__(self, vocabulary: list[bytes], merges: list[tuple[int, int]]) -> None:
        super().__init__()
        number = {token: index for index, token in enumerate(vocabulary)}
        self.tokens = vocabulary
        self.byte_tokens = [number[bytes([byte])] for byte in range(256)]
        self.pairs = {pair: number[vocabulary[pair[0]] + vocabulary[pair[1]]] for pair in merges}
        self.order = {pair: rank for rank, pair in enumerate(merges)}
        self.known: dict[str, list[int]] = {}

    def join(self, word: list[int]) -> list[int]:
        """Joins the pairs of a word until no pair has a token."""
        while len(word) > 1:
            first = min(zip(word, word[1:]), key=lambda pair: self.order.get(pair, NO_PAIR))  # noqa: RUF007
            token = self.pairs.get(first)
            if token is None:
                break
            joined: list[int] = []
            at = 0
            while at < len(word):
                if at + 1 < len(word) and (word[at], word[at + 1]) == first:
                    joined.append(token)
                    at += 2
                else:
                    joined.append(word[at])
                    at += 1
            word = joined
        return word

    def forward(self, text: str) -> list[int]:
        """The tokens of a text; words that were seen before are looked up."""
        found: list[int] = []
        for word in split(text):
            known: list[int] | None = self.known.get(word)
            if known is None:
                known = self.join([self.byte_tokens[byte] for byte in word.encode()])
                self.known[word] = known
            found.extend(known)
        return found

    @export
    def decode(self, tokens: list[int]) -> str:
        """The text of tokens; bytes that are no UTF-8 become U+FFFD."""
        return b"".join([self.tokens[token] for token in tokens]).decode("utf-8", errors="replace")

    @export
    def split_words(self, text: str) -> list[str]:
        return split(text)


def load(path: Path) -> Tokenizer:
    """The tokenizer of a file that train.py wrote."""
    data = json.loads(path.read_text())
    vocabulary = [bytes.fromhex(token) for token in data["tokens"]]
    return Tokenizer(vocabulary, [(left, right) for left, right in data["merges"]])
