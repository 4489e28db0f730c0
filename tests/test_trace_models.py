"""Traces of typical models on other shapes than they were made with, beside torch.jit.trace."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import tsm

torch = pytest.importorskip("torch")


def mlp(x, w, v, b):
    hidden = (x.reshape(-1, x.shape[-1]) @ w + b).relu()
    return (hidden * v).reshape(x.shape[0], -1).softmax(-1)


def attention(x, w, v, b):
    batch, length, width = x.shape
    heads = (x @ w).reshape(batch, length, 2, width // 2).permute(0, 2, 1, 3)
    scores = heads @ heads.transpose(-1, -2) / (width // 2) ** 0.5
    mixed = scores.softmax(-1) @ heads
    return mixed.transpose(1, 2).reshape(batch, length, width) * v + b


def cell_loop(x, w, v, b):
    state = x.select(1, 0) * 0
    memory = state
    for step in range(x.shape[1]):
        gates = x.select(1, step) @ w + state @ w + b
        memory = gates.sigmoid() * memory + v.sigmoid() * gates.tanh()
        state = memory.tanh()
    return state


def normalised(x, w, v, b):
    centred = x - x.mean((0, 1), keepdim=True)
    scale = (centred * centred).sum() / (x.shape[0] * x.shape[1])
    return (centred / (scale + 1e-5)).unsqueeze(0).expand(2, -1, -1, -1) * v


def arrays(*shape):
    rng = np.random.default_rng(0)
    width = shape[-1]
    return [rng.standard_normal(s).astype("float32") for s in (shape, (width, width), (width,), (width,))]


@pytest.mark.parametrize("model", [mlp, attention, cell_loop, normalised], ids=lambda model: model.__name__)
@pytest.mark.parametrize("shape", [(3, 5, 4), (1, 5, 4), (2, 5, 6)], ids=str)
def test_other_shapes_give_what_torch_traces_give(model, shape):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = torch.jit.trace(model, tuple(map(torch.from_numpy, arrays(2, 5, 4))))
        ours = tsm.trace(model, tuple(map(tsm.from_numpy, arrays(2, 5, 4))))
    inputs = arrays(*shape)
    expected = theirs(*map(torch.from_numpy, inputs)).numpy()
    got = ours(*map(tsm.from_numpy, inputs)).numpy()
    assert got.shape == expected.shape
    assert np.allclose(got, expected, rtol=1e-4, atol=1e-5)


def test_a_loop_over_an_extent_is_unrolled_as_in_torch():
    """Both keep the number of steps of the example: a longer input gives the state after those."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = torch.jit.trace(cell_loop, tuple(map(torch.from_numpy, arrays(2, 5, 4))))
        ours = tsm.trace(cell_loop, tuple(map(tsm.from_numpy, arrays(2, 5, 4))))
    inputs = arrays(2, 7, 4)
    expected = theirs(*map(torch.from_numpy, inputs)).numpy()
    assert np.allclose(ours(*map(tsm.from_numpy, inputs)).numpy(), expected, rtol=1e-4, atol=1e-5)
