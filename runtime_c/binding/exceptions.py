"""Exceptions of a program as Python's.

In: a runtime exception: its class, arguments and attributes. Out: an exception of the known Python class, else of one
that is made by name; an instance of a user's class becomes the exception itself.
Holds: no `__init__` of a user's class runs, as it ran in the program; one exception stays one, so cycles end.
"""

from __future__ import annotations

from typing import Any

from . import library
from .errors import exception_class, filled, with_message
from .library import lib
from .program_types import c_text
from .scopes import Buffer, Scope

PAYLOAD, HOLDER, HELD = "self", "holder", "__exception__"
STATE = ("__cause__", "__suppress_context__", "__notes__")


def read_exception(value: Any, address: int, scope: Scope) -> BaseException:
    """The Python exception of a runtime exception."""
    places = Buffer(2)
    classes = lib.tsm_exception_parts(value, places.values, places.values + 1)
    return read_parts(c_text(classes), places, scope, address)


def read_parts(classes: str, places: Buffer, scope: Scope, address: int = 0) -> BaseException:
    """The same from its class, and its arguments and attributes in `places`."""
    from .readers import read

    known = scope.instance.program.exceptions if scope.instance is not None else {}
    python = known.get(classes) or exception_class(classes)
    fields = _Fields(places, scope)
    payload = fields.read(PAYLOAD)
    exception = payload if isinstance(payload, BaseException) else python.__new__(python)
    if address:
        scope.objects[address] = exception
    args = read(places, 0, scope)
    if exception is not payload:
        exception = filled(exception, args) if isinstance(args, tuple) else with_message(python, args)
        scope.objects[address] = exception
        for name in dir(payload) if payload is not None else ():
            if name not in ("args", HELD) and hasattr(payload, name):
                setattr(exception, name, getattr(payload, name))
    for name in fields.names:
        if name == HOLDER:
            take_state(exception, vars_of(fields.read(name)))
        elif name in STATE:
            take_state(exception, {name: fields.read(name)})
        elif name not in (PAYLOAD, "__str__"):
            setattr(exception, name, fields.read(name))
    return exception


def vars_of(holder: Any) -> dict[str, Any]:
    """What the second exception of an instance keeps for it."""
    found = {"__cause__": holder.__cause__, "__suppress_context__": holder.__suppress_context__}
    return {**found, "__notes__": holder.__notes__} if hasattr(holder, "__notes__") else found


def take_state(exception: BaseException, state: dict[str, Any]) -> None:
    for name in STATE:  # to assign the cause suppresses the context
        if name in state and (name != "__cause__" or state[name] is not None):
            setattr(exception, name, state[name])


class _Fields:
    """Names and values of attributes, read one by one."""

    def __init__(self, places: Buffer, scope: Scope) -> None:
        self.scope = scope
        self.whole = places.values[1]
        self.names: dict[str, int] = {}
        if places.words[2] & 0xFFFFFFFF != library.TUPLE:
            return
        scope.own(places.words[3], library.TUPLE)
        for i in range(0, lib.tsm_tuple_length(self.whole), 2):
            self.names[self.at(i)] = i + 1

    def at(self, position: int) -> Any:
        from .readers import read

        place = Buffer(1)
        library.check(lib.tsm_tuple_get(self.whole, position, place.values))
        return read(place, 0, self.scope)

    def read(self, name: str) -> Any:
        """The value of an attribute, None if it has none."""
        return self.at(self.names[name]) if name in self.names else None
