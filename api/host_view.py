"""`self` of a method marked `ignore`, while a program calls it: the program's attributes, the Python module's rest.

In: an instance of a module class in a running program. Out: an object with its attributes and the methods of the Python
class. Holds: what is read is what the program has now, what is set is there when it goes on; lists and dicts are
Python's own during the call, and what was done to them is given back after it.
"""

from __future__ import annotations

import inspect
import types
from typing import Any

from .binding import convert, library
from .binding.hosts import HostCall
from .binding.library import ffi, lib
from .binding.program_types import read_type
from .loaded import LoadedObject


class ModuleView(LoadedObject):
    """The view. `python` is the module it was scripted from, None for a loaded program's."""

    def __init__(self, call: HostCall, address: int, python: Any) -> None:
        super().__init__(call.scope.instance, address, None)
        object.__setattr__(self, "_call", call)
        object.__setattr__(self, "_python", python)

    def __getattr__(self, name: str) -> Any:
        fields = self.__dict__
        names, python = fields["_type"].names, fields["_python"]
        if name in names:
            place = convert.Buffer(1)
            value = lib.tsm_py_value(self._tsm_address, library.OBJECT)
            if lib.tsm_object_get(value, names.index(name), place.values):
                raise AttributeError(f"attribute {name!r} of {fields['_type'].name!r} object is not set")
            return fields["_call"].read(place, 0)
        if python is None:
            raise AttributeError(f"{fields['_type'].name!r} object has no attribute {name!r}")
        found = inspect.getattr_static(type(python), name, None)
        if isinstance(found, property) and found.fget is not None:
            return found.fget(self)
        if inspect.isfunction(found):
            return types.MethodType(found, self)
        return getattr(python, name)

    def __setattr__(self, name: str, value: Any) -> None:
        fields = self.__dict__
        names, python = fields["_type"].names, fields["_python"]
        if name not in names:
            if python is None:
                raise AttributeError(f"{fields['_type'].name!r} object has no attribute {name!r}")
            setattr(python, name, value)
            return
        call, index = fields["_call"], names.index(name)
        held = lib.tsm_py_value(self._tsm_address, library.OBJECT)
        place, error = convert.Buffer(1), ffi.new("tsm_error *")
        try:
            convert.writer(read_type(lib.tsm_type_member(lib.tsm_value_type(held), index)))(place, 0, value, call.scope)
        except (TypeError, OverflowError) as failure:
            raise type(failure)(f"attribute {name!r}: {failure}") from None
        status = lib.tsm_object_set(call.scope.instance.handle, held, index, place.values[0], error)
        library.check(status, error)
        call.note()

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Runs the Python module's own `forward` over the program's attributes."""
        return self.forward(*args, **kwargs)

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        python = self.__dict__["_python"]
        return ModuleView if python is None else type(python)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *dir(self.__dict__["_python"])})


def view_of(call: HostCall, address: int, root: Any, source: Any) -> ModuleView:
    """The view of an instance; its Python module is the one on the same path from the root."""
    pending, seen = [(root, source)], set()
    while pending:
        item, python = pending.pop()
        if item is None or item._tsm_address in seen:
            continue
        if item._tsm_address == address:
            return ModuleView(call, address, python)
        seen.add(item._tsm_address)
        for name, inner in getattr(python, "_modules", {}).items():
            if name in dir(item):
                pending.append((getattr(item, name), inner))
    return ModuleView(call, address, None)
