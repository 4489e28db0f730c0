"""Containers and instances that a program and Python both have: what one changed, the other sees.

In: what crossed in a call, and stays in the program's state or came out of it. Out: the same Python objects in all
calls, with what the program has in them now. Holds: what Python changed is in the program before its next call or
when it is asked for its state, what the program changed is in Python after it; what only this knows is forgotten.
"""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable, Iterator
from typing import Any

from . import convert, instances, library
from .library import ffi, lib
from .program_types import read_type

_KINDS = frozenset((library.LIST, library.DICT, library.SET, library.OBJECT))
_OWN_COUNTS = 2  # of the table below, and of asking


class Shared:
    """What Python has of the state of one instance."""

    def __init__(self, handle: Any) -> None:
        self.handle = handle  # of the instance, which must not go before what is held of it
        self.held: dict[int, list[Any]] = {}  # by address: kind, Python's object, what was in it

    def __bool__(self) -> bool:
        return bool(self.held)

    def is_known(self) -> bool:
        """Whether something else in Python knows any of it."""
        self._forget()
        return bool(self.held)

    def __del__(self, release: Callable[[int, int], None] = lib.tsm_py_release) -> None:
        for address, (kind, _, _) in self.held.items():
            release(address, kind)

    def enter(self, scope: convert.Scope) -> None:
        """Makes the objects known to a call, and gives the program what Python changed in them."""
        self._forget()
        for address, (kind, value, _) in self.held.items():
            scope.pair(value, address, kind)
        for address, (kind, value, before) in self.held.items():
            after = parts_of(kind, value, scope)
            if len(after) != len(before) or not all(map(operator.is_, after, before)):
                write_changes(kind, address, value, scope)
                self.held[address][2] = after

    def leave(self, scope: convert.Scope, takes: bool) -> None:
        """Remembers what is in the objects after a call, and takes those that crossed in it, if it `takes` any."""
        for address, kind, value in list(scope.addresses.values()) if takes else ():
            if kind in _KINDS and address not in self.held:
                lib.tsm_py_retain(address, kind)
                self.held[address] = [kind, value, ()]
        for value in scope.objects.values() if takes else ():
            if hasattr(type(value), "__tsm_resident__"):
                value.attach(scope.instance)
        for entry in self.held.values():
            entry[2] = parts_of(entry[0], entry[1], scope)

    def _forget(self) -> None:
        """Lets go of what nothing else in Python knows: no one can tell whether it changes."""
        while gone := [a for a in self.held if sys.getrefcount(self.held[a][1]) <= _OWN_COUNTS]:
            for address in gone:
                lib.tsm_py_release(address, self.held.pop(address)[0])


def parts_of(kind: int, value: Any, scope: convert.Scope) -> list[Any]:
    """What a container or an instance holds, to tell later whether it has changed."""
    if kind == library.DICT:
        return [part for item in value.items() for part in item]
    if kind == library.OBJECT:
        names = (name for name, _ in _attributes(value, scope))
        return [instances.given_attribute(value, name) for name in names]
    return list(value)


def _attributes(value: Any, scope: convert.Scope) -> Iterator[tuple[str, Any]]:
    address = scope.addresses[id(value)][0]
    kind = lib.tsm_value_type(lib.tsm_py_value(address, library.OBJECT))
    scope.instance.program.types.add(kind)
    yield from scope.instance.program.types.attributes(instances.qualified_name(kind))


def _member(held: Any, index: int, scope: convert.Scope) -> convert.Writer:
    """The writer of what a container of the program holds."""
    kind = lib.tsm_value_type(held)
    if kind == ffi.NULL:
        return convert.any_writer  # of an Any: its layout says what it takes
    scope.instance.program.types.add(kind)
    return convert.writer(read_type(lib.tsm_type_member(kind, index)))


def _write_list(held: Any, value: Any, scope: convert.Scope) -> None:
    place, write = convert.Buffer(len(value)), _member(held, 0, scope)
    for i, item in enumerate(value):
        write(place, i, item, scope)
    library.check(lib.tsm_list_resize(held, 0))
    for i in range(len(value)):
        library.check(lib.tsm_list_append(held, place.values[i]))


def _write_dict(held: Any, value: Any, scope: convert.Scope) -> None:
    place, write_key, write = convert.Buffer(2 * len(value)), _member(held, 0, scope), _member(held, 1, scope)
    for i, (key, item) in enumerate(value.items()):
        write_key(place, 2 * i, key, scope)
        write(place, 2 * i + 1, item, scope)
    if [key for key, _ in convert.dict_items(held, scope)] != list(value):
        lib.tsm_dict_clear(held)
    for i in range(len(value)):
        library.check(lib.tsm_dict_set(held, place.values[2 * i], place.values[2 * i + 1]))


def _write_set(held: Any, value: Any, scope: convert.Scope) -> None:
    place, write = convert.Buffer(len(value)), _member(held, 0, scope)
    for i, item in enumerate(value):
        write(place, i, item, scope)
    lib.tsm_dict_clear(held)
    for i in range(len(value)):
        library.check(lib.tsm_set_add(held, place.values[i]))


def _write_object(held: Any, value: Any, scope: convert.Scope) -> None:
    place, error = convert.Buffer(1), ffi.new("tsm_error *")
    for position, (name, kind) in enumerate(_attributes(value, scope)):
        given = instances.given_attribute(value, name)
        if instances.is_given(given):
            convert.writer(kind)(place, 0, given, scope)
            status = lib.tsm_object_set(scope.instance.handle, held, position, place.values[0], error)
            library.check(status, error)


_CHANGES: dict[int, Callable[[Any, Any, convert.Scope], None]] = {
    library.LIST: _write_list, library.DICT: _write_dict, library.SET: _write_set, library.OBJECT: _write_object,
}


def write_changes(kind: int, address: int, value: Any, scope: convert.Scope) -> None:
    """Gives the program what Python has in an object. TypeError."""
    _CHANGES[kind](lib.tsm_py_value(address, kind), value, scope)
