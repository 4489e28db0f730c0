"""Tensor descriptions as tensors to compute with, and back: for passes that change weights.

In: TensorStates of a program. Out: tsm.Tensors, and new TensorStates over storages of their own.
Holds: nothing that a program describes is written; what is made shares memory with nothing.
"""

from __future__ import annotations

from typing import Any as PyAny

from .state import StorageState, TensorState
from .types import DType

_WORDS = {
    DType.bool: "?", DType.uint8: "u1", DType.int8: "i1", DType.int16: "i2", DType.int32: "i4", DType.int64: "i8",
    DType.float32: "f4", DType.float64: "f8",
}


def can_read(state: PyAny) -> bool:
    """Whether `tensor_of` takes it: a tensor of a dtype NumPy has, whose bytes are here and not with the host."""
    return isinstance(state, TensorState) and state.dtype in _WORDS and state.storage.bound is None


def tensor_of(state: TensorState) -> PyAny:
    """A tsm.Tensor with a copy of the elements."""
    import numpy as np

    from ..binding import from_numpy

    word = "<" + _WORDS[state.dtype]
    if 0 in state.shape:
        return from_numpy(np.zeros(state.shape, word))
    item = np.dtype(word).itemsize
    flat = np.frombuffer(state.storage.data, word, state.storage.size // item)
    window = np.lib.stride_tricks.as_strided(flat[state.offset :], state.shape, [n * item for n in state.strides])
    return from_numpy(np.array(window))


def state_of(tensor: PyAny) -> TensorState:
    """A description of a tsm.Tensor, row-major over its own bytes."""
    import numpy as np

    array = np.ascontiguousarray(tensor.numpy())
    dtype = next(kind for kind, word in _WORDS.items() if np.dtype(word) == array.dtype)
    strides, step = [], 1
    for extent in reversed(array.shape):
        strides.append(step)
        step *= max(extent, 1)
    return TensorState(StorageState(array.nbytes, array.tobytes()), dtype, tuple(array.shape), tuple(reversed(strides)))
