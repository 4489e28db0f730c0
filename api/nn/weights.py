"""Weights from elsewhere: NumPy arrays, PyTorch tensors, safetensors files.

In: anything that holds numbers under names. Out: tensors. Holds: a safetensors file is read by its published layout
(8-byte header length, JSON header, raw data) with every offset checked; nothing of it is executed.
"""

from __future__ import annotations

import json
import os
from typing import IO, Any

import numpy as np

from ..binding.tensor import Tensor, from_dlpack, from_numpy

Source = str | os.PathLike[str] | bytes | IO[bytes]

_MAX_HEADER = 100_000_000
_DTYPES = {
    "F64": "<f8", "F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "|i1", "U8": "|u1",
    "BOOL": "|b1", "BF16": "<u2",
}


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
    """Tensors of a safetensors file, given as path, open file or bytes. OSError, ValueError for a malformed file."""
    if isinstance(source, (str, os.PathLike)):
        with open(source, "rb") as file:
            data = file.read()
    else:
        data = source if isinstance(source, bytes) else source.read()
    header, start = _header(data)
    return {name: _tensor(name, entry, data, start) for name, entry in header.items() if name != "__metadata__"}


def _header(data: bytes) -> tuple[dict[str, Any], int]:
    """The parsed header and the position of the first data byte."""
    length = int.from_bytes(data[:8], "little")
    if len(data) < 8 or length > _MAX_HEADER or 8 + length > len(data):
        raise ValueError("not a safetensors file: the header length does not fit the file")
    try:
        header = json.loads(data[8 : 8 + length])
    except (ValueError, RecursionError) as error:
        raise ValueError(f"not a safetensors file: the header is not JSON ({error})") from None
    if not isinstance(header, dict):
        raise ValueError("not a safetensors file: the header is not a JSON object")
    return header, 8 + length


def _tensor(name: str, entry: Any, data: bytes, start: int) -> Tensor:
    try:
        kind, shape, (begin, end) = entry["dtype"], entry["shape"], entry["data_offsets"]
    except (TypeError, KeyError, ValueError):
        raise ValueError(f"safetensors: the entry of {name!r} is malformed") from None
    if kind not in _DTYPES:
        raise ValueError(f"safetensors: tensor {name!r} has dtype {kind}, which tsm does not have")
    if not all(isinstance(n, int) and n >= 0 for n in (*shape, begin, end)):
        raise ValueError(f"safetensors: the entry of {name!r} is malformed")
    storage = np.dtype(_DTYPES[kind])
    count = 1
    for extent in shape:
        count *= extent
    if end - begin != count * storage.itemsize or start + end > len(data) or begin > end:
        raise ValueError(f"safetensors: the data of {name!r} does not lie inside the file or does not fit its shape")
    array = np.frombuffer(data, storage, count, start + begin).reshape(shape)
    if kind == "BF16":
        array = (array.astype(np.uint32) << 16).view(np.float32)
    return as_tensor(_native(array).copy() if kind != "F16" else array)
