"""The primitives of FORMAT.md as bytes; `decoder` is the mirror image."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Sized
from typing import Protocol, TypeVar

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class _Counted(Sized, Iterable[T_co], Protocol[T_co]):
    """What has a length and can be iterated."""


class Encoder:
    """Appends to `data`."""

    __slots__ = ("data",)

    def __init__(self) -> None:
        self.data = bytearray()

    def u8(self, value: int) -> None:
        self.data.append(value)

    def f64(self, value: float) -> None:
        self.data += struct.pack("<d", value)

    def uv(self, value: int) -> None:
        if 0 <= value < 128:  # most numbers
            self.data.append(value)
            return
        if not 0 <= value < 2**64:
            raise ValueError(f"{value} is not an unsigned 64-bit integer")
        while value > 127:
            self.data.append(value & 127 | 128)
            value >>= 7
        self.data.append(value)

    def sv(self, value: int) -> None:
        if not -(2**63) <= value < 2**63:
            raise ValueError(f"{value} is not a signed 64-bit integer")
        self.uv(value << 1 if value >= 0 else (-value << 1) - 1)

    def opt(self, index: int | None) -> None:
        self.uv(0 if index is None else index + 1)

    def bytes(self, value: bytes | bytearray | memoryview) -> None:
        self.uv(len(value))
        self.data += value

    def text(self, value: str) -> None:
        self.bytes(value.encode())

    def many(self, items: _Counted[T], item: Callable[[T], None]) -> None:
        """`n * x`."""
        self.uv(len(items))
        for value in items:
            item(value)
