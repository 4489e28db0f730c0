"""bytearray, written as a script: a list of ints from 0 to 255 that is compared and shown as bytes.

In: bytes, a count, or numbers. Out: instances, which scripts make and use; they do not pass the boundary. Holds: what
changes one changes it in place; slices and joined ones are new; errors are CPython 3.11's.
"""

from __future__ import annotations


def checked(value: int) -> int:
    if not 0 <= value < 256:
        raise ValueError("byte must be in range(0, 256)")
    return value


def byte_list(values) -> list[int]:
    if isinstance(values, str):
        raise TypeError("string argument without an encoding")
    return [checked(value) for value in values]


class bytearray:
    """Bytes that can be changed."""

    __tsm_compiles__ = True
    __tsm_stands_for__ = bytearray

    def __init__(self, source=b"", encoding: str = ""):
        self._items: list[int] = []
        if isinstance(source, int):
            if source < 0:
                raise ValueError("negative count")
            self._items = [0] * source
        elif isinstance(source, str):
            if not encoding:
                raise TypeError("string argument without an encoding")
            self._items = list(encoded(source, encoding))
        else:
            self._items = byte_list(source)

    @classmethod
    def fromhex(cls, text: str):
        return bytearray(bytes.fromhex(text))

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self):
        return iter(self._items)

    def __bytes__(self) -> bytes:
        return bytes(self._items)

    def __repr__(self) -> str:
        return f"bytearray({bytes(self._items)!r})"

    def __contains__(self, value) -> bool:
        return checked(value) in self._items if isinstance(value, int) else bytes(value) in bytes(self._items)

    def __getitem__(self, index):
        if isinstance(index, slice):
            return bytearray(self._items[index])
        if not -len(self._items) <= index < len(self._items):
            raise IndexError("bytearray index out of range")
        return self._items[index]

    def __setitem__(self, index, value) -> None:
        if isinstance(index, slice):
            self._items[index] = byte_list(value)
        else:
            checked(value)
            if not -len(self._items) <= index < len(self._items):
                raise IndexError("bytearray index out of range")
            self._items[index] = value

    def __delitem__(self, index) -> None:
        del self._items[index]

    def __eq__(self, other) -> bool:
        if isinstance(other, (bytes, bytearray)):
            return bytes(self._items) == bytes(other)
        return NotImplemented

    def __lt__(self, other) -> bool:
        return bytes(self._items) < bytes(other)

    def __le__(self, other) -> bool:
        return bytes(self._items) <= bytes(other)

    def __gt__(self, other) -> bool:
        return bytes(self._items) > bytes(other)

    def __ge__(self, other) -> bool:
        return bytes(self._items) >= bytes(other)

    def __add__(self, other):
        return bytearray(bytes(self._items) + bytes(other))

    def __radd__(self, other: bytes) -> bytes:
        return other + bytes(self._items)

    def __iadd__(self, other):
        self._items.extend(byte_list(other))
        return self

    def __mul__(self, count: int):
        return bytearray(self._items * count)

    def __rmul__(self, count: int):
        return bytearray(self._items * count)

    def __imul__(self, count: int):
        self._items[:] = self._items * count
        return self

    def append(self, value: int) -> None:
        self._items.append(checked(value))

    def extend(self, values) -> None:
        self._items.extend(byte_list(values))

    def insert(self, index: int, value: int) -> None:
        self._items.insert(index, checked(value))

    def pop(self, index: int = -1) -> int:
        if not self._items:
            raise IndexError("pop from empty bytearray")
        if not -len(self._items) <= index < len(self._items):
            raise IndexError("pop index out of range")
        return self._items.pop(index)

    def remove(self, value: int) -> None:
        if checked(value) not in self._items:
            raise ValueError("value not found in bytearray")
        self._items.remove(value)

    def clear(self) -> None:
        self._items.clear()

    def reverse(self) -> None:
        self._items.reverse()

    def copy(self):
        return bytearray(self._items)

    def hex(self) -> str:
        return bytes(self._items).hex()

    def find(self, sub) -> int:
        return bytes(self._items).find(bytes(sub))

    def count(self, sub) -> int:
        return bytes(self._items).count(bytes(sub))

    def startswith(self, prefix) -> bool:
        return bytes(self._items).startswith(bytes(prefix))

    def endswith(self, suffix) -> bool:
        return bytes(self._items).endswith(bytes(suffix))

    def decode(self, encoding: str = "utf-8", errors: str = "strict") -> str:
        return decoded(bytes(self._items), encoding, errors)


def encoded(text: str, encoding: str) -> bytes:
    if encoding in ("utf-8", "utf8", "UTF-8"):
        return text.encode("utf-8")
    if encoding in ("ascii", "us-ascii", "ASCII"):
        return text.encode("ascii")
    if encoding in ("latin-1", "latin1", "iso-8859-1"):
        return text.encode("latin-1")
    raise LookupError(f"unknown encoding: {encoding}")


def decoded(content: bytes, encoding: str, errors: str) -> str:
    if errors not in ("strict", "ignore", "replace"):
        raise LookupError(f"unknown error handler name '{errors}'")
    if encoding in ("utf-8", "utf8", "UTF-8"):
        if errors == "ignore":
            return content.decode("utf-8", "ignore")
        return content.decode("utf-8", "replace") if errors == "replace" else content.decode("utf-8")
    if encoding in ("ascii", "us-ascii", "ASCII"):
        if errors == "ignore":
            return content.decode("ascii", "ignore")
        return content.decode("ascii", "replace") if errors == "replace" else content.decode("ascii")
    if encoding in ("latin-1", "latin1", "iso-8859-1"):
        return content.decode("latin-1")
    raise LookupError(f"unknown encoding: {encoding}")
