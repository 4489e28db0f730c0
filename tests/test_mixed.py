"""MixedLinear and to_mixed: values against the rounded weights, sharing, state, programs."""

from __future__ import annotations

import copy
from pathlib import Path

import numpy as np
import pytest

import tsm
from tsm import nn

DTYPES = [tsm.int8, tsm.bfloat16]


def rounded(layer: nn.MixedLinear) -> np.ndarray:
    weight = layer.weight.float().numpy()
    return weight if layer.scale is None else weight * layer.scale.numpy()[:, None]


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("rows", [(1,), (3,), (2, 20), ()], ids=str)
def test_layer(dtype: tsm.DType, bias: bool, rows: tuple[int, ...]) -> None:
    layer = nn.Linear(37, 19, bias)
    mixed = nn.MixedLinear.from_linear(layer, dtype)
    step = 1 / 254 if dtype is tsm.int8 else 2.0**-8
    exact = layer.weight.detach().numpy()
    assert (np.abs(rounded(mixed) - exact) <= step * np.abs(exact).max(1, keepdims=True) * 1.001).all()
    x = tsm.randn(*rows, 37)
    want = x.numpy() @ rounded(mixed).T + (layer.bias.detach().numpy() if bias else 0)
    np.testing.assert_allclose(mixed(x).numpy(), want, rtol=1e-4, atol=1e-5)
    assert mixed.bias is layer.bias


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_network(dtype: tsm.DType, tmp_path: Path) -> None:
    shared = nn.Linear(8, 8)
    plain = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Sequential(shared, shared), nn.Linear(8, 3, bias=False)).eval()
    mixed = nn.to_mixed(copy.deepcopy(plain), dtype)
    assert mixed[2][0] is mixed[2][1] and not mixed[2][0].training
    assert not any(type(module) is nn.Linear for module in mixed.modules())
    x = tsm.randn(4, 6)
    want = mixed(x).numpy()
    np.testing.assert_allclose(want, plain(x).detach().numpy(), atol=0.05)
    scripted = tsm.script(mixed)
    assert np.array_equal(scripted(x).numpy(), want)
    frozen = tsm.freeze(scripted)
    frozen.save(tmp_path / "mixed.tsm")
    assert np.array_equal(tsm.load(tmp_path / "mixed.tsm")(x).numpy(), want)
    other = nn.to_mixed(copy.deepcopy(plain), dtype)
    other.load_state_dict(mixed.state_dict())
    assert np.array_equal(other(x).numpy(), want)


def test_itself() -> None:
    assert isinstance(nn.to_mixed(nn.Linear(2, 2)), nn.MixedLinear)


def test_zero_row() -> None:
    layer = nn.Linear(3, 2, bias=False)
    with tsm.no_grad():
        layer.weight[0] = 0.0
    mixed = nn.MixedLinear.from_linear(layer)
    assert mixed(tsm.ones(3))[0].item() == 0.0


def test_refused() -> None:
    with pytest.raises(ValueError, match="tsm.int8 or tsm.bfloat16, not tsm.float64"):
        nn.to_mixed(nn.Linear(2, 2), tsm.float64)
    with pytest.raises(ValueError, match="float32 layer"):
        nn.to_mixed(nn.Linear(2, 2).double())
    layer = nn.Linear(2, 2)
    with tsm.no_grad():
        layer.weight[0, 0] = float("nan")
    with pytest.raises(ValueError, match="NaN"):
        nn.to_mixed(layer)
