"""bfloat16: kept, converted, copied, indexed, saved and printed; refused by name where nothing computes with it."""

from __future__ import annotations

import numpy as np
import pytest

import tsm
from tsm import nn
from tsm.binding import table

VALUES = np.random.default_rng(0).standard_normal((5, 6)).astype(np.float32)


def bits(tensor: tsm.Tensor) -> np.ndarray:
    return tensor.view(tsm.int16).numpy().view(np.uint16)


def rounded(values: np.ndarray) -> np.ndarray:
    """The nearest bfloat16, ties to even, as floats."""
    words = values.astype(np.float32).view(np.uint32).astype(np.uint64)
    words = (words + 0x7FFF + (words >> 16 & 1)) & 0xFFFF0000
    return words.astype(np.uint32).view(np.float32)


def test_converts_to_nearest_and_back() -> None:
    made = tsm.from_numpy(VALUES).bfloat16()
    assert made.dtype is tsm.bfloat16 and made.dtype.itemsize == 2 and made.is_floating_point()
    np.testing.assert_array_equal(made.float().numpy(), rounded(VALUES))
    np.testing.assert_array_equal(made.tolist(), rounded(VALUES).tolist())
    assert bits(tsm.tensor([1.0, -2.5, float("inf"), 1.00390625, 1.01171875]).bfloat16()).tolist() == [
        0x3F80, 0xC020, 0x7F80, 0x3F80, 0x3F82,
    ]
    assert np.isnan(tsm.tensor([float("nan")]).bfloat16().item())


def test_views_copies_and_joins() -> None:
    x, want = tsm.from_numpy(VALUES).bfloat16(), rounded(VALUES)

    def same(got: tsm.Tensor, array: np.ndarray) -> None:
        assert got.dtype is tsm.bfloat16
        np.testing.assert_array_equal(got.float().numpy(), array)

    same(x.T[1:3].contiguous(), want.T[1:3])
    same(x.reshape(3, 10)[:, ::2].clone(), want.reshape(3, 10)[:, ::2])
    same(tsm.cat([x, x], 1), np.concatenate([want, want], 1))
    same(tsm.stack([x, x]), np.stack([want, want]))
    same(x[tsm.tensor([4, 0])], want[[4, 0]])
    same(x.index_select(1, tsm.tensor([2, 2])), want[:, [2, 2]])
    same(x.flip([0]).tril(), np.tril(want[::-1]))
    assert tsm.cat([x, x.float()]).dtype is tsm.float32
    y = x.clone()
    y[1] = 3.0
    y[:, 2] = tsm.tensor(0.1, dtype=tsm.bfloat16)
    array = want.copy()
    array[1], array[:, 2] = 3, rounded(np.float32([0.1]))
    same(y, array)
    same(tsm.full([2], 1.1, dtype=tsm.bfloat16), rounded(np.float32([1.1, 1.1])))
    same(tsm.ones_like(x), np.ones_like(want))
    assert repr(tsm.tensor([1.1, 2], dtype=tsm.bfloat16)) == "tensor([1.1016, 2.0000], dtype=bfloat16)"


def test_every_other_row_refuses_it() -> None:
    x = tsm.ones(3, 3, dtype=tsm.bfloat16)
    for refused in (
        lambda: x + x, lambda: x * 2, lambda: x.sum(), lambda: x.exp(), lambda: x @ x, lambda: x.softmax(0),
        lambda: x.add_(1), lambda: x.argmax(), lambda: tsm.randn(3, dtype=tsm.bfloat16), lambda: x > 1,
        lambda: tsm.arange(3, dtype=tsm.bfloat16), lambda: tsm.ones(3).sum(dtype=tsm.bfloat16),
        lambda: tsm.rand_like(x), lambda: nn.functional.relu(x), lambda: tsm.where(x.float() > 0, x, x),
        lambda: x.masked_fill(x.float() > 0, 1.0),
    ):
        with pytest.raises(NotImplementedError, match="not implemented for dtype bfloat16"):
            refused()
    with pytest.raises(TypeError, match="NumPy has no bfloat16"):
        x.numpy()


def test_no_kernel_meets_a_dtype_it_does_not_know() -> None:
    """Rows that look into tensors and take bfloat16 are exactly those that say so."""
    allowed = {row.full_name for row in table.rows() if "STORED" in row.traits}
    assert {"clone", "cat", "embedding", "copy_", "item", "zeros", "setitem.Tensor"} <= allowed
    assert not allowed & {"add.Tensor", "matmul", "sum", "where", "arange", "rand", "softmax"}


class Table(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.rows = nn.Embedding(4, 3)
        self.scale = tsm.full([3], 0.3, dtype=tsm.bfloat16)

    def forward(self, index: tsm.Tensor) -> tsm.Tensor:
        chosen = self.rows(index)
        return chosen.float() * self.scale.to(tsm.float32) + tsm.zeros(1, dtype=tsm.bfloat16).float()


def test_scripts_saves_and_loads(tmp_path) -> None:
    model = Table().bfloat16()
    assert model.rows.weight.dtype is tsm.bfloat16
    index = tsm.tensor([3, 1])
    want = model(index)
    scripted = tsm.script(model)
    assert tsm.equal(scripted(index), want)
    scripted.save(tmp_path / "table.tsm")
    loaded = tsm.load(tmp_path / "table.tsm")
    assert tsm.equal(loaded(index), want)
    loaded.save(tmp_path / "again.tsm")
    assert (tmp_path / "again.tsm").read_bytes() == (tmp_path / "table.tsm").read_bytes()


def test_exchanges_memory_with_torch() -> None:
    torch = pytest.importorskip("torch")
    theirs = torch.tensor([1.5, -2.0]).bfloat16()
    ours = tsm.from_dlpack(theirs)
    assert ours.dtype is tsm.bfloat16 and ours.tolist() == [1.5, -2.0]
    theirs[0] = 4
    assert ours.tolist() == [4.0, -2.0]
