"""Weights from elsewhere: NumPy arrays, PyTorch tensors, safetensors files (safetensors.py).

In: anything that holds numbers under names. Out: tensors.
"""

from __future__ import annotations

import os
from typing import IO, Any

import numpy as np

from ..binding.tensor import Tensor, from_dlpack, from_numpy
from .safetensors import Entry, SafetensorsError, read_entries

Source = str | os.PathLike[str] | bytes | IO[bytes]


def as_tensor(value: Any) -> Tensor:
    """A tensor of a Tensor, a NumPy array, a PyTorch tensor or a number; 16-bit floats become float32. TypeError."""
    if isinstance(value, Tensor):
        return value
    if not isinstance(value, np.ndarray) and hasattr(value, "__dlpack__"):
        if str(getattr(value, "dtype", "")).endswith(("float16", "bfloat16", "half")):
            value = value.float()
        return from_dlpack(value)
    if not isinstance(value, (np.ndarray, np.generic, int, float, bool)):
        raise TypeError(f"expected a tensor or an array, got {type(value).__name__}")
    array = np.asarray(value)
    return from_numpy(array.astype(np.float32) if array.dtype == np.float16 else _native(array))


def _native(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    return array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))


def read_state(source: Source) -> dict[str, Tensor]:
    """Tensors of a safetensors file, given as path, open file or bytes. OSError, SafetensorsError (a ValueError)."""
    path = None
    if isinstance(source, (str, os.PathLike)):
        path = os.fspath(source)
        with open(path, "rb") as file:
            data = file.read()
    else:
        data = source if isinstance(source, bytes) else source.read()
    try:
        return {entry.name: _tensor(entry, data) for entry in read_entries(data)}
    except SafetensorsError as error:
        raise SafetensorsError(error.why, error.tensor, path) from None


def _tensor(entry: Entry, data: bytes) -> Tensor:
    array = np.frombuffer(data, entry.storage, entry.count, entry.begin).reshape(entry.shape)
    if entry.dtype == "BF16":
        array = (array.astype(np.uint32) << 16).view(np.float32)
    return as_tensor(_native(array).copy() if entry.dtype != "F16" else array)
