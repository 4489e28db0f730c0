"""Images between convolutions lie channels-last in memory, and no program can tell: scripted gives what eager gives.

Each method of `Programs` uses the result of a convolution in another way: views, returns, attributes, lists, loops.
"""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

import tsm
from tsm import Tensor, nn
from tsm.nn import functional as F

SHAPES = [(2, 4, 9, 11), (1, 4, 8, 8), (3, 4, 6, 1), (1, 4, 1, 1), (0, 4, 5, 5)]
PLAIN = [
    "returned",
    "flattened",
    "viewed",
    "stored",
    "permuted",
    "strides",
    "is_contiguous",
    "inplace",
    "normed",
    "pair",
]
COUNTED = ["looped", "looped_view", "branched", "left_early", "aliased"]


class Programs(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        tsm.manual_seed(3)
        self.w = nn.Parameter(tsm.randn(8, 4, 3, 3))
        self.square = nn.Parameter(tsm.randn(8, 8, 3, 3) * 0.2)
        self.joined = nn.Parameter(tsm.randn(8, 16, 3, 3) * 0.2)
        self.kept = tsm.zeros(1)

    @tsm.export
    def returned(self, x: Tensor) -> Tensor:
        return F.conv2d(x, self.w, None, 1, 1)

    @tsm.export
    def flattened(self, x: Tensor) -> Tensor:
        return F.relu(F.conv2d(x, self.w, None, 1, 1)).flatten(1)

    @tsm.export
    def viewed(self, x: Tensor) -> Tensor:
        y = F.conv2d(x, self.w, None, 1, 1)
        return y.view(-1) * 2.0 + y.view(-1)

    @tsm.export
    def stored(self, x: Tensor) -> Tensor:
        y = F.conv2d(x, self.w, None, 1, 1)
        self.kept = y
        return F.conv2d(y, self.square, None, 1, 1) + self.kept

    @tsm.export
    def permuted(self, x: Tensor) -> Tensor:
        return F.conv2d(x, self.w, None, 1, 1).permute([0, 2, 3, 1]).reshape(-1)

    @tsm.export
    def strides(self, x: Tensor) -> Tensor:
        y = F.relu(F.conv2d(x, self.w, None, 1, 1))
        n, c, h, w = y.stride()
        return tsm.tensor([n, c, h, w])

    @tsm.export
    def is_contiguous(self, x: Tensor) -> Tensor:
        return tsm.tensor([1 if F.conv2d(x, self.w, None, 1, 1).is_contiguous() else 0])

    @tsm.export
    def inplace(self, x: Tensor) -> Tensor:
        y = F.conv2d(x, self.w, None, 1, 1)
        y.relu_()
        z = F.conv2d(y, self.square, None, 1, 1).relu_()
        z += y
        return F.avg_pool2d(z, 3, 2, 1)

    @tsm.export
    def listed(self, x: Tensor) -> Tensor:
        a = F.conv2d(x, self.w, None, 1, 1)
        b = F.relu(F.conv2d(a, self.square, None, 1, 1))
        parts = [a, F.conv2d(tsm.cat([a, b], 1), self.joined, None, 1, 1)]
        parts.append(b)
        total = x.sum()
        for part in parts:
            total = total + part.view(-1)[3] + part.view(-1).max()
        return total + tsm.cat([a, b], 0).flatten()

    @tsm.export
    def normed(self, x: Tensor) -> Tensor:
        y = F.conv2d(x, self.w, None, 1, 1)
        mean, var = tsm.arange(8).float(), tsm.arange(1, 9).float()
        y = F.batch_norm(y, mean, var, mean, tsm.ones(8))
        return F.adaptive_avg_pool2d(F.dropout(y, 0.0, True), [3, 2])

    @tsm.export
    def pair(self, x: Tensor) -> tuple[Tensor, Tensor]:
        y = F.conv2d(x, self.w, None, 1, 1)
        return y, F.max_pool2d(y, 3, 1, 1)

    @tsm.export
    def reduced(self, x: Tensor) -> Tensor:
        y = F.conv2d(x, self.w, None, 1, 1)
        n, c, h, w = y.shape
        z = tsm.where(y > 0, y, y * 0.1) + y.mean((2, 3)).unsqueeze(2).unsqueeze(3) + tsm.ones(n, c, h, w)
        return z.transpose(1, 2).sum(0) + tsm.softmax(y, 1)[0, 0].sum() + z.argmax(1).sum()

    @tsm.export
    def looped(self, x: Tensor, n: int) -> Tensor:
        y = F.conv2d(x, self.w, None, 1, 1)
        for _ in range(n):
            y = F.relu(F.conv2d(y, self.square, None, 1, 1)) * 0.5
        return y

    @tsm.export
    def looped_view(self, x: Tensor, n: int) -> Tensor:
        y = F.conv2d(x, self.w, None, 1, 1)
        total = x.sum()
        for _ in range(n):
            total = total + y.relu_().view(-1).sum()
            y = F.conv2d(y, self.square, None, 1, 1)
        return total + y.flatten().sum()

    @tsm.export
    def branched(self, x: Tensor, n: int) -> Tensor:
        y = F.conv2d(x, self.w, None, 1, 1)
        if n > 0:
            z = F.conv2d(y, self.square, None, 1, 1)
        else:
            z = y
        return z.flatten() + y.flatten()

    @tsm.export
    def left_early(self, x: Tensor, n: int) -> Tensor:
        y = F.conv2d(x, self.w, None, 1, 1)
        if n > 1:
            y = F.conv2d(y, self.square, None, 1, 1)
        elif n < 1:
            return y
        else:
            y = F.relu(y)
        return F.max_pool2d(y, 3, 1, 1)

    @tsm.export
    def aliased(self, x: Tensor, n: int) -> Tensor:
        y = F.conv2d(x, self.w, None, 1, 1)
        z = y
        if n > 0:
            z = F.relu(y)
        z.add_(1.0)
        return y.flatten() + z.flatten()


def compare(got: object, want: object) -> None:
    if isinstance(want, tuple):
        assert isinstance(got, tuple) and len(got) == len(want)
        for one, other in zip(got, want, strict=True):
            compare(one, other)
        return
    assert isinstance(got, Tensor) and isinstance(want, Tensor)
    assert got.shape == want.shape and got.stride() == want.stride()
    np.testing.assert_allclose(got.numpy(), want.numpy(), rtol=2e-4, atol=2e-4)


@pytest.fixture(scope="module")
def both() -> tuple[Programs, object]:
    module = Programs()
    return module, tsm.script(module)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("name", PLAIN)
def test_plain(both: tuple[Programs, object], name: str, shape: tuple[int, ...]) -> None:
    x = tsm.randn(*shape)
    compare(getattr(both[1], name)(x), getattr(both[0], name)(x))


@pytest.mark.parametrize("name", ["listed", "reduced"])
def test_some_elements(both: tuple[Programs, object], name: str) -> None:
    x = tsm.randn(2, 4, 7, 9)
    compare(getattr(both[1], name)(x), getattr(both[0], name)(x))


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("name", COUNTED)
def test_counted(both: tuple[Programs, object], name: str, shape: tuple[int, ...]) -> None:
    x = tsm.randn(*shape)
    for n in range(4):
        compare(getattr(both[1], name)(x, n), getattr(both[0], name)(x, n))


@pytest.mark.parametrize("setting", ["TSM_ISA=base", "TSM_ISA=avx2", "TSM_WINOGRAD=0", "TSM_FUSION=0", "TSM_THREADS=3"])
def test_other_settings(setting: str) -> None:
    name, _, value = setting.partition("=")
    command = [sys.executable, "-m", "pytest", "-q", "-x", __file__, "-k", "not other_settings"]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, name: value})
    if "no instruction set" in done.stdout + done.stderr:
        pytest.skip("not on this processor")
    assert done.returncode == 0, done.stdout + done.stderr
