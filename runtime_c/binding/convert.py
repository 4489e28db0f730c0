"""Python values to runtime values and back.

In: a declared type and a Python value, or a runtime value. Out: the other one. One Scope serves one call: it maps each
container to one runtime object, so that `f(a, a)` stays one list, and back, so that a returned argument is the caller's
object. Holds: everything a scope made or read is released by `close`, also after an error.
"""

from __future__ import annotations

import array
import enum
import operator
from collections import namedtuple
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from . import dtype as dtypes
from . import instances, library
from .library import ffi, lib
from .schema import SchemaType
from .tensor import Tensor, from_numpy, wrap

_INT64 = range(-(2**63), 2**63)


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

    __slots__ = ("addresses", "changed", "classes", "instance", "objects", "owned", "wrap_object")

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


Writer = Callable[[Buffer, int, Any, Scope], None]


# ---- Python -> runtime ------------------------------------------------------------------------------------------


def refuse(value: Any, kind: SchemaType | str) -> TypeError:
    hint, name = "", type(value).__name__
    if str(kind) == "Tensor" and isinstance(value, (bool, int, float)):
        hint = f" (annotate the parameter as {name}, or pass tsm.tensor({value!r}))"
    elif str(kind) == "Tensor" and hasattr(value, "__dlpack__"):
        name = f"{type(value).__module__}.{name}"
        hint = " (pass tsm.from_dlpack(x), which shares its memory)"
    return TypeError(f"expected {kind}, got {name}{hint}")


def int_of(value: Any) -> int:
    """An int that the runtime can hold, from int, bool or a NumPy integer. TypeError, OverflowError."""
    if not isinstance(value, (int, np.integer, np.bool_)):
        raise refuse(value, "int")
    number = int.__pos__(value) if isinstance(value, int) else int(value)  # exact: a range looks through subclasses
    if number not in _INT64:
        raise OverflowError(f"int {number} does not fit into 64 bits")
    return number


def float_of(value: Any) -> float:
    """A float from float, int, bool or a NumPy number. TypeError, OverflowError."""
    if not isinstance(value, (float, int, np.floating, np.integer, np.bool_)):
        raise refuse(value, "float")
    return float(value)


def _write_none(buffer: Buffer, index: int, value: Any, scope: Scope) -> None:
    if value is not None:
        raise refuse(value, "None")
    buffer.put(index, library.NONE, 0)


def _write_bool(buffer: Buffer, index: int, value: Any, scope: Scope) -> None:
    if not isinstance(value, (bool, np.bool_)):
        raise refuse(value, "bool")
    buffer.put(index, library.BOOL, bool(value))


def _write_int(buffer: Buffer, index: int, value: Any, scope: Scope) -> None:
    buffer.put(index, library.INT, value if type(value) is int and value in _INT64 else int_of(value))


def _write_float(buffer: Buffer, index: int, value: Any, scope: Scope) -> None:
    buffer.words[2 * index] = library.FLOAT
    buffer.floats[2 * index + 1] = value if type(value) is float else float_of(value)


def _write_complex(buffer: Buffer, index: int, value: Any, scope: Scope) -> None:
    if not isinstance(value, (complex, float, int, np.number)):
        raise refuse(value, "complex")
    number = complex(value)
    library.check(lib.tsm_complex_new(library.runtime(), number.real, number.imag, buffer.values + index))
    scope.own(buffer.words[2 * index + 1], library.COMPLEX)


def _write_scalar(buffer: Buffer, index: int, value: Any, scope: Scope) -> None:
    if isinstance(value, (bool, np.bool_)):
        buffer.put(index, library.BOOL, bool(value))
    elif isinstance(value, (int, np.integer)):
        _write_int(buffer, index, value, scope)
    elif isinstance(value, (float, np.floating)):
        _write_float(buffer, index, value, scope)
    elif isinstance(value, (complex, np.complexfloating)):
        _write_complex(buffer, index, value, scope)
    else:
        raise refuse(value, "a number")


def _write_str(buffer: Buffer, index: int, value: Any, scope: Scope) -> None:
    if not isinstance(value, str):
        raise refuse(value, "str")
    try:
        data = value.encode()
    except UnicodeEncodeError:
        raise ValueError("a str with lone surrogates cannot be passed to a program") from None
    library.check(lib.tsm_str_copy(library.runtime(), data, len(data), buffer.values + index))
    scope.own(buffer.words[2 * index + 1], library.STR)


def _write_bytes(buffer: Buffer, index: int, value: Any, scope: Scope) -> None:
    if not isinstance(value, (bytes, bytearray)):
        raise refuse(value, "bytes")
    library.check(lib.tsm_bytes_copy(library.runtime(), bytes(value), len(value), buffer.values + index))
    scope.own(buffer.words[2 * index + 1], library.BYTES)


def _write_dtype(buffer: Buffer, index: int, value: Any, scope: Scope) -> None:
    found = dtypes.from_python(value)
    if found is None:
        raise refuse(value, "dtype")
    buffer.put(index, library.DTYPE, found.value)


def _write_tensor(buffer: Buffer, index: int, value: Any, scope: Scope) -> None:
    if not isinstance(value, Tensor):
        if not isinstance(value, np.ndarray):
            raise refuse(value, "Tensor")
        known = scope.addresses.get(id(value))
        if known is not None:
            return buffer.put(index, library.TENSOR, known[0])
        tensor = from_numpy(value)
        scope.addresses[id(value)] = (tensor._ref, library.TENSOR, (value, tensor))
        scope.objects[tensor._ref] = tensor
    else:
        tensor = value
        scope.objects[tensor._ref] = tensor
    buffer.put(index, library.TENSOR, tensor._ref)


def _write_any(buffer: Buffer, index: int, value: Any, scope: Scope) -> None:
    found = any_type(value)
    if found is None:
        raise TypeError(f"a {type(value).__name__} cannot be passed to a program")
    writer(found)(buffer, index, value, scope)


def any_type(value: Any) -> SchemaType | None:
    """The type under which a value goes where Any is declared; None if it cannot."""
    if value is None:
        return SchemaType("None")
    if isinstance(value, (Tensor, np.ndarray)):
        return SchemaType("Tensor")
    if isinstance(value, (bool, int, float, complex, np.number, np.bool_)):
        return SchemaType("Scalar")
    for python_type, kind in ((str, "str"), ((bytes, bytearray), "bytes"), (dtypes.DType, "dtype")):
        if isinstance(value, python_type):
            return SchemaType(kind)
    if isinstance(value, list):
        return SchemaType("list", (_element_type(value),))
    if isinstance(value, tuple):
        return SchemaType("tuple...", (SchemaType("Any"),))
    if isinstance(value, dict):
        return SchemaType("dict", (SchemaType("Any"), SchemaType("Any")))
    if isinstance(value, set):
        return SchemaType("set", (_element_type(list(value)),))
    return None


def _element_type(items: list[Any]) -> SchemaType:
    """Elements of one scalar kind stay unboxed."""
    kinds = set(map(type, items))
    if len(kinds) == 1:
        kind = kinds.pop()
        if kind in (bool, int, float):
            return SchemaType(kind.__name__)
    return SchemaType("Any")


_TYPECODES = {"int": "q", "float": "d", "bool": "B"}
_ELEMENT_KINDS = {
    "bool": library.BOOL, "int": library.INT, "float": library.FLOAT, "dtype": library.DTYPE, "str": library.STR,
    "bytes": library.BYTES, "Tensor": library.TENSOR, "list": library.LIST, "dict": library.DICT, "set": library.SET,
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
        if not isinstance(value, list):
            raise refuse(value, kind)
        if element.kind == "var":  # an operator for lists of anything: these elements decide
            return writer(SchemaType("list", (_element_type(value),)))(buffer, index, value, scope)
        if _reuse(buffer, index, value, scope):
            return
        if not _typed_new(buffer, index, kind, scope):
            library.check(lib.tsm_list_new(library.runtime(), tag, len(value), buffer.values + index))
        address = buffer.words[2 * index + 1]
        scope.own(address, library.LIST)
        scope.pair(value, address, library.LIST)
        if code and set(map(type, value)) <= {exact}:
            _fill(buffer.values[index], code, value)
            return
        place = Buffer(1)
        for item in value:
            write_element(place, 0, item, scope)
            library.check(lib.tsm_list_append(buffer.values[index], place.values[0]))

    return write


def _fill(target: Any, code: str, items: list[Any]) -> None:
    try:
        elements = array.array(code, items)
    except OverflowError:
        raise OverflowError("an int in the list does not fit into 64 bits") from None
    library.check(lib.tsm_py_list_fill(target, len(items), ffi.from_buffer(elements)))


def _typed_new(buffer: Buffer, index: int, kind: SchemaType, scope: Scope) -> bool:
    """Makes an empty container with a type of the program, where its elements need one."""
    if scope.instance is None or not instances.needs_type(kind):
        return False
    pointer = scope.instance.program.types.by_type[kind]
    library.check(lib.tsm_object_new(scope.instance.handle, pointer, buffer.values + index))
    return True


def _reuse(buffer: Buffer, index: int, value: Any, scope: Scope) -> bool:
    """Whether the container was already converted in this call; then it is the same runtime object."""
    known = scope.addresses.get(id(value))
    if known is None:
        return False
    buffer.put(index, known[1], known[0])
    return True


def _dict_writer(kind: SchemaType) -> Writer:
    key_type, value_type = kind.args
    write_key, write_value = writer(key_type), writer(value_type)

    def write(buffer: Buffer, index: int, value: Any, scope: Scope) -> None:
        if not isinstance(value, dict):
            raise refuse(value, kind)
        if _reuse(buffer, index, value, scope):
            return
        tags = element_kind(key_type), element_kind(value_type)
        if not _typed_new(buffer, index, kind, scope):
            library.check(lib.tsm_dict_new(library.runtime(), *tags, buffer.values + index))
        address = buffer.words[2 * index + 1]
        scope.own(address, library.DICT)
        scope.pair(value, address, library.DICT)
        place = Buffer(2)
        for key, item in value.items():
            write_key(place, 0, key, scope)
            write_value(place, 1, item, scope)
            library.check(lib.tsm_dict_set(buffer.values[index], place.values[0], place.values[1]))

    return write


def _set_writer(kind: SchemaType) -> Writer:
    element = kind.args[0]

    def write(buffer: Buffer, index: int, value: Any, scope: Scope) -> None:
        if not isinstance(value, set):
            raise refuse(value, kind)
        if element.kind == "var":
            return writer(SchemaType("set", (_element_type(list(value)),)))(buffer, index, value, scope)
        if _reuse(buffer, index, value, scope):
            return
        library.check(lib.tsm_set_new(library.runtime(), element_kind(element), buffer.values + index))
        address = buffer.words[2 * index + 1]
        scope.own(address, library.SET)
        scope.pair(value, address, library.SET)
        place, write_element = Buffer(1), writer(element)
        for item in value:
            write_element(place, 0, item, scope)
            library.check(lib.tsm_set_add(buffer.values[index], place.values[0]))

    return write


def _tuple_writer(kind: SchemaType) -> Writer:
    writers = [writer(element) for element in kind.args]
    of_any_length = kind.kind == "tuple..."

    def write(buffer: Buffer, index: int, value: Any, scope: Scope) -> None:
        if not isinstance(value, tuple) or (not of_any_length and len(value) != len(writers)):
            raise refuse(value, kind)
        if kind.kind == "named tuple":
            if type(value).__name__ != kind.name or getattr(value, "_fields", None) != kind.names:
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

    def write(buffer: Buffer, index: int, value: Any, scope: Scope) -> None:
        own = type(value).__name__ if value is not None else "None"
        for arm, write_arm in arms:
            if arm.kind == "class" and instances.is_instance_of(value, arm.qualified, scope.classes):
                return write_arm(buffer, index, value, scope)
        for _, write_arm in sorted(arms, key=lambda pair: pair[0].kind != own):
            try:
                return write_arm(buffer, index, value, scope)
            except TypeError:
                continue
        raise refuse(value, kind)

    return write


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
    scope.classes.setdefault(kind.qualified, type(value))
    scope.pair(value, address, library.OBJECT)
    place, error = Buffer(1), ffi.new("tsm_error *")
    for position, (name, member) in enumerate(found.attributes(kind.qualified)):
        given = instances.given_attribute(value, name)
        if not instances.is_given(given):
            continue
        try:
            writer(member)(place, 0, given, scope)
        except (TypeError, ValueError, OverflowError) as failure:
            raise type(failure)(f"attribute '{name}' of {kind.name}: {failure}") from None
        library.check(lib.tsm_object_set(handle, buffer.values[index], position, place.values[0], error), error)


def _enum_writer(kind: SchemaType) -> Writer:
    def write(buffer: Buffer, index: int, value: Any, scope: Scope) -> None:
        if not isinstance(value, enum.Enum) or type(value).__qualname__ != kind.name or value.name not in kind.names:
            raise refuse(value, kind)
        if scope.classes.setdefault(kind.name, type(value)) is not type(value) or scope.instance is None:
            raise refuse(value, kind)
        pointer = scope.instance.program.types.pointers[kind.name]
        library.check(lib.tsm_enum_new(pointer, kind.names.index(value.name), buffer.values + index))

    return write


def _unsupported(kind: SchemaType) -> Writer:
    def write(buffer: Buffer, index: int, value: Any, scope: Scope) -> None:
        raise TypeError(f"values of type {kind} cannot be passed to a program")

    return write


_WRITERS: dict[str, Writer] = {
    "None": _write_none, "bool": _write_bool, "int": _write_int, "float": _write_float, "complex": _write_complex,
    "Scalar": _write_scalar, "str": _write_str, "bytes": _write_bytes, "dtype": _write_dtype, "Tensor": _write_tensor,
    "Any": _write_any, "var": _write_any,
}
_MAKERS: dict[str, Callable[[SchemaType], Writer]] = {
    "list": _list_writer, "dict": _dict_writer, "set": _set_writer, "tuple": _tuple_writer, "tuple...": _tuple_writer,
    "named tuple": _tuple_writer, "optional": _optional_writer, "union": _union_writer, "class": _object_writer,
    "enum": _enum_writer,
}


@lru_cache(maxsize=4096)
def writer(kind: SchemaType) -> Writer:
    """The function that puts a Python value of a declared type into a buffer. It raises TypeError or OverflowError."""
    return _WRITERS.get(kind.kind) or _MAKERS.get(kind.kind, _unsupported)(kind)


# ---- runtime -> Python ------------------------------------------------------------------------------------------


def read(buffer: Buffer, index: int, scope: Scope) -> Any:
    """The Python value of an owned runtime value, whose count goes to the scope (of a tensor: to the Tensor)."""
    tag, payload = buffer.words[2 * index], buffer.words[2 * index + 1]
    kind = tag & 0xFFFFFFFF
    simple = _SIMPLE.get(kind)
    if simple is not None:
        return simple(buffer, index, payload)
    if kind == library.ENUM and scope.instance is not None:
        found = scope.instance.program.types.enum_of(tag >> 32 & 0xFFFFFFFF, scope.classes)
        return list(found)[payload]
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
    library.DEVICE: lambda buffer, index, payload: "cpu",
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


def _read_list(value: Any, address: int, scope: Scope) -> list[Any]:
    found: list[Any] = []
    scope.pair(found, address, library.LIST)
    found.extend(list_items(value, scope))
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
    found: dict[Any, Any] = {}
    scope.pair(found, address, library.DICT)
    found.update(dict_items(value, scope))
    return found


def dict_items(value: Any, scope: Scope) -> list[tuple[Any, Any]]:
    """Entries of a runtime dict, in order."""
    position, place, items = ffi.new("size_t *"), Buffer(2), []
    while lib.tsm_dict_next(value, position, place.values, place.values + 1):
        items.append((read(place, 0, scope), read(place, 1, scope)))
    return items


def _read_set(value: Any, address: int, scope: Scope) -> set[Any]:
    found: set[Any] = set()
    scope.pair(found, address, library.SET)
    found.update(key for key, _ in dict_items(value, scope))
    return found


def _read_tuple(value: Any, address: int, scope: Scope) -> tuple[Any, ...]:
    place, items = Buffer(1), []
    for position in range(lib.tsm_tuple_length(value)):
        library.check(lib.tsm_tuple_get(value, position, place.values))
        items.append(read(place, 0, scope))
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
    return made_named_tuple(name, tuple(ffi.string(lib.tsm_type_member_name(kind, i)).decode() for i in range(count)))


@lru_cache(maxsize=256)
def made_named_tuple(name: str, fields: tuple[str, ...]) -> Any:
    plain = name.rpartition(".")[2]
    return namedtuple(plain if plain.isidentifier() else "NamedTuple", fields, rename=True)


def _read_object(value: Any, address: int, scope: Scope) -> Any:
    name = instances.qualified_name(lib.tsm_value_type(value))
    python = scope.classes.get(name)
    if python is not None:
        made = object.__new__(python)
        scope.pair(made, address, library.OBJECT)
        _read_attributes(value, made, scope)
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
            instances.give_attribute(target, name, read(place, 0, scope))


_READERS: dict[int, Callable[[Any, int, Scope], Any]] = {
    library.STR: _read_str,
    library.BYTES: _read_bytes,
    library.COMPLEX: _read_complex,
    library.LIST: _read_list,
    library.DICT: _read_dict,
    library.SET: _read_set,
    library.TUPLE: _read_tuple,
    library.OBJECT: _read_object,
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
                container[:] = list_items(value, scope)
            elif kind == library.DICT:
                items = dict_items(value, scope)
                container.clear()
                container.update(items)
            elif kind == library.SET:
                elements = {key for key, _ in dict_items(value, scope)}
                container.clear()
                container.update(elements)


def index_of(value: Any) -> int:
    """An int by `__index__`, for arguments of eager calls that PyTorch takes from 0-d integer tensors too."""
    return int_of(operator.index(value))
