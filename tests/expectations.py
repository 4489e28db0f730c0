"""What the operator samples give under PyTorch and CPython 3.11, kept in samples/expected.npz for where they are not.

In: results as nested digests. Out: the same digests from the file. Holds: of an array the dtype, the shape and at most
64 evenly spread elements are kept; each entry has a checksum of the arguments, so that a changed sample is noticed.
"""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

PATH = Path(__file__).parent / "samples" / "expected.npz"
MOST = 64


@dataclass
class Elements:
    """A tensor: its dtype and shape, and all or some of its elements."""

    dtype: str
    shape: tuple[int, ...]
    values: np.ndarray

    @classmethod
    def of(cls, array: np.ndarray, checks_values: bool = True) -> Elements:
        values = array.reshape(-1) if checks_values else np.empty(0, array.dtype)
        return cls(array.dtype.name, tuple(array.shape), values.copy())

    def thinned(self) -> Elements:
        step = -(-len(self.values) // MOST) or 1
        return Elements(self.dtype, self.shape, self.values[::step])


def thinned(digest: Any) -> Any:
    """The digest as the file keeps it."""
    if isinstance(digest, Elements):
        return digest.thinned()
    return [thinned(item) for item in digest] if isinstance(digest, list) else digest


def difference(got: Any, want: Any, rtol: float) -> str:
    """How two digests differ, "" if they agree: NaN agrees with NaN, -0.0 not with 0.0."""
    if isinstance(want, Elements) and isinstance(got, Elements):
        if (got.dtype, got.shape) != (want.dtype, want.shape):
            return f"{got.dtype}{got.shape} instead of {want.dtype}{want.shape}"
        try:
            np.testing.assert_allclose(got.values, want.values, rtol=rtol, atol=rtol * 1e-1)
        except AssertionError as error:
            return str(error)
        zeros = (got.values == 0) & (want.values == 0)
        if np.any(np.signbit(got.values) != np.signbit(want.values), where=zeros):
            return "zeros of different signs"
        return ""
    if isinstance(want, list) and isinstance(got, list):
        if len(got) != len(want):
            return f"{len(got)} results instead of {len(want)}"
        return next((text for g, w in zip(got, want) if (text := difference(g, w, rtol))), "")
    if isinstance(want, float) and isinstance(got, float):
        is_close = got == want or (got != got and want != want) or abs(got - want) <= rtol * abs(want)
        return "" if is_close else f"{got!r} instead of {want!r}"
    return "" if (type(got), got) == (type(want), want) else f"{got!r} instead of {want!r}"


def checksum(value: Any) -> int:
    """Of arguments: equal for equal arrays and equal reprs."""
    if isinstance(value, np.ndarray):
        return zlib.crc32(np.ascontiguousarray(value).tobytes(), zlib.crc32(f"{value.dtype}{value.shape}".encode()))
    if isinstance(value, dict):
        value = list(value.items())
    if isinstance(value, (list, tuple)):
        return zlib.crc32(repr([checksum(item) for item in value]).encode())
    return zlib.crc32(repr(value).encode())


class Record:
    """Entries by name. Written in name order, so that the same expectations give the same file."""

    def __init__(self) -> None:
        self.entries: dict[str, tuple[int, Any]] = {}

    def put(self, name: str, arguments: Any, digest: Any) -> None:
        self.entries[name] = (checksum(arguments), thinned(digest))

    def get(self, name: str, arguments: Any) -> Any:
        """AssertionError if the sample is not recorded or was recorded with other arguments."""
        found = self.entries.get(name)
        assert found is not None and found[0] == checksum(arguments), (
            f"{name} is not recorded as it is now: run pytest tests/test_operators.py --accept where PyTorch 2.13 is"
        )
        return found[1]

    def save(self, path: Path = PATH) -> None:
        pools: dict[str, list[np.ndarray]] = {}
        sizes: dict[str, int] = {}

        def packed(digest: Any) -> Any:
            if isinstance(digest, list):
                return {"list": [packed(item) for item in digest]}
            if isinstance(digest, float):
                return {"float": repr(digest)}
            if not isinstance(digest, Elements):
                return digest
            start = sizes.get(digest.dtype, 0)
            sizes[digest.dtype] = start + len(digest.values)
            pools.setdefault(digest.dtype, []).append(digest.values)
            return {"dtype": digest.dtype, "shape": digest.shape, "at": [start, len(digest.values)]}

        index = {name: [crc, packed(digest)] for name, (crc, digest) in sorted(self.entries.items())}
        text = json.dumps(index, separators=(",", ":")).encode()
        arrays = {name: np.concatenate(pools[name]) for name in sorted(pools)}
        np.savez_compressed(path, index=np.frombuffer(text, np.uint8), **{f"of_{k}": v for k, v in arrays.items()})

    @classmethod
    def load(cls, path: Path = PATH) -> Record:
        record = cls()
        if not path.exists():
            return record
        with np.load(path) as file:
            arrays = {name.removeprefix("of_"): file[name] for name in file.files}

        def unpacked(node: Any) -> Any:
            if not isinstance(node, dict):
                return node
            if "list" in node:
                return [unpacked(item) for item in node["list"]]
            if "float" in node:
                return float(node["float"])
            start, count = node["at"]
            return Elements(node["dtype"], tuple(node["shape"]), arrays[node["dtype"]][start : start + count])

        for name, (crc, node) in json.loads(arrays.pop("index").tobytes()).items():
            record.entries[name] = (crc, unpacked(node))
        return record
