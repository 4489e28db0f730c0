"""Memory shared with NumPy and PyTorch: both ways, without copies, and freed only after its last user."""

from __future__ import annotations

import gc
import weakref

import numpy as np
import pytest

import tsm


def test_an_array_lives_as_long_as_what_was_made_from_it():
    array = np.arange(6.0)
    alive = weakref.ref(array)
    tensor = tsm.from_numpy(array)
    del array
    view = tensor[2:]
    del tensor
    gc.collect()
    assert alive() is not None and view.tolist() == [2, 3, 4, 5]
    back = view.numpy()
    del view
    gc.collect()
    assert alive() is not None and back.tolist() == [2, 3, 4, 5]
    del back
    gc.collect()
    assert alive() is None


def test_a_cycle_through_a_tensor_is_collected():
    class Holder:
        pass

    holder, array = Holder(), np.zeros(4)
    alive = weakref.ref(array)
    holder.tensor, holder.itself = tsm.from_numpy(array), holder
    del holder, array
    gc.collect()
    assert alive() is None


def test_an_array_outlives_its_tensor():
    array = tsm.zeros(1000).numpy()
    gc.collect()
    array += 1
    assert array.sum() == 1000


def test_a_read_only_array_gives_a_read_only_tensor():
    array = np.zeros(3)
    array.flags.writeable = False
    tensor = tsm.from_numpy(array)
    assert not tensor.numpy().flags.writeable
    with pytest.raises(RuntimeError, match="read-only"):
        tensor += 1
    assert (tensor + 1).tolist() == [1, 1, 1]


def test_layouts():
    assert (tsm.from_numpy(np.arange(5)[::-1]) + 1).tolist() == [5, 4, 3, 2, 1]
    for shape in ((0,), (0, 3), (2, 0), (), (1,) * 8):
        assert tsm.from_numpy(np.zeros(shape)).shape == shape
        assert tsm.from_numpy(np.zeros(shape)).numpy().shape == shape
    assert tsm.from_numpy(np.zeros((2, 3)).T).stride() == (1, 3)


@pytest.mark.parametrize("dtype", ["float16", "complex64", "uint16", "uint64", "object", "U3", "datetime64[s]"])
def test_other_dtypes_are_refused(dtype):
    with pytest.raises(TypeError, match="tensors have no dtype"):
        tsm.from_numpy(np.zeros(3, dtype))


def test_what_cannot_be_shared_is_refused():
    with pytest.raises(TypeError, match="foreign byte order"):
        tsm.from_numpy(np.zeros(3, np.dtype("f4").newbyteorder()))
    with pytest.raises(ValueError, match="not aligned"):
        tsm.from_numpy(np.frombuffer(b"x" * 9, "u1")[1:].view("f4"))
    with pytest.raises(TypeError, match="NumPy array"):
        tsm.from_numpy(np.float64(3))
    with pytest.raises(TypeError, match="__dlpack__"):
        tsm.from_dlpack(object())
    with pytest.raises(BufferError, match="negative stride"):
        tsm.from_numpy(np.arange(5)[::-1]).__dlpack__()


def test_dlpack_shares_both_ways():
    torch = pytest.importorskip("torch")
    ours = tsm.zeros(5)
    theirs = torch.from_dlpack(ours)
    theirs += 2
    assert ours.tolist() == [2] * 5
    del ours
    gc.collect()
    assert theirs.tolist() == [2] * 5
    back = tsm.from_dlpack(theirs)
    del theirs
    gc.collect()
    back += 1
    assert back.tolist() == [3] * 5
    for shape in ((0,), (0, 3), (2, 0), ()):
        assert tsm.from_dlpack(torch.zeros(shape)).shape == shape
        assert tuple(torch.from_dlpack(tsm.zeros(shape)).shape) == shape
    assert tsm.from_dlpack(torch.zeros(1, 3).expand(4, 3)).stride() == (0, 1)
    assert torch.from_dlpack(tsm.zeros(2, 3).t()).stride() == (1, 3)
    assert tsm.from_dlpack(torch.zeros(3, requires_grad=True)).tolist() == [0, 0, 0]


@pytest.mark.parametrize("dtype", ["float16", "complex64"])
def test_other_dtypes_are_refused_by_dlpack(dtype):
    torch = pytest.importorskip("torch")
    with pytest.raises(TypeError, match="dtype"):
        tsm.from_dlpack(torch.zeros(3, dtype=getattr(torch, dtype)))
