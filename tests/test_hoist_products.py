"""hoist_products: loops over rows give what they gave, on both sides of the condition; errors stay where they were."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tsm
from tsm import Tensor, ir, nn, serialize
from tsm.nn import functional as F


def by_number(x: Tensor, w: Tensor, h: Tensor) -> Tensor:
    for t in range(x.size(0)):
        h = tsm.tanh(tsm.matmul(x[t], w) + h)
    return h


def by_length(x: Tensor, w: Tensor, h: Tensor) -> Tensor:
    for t in range(len(x)):
        h = tsm.tanh(F.linear(x[t], w) + h)
    return h


def by_row(x: Tensor, w: Tensor, h: Tensor) -> Tensor:
    for row in x:
        h = tsm.tanh(row @ w + h)
    return h


def by_part(x: Tensor, w: Tensor, h: Tensor) -> Tensor:
    parts = x.unbind(0)
    for t in range(x.size(0)):
        h = tsm.tanh(tsm.matmul(parts[t], w) + h)
    return h


def leaves_early(x: Tensor, w: Tensor, h: Tensor) -> Tensor:
    for t in range(x.size(0)):
        if t == 2:
            break
        h = h + tsm.matmul(x[t], w)
    return h


def writes_rows(x: Tensor, w: Tensor, h: Tensor) -> Tensor:
    for t in range(x.size(0)):
        h = h + tsm.matmul(x[t], w)
        x[0] += 1
    return h


def writes_weight(x: Tensor, w: Tensor, h: Tensor) -> Tensor:
    for t in range(x.size(0)):
        h = h + tsm.matmul(x[t], w)
        w += 1
    return h


def keeps_products(x: Tensor, w: Tensor, h: Tensor) -> list[Tensor]:
    kept: list[Tensor] = []
    for t in range(x.size(0)):
        kept.append(tsm.matmul(x[t], w))
    return kept


def is_hoisted(function: Any) -> bool:
    """Whether a product stands outside of the loops."""
    (found,) = [f for f in serialize.loads(tsm.script(function).to_bytes()).functions if f.name == function.__name__]
    inner = {id(node) for loop in found.walk() if loop.op == "loop" for node in ir.graph.walk(loop.blocks[0])}
    return any(node.op in ("matmul", "linear") and id(node) not in inner for node in found.walk())


HOISTED = [by_number, by_length, by_row, by_part]
KEPT = [leaves_early, writes_rows, writes_weight, keeps_products]


def arguments(function: Any, rows: tuple[int, ...], dtype: str = "float32") -> list[np.ndarray]:
    random = np.random.default_rng(3)
    weight = random.standard_normal((5, 4)).astype(dtype)
    weight = np.ascontiguousarray(weight.T) if function is by_length else weight
    return [random.standard_normal(rows).astype(dtype), weight, np.zeros((rows[1:-1] or (1,)) + (4,), dtype)]


@pytest.mark.parametrize("function", HOISTED + KEPT, ids=lambda f: f.__name__)
@pytest.mark.parametrize("rows", [(7, 5), (7, 1, 5), (3, 2, 5), (4, 2, 3, 5), (1, 2, 5), (0, 2, 5), (3, 0, 5)], ids=str)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_values(function: Any, rows: tuple[int, ...], dtype: str) -> None:
    given = arguments(function, rows, dtype)
    want = function(*[tsm.from_numpy(item.copy()) for item in given])
    found = tsm.script(function)(*[tsm.from_numpy(item.copy()) for item in given])
    for a, b in zip(want, found) if isinstance(want, list) else [(want, found)]:
        np.testing.assert_allclose(b.numpy(), a.numpy(), rtol=1e-5, atol=1e-5)


def test_where_it_applies() -> None:
    assert [is_hoisted(function) for function in HOISTED + KEPT] == [True] * len(HOISTED) + [False] * len(KEPT)


@pytest.mark.parametrize("function", HOISTED, ids=lambda f: f.__name__)
@pytest.mark.parametrize("change", ["depth", "dtype", "vector", "weight", "empty"])
def test_errors(function: Any, change: str) -> None:
    x, w, h = arguments(function, (3, 2, 5))
    x = {"depth": x[..., :4], "dtype": x.astype(np.float64), "vector": x[:, 0, 0], "empty": x[:0, :, :4]}.get(change, x)
    w = w.reshape(5, 2, 2) if change == "weight" else w

    def outcome(call: Any) -> tuple[str, Any]:
        try:
            return "value", call(*map(tsm.from_numpy, (x, w, h))).tolist()
        except Exception as error:
            return type(error).__name__, str(error).split("\n")[0]

    assert outcome(tsm.script(function)) == outcome(function)


def test_frozen_layer() -> None:
    class Steps(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.layer = nn.Linear(5, 4)

        def forward(self, x: Tensor) -> Tensor:
            h = tsm.zeros(x.size(1), 4)
            for t in range(x.size(0)):
                h = tsm.tanh(self.layer(x[t]) + h)
            return h

    module = Steps().eval()
    x = tsm.randn(6, 2, 5)
    assert tsm.allclose(tsm.freeze(tsm.script(module))(x), module(x), atol=1e-6)
