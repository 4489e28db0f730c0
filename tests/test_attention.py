"""scaled_dot_product_attention on every path: each instruction set, one and two threads, all layouts and masks."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

CHILD = """
import sys
import numpy as np
import tsm
from tsm.nn import functional as F

rng = np.random.default_rng(1)

def noise(*shape):
    return rng.standard_normal(shape).astype(np.float32)

def plain(q, k, v, mask, is_causal, scale):
    with np.errstate(invalid="ignore"):
        scores = q.astype(np.float64) @ np.swapaxes(k.astype(np.float64), -1, -2)
        scores *= 1 / np.sqrt(max(q.shape[-1], 1)) if scale is None else scale
        if is_causal:
            scores = np.where(np.tri(*scores.shape[-2:], dtype=bool), scores, -np.inf)
        if mask is not None:
            scores = np.where(mask, scores, -np.inf) if mask.dtype == bool else scores + mask
        most = scores.max(-1, keepdims=True, initial=-np.inf)
        weights = np.exp(scores - np.where(np.isinf(most), 0, most))
        total = weights.sum(-1, keepdims=True)
        return np.where(total == 0, 0, weights / np.where(total == 0, 1, total)) @ v.astype(np.float64)

def check(q, k, v, mask=None, is_causal=False, scale=None):
    tensors = [tsm.from_numpy(x) if x is not None else None for x in (q, k, v, mask)]
    got = F.scaled_dot_product_attention(*tensors, is_causal=is_causal, scale=scale).numpy()
    np.testing.assert_allclose(got, plain(q, k, v, mask, is_causal, scale), rtol=2e-4, atol=2e-5)
    return got

def laid_out(x, order):
    return np.ascontiguousarray(x.transpose(order)).transpose(np.argsort(order))

results = []
for rows in (1, 2, 4, 5, 8, 9, 16, 17, 31, 33, 65, 100):
    for keys in (1, 5, 95, 97, 200):
        depth, width = (int(n) for n in rng.choice([1, 3, 8, 16, 17, 63, 64, 130], 2))
        q, k, v = noise(2, 3, rows, depth), noise(2, 3, keys, depth), noise(2, 3, keys, width)
        results.append(check(q, k, v))
        results.append(check(q, k, v, is_causal=True))
        check(q, k, v, noise(rows, keys))
        check(q, k, v, rng.random((2, 1, 1, keys)) > 0.4)
        check(q, k, v, rng.random((3, rows, keys)) > 0.4, scale=-0.7)
        views = laid_out(q, (0, 2, 1, 3)), laid_out(k, (0, 1, 3, 2)), laid_out(v, (3, 2, 1, 0))
        results.append(check(*views, is_causal=True))
        check(q, k[:1, :1], v[:, :1])
q, k, v = noise(2, 40, 8), noise(2, 50, 8), noise(2, 50, 8)
assert not check(q, k, v, np.zeros((40, 50), bool)).any()
k[0, 7] = np.nan
bad = F.scaled_dot_product_attention(tsm.from_numpy(q), tsm.from_numpy(k), tsm.from_numpy(v)).numpy()
assert np.isnan(bad[0]).all() and np.isfinite(bad[1]).all()
qkv = noise(2, 33, 3 * 4 * 16)
joined = tsm.from_numpy(qkv)
parts = [part.reshape(2, 33, 4, 16).transpose(1, 2) for part in joined.chunk(3, -1)]
chunks = [c.reshape(2, 33, 4, 16).transpose(0, 2, 1, 3) for c in np.split(qkv, 3, -1)]
got = F.scaled_dot_product_attention(*parts, is_causal=True).numpy()
np.testing.assert_allclose(got, plain(*chunks, None, True, None), rtol=2e-4, atol=2e-5)
np.save(sys.argv[1], np.concatenate([r.reshape(-1) for r in results]))
"""


def run(path: Path, isa: str, threads: int) -> bytes:
    environment = {**os.environ, "TSM_ISA": isa, "TSM_THREADS": str(threads)}
    done = subprocess.run([sys.executable, "-c", CHILD, path], env=environment, capture_output=True, text=True)
    assert not done.returncode, done.stderr
    return path.read_bytes()


def test_every_path_gives_the_same(isa: str, tmp_path: Path) -> None:
    """The same numbers as NumPy in float64, and the same bits for any number of threads."""
    assert run(tmp_path / "one.npy", isa, 1) == run(tmp_path / "two.npy", isa, 2)
