"""`tsm.List` and `tsm.Dict`: containers that live in the runtime and cross to programs and back without conversion.

In: an element type and values. Out: sequences and mappings that a program may keep in its state while Python goes on
using them. Holds: elements have the declared type; a container is touched by one thread at a time, and by none while a
program that may hold it runs elsewhere.
"""

from __future__ import annotations

import types
from collections.abc import Iterable, Iterator, Mapping, MutableMapping, MutableSequence
from typing import Any

from . import library
from .container_writers import element_kind
from .guards import Guard, drop
from .library import ffi, lib
from .readers import dict_items, list_items, read
from .resident_types import OPEN, is_open, schema_of, schema_of_value
from .schema import SchemaType
from .scopes import Buffer, Scope
from .writers import writer


class _Alias(types.GenericAlias):
    """`tsm.List[int]`: an annotation, and what makes such a list."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        made: Any = self.__origin__
        return made.made(self.__args__, *args, **kwargs)


class Resident:
    """What List and Dict share."""

    __slots__ = ("__weakref__", "_guard", "address", "type")
    __hash__ = None  # type: ignore[assignment]
    KIND = 0

    address: int
    type: SchemaType
    _guard: Guard

    @classmethod
    def wrap(cls, address: int, kind: SchemaType, guard: Guard | None = None) -> Any:
        """Around a container whose count it takes over. `guard`: of the container that holds it."""
        found = object.__new__(cls)
        found.address, found.type, found._guard = address, kind, guard or Guard()
        found._guard.parts[address] = found
        return found

    @property
    def guard(self) -> Guard:
        found = self._guard
        while found.into is not None:
            found = found.into
        return found

    def part(self, place: Buffer, index: int, kind: SchemaType, scope: Scope) -> Any:
        """An element of this type that was read: a container as one that stays where it is."""
        kind = kind.args[0] if kind.kind == "optional" else kind
        address, word = place.words[2 * index + 1], place.words[2 * index] & 0xFFFFFFFF
        if word not in _CLASSES or kind.kind not in ("list", "dict"):
            return read(place, index, scope)
        known = self.guard.parts.get(address)
        if known is None:
            return _CLASSES[word].wrap(address, kind, self.guard)
        lib.tsm_py_release(address, word)
        return known

    def __del__(self, drop: Any = drop) -> None:
        if hasattr(self, "address"):
            drop(self.address, self.KIND, self.guard)

    @property
    def held(self) -> Any:
        return lib.tsm_py_value(self.address, self.KIND)

    def put(self, buffer: Buffer, index: int, kind: SchemaType, scope: Scope) -> None:
        """Into a buffer as an argument of this type, for the time of a call. TypeError, RuntimeError."""
        if self.type != kind:
            raise TypeError(f"expected {kind}, got tsm.{_shown(self.type)}")
        self.guard.enter(scope.instance, scope.guards)
        scope.guards.append(self.guard)
        scope.objects[self.address] = self
        if scope.instance is not None and any(arg.kind in ("list", "dict") for arg in self.type.args):
            self.attach(scope.instance)  # what it puts in lies in its memory
        buffer.put(index, self.KIND, self.address)

    def attach(self, instance: Any) -> None:
        """The program of an instance may keep it from now on."""
        if instance not in self.guard.instances:
            self.guard.instances.append(instance)
        instance.residents[self.address] = self

    def _write(self, values: list[tuple[SchemaType, Any]], run: Any) -> int:
        """Calls `run` with the values at their types; its status."""
        place, scope = Buffer(len(values)), Scope()
        try:
            for i, (kind, value) in enumerate(values):
                writer(kind)(place, i, value, scope)
            status = int(run(*(place.values[i] for i in range(len(values)))))
        finally:
            scope.close()
        for _, value in values:
            self._take_in(value)
        return status

    def _take_in(self, value: Any) -> None:
        """What holds a container guards it."""
        if isinstance(value, Resident):
            with value.guard:
                value.guard.join(self.guard)
        elif isinstance(value, (list, dict)):
            for item in value.values() if isinstance(value, dict) else value:
                self._take_in(item)


class List(Resident, MutableSequence[Any]):
    """`tsm.List[int]([1, 2])`: a list of one element type that lives in the runtime.

    `tsm.List([1, 2])` takes the type of its elements. It equals a list of equal elements; a tensor that is read shares
    the memory of the element. TypeError for another element."""

    __slots__ = ()
    __tsm_resident__ = list
    KIND = library.LIST

    def __new__(cls, items: Iterable[Any] = ()) -> Any:
        given = list(items)
        if isinstance(items, List):
            return cls.wrap_new(items.type, given)
        kind = schema_of_value(given) if len({type(item) for item in given}) == 1 else SchemaType("list", (OPEN,))
        if is_open(kind):
            raise TypeError("name the type of the elements: tsm.List[int](...)")
        return cls.wrap_new(kind, given)

    def __init__(self, items: Iterable[Any] = ()) -> None:
        """Everything is there already."""

    def __class_getitem__(cls, item: Any) -> Any:
        return _Alias(cls, (item,))

    @classmethod
    def made(cls, args: tuple[Any, ...], items: Iterable[Any] = ()) -> Any:
        return cls.wrap_new(SchemaType("list", (schema_of(args[0]),)), list(items))

    @classmethod
    def wrap_new(cls, kind: SchemaType, items: list[Any]) -> Any:
        place = Buffer(1)
        status = lib.tsm_list_new(library.runtime(), element_kind(kind.args[0]), len(items), place.values)
        library.check(status)
        found = cls.wrap(place.words[1], kind)
        found.extend(items)
        return found

    def __len__(self) -> int:
        with self.guard:
            return int(lib.tsm_list_length(self.held))

    def _items(self) -> list[Any]:
        element, scope = self.type.args[0], Scope()
        try:
            if not _holds_containers(element):
                return list_items(self.held, scope)
            place, items = Buffer(1), []
            for position in range(int(lib.tsm_list_length(self.held))):
                library.check(lib.tsm_list_get(self.held, position, place.values))
                items.append(self.part(place, 0, element, scope))
            return items
        finally:
            scope.close()

    def _replace(self, items: list[Any]) -> None:
        """Sets all elements, once it is known that each fits."""
        element = self.type.args[0]

        def run(*values: Any) -> int:
            library.check(lib.tsm_list_resize(self.held, 0))
            for value in values:
                library.check(lib.tsm_list_append(self.held, value))
            return int(lib.TSM_OK)

        self._write([(element, item) for item in items], run)

    def __getitem__(self, index: Any) -> Any:
        with self.guard:
            if isinstance(index, slice):
                return self._items()[index]
            place, scope = Buffer(1), Scope()
            try:
                library.check(lib.tsm_list_get(self.held, self._position(index), place.values))
                return self.part(place, 0, self.type.args[0], scope)
            finally:
                scope.close()

    def _position(self, index: Any, text: str = "list index out of range") -> int:
        try:
            return range(int(lib.tsm_list_length(self.held)))[index]
        except IndexError:
            raise IndexError(text) from None
        except TypeError:
            raise TypeError(f"list indices must be integers or slices, not {type(index).__name__}") from None

    def __setitem__(self, index: Any, value: Any) -> None:
        with self.guard:
            if isinstance(index, slice):
                items = self._items()
                items[index] = value
                return self._replace(items)
            position = self._position(index, "list assignment index out of range")
            element = self.type.args[0]
            library.check(self._write([(element, value)], lambda v: lib.tsm_list_set(self.held, position, v)))

    def __delitem__(self, index: Any) -> None:
        with self.guard:
            items = self._items()
            is_slice = isinstance(index, slice)
            del items[index if is_slice else self._position(index, "list assignment index out of range")]
            self._replace(items)

    def insert(self, index: int, value: Any) -> None:
        with self.guard:
            items = self._items()
            items.insert(index, value)
            self._replace(items)

    def append(self, value: Any) -> None:
        with self.guard:
            library.check(self._write([(self.type.args[0], value)], lambda v: lib.tsm_list_append(self.held, v)))

    def extend(self, values: Iterable[Any]) -> None:
        for value in list(values):
            self.append(value)

    def pop(self, index: int = -1) -> Any:
        with self.guard:
            count = int(lib.tsm_list_length(self.held))
            if not count:
                raise IndexError("pop from empty list")
            position = self._position(index, "pop index out of range")
            value = self[position]
            if position == count - 1:
                library.check(lib.tsm_list_resize(self.held, position))
            else:
                del self[position]
            return value

    def clear(self) -> None:
        with self.guard:
            library.check(lib.tsm_list_resize(self.held, 0))

    def reverse(self) -> None:
        self[:] = self[::-1]

    def sort(self, *, key: Any = None, reverse: bool = False) -> None:
        self[:] = sorted(self[:], key=key, reverse=reverse)

    def copy(self) -> Any:
        return type(self)(self)

    def tolist(self) -> list[Any]:
        """A Python list of the elements."""
        return list(self[:])

    def __add__(self, other: Any) -> Any:
        return self[:] + list(other) if isinstance(other, (list, List)) else NotImplemented

    def __eq__(self, other: object) -> Any:
        return self[:] == other[:] if isinstance(other, (list, List)) else NotImplemented

    def __lt__(self, other: Any) -> Any:
        return self[:] < other[:] if isinstance(other, (list, List)) else NotImplemented

    def __repr__(self) -> str:
        return repr(self[:])


class Dict(Resident, MutableMapping[Any, Any]):
    """`tsm.Dict[str, int]({"a": 1})`: a dict of one type of keys and one of values that lives in the runtime.
    `tsm.Dict({"a": 1})` takes the types of what it holds. TypeError for others."""

    __slots__ = ()
    __tsm_resident__ = dict
    KIND = library.DICT

    def __new__(cls, items: Any = ()) -> Any:
        given = dict(items)
        if isinstance(items, Dict):
            return cls.wrap_new(items.type, given)
        keys, values = {type(key) for key in given}, {type(value) for value in given.values()}
        is_of_one = len(keys) == 1 and len(values) == 1
        kind = schema_of_value(given) if is_of_one else SchemaType("dict", (OPEN, OPEN))
        if is_open(kind):
            raise TypeError("name the types of keys and values: tsm.Dict[str, int](...)")
        return cls.wrap_new(kind, given)

    def __init__(self, items: Any = ()) -> None:
        """Everything is there already."""

    def __class_getitem__(cls, items: Any) -> Any:
        if not isinstance(items, tuple) or len(items) != 2:
            raise TypeError("tsm.Dict takes two types: tsm.Dict[str, int]")
        return _Alias(cls, items)

    @classmethod
    def made(cls, args: tuple[Any, ...], items: Any = ()) -> Any:
        kinds = schema_of(args[0]), schema_of(args[1])
        if kinds[0].has_tensor:
            raise TypeError("Tensor cannot be a dict key")
        return cls.wrap_new(SchemaType("dict", kinds), dict(items))

    @classmethod
    def wrap_new(cls, kind: SchemaType, items: dict[Any, Any]) -> Any:
        place = Buffer(1)
        library.check(lib.tsm_dict_new(library.runtime(), *map(element_kind, kind.args), place.values))
        found = cls.wrap(place.words[1], kind)
        found.update(items)
        return found

    def __len__(self) -> int:
        with self.guard:
            return int(lib.tsm_dict_length(self.held))

    def __getitem__(self, key: Any) -> Any:
        with self.guard:
            place, scope = Buffer(1), Scope()
            try:
                found = self._find(key, lambda held: lib.tsm_dict_get(self.held, held, place.values))
                if not found:
                    raise KeyError(key)
                return self.part(place, 0, self.type.args[1], scope)
            finally:
                scope.close()

    def _find(self, key: Any, run: Any) -> bool:
        """Whether the key is there; a key of another type is not."""
        hash(key)
        try:
            status = self._write([(self.type.args[0], key)], run)
        except (TypeError, OverflowError):
            return False
        if status == lib.TSM_ERR_NOT_FOUND:
            return False
        library.check(status)
        return True

    def __setitem__(self, key: Any, value: Any) -> None:
        kinds = self.type.args
        with self.guard:
            status = self._write([(kinds[0], key), (kinds[1], value)], lambda k, v: lib.tsm_dict_set(self.held, k, v))
            library.check(status)

    def __delitem__(self, key: Any) -> None:
        with self.guard:
            if not self._find(key, lambda held: lib.tsm_dict_remove(self.held, held)):
                raise KeyError(key)

    def todict(self) -> dict[Any, Any]:
        """A Python dict of the entries."""
        scope = Scope()
        with self.guard:
            try:
                if not _holds_containers(self.type.args[1]):
                    return dict(dict_items(self.held, scope))
                position, place, items = ffi.new("size_t *"), Buffer(2), {}
                while lib.tsm_dict_next(self.held, position, place.values, place.values + 1):
                    key = read(place, 0, scope)
                    items[key] = self.part(place, 1, self.type.args[1], scope)
                return items
            finally:
                scope.close()

    def __iter__(self) -> Iterator[Any]:
        items = self.todict()
        for key in items:
            yield key
            if len(self) != len(items):
                raise RuntimeError("dictionary changed size during iteration")

    def __reversed__(self) -> Iterator[Any]:
        return reversed(self.todict())

    def clear(self) -> None:
        with self.guard:
            lib.tsm_dict_clear(self.held)

    def copy(self) -> Any:
        return type(self)(self)

    def __or__(self, other: Any) -> Any:
        return {**self.todict(), **other} if isinstance(other, Mapping) else NotImplemented

    def __ior__(self, other: Any) -> Any:
        self.update(other)
        return self

    def __eq__(self, other: object) -> Any:
        return self.todict() == dict(other) if isinstance(other, Mapping) else NotImplemented

    def __repr__(self) -> str:
        return repr(self.todict())


_CLASSES: dict[int, Any] = {library.LIST: List, library.DICT: Dict}


def _holds_containers(kind: SchemaType) -> bool:
    return (kind.args[0] if kind.kind == "optional" else kind).kind in ("list", "dict")


def resident_of(place: Buffer, index: int, kind: SchemaType, scope: Scope) -> Any:
    """The List or Dict of an owned result that the program may keep; the same one for the same container."""
    address, word = place.words[2 * index + 1], place.words[2 * index] & 0xFFFFFFFF
    known = scope.objects.get(address, scope.instance.residents.get(address))
    if known is None:
        known = _CLASSES[word].wrap(address, kind)
        known.attach(scope.instance)
        return known
    lib.tsm_py_release(address, word)
    return known


def refuse_copy(value: Any, kind: SchemaType) -> TypeError:
    """Why a plain container cannot be an argument that the program keeps."""
    wanted = f"tsm.{_shown(kind)}"
    return TypeError(f"expected {wanted}, which the program can keep, got {type(value).__name__}: pass {wanted}(...)")


def _shown(kind: SchemaType) -> str:
    """ "List[int]"."""
    text = str(kind)
    return text[0].upper() + text[1:]
