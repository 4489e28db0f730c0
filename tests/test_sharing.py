"""Work divided among threads always and never, memory asked early always and never: the same bits.

Each setting is read when a runtime is made, so each has a process of its own, which prints a digest of all results.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys

import numpy as np

import tsm
from tsm import Tensor, nn
from tsm.nn import functional as F


class Layers(nn.Module):
    """(n, 70) to (n, 40): products of any height with their epilogues, a norm and attention."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(70, 200)
        self.second = nn.Linear(200, 120)
        self.norm = nn.LayerNorm(120)
        self.out = nn.Linear(40, 40)

    def forward(self, x: Tensor) -> Tensor:
        h = self.norm(F.gelu(self.second(F.relu(self.first(x)))))
        q, k, v = h.chunk(3, 1)
        return self.out(F.scaled_dot_product_attention(q.unsqueeze(0), k.unsqueeze(0), v.unsqueeze(0)).squeeze(0))


def steps(x: Tensor, w: Tensor) -> Tensor:
    h = tsm.zeros(1, w.size(0))
    for t in range(x.size(0)):
        h = tsm.tanh(h @ w + x[t])
    return h


def chain(a: Tensor, b: Tensor, c: Tensor) -> tuple[Tensor, Tensor]:
    d = tsm.tanh(a * b + c) * tsm.sigmoid(a)
    return d - tsm.exp(-b * b), d > c


def rows(a: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    return tsm.softmax(a, 1), tsm.softmax(a, 0), a.mean(1), a.mean(0)


def images(x: Tensor, w: Tensor, v: Tensor) -> Tensor:
    return F.max_pool2d(F.conv2d(F.relu(F.conv2d(x, w, padding=1)), v), 2)


def results() -> list[np.ndarray]:
    """Everything above, on sizes below and above those from which threads pay."""
    numbers = np.random.default_rng(5)

    def normal(*shape: int) -> Tensor:
        return tsm.from_numpy(numbers.standard_normal(shape, np.float32))

    layers = Layers()
    for parameter in layers.parameters():
        parameter.copy_(normal(*parameter.shape) / 8)
    network = tsm.freeze(tsm.script(layers.eval()))
    found = [network(normal(n, 70)) for n in (1, 2, 17, 300)]
    found.append(tsm.script(steps)(normal(9, 1, 96), normal(96, 96) / 8))
    for size in (7, 1000, 100_003):
        found += tsm.script(chain)(normal(size), normal(size), normal(size))
    found += tsm.script(chain)(normal(600, 500), normal(500), normal(600, 1))
    for shape in ((1, 5), (33, 70), (700, 300)):
        found += tsm.script(rows)(normal(*shape))
    found.append(tsm.script(images)(normal(2, 16, 21, 19), normal(24, 16, 3, 3) / 8, normal(8, 24, 1, 1) / 4))
    return [item.contiguous().numpy() for item in found]


def digest(**settings: str) -> str:
    """What a process with these variables prints."""
    done = subprocess.run([sys.executable, __file__], capture_output=True, text=True, env={**os.environ, **settings})
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_choices_do_not_matter(isa: str) -> None:
    alone = digest(TSM_ISA=isa, TSM_THREADS="1")
    for threads, sharing, fetching in (("3", "1", ""), ("3", "", ""), ("3", "0", ""), ("1", "", "1"), ("2", "1", "1"),
                                       ("2", "", "0")):
        assert digest(TSM_ISA=isa, TSM_THREADS=threads, TSM_SHARING=sharing, TSM_FETCHING=fetching) == alone


if __name__ == "__main__":
    print(hashlib.sha256(b"".join(item.tobytes() for item in results())).hexdigest())
