"""Tensors that a program starts with: parameters, buffers and tensor constants, as descriptions for the writer.

In: tensors of the binding. Out: `TensorState`s over `StorageState`s.
Holds: one tensor object gives one state, and tensors over one storage share its state, so ties and views survive.
"""

from __future__ import annotations

from typing import Any as PyAny

from ...ir.state import StorageState, TensorState
from ..core.constants import dtype_of


def is_tensor(value: PyAny) -> bool:
    """By shape, not by class: a binding tensor, a parameter, a stand-in of a test."""
    return all(hasattr(type(value), name) for name in ("shape", "dtype", "stride"))


class TensorPool:
    """All tensors of one program, by identity."""

    def __init__(self) -> None:
        self._tensors: dict[int, TensorState] = {}
        self._storages: dict[PyAny, StorageState] = {}
        self._alive: list[PyAny] = []  # identities stay unique while their objects live

    def state(self, tensor: PyAny) -> TensorState:
        """The state of a tensor, shared with everything that is the same tensor."""
        found = self._tensors.get(id(tensor))
        if found is None:
            found = self._tensors[id(tensor)] = self._make(tensor)
            self._alive.append(tensor)
        return found

    def _make(self, tensor: PyAny) -> TensorState:
        dtype = dtype_of(tensor.dtype)
        assert dtype is not None, f"a tensor of dtype {tensor.dtype}"
        key, size = _storage_of(tensor)
        storage = self._storages.get(key)
        if storage is None:
            storage = self._storages[key] = StorageState(size, bound=tensor)
        offset = tensor.storage_offset()
        return TensorState(storage, dtype, tuple(tensor.shape), tuple(tensor.stride()), int(offset))


def _storage_of(tensor: PyAny) -> tuple[PyAny, int]:
    """Identity and bytes of the memory below a tensor."""
    storage = tensor.untyped_storage()
    return storage.data_ptr(), int(storage.nbytes())
