"""The primitives of FORMAT.md from bytes that may be anything; `encoder` is the mirror image.

Holds: nothing is read past the section's end, and no count is larger than the number of bytes left.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import NoReturn, TypeVar

from .errors import FormatError

T = TypeVar("T")


class Decoder:
    """Reads a section. `start` is where it lies in the file, for messages."""

    __slots__ = ("position", "section", "start", "view")

    def __init__(self, view: memoryview, section: str, start: int) -> None:
        self.view = view
        self.position = 0
        self.section = section
        self.start = start

    def fail(self, message: str) -> NoReturn:
        raise FormatError(message, self.section, self.start + self.position)

    def check(self, holds: bool, message: str) -> None:
        if not holds:
            self.fail(message)

    def end(self) -> None:
        """The section must be used up."""
        self.check(self.position == len(self.view), "bytes after the contents")

    def raw(self, count: int) -> memoryview:
        self.check(count <= len(self.view) - self.position, "it ends too early")
        found = self.view[self.position : self.position + count]
        self.position += count
        return found

    def u8(self) -> int:
        if self.position >= len(self.view):
            self.fail("it ends too early")
        self.position += 1
        return self.view[self.position - 1]

    def flag(self) -> bool:
        value = self.u8()
        self.check(value <= 1, "a flag is 0 or 1")
        return value == 1

    def f64(self) -> float:
        value: float = struct.unpack("<d", self.raw(8))[0]
        return value

    def uv(self) -> int:
        position = self.position
        if position < len(self.view) and (value := self.view[position]) < 128:  # most numbers
            self.position = position + 1
            return value
        value = self.u8() & 127
        for shift in range(7, 70, 7):
            byte = self.u8()
            value |= (byte & 127) << shift
            if byte < 128:
                self.check(byte != 0 and value < 2**64, "a number that is not in its shortest form or too large")
                return value
        self.fail("a number of more than 10 bytes")

    def sv(self) -> int:
        value = self.uv()
        return value >> 1 if value & 1 == 0 else -(value >> 1) - 1

    def index(self, count: int, what: str) -> int:
        value = self.uv()
        if value >= count:
            self.fail(f"there is no {what} {value}")
        return value

    def opt(self, count: int, what: str) -> int | None:
        value = self.index(count + 1, what)
        return value - 1 if value else None

    def count(self) -> int:
        value = self.uv()
        if value > len(self.view) - self.position:
            self.fail("a count that is larger than the section")
        return value

    def bytes(self) -> bytes:
        return bytes(self.raw(self.count()))

    def text(self) -> str:
        try:
            return self.bytes().decode()
        except UnicodeDecodeError:
            self.fail("a text that is not UTF-8")

    def name(self) -> str:
        text = self.text()
        self.check("\0" not in text, "a name with a zero byte")
        return text

    def many(self, item: Callable[[], T]) -> list[T]:
        """`n * x`."""
        return [item() for _ in range(self.count())]
