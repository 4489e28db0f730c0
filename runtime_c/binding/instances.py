"""Instances of script classes and members of enums: between Python's objects and a program's.

In: a program's types and the Python classes that belong to them. Out: the parts of converters that need both.
Holds: an object is filled only after it is known by its identity, so cycles end; what Python has
not set stays unset.
"""

from __future__ import annotations

import contextlib
import dataclasses
import dis
import enum
import inspect
import types
from collections.abc import Iterator
from functools import lru_cache
from itertools import count, takewhile
from typing import Any

from . import library
from .library import ffi, lib
from .program_types import read_type
from .result_classes import is_of_class
from .schema import SchemaType

PLAIN = "__tsm_plain__"  # of a class whose methods run compiled (api/script_objects.py): the one it is made of
_MISSING = object()
_PLAIN = (bool, int, float, complex, str, bytes, tuple, type(None))


_TYPED = (lib.TSM_T_LIST, lib.TSM_T_DICT, lib.TSM_T_SET, lib.TSM_T_FROZENSET, lib.TSM_T_NAMED_TUPLE)
_NAMED = (lib.TSM_T_CLASS, lib.TSM_T_ENUM, lib.TSM_T_NAMED_TUPLE)


@lru_cache(maxsize=4096)
def needs_type(kind: SchemaType) -> bool:
    """Whether a container of this type must be made with the program's type: its elements are of the program's."""
    return any(arg.kind in ("enum", "named tuple", "class") or needs_type(arg) for arg in kind.args)


class ProgramTypes:
    """The classes and enums of a program, by their qualified names."""

    def __init__(self, program: Any) -> None:
        self.program = program  # keeps the pointers alive
        self.pointers: dict[str, Any] = {}
        self.by_type: dict[SchemaType, Any] = {}  # pointers of types that values must be made with
        self._attributes: dict[str, list[tuple[str, SchemaType]]] = {}
        self._enums: dict[int, tuple[str, Any]] = {}
        self._seen: set[int] = set()
        self._named: list[SchemaType] | None = None  # classes, enums and named tuples, also where no method names them
        self.add(*_signature_types(program.handle))

    def add(self, *kinds: Any) -> None:
        """Takes note of types of the program, and of all they lead to."""
        pending = list(kinds)
        while pending:
            kind = pending.pop()
            number, address = lib.tsm_type_kind_of(kind), int(ffi.cast("uintptr_t", kind))
            if address in self._seen:
                continue
            self._seen.add(address)
            if number in _TYPED:
                self.by_type[read_type(kind)] = kind
            if number in (lib.TSM_T_CLASS, lib.TSM_T_ENUM):
                name = qualified_name(kind)
                if name in self.pointers:
                    continue
                self.pointers[name] = kind
            if number != lib.TSM_T_ENUM:
                members = range(lib.tsm_type_member_count(kind))
                pending.extend(found for i in members if (found := lib.tsm_type_member(kind, i)) != ffi.NULL)

    def of_value(self, value: Any, classes: dict[str, Any]) -> SchemaType | None:
        """The program's type of an instance, an enum member or a named tuple; None if it has none."""
        if self._named is None:
            pointers = takewhile(bool, (lib.tsm_program_type(self.program.handle, i) for i in count()))
            known = [kind for kind in pointers if lib.tsm_type_kind_of(kind) in _NAMED]
            self.add(*known)
            self._named = list(map(read_type, known))
        return next((kind for kind in self._named if _is_of(value, kind, classes)), None)

    def attributes(self, name: str) -> list[tuple[str, SchemaType]]:
        """Names and types of a class's attributes, in order."""
        found = self._attributes.get(name)
        if found is None:
            kind = self.pointers[name]
            found = self._attributes[name] = [
                (ffi.string(lib.tsm_type_member_name(kind, i)).decode(), read_type(lib.tsm_type_member(kind, i)))
                for i in range(lib.tsm_type_member_count(kind))
            ]
        return found

    def enum_of(self, number: int, classes: dict[str, Any]) -> Any:
        """The Python enum of a type number: the caller's, else one with its members."""
        if number not in self._enums:
            value = ffi.new("tsm_value *")
            value.kind, value.type = library.ENUM, number
            kind = lib.tsm_enum_type(self.program.handle, value[0])
            self._enums[number] = qualified_name(kind), kind
        name, kind = self._enums[number]
        if name not in classes:
            classes[name] = _made_enum(name, kind)
        return classes[name]


    def member_of(self, number: int, place: int, classes: dict[str, Any]) -> Any:
        """The member of an enum at a place; flags are found by their value."""
        found = self.enum_of(number, classes)
        return found(_value_at(self._enums[number][1], place)) if issubclass(found, enum.Flag) else list(found)[place]


def _value_at(kind: Any, place: int) -> Any:
    from . import convert

    buffer, scope = convert.Buffer(1), convert.Scope()
    library.check(lib.tsm_enum_value(library.runtime(), kind, place, buffer.values))
    value = convert.read(buffer, 0, scope)
    scope.close()
    return value


def _made_enum(name: str, kind: Any) -> Any:
    members = {ffi.string(lib.tsm_type_member_name(kind, i)).decode(): _value_at(kind, i)
               for i in range(lib.tsm_type_member_count(kind))}
    named = {each: value for each, value in members.items() if "|" not in each and not each[:1].isdigit()}
    if named == members:
        return enum.Enum(name.rpartition(".")[2], members)
    keep: Any = {"boundary": enum.KEEP} if hasattr(enum, "KEEP") else {}
    return enum.Flag(name.rpartition(".")[2], named, **keep)


def _signature_types(handle: Any) -> Iterator[Any]:
    info = ffi.new("tsm_method_info *")
    for index in range(lib.tsm_program_method_count(handle)):
        library.check(lib.tsm_program_method(handle, index, info))
        yield info.result
        yield from (info.params[i].type for i in range(info.param_count))


def qualified_name(kind: Any) -> str:
    return str(ffi.string(lib.tsm_type_qualified_name(kind)).decode())


def plain_class(value: Any) -> type:
    """The class of an instance as the program knows it: what script() made of one derives from it."""
    found: type = getattr(type(value), PLAIN, type(value))
    return found


def is_instance_of(value: Any, name: str, classes: dict[str, Any]) -> bool:
    """Whether a Python object belongs to a class of the program: the known one, or by its qualified name."""
    python = plain_class(value)
    known = classes.get(name)
    if known is not None:
        return python is known
    return f"{python.__module__}.{python.__qualname__}" == name


def _is_of(value: Any, kind: SchemaType, classes: dict[str, Any]) -> bool:
    if kind.kind == "class":
        return is_instance_of(value, kind.qualified, classes)
    if kind.kind == "enum":
        return isinstance(value, enum.Enum) and type(value).__qualname__ == kind.name
    return is_of_class(value, kind.name) and getattr(value, "_fields", None) == kind.names


def given_attribute(value: Any, name: str) -> Any:
    """An attribute as the instance has it, or its class until it is assigned; _MISSING if neither has."""
    own = getattr(value, "__dict__", None)
    if own is not None and name in own:
        return own[name]
    found = inspect.getattr_static(type(value), name, _MISSING)
    if isinstance(found, types.MemberDescriptorType):  # __slots__
        try:
            return found.__get__(value)
        except AttributeError:
            return _MISSING
    return _MISSING if hasattr(type(found), "__get__") else found


def is_given(value: Any) -> bool:
    return value is not _MISSING


def give_attribute(target: Any, name: str, value: Any) -> None:
    """Sets an attribute past properties and frozen dataclasses. What the class has already is not repeated."""
    own, python = getattr(target, "__dict__", None), type(target)  # type: Any, Any
    found = inspect.getattr_static(python, name, _MISSING)
    if isinstance(found, types.MemberDescriptorType):
        found.__set__(target, value)
    elif own is not None and (name in own or not _is_same(found, value) or name in _assigned_by_init(python)):
        own[name] = value


def take_attribute(target: Any, name: str) -> None:
    """Takes away an attribute that the program deleted, if the instance has it."""
    own = getattr(target, "__dict__", {})
    found = inspect.getattr_static(type(target), name, None)
    if name in own:
        del own[name]
    elif isinstance(found, types.MemberDescriptorType):
        with contextlib.suppress(AttributeError):
            found.__delete__(target)


@lru_cache(maxsize=1024)
def _assigned_by_init(python: Any) -> frozenset[str]:
    """Attributes that an instance has of its own, whatever its class says."""
    found = {field.name for field in dataclasses.fields(python)} if dataclasses.is_dataclass(python) else set()
    for base in python.__mro__:
        init = base.__dict__.get("__init__")
        if inspect.isfunction(init):
            found |= {str(step.argval) for step in dis.get_instructions(init) if step.opname == "STORE_ATTR"}
    return frozenset(found)


def _is_same(default: Any, value: Any) -> bool:
    return type(default) is type(value) and isinstance(value, _PLAIN) and bool(default == value)
