"""Python values to runtime values: containers, instances, and types with alternatives.

In: a declared type and a Python value. Out: a runtime object, filled by `Scope.later`. Holds: an object is known by its
identity before it is filled, so that sharing stays and cycles end.
"""

from __future__ import annotations

import array
import enum
from contextlib import nullcontext
from typing import Any

import numpy as np

from . import instances, library
from .dict_classes import is_dict_of, is_list_of, is_sequence
from .library import ffi, lib
from .result_classes import is_of_class, is_result
from .schema import SchemaType
from .scopes import Buffer, Scope
from .size import Size
from .writers import MAKERS, Writer, element_type, is_plain, number_of, refuse, writer

_TYPECODES = {"int": "q", "float": "d", "bool": "B"}
_ELEMENT_KINDS = {
    "bool": library.BOOL, "int": library.INT, "float": library.FLOAT, "dtype": library.DTYPE,
    "device": library.DEVICE, "str": library.STR,
    "bytes": library.BYTES, "Tensor": library.TENSOR, "list": library.LIST, "dict": library.DICT, "set": library.SET,
    "frozenset": library.FROZENSET,
    "tuple": library.TUPLE, "tuple...": library.TUPLE, "named tuple": library.TUPLE, "complex": library.COMPLEX,
    "class": library.OBJECT, "None": library.NONE, "enum": library.ENUM,
}


def element_kind(kind: SchemaType) -> int:
    """The element kind of a new list or dict whose elements have this type: as its layout in the program."""
    inner = kind.args[0] if kind.kind == "optional" else kind
    found = _ELEMENT_KINDS.get(inner.kind, library.ANY)
    return found if kind is inner or found >= library.FIRST_REF else library.ANY


def _list_writer(kind: SchemaType) -> Writer:
    element = kind.args[0]
    code, tag, write_element = _TYPECODES.get(element.kind), element_kind(element), writer(element)
    exact = {"int": int, "float": float, "bool": bool}.get(element.kind)

    def write(buffer: Buffer, index: int, value: Any, scope: Scope) -> None:
        if not is_list_of(value, kind):
            if kind.name or scope.instance is None or not is_sequence(value):
                return _put_resident(buffer, index, value, kind, scope)
            value = list(value)
        if element.kind == "var":  # an operator for lists of anything: these elements decide
            return writer(SchemaType("list", (element_type(value),)))(buffer, index, value, scope)
        if _reuse(buffer, index, value, scope):
            return
        if not _typed_new(buffer, index, kind, scope):
            library.check(lib.tsm_list_new(library.runtime(), tag, len(value), buffer.values + index))
        if kind.name and value.maxlen is not None:
            library.check(lib.tsm_deque_set_limit(buffer.values[index], value.maxlen))
        address = buffer.words[2 * index + 1]
        scope.own(address, library.LIST)
        scope.pair(value, address, library.LIST)
        if code and set(map(type, value)) <= {exact}:
            _fill(buffer.values[index], code, value)
            return

        def fill() -> None:
            made, place = lib.tsm_py_value(address, library.LIST), Buffer(1)
            for item in value:
                write_element(place, 0, item, scope)
                library.check(lib.tsm_list_append(made, place.values[0]))

        scope.later(fill)

    return write


def _fill(target: Any, code: str, items: list[Any]) -> None:
    try:
        elements = array.array(code, items)
    except OverflowError:
        raise OverflowError("an int in the list does not fit into 64 bits") from None
    library.check(lib.tsm_py_list_fill(target, len(items), ffi.from_buffer(elements)))


def _typed_new(buffer: Buffer, index: int, kind: SchemaType, scope: Scope) -> bool:
    """Makes an empty container with a type of the program, where its elements need one, or the program goes on with
    it as with its own."""
    if scope.instance is None or not (scope.is_typed or instances.needs_type(kind)):
        return False
    known = scope.instance.program.types.by_type
    if kind not in known and not instances.needs_type(kind):
        return False  # of an Any, whose types the program need not name
    pointer = known[kind]
    library.check(lib.tsm_object_new(scope.instance.handle, pointer, buffer.values + index))
    return True


def _put_resident(buffer: Buffer, index: int, value: Any, kind: SchemaType, scope: Scope) -> None:
    """A tsm.List or tsm.Dict goes as it is (resident.py)."""
    if not hasattr(type(value), "__tsm_resident__"):
        raise refuse(value, kind)
    value.put(buffer, index, kind, scope)


def _reuse(buffer: Buffer, index: int, value: Any, scope: Scope) -> bool:
    """Whether the container was already converted in this call; then it is the same runtime object."""
    known = scope.addresses.get(id(value))
    if known is None:
        return False
    buffer.put(index, known[1], known[0])
    return True


def _has_instances(kind: SchemaType) -> bool:
    """Whether keys of this type are or hold instances, which have to be filled before they are put in."""
    return kind.kind == "class" or any(map(_has_instances, kind.args))


def _dict_writer(kind: SchemaType) -> Writer:
    key_type, value_type = kind.args
    write_key, write_value = writer(key_type), writer(value_type)
    has_instances, nothing = _has_instances(key_type), nullcontext()

    def write(buffer: Buffer, index: int, value: Any, scope: Scope) -> None:
        if not is_dict_of(value, kind):
            return _put_resident(buffer, index, value, kind, scope)
        if _reuse(buffer, index, value, scope):
            return
        tags = element_kind(key_type), element_kind(value_type)
        if not _typed_new(buffer, index, kind, scope):
            library.check(lib.tsm_dict_new(library.runtime(), *tags, buffer.values + index))
        address = buffer.words[2 * index + 1]
        scope.own(address, library.DICT)
        scope.pair(value, address, library.DICT)

        def fill() -> None:
            made, place = lib.tsm_py_value(address, library.DICT), Buffer(2)
            for key, item in value.items():
                with scope.whole() if has_instances else nothing:
                    write_key(place, 0, key, scope)
                write_value(place, 1, item, scope)
                library.check(lib.tsm_dict_set(made, place.values[0], place.values[1]))

        scope.later(fill)

    return write


def _set_writer(kind: SchemaType) -> Writer:
    element = kind.args[0]
    has_instances, nothing = _has_instances(element), nullcontext()

    def write(buffer: Buffer, index: int, value: Any, scope: Scope) -> None:
        if not is_plain(value, set):
            raise refuse(value, kind)
        if element.kind == "var":
            return writer(SchemaType("set", (element_type(list(value)),)))(buffer, index, value, scope)
        if _reuse(buffer, index, value, scope):
            return
        if not _typed_new(buffer, index, kind, scope):
            library.check(lib.tsm_set_new(library.runtime(), element_kind(element), buffer.values + index))
        address = buffer.words[2 * index + 1]
        scope.own(address, library.SET)
        scope.pair(value, address, library.SET)
        place, write_element = Buffer(1), writer(element)
        for item in value:
            with scope.whole() if has_instances else nothing:
                write_element(place, 0, item, scope)
            library.check(lib.tsm_set_add(buffer.values[index], place.values[0]))

    return write


def _frozenset_writer(kind: SchemaType) -> Writer:
    """A value: what is equal may be another runtime object each time."""
    element = kind.args[0]
    has_instances, nothing = _has_instances(element), nullcontext()

    def write(buffer: Buffer, index: int, value: Any, scope: Scope) -> None:
        if not is_plain(value, frozenset):
            raise refuse(value, kind)
        if element.kind == "var":
            return writer(SchemaType("frozenset", (element_type(list(value)),)))(buffer, index, value, scope)
        if not _typed_new(buffer, index, kind, scope):
            library.check(lib.tsm_set_new(library.runtime(), element_kind(element), buffer.values + index))
        scope.own(buffer.words[2 * index + 1], library.SET)
        place, write_element = Buffer(1), writer(element)
        for item in value:
            with scope.whole() if has_instances else nothing:
                write_element(place, 0, item, scope)
            library.check(lib.tsm_set_add(buffer.values[index], place.values[0]))
        library.check(lib.tsm_set_freeze(buffer.values + index))

    return write


def _tuple_writer(kind: SchemaType) -> Writer:
    writers = [writer(element) for element in kind.args]
    of_any_length = kind.kind == "tuple..."

    def write(buffer: Buffer, index: int, value: Any, scope: Scope) -> None:
        if not isinstance(value, tuple) or (not of_any_length and len(value) != len(writers)):
            raise refuse(value, kind)
        if kind.kind != "named tuple" and hasattr(value, "_fields") and not is_result(value):
            raise refuse(value, kind)
        if kind.kind == "named tuple":
            if not is_of_class(value, kind.name) or getattr(value, "_fields", None) != kind.names:
                raise refuse(value, kind)
            scope.classes.setdefault(kind.name, type(value))
        items = Buffer(len(value))
        for position, item in enumerate(value):
            writers[0 if of_any_length else position](items, position, item, scope)
        if kind.kind == "named tuple" and scope.instance is not None:
            error, pointer = ffi.new("tsm_error *"), scope.instance.program.types.by_type[kind]
            made = lib.tsm_named_tuple_new(scope.instance.handle, pointer, items.values, buffer.values + index, error)
            library.check(made, error)
        else:
            library.check(lib.tsm_tuple_new(library.runtime(), len(value), items.values, buffer.values + index))
            if isinstance(value, Size):  # of other things than ints it is a plain tuple to programs
                lib.tsm_tuple_set_size(buffer.values[index])
        scope.own(buffer.words[2 * index + 1], library.TUPLE)

    return write


def _optional_writer(kind: SchemaType) -> Writer:
    inner = writer(kind.args[0])

    def write(buffer: Buffer, index: int, value: Any, scope: Scope) -> None:
        if value is None:
            buffer.put(index, library.NONE, 0)
        else:
            inner(buffer, index, value, scope)

    return write


def _union_writer(kind: SchemaType) -> Writer:
    """The arm of the value's own type first; then the first arm that takes it."""
    arms = [(arm, writer(arm)) for arm in kind.args]
    takes_tensors = any(arm.kind in ("Tensor", "Any") for arm in kind.args)

    def write(buffer: Buffer, index: int, value: Any, scope: Scope) -> None:
        if not takes_tensors:
            value = _as_number(value, kind, scope)
        own = _kind_name(value)
        for arm, write_arm in arms:
            if arm.kind == "class" and instances.is_instance_of(value, arm.qualified, scope.classes):
                return write_arm(buffer, index, value, scope)
        is_int = isinstance(value, (int, np.integer))
        for _, write_arm in sorted(arms, key=lambda pair: (_kind(pair[0]) != own, is_int and pair[0].kind != "int")):
            try:
                with scope.attempt():
                    return write_arm(buffer, index, value, scope)
            except TypeError:
                continue
        raise refuse(value, kind)

    return write


def _as_number(value: Any, kind: SchemaType, scope: Scope) -> Any:
    """The number of a tensor of one element, whose own kind chooses among those of a union."""
    try:
        return number_of(value, str(kind), scope)
    except TypeError:
        return value


def _kind(arm: SchemaType) -> str:
    return "tuple" if arm.kind in ("tuple...", "named tuple") else arm.kind


def _kind_name(value: Any) -> str:
    """The kind of the arms that a value belongs to before others."""
    for python, kind in ((tuple, "tuple"), (np.bool_, "bool"), (np.integer, "int"), (np.floating, "float")):
        if isinstance(value, python):
            return kind
    return "None" if value is None else type(value).__name__


def _object_writer(kind: SchemaType) -> Writer:
    def write(buffer: Buffer, index: int, value: Any, scope: Scope) -> None:
        if is_wrapper(value):
            scope.objects[value._tsm_address] = value
            buffer.put(index, library.OBJECT, value._tsm_address)
        elif not instances.is_instance_of(value, kind.qualified, scope.classes) or scope.instance is None:
            raise refuse(value, kind)
        elif not _reuse(buffer, index, value, scope):
            _write_instance(buffer, index, value, kind, scope)

    return write


def is_wrapper(value: Any) -> bool:
    """Whether a Python object stands for a runtime object: api/loaded.LoadedObject."""
    return "_tsm_address" in getattr(value, "__dict__", ())


def _write_instance(buffer: Buffer, index: int, value: Any, kind: SchemaType, scope: Scope) -> None:
    handle, found = scope.instance.handle, scope.instance.program.types
    library.check(lib.tsm_object_new(handle, found.pointers[kind.qualified], buffer.values + index))
    address = buffer.words[2 * index + 1]
    scope.own(address, library.OBJECT)
    scope.classes.setdefault(kind.qualified, instances.plain_class(value))
    scope.pair(value, address, library.OBJECT)

    def fill() -> None:
        made, place, error = lib.tsm_py_value(address, library.OBJECT), Buffer(1), ffi.new("tsm_error *")
        for position, (name, member) in enumerate(found.attributes(kind.qualified)):
            given = instances.given_attribute(value, name)
            if not instances.is_given(given):
                continue
            try:
                writer(member)(place, 0, given, scope)
            except (TypeError, ValueError, OverflowError) as failure:
                raise type(failure)(f"attribute '{name}' of {kind.name}: {failure}") from None
            library.check(lib.tsm_object_set(handle, made, position, place.values[0], error), error)

    scope.later(fill)


def _member_name(value: Any) -> str:
    """The enumerator that a member is; a combination of flags may have no name but its value."""
    if not isinstance(value, enum.Enum):
        return ""
    return str(value.value) if value.name is None else str(value.name)


def _enum_writer(kind: SchemaType) -> Writer:
    def write(buffer: Buffer, index: int, value: Any, scope: Scope) -> None:
        name = _member_name(value)
        if name not in kind.names or type(value).__qualname__ != kind.name:
            raise refuse(value, kind)
        if scope.classes.setdefault(kind.name, type(value)) is not type(value) or scope.instance is None:
            raise refuse(value, kind)
        pointer = scope.instance.program.types.pointers[kind.name]
        library.check(lib.tsm_enum_new(pointer, kind.names.index(name), buffer.values + index))

    return write


MAKERS.update({
    "list": _list_writer, "dict": _dict_writer, "set": _set_writer, "frozenset": _frozenset_writer,
    "tuple": _tuple_writer, "tuple...": _tuple_writer,
    "named tuple": _tuple_writer, "optional": _optional_writer, "union": _union_writer, "class": _object_writer,
    "enum": _enum_writer,
})
