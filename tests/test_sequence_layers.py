"""Recurrent layers, attention and encoders of tsm.nn against torch.nn: eagerly, scripted, saved and loaded."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tsm
from tsm import nn

torch = pytest.importorskip("torch")

RNG = np.random.default_rng(0)
CAUSAL = np.triu(np.ones((6, 6), bool), 1)
PADDING = np.array([[0, 0, 0, 0, 1, 1], [0, 0, 0, 0, 0, 1]], bool)


def noise(*shape: int) -> np.ndarray:
    return RNG.standard_normal(shape).astype(np.float32)


X, MEMORY = noise(2, 6, 8), noise(2, 4, 8)
FIRST = "MultiheadAttention(8, 2, batch_first=True)"
LAYER = "TransformerEncoderLayer(8, 2, 16, batch_first=True"

CASES: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = [
    ("RNNCell(8, 5)", (X[0],), {}),
    ("RNNCell(8, 5, nonlinearity='relu')", (X[0], noise(6, 5)), {}),
    ("LSTMCell(8, 5)", (X[0],), {}),
    ("LSTMCell(8, 5, bias=False)", (X[0], (noise(6, 5), noise(6, 5))), {}),
    ("GRUCell(8, 5)", (X[0], noise(6, 5)), {}),
    ("GRUCell(8, 5)", (X[0, 0],), {}),
    *((f"{kind}(8, 5{rest})", (x,), {}) for kind in ("RNN", "LSTM", "GRU") for rest, x in (
        ("", X), (", num_layers=2, bidirectional=True, batch_first=True", X), (", bias=False", X[0]),
    )),
    ("LSTM(8, 5, 2, dropout=0.5)", (X, (noise(2, 6, 5), noise(2, 6, 5))), {}),
    ("GRU(8, 5, 2)", (X, noise(2, 6, 5)), {}),
    ("MultiheadAttention(8, 2)", (X, X, X), {}),
    ("MultiheadAttention(8, 2)", (X[0], X[0], X[0]), {}),
    (FIRST, (X, X, X), {"need_weights": False}),
    (FIRST, (X, MEMORY, MEMORY), {"average_attn_weights": False}),
    (FIRST, (X, X, X), {"attn_mask": CAUSAL}),
    (FIRST, (X, X, X), {"attn_mask": CAUSAL, "need_weights": False, "is_causal": True}),
    (FIRST, (X, X, X), {"key_padding_mask": PADDING, "need_weights": False}),
    ("MultiheadAttention(8, 2, kdim=3, vdim=5, bias=False)", (X, noise(4, 6, 3), noise(4, 6, 5)), {}),
    ("TransformerEncoderLayer(8, 2, 16)", (X,), {}),
    (LAYER + ", norm_first=True, activation='gelu')", (X,), {}),
    (LAYER + ")", (X,), {"src_key_padding_mask": PADDING}),
    (f"TransformerEncoder(nn.{LAYER}), 2, nn.LayerNorm(8))", (X,), {"mask": CAUSAL}),
]


def into(value: Any, convert: Any) -> Any:
    if isinstance(value, np.ndarray):
        return convert(value.copy())
    return tuple(into(item, convert) for item in value) if isinstance(value, tuple) else value


def arrays(result: Any) -> list[np.ndarray]:
    if isinstance(result, (tuple, list)):
        return [array for item in result for array in arrays(item)]
    return [] if result is None else [result.detach().numpy()]


@pytest.mark.parametrize(("text", "args", "kwargs"), CASES, ids=[f"{i}-{case[0]}" for i, case in enumerate(CASES)])
def test_layer_computes_as_torch(text, args, kwargs, tmp_path) -> None:
    torch.manual_seed(0)
    theirs = eval(f"nn.{text}", {"nn": torch.nn}).eval()
    ours = eval(f"nn.{text}", {"nn": nn}).eval()
    assert list(ours.state_dict()) == list(theirs.state_dict())
    ours.load_state_dict(theirs.state_dict())
    call = [into(args, torch.from_numpy), {name: into(value, torch.from_numpy) for name, value in kwargs.items()}]
    want = arrays(theirs(*call[0], **call[1]))
    scripted = tsm.script(ours)
    scripted.save(tmp_path / "layer.tsm")
    for run in (ours, scripted, tsm.load(tmp_path / "layer.tsm")):
        got = arrays(run(*into(args, tsm.from_numpy), **{k: into(v, tsm.from_numpy) for k, v in kwargs.items()}))
        assert len(got) == len(want)
        for mine, other in zip(got, want):
            np.testing.assert_allclose(mine, other, rtol=3e-5, atol=3e-6)


def test_flat_weights_are_the_parameters() -> None:
    layer = nn.LSTM(3, 4, num_layers=2)
    assert all(weight is parameter for weight, parameter in zip(layer._flat_weights, layer.parameters()))
    layer.double()
    assert layer(tsm.zeros(5, 2, 3, dtype=tsm.float64))[0].dtype is tsm.float64


def test_the_state_of_a_scripted_layer_has_the_names_of_its_parameters() -> None:
    layer = nn.LSTM(3, 4)
    scripted = tsm.script(layer)
    assert sorted(scripted.state_dict()) == sorted(layer.state_dict())
    scripted.load_state_dict(layer.state_dict())


def test_dropout_of_weights_keeps_their_mean() -> None:
    tsm.manual_seed(0)
    q = tsm.zeros(1, 1, 400, 4)
    v = tsm.ones(1, 1, 50, 1)
    mixed = nn.functional.scaled_dot_product_attention(q, tsm.zeros(1, 1, 50, 4), v, dropout_p=0.5).numpy()
    assert 0.9 < mixed.mean() < 1.1 and mixed.std() > 0.05


def test_what_is_not_there_is_refused() -> None:
    with pytest.raises(ValueError, match="add_bias_kv"):
        nn.MultiheadAttention(8, 2, add_bias_kv=True)
    with pytest.raises(ValueError, match="divisible"):
        nn.MultiheadAttention(9, 2)
    with pytest.raises(RuntimeError, match="is_causal"):
        nn.MultiheadAttention(8, 2)(tsm.zeros(2, 1, 8), tsm.zeros(2, 1, 8), tsm.zeros(2, 1, 8), is_causal=True)
    with pytest.raises(RuntimeError, match="relu/gelu"):
        nn.TransformerEncoderLayer(8, 2, activation="tanh")
