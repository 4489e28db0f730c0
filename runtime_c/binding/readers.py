"""Runtime values to Python values, and what a call left in the caller's containers.

In: runtime values, owned. Out: Python values, the caller's own objects where they are known. Holds: a container is
known by its identity before it is filled, so that sharing stays, cycles end and depth is not followed by recursion.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from . import dtype as dtypes
from . import instances, library
from .device import CPU
from .dict_classes import made_dict, made_list, refill
from .errors import filled
from .exceptions import HELD, read_exception
from .library import ffi, lib
from .result_classes import result_classes
from .scopes import Buffer, Scope
from .size import Size
from .tensor import wrap


def read(buffer: Buffer, index: int, scope: Scope) -> Any:
    """The Python value of an owned runtime value, whose count goes to the scope (of a tensor: to the Tensor)."""
    tag, payload = buffer.words[2 * index], buffer.words[2 * index + 1]
    kind = tag & 0xFFFFFFFF
    simple = _SIMPLE.get(kind)
    if simple is not None:
        return simple(buffer, index, payload)
    if kind == library.ENUM and scope.instance is not None:
        return scope.instance.program.types.member_of(tag >> 32 & 0xFFFFFFFF, payload, scope.classes)
    if kind < library.FIRST_REF:
        raise TypeError(f"a program's value of kind {kind} has no Python form")
    known = scope.objects.get(payload)
    if known is not None:
        lib.tsm_py_release(payload, kind)
        return known
    if kind == library.TENSOR:
        tensor = scope.objects[payload] = wrap(payload)
        return tensor
    scope.own(payload, kind)
    reader = _READERS.get(kind)
    if reader is None:
        raise TypeError(f"a program's value of kind {kind} has no Python form")
    return reader(buffer.values[index], payload, scope)


_SIMPLE: dict[int, Callable[[Buffer, int, int], Any]] = {
    library.NONE: lambda buffer, index, payload: None,
    library.BOOL: lambda buffer, index, payload: bool(payload & 0xFF),
    library.INT: lambda buffer, index, payload: payload,
    library.FLOAT: lambda buffer, index, payload: buffer.floats[2 * index + 1],
    library.DTYPE: lambda buffer, index, payload: dtypes.MEMBERS[payload],
    library.DEVICE: lambda buffer, index, payload: CPU,
}


def _read_str(value: Any, address: int, scope: Scope) -> str:
    length = ffi.new("size_t *")
    text = lib.tsm_str_borrow(value, length)
    return ffi.buffer(text, length[0])[:].decode()


def _read_bytes(value: Any, address: int, scope: Scope) -> bytes:
    length = ffi.new("size_t *")
    data = lib.tsm_bytes_borrow(value, length)
    return ffi.buffer(data, length[0])[:]


def _read_complex(value: Any, address: int, scope: Scope) -> complex:
    parts = ffi.new("double[2]")
    lib.tsm_complex_get(value, parts, parts + 1)
    return complex(parts[0], parts[1])


def _read_list(value: Any, address: int, scope: Scope) -> Any:
    found = made_list(value, lib.tsm_value_type(value))
    scope.pair(found, address, library.LIST)
    scope.later(lambda: found.extend(list_items(lib.tsm_py_value(address, library.LIST), scope)))
    return found


def list_items(value: Any, scope: Scope) -> list[Any]:
    """Elements of a runtime list."""
    length = lib.tsm_list_length(value)
    if not length:
        return []
    for getter in (lib.tsm_list_ints, lib.tsm_list_floats, lib.tsm_list_bools):
        elements = getter(value)
        if elements != ffi.NULL:
            items = ffi.unpack(elements, length)
            return list(map(bool, items)) if getter is lib.tsm_list_bools else items
    place, items = Buffer(1), []
    for position in range(length):
        library.check(lib.tsm_list_get(value, position, place.values))
        items.append(read(place, 0, scope))
    return items


def _read_dict(value: Any, address: int, scope: Scope) -> dict[Any, Any]:
    found = made_dict(lib.tsm_value_type(value))
    scope.pair(found, address, library.DICT)
    scope.later(lambda: refill(found, dict_items(lib.tsm_py_value(address, library.DICT), scope)))
    return found


def dict_items(value: Any, scope: Scope) -> list[tuple[Any, Any]]:
    """Entries of a runtime dict, in order."""
    position, place, items = ffi.new("size_t *"), Buffer(2), []
    while lib.tsm_dict_next(value, position, place.values, place.values + 1):
        if place.words[0] in _WITH_PARTS:
            with scope.whole():
                key = read(place, 0, scope)
        else:
            key = read(place, 0, scope)
        items.append((key, read(place, 1, scope)))
    return items


_WITH_PARTS = (library.OBJECT, library.TUPLE, library.FROZENSET)


def _read_set(value: Any, address: int, scope: Scope) -> set[Any]:
    found: set[Any] = set()
    scope.pair(found, address, library.SET)
    found.update(key for key, _ in dict_items(value, scope))
    return found


def _read_frozenset(value: Any, address: int, scope: Scope) -> frozenset[Any]:
    return frozenset(key for key, _ in dict_items(value, scope))


def _read_tuple(value: Any, address: int, scope: Scope) -> tuple[Any, ...]:
    place, items = Buffer(1), []
    for position in range(lib.tsm_tuple_length(value)):
        library.check(lib.tsm_tuple_get(value, position, place.values))
        items.append(read(place, 0, scope))
    if lib.tsm_tuple_is_size(value):
        return Size(items)
    kind = lib.tsm_value_type(value)
    if kind != ffi.NULL and lib.tsm_type_kind_of(kind) == lib.TSM_T_NAMED_TUPLE:
        return named_tuple_class(kind, scope)(*items)
    return tuple(items)


def named_tuple_class(kind: Any, scope: Scope) -> Any:
    """The caller's class of a named tuple type, else one made from its name and fields."""
    name = ffi.string(lib.tsm_type_name(kind)).decode()
    if name in scope.classes:
        return scope.classes[name]
    count = lib.tsm_type_member_count(kind)
    fields = tuple(ffi.string(lib.tsm_type_member_name(kind, i)).decode() for i in range(count))
    known = result_classes().get(name)
    return known if known is not None and known._fields == fields else made_named_tuple(name, fields)


@lru_cache(maxsize=256)
def made_named_tuple(name: str, fields: tuple[str, ...]) -> Any:
    plain = name.rpartition(".")[2]
    return namedtuple(plain if plain.isidentifier() else "NamedTuple", fields, rename=True)


def _read_object(value: Any, address: int, scope: Scope) -> Any:
    name = instances.qualified_name(lib.tsm_value_type(value))
    python = scope.classes.get(name)
    if python is not None:
        made = python.__new__(python) if issubclass(python, BaseException) else object.__new__(python)
        scope.pair(made, address, library.OBJECT)
        scope.later(lambda: _read_attributes(lib.tsm_py_value(address, library.OBJECT), made, scope))
        return made
    if scope.wrap_object is None:
        raise TypeError("an instance of a scripted class cannot leave the program here")
    found = scope.objects[address] = scope.wrap_object(address)
    return found


def _read_attributes(value: Any, target: Any, scope: Scope) -> None:
    """Gives a Python instance what the runtime's has."""
    kind, place = lib.tsm_value_type(value), Buffer(1)
    for position in range(lib.tsm_type_member_count(kind)):
        if not lib.tsm_object_get(value, position, place.values):
            name = ffi.string(lib.tsm_type_member_name(kind, position)).decode()
            if isinstance(target, BaseException) and name in ("args", HELD):
                if name != HELD:
                    filled(target, read(place, 0, scope))
                continue
            instances.give_attribute(target, name, read(place, 0, scope))
        else:
            instances.take_attribute(target, ffi.string(lib.tsm_type_member_name(kind, position)).decode())


_READERS: dict[int, Callable[[Any, int, Scope], Any]] = {
    library.STR: _read_str,
    library.BYTES: _read_bytes,
    library.COMPLEX: _read_complex,
    library.LIST: _read_list,
    library.DICT: _read_dict,
    library.SET: _read_set,
    library.FROZENSET: _read_frozenset,
    library.TUPLE: _read_tuple,
    library.OBJECT: _read_object,
    library.EXCEPTION: read_exception,
}


def write_back(scope: Scope) -> None:
    """Gives the caller's lists and dicts what the call left in them; elements keep their identity."""
    done: set[int] = set()
    while scope.changed and (rest := [address for address in scope.changed if address not in done]):
        for address in rest:
            done.add(address)
            kind, container = scope.changed[address]
            value = lib.tsm_py_value(address, kind)
            if kind == library.OBJECT:
                _read_attributes(value, container, scope)
            elif kind == library.LIST:
                items = list_items(value, scope)
                container.clear()
                container.extend(items)
            elif kind == library.DICT:
                items = dict_items(value, scope)
                refill(container, items)
            elif kind == library.SET:
                elements = {key for key, _ in dict_items(value, scope)}
                container.clear()
                container.update(elements)
