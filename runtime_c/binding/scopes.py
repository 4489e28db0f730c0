"""What one call knows of values that cross: room for them, who is who, and what is owned.

In: Python objects and runtime objects that are one. Out: either, by the other. Holds: everything a scope made or read
is released by `close`, also after an error.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from . import library
from .library import ffi, lib


class Buffer:
    """Room for `length` runtime values. `words` and `floats` view the same memory: a value is kind, then payload."""

    __slots__ = ("floats", "values", "words")

    def __init__(self, length: int) -> None:
        self.values = ffi.new("tsm_value[]", max(length, 1))
        self.words = ffi.cast("int64_t *", self.values)
        self.floats = ffi.cast("double *", self.values)

    def put(self, index: int, kind: int, payload: int) -> None:
        self.words[2 * index] = kind
        self.words[2 * index + 1] = payload


class Scope:
    """Identities and ownership of one call.

    `objects` maps the address of a runtime object to its Python object; `addresses` the other way, by id(). `changed`
    collects the containers that the call may change, to be written back. `classes` gives the Python class of a named
    tuple or enum type by name.
    """

    __slots__ = (
        "addresses", "changed", "classes", "guards", "instance", "is_typed", "objects", "owned", "pending",
        "wrap_object",
    )

    def __init__(
        self, classes: dict[str, Any] | None = None, wrap_object: Callable[[int], Any] | None = None,
        instance: Any = None,
    ) -> None:
        self.objects: dict[int, Any] = {}
        self.addresses: dict[int, tuple[int, int, Any]] = {}  # the object is kept, so that its id() stays its own
        self.owned: list[tuple[int, int]] = []
        self.changed: dict[int, tuple[int, Any]] | None = None  # address -> kind, container; None: nothing may change
        self.classes = {} if classes is None else classes
        self.instance = instance  # program.Instance, for values that only exist in one
        self.wrap_object = wrap_object
        self.guards: list[Any] = []  # of resident containers, which this thread holds until the end
        self.is_typed = False  # whether new containers are made with the types of the program
        self.pending: deque[Callable[[], None]] | None = None  # what is to be filled; None: nothing is being filled

    def later(self, fill: Callable[[], None]) -> None:
        """Fills a new container: at once, or after the one that is being filled, so that no depth of nesting is
        followed by recursion."""
        if self.pending is not None:
            self.pending.append(fill)
            return
        self.pending = deque((fill,))
        try:
            while self.pending:
                self.pending.popleft()()
        finally:
            self.pending = None

    @contextmanager
    def whole(self) -> Iterator[None]:
        """Fills what is made inside before it ends: a key, whose hash is asked next."""
        outer, self.pending = self.pending, None
        try:
            yield
        finally:
            self.pending = outer

    @contextmanager
    def attempt(self) -> Iterator[None]:
        """Fills what is made inside before it ends; after an error nothing of it is remembered."""
        outer, self.pending = self.pending, None
        memories: list[dict[Any, Any]] = [self.objects, self.addresses, {} if self.changed is None else self.changed]
        known = list(map(len, memories))
        try:
            yield
        except BaseException:
            for memory, count in zip(memories, known):
                for key in list(memory)[count:]:
                    del memory[key]
            raise
        finally:
            self.pending = outer

    def own(self, address: int, kind: int) -> None:
        """Takes over one count of a runtime object."""
        self.owned.append((address, kind))

    def pair(self, value: Any, address: int, kind: int) -> None:
        """Remembers that a Python object and a runtime object are one."""
        self.objects[address] = value
        self.addresses[id(value)] = (address, kind, value)
        if self.changed is not None and kind in (library.LIST, library.DICT, library.SET, library.OBJECT):
            self.changed[address] = (kind, value)

    def close(self) -> None:
        for address, kind in self.owned:
            lib.tsm_py_release(address, kind)
        self.owned.clear()
        while self.guards:
            self.guards.pop().leave()
