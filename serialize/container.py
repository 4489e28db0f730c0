"""The container: a 64-byte header, the table of sections, the sections, with their checksums.

In: section contents by kind, or bytes that may be anything. Out: a file, or its sections.
Holds: what FORMAT.md, Container, says; `pack` and `unpack` are mirror images.
"""

from __future__ import annotations

import struct
from enum import IntEnum

from .checksum import crc32c
from .decoder import Decoder
from .errors import FormatError

MAGIC = b"\x89TSM\r\n\x1a\n"
MAJOR, MINOR = 1, 6
MINOR_FUSED = 1  # the first that knows the node `fused`
MINOR_FROZENSET = 2  # the first that knows frozensets
MINOR_DICT_CLASS = 3  # the first that knows deques, OrderedDict and other subclasses of dict
MINOR_KEYS = 4  # the first that knows instances, Optionals and Unions as keys
MINOR_ANY_KEYS = 5  # the first that knows keys of type Any
MINOR_SCALAR_KEYS = 6  # the first that knows keys of type Scalar
FEATURE_BOUND = 1
MAX_SECTIONS = 64
HEADER = struct.Struct("<8sHHIQQII24s")
ENTRY = struct.Struct("<IIQQII")
REQUIRED = 1


class Kind(IntEnum):
    """Sections, by number."""

    METADATA = 1
    STRINGS = 2
    TYPES = 3
    STORAGES = 4
    TENSORS = 5
    CONSTANTS = 6
    OPERATORS = 7
    FUNCTIONS = 8
    STATE = 9
    METHODS = 10
    SOURCE = 11
    TEXT = 12
    EXTRA = 13
    DATA = 14


OPTIONAL = frozenset((Kind.METADATA, Kind.SOURCE, Kind.TEXT, Kind.EXTRA))


def align(offset: int) -> int:
    """The next multiple of 64."""
    return -(-offset // 64) * 64


def pack(sections: dict[Kind, bytes | bytearray], features: int, minor: int = 0) -> bytes:
    """The file that holds the sections, for readers of format `minor` and later."""
    table = bytearray()
    kinds = sorted(sections)
    offset = HEADER.size + ENTRY.size * len(kinds)
    for kind in kinds:
        content = sections[kind]
        offset = align(offset)
        flags = 0 if kind in OPTIONAL else REQUIRED
        table += ENTRY.pack(kind, flags, offset, len(content), crc32c(content), 0)
        offset += len(content)
    fields = (MAGIC, MAJOR, minor, minor, features, offset, len(kinds))
    head = HEADER.pack(*fields, 0, bytes(24)) + table
    parts: list[bytes | bytearray] = [HEADER.pack(*fields, crc32c(head), bytes(24)), table]
    length = HEADER.size + len(table)
    for kind in kinds:
        parts += [bytes(align(length) - length), sections[kind]]
        length = align(length) + len(sections[kind])
    return b"".join(parts)


def unpack(data: memoryview, check_data: bool) -> tuple[dict[Kind, Decoder], int, int]:
    """The sections that this version knows, the feature bits and the lowest minor version that reads the file. The
    checksum of DATA is checked on request."""
    features, count, minor = _header(data)
    sections: dict[Kind, Decoder] = {}
    end = HEADER.size + ENTRY.size * count
    last_kind = -1
    for number in range(count):
        place = HEADER.size + ENTRY.size * number
        kind, flags, offset, size, crc, zero = ENTRY.unpack_from(data, place)
        _check(kind > last_kind and flags & ~REQUIRED == 0 and zero == 0, "a malformed entry", place)
        _check(offset == align(end) and size <= len(data) - offset, "a section that is not where it belongs", place)
        _check(not any(data[end:offset]), "padding that is not zero", end)
        last_kind, end = kind, offset + size
        if kind not in Kind.__members__.values():
            _check(flags == 0, f"a required section of unknown kind {kind}: the file needs a newer version", place)
            continue
        name = Kind(kind)
        _check(flags == (0 if name in OPTIONAL else REQUIRED), f"section {name.name} with the wrong flag", place)
        content = data[offset:end]
        if name != Kind.DATA or check_data:
            _check(crc32c(content) == crc, f"the checksum of {name.name} does not match: the file is damaged", offset)
        sections[name] = Decoder(content, name.name, offset)
    _check(end == len(data), "bytes after the last section", end)
    for name in Kind:
        _check(name in sections or name in OPTIONAL, f"section {name.name} is missing", HEADER.size)
    return sections, features, minor


def _check(holds: bool, message: str, offset: int) -> None:
    if not holds:
        raise FormatError(message, "header" if offset < HEADER.size else "table", offset)


def _header(data: memoryview) -> tuple[int, int, int]:
    """Feature bits, number of sections, lowest minor version."""
    _check(data[:8] == MAGIC[: len(data)] and len(data) > 0, "this is not a .tsm file", 0)
    _check(len(data) >= HEADER.size, "the file ends too early", len(data))
    _, major, _, lowest, features, size, count, crc, zero = HEADER.unpack_from(data)
    _check(major == MAJOR and lowest <= MINOR, f"version {major}.{lowest} is needed to read the file", 8)
    _check(features & ~FEATURE_BOUND == 0, "the file needs features of a newer version", 16)
    _check(size <= len(data), "the file ends too early", len(data))
    _check(size == len(data), "bytes after the file's end", 24)
    table_end = HEADER.size + ENTRY.size * count
    _check(count <= MAX_SECTIONS and table_end <= len(data), "too many sections", 32)
    head = bytearray(data[:table_end])
    head[36:40] = bytes(4)
    _check(crc32c(head) == crc, "the checksum of the header does not match: the file is damaged", 36)
    _check(zero == bytes(24), "reserved bytes that are not zero", 40)
    return features, count, lowest
