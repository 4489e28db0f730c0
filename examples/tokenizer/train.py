"""Finds the pairs of a byte-level BPE tokenizer with the library `tokenizers`, on text that comes with Python.

Writes tokens.json: the bytes of each token in hexadecimal, and the pairs in the order they were found.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from sample import real_text
from tokenizers import Tokenizer, models, pre_tokenizers, trainers


def byte_letters() -> dict[str, int]:
    """The letters that the library writes for bytes: printable Latin-1 is itself, the rest follows from U+0100 on."""
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in printable]
    return {chr(byte): byte for byte in printable} | {chr(256 + index): byte for index, byte in enumerate(others)}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--size", type=int, default=2000, help="how many tokens")
    options.add_argument("--out", type=Path, default=Path(__file__).with_name("tokens.json"))
    args = options.parse_args()
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = trainers.BpeTrainer(vocab_size=args.size, initial_alphabet=sorted(byte_letters()), show_progress=False)
    samples = (Path(__file__).with_name("languages.txt").read_text(encoding="utf-8"), real_text(2**21))
    tokenizer.train_from_iterator(samples, trainer)
    state = json.loads(tokenizer.to_str())["model"]
    letters = byte_letters()
    tokens = [bytes(letters[letter] for letter in token).hex() for token in state["vocab"]]
    merges = [[state["vocab"][left], state["vocab"][right]] for left, right in state["merges"]]
    args.out.write_text(json.dumps({"tokens": tokens, "merges": merges}, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
