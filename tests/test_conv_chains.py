"""Convolutions that only feed each other run in bands of rows, and no program can tell: the same bits as one by one.

Each method of `Blocks` is a chain, or something that is nearly one; the plan's listing says which the loader took.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import zlib
from pathlib import Path

import numpy as np
import pytest

import tsm
from tsm import Tensor, nn
from tsm.nn import functional as F

CHAINS = {  # links of the chains in each method's plan
    "inverted": [3],
    "strided": [3],
    "separable": [2, 2],
    "squeezed": [2],
    "clamped": [3],
    "in_loop": [3],
    "used_twice": [2],  # not taken: something is added in between
    "returned_too": [],
    "grouped": [],
    "windowed": [],
    "widened": [3],
    "other_dtype": [3],
}
SHAPES = [(1, 8, 40, 24), (3, 8, 17, 9), (2, 8, 1, 1), (1, 8, 2, 33), (0, 8, 6, 6)]


class Blocks(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        tsm.manual_seed(5)
        self.expand = nn.Conv2d(8, 40, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(40)
        self.depthwise = nn.Conv2d(40, 40, 3, padding=1, groups=40, bias=False)
        self.bn2 = nn.BatchNorm2d(40)
        self.project = nn.Conv2d(40, 8, 1)
        self.strided_window = nn.Conv2d(40, 40, 5, stride=2, padding=2, groups=40)
        self.first = nn.Conv2d(8, 8, 3, padding=1, groups=8)
        self.grouped_window = nn.Conv2d(40, 40, 3, padding=1, groups=4)
        self.window = nn.Conv2d(40, 8, 3, padding=1)

    @tsm.export
    def inverted(self, x: Tensor) -> Tensor:
        y = F.relu6(self.bn1(self.expand(x)))
        y = F.relu6(self.bn2(self.depthwise(y)))
        return x + self.project(y)

    @tsm.export
    def strided(self, x: Tensor) -> Tensor:
        return self.project(self.strided_window(F.relu(self.expand(x))))

    @tsm.export
    def separable(self, x: Tensor) -> Tensor:
        x = F.relu(self.expand(F.relu(self.first(x))))
        return self.project(F.relu(self.depthwise(x)))

    @tsm.export
    def squeezed(self, x: Tensor) -> Tensor:
        y = F.relu(self.depthwise(self.expand(x)))
        return self.project(y * y.mean((2, 3), True))

    @tsm.export
    def clamped(self, x: Tensor) -> Tensor:
        y = F.hardtanh(self.expand(x), -0.25, 0.5)
        return F.relu(self.project(self.depthwise(y).clamp(-0.5)) + x)

    @tsm.export
    def in_loop(self, x: Tensor) -> Tensor:
        for _ in range(3):
            x = x + self.project(F.relu(self.depthwise(F.relu(self.expand(x)))))
        return x

    @tsm.export
    def used_twice(self, x: Tensor) -> Tensor:
        y = F.relu(self.expand(x))
        return self.project(self.depthwise(y) + y)

    @tsm.export
    def returned_too(self, x: Tensor) -> tuple[Tensor, Tensor]:
        y = self.depthwise(x.repeat(1, 5, 1, 1))
        return y, self.project(y)

    @tsm.export
    def grouped(self, x: Tensor) -> Tensor:
        return self.project(F.relu(self.grouped_window(F.relu(self.expand(x)))))

    @tsm.export
    def windowed(self, x: Tensor) -> Tensor:
        y = F.relu(self.depthwise(x.repeat(1, 5, 1, 1)))
        return self.window(y)

    @tsm.export
    def widened(self, x: Tensor) -> Tensor:
        y = F.hardtanh(self.expand(x), 0.0, 3.0)
        z = F.hardtanh(self.depthwise(y), 0.0, 5.0)
        return F.hardtanh(self.project(z), -1.0, 7.0)

    @tsm.export
    def other_dtype(self, x: Tensor) -> Tensor:
        return self.project(self.depthwise(self.expand(x)))


def frozen() -> tsm.Program:
    module = Blocks().eval()
    for item in (module.bn1, module.bn2):
        item.running_var.uniform_(0.5, 1.5)
        item.running_mean.normal_()
    return tsm.freeze(tsm.script(module), list(CHAINS))


def inputs() -> list[Tensor]:
    random = np.random.default_rng(3)
    made = [random.standard_normal(shape).astype(np.float32) for shape in SHAPES]
    odd = made[0].copy()
    odd[0, 1, 7, 3], odd[0, 2, 30, 20] = np.nan, np.inf
    return [tsm.from_numpy(item) for item in [*made, odd, made[0].transpose(0, 1, 3, 2)]]


def digest() -> str:
    """One line a method: a checksum of what it gives for all inputs. NaN is NaN, whatever its bits."""
    program, lines = frozen(), []
    for name in CHAINS:
        crc = 0
        for x in inputs():
            found = getattr(program, name)(x)
            for item in found if isinstance(found, tuple) else (found,):
                array = np.ascontiguousarray(item.numpy())
                crc = zlib.crc32(np.where(np.isnan(array), np.float32(np.nan), array).tobytes(), crc)
        lines.append(f"{name} {crc:08x}")
    return "\n".join(lines)


def run(**settings: str) -> str:
    environment = {**os.environ, **settings}
    done = subprocess.run([sys.executable, __file__], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_same_bits(isa: str) -> None:
    expected = run(TSM_ISA=isa, TSM_CHAINS="0", TSM_THREADS="1")
    for threads in ("1", "2", "3"):
        assert run(TSM_ISA=isa, TSM_THREADS=threads) == expected


def test_right_without_fusion() -> None:
    program, plain, x = frozen(), Blocks().eval(), inputs()[1]
    y = plain.project(plain.depthwise(plain.expand(x)))
    np.testing.assert_allclose(program.other_dtype(x).numpy(), y.numpy(), rtol=1e-4, atol=1e-5)
    z = plain.project(plain.strided_window(F.relu(plain.expand(x))))
    np.testing.assert_allclose(program.strided(x).numpy(), z.numpy(), rtol=1e-4, atol=1e-5)


def test_plans(tmp_path: Path) -> None:
    runner = shutil.which("tsm-run", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}")
    if runner is None:
        pytest.skip("tsm-run is not on the path")
    frozen().save(tmp_path / "blocks.tsm")
    text = subprocess.run([runner, "--plan", str(tmp_path / "blocks.tsm")], capture_output=True, text=True).stdout
    plans = dict(re.findall(r"plan Blocks\.(\w+): (.*?)(?=\nplan |\Z)", text, re.DOTALL))
    found = {name: [int(links) for links in re.findall(r" chain +(\d)", plans[name])] for name in CHAINS}
    assert found == CHAINS


def test_errors_are_those_of_the_operators() -> None:
    program = frozen()
    for x in (tsm.zeros(1, 7, 5, 5), tsm.zeros(1, 8, 5, 5, dtype=tsm.float64)):
        with pytest.raises(RuntimeError) as caught:
            program.inverted(x)
        assert "Conv2d.forward" in caught.value.tsm_traceback
    assert program.inverted(tsm.zeros(8, 5, 5)).shape == (8, 5, 5)


if __name__ == "__main__":
    print(digest())
