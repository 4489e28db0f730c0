"""`tsm.List` and `tsm.Dict`: containers that live in the runtime and cross to programs and back without conversion.

In: an element type and values. Out: sequences and mappings that a program may keep in its state while Python goes on
using them. Holds: elements have the declared type; a container is touched by one thread at a time, and by none while a
program that may hold it runs elsewhere.
"""

from __future__ import annotations

import threading
import types
import typing
from collections.abc import Iterable, Iterator, Mapping, MutableMapping, MutableSequence, Sequence
from typing import Any

from . import library
from .container_writers import element_kind
from .library import lib
from .readers import dict_items, list_items, read
from .schema import SchemaType
from .scopes import Buffer, Scope
from .tensor import Tensor
from .writers import writer

_ATOMS: dict[Any, str] = {
    bool: "bool", int: "int", float: "float", complex: "complex", str: "str", bytes: "bytes", Tensor: "Tensor",
    None: "None", type(None): "None",
}
_dead: list[tuple[int, int, Guard]] = []  # what could not be released when its wrapper went


def schema_of(kind: Any) -> SchemaType:
    """The type that an annotation object spells, of those that elements may have. TypeError."""
    name, args = _ATOMS.get(kind), typing.get_args(kind)
    if name is not None:
        return SchemaType(name)
    origin = typing.get_origin(kind)
    if origin is tuple and len(args) == 2 and args[1] is Ellipsis:
        return SchemaType("tuple...", (schema_of(args[0]),))
    if origin is tuple:
        return SchemaType("tuple", tuple(map(schema_of, args)))
    if origin in (typing.Union, types.UnionType) and len(args) == 2 and type(None) in args:
        return SchemaType("optional", (schema_of(next(arg for arg in args if arg is not type(None))),))
    shown = getattr(kind, "__name__", None) or str(kind)
    raise TypeError(f"a tsm.List or tsm.Dict holds numbers, texts, tensors, tuples and Optionals of these, not {shown}")


class Guard:
    """Who may touch a container. `instances` are those whose state may hold it."""

    __slots__ = ("instances", "lock", "taken")

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.instances: list[Any] = []
        self.taken: list[list[Any]] = []

    def enter(self, running: Any = None, others: Sequence[Guard] = ()) -> None:
        """Takes it for this thread, which holds the locks of `running` and of what `others` took. RuntimeError if
        another one has it."""
        if not self.lock.acquire(False):
            raise RuntimeError("this container is in use by another thread")
        taken: list[Any] = []
        held = [instance for guard in others for instance in guard.taken[-1]]
        for instance in self.instances:
            if instance in held or instance is running or instance.runner == threading.get_ident():
                continue
            if not instance.lock.acquire(False):
                _release(taken)
                self.lock.release()
                raise RuntimeError("this container belongs to a program that is running")
            taken.append(instance)
        self.taken.append(taken)

    def leave(self) -> None:
        _release(self.taken.pop())
        self.lock.release()

    def __enter__(self) -> None:
        self.enter()
        if _dead:
            _bury()

    def __exit__(self, *error: object) -> None:
        self.leave()


def _release(instances: list[Any]) -> None:
    for instance in instances:
        instance.lock.release()


def _bury() -> None:
    """Releases what wrappers left behind while it was in use."""
    for _ in range(len(_dead)):
        address, kind, guard = _dead.pop()
        _drop(address, kind, guard)


def _drop(address: int, kind: int, guard: Guard) -> None:
    try:
        guard.enter()
    except RuntimeError:
        _dead.append((address, kind, guard))
        return
    lib.tsm_py_release(address, kind)
    guard.leave()


class _Alias(types.GenericAlias):
    """`tsm.List[int]`: an annotation, and what makes such a list."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        made: Any = self.__origin__
        return made.made(self.__args__, *args, **kwargs)


class Resident:
    """What List and Dict share."""

    __slots__ = ("__weakref__", "address", "guard", "type")
    __hash__ = None  # type: ignore[assignment]
    KIND = 0

    address: int
    guard: Guard
    type: SchemaType

    @classmethod
    def wrap(cls, address: int, kind: SchemaType) -> Any:
        """Around a container whose count it takes over."""
        found = object.__new__(cls)
        found.address, found.type, found.guard = address, kind, Guard()
        return found

    def __del__(self, drop: Any = _drop) -> None:
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
            return int(run(*(place.values[i] for i in range(len(values)))))
        finally:
            scope.close()


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
        kinds = {type(item) for item in given}
        if len(kinds) != 1:
            raise TypeError("name the type of the elements: tsm.List[int](...)")
        return cls.wrap_new(SchemaType("list", (schema_of(kinds.pop()),)), given)

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
        scope = Scope()
        try:
            return list_items(self.held, scope)
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
                return read(place, 0, scope)
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
        if len(keys) != 1 or len(values) != 1:
            raise TypeError("name the types of keys and values: tsm.Dict[str, int](...)")
        return cls.wrap_new(SchemaType("dict", (schema_of(keys.pop()), schema_of(values.pop()))), given)

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
                return read(place, 0, scope)
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
                return dict(dict_items(self.held, scope))
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


def resident_of(place: Buffer, index: int, kind: SchemaType, scope: Scope) -> Any:
    """The List or Dict of an owned result that the program may keep; the same one for the same container."""
    address, word = place.words[2 * index + 1], place.words[2 * index] & 0xFFFFFFFF
    known = scope.objects.get(address, scope.instance.residents.get(address))
    if known is None:
        known = (List if word == library.LIST else Dict).wrap(address, kind)
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
