"""CRC-32C (Castagnoli), by libtsm where the binding offers it, else by a table."""

from __future__ import annotations

from functools import cache

try:
    from ..binding import crc32c as _native  # type: ignore[attr-defined, unused-ignore]
except ImportError:
    _native = None  # type: ignore[assignment, unused-ignore]


@cache
def _table() -> tuple[int, ...]:
    table = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
        table.append(byte)
    return tuple(table)


def crc32c(content: bytes | bytearray | memoryview) -> int:
    """Checksum of the bytes, as the container stores it."""
    if callable(_native):
        return int(_native(content))
    table = _table()
    crc = 0xFFFFFFFF
    for byte in bytes(content):
        crc = table[(crc ^ byte) & 255] ^ crc >> 8
    return crc ^ 0xFFFFFFFF
