"""The header of a safetensors file: what is where.

In: the bytes of a file. Out: an Entry a tensor. Holds: all published rules: the header is one JSON object in UTF-8
without duplicate names; the tensors' bytes lie one behind the other, without gaps and overlaps, up to the end of the
file. What breaks one is a SafetensorsError and no other exception, whatever the bytes; nothing is executed.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Any, NoReturn

_LENGTH_BYTES = 8
_MAX_HEADER = 100_000_000
_MAX_RANK = 32  # TSM_MAX_RANK
_DTYPES = {
    "F64": "<f8", "F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "|i1", "U8": "|u1",
    "BOOL": "|b1", "BF16": "<u2",
}  # fmt: skip


class SafetensorsError(ValueError):
    """A file that is not a valid safetensors file, or holds what tsm lacks.

    `why` says what is wrong, `tensor` names the tensor that it is wrong with (None: the file itself), `file` is the
    path, None if the bytes came from elsewhere.
    """

    def __init__(self, why: str, tensor: str | None = None, file: str | bytes | None = None) -> None:
        self.why, self.tensor, self.file = why, tensor, file
        place = "safetensors" if file is None else f"safetensors file {file!r}"
        super().__init__(f"{place}: {why}" if tensor is None else f"{place}: tensor {tensor!r}: {why}")


@dataclass(frozen=True)
class Entry:
    """One tensor: `count` elements of NumPy's dtype `storage` from byte `begin` to `end` of the file."""

    name: str
    dtype: str
    storage: str
    shape: tuple[int, ...]
    count: int
    begin: int
    end: int


def read_entries(data: bytes) -> list[Entry]:
    """The tensors of a file, in the order of its header. SafetensorsError."""
    header, start = _header(data)
    entries = [_entry(name, value, start) for name, value in header.items() if name != "__metadata__"]
    _check_metadata(header.get("__metadata__", {}))
    _check_places(entries, start, len(data))
    return entries


def _header(data: bytes) -> tuple[dict[str, Any], int]:
    """The parsed header and the position of the first data byte."""
    length = int.from_bytes(data[:_LENGTH_BYTES], "little")
    start = _LENGTH_BYTES + length
    if len(data) < _LENGTH_BYTES or length > _MAX_HEADER or start > len(data):
        raise SafetensorsError("the length of the header does not fit the file")
    try:
        text = data[_LENGTH_BYTES:start].decode("utf-8")
        header = json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse_constant)
    except SafetensorsError:
        raise
    except (ValueError, RecursionError) as error:
        raise SafetensorsError(f"the header is not JSON ({error})") from None
    if not isinstance(header, dict):
        raise SafetensorsError("the header is not a JSON object")
    return header, start


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise SafetensorsError("the name stands in the header twice", twice)
    for name in made:
        if any("\ud800" <= character <= "\udfff" for character in name):
            raise SafetensorsError("the name is not valid Unicode", name)
    return made


def _refuse_constant(text: str) -> NoReturn:
    raise SafetensorsError(f"the header is not JSON ({text} is no number there)")


def _check_metadata(metadata: Any) -> None:
    if not isinstance(metadata, dict) or not all(isinstance(value, str) for value in metadata.values()):
        raise SafetensorsError("__metadata__ must be an object of texts")


def _entry(name: str, value: Any, start: int) -> Entry:
    if not isinstance(value, dict) or value.keys() != {"dtype", "shape", "data_offsets"}:
        raise SafetensorsError("its entry must have dtype, shape and data_offsets, and nothing else", name)
    dtype, shape, offsets = value["dtype"], value["shape"], value["data_offsets"]
    if not isinstance(dtype, str):
        raise SafetensorsError("dtype must be a text", name)
    if dtype not in _DTYPES:
        raise SafetensorsError(f"dtype {dtype[:40]!r}, which tsm does not have", name)
    if not _is_sizes(shape):
        raise SafetensorsError("shape must be a list of integers from 0 on", name)
    if not _is_sizes(offsets) or len(offsets) != 2:
        raise SafetensorsError("data_offsets must be two integers from 0 on", name)
    if len(shape) > _MAX_RANK:
        raise SafetensorsError(f"{len(shape)} dimensions; tsm has at most {_MAX_RANK}", name)
    storage = _DTYPES[dtype]
    count = math.prod(shape)
    size = int(storage[-1])
    if offsets[1] - offsets[0] != count * size or math.prod(filter(None, shape)) * size >= 1 << 63:
        raise SafetensorsError(f"data_offsets do not fit the shape, which takes {_number(count * size)} bytes", name)
    return Entry(name, dtype, storage, tuple(shape), count, start + offsets[0], start + offsets[1])


def _is_sizes(value: Any) -> bool:
    return isinstance(value, list) and all(type(n) is int and n >= 0 for n in value)


def _number(n: int) -> str:
    return str(n) if n < 1 << 63 else "2**63 or more"


def _check_places(entries: list[Entry], start: int, length: int) -> None:
    end = start
    for entry in sorted(entries, key=lambda entry: (entry.begin, entry.end)):
        if entry.begin != end:
            what = "overlap those of another" if entry.begin < end else "leave a gap before them"
            raise SafetensorsError(f"its bytes {what}", entry.name)
        end = entry.end
        if end > length:
            raise SafetensorsError("its bytes do not lie inside the file", entry.name)
    if end != length:
        raise SafetensorsError(f"{length - end} bytes at the end of the file belong to no tensor")
