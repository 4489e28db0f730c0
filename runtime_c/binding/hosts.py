"""Functions of the host that a program calls by name: Python's own, while it runs in Python.

In: Python functions by name. Out: the table that loading takes. Holds: arguments keep their identity during a call;
what the function did to lists, dicts, sets and instances is there in the program when it goes on, also after an error;
exceptions pass through the program as they are.
"""

from __future__ import annotations

import builtins
import operator
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from weakref import WeakValueDictionary

from . import convert, library
from .errors import Raised
from .library import ffi, lib
from .program_types import read_type
from .shared import parts_of, write_changes


@dataclass(frozen=True)
class HostFunction:
    """`call` gets its first arguments by position, the last ones by the names in `keywords`."""

    name: str
    call: Callable[..., Any]
    keywords: tuple[str, ...] = ()


class HostFunctions:
    """The table of one program. `owners` are the modules that run it, by the address of their instance."""

    def __init__(self, functions: Mapping[str, HostFunction]) -> None:
        self.functions = dict(functions)
        self.owners: WeakValueDictionary[int, Any] = WeakValueDictionary()
        self.failure: tuple[BaseException, str, tuple[Any, ...]] | None = None  # as the program was told of it
        self.classes: Mapping[str, type[BaseException]] = {}  # user exceptions that the program knows, by their text
        self._kept = [(ffi.new("char[]", name.encode()), ffi.new_handle((self, each))) for name, each in
                      self.functions.items()]
        self.table = ffi.new("tsm_host_function[]", max(len(self._kept), 1))
        for row, (name, user) in zip(self.table, self._kept):
            row.name, row.call, row.user = name, lib.tsm_py_host, user

    def __len__(self) -> int:
        return len(self._kept)

    def register(self, handle: Any, owner: Any) -> None:
        self.owners[int(ffi.cast("uintptr_t", handle))] = owner

    def take_failure(self, raised: Raised | None) -> BaseException | None:
        """The exception that a function of ours raised, if it is what the program's call ended with."""
        failure, self.failure = self.failure, None
        if failure is None or raised is None or raised.classes != failure[1]:
            return None
        return failure[0] if raised.exception.args == failure[2] else None

    def run(self, function: HostFunction, handle: Any, args: Any, count: int, result: Any, out: Any) -> int:
        call = HostCall(self.owners[int(ffi.cast("uintptr_t", handle))])
        state = library.thread()
        state.hook_depth += 1
        call.scope.instance.runner = threading.get_ident()
        try:
            values = call.arguments(args, count)
            split = count - len(function.keywords)
            try:
                given = function.call(*values[:split], **dict(zip(function.keywords, values[split:])))
            finally:
                call.give_back()
            call.give(function.name, given, result, out)
            return int(lib.TSM_OK)
        except Exception as error:
            return self._raise(handle, error)
        except BaseException as error:  # KeyboardInterrupt, SystemExit: the program ends, whatever it catches
            library.pending.setdefault(threading.get_ident(), error)
            return int(lib.TSM_ERR_CANCELLED)
        finally:
            state.hook_depth -= 1
            call.scope.instance.runner = 0
            call.scope.close()

    def _raise(self, handle: Any, error: Exception) -> int:
        """Raises a Python exception in the program, with those of its arguments that can be there."""
        text, scope = self._text_of(type(error)), convert.Scope()
        place, given = convert.Buffer(len(error.args)), []
        try:
            for i, arg in enumerate(error.args):
                kept = arg if _can_be_argument(arg) else str(arg)
                try:
                    convert.any_writer(place, i, kept, scope)
                except (OverflowError, ValueError):
                    kept = repr(arg)
                    convert.any_writer(place, i, kept, scope)
                given.append(kept)
            self.failure = error, text, tuple(given)
            return int(lib.tsm_instance_raise(handle, text.encode(), place.values, len(given)))
        finally:
            scope.close()

    def _text_of(self, python: type[BaseException]) -> str:
        """The class as the program names it: "ValueError", "Mine<ValueError"."""
        for text, known in self.classes.items():
            if known is python:
                return text
        names = []
        for base in python.__mro__:
            names.append(base.__name__)
            if getattr(builtins, base.__name__, None) is base:
                break
        return "<".join(names)


class HostCall:
    """One call of a function: what crossed, and what was in it then, to tell afterwards what the function changed."""

    def __init__(self, owner: Any) -> None:
        self.scope = convert.Scope(owner._classes, lambda address: owner.host_object(address, self), owner.instance)
        self.scope.changed, self.scope.is_typed = {}, True
        self.before: dict[int, tuple[int, Any, list[Any]]] = {}  # by address: kind, container, what was in it

    def arguments(self, args: Any, count: int) -> list[Any]:
        place, values = convert.Buffer(count), []
        for i in range(count):
            lib.tsm_retain(args[i])
            place.values[i] = args[i]
            values.append(self.read(place, i))
        return values

    def read(self, place: convert.Buffer, index: int) -> Any:
        """The Python value of an owned value of the program."""
        value = convert.read(place, index, self.scope)
        self.note()
        return value

    def note(self) -> None:
        """Remembers what is in the containers that crossed last."""
        assert self.scope.changed is not None
        for address, (kind, value) in list(self.scope.changed.items())[len(self.before):]:
            self.before[address] = kind, value, parts_of(kind, value, self.scope)

    def give_back(self) -> None:
        """Gives the program what has changed."""
        self.scope.changed = None
        for address, (kind, value, before) in self.before.items():
            after = parts_of(kind, value, self.scope)
            if len(after) != len(before) or not all(map(operator.is_, after, before)):
                write_changes(kind, address, value, self.scope)

    def give(self, name: str, value: Any, result: Any, out: Any) -> None:
        """Gives the program a result of its declared type. TypeError."""
        self.scope.instance.program.types.add(result)
        place = convert.Buffer(1)
        try:
            convert.writer(read_type(result))(place, 0, value, self.scope)
        except (TypeError, ValueError, OverflowError) as error:
            raise type(error)(f"the result of '{name}': {error}") from None
        lib.tsm_retain(place.values[0])
        out[0] = place.values[0]


def _can_be_argument(value: Any) -> bool:
    """Whether an exception of a program keeps it as it is: it is immutable."""
    if type(value) is tuple:
        return all(map(_can_be_argument, value))
    return isinstance(value, (bool, int, float, complex, str, bytes, type(None)))


def as_functions(given: Mapping[str, Any]) -> dict[str, HostFunction]:
    """Functions that a caller names: all their arguments come by position."""
    for name, function in given.items():
        if not isinstance(function, HostFunction) and not callable(function):
            raise TypeError(f"the function {name!r} is a {type(function).__name__}, which cannot be called")
    return {name: f if isinstance(f, HostFunction) else HostFunction(name, f) for name, f in given.items()}


@ffi.def_extern()
def tsm_py_host(user: Any, instance: Any, args: Any, count: int, result: Any, out: Any) -> int:
    functions, function = ffi.from_handle(user)
    return int(functions.run(function, instance, args, count, result, out))
