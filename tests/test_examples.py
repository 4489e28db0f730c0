"""Programs as their authors write them, run from C: the tokenizer beside a library's, the translator beside PyTorch."""

from __future__ import annotations

import importlib.util
import itertools
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import tsm

EXAMPLES = Path(__file__).parent.parent / "examples"
TOKENIZER, TRANSLATE = EXAMPLES / "tokenizer", EXAMPLES / "translate"
WORDS, LIMIT = 5, 4


def load_module(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"example_{path.stem}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def build(source: Path, folder: Path) -> Path:
    flags = subprocess.run([sys.executable, "-m", "tsm", "config", "--cflags", "--libs"],
                           capture_output=True, text=True, check=True).stdout.split()
    subprocess.run([os.environ.get("CC", "cc"), "-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", str(source),
                    "-o", str(folder / source.stem), *flags], check=True)
    return folder / source.stem


def run(*command: object) -> str:
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def tokenizer() -> Any:
    return load_module(TOKENIZER / "tokenizer.py").load(TOKENIZER / "tokens.json")


def real_text() -> str:
    """A megabyte of English text and source, with some of other scripts."""
    text = (TOKENIZER / "languages.txt").read_text(encoding="utf-8")
    return text + load_module(TOKENIZER / "sample.py").real_text(2**20)


def test_tokens_equal_those_of_python_and_decode_to_the_text(tokenizer: Any) -> None:
    text = (TOKENIZER / "languages.txt").read_text(encoding="utf-8")
    scripted = tsm.script(tokenizer)
    tokens = scripted(text)
    assert tokens == tokenizer.forward(text) and scripted.decode(tokens) == text
    assert scripted.decode(tokens[:-1] + [tokenizer.byte_tokens[0xE9]]).endswith("\N{REPLACEMENT CHARACTER}")


def test_tokens_from_c_equal_those_of_an_established_library(tokenizer: Any, tmp_path: Path) -> None:
    tiktoken = pytest.importorskip("tiktoken")
    pattern = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
    ranks = {token: index for index, token in enumerate(tokenizer.tokens)}
    library = tiktoken.Encoding("peer", pat_str=pattern, mergeable_ranks=ranks, special_tokens={})
    tsm.script(tokenizer).save(tmp_path / "tokenizer.tsm")
    text = real_text()
    (tmp_path / "text.txt").write_bytes(text.encode())
    program = build(TOKENIZER / "tokenizer.c", tmp_path)
    found = run(program, tmp_path / "tokenizer.tsm", tmp_path / "text.txt")
    assert list(map(int, found.split())) == library.encode(text, disallowed_special=())


def test_a_text_that_is_not_utf8_is_refused_in_c(tokenizer: Any, tmp_path: Path) -> None:
    tsm.script(tokenizer).save(tmp_path / "tokenizer.tsm")
    (tmp_path / "text.txt").write_bytes(b"\xff")
    program = build(TOKENIZER / "tokenizer.c", tmp_path)
    done = subprocess.run([program, tmp_path / "tokenizer.tsm", tmp_path / "text.txt"], capture_output=True, text=True)
    assert done.returncode == 1 and "not UTF-8" in done.stderr


@pytest.fixture(scope="module")
def translator() -> Iterator[Any]:
    module = load_module(TRANSLATE / "translate.py")
    tsm.manual_seed(3)
    yield module.Translator(WORDS, 8)


def all_translations() -> Iterator[tuple[int, ...]]:
    """Every sequence that ends with its first end word, or has LIMIT words without one."""
    for length in range(1, LIMIT + 1):
        for words in itertools.product(range(WORDS), repeat=length):
            if 1 not in words[:-1] and (words[-1] == 1 or length == LIMIT):
                yield words


def score_of(translator: Any, source: list[int], words: tuple[int, ...]) -> float:
    """The sum of log-probabilities of one translation, found word by word."""
    memory, (hidden, cell) = translator.encoder(translator.embedding(tsm.tensor(source)).unsqueeze(0))
    hidden, cell, total = hidden[0], cell[0], 0.0
    is_padding = tsm.zeros(1, len(source), dtype=tsm.bool)
    for before, word in zip((0, *words), words):
        chances, hidden, cell = translator.step(tsm.tensor([before]), hidden, cell, memory, is_padding)
        total += float(chances[0, word])
    return total


def test_beam_search_from_c_equals_exhaustive_search(translator: Any, tmp_path: Path) -> None:
    source = [2, 4, 3]
    scores = {words: score_of(translator, source, words) for words in all_translations()}
    best = sorted(scores, key=lambda words: -scores[words])
    tsm.script(translator).save(tmp_path / "translate.tsm")
    program = build(TRANSLATE / "translate.c", tmp_path)
    lines = run(program, tmp_path / "translate.tsm", len(scores), LIMIT, *source).splitlines()
    found = [(tuple(map(int, line.split()[1:])), float(line.split()[0])) for line in lines]
    assert len(found) == len(best)
    assert [words for words, _ in found] == best
    assert np.allclose([score for _, score in found], [scores[words] for words in best], atol=1e-5)


def test_the_translator_equals_its_pytorch_twin(translator: Any, tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    text = (TRANSLATE / "translate.py").read_text().replace("import tsm as torch", "import torch")
    (tmp_path / "twin.py").write_text(text.replace("from tsm", "from torch"))
    twin = load_module(tmp_path / "twin.py").Translator(WORDS, 8)
    twin.load_state_dict({name: torch.from_numpy(np.array(value)) for name, value in translator.state_dict().items()})
    scripted = tsm.script(translator)
    chance = random.Random(5)
    for batch, length in ((1, 1), (3, 6), (5, 4)):
        source = [[chance.randrange(2, WORDS) for _ in range(length)] for _ in range(batch)]
        lengths = [chance.randrange(1, length + 1) for _ in range(batch)]
        with torch.no_grad():
            wanted, wanted_scores = twin(torch.tensor(source), torch.tensor(lengths))
            wanted_found = twin.search(torch.tensor(source[0]), 4)
        words, scores = scripted(tsm.tensor(source), tsm.tensor(lengths))
        assert words == wanted
        assert np.allclose(np.array(scores), wanted_scores.numpy(), atol=1e-4)
        found = scripted.search(tsm.tensor(source[0]), 4)
        assert [words for words, _ in found] == [words for words, _ in wanted_found]
